"""A campaign at a glance, its rankings to look into, and what a verdict would move (`docs/adjudication.md#screens`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scoring.adjudication.cases import Block, Case, Facts, Grid, Line
from scoring.adjudication.decisions import LogEntry
from scoring.foundations.incremental import Steps
from scoring.relations.cases.adjudicated_gold import LABEL_OF, Evaluation
from scoring.relations.inputs.gold import Reference
from scoring.relations.measures.evaluation import ScoredSubmission
from scoring.relations.measures.rankings import RankingTable, Row, dense_ranks, tables
from scoring.relations.measures.run_scores import score_run
from scoring.relations.outputs.results_page import in_page_order, title_of

RUNS_A_STEP = 8


def overview(evaluation: Evaluation) -> tuple[Block, ...]:
    """Inputs, then a line a reference."""
    base, material = evaluation.base, evaluation.material
    problems = Counter(problem.severity.value for problem in material.problems)
    applied = sum(effect.applies for effect in evaluation.effects.values())
    inputs = Facts(
        "Campaign",
        (
            ("references", str(len(material.references))),
            ("submissions", f"{len(base.automatic.runs)} scored, {len(base.automatic.failed)} not"),
            ("problems", ", ".join(f"{times} {name}s" for name, times in sorted(problems.items())) or "none"),
            ("not final", ", ".join(material.settings.restricted(ref.stem for ref in material.references.values())) or "none"),
            ("decisions", f"{applied} applied, {len(evaluation.stale())} stale, {len(evaluation.conflicts())} in conflict"),
        ),
    )
    lines = []
    for reference in material.references.values():
        labels = evaluation.gold.get(reference.stem) or reference.gold
        original = reference.gold
        changed = sum(now != was for target in ("at", "isAt") for now, was in zip(labels[target], original[target], strict=True))
        counts = Counter(labels["at"])
        runs = base.automatic.of_reference(reference.stem)
        best = max((run.official.scores["global_score"] or 0.0 for run in runs), default=None)
        cells = (reference.stem, str(len(reference.documents)), str(len(reference.pairs)))
        spread = tuple(str(counts[label]) for label in ("TRUE", "PROBABLE", "FALSE"))
        lines.append(Line((*cells, *spread, str(len(runs)), _score(best), str(changed)), "Δ" if changed else ""))
    header = ("reference", "documents", "pairs", "at TRUE", "PROBABLE", "FALSE", "runs", "best", "labels changed")
    return inputs, Grid("References, gold as adjudicated", header, tuple(lines))


def figures(evaluation: Evaluation, path: Sequence[str] = ()) -> tuple[Grid, tuple[Block, ...]]:
    """The rankings; (table,) for one of them as scored beside as adjudicated; (table, submission) for a run's confusions."""
    base = evaluation.base
    if not path:
        lines = []
        for table in in_page_order(base.tables):
            first = table.rows[0] if table.rows else None
            leader = f"{first['team']} {first['run']}" if first else ""
            lines.append(Line((title_of(table.file), str(len(table.rows)), leader), target=table.file))
        return Grid("Rankings", ("ranking", "runs", "first"), tuple(lines)), ()
    after = {table.file: table for table in tables(evaluation.adjudicated.records)}
    chosen = base.table(path[0])
    if chosen is None:
        return Grid(path[0], (), ()), ()
    if len(path) == 1:
        return _ranking(chosen, after.get(path[0])), ()
    run = next((run for run in base.automatic.runs if run.submission.path.name == path[1]), None)
    if run is None:
        return Grid(path[1], (), ()), ()
    now = next(run for run in evaluation.adjudicated.runs if run.submission.path.name == path[1])
    return _targets(run, now), tuple(_confusion(now, target) for target in now.cell.targets)


def _ranking(before: RankingTable, after: RankingTable | None) -> Grid:
    score = next(column for column in ("score", "efficiency_score", "balanced_efficiency_score") if column in before.columns)
    now = {_key(row): row for row in (after.rows if after else ())}
    lines = []
    for row in before.rows:
        then = now.get(_key(row), row)
        moved = (then["rank"], then[score]) != (row["rank"], row[score])
        cells = (str(row["rank"]), str(then["rank"]), row["team"], row["run"], _score(row[score]), _score(then[score]))
        lines.append(Line(cells, "Δ" if moved else "", target=row.get("submission")))
    return Grid(title_of(before.file), ("rank", "adj.", "team", "run", score.replace("_", " "), "adj."), tuple(lines))


def _key(row: Row) -> tuple[str, str, str]:
    return (row["team"], row["run"], row.get("submission", ""))


def _targets(before: ScoredSubmission, after: ScoredSubmission) -> Grid:
    lines = []
    for target in before.cell.targets:
        keys = (f"{target}_macro_recall", f"{target}_accuracy")
        figures = [_score(run.official.scores[key]) for key in keys for run in (before, after)]
        lines.append(Line((target, *figures)))
    return Grid(before.submission.path.name, ("relation", "macro recall", "adj.", "accuracy", "adj."), tuple(lines))


def _confusion(run: ScoredSubmission, target: str) -> Grid:
    held = run.ours.confusions[target]
    lines = []
    for index, label in enumerate(held.labels):
        recall = held.recall(index)
        lines.append(Line((label, *map(str, held.cells[index]), _score(None if recall is None else float(recall)))))
    return Grid(f"{target}: gold (as adjudicated) down, answers across", ("", *held.labels, "recall"), tuple(lines))


def behind(evaluation: Evaluation, path: Sequence[str] = ()) -> tuple[LogEntry, ...]:
    """The log entries behind the adjudicated figures: of the whole campaign, or of the cell a table is about."""
    base = evaluation.base
    found = []
    for case, effect in evaluation.effects.items():
        if not effect.applies:
            continue
        cell = base.material.references[f"{base.asked[case].stem}.jsonl"].name.cell
        if not path or cell in path[0] or path[0].startswith(("ranking-overall", "ranking-eff", "ranking-gen")):
            found.append(effect.entry)
    return tuple(sorted(found, key=lambda entry: entry.id))


def effects(evaluation: Evaluation, case: Case) -> Steps[tuple[Block, ...]]:
    """What each label would change in the ranking of its cell, in short steps."""
    asked = evaluation.base.asked.get(case.id)
    if asked is None:
        return ()
    reference = evaluation.material.references[f"{asked.stem}.jsonl"]
    now = evaluation.gold.get(asked.stem) or reference.gold
    current = now[asked.target][asked.positions[-1]]
    runs = evaluation.base.automatic.of_reference(asked.stem)
    scores = {run.stem: run.official.scores["global_score"] for run in runs}
    yield
    if asked.stem in evaluation.gold:
        scores = yield from _all_rescored(evaluation, runs, reference, now)
    before = _rows(runs, scores)
    lines = []
    for verdict in case.verdicts:
        label = LABEL_OF.get(verdict)
        if label is None or label == current:
            continue
        gold = {target: list(labels) for target, labels in now.items()}
        for position in asked.positions:
            gold[asked.target][position] = label
        scores = yield from _all_rescored(evaluation, runs, reference, gold)
        lines.append(_change(verdict, before, _rows(runs, scores)))
    if not runs or not lines:
        return ()
    header = ("verdict", "runs up", "down", "ranks moved", "most", "first")
    return (Grid(f"What a verdict would change among {len(runs)} runs (gold is {current} now)", header, tuple(lines)),)


def _all_rescored(
    evaluation: Evaluation, runs: Sequence[ScoredSubmission], reference: Reference, gold: Mapping[str, Sequence[str]]
) -> Steps[dict[str, float | None]]:
    """The runs' scores under other gold labels, a few runs a step."""
    scores: dict[str, float | None] = {}
    for number, run in enumerate(runs):
        scores[run.stem] = _rescored(evaluation, run, reference, gold)
        if number % RUNS_A_STEP == RUNS_A_STEP - 1:
            yield
    return scores


def _rescored(evaluation: Evaluation, run: ScoredSubmission, reference: Reference, gold: Mapping[str, Sequence[str]]) -> float | None:
    assert run.submission.name is not None
    mode = evaluation.base.automatic.mode
    record = score_run(run.submission.name, reference, run.aligned, run.submission.info, run.cell, mode, gold)
    return record.scores["global_score"]


def _rows(runs: Sequence[ScoredSubmission], scores: Mapping[str, float | None]) -> dict[str, Row]:
    rows: list[Row] = [{"team": run.official.team, "run": run.official.run, "stem": run.stem, "score": scores[run.stem]} for run in runs]
    ranks = dense_ranks(rows, lambda row: row["score"], highest_first=True)
    return {row["stem"]: {**row, "rank": ranks[row["team"], row["run"]]} for row in rows}


def _change(verdict: str, before: Mapping[str, Row], after: Mapping[str, Row]) -> Line:
    gains = {stem: (row["score"] or 0.0) - (before[stem]["score"] or 0.0) for stem, row in after.items()}
    moved = sum(row["rank"] != before[stem]["rank"] for stem, row in after.items())
    most = max(gains.values(), key=abs, default=0.0)
    first = min(after.values(), key=lambda row: (row["rank"], row["team"], row["run"]))
    cells = (sum(gain > 0 for gain in gains.values()), sum(gain < 0 for gain in gains.values()), moved)
    return Line((verdict, *map(str, cells), f"{most:+.4f}", f"{first['team']} {first['run']}"))


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}".rstrip("0").rstrip(".")
