"""What a record is: its fields, how each is scored, and which of them is the matching key (`docs/method.md#material`)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, get_args

from scoring.foundations.files import read_bytes
from scoring.foundations.problems import InputError
from scoring.texts.cells import clean_name
from scoring.texts.forms import visible
from scoring.texts.nested_paths import is_list

_LIMIT: Final = 4 * 1024 * 1024
_LONGEST_WORD: Final = 40
Method = Literal["name", "text", "date", "place", "flag", "count"]
Blank = Literal["unscorable", "wrong"]
Order = Literal["free", "kept"]

# How fields of these names are scored where no schema says otherwise.
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
    """A field: how its value is scored, and what a blank ground truth means for it.

    A name may be a path into nested records; through a list (`author[].family`) the value is a list, each entry of which
    is scored by the method. `order` tells whether entries must keep the order of the ground truth.
    """

    name: str
    method: Method = "text"
    blank: Blank = "unscorable"
    order: Order = "free"

    @property
    def is_list(self) -> bool:
        return is_list(self.name)

    @property
    def identity(self) -> list[str]:
        """What a fingerprint takes of the field."""
        return [self.name, self.method, self.blank, *(["kept"] if self.order == "kept" else [])]


@dataclass(frozen=True, slots=True)
class RecordName:
    """Words for a row of the data, singular and plural, as `x-record` gives them; safe to show, at most 40 characters each."""

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
    """Return the schema of ground truth without one: known names take their methods, the first column is the key.

    A column of lists is never the key, for a record is matched by one name.
    """
    names = tuple(dict.fromkeys(clean_name(name) for name in header))
    fields = [Field(name, *REGISTER_METHODS.get(name, ("text", "unscorable"))) for name in names]
    at = next((at for at, name in enumerate(names) if not is_list(name)), None)
    if at is None:
        return Schema(tuple(fields), ())
    if fields[at].method == "text":
        fields[at] = Field(names[at], "name")
    return Schema(tuple(fields), (names[at],))


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
    properties = {clean_name(name): declared if isinstance(declared, dict) else {} for name, declared in body["properties"].items()}
    fields = tuple(_field(name, declared, where) for name, declared in properties.items())
    marked = tuple(name for name, declared in properties.items() if declared.get("x-key"))
    key = _key(fields, marked, body.get("x-unique-fields", []), where)
    return Schema(fields, key, _record_name(body, document, where), _aliases(body, document, where))


def _field(name: str, declared: Mapping[str, Any], where: object) -> Field:
    """Read the declaration of one field."""
    method: Any = declared.get("x-method")
    blank: Any = declared.get("x-blank", "unscorable")
    order: Any = declared.get("x-order", "free")
    if method is None:
        method = "name" if declared.get("x-key") else "text"
    for value, values, word in ((method, Method, "x-method"), (blank, Blank, "x-blank"), (order, Order, "x-order")):
        if value not in get_args(values):
            raise InputError(f"field {name!r} has {word} {value!r}", where=where, hint=f"use one of {', '.join(get_args(values))}")
    if not isinstance(declared.get("x-key", False), bool):
        raise InputError(f"field {name!r} has x-key {declared['x-key']!r}", where=where, hint="write true or false")
    if "x-order" in declared and not is_list(name):
        raise InputError(
            f"field {name!r} has x-order and is no list", where=where, hint="mark the list in its path with `[]`, as `author[].family`"
        )
    return Field(name, method, blank, order)


def _key(fields: Sequence[Field], marked: tuple[str, ...], unique: Any, where: object) -> tuple[str, ...]:
    """Return the names of the fields a record is matched by: the marked one, else `x-unique-fields`, else the first name."""
    if not isinstance(unique, list) or not all(isinstance(name, str) for name in unique):
        raise InputError(f"x-unique-fields must be a list of field names, not {unique!r}", where=where)
    if len(marked) > 1:
        raise InputError(
            f"fields {', '.join(marked)} are all marked x-key", where=where, hint="mark one, or list them in `x-unique-fields`"
        )
    key = marked or tuple(dict.fromkeys(map(clean_name, unique)))
    missing = set(key) - {field.name for field in fields}
    if missing:
        raise InputError(f"x-unique-fields names {min(missing)!r}, which is no field", where=where, hint="name fields under `properties`")
    if not key:
        single = [field for field in fields if not field.is_list]
        key = tuple(field.name for field in [*(field for field in single if field.method == "name"), *single][:1])
    if not key or any(map(is_list, key)):
        which = next(map(repr, filter(is_list, key)), "every field")
        raise InputError(f"{which} is a list, and a record is matched by one name", where=where, hint="mark another field with x-key")
    return key


def _record_name(body: Mapping[str, Any], document: object, where: object) -> RecordName:
    """Read `x-record`, from the record's own schema or the document around it."""
    given = _extension("x-record", body, document)
    if given is None:
        return RecordName()
    words = [given.get(word) for word in ("one", "many")] if isinstance(given, dict) else []
    if len(words) != 2 or not all(isinstance(word, str) and word.strip() for word in words):
        raise InputError(f"x-record is {given!r}", where=where, hint='write {"one": "letter", "many": "letters"}')
    shown = [visible(" ".join(str(word).split())) for word in words]
    if any(len(word) > _LONGEST_WORD for word in shown):
        raise InputError(f"a word of x-record is longer than {_LONGEST_WORD} characters", where=where, hint="name a row in a word or two")
    return RecordName(*shown)


def _aliases(body: Mapping[str, Any], document: object, where: object) -> dict[str, str]:
    """Read `x-aliases`: keys of answers, each with the field it means."""
    given = _extension("x-aliases", body, document)
    if given is None:
        return {}
    if not isinstance(given, dict) or not all(isinstance(name, str) for name in given.values()):
        raise InputError(f"x-aliases is {given!r}", where=where, hint='write {"nome": "name"}: a key of the answers, then the field')
    names = set(map(clean_name, body["properties"]))
    missing = next((name for name in given.values() if clean_name(name) not in names), None)
    if missing is not None:
        raise InputError(f"x-aliases names {missing!r}, which is no field", where=where, hint="name fields under `properties`")
    return {key: clean_name(name) for key, name in given.items()}


def _extension(name: str, body: Mapping[str, Any], document: object) -> Any:
    """The value of an extension key in the record's schema, else in the document; None where it is absent."""
    return body.get(name, document.get(name) if isinstance(document, dict) else None)
