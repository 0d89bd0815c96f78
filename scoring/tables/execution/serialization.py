"""Page scores as bytes and back: what was worked out in another process, or an earlier sitting, need not be worked out again.

Only what is dear is packed: which rows pair, what their names measure, what the fields score, what the surplus rows look like.
Everything counted from that is counted anew, so that `unpacked` gives back exactly what `score_page` gave.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from scoring.tables.execution.page_score import AlignedPair, PageScore, SurplusRow, assembled
from scoring.tables.inputs.rows_and_runs import RunPage
from scoring.tables.matching.normalized import PreparedMaterial
from scoring.tables.matching.similarity import Measure, Similarity, similarity_of
from scoring.tables.measures.counts import FieldCounts
from scoring.tables.measures.surplus_labels import Suggestion
from scoring.workspace.provenance import engine_fingerprint

Digest = bytes
_Measured = tuple[int, bytes, float, float, float, int, bytes | None, float]
_Label = tuple[int, str | None, tuple[int, ...], int | None, float | None]
_Field = tuple[int, int, int | float, int]


class PackedPage(msgspec.Struct, array_like=True, frozen=True):
    """One page score. `pairs` holds four numbers a pair: GT row, model row, reading, measure, each counted from 0."""

    digest: Digest
    pairs: tuple[int, ...]
    surplus: tuple[_Label, ...]
    fields: tuple[_Field, ...]


class Chunk(msgspec.Struct, array_like=True, frozen=True):
    """Page scores of one page of ground truth, with what its names measure against the texts met, each once."""

    engine: str
    measures: tuple[_Measured, ...]
    pages: tuple[PackedPage, ...]


def write_chunk(chunk: Chunk) -> bytes:
    """A chunk as MessagePack."""
    return msgspec.msgpack.encode(chunk)


def read_chunk(content: bytes | msgspec.Raw) -> Chunk:
    """The chunk that `write_chunk` wrote.

    Raises:
        msgspec.DecodeError: it is none.
    """
    return msgspec.msgpack.decode(content, type=Chunk)


def digest_of(answer: RunPage) -> Digest:
    """16 bytes over what the score of a page depends on, beside ground truth, rules, settings and engine: its values in their order."""
    values = json.dumps([answer.status, [list(row.values.items()) for row in answer.rows]], ensure_ascii=False)
    return hashlib.blake2b(values.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def packed(prepared: PreparedMaterial, page: str, scores: Iterable[PageScore]) -> Chunk:
    """Page scores of one page of ground truth, without decisions. Failed and missing pages have nothing to pack and are left out."""
    forms = prepared.pages[page].forms
    numbers: dict[tuple[str, str], int] = {}
    measures: list[_Measured] = []
    pages = []
    for score in scores:
        if score.counts is None:
            continue
        answer = prepared.run_page(score.run, page)
        pairs: list[int] = []
        for pair in score.pairs:
            found = pair.similarity
            key = (forms[pair.gt], found.reading.text)
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(measures)
                measures.append(_measured(pair.gt, found))
            kept = answer.models[pair.model].readings
            pairs += (pair.gt, pair.model, 0 if len(kept) == 1 else kept.index(found.reading), number)
        pages.append(
            PackedPage(
                digest_of(answer.page),
                tuple(pairs),
                tuple(_label(row) for row in score.surplus),
                tuple((field.scored, field.unscorable, field.points, field.no_path) for field in score.fields),
            )
        )
    return Chunk(engine_fingerprint(), tuple(measures), tuple(pages))


def unpacked(prepared: PreparedMaterial, page: str, chunk: Chunk, runs: Mapping[Digest, Sequence[str]]) -> Iterator[PageScore]:
    """The page scores of a chunk for the runs whose page of that digest it is. A run whose page is not in the chunk gets none."""
    gt = prepared.pages[page]
    gate = prepared.material.settings.gate
    measures: list[Measure] = []
    for at, text, value, by_blocks, by_tokens, edits, resolved, literal in chunk.measures:
        found = Measure(value, by_blocks, by_tokens, edits, None if resolved is None else _text(resolved), literal)
        measures.append(gt.pairer.learned(at, _text(text), found))
    similarities: dict[tuple[int, int], Similarity] = {}
    for packed_page in chunk.pages:
        numbers = packed_page.pairs
        surplus = tuple(_surplus(*label) for label in packed_page.surplus)
        fields = tuple(FieldCounts(*field) for field in packed_page.fields)
        for run in runs.get(packed_page.digest, ()):
            answer = prepared.run_page(run, page)
            pairs = []
            for at in range(0, len(numbers), 4):
                row, model, which, number = numbers[at : at + 4]
                reading = answer.models[model].readings[which]
                # The same reading is the same object wherever it is met on a page, and stays while the page does.
                known = similarities.get((number, id(reading)))
                if known is None:
                    known = similarities[number, id(reading)] = similarity_of(measures[number], reading)
                pairs.append(AlignedPair(row, model, known, known.value >= gate))
            yield assembled(gt, answer, tuple(pairs), surplus, fields)


def _measured(gt: int, found: Similarity) -> _Measured:
    resolved = None if found.resolved is None else _bytes(found.resolved)
    return gt, _bytes(found.reading.text), found.value, found.ratio, found.overlap, found.edits, resolved, found.literal


def _label(row: SurplusRow) -> _Label:
    suggestion = row.suggestion
    if suggestion is None:
        return row.row, None, (), None, None
    return row.row, suggestion.label, suggestion.gt, suggestion.model, suggestion.similarity


def _surplus(row: int, label: str | None, gt: tuple[int, ...], model: int | None, similarity: float | None) -> SurplusRow:
    if label is None:
        return SurplusRow(row, None, None)
    return SurplusRow(row, label, Suggestion(label, gt, model, similarity))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogatepass")
