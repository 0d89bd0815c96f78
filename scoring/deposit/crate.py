"""`ro-crate-metadata.json` of a data package (RO-Crate 1.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from scoring.deposit.resources import Resource
from scoring.reports.tables import Table

Entity = dict[str, Any]
NAME: Final = "ro-crate-metadata.json"
LICENCE: Final = (
    "No licence has been chosen. Whoever deposits this package writes one into the field license of ro-crate-metadata.json "
    "and licenses of datapackage.json."
)
_SPECIFICATION: Final = "https://w3id.org/ro/crate/1.2"


def crate(
    resources: Sequence[Resource],
    inputs: Table,
    verifiers: Mapping[str, str],
    fingerprints: Mapping[str, str],
    *,
    title: str,
    description: str,
    version: str,
    generated: str,
) -> Entity:
    """The metadata document.

    Args:
        resources: the files of the package.
        inputs: path, size and SHA-256 of each input file (`inputs.inputs`).
        verifiers: name in the log -> who that is: `human`, `model` or `rule`.
        fingerprints: what was scored -> 8 hex digits.
        version: of the program.
        generated: the moment of generation.
    """
    root: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "name": title,
        "description": description,
        "datePublished": generated[:10],
        "license": LICENCE,
        "hasPart": [_ref(quote(one.path)) for one in resources],
        "identifier": [_ref(f"#fingerprint-{quote(name)}") for name in fingerprints],
        "contributor": [_ref(f"#verifier-{quote(name, safe='')}") for name in verifiers],
        "mentions": [_ref("#scoring")],
    }
    scoring: Entity = {
        "@id": "#scoring",
        "@type": "CreateAction",
        "name": "Scoring under the decisions of the log",
        "endTime": generated,
        "instrument": _ref("#engine"),
        "object": [_ref(_input_id(path)) for path, *_ in inputs.rows],
        "result": [_ref(quote(one.path)) for one in resources],
    }
    engine: Entity = {"@id": "#engine", "@type": "SoftwareApplication", "name": "adjudicate", "softwareVersion": version}
    if "engine" in fingerprints:
        engine["identifier"] = _ref("#fingerprint-engine")
    graph: list[Entity] = [
        {"@id": NAME, "@type": "CreativeWork", "about": _ref("./"), "conformsTo": _ref(_SPECIFICATION)},
        *(root, *map(_file, resources), scoring, engine),
        *(
            {
                "@id": f"#fingerprint-{quote(name)}",
                "@type": "PropertyValue",
                "name": f"Fingerprint: {name}",
                "propertyID": name,
                "value": value,
            }
            for name, value in fingerprints.items()
        ),
        *(
            {
                "@id": f"#verifier-{quote(name, safe='')}",
                "@type": "Person" if by == "human" else "SoftwareApplication",
                "name": name,
                "description": f"Verifier, by the name in the log; verdicts by {by}",
            }
            for name, by in verifiers.items()
        ),
        *(
            {"@id": _input_id(path), "@type": "CreativeWork", "name": path, "contentSize": str(size), "sha256": digest}
            for path, size, digest in inputs.rows
        ),
    ]
    return {"@context": f"{_SPECIFICATION}/context", "@graph": graph}


def _ref(identifier: str) -> Entity:
    return {"@id": identifier}


def _input_id(path: object) -> str:
    return f"#input-{quote(str(path).encode('utf-8', 'surrogateescape'))}"


def _file(one: Resource) -> Entity:
    found: Entity = {"@id": quote(one.path), "@type": "File", "name": one.title, "encodingFormat": one.media}
    if one.note:
        found["description"] = one.note
    if one.fingerprint:
        found["identifier"] = one.fingerprint
    return {**found, "contentSize": str(len(one.data)), "sha256": one.sha256}
