"""Submissions brought in under any name, with a record of what was renamed (`docs/campaign.md#commands`)."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scoring.foundations.problems import InputError
from scoring.relations.inputs.documents import DocumentFile, read_documents
from scoring.relations.inputs.file_names import SubmissionName, parse_submission
from scoring.relations.inputs.gold import Reference
from scoring.relations.inputs.material import Material
from scoring.texts.spreadsheet_output import safe_cell

RECORD = "imports.csv"
RECORD_COLUMNS = ("imported", "source", "sha256", "submission", "info_source")
MAPPING_COLUMNS = ("source", "team", "reference", "run", "info")


@dataclass(frozen=True, slots=True)
class SubmissionRequest:
    """A file to bring in and what is known of it; what is empty is worked out from its name and content."""

    source: Path
    team: str = ""
    reference: str = ""
    run: str = ""
    info: Path | None = None


@dataclass(frozen=True, slots=True)
class PlannedSubmission:
    """A file with the name it will have. `same` when a submission of that name with this content is there already."""

    source: Path
    name: SubmissionName
    data: bytes
    info: Path | None
    same: bool = False

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def read_mapping(path: Path) -> list[SubmissionRequest]:
    """The mapping of an import: a CSV with the columns source, team, reference, run and info (the last three may be empty).

    Raises:
        InputError: not readable, without the column `source`, or with an unknown column.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"the mapping cannot be read ({fault})", where=path) from fault
    reader = csv.DictReader(io.StringIO(text, newline=""))
    unknown = [name for name in reader.fieldnames or () if name not in MAPPING_COLUMNS]
    if "source" not in (reader.fieldnames or ()) or unknown:
        what = f"unknown column `{unknown[0]}`" if unknown else "the column `source` is not there"
        raise InputError(what, where=path, hint=f"columns are {', '.join(MAPPING_COLUMNS)}")
    found = []
    for row in reader:
        given = {name: (row.get(name) or "").strip() for name in MAPPING_COLUMNS}
        if given["source"]:
            info = path.parent / given["info"] if given["info"] else None
            found.append(SubmissionRequest(path.parent / given["source"], given["team"], given["reference"], given["run"], info))
    return found


def best_reference(file: DocumentFile, references: Iterable[Reference]) -> Reference | None:
    """The reference whose documents a file holds most of; None when it holds none of any, or two are equally near."""
    held = {record.document_id for _, record in file.records}
    scored = sorted(
        ((len(held & {document["document_id"] for document in ref.documents}), ref.stem, ref) for ref in references), reverse=True
    )
    if not scored or not scored[0][0] or (len(scored) > 1 and scored[1][0] == scored[0][0]):
        return None
    return scored[0][2]


def plan(material: Material, wanted: Iterable[SubmissionRequest]) -> list[PlannedSubmission]:
    """The names the files will have, checked against each other and against what is there.

    Raises:
        InputError: a file cannot be read, its name cannot be worked out, or a name is taken by another content.
    """
    planned: list[PlannedSubmission] = []
    taken: dict[str, Path] = {}
    for one in wanted:
        entry = _planned(material, one)
        if entry.name.file in taken:
            raise InputError(f"{taken[entry.name.file]} and {entry.source} would both be {entry.name.file}", where=entry.source)
        taken[entry.name.file] = entry.source
        planned.append(entry)
    return planned


def _planned(material: Material, wanted: SubmissionRequest) -> PlannedSubmission:
    try:
        data = wanted.source.read_bytes()
    except OSError as fault:
        raise InputError(f"the file cannot be read ({fault.strerror})", where=wanted.source) from fault
    known = parse_submission(wanted.source.name)
    team, run = wanted.team or (known.team if known else ""), wanted.run or (known.run if known else "")
    stem = (wanted.reference or (known.reference_stem if known else "")).removesuffix(".jsonl")
    if not stem:
        reference = best_reference(read_documents(wanted.source, accept_bom=material.settings.accept_bom), material.references.values())
        stem = reference.stem if reference else ""
    missing = [word for word, value in (("--team", team), ("--run", run), ("--reference", stem)) if not value]
    if missing:
        raise InputError(f"its name does not say what it is: {', '.join(missing)} is not known", where=wanted.source)
    run = run if run.startswith("run") else f"run{run}"
    name = parse_submission(f"{team}_{stem}_{run}.jsonl")
    if name is None:
        raise InputError(
            f"{team}_{stem}_{run}.jsonl is no name of a submission",
            where=wanted.source,
            hint="a team is teamN, random or baseline; a run 1, 2 or 3",
        )
    if name.reference_file not in material.references:
        known_stems = ", ".join(sorted(reference.stem for reference in material.references.values())) or "none"
        raise InputError(f"there is no reference {name.reference_stem}", where=wanted.source, hint=f"references are {known_stems}")
    target = material.places.submissions / name.file
    same = target.exists() and target.read_bytes() == data
    if target.exists() and not same:
        raise InputError(
            f"{name.file} is there already with another content", where=target, hint="give another --run, or remove the file first"
        )
    beside = wanted.source.with_name(wanted.source.name.removesuffix(".jsonl") + "-info.json")
    info = wanted.info or (beside if beside.exists() else None)
    if info is not None and not info.exists():
        raise InputError("there is no such information file", where=info)
    return PlannedSubmission(wanted.source, name, data, info, same)


def carry_out(material: Material, planned: Iterable[PlannedSubmission], *, when: str) -> list[Path]:
    """Copy the files under their new names and add a line each to `imports.csv`. Files already there are left alone."""
    folder = material.places.submissions
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[Mapping[str, str]] = []
    written = []
    for entry in planned:
        if entry.same:
            continue
        target = folder / entry.name.file
        target.write_bytes(entry.data)
        written.append(target)
        if entry.info is not None:
            (folder / entry.name.info_file).write_bytes(entry.info.read_bytes())
        rows.append(
            {
                "imported": when,
                "source": safe_cell(str(entry.source)),
                "sha256": entry.sha256,
                "submission": entry.name.file,
                "info_source": safe_cell(str(entry.info or "")),
            }
        )
    if rows:
        record = material.places.folder / RECORD
        fresh = not record.exists()
        with record.open("a", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, RECORD_COLUMNS, lineterminator="\n")
            if fresh:
                writer.writeheader()
            writer.writerows(rows)
    return written
