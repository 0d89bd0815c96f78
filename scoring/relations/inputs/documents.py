"""The JSONL files of a campaign, read: lines, documents, pairs, and every violation (`docs/hipe-behaviour.md#documents-and-validation`).

A sound line is decoded once, straight into typed records, which is as strict as the JSON Schema and a
thousand times faster than it. A line that fails is parsed again by the standard parser and the schema is asked
for every violation; so the schema alone says what is wrong, and only unsound lines pay for it.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec

from scoring.foundations.problems import InputError

SCHEMA_FILE = "hipe-2026-data.schema.json"
BOM = "\ufeff"


class Media(msgspec.Struct, gc=False):
    """Where a document was published."""

    publication_title: str
    time_period: str
    source_type: str


class PairRecord(msgspec.Struct, gc=False):
    """A person-place pair of a document as a submission holds it; labels may be null, their keys must be there."""

    pers_entity_id: str
    pers_wikidata_QID: str | None  # noqa: N815 - the format's own word
    pers_mentions_list: list[str]
    loc_entity_id: str
    loc_wikidata_QID: str | None  # noqa: N815
    loc_mentions_list: list[str]
    at: Literal["TRUE", "FALSE", "PROBABLE"] | None
    isAt: Literal["TRUE", "FALSE"] | None  # noqa: N815
    at_explanation: str | None = None
    isAt_explanation: str | None = None  # noqa: N815


class DocumentRecord(msgspec.Struct, gc=False):
    """A document of a submission."""

    document_id: str
    source: str
    media: Media
    date: str | None
    language: str
    text: str
    sampled_pairs: list[PairRecord]


_DECODER = msgspec.json.Decoder(DocumentRecord)


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing wrong with a line: the document and pair it is in, as far as they can be told, the path, and the value."""

    message: str
    path: str = ""
    document_id: str | None = None
    pair: int | None = None
    pair_ids: tuple[str, str] | None = None
    value: str = ""

    def __str__(self) -> str:
        parts = []
        if self.document_id is not None:
            parts.append(f"document {self.document_id!r}")
        if self.pair is not None:
            ids = f" ({self.pair_ids[0]} / {self.pair_ids[1]})" if self.pair_ids else ""
            parts.append(f"pair {self.pair}{ids}")
        if self.path:
            parts.append(self.path)
        return f"{', '.join(parts)}: {self.message}" if parts else self.message


@dataclass(frozen=True, slots=True)
class LineFault:
    """A line that is not a sound document. `official` is the one sentence the official validator prints of it."""

    line: int
    official: str
    violations: tuple[Violation, ...]
    not_json: bool = False


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A JSONL file read. `records` are the sound documents with their line numbers; `lines` its text, line by line.

    `unreadable` says why nothing could be read at all (not UTF-8, cannot be opened).
    """

    path: Path
    lines: tuple[str, ...]
    records: tuple[tuple[int, DocumentRecord], ...]
    faults: tuple[LineFault, ...] = ()
    unreadable: str = ""
    had_bom: bool = False

    @property
    def sound(self) -> bool:
        return not self.faults and not self.unreadable


@lru_cache(maxsize=1)
def schema() -> Mapping[str, Any]:
    """The JSON Schema of a document, as it ships with the product."""
    loaded = json.loads(files(__package__).joinpath(SCHEMA_FILE).read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


@lru_cache(maxsize=1)
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema())


def numbered(lines: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, blank ones left out but counted."""
    return ((number, line) for number, line in enumerate(lines, start=1) if not line.isspace())


def split_lines(text: str) -> tuple[str, ...]:
    r"""Lines end at `\n`, `\r\n` or `\r` alone, never at U+2028 or the like; each keeps its end as `\n`."""
    return tuple(io.StringIO(text, newline=None))


def read_documents(path: Path, *, accept_bom: bool = False) -> DocumentFile:
    """Read one JSONL file. Nothing is raised for what is in it: faults are in the value returned."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        return DocumentFile(path, (), (), unreadable=f"the file cannot be read ({fault.strerror})")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        at = data.count(b"\n", 0, fault.start) + 1
        wrong = data[fault.start : fault.start + 1].hex()
        return DocumentFile(path, (), (), unreadable=f"not UTF-8: byte 0x{wrong} at offset {fault.start} (line {at})")
    had_bom = text.startswith(BOM)
    if had_bom and accept_bom:
        text = text[1:]
    lines = split_lines(text)
    records: list[tuple[int, DocumentRecord]] = []
    faults: list[LineFault] = []
    for number, line in numbered(lines):
        record = sound_record(line)
        if record is None:
            wrong_line = line_fault(number, line)
            if wrong_line is None:
                record = _lenient(line)
            else:
                faults.append(wrong_line)
                continue
        records.append((number, record))
    return DocumentFile(path, lines, tuple(records), tuple(faults), had_bom=had_bom)


def sound_record(line: str) -> DocumentRecord | None:
    """The document of a line, or None where the strict decoder refuses it (which then asks for a closer look)."""
    try:
        record = _DECODER.decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        return None
    for pair in record.sampled_pairs:
        for mentions in (pair.pers_mentions_list, pair.loc_mentions_list):
            if len(mentions) > 1 and len(set(mentions)) != len(mentions):
                return None
    return record


def line_fault(number: int, line: str) -> LineFault | None:
    """What is wrong with a line, by the standard parser and the schema; None when nothing is."""
    from jsonschema.exceptions import best_match

    try:
        value = json.loads(line)
    except json.JSONDecodeError as fault:
        message = f"Invalid JSON - {fault}"
        return LineFault(number, message, (Violation(message),), not_json=True)
    except (RecursionError, ValueError) as fault:
        return LineFault(number, str(fault), (Violation(str(fault)),), not_json=True)
    errors = list(_validator().iter_errors(value))
    if not errors:
        return None
    best = best_match(iter(errors))
    return LineFault(number, best.message, tuple(_violation(value, error) for error in errors))


def _violation(document: object, error: Any) -> Violation:
    path = list(error.absolute_path)
    document_id = document.get("document_id") if isinstance(document, dict) else None
    pair, ids = None, None
    if len(path) >= 2 and path[0] == "sampled_pairs" and isinstance(path[1], int):
        pair = path[1] + 1
        held = document["sampled_pairs"][path[1]] if isinstance(document, dict) else None
        if isinstance(held, dict):
            ids = (str(held.get("pers_entity_id", "?")), str(held.get("loc_entity_id", "?")))
        path = path[2:]
    value = _short(error.instance)
    return Violation(
        _sentence(error, value),
        ".".join(str(part) for part in path),
        document_id if isinstance(document_id, str) else None,
        pair,
        ids,
        value,
    )


def _sentence(error: Any, value: str) -> str:
    """A violation said with the value that is there and what may be there."""
    if error.validator == "enum":
        legal = ", ".join("null" if label is None else str(label) for label in error.validator_value)
        return f"{value} is not a label; the legal ones are {legal}"
    if error.validator == "required":
        return str(error.message).replace(" is a required property", " is missing")
    if error.validator == "uniqueItems":
        return f"{value} names one mention twice"
    if error.validator == "anyOf":
        return f"{value} is neither a text nor null"
    return str(error.message) if len(error.message) <= 200 else f"{value} is not of the type {error.validator_value}"


def _short(value: object, limit: int = 80) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


# The official diagnostics read more forgivingly than the schema: any object with a text id and legal labels will do.


def lenient_records(file: DocumentFile) -> tuple[DocumentRecord, ...]:
    """The documents of a file by the official diagnostics' own, forgiving rule (`docs/hipe-behaviour.md#diagnostics`).

    Raises:
        InputError: not JSON, not an object, no text id, or a label outside the list; the sentence is the official one.
    """
    if file.unreadable:
        raise InputError(file.unreadable)
    if file.sound:
        return tuple(record for _, record in file.records)
    return tuple(_lenient(line.strip(), file.path, number) for number, line in numbered(file.lines))


def _lenient(line: str, path: Path | None = None, number: int = 0) -> DocumentRecord:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise LenientReadingError(f"Invalid JSON in {path} on line {number}: {fault}") from fault
    if not isinstance(value, dict):
        raise LenientReadingError(f"{path} line {number} must contain a JSON object.")
    document_id = value.get("document_id")
    if not isinstance(document_id, str):
        raise LenientReadingError(f"{path} line {number} has no string document_id.")
    pairs = value.get("sampled_pairs")
    return DocumentRecord(
        document_id,
        str(value.get("source", "")),
        Media("", "", ""),
        value.get("date"),
        str(value.get("language", "")),
        str(value.get("text", "")),
        [_lenient_pair(pair) for pair in pairs if isinstance(pair, dict)] if isinstance(pairs, list) else [],
    )


def _lenient_pair(pair: Mapping[str, Any]) -> PairRecord:
    for target, legal in (("at", ("TRUE", "FALSE", "PROBABLE", None)), ("isAt", ("TRUE", "FALSE", None))):
        label = pair.get(target)
        if not (label is None or isinstance(label, str)) or label not in legal:
            raise LenientReadingError(f"Unexpected prediction label for {target}: {label!r}")
    return PairRecord(
        str(pair.get("pers_entity_id")),
        pair.get("pers_wikidata_QID"),
        pair.get("pers_mentions_list") or [],
        str(pair.get("loc_entity_id")),
        pair.get("loc_wikidata_QID"),
        pair.get("loc_mentions_list") or [],
        pair.get("at"),
        pair.get("isAt"),
        pair.get("at_explanation"),
        pair.get("isAt_explanation"),
    )


class LenientReadingError(InputError):
    """A fault in the official diagnostics' words, its full stop as they have it."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
