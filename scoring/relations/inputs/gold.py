"""The gold of a reference and a run's labels laid beside it (`docs/hipe-behaviour.md#loading-and-imputation`).

Both keys the campaign uses are kept apart here: the official scorer's, person and location glued together
(`docs/hipe-behaviour.md#bug-5`), and the honest one of two parts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.relations.inputs.documents import DocumentFile, DocumentRecord, PairRecord, numbered
from scoring.relations.inputs.file_names import ReferenceName

PairKey = tuple[str, str]

ANSWERED, PAIR_MISSING, DOCUMENT_MISSING = 0, 1, 2


@dataclass(frozen=True, slots=True)
class GoldPair:
    """A pair of the gold: where it stands (document by position, pair number from 1), its ids, mentions and labels (null is FALSE)."""

    document: int
    document_id: str
    number: int
    pers: str
    loc: str
    pers_qid: str | None
    loc_qid: str | None
    pers_mentions: tuple[str, ...]
    loc_mentions: tuple[str, ...]
    at: str
    isAt: str  # noqa: N815 - the format's own word

    @property
    def key(self) -> PairKey:
        return (self.pers, self.loc)

    def label(self, target: str) -> str:
        return self.at if target == "at" else self.isAt


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference file: its documents as they stand, its pairs in order, and which of them are counted.

    `official` are positions in `pairs` the official scorer counts (the last document of an id, the last pair of a
    glued key); `counted` the same by the two-part key.
    """

    name: ReferenceName
    file: DocumentFile
    documents: tuple[Mapping[str, Any], ...]
    pairs: tuple[GoldPair, ...]
    official: tuple[int, ...]
    counted: tuple[int, ...]
    by_key: Mapping[tuple[str, str, str], int]

    @property
    def stem(self) -> str:
        return self.file.path.name.removesuffix(".jsonl")

    @property
    def gold(self) -> dict[str, list[str]]:
        """The gold labels of every pair, by target."""
        return {"at": [pair.at for pair in self.pairs], "isAt": [pair.isAt for pair in self.pairs]}


def build_reference(name: ReferenceName, file: DocumentFile) -> Reference:
    """Lay out the gold of a reference file. Lines that are not sound are left out (no run is scored against such a file)."""
    unsound = {fault.line for fault in file.faults}
    documents = [json.loads(line) for number, line in numbered(file.lines) if number not in unsound]
    pairs: list[GoldPair] = []
    for position, document in enumerate(documents):
        for number, pair in enumerate(document["sampled_pairs"], start=1):
            pairs.append(
                GoldPair(
                    position,
                    document["document_id"],
                    number,
                    pair["pers_entity_id"],
                    pair["loc_entity_id"],
                    pair["pers_wikidata_QID"],
                    pair["loc_wikidata_QID"],
                    tuple(pair["pers_mentions_list"]),
                    tuple(pair["loc_mentions_list"]),
                    pair["at"] or "FALSE",
                    pair["isAt"] or "FALSE",
                )
            )
    last = {document["document_id"]: position for position, document in enumerate(documents)}
    glued: dict[tuple[str, str], int] = {}
    keyed: dict[tuple[str, str, str], int] = {}
    for index, gold in enumerate(pairs):
        if last[gold.document_id] == gold.document:
            glued[(gold.document_id, gold.pers + gold.loc)] = index
            keyed[(gold.document_id, gold.pers, gold.loc)] = index
    return Reference(name, file, tuple(documents), tuple(pairs), tuple(sorted(glued.values())), tuple(sorted(keyed.values())), keyed)


@dataclass(frozen=True, slots=True)
class Counts:
    """What was supplied, ignored or doubled in a run, in documents and pairs (`docs/hipe-behaviour.md#bug-6`)."""

    missing_documents: int = 0
    missing_pairs: int = 0
    pairs_of_missing_documents: int = 0
    extra_documents: int = 0
    extra_pairs: int = 0
    duplicate_documents: int = 0
    duplicate_pairs: int = 0
    null_labels: int = 0
    other_texts: int = 0

    @property
    def imputed_pairs(self) -> int:
        """Pairs the run says nothing about, scored FALSE."""
        return self.missing_pairs + self.pairs_of_missing_documents


@dataclass(frozen=True, slots=True)
class AlignedLabels:
    """A run's labels laid beside the gold: per gold pair of the reference, in its order.

    `labels` by the two-part key and `official_labels` by the glued one (the same lists where no ids collide), null
    and absent as FALSE; `explanations` None where there is none; `state` says what was supplied for the run.
    """

    labels: Mapping[str, Sequence[str]]
    official_labels: Mapping[str, Sequence[str]]
    explanations: Mapping[str, Sequence[str | None]]
    state: Sequence[int]
    counts: Counts


def align(reference: Reference, records: Sequence[DocumentRecord]) -> AlignedLabels:
    """Lay a run's documents beside the gold: the last document of an id and the last pair of a key win, what lacks is FALSE."""
    by_id: dict[str, DocumentRecord] = {}
    duplicate_documents = duplicate_pairs = nulls = 0
    for record in records:
        if record.document_id in by_id:
            duplicate_documents += 1
        by_id[record.document_id] = record
    keyed: dict[str, dict[PairKey, PairRecord]] = {}
    glued: dict[str, dict[str, PairRecord]] = {}
    for document_id, record in by_id.items():
        pairs = {(pair.pers_entity_id, pair.loc_entity_id): pair for pair in record.sampled_pairs}
        keyed[document_id] = pairs
        glued[document_id] = {pair.pers_entity_id + pair.loc_entity_id: pair for pair in record.sampled_pairs}
        duplicate_pairs += len(record.sampled_pairs) - len(pairs)
    at, is_at, official_at, official_is_at = [], [], [], []
    at_why: list[str | None] = []
    is_at_why: list[str | None] = []
    state = []
    for gold in reference.pairs:
        held = keyed.get(gold.document_id)
        pair = None if held is None else held.get(gold.key)
        if pair is None:
            state.append(DOCUMENT_MISSING if held is None else PAIR_MISSING)
            at.append("FALSE")
            is_at.append("FALSE")
            at_why.append(None)
            is_at_why.append(None)
        else:
            state.append(ANSWERED)
            nulls += (pair.at is None) + (pair.isAt is None)
            at.append(pair.at or "FALSE")
            is_at.append(pair.isAt or "FALSE")
            at_why.append(pair.at_explanation)
            is_at_why.append(pair.isAt_explanation)
        other = None if held is None else glued[gold.document_id].get(gold.pers + gold.loc)
        official_at.append("FALSE" if other is None else other.at or "FALSE")
        official_is_at.append("FALSE" if other is None else other.isAt or "FALSE")
    gold_keys = {(pair.document_id, pair.pers, pair.loc) for pair in reference.pairs}
    gold_ids = {document["document_id"]: document["text"] for document in reference.documents}
    counted = [state[index] for index in reference.counted]
    return AlignedLabels(
        {"at": at, "isAt": is_at},
        {"at": official_at, "isAt": official_is_at},
        {"at": at_why, "isAt": is_at_why},
        state,
        Counts(
            missing_documents=sum(document_id not in by_id for document_id in gold_ids),
            missing_pairs=counted.count(PAIR_MISSING),
            pairs_of_missing_documents=counted.count(DOCUMENT_MISSING),
            extra_documents=sum(document_id not in gold_ids for document_id in by_id),
            extra_pairs=sum(
                (document_id, *key) not in gold_keys for document_id, pairs in keyed.items() if document_id in gold_ids for key in pairs
            ),
            duplicate_documents=duplicate_documents,
            duplicate_pairs=duplicate_pairs,
            null_labels=nulls,
            other_texts=sum(record.text != gold_ids[record.document_id] for record in by_id.values() if record.document_id in gold_ids),
        ),
    )


def official_warnings(reference: Reference, records: Sequence[DocumentRecord], file: str) -> list[str]:
    """What the official loader prints on standard error while it loads a run: duplicates overwritten, absences supplied."""
    lines: list[str] = []
    held: dict[str, set[str]] = {}
    for record in records:
        if record.document_id in held:
            lines.append(f"Warning: Duplicate document_id '{record.document_id}' from {file}. Overwriting.")
        seen: set[str] = set()
        for pair in record.sampled_pairs:
            key = pair.pers_entity_id + pair.loc_entity_id
            if key in seen:
                lines.append(f"Warning: Duplicate pair key '{key}' in document '{record.document_id}' from {file}. Overwriting.")
            seen.add(key)
        held[record.document_id] = seen
    documents = pairs = 0
    order = dict.fromkeys(document["document_id"] for document in reference.documents)
    keys: dict[str, list[str]] = {document_id: [] for document_id in order}
    for index in reference.official:
        keys[reference.pairs[index].document_id].append(reference.pairs[index].pers + reference.pairs[index].loc)
    for document_id in order:
        if document_id not in held:
            documents += 1
            lines.append(f"Info: Document '{document_id}' missing from submission. Adding with default predictions.")
            continue
        for key in keys[document_id]:
            if key not in held[document_id]:
                pairs += 1
                lines.append(f"Info: Pair '{key}' missing in document '{document_id}'. Adding with default predictions.")
    if documents or pairs:
        lines += [
            "",
            f"Summary: Imputed {documents} missing document(s) and {pairs} missing sampled_pair(s) with default FALSE predictions.",
            "",
        ]
    return lines
