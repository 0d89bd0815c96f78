"""`adjudicate campaign score`: the submissions of a campaign, or one file of any name against one gold of any name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scoring.foundations.problems import InputError
from tui.cli.campaign.options import (
    Campaign,
    as_json,
    campaign_of,
    campaign_options,
    decisions_of,
    finish,
    loaded,
    nothing_to_score,
    out,
    progress,
    say,
    text_table,
)
from tui.cli.common.output_date import dateless

if TYPE_CHECKING:
    from scoring.relations.cases.adjudicated_gold import Base, Evaluation
    from scoring.relations.inputs.material import Material
    from scoring.relations.measures.rankings import RankingTable
    from scoring.relations.measures.single_file import SingleScore
    from scoring.relations.outputs.changes import RankMove


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--gold", type=click.Path(path_type=Path), help="The gold to score FILE against.")
@click.option("--targets", default=None, metavar="at,isAt", help="Score FILE on these, not on those of the gold's cell.")
@click.option("--adjudicated", is_flag=True, help="Also under the gold as the log has it; what moves.")
@click.option("--official", is_flag=True, help="Print only what the official scorer prints.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How scores are printed.")
@dateless
@campaign_options
@click.pass_context
def score(
    ctx: click.Context,
    /,
    file: Path | None,
    gold: Path | None,
    targets: str | None,
    adjudicated: bool,
    official: bool,
    form: str,
    **options: Any,
) -> None:
    """Score the submissions; a bad one is named, the rest scored (exit code 1).

    With FILE and --gold one file is scored, whatever the two are called: scores, interval, per-label confusion, doubts.

    Example: adjudicate campaign score my-run.jsonl --gold test-de.jsonl
    """
    campaign = campaign_of(ctx, options)
    if file is not None:
        if gold is None:
            raise click.UsageError("FILE is scored against --gold GOLD; without FILE the campaign is scored")
        _score_file(campaign, file, gold, targets, form)
        return
    if gold is not None:
        raise click.UsageError("--gold needs the FILE to score")
    material = loaded(campaign)
    if nothing_to_score(material, ["per-run"]):
        return
    base = scored(campaign, material)
    failed = write_scores(material, base, official)
    if adjudicated:
        evaluation, moves = under_decisions(campaign, base)
    if form == "json":
        payload: dict[str, object] = {
            "runs": [record.as_json() for record in base.automatic.records],
            "failed": dict(base.automatic.failed),
        }
        if adjudicated:
            payload["adjudicated"] = [record.as_json() for record in evaluation.adjudicated.records]
            payload["moved"] = [{name: getattr(move, name) for name in move.__slots__} for move in moves]
        as_json(payload)
    elif not official:
        print_scores(base)
        if adjudicated:
            print_moves(evaluation, moves)
    finish(failed)


def scored(campaign: Campaign, material: Material) -> Base:
    """The campaign scored as it is."""
    from scoring.relations.cases.adjudicated_gold import base_of

    with progress("scoring") as report:
        return base_of(material, campaign.mode, progress=report)


def write_scores(material: Material, base: Base, official: bool) -> bool:
    """Write the per-run files and say what could not be scored; whether anything failed."""
    from scoring.relations.outputs.result_files import Outputs
    from scoring.relations.outputs.stages import resamples_of, score_stage

    outputs = Outputs(material.places)
    done = score_stage(outputs, base, resamples_of(material))
    outputs.settle(["per-run"])
    if official:
        _official_lines(material, base)
    else:
        for name, why in done.errors:
            say(f"not scored: {name}: {why}")
        removed_note(outputs.stale)
    return bool(done.errors)


def removed_note(stale: list[Path]) -> None:
    """Name the stale outputs that were removed."""
    for path in stale:
        say(f"removed, since no submission stands behind it any more: {path}")


def _official_lines(material: Material, base: Base) -> None:
    from scoring.relations.inputs.gold import official_warnings
    from scoring.relations.inputs.validation import official_errors

    for submission in material.submissions:
        why = base.automatic.failed.get(submission.path.name)
        reference = material.reference_of(submission)
        if why is None and reference is not None:
            for line in official_warnings(reference, [record for _, record in submission.file.records], submission.path.name):
                say(line)
            out(f"[OK] Wrote {material.places.per_run / (submission.stem + '.json')}")
            continue
        if submission.name is not None and reference is not None:
            for line in [*official_errors(reference.file), *official_errors(submission.file)]:
                out(line)
        say(f"[ERROR] {why}")
    if base.automatic.failed:
        say(f"[FAIL] {len(base.automatic.failed)} submission(s) failed scoring.")


def print_scores(base: Base) -> None:
    """The runs by cell, each with its official score and what was supplied for it."""
    header = ("submission", "score", "at", "isAt", "at accuracy", "isAt accuracy", "imputed", "null")
    rows = []
    for run in base.automatic.runs:
        scores, counts = run.official.scores, run.aligned.counts
        figures = [scores.get(key) for key in ("global_score", "at_macro_recall", "isAt_macro_recall", "at_accuracy", "isAt_accuracy")]
        rows.append((run.submission.path.name, *figures, counts.imputed_pairs, counts.null_labels))
    out_table(header, rows)
    out(f"{len(rows)} scored, {len(base.automatic.failed)} not; written to {base.material.places.per_run}")


def out_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table."""
    click.echo(text_table(header, rows))


def under_decisions(campaign: Campaign, base: Base) -> tuple[Evaluation, list[RankMove]]:
    """Score under the log's decisions, write the adjudicated files beside the official ones, and tell what moved."""
    from scoring.relations.cases.adjudicated_gold import evaluate
    from scoring.relations.outputs.result_files import Outputs
    from scoring.relations.outputs.rounds import adjudicated_files

    evaluation = evaluate(base, decisions_of(campaign))
    outputs = Outputs(base.material.places)
    moves = adjudicated_files(outputs, evaluation)
    outputs.settle(["adjudicated"])
    return evaluation, moves


def print_moves(evaluation: Evaluation, moves: list[RankMove]) -> None:
    """What the decisions did to the gold and to the rankings."""
    from scoring.relations.outputs.gold_export import changed_labels

    changed = [change for reference in evaluation.material.references.values() for change in changed_labels(evaluation, reference)]
    in_force = sum(effect.applies for effect in evaluation.effects.values())
    out("")
    out(f"Under the log: {in_force} verdicts in force, {len(changed)} gold labels changed")
    for effect in evaluation.stale():
        say(f"stale, not applied: {effect.entry.case} ({effect.entry.verifier}): {effect.stale}")
    for effect in evaluation.conflicts():
        say(f"conflict, not applied: {effect.entry.case}")
    if moves:
        header = ("table", "team", "run", "rank", "adjudicated", "score", "adjudicated")
        rows: list[tuple[object, ...]] = [
            (move.table.removesuffix(".tsv"), move.team, move.run, move.rank_before, move.rank_after, move.score_before, move.score_after)
            for move in moves
        ]
        out_table(header, rows)
    else:
        out("No score and no rank moves.")
    out(f"written to {evaluation.material.places.ours / 'adjudicated'}")


def print_ranks(table: RankingTable, *, top: int | None = None) -> None:
    """A ranking of ours for a terminal: rank r of n, interval, and whether it differs from the row above."""
    header = ("rank", "team", "run", "score", "95 % interval", "differs", "imputed")
    rows: list[tuple[object, ...]] = []
    for row in table.rows[:top]:
        sure = f"{row['ci_low']:.3f} to {row['ci_high']:.3f}" if row.get("ci_low") is not None else ""
        shown = f"{row['rank']} of {row['of']}"
        rows.append((shown, row["team"], row["run"], row.get("score"), sure, row.get("differs_from_previous"), row.get("imputed_pairs")))
    out_table(header, rows)


def _score_file(campaign: Campaign, file: Path, gold: Path, targets: str | None, form: str) -> None:
    from scoring.relations.inputs.material import settings_of
    from scoring.relations.measures.single_file import score_single

    for path in (file, gold):
        if not path.is_file():
            raise InputError("there is no such file", where=path)
    for text in settings_of(campaign.places).restricted([gold.name.removesuffix(".jsonl")]):
        say(f"not final: {text}; so is every figure from it")
    chosen = tuple(target.strip() for target in targets.split(",")) if targets else None
    result = score_single(campaign.places, file, gold, campaign.mode, chosen)
    if form == "json":
        as_json(result.as_json())
    else:
        _print_single(result)
    finish(bool(result.problems_of_content()))


def _print_single(result: SingleScore) -> None:
    out(f"{result.file} against {result.gold} ({result.pairs} pairs, targets {', '.join(result.targets)})")
    out(
        f"score {_four(result.official['global_score'])}"
        + (f", 95 % interval {result.low:.4f} to {result.high:.4f}" if result.low is not None and result.high is not None else "")
    )
    for target in result.targets:
        correct, total = result.counts[f"{target}_correct"], result.counts[f"{target}_total"]
        recall, accuracy = result.official[f"{target}_macro_recall"], result.official[f"{target}_accuracy"]
        out(f"  {target}: macro_recall={_four(recall)}, accuracy={_four(accuracy)} ({correct}/{total})")
    if result.rank is not None:
        out(f"would be rank {result.rank} of {result.of} among the campaign's runs on {result.cell}")
    for target in result.targets:
        figures = result.confusions[target]
        header = (f"gold {target}", *(f"said {label}" for label in figures.labels), "recall", "precision", "F1", "gold pairs")
        rows: list[tuple[object, ...]] = []
        for index, label in enumerate(figures.labels):
            measures = [
                None if value is None else float(value) for value in (figures.recall(index), figures.precision(index), figures.f1(index))
            ]
            rows.append((label, *figures.cells[index], *measures, figures.support(index)))
        out("")
        out_table(header, rows)
    for sentence in result.problems_of_content():
        say(f"warning: {sentence}")


def _four(value: float | None) -> str:
    return "none" if value is None else f"{value:.4f}"
