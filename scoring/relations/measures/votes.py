"""Which runs vote on the gold, and how votes are counted.

See `docs/campaign.md#adjudicating-the-gold`, `docs/hipe-behaviour.md#gold-check-workbook`, `docs/hipe-behaviour.md#ensembles`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.relations.inputs.file_names import ORGANISERS
from scoring.relations.measures.rankings import Row

MAJORITY, NO_MAJORITY = "MAJORITY", "NO_MAJORITY"


@dataclass(frozen=True, slots=True)
class Voter:
    """A run that votes."""

    team: str
    run: str
    submission: str
    rank: str = ""

    @property
    def stem(self) -> str:
        return self.submission.removesuffix(".jsonl")


@dataclass(frozen=True, slots=True)
class Voters:
    """The runs that vote by a choice, and those left out only because a tie was cut at the boundary."""

    choice: str
    chosen: tuple[Voter, ...]
    tied: tuple[Voter, ...] = ()


def _voter(row: Row) -> Voter:
    return Voter(row["team"] or "", row["run"] or "", row["submission"], str(row["rank"] or ""))


def official_voters(rows: Sequence[Row], count: int = 3) -> Voters:
    """The first rows of the cell's table, whoever they are, ties cut by the table's order (`docs/hipe-behaviour.md#bug-17`)."""
    eligible = [row for row in rows if row.get("submission")]
    chosen, rest = eligible[:count], eligible[count:]
    last = chosen[-1]["rank"] if chosen else None
    return Voters("official", tuple(map(_voter, chosen)), tuple(_voter(row) for row in rest if row["rank"] == last))


def best_per_team(rows: Sequence[Row], teams: int = 3) -> Voters:
    """The best run of each of the first teams, baselines left out; runs tied with the last one chosen are named."""
    best: dict[str, Row] = {}
    for row in rows:
        if row.get("submission") and row["team"] not in ORGANISERS:
            best.setdefault(row["team"], row)
    ordered = list(best.values())
    chosen, rest = ordered[:teams], ordered[teams:]
    last = chosen[-1]["rank"] if chosen else None
    return Voters("best-per-team", tuple(map(_voter, chosen)), tuple(_voter(row) for row in rest if row["rank"] == last))


def above_baseline(rows: Sequence[Row]) -> Voters:
    """Every run strictly above the baseline, baselines left out; without a baseline every run."""
    ranks = [int(row["rank"]) for row in rows if row["team"] == "baseline"]
    limit = min(ranks) if ranks else None
    eligible = [row for row in rows if row.get("submission") and row["team"] not in ORGANISERS]
    chosen = [row for row in eligible if limit is None or int(row["rank"]) < limit]
    return Voters("above-baseline", tuple(map(_voter, chosen)), tuple(_voter(row) for row in eligible if int(row["rank"]) == limit))


def choose(rows: Sequence[Row], choice: str, teams: int = 3) -> Voters:
    """The voters by the name of a choice."""
    if choice == "best-per-team":
        return best_per_team(rows, teams)
    return above_baseline(rows) if choice == "above-baseline" else official_voters(rows)


def majority(labels: Sequence[str]) -> tuple[str | None, str]:
    """The label more than half of the voters gave, and the status; none when there is no such label."""
    if not labels:
        return None, NO_MAJORITY
    label, count = Counter(labels).most_common(1)[0]
    return (label, MAJORITY) if count * 2 > len(labels) else (None, NO_MAJORITY)


def plurality(labels: Sequence[str]) -> str:
    """The commonest label; of equals the first in the alphabet. `labels` must not be empty."""
    counts = Counter(labels)
    return min(counts, key=lambda label: (-counts[label], label))


def shares(labels: Sequence[str], of: Sequence[str]) -> dict[str, float]:
    """The share of each label among the votes, six decimals."""
    counts = Counter(labels)
    return {label: round(counts[label] / len(labels), 6) if labels else 0.0 for label in of}
