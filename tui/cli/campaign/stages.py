"""The stages of a campaign as commands: rankings, diagnostics, gt-validation, results-md, ensemble, full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scoring.foundations.problems import Problem, Severity
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
    print_problems,
    progress,
    say,
)
from tui.cli.campaign.score import print_ranks, removed_note, scored, write_scores
from tui.cli.common.output_date import dateless

if TYPE_CHECKING:
    from scoring.relations.cases.adjudicated_gold import Base
    from scoring.relations.inputs.material import Material
    from scoring.relations.measures.rankings import RankingTable
    from scoring.relations.outputs.result_files import Outputs
    from scoring.relations.outputs.stages import StageResult

EXTRAS = ("ensemble", "gt-validation")
WARNINGS_SAID = 20


def our_tables_of(material: Material, base: Base) -> tuple[RankingTable, ...]:
    """Our rankings of a scored campaign."""
    from scoring.relations.measures.extended_rankings import our_tables
    from scoring.relations.outputs.stages import resamples_of

    return our_tables(material, base.automatic, resamples_of(material))


def told(done: StageResult, *, official: bool = False) -> bool:
    """Say a stage's errors and notes; whether there were errors."""
    for name, why in done.errors:
        say(f"[ERROR] {name}: {why}" if official else f"error: {name}: {why}")
    for note in done.notes:
        say(f"note: {note}")
    return bool(done.errors)


def written_lines(outputs: Outputs, stage: str, *, official: bool = False) -> None:
    """Say what a stage wrote: each file in the official words, else how many and where."""
    paths = outputs.written.get(stage, [])
    if official:
        for path in paths:
            if not path.is_relative_to(outputs.places.ours):
                out(f"[OK] Wrote {path}")
    elif paths:
        folders = ", ".join(str(folder) for folder in dict.fromkeys(path.parent for path in paths))
        out(f"{stage}: {len(paths)} files in {folders}")


@click.command()
@click.option("--cell", help="Print the ranking of this cell (impresso-test-de, ..., overall-test-a).")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How the ranking is printed.")
@dateless
@campaign_options
@click.pass_context
def rankings(ctx: click.Context, /, cell: str | None, form: str, **options: Any) -> None:
    """Build the ranking tables from the scored runs.

    The official tables come from the per-run files, ours (competition ranks, intervals, whether neighbours differ) from the submissions.

    Example: adjudicate -C my-campaign campaign rankings --cell overall-test-a
    """
    from scoring.relations.measures.rankings import tables
    from scoring.relations.outputs.result_files import Outputs, read_per_run
    from scoring.relations.outputs.stages import rankings_stage

    campaign = campaign_of(ctx, options)
    material = loaded(campaign)
    outputs = Outputs(campaign.places)
    records, problems = read_per_run(outputs)
    ours: tuple[RankingTable, ...] = our_tables_of(material, scored(campaign, material)) if material.submissions else ()
    rankings_stage(outputs, tables(records), ours)
    outputs.settle(["rankings"])
    print_problems(problems, to_stderr=True)
    removed_note(outputs.stale)
    if not records:
        say(f"no scored runs found in {campaign.places.per_run}, so there is no ranking")
    chosen = [table for table in ours if cell is None or table.file == f"ranking-{cell}.tsv"]
    if form == "json":
        as_json({table.file: list(table.rows) for table in chosen})
    else:
        if cell is not None:
            if not chosen:
                known = ", ".join(table.file.removeprefix("ranking-").removesuffix(".tsv") for table in ours) or "none"
                raise click.BadParameter(f"there is no ranking {cell}; there are {known}", param_hint="--cell")
            print_ranks(chosen[0])
        written_lines(outputs, "rankings")
    finish(any(problem.severity == Severity.ERROR for problem in problems))


@click.command()
@click.option("--official", is_flag=True, help="Print what the official script prints, and nothing else.")
@dateless
@campaign_options
@click.pass_context
def diagnostics(ctx: click.Context, /, official: bool, **options: Any) -> None:
    """Write the diagnostics of every run that can be read at all.

    Example: adjudicate -C my-campaign campaign diagnostics
    """
    from scoring.relations.measures.evaluation import aligned_runs
    from scoring.relations.outputs.result_files import Outputs
    from scoring.relations.outputs.stages import diagnostics_stage

    campaign = campaign_of(ctx, options)
    material = loaded(campaign)
    if nothing_to_score(material, ["diagnostics"]):
        return
    outputs = Outputs(campaign.places)
    with progress("diagnostics") as report:
        done = diagnostics_stage(outputs, material, aligned_runs(material), campaign.mode, progress=report)
    outputs.settle(["diagnostics"])
    written_lines(outputs, "diagnostics", official=official)
    finish(told(done, official=official))


@click.command("gt-validation")
@click.option("--voters", type=click.Choice(["official", "best-per-team", "above-baseline"]), help="Who votes in our workbook.")
@click.option("--voter-teams", type=click.IntRange(min=1), help="How many teams vote with best-per-team.")
@click.option("--adjudicated", is_flag=True, help="Hold the votes against the gold as the log has it (our workbook).")
@dateless
@campaign_options
@click.pass_context
def gt_validation(ctx: click.Context, /, voters: str | None, voter_teams: int | None, adjudicated: bool, **options: Any) -> None:
    """Write a workbook of doubtful gold labels for each reference.

    The official one holds the three official sheets; ours, in results.d/ours/, adds the sentences around the mentions and columns for
    decision and reason, which `import-decisions` reads back.

    Example: adjudicate -C my-campaign campaign gt-validation --voters best-per-team
    """
    from dataclasses import replace

    from scoring.relations.cases.adjudicated_gold import base_of, evaluate
    from scoring.relations.measures.evaluation import aligned_runs
    from scoring.relations.outputs.result_files import Outputs, read_rankings
    from scoring.relations.outputs.stages import gold_check_stage

    campaign = campaign_of(ctx, options)
    material = loaded(campaign)
    settings = replace(
        material.settings,
        voters=voters or material.settings.voters,
        voter_teams=voter_teams or material.settings.voter_teams,
    )
    material = replace(material, settings=settings)
    outputs = Outputs(campaign.places)
    tables, problems = read_rankings(outputs)
    print_problems(problems, to_stderr=True)
    aligned = aligned_runs(material)
    gold = evaluate(base_of(material, campaign.mode, aligned=aligned), decisions_of(campaign)).gold if adjudicated else None
    done = gold_check_stage(outputs, material, aligned, tables, gold, campaign.mode)
    outputs.settle(["gt-validation"])
    written_lines(outputs, "gt-validation")
    finish(told(done, official=True))


@click.command("results-md")
@click.option("--internal", is_flag=True, help="Show what rests on references that are not final, marked.")
@dateless
@campaign_options
@click.pass_context
def results_md(ctx: click.Context, /, internal: bool, **options: Any) -> None:
    """Write the results page from the ranking tables, and ours as Markdown and as HTML with sortable tables.

    Example: adjudicate -C my-campaign campaign results-md --internal
    """
    from scoring.relations.outputs.result_files import Outputs, read_rankings
    from scoring.relations.outputs.stages import results_stage

    campaign = campaign_of(ctx, options)
    material = loaded(campaign)
    outputs = Outputs(campaign.places)
    tables, problems = read_rankings(outputs)
    print_problems(problems, to_stderr=True)
    ours = our_tables_of(material, scored(campaign, material)) if material.submissions else ()
    done = results_stage(outputs, material, tables, ours, campaign.mode, internal=internal)
    outputs.settle(["results"])
    told(done)
    written_lines(outputs, "results")


@click.command()
@click.option("--top-n", type=click.IntRange(min=1), default=5, show_default=True, help="How many runs the `top` ensemble takes.")
@dateless
@campaign_options
@click.pass_context
def ensemble(ctx: click.Context, /, top_n: int, **options: Any) -> None:
    """Let the runs vote as ensembles: all, those above the baseline, the first few.

    Example: adjudicate -C my-campaign campaign ensemble --top-n 5
    """
    from scoring.relations.outputs.result_files import Outputs
    from scoring.relations.outputs.stages import ensemble_stage

    campaign = campaign_of(ctx, options)
    material = loaded(campaign)
    if nothing_to_score(material, ["ensemble"]):
        return
    base = scored(campaign, material)
    outputs = Outputs(campaign.places)
    done = ensemble_stage(outputs, base.automatic, base.tables, top_n)
    outputs.settle(["ensemble"])
    written_lines(outputs, "ensemble")
    finish(told(done))


@click.command()
@click.option("--with", "extras", default="", metavar="ensemble,gt-validation", help="Further stages.")
@click.option("--internal", is_flag=True, help="Show what rests on references that are not final, marked.")
@dateless
@campaign_options
@click.pass_context
def full(ctx: click.Context, /, extras: str, internal: bool, **options: Any) -> None:
    """All stages in one pass: validate, score, rankings, diagnostics, results page.

    Every file is read once. What is wrong with a submission is said and the rest is scored (exit code 1).

    Example: adjudicate -C my-campaign campaign full --with ensemble,gt-validation
    """
    from scoring.relations.inputs.doubtful_submissions import campaign_doubts, doubts_of_gold
    from scoring.relations.inputs.validation import all_problems
    from scoring.relations.outputs.result_files import STAGES, Outputs, as_read
    from scoring.relations.outputs.stages import (
        diagnostics_stage,
        ensemble_stage,
        gold_check_stage,
        rankings_stage,
        refuse_other_mode,
        results_stage,
    )

    wanted = tuple(name.strip() for name in extras.split(",") if name.strip())
    unknown = [name for name in wanted if name not in EXTRAS]
    if unknown:
        raise click.BadParameter(f"there is no stage {unknown[0]} to add; there are {', '.join(EXTRAS)}", param_hint="--with")
    campaign = campaign_of(ctx, options)
    material = loaded(campaign)
    if nothing_to_score(material, STAGES):
        return
    outputs = Outputs(campaign.places)
    refuse_other_mode(outputs, campaign.mode)
    base = scored(campaign, material)
    problems = [*all_problems(material), *doubts_of_gold(material), *campaign_doubts(material, base.aligned)]
    _told_problems(outputs, problems)
    failed = write_scores(material, base, official=False)
    ours = our_tables_of(material, base)
    tables = as_read(base.tables)
    stages = ["rankings", "diagnostics", "results"]
    rankings_stage(outputs, base.tables, ours)
    with progress("diagnostics") as report:
        failed |= told(diagnostics_stage(outputs, material, base.aligned, campaign.mode, progress=report))
    if "gt-validation" in wanted:
        failed |= told(gold_check_stage(outputs, material, base.aligned, base.tables, mode=campaign.mode), official=True)
        stages.append("gt-validation")
    told(results_stage(outputs, material, tables, ours, campaign.mode, internal=internal))
    if "ensemble" in wanted:
        failed |= told(ensemble_stage(outputs, base.automatic, base.tables))
        stages.append("ensemble")
    outputs.settle(stages)
    removed_note(outputs.stale)
    out(f"per-run: {len(base.automatic.runs)} scored, {len(base.automatic.failed)} not, in {campaign.places.per_run}")
    for stage in stages:
        written_lines(outputs, stage)
    _summary(campaign, ours)
    finish(failed or any(problem.severity == Severity.ERROR for problem in problems))


def _told_problems(outputs: Outputs, problems: list[Problem]) -> None:
    """Say every error and the first warnings; all of them go to a file."""
    from scoring.relations.measures.rankings import RankingTable, safe_tsv

    errors = [problem for problem in problems if problem.severity == Severity.ERROR]
    warnings = [problem for problem in problems if problem.severity == Severity.WARNING]
    print_problems([*errors, *warnings[:WARNINGS_SAID]], to_stderr=True)
    columns = ("severity", "where", "line", "message")
    rows = tuple({column: getattr(problem, column) for column in columns} for problem in problems)
    path = outputs.write("results", outputs.places.ours / "problems.tsv", safe_tsv(RankingTable("problems.tsv", columns, rows)))
    if len(warnings) > WARNINGS_SAID:
        say(f"{len(warnings) - WARNINGS_SAID} more warnings in {path}")


def _summary(campaign: Campaign, ours: tuple[RankingTable, ...]) -> None:
    """The first places of the overall ranking, where there is one."""
    overall = next((table for table in ours if table.file == "ranking-overall-test-a.tsv"), None)
    if overall is not None and overall.rows:
        out("")
        out(f"Overall, of {overall.rows[0]['of']} complete runs{' (binary at)' if campaign.mode == 'BINARY' else ''}:")
        print_ranks(overall, top=5)
