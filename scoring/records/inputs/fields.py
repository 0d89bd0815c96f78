"""The fields of a record as its JSON Schema declares them, and where that schema is found.

See `docs/ecoextract-behaviour.md#records-table`, `docs/ecoextract-behaviour.md#schema-look-up`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from scoring.foundations.problems import InputError

# What a declaration may say that asks nothing more of a value than its type.
_PLAIN = frozenset({"type", "description", "title", "x-method", "x-blank", "x-key"})

# The fields of EcoExtract's own default schema: what it falls back to where a project has none.
_DEFAULT_TEXTS = (
    "organisms_identifiable", "bat_species_scientific_name", "bat_species_common_name", "interacting_organism_scientific_name",
    "interacting_organism_common_name", "interaction_start_date", "interaction_end_date", "location",
)  # fmt: skip


@dataclass(frozen=True)
class Field:
    """One field: name, JSON types in order (without null), whether it may be null, the two severity marks, what the schema says of it."""

    name: str
    types: tuple[str, ...]
    nullable: bool
    required: bool
    unique: bool
    declared: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def validator(self) -> Any:
        """What checks a value against the rest of the declaration (choices, patterns, bounds, elements); None where there is no more.

        Raises:
            InputError: the declaration is broken.
        """
        if not self.declared.keys() - _PLAIN:
            return None
        import jsonschema

        try:
            jsonschema.Draft202012Validator.check_schema(dict(self.declared))
        except jsonschema.exceptions.SchemaError as broken:
            raise InputError(f"the schema's declaration of {self.name} is broken ({broken.message})") from broken
        return jsonschema.Draft202012Validator(dict(self.declared), format_checker=jsonschema.FormatChecker())

    @property
    def choices(self) -> tuple[str, ...]:
        """The texts of the values an enum allows, for a list to choose from."""
        return tuple(value if isinstance(value, str) else json.dumps(value) for value in self.declared.get("enum", ()) if value is not None)

    @property
    def description(self) -> str:
        """What the schema says the field is."""
        said = self.declared.get("description", "")
        return said if isinstance(said, str) else ""

    @property
    def is_list(self) -> bool:
        """Whether the value is a list of texts (one line an element in an editor)."""
        items = self.declared.get("items")
        return self.types == ("array",) and (not isinstance(items, dict) or items.get("type", "string") == "string")


@dataclass(frozen=True)
class RecordSchema:
    """The fields in order, and where they come from. `document` is the JSON Schema as parsed."""

    fields: tuple[Field, ...]
    source: str
    document: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def by_name(self) -> Mapping[str, Field]:
        """The fields by their exact name."""
        return {entry.name: entry for entry in self.fields}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self.fields)

    @property
    def major(self) -> frozenset[str]:
        """The fields whose edits are major: in `x-unique-fields` or in `required`."""
        return frozenset(self._listed("x-unique-fields")) | frozenset(self._listed("required"))

    @property
    def unique(self) -> tuple[str, ...]:
        return tuple(name for name in self._listed("x-unique-fields") if name in self.by_name)

    def _listed(self, key: str) -> tuple[str, ...]:
        return texts(items_of(self.document).get(key))


def texts(value: object) -> tuple[str, ...]:
    """The texts of a list; a lone text is a list of one."""
    if isinstance(value, str):
        return (value,)
    return tuple(entry for entry in value if isinstance(entry, str)) if isinstance(value, list) else ()


def items_of(document: object) -> Mapping[str, Any]:
    """`properties.records.items` of a schema; empty where it has another shape."""
    for key in ("properties", "records", "items"):
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}


def schema_from(document: Mapping[str, Any], source: str) -> RecordSchema:
    """The fields a parsed JSON Schema declares; none where it has another shape."""
    items = items_of(document)
    properties = items.get("properties")
    required, unique = texts(items.get("required")), texts(items.get("x-unique-fields"))
    fields = []
    for name, declared in (properties if isinstance(properties, dict) else {}).items():
        declared = declared if isinstance(declared, dict) else {}
        types = texts(declared.get("type"))
        nullable = "null" in types or (not types and name not in required)
        fields.append(
            Field(
                name, tuple(kind for kind in types if kind != "null") or ("string",), nullable, name in required, name in unique, declared
            )
        )
    return RecordSchema(tuple(fields), source, document)


def default_schema() -> RecordSchema:
    """The fields of EcoExtract's default schema, all of them required."""
    properties: dict[str, Any] = {name: {"type": ["string", "null"]} for name in _DEFAULT_TEXTS}
    properties["all_supporting_source_sentences"] = {"type": "array", "items": {"type": "string"}}
    properties |= {name: {"type": ["integer", "null"]} for name in ("page_number", "publication_year")}
    items = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "x-unique-fields": [name for name in _DEFAULT_TEXTS if name.endswith("_name")],
    }
    document = {"type": "object", "properties": {"records": {"type": "array", "items": items}}}
    return schema_from(document, "EcoExtract's default schema")


def read_schema(path: Path) -> RecordSchema:
    """Read a schema file.

    Raises:
        InputError: no such file, or not a JSON object.
    """
    try:
        document = json.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError as fault:
        raise InputError("no such schema", where=path, hint="give the JSON Schema the extraction was made with") from fault
    except OSError as fault:
        raise InputError(f"the schema cannot be read ({fault.strerror})", where=path) from fault
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as fault:
        raise InputError(f"the schema is not readable JSON ({fault})", where=path, line=getattr(fault, "lineno", None)) from fault
    if not isinstance(document, dict):
        raise InputError("the schema is not a JSON object", where=path)
    return schema_from(document, str(path))


def severity_schema(given: Path | None, folder: Path) -> tuple[RecordSchema | None, str]:
    """The schema EcoExtract would take for edit severity, and what it would say instead (`docs/ecoextract-behaviour.md#schema-look-up`).

    Without a path given it looks from the folder the process stands in, never from the database's, and falls back to
    its own default.
    """
    if given is not None and not given.exists():
        return None, f"Could not load schema for severity classification: Specified file not found: {given}"
    found = given or next((path for path in (folder / name for name in _LOOKED_FOR[:2]) if path.exists()), None)
    if found is None:
        return default_schema(), ""
    try:
        return read_schema(found), ""
    except InputError as fault:
        return None, f"Could not load schema for severity classification: {fault}"


_LOOKED_FOR = ("ecoextract/schema.json", "ecoextract_schema.json", "schema.json")


def review_schema(given: Path | None, database: Path, columns: tuple[str, ...]) -> RecordSchema | None:
    """The schema values are typed by: the one given, else one beside the database or in the current folder that fits its columns.

    EcoExtract's default schema counts where the columns are its own. None where nothing fits: then nothing can be edited.

    Raises:
        InputError: the schema given, or one that was found, cannot be read, or the one given declares none of the columns.
    """
    if given is not None:
        schema = read_schema(given)
        if not set(schema.names) & set(columns):
            raise InputError("the schema declares none of the database's fields", where=given, hint=f"its fields are {', '.join(columns)}")
        return schema
    for folder in (database.resolve().parent, Path.cwd()):
        for path in (folder / name for name in _LOOKED_FOR):
            if path.exists():
                schema = read_schema(path)
                if set(columns) & set(schema.names) and set(schema.names) <= set(columns):
                    return schema
    default = default_schema()
    return default if set(default.names) <= set(columns) else None
