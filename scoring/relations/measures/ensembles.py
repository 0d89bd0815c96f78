"""Ensembles of the submitted runs (`docs/hipe-behaviour.md#ensembles`): plurality votes of three member sets a track."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.relations.inputs.file_names import ORGANISERS, Mode, labels_of
from scoring.relations.inputs.gold import AlignedLabels, Reference
from scoring.relations.measures.rankings import RankingTable, Row
from scoring.relations.measures.run_scores import Labels, confusion, in_mode
from scoring.relations.measures.votes import plurality, shares

TRACKS = ("impresso-test-de", "impresso-test-en", "impresso-test-fr", "surprise-test-fr")
GROUP_TABLE = {"impresso": "ranking-overall-test-a.tsv", "surprise": "ranking-generalization-test-b.tsv"}
SUMMARY_COLUMNS = (
    "ensemble", "track", "task", "macro_recall", "accuracy", "pct_TRUE", "pct_PROBABLE", "pct_FALSE", "num_runs", "num_pairs",
)  # fmt: skip

RunKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class EnsembleMembers:
    """The member sets of a group of tracks; None for a set that cannot be made (`why` says so)."""

    above_baseline: frozenset[RunKey] | None
    top: frozenset[RunKey]
    why: str = ""


def group_members(table: RankingTable | None, top: int = 5) -> EnsembleMembers:
    """The runs strictly above the baseline and the first `top` of a group's ranking, organisers' runs left out."""
    rows = list(table.rows) if table else []
    eligible = [row for row in rows if row["team"] not in ORGANISERS]
    first = frozenset(_key(row) for row in eligible[:top])
    baseline = next((_score(row) for row in rows if row["team"] == "baseline"), None)
    if baseline is None:
        return EnsembleMembers(None, first, f"no baseline in {table.file if table else 'the ranking'}, so there is no set above it")
    above = frozenset(_key(row) for row in eligible if (score := _score(row)) is not None and score > baseline)
    return EnsembleMembers(above, first)


def _key(row: Row) -> RunKey:
    return (row["team"], row["run"])


def _score(row: Row) -> float | None:
    return None if row["score"] in (None, "") else float(row["score"])


def track_ensembles(
    reference: Reference,
    targets: Sequence[str],
    runs: Mapping[RunKey, AlignedLabels],
    members: EnsembleMembers,
    mode: Mode,
    gold: Labels | None = None,
    top: int = 5,
) -> dict[str, Any]:
    """`<track>.ensemble.json`: for each member set, per relation, the votes on every pair and how good they are.

    `runs` are the track's runs without the organisers', by team and run.
    """
    sets: dict[str, list[RunKey]] = {"full": sorted(runs)}
    if members.above_baseline is not None:
        sets["above_baseline"] = [key for key in sorted(runs) if key in members.above_baseline]
    sets[f"top{top}"] = [key for key in sorted(runs) if key in members.top]
    truth = in_mode(gold or reference.gold, mode)
    said = {key: in_mode(run.labels, mode) for key, run in runs.items()}
    ensembles: dict[str, Any] = {}
    for name, keys in sets.items():
        if not keys:
            continue
        entry: dict[str, Any] = {"num_runs": len(keys), "pairs_count": len(reference.pairs)}
        for target in targets:
            entry[target] = _voted(reference, target, truth[target], [said[key][target] for key in keys], mode)
        ensembles[name] = entry
    return {"track": reference.name.cell, "ensembles": ensembles}


def _voted(reference: Reference, target: str, gold: Sequence[str], answers: Sequence[Sequence[str]], mode: Mode) -> dict[str, Any]:
    labels = labels_of(target, mode if target == "at" else "TERNARY")
    pairs, votes = [], []
    for index, pair in enumerate(reference.pairs):
        said = [run[index] for run in answers]
        vote = plurality(said)
        votes.append(vote)
        pairs.append(
            {
                "document_id": pair.document_id,
                "pers_entity_id": pair.pers,
                "loc_entity_id": pair.loc,
                f"gold_{target}": gold[index],
                f"vote_{target}": vote,
                f"correct_{target}": vote == gold[index],
                f"dist_{target}": shares(said, labels),
                "num_predictions": len(said),
            }
        )
    counted = confusion(gold, votes, labels)
    accuracy, recall = counted.accuracy, counted.macro_recall
    return {
        "aggregate_distribution": shares([label for run in answers for label in run], labels),
        "accuracy": None if accuracy is None else round(float(accuracy), 6),
        "macro_recall": None if recall is None else round(float(recall), 6),
        "pairs": pairs,
    }


def summary_rows(tracks: Sequence[Mapping[str, Any]]) -> list[list[object]]:
    """The rows of `ensemble_summary.tsv`, header first: a line a member set, track and relation."""
    rows: list[list[object]] = [list(SUMMARY_COLUMNS)]
    for track in tracks:
        for name, entry in track["ensembles"].items():
            for target in ("at", "isAt"):
                if target not in entry:
                    continue
                figures = entry[target]
                spread = [figures["aggregate_distribution"].get(label, "") for label in ("TRUE", "PROBABLE", "FALSE")]
                figures_row: list[object] = [name, track["track"], target, figures["macro_recall"], figures["accuracy"]]
                rows.append([*figures_row, *spread, entry["num_runs"], entry["pairs_count"]])
    return rows


def summary_text(rows: Sequence[Sequence[object]]) -> str:
    """The summary as it is written: tabs, and CRLF line ends as the official file has them."""
    return "".join("\t".join("" if cell is None else str(cell) for cell in row) + "\r\n" for row in rows)
