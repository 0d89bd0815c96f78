"""The official ranking tables, built from the records of scored runs (`docs/hipe-behaviour.md#ranking-rule`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.relations.measures.run_scores import RunScore, exact_mean, plain_sum
from scoring.texts.spreadsheet_output import safe_cell

UNKNOWN_RESOURCE = 2**53 - 1
"""What an unknown size counts as when sizes are ranked: worse than any real one."""

Row = dict[str, Any]

CELL_COLUMNS = (
    "rank", "team", "run", "submission", "score", "at_macro_recall", "at_accuracy", "isAt_macro_recall", "isAt_accuracy", "info_missing",
)  # fmt: skip
OVERALL_COLUMNS = ("rank", "team", "run", "score", "languages", "num_language_files")
GENERALIZATION_COLUMNS = ("rank", "team", "run", "submission", "score", "info_missing")
_RESOURCES = (
    "rank_accuracy", "rank_parameter_count", "rank_model_size", "accuracy_score", "hipe_parameter_count", "hipe_model_size", "info_missing",
)  # fmt: skip
EFFICIENCY_COLUMNS = ("rank", "team", "run", "efficiency_score", *_RESOURCES)
BALANCED_COLUMNS = ("rank", "team", "run", "balanced_efficiency_score", *_RESOURCES)
LANGUAGE_EFFICIENCY_COLUMNS = ("rank", "team", "run", "submission", "efficiency_score", *_RESOURCES)


@dataclass(frozen=True, slots=True)
class RankingTable:
    """A ranking table: its file name, columns in order, rows in order; None is an empty cell."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def tsv(self) -> str:
        """The table as the official pipeline writes it."""
        lines = ["\t".join(self.columns)]
        lines += ["\t".join(cell_text(row[column]) for column in self.columns) for row in self.rows]
        return "\n".join(lines) + "\n"


def safe_tsv(table: RankingTable) -> str:
    """A table of ours: as `tsv`, but no text in it is a formula to a spreadsheet or moves a terminal."""

    def cell(value: Any) -> str:
        return safe_cell(value) if isinstance(value, str) else cell_text(value)

    lines = ["\t".join(table.columns)]
    lines += ["\t".join(cell(row.get(column)) for column in table.columns) for row in table.rows]
    return "\n".join(lines) + "\n"


def cell_text(value: Any) -> str:
    """A cell of a TSV: empty for None, tabs and line ends made blanks, else Python's own form of the value."""
    if value is None:
        return ""
    return str(value).replace("\t", " ").replace("\r\n", " ").replace("\n", " ").replace("\r", " ")


def dense_ranks(rows: Sequence[Row], value: Callable[[Row], Any], *, highest_first: bool) -> dict[tuple[str, str], int]:
    """Dense ranks (1, 1, 2) by exact equality, kept per team and run; rows without a value have the number of rows as their rank."""
    ranks: dict[tuple[str, str], int] = {}
    rank, last = 0, None
    for row in sorted((row for row in rows if value(row) is not None), key=value, reverse=highest_first):
        if rank == 0 or value(row) != last:
            rank, last = rank + 1, value(row)
        ranks[row["team"], row["run"]] = rank
    for row in rows:
        if value(row) is None:
            ranks[row["team"], row["run"]] = len(rows)
    return ranks


def in_table_order(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Rank, then team, run and submission as text, so `team10` before `team2`."""
    return tuple(sorted(rows, key=lambda row: (row["rank"], row["team"], row["run"], row.get("submission", ""))))


def ranked(rows: Sequence[Row], column: str, *, highest_first: bool = True, into: str = "rank") -> None:
    """Write the dense rank by a column into each row."""
    ranks = dense_ranks(rows, lambda row: row[column], highest_first=highest_first)
    for row in rows:
        row[into] = ranks[row["team"], row["run"]]


def tables(runs: Sequence[RunScore]) -> tuple[RankingTable, ...]:
    """All official tables of a campaign; none at all when there are no runs."""
    if not runs:
        return ()
    impresso = [run for run in runs if (run.dataset, run.split) == ("impresso", "test")]
    surprise = [run for run in runs if (run.dataset, run.split) == ("surprise", "test")]
    complete = complete_runs(impresso)
    resources = [resource_row(team, run, files) for (team, run), files in complete.items() if not any(file.opt_out for file in files)]
    rank_resources(resources)
    return (
        *(cell_table(key, runs) for key in sorted({(run.dataset, run.split, run.language) for run in runs})),
        overall_table(complete),
        generalization_table(surprise),
        _sorted_by("ranking-efficiency-test-a.tsv", EFFICIENCY_COLUMNS, resources, "efficiency_score"),
        _sorted_by("ranking-efficiency-balanced-test-a.tsv", BALANCED_COLUMNS, resources, "balanced_efficiency_score"),
        *(language_efficiency_table(language, impresso) for language in sorted({run.language for run in impresso})),
    )


def _row(run: RunScore) -> Row:
    return {"team": run.team, "run": run.run, "submission": run.submission, "info_missing": run.info_missing}


def cell_table(key: tuple[str, str, str], runs: Sequence[RunScore]) -> RankingTable:
    """Every run of one dataset, split and language, by its global score."""
    rows = []
    for run in runs:
        if (run.dataset, run.split, run.language) == key:
            figures = {column: run.scores.get(column) for column in CELL_COLUMNS[5:9]}
            rows.append({**_row(run), "score": run.scores.get("global_score"), **figures})
    ranked(rows, "score")
    return RankingTable(f"ranking-{'-'.join(key)}.tsv", CELL_COLUMNS, in_table_order(rows))


def complete_runs(impresso: Sequence[RunScore]) -> dict[tuple[str, str], list[RunScore]]:
    """The runs with a file for every language that anybody submitted, with their files (`docs/hipe-behaviour.md#bug-11`)."""
    seen = {run.language for run in impresso}
    files: dict[tuple[str, str], list[RunScore]] = {}
    for run in impresso:
        files.setdefault((run.team, run.run), []).append(run)
    return {key: held for key, held in files.items() if {run.language for run in held} == seen}


def mean_score(files: Sequence[RunScore]) -> float | None:
    """The mean of the files' global scores, those without one left out."""
    scores = [score for score in (file.scores.get("global_score") for file in files) if score is not None]
    return exact_mean(scores) if scores else None


def overall_table(complete: Mapping[tuple[str, str], Sequence[RunScore]]) -> RankingTable:
    """The complete runs by their mean over the languages."""
    rows: list[Row] = []
    for (team, run), files in complete.items():
        languages = sorted({file.language for file in files})
        rows.append(
            {"team": team, "run": run, "score": mean_score(files), "languages": ",".join(languages), "num_language_files": len(languages)}
        )
    ranked(rows, "score")
    return RankingTable("ranking-overall-test-a.tsv", OVERALL_COLUMNS, in_table_order(rows))


def generalization_table(surprise: Sequence[RunScore]) -> RankingTable:
    """All surprise runs, whatever their language, in one table by the macro recall of `at`."""
    rows = [{**_row(run), "score": run.scores.get("at_macro_recall")} for run in surprise]
    ranked(rows, "score")
    return RankingTable("ranking-generalization-test-b.tsv", GENERALIZATION_COLUMNS, in_table_order(rows))


def resource_row(team: str, run: str, files: Sequence[RunScore]) -> Row:
    """A complete run with its mean sizes; both unknown when any of its files lacks information."""
    missing = any(file.info_missing for file in files)
    row: Row = {"team": team, "run": run, "accuracy_score": mean_score(files), "info_missing": missing}
    for key in ("hipe_parameter_count", "hipe_model_size"):
        known = [size for size in (file.efficiency.get(key) for file in files) if size is not None]
        row[key] = plain_sum(known) / len(known) if known and not missing else None
    return row


def rank_resources(rows: Sequence[Row]) -> None:
    """Write the three component ranks and the two efficiency scores into rows of one table; lower is better."""
    ranked(rows, "accuracy_score", into="rank_accuracy")
    for key, into in (("hipe_parameter_count", "rank_parameter_count"), ("hipe_model_size", "rank_model_size")):
        ranks = dense_ranks(rows, lambda row, key=key: UNKNOWN_RESOURCE if row[key] is None else row[key], highest_first=False)  # type: ignore[misc]
        for row in rows:
            row[into] = ranks[row["team"], row["run"]]
    for row in rows:
        accuracy, resources = row["rank_accuracy"], row["rank_parameter_count"] + row["rank_model_size"]
        row["efficiency_score"] = (accuracy + resources) / 3
        row["balanced_efficiency_score"] = (accuracy + resources / 2) / 2


def _sorted_by(file: str, columns: tuple[str, ...], rows: Sequence[Row], column: str) -> RankingTable:
    own = [dict(row) for row in rows]
    ranked(own, column, highest_first=False)
    return RankingTable(file, columns, in_table_order(own))


def language_efficiency_table(language: str, impresso: Sequence[RunScore]) -> RankingTable:
    """The runs of one language, partial submitters too, less the files that opted out (`docs/hipe-behaviour.md#bug-13`)."""
    rows = [
        {
            **_row(run),
            "accuracy_score": run.scores.get("global_score"),
            "hipe_parameter_count": run.efficiency.get("hipe_parameter_count"),
            "hipe_model_size": run.efficiency.get("hipe_model_size"),
        }
        for run in impresso
        if run.language == language and not run.opt_out
    ]
    rank_resources(rows)
    return _sorted_by(f"ranking-efficiency-impresso-test-{language}.tsv", LANGUAGE_EFFICIENCY_COLUMNS, rows, "efficiency_score")


def read_table(file: str, text: str) -> RankingTable:
    """A table read back from its TSV; cells stay texts, empty ones None."""
    lines = text.split("\n")
    columns = tuple(lines[0].split("\t")) if lines[0] else ()
    rows: list[Row] = []
    for line in lines[1:]:
        if line:
            cells = line.split("\t")
            rows.append({column: (cells[index] if index < len(cells) else "") or None for index, column in enumerate(columns)})
    return RankingTable(file, columns, tuple(rows))
