"""What moved: two scorings of a campaign, or two rounds of it, laid side by side (`docs/campaign.md#rounds-and-snapshots`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from scoring.foundations.problems import InputError
from scoring.relations.inputs.material import Material
from scoring.relations.measures.evaluation import Scores
from scoring.relations.measures.rankings import RankingTable

SNAPSHOT_SCHEMA = 1

RankKey = tuple[str, str, str]
"""Table file, team (and submission where the table has one), run."""


@dataclass(frozen=True, slots=True)
class RankMove:
    """A row of a table before and after; None where it is only on one side."""

    table: str
    team: str
    run: str
    rank_before: int | None
    rank_after: int | None
    score_before: float | None
    score_after: float | None

    @property
    def moved(self) -> bool:
        """Whether rank or score is another."""
        return self.rank_before != self.rank_after or self.score_before != self.score_after


@dataclass(frozen=True, slots=True)
class GoldMove:
    """A gold label before and after; None where the pair is only on one side."""

    reference: str
    document_id: str
    pers_entity_id: str
    loc_entity_id: str
    relation: str
    before: str | None
    after: str | None


def snapshot(material: Material, scores: Scores, official: Sequence[RankingTable], *, name: str, made: str) -> dict[str, Any]:
    """A round as plain values: what each file was (by hash), every score, every rank, every gold label."""
    import hashlib

    def digest(lines: Sequence[str]) -> str:
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogatepass")).hexdigest()

    references = {}
    for reference in material.references.values():
        status = material.settings.status(reference.stem)
        labels = scores.gold.get(reference.stem, reference.gold)
        references[reference.stem] = {
            "sha256": digest(reference.file.lines),
            "status": status.status,
            "version": status.version,
            "labels": [
                [pair.document_id, pair.pers, pair.loc, labels["at"][position], labels["isAt"][position]]
                for position, pair in enumerate(reference.pairs)
            ],
        }
    return {
        "schema": SNAPSHOT_SCHEMA,
        "name": name,
        "made": made,
        "mode": scores.mode,
        "references": references,
        "submissions": {
            run.submission.path.name: {"sha256": digest(run.submission.file.lines), "scores": dict(run.official.scores)}
            for run in scores.runs
        },
        "failed": dict(scores.failed),
        "tables": {table.file: [_plain_row(row) for row in table.rows] for table in official},
    }


def _plain_row(row: Mapping[str, Any]) -> dict[str, Any]:
    score = next((row[column] for column in ("score", "balanced_efficiency_score", "efficiency_score") if column in row), None)
    return {"team": row["team"], "run": row["run"], "submission": row.get("submission", ""), "rank": row["rank"], "score": score}


class _Gold(msgspec.Struct):
    sha256: str
    status: str
    version: str
    labels: list[tuple[str, str, str, str, str]]


class _Submission(msgspec.Struct):
    sha256: str
    scores: dict[str, float | None]


class _Row(msgspec.Struct):
    team: str
    run: str
    submission: str
    rank: int
    score: float | int | None


class _Snapshot(msgspec.Struct):
    schema: int
    name: str
    made: str
    mode: str
    references: dict[str, _Gold]
    submissions: dict[str, _Submission]
    tables: dict[str, list[_Row]]


def checked_snapshot(value: Any, where: object) -> dict[str, Any]:
    """A snapshot read back.

    Raises:
        InputError: not a snapshot, or of a later form.
    """
    schema = value.get("schema") if isinstance(value, dict) else None
    if isinstance(schema, int) and schema > SNAPSHOT_SCHEMA:
        raise InputError(f"this round is kept in form {schema}, which is newer than this program", where=where)
    try:
        msgspec.convert(value, _Snapshot)
    except msgspec.ValidationError as fault:
        raise InputError(f"this is not a round that was kept ({fault})", where=where) from fault
    assert isinstance(value, dict)
    return value


def table_moves(before: Mapping[str, Sequence[Mapping[str, Any]]], after: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[RankMove]:
    """Every row that moved, table by table in the order of the new ranks; rows that left come last."""
    found: list[RankMove] = []
    for file in sorted({*before, *after}):
        old = {(row["team"], row["run"], row["submission"]): row for row in before.get(file, ())}
        new = {(row["team"], row["run"], row["submission"]): row for row in after.get(file, ())}
        for key in [*new, *(key for key in old if key not in new)]:
            was, now = old.get(key), new.get(key)
            move = RankMove(
                file,
                key[0],
                key[1],
                was["rank"] if was else None,
                now["rank"] if now else None,
                was["score"] if was else None,
                now["score"] if now else None,
            )
            if move.moved:
                found.append(move)
    return found


def rows_of(tables: Sequence[RankingTable]) -> dict[str, list[dict[str, Any]]]:
    """Tables as a snapshot holds them."""
    return {table.file: [_plain_row(row) for row in table.rows] for table in tables}


def gold_moves(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[GoldMove]:
    """Every gold label that differs between two snapshots, in gold order."""
    found = []
    for stem in sorted({*before["references"], *after["references"]}):
        old, new = _labels(before, stem), _labels(after, stem)
        for key in [*new, *(key for key in old if key not in new)]:
            was, now = old.get(key, (None, None)), new.get(key, (None, None))
            for relation, label_before, label_after in zip(("at", "isAt"), was, now, strict=True):
                if label_before != label_after:
                    found.append(GoldMove(stem, *key, relation, label_before, label_after))
    return found


def _labels(held: Mapping[str, Any], stem: str) -> dict[tuple[str, str, str], tuple[str | None, str | None]]:
    rows = held["references"].get(stem, {}).get("labels", ())
    return {(document, pers, loc): (at, is_at) for document, pers, loc, at, is_at in rows}


@dataclass(frozen=True, slots=True)
class FileMoves:
    """Submissions by name: new in the second round, gone from it, with other content."""

    added: tuple[str, ...]
    gone: tuple[str, ...]
    changed: tuple[str, ...]


def file_moves(before: Mapping[str, Any], after: Mapping[str, Any]) -> FileMoves:
    """What became of the submissions between two snapshots."""
    old, new = before["submissions"], after["submissions"]
    return FileMoves(
        tuple(sorted(new.keys() - old.keys())),
        tuple(sorted(old.keys() - new.keys())),
        tuple(sorted(name for name in old.keys() & new.keys() if old[name]["sha256"] != new[name]["sha256"])),
    )
