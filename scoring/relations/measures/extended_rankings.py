"""Our rankings, beside the official ones and never mixed with them (`docs/hipe-behaviour.md#defects`).

Exact fractions decide ties (`docs/hipe-behaviour.md#bug-24`); both ranking styles stand side by side (`docs/hipe-behaviour.md#bug-8`);
every row says of how many it is a rank, how sure the score is, whether it differs from the row before, and what was supplied for the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from scoring.relations.inputs.file_names import ORGANISERS
from scoring.relations.inputs.material import Material
from scoring.relations.measures.bootstrap import Comparison, Interval, Resamples, comparisons, interval
from scoring.relations.measures.evaluation import ScoredSubmission, Scores
from scoring.relations.measures.rankings import RankingTable, Row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RANKS = ("rank", "rank_dense", "rank_among_teams", "of", "team", "name", "run")
SCORE = ("score", "ci_low", "ci_high", "p_vs_previous", "differs_from_previous")
SUPPLIED = ("imputed_pairs", "null_labels", "ignored_pairs", "ignored_documents", "duplicates")
CELL_COLUMNS = (
    *RANKS, "submission", *SCORE, "at_macro_recall", "at_accuracy", "isAt_macro_recall", "isAt_accuracy", *SUPPLIED, "reference", "status",
)  # fmt: skip
OVERALL_COLUMNS = (*RANKS, *SCORE, "languages", *SUPPLIED, "version", "status")
EFFICIENCY_COLUMNS = (
    *RANKS, "efficiency_score", "balanced_efficiency_score", "rank_accuracy", "rank_parameter_count", "rank_model_size", "accuracy_score",
    "hipe_parameter_count", "hipe_model_size", "version", "status",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entrant:
    """One row of a ranking of ours before it is ranked: a run with the files that make its score."""

    team: str
    run: str
    version: str
    files: tuple[ScoredSubmission, ...]
    score: Fraction | None
    draws: NDArray[np.float64] | None = field(default=None, repr=False)

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.team, self.run, self.version)


def competition_ranks(values: Sequence[Any], *, highest_first: bool = True) -> list[int]:
    """Competition ranks (1, 1, 3) of values; None counts as the worst and is tied with other Nones."""
    known = sorted((value for value in values if value is not None), reverse=highest_first)
    first: dict[Any, int] = {}
    for place, value in enumerate(known, start=1):
        first.setdefault(value, place)
    return [len(known) + 1 if value is None else first[value] for value in values]


def dense(ranks: Sequence[int]) -> list[int]:
    """Competition ranks made dense (1, 1, 2)."""
    place = {rank: index for index, rank in enumerate(sorted(set(ranks)), start=1)}
    return [place[rank] for rank in ranks]


def entrants(scores: Scores, resamples: Resamples) -> dict[str, list[Entrant]]:
    """The runs of every table of ours by the table's name: a cell each, and `overall-test-a` for complete runs."""
    found: dict[str, list[Entrant]] = {}
    for run in scores.runs:
        name = run.submission.name
        assert name is not None
        draws = resamples.scores(run.reference.stem, run.ours)
        entrant = Entrant(name.team, name.run, run.reference.name.version, (run,), run.ours.score, draws)
        found.setdefault(run.reference.name.cell, []).append(entrant)
    return dict(sorted(found.items()))


def overall_entrants(material: Material, cells: Mapping[str, Sequence[Entrant]]) -> list[Entrant]:
    """The complete runs, of one version: a file for every configured language, else every one with a reference.

    See `docs/hipe-behaviour.md#bug-10`, `docs/hipe-behaviour.md#bug-11`.
    """
    wanted = material.competition.languages("impresso", "test") or tuple(
        sorted({ref.name.language for ref in material.references.values() if ref.name.cell.startswith("impresso-test-")})
    )
    held: dict[tuple[str, str, str], dict[str, Entrant]] = {}
    for cell, rows in cells.items():
        if cell.startswith("impresso-test-"):
            for row in rows:
                held.setdefault(row.key, {})[row.files[0].reference.name.language] = row
    found = []
    for key, by_language in sorted(held.items()):
        if not wanted or not set(wanted) <= set(by_language):
            continue
        rows = [by_language[language] for language in sorted(by_language)]
        known = [row.score for row in rows if row.score is not None]
        score = sum(known, Fraction()) / len(known) if known else None
        found.append(Entrant(*key, tuple(row.files[0] for row in rows), score, _mean([row.draws for row in rows])))
    return found


def _mean(draws: Sequence[NDArray[np.float64] | None]) -> NDArray[np.float64] | None:
    import numpy as np

    known = [draw for draw in draws if draw is not None]
    if not known:
        return None
    mean: NDArray[np.float64] = np.mean(known, axis=0)
    return mean


def in_order(rows: Iterable[Entrant]) -> list[Entrant]:
    """Best score first, ties by team, run and version as text."""
    return sorted(rows, key=lambda row: (row.score is None, -(row.score or 0), *row.key))


def ranked_rows(material: Material, rows: Iterable[Entrant]) -> list[Row]:
    """Entrants in order with ranks, intervals, comparisons and counts, as the rows of a table."""
    ordered = in_order(rows)
    ranks = competition_ranks([row.score for row in ordered])
    teams = [row.score for row in ordered if row.team not in ORGANISERS]
    among = dict(zip((row.key for row in ordered if row.team not in ORGANISERS), competition_ranks(teams), strict=True))
    pairs = zip([None, *[row.score for row in ordered]], [row.score for row in ordered], strict=False)
    differences = [None if before is None or now is None else float(before - now) for before, now in pairs]
    compared = comparisons([row.draws for row in ordered], differences)
    return [
        _row(material, row, rank, flat, among.get(row.key), len(ordered), against)
        for row, rank, flat, against in zip(ordered, ranks, dense(ranks), compared, strict=True)
    ]


def _row(material: Material, entrant: Entrant, rank: int, flat: int, among: int | None, of: int, against: Comparison | None) -> Row:
    sure: Interval | None = None if entrant.draws is None else interval(entrant.draws)
    counts = [file.ours.counts for file in entrant.files]
    team = material.teams.get(entrant.team)
    row: Row = {
        "rank": rank,
        "rank_dense": flat,
        "rank_among_teams": among,
        "of": of,
        "team": entrant.team,
        "name": team.get("name") if isinstance(team, dict) else None,
        "run": entrant.run,
        "score": None if entrant.score is None else float(entrant.score),
        "ci_low": sure.low if sure else None,
        "ci_high": sure.high if sure else None,
        "p_vs_previous": against.p_holm if against else None,
        "differs_from_previous": ("yes" if against.differs else "no") if against else None,
        "imputed_pairs": sum(count.imputed_pairs for count in counts),
        "null_labels": sum(count.null_labels for count in counts),
        "ignored_pairs": sum(count.extra_pairs for count in counts),
        "ignored_documents": sum(count.extra_documents for count in counts),
        "duplicates": sum(count.duplicate_pairs + count.duplicate_documents for count in counts),
        "version": entrant.version,
        "status": status_of(material, entrant.files),
        "languages": ",".join(sorted({file.reference.name.language for file in entrant.files})),
    }
    if len(entrant.files) == 1:
        run = entrant.files[0]
        row |= {"submission": run.submission.path.name, "reference": run.reference.stem}
        for target in ("at", "isAt"):
            figures = run.ours.confusions.get(target)
            row[f"{target}_macro_recall"] = _float(figures.macro_recall if figures else None)
            row[f"{target}_accuracy"] = _float(figures.accuracy if figures else None)
    return row


def status_of(material: Material, files: Sequence[ScoredSubmission]) -> str:
    """What is said of the references a score rests on: final, or the worst of the others."""
    statuses = {material.settings.status(file.reference.stem).status for file in files}
    return next((status for status in ("embargoed", "provisional") if status in statuses), "final")


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def our_tables(material: Material, scores: Scores, resamples: Resamples | None = None) -> tuple[RankingTable, ...]:
    """Every ranking of ours: each cell, the overall one, and efficiency over complete runs."""
    if not scores.runs:
        return ()
    sizes = {reference.stem: len(reference.documents) for reference in material.references.values()}
    resamples = resamples or Resamples(sizes, material.settings.resamples, material.settings.seed)
    cells = entrants(scores, resamples)
    complete = overall_entrants(material, cells)
    tables = [RankingTable(f"ranking-{cell}.tsv", CELL_COLUMNS, tuple(ranked_rows(material, rows))) for cell, rows in cells.items()]
    overall = RankingTable("ranking-overall-test-a.tsv", OVERALL_COLUMNS, tuple(ranked_rows(material, complete)))
    return (*tables, overall, efficiency_table(material, complete))


def efficiency_table(material: Material, complete: Sequence[Entrant]) -> RankingTable:
    """Both efficiency scores of complete runs: one opt-out a run, impossible sizes unknown, competition ranks.

    See `docs/hipe-behaviour.md#bug-13`, `docs/hipe-behaviour.md#bug-12`.
    """
    rows = [row for row in complete if not any(file.submission.info.opt_out for file in row.files)]
    accuracy = competition_ranks([row.score for row in rows])
    counts, sizes = ([_size(row, key) for row in rows] for key in ("hipe_parameter_count", "hipe_model_size"))
    by_count, by_size = competition_ranks(counts, highest_first=False), competition_ranks(sizes, highest_first=False)
    efficiency = [Fraction(a + c + s, 3) for a, c, s in zip(accuracy, by_count, by_size, strict=True)]
    balanced = [Fraction(2 * a + c + s, 4) for a, c, s in zip(accuracy, by_count, by_size, strict=True)]
    ranks = competition_ranks(efficiency, highest_first=False)
    teams = [index for index, row in enumerate(rows) if row.team not in ORGANISERS]
    among = dict(zip(teams, competition_ranks([efficiency[index] for index in teams], highest_first=False), strict=True))
    out: list[Row] = []
    for index, (row, flat) in enumerate(zip(rows, dense(ranks), strict=True)):
        team = material.teams.get(row.team)
        out.append(
            {
                "rank": ranks[index],
                "rank_dense": flat,
                "rank_among_teams": among.get(index),
                "of": len(rows),
                "team": row.team,
                "name": team.get("name") if isinstance(team, dict) else None,
                "run": row.run,
                "efficiency_score": float(efficiency[index]),
                "balanced_efficiency_score": float(balanced[index]),
                "rank_accuracy": accuracy[index],
                "rank_parameter_count": by_count[index],
                "rank_model_size": by_size[index],
                "accuracy_score": _float(row.score),
                "hipe_parameter_count": _float(counts[index]),
                "hipe_model_size": _float(sizes[index]),
                "version": row.version,
                "status": status_of(material, row.files),
            }
        )
    by_rank: Callable[[Row], tuple[Any, ...]] = lambda row: (row["rank"], row["team"], row["run"])  # noqa: E731
    return RankingTable("ranking-efficiency-test-a.tsv", EFFICIENCY_COLUMNS, tuple(sorted(out, key=by_rank)))


def _size(row: Entrant, key: str) -> Fraction | None:
    """The mean of a run's possible sizes; unknown when any file lacks information or none is possible."""
    if any(file.submission.info.missing for file in row.files):
        return None
    known = [Fraction(size) for size in (file.submission.info.usable(key) for file in row.files) if size is not None]
    return sum(known, Fraction()) / len(known) if known else None


def run_metrics(material: Material, run: ScoredSubmission, resamples: Resamples) -> dict[str, Any]:
    """Our figures of one run as plain values: exact confusions, F1 rounded once, the interval, what was supplied and where."""
    draws = resamples.scores(run.reference.stem, run.ours)
    sure = None if draws is None else interval(draws)
    status = material.settings.status(run.reference.stem)
    supplied = [
        {"document_id": pair.document_id, "pers_entity_id": pair.pers, "loc_entity_id": pair.loc, "imputed": True}
        for pair, state in zip(run.reference.pairs, run.aligned.state, strict=True)
        if state
    ]
    counts = run.ours.counts
    return {
        "submission": run.submission.path.name,
        "reference": run.reference.stem,
        "reference_status": status.status,
        "reference_version": status.version,
        "macro_recall_rule": "mean over the labels the gold holds, of the fixed labels of the relation",
        "score": _float(run.ours.score),
        "interval_95": None if sure is None else [sure.low, sure.high],
        "targets": {target: confusion_values(run, target) for target in run.cell.targets},
        "supplied": {name: getattr(counts, name) for name in counts.__slots__},
        "imputed_pairs": supplied,
    }


def confusion_values(run: ScoredSubmission, target: str) -> dict[str, Any]:
    """One relation's confusion with its figures, exact until the last step."""
    figures = run.ours.confusions[target]
    return {
        "labels": list(figures.labels),
        "matrix": [list(row) for row in figures.cells],
        "rows": "gold",
        "columns": "prediction",
        "macro_recall": _float(figures.macro_recall),
        "accuracy": _float(figures.accuracy),
        "per_label": {
            label: {
                "precision": _float(figures.precision(index)),
                "recall": _float(figures.recall(index)),
                "f1": _float(figures.f1(index)),
                "support": figures.support(index),
            }
            for index, label in enumerate(figures.labels)
        },
    }
