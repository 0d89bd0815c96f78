"""What a record is: its fields, how each is scored, and which of them is the matching key (`1-tables`, Material)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, get_args

from scoring.files import read_bytes
from scoring.problems import InputError

_LIMIT: Final = 4 * 1024 * 1024
Method = Literal["name", "text", "date", "place", "flag", "count"]
Blank = Literal["unscorable", "wrong"]

# The register's own names take the register's methods where there is no schema.
REGISTER_METHODS: dict[str, tuple[Method, Blank]] = {
    "name": ("name", "unscorable"),
    "title": ("text", "wrong"),
    "arrival_date": ("date", "unscorable"),
    "departure_date": ("date", "unscorable"),
    "place_of_stay": ("place", "unscorable"),
    "place_of_origin": ("place", "unscorable"),
    "with_spouse": ("flag", "unscorable"),
    "with_siblings": ("flag", "unscorable"),
    "children_count": ("count", "unscorable"),
}


@dataclass(frozen=True, slots=True)
class Field:
    """A field: how its value is scored, and what a blank ground truth means for it."""

    name: str
    method: Method = "text"
    blank: Blank = "unscorable"


@dataclass(frozen=True, slots=True)
class RecordName:
    """Words for a row of the data, singular and plural, as `x-record` gives them."""

    one: str = "record"
    many: str = "records"


@dataclass(frozen=True, slots=True)
class Schema:
    """The fields of a record.

    Attributes:
        fields: in order.
        key: names of the fields whose join (one space) is the matching key.
        record: words for a row.
        aliases: key of an answer -> field, from `x-aliases`.
    """

    fields: tuple[Field, ...]
    key: tuple[str, ...]
    record: RecordName = RecordName()
    aliases: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)

    @property
    def scored(self) -> tuple[Field, ...]:
        """The fields scored as values: all but those of the key, which is measured as a name."""
        return tuple(field for field in self.fields if field.name not in self.key)

    @property
    def rule_field(self) -> str:
        """The field whose rules apply to the key: the key field itself, `name` for a joined key."""
        return self.key[0] if len(self.key) == 1 else "name"

    def key_text(self, values: Mapping[str, str]) -> str:
        """The text a record is matched by, as it stands in the record."""
        return " ".join(text for text in (values.get(name, "") for name in self.key) if text)


def default_schema(header: Sequence[str]) -> Schema:
    """The schema of ground truth without one: the register's names take its methods, the first column is the key."""
    fields = tuple(Field(name, *REGISTER_METHODS.get(name, ("text", "unscorable"))) for name in header)
    if fields and fields[0].method == "text":
        fields = (Field(fields[0].name, "name"), *fields[1:])
    return Schema(fields, (fields[0].name,) if fields else ())


def read_schema(path: Path) -> Schema:
    """Read `gt/schema.json`: JSON Schema, flat or in the EcoExtract nesting `properties.records.items`.

    Raises:
        InputError: not JSON, no properties, an unknown `x-method` or `x-blank`, or no key to be found.
    """
    content = read_bytes(path, limit=_LIMIT)
    try:
        document = json.loads(content.decode("utf-8-sig"), object_pairs_hook=_object)
    except (ValueError, RecursionError) as fault:
        line = getattr(fault, "lineno", None)
        raise InputError(
            f"the schema is not readable JSON ({fault})", where=path, line=line, hint="mend it, or remove it to use the GT header"
        ) from fault
    return schema_of(document, path)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON; a name given twice would silently lose the first."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"{twice!r} is given twice")
    return found


def schema_of(document: object, where: object) -> Schema:
    """The schema that a parsed JSON Schema declares. Errors as `read_schema`."""
    body = document
    properties = body.get("properties") if isinstance(body, dict) else None
    nested = properties.get("records") if isinstance(properties, dict) else None
    if isinstance(nested, dict) and isinstance(nested.get("items"), dict):
        body = nested["items"]
    if not isinstance(body, dict) or not isinstance(body.get("properties"), dict) or not body["properties"]:
        raise InputError("the schema declares no fields", where=where, hint="give `properties`, or `properties.records.items.properties`")
    fields: list[Field] = []
    marked: list[str] = []
    for name, declared in body["properties"].items():
        declared = declared if isinstance(declared, dict) else {}
        method: Any = declared.get("x-method")
        blank: Any = declared.get("x-blank", "unscorable")
        if method is None:
            method = "name" if declared.get("x-key") else "text"
        for value, allowed, word in ((method, get_args(Method), "x-method"), (blank, get_args(Blank), "x-blank")):
            if value not in allowed:
                raise InputError(f"field {name!r} has {word} {value!r}", where=where, hint=f"use one of {', '.join(allowed)}")
        if not isinstance(declared.get("x-key", False), bool):
            raise InputError(f"field {name!r} has x-key {declared['x-key']!r}", where=where, hint="write true or false")
        fields.append(Field(name, method, blank))
        if declared.get("x-key"):
            marked.append(name)
    unique = body.get("x-unique-fields", [])
    if not isinstance(unique, list) or not all(isinstance(name, str) for name in unique):
        raise InputError(f"x-unique-fields must be a list of field names, not {unique!r}", where=where)
    if len(marked) > 1:
        raise InputError(
            f"fields {', '.join(marked)} are all marked x-key", where=where, hint="mark one, or list them in `x-unique-fields`"
        )
    key = tuple(marked) or tuple(dict.fromkeys(unique))
    missing = [name for name in key if name not in body["properties"]]
    if missing:
        raise InputError(f"x-unique-fields names {missing[0]!r}, which is no field", where=where, hint="name fields under `properties`")
    if not key:
        named = [field.name for field in fields if field.method == "name"]
        key = (named[0],) if named else (fields[0].name,)
    return Schema(tuple(fields), key, _record_name(body, document, where), _aliases(body, document, where))


def _record_name(body: Mapping[str, Any], document: object, where: object) -> RecordName:
    """Read `x-record`, from the record's own schema or the document around it."""
    given = _extension("x-record", body, document)
    if given is None:
        return RecordName()
    words = [given.get(word) for word in ("one", "many")] if isinstance(given, dict) else []
    if len(words) != 2 or not all(isinstance(word, str) and word.strip() for word in words):
        raise InputError(f"x-record is {given!r}", where=where, hint='write {"one": "letter", "many": "letters"}')
    return RecordName(*(str(word).strip() for word in words))


def _aliases(body: Mapping[str, Any], document: object, where: object) -> dict[str, str]:
    """Read `x-aliases`: keys of answers, each with the field it means."""
    given = _extension("x-aliases", body, document)
    if given is None:
        return {}
    if not isinstance(given, dict) or not all(isinstance(name, str) for name in given.values()):
        raise InputError(f"x-aliases is {given!r}", where=where, hint='write {"nome": "name"}: a key of the answers, then the field')
    missing = next((name for name in given.values() if name not in body["properties"]), None)
    if missing is not None:
        raise InputError(f"x-aliases names {missing!r}, which is no field", where=where, hint="name fields under `properties`")
    return dict(given)


def _extension(name: str, body: Mapping[str, Any], document: object) -> Any:
    """The value of an extension key in the record's schema, else in the document; None where it is absent."""
    return body.get(name, document.get(name) if isinstance(document, dict) else None)
