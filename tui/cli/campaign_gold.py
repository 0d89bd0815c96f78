"""`adjudicate campaign import-decisions | export-gold`: verdicts out of a workbook, and the gold they make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from scoring.problems import InputError, Problem, Severity
from tui.cli.campaign_common import campaign_of, campaign_options, decisions_of, finish, loaded, out, print_problems, verifier_of
from tui.cli.campaign_score import scored
from tui.cli.output_date import dateless


@click.command("import-decisions")
@click.argument("workbook", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only say what would be written.")
@campaign_options
@click.pass_context
def import_decisions(ctx: click.Context, /, workbook: Path, dry_run: bool, **options: Any) -> None:
    """Read the decision and reason columns of WORKBOOK into the log, as verdicts of the verifier.

    A row whose gold label has changed since the workbook was made is refused, as is a decision that is none; the others are read.
    A verdict the log has already is not written again.

    Example: adjudicate --verifier mp campaign import-decisions HIPE-2026-v1.0-surprise-test-fr.gt_validation.xlsx
    """
    from scoring.adjudication.log import Log
    from scoring.relations.adjudicated import evaluate
    from scoring.relations.decisions import entries_of
    from scoring.relations.workbook import read_decisions

    if not workbook.is_file():
        raise InputError("there is no such workbook", where=workbook)
    campaign = campaign_of(ctx, options)
    verifier = verifier_of(campaign)
    log = Log.open(campaign.invocation.folder / "adjudications", verifier)
    written, problems = read_decisions(workbook)
    evaluation = evaluate(scored(campaign, loaded(campaign)), decisions_of(campaign))
    entries, refused, known = entries_of(evaluation, written, verifier)
    problems += [Problem(Severity.ERROR, why, str(workbook), row=row) for row, why in refused]
    if entries and not dry_run:
        log.append_many(entries)
    print_problems(problems, to_stderr=True)
    verb = "would be written" if dry_run else "written"
    out(f"{len(written)} decisions in the workbook: {len(entries)} {verb}, {known} in the log already, {len(refused)} refused")
    finish(bool(problems))


@click.command("export-gold")
@click.argument("reference", required=False)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write; by default in results.d/ours/gold/.")
@dateless
@campaign_options
@click.pass_context
def export_gold(ctx: click.Context, /, reference: str | None, output: Path | None, **options: Any) -> None:
    """Write the adjudicated gold of REFERENCE (by default of every reference) in the official schema.

    Example: adjudicate -C my-campaign campaign export-gold HIPE-2026-v1.0-surprise-test-fr
    """
    from scoring.relations.adjudicated import evaluate
    from scoring.relations.gold_export import changed_labels, gold_text

    campaign = campaign_of(ctx, options)
    material = loaded(campaign)
    stems = {held.stem: held for held in material.references.values()}
    wanted = None if reference is None else Path(reference).name.removesuffix(".jsonl")
    if wanted is not None and wanted not in stems:
        raise InputError(f"there is no reference {wanted}", hint=f"references are {', '.join(stems) or 'none'}")
    if output is not None and wanted is None and len(stems) > 1:
        raise click.UsageError("-o needs the REFERENCE to write")
    evaluation = evaluate(scored(campaign, material), decisions_of(campaign))
    for effect in (*evaluation.stale(), *evaluation.conflicts()):
        print_problems([Problem(Severity.WARNING, f"{effect.entry.case}: {effect.stale or 'conflict'}; not applied")], to_stderr=True)
    for stem, held in stems.items():
        if wanted not in (None, stem):
            continue
        if not held.file.sound:
            raise InputError("this reference has violations", where=held.file.path, hint="`adjudicate campaign validate` lists them")
        path = output or campaign.places.ours / "gold" / f"{stem}.adjudicated.jsonl"
        if path.resolve() == held.file.path.resolve():
            raise InputError("the gold is never written over itself", where=path, hint="give another file with -o")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gold_text(evaluation, held).encode("utf-8", "surrogatepass"))
        out(f"{path}: {len(changed_labels(evaluation, held))} labels changed")
