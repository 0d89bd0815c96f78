"""`adjudicate campaign import | snapshot | changes`: submissions brought in, rounds kept, what changed between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tui.cli.campaign.options import as_json, campaign_of, campaign_options, loaded, nothing_to_score, out, say, text_table
from tui.cli.campaign.score import scored
from tui.cli.common.output_date import date_option


@click.command("import")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--map", "mapping", type=click.Path(path_type=Path), help="A CSV: source, team, reference, run, info.")
@click.option("--team", default="", help="The team of FILES.")
@click.option("--run", default="", help="The run of FILES.")
@click.option("--reference", default="", help="The reference FILES answer; by default the one whose documents they hold.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@date_option
@campaign_options
@click.pass_context
def import_files(
    ctx: click.Context,
    /,
    files: tuple[Path, ...],
    mapping: Path | None,
    team: str,
    run: str,
    reference: str,
    dry_run: bool,
    date: str | None,
    **options: Any,
) -> None:
    """Bring submissions in under their proper names; imports.csv keeps what was renamed.

    Nothing is overwritten. An information file beside a source is brought in too.

    Example: adjudicate campaign import final_v2.jsonl --team team12 --run run1
    """
    from scoring.relations.inputs.submission_import import RECORD, SubmissionRequest, carry_out, plan, read_mapping
    from scoring.workspace.provenance import generation_date

    if bool(files) == (mapping is not None):
        raise click.UsageError("give either FILES or --map")
    campaign = campaign_of(ctx, options)
    material = loaded(campaign)
    wanted = read_mapping(mapping) if mapping is not None else [SubmissionRequest(path, team, reference, run) for path in files]
    planned = plan(material, wanted)
    for entry in planned:
        out(f"{entry.source} -> {entry.name.file}{' (there already)' if entry.same else ''}")
    if not dry_run:
        written = carry_out(material, planned, when=generation_date(date))
        out(f"{len(written)} brought in; kept in {campaign.places.folder / RECORD}")


@click.command()
@click.argument("name")
@click.option("--replace", "overwrite", is_flag=True, help="Write over a round of that name.")
@date_option
@campaign_options
@click.pass_context
def snapshot(ctx: click.Context, /, name: str, overwrite: bool, date: str | None, **options: Any) -> None:
    """Keep a round under NAME: every score and rank, every gold label, what each file was.

    Example: adjudicate -C my-campaign campaign snapshot first-round
    """
    from scoring.foundations.problems import InputError
    from scoring.relations.measures.diagnostics import json_text
    from scoring.relations.outputs.changes import snapshot as taken
    from scoring.relations.outputs.rounds import snapshot_file
    from scoring.workspace.provenance import generation_date

    campaign = campaign_of(ctx, options)
    path = snapshot_file(campaign.places, name)
    if path.exists() and not overwrite:
        raise InputError("there is a round of that name", where=path, hint="take another name, or --replace it")
    material = loaded(campaign)
    if nothing_to_score(material):
        return
    base = scored(campaign, material)
    path.parent.mkdir(parents=True, exist_ok=True)
    held = taken(material, base.automatic, base.tables, name=name, made=generation_date(date))
    path.write_bytes(json_text(held).encode("utf-8", "backslashreplace"))
    out(f"{len(base.automatic.runs)} runs and {len(material.references)} references kept in {path}")


@click.command()
@click.argument("before", required=False)
@click.argument("after", required=False)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How changes are printed.")
@campaign_options
@click.pass_context
def changes(ctx: click.Context, /, before: str | None, after: str | None, form: str, **options: Any) -> None:
    """What changed between two rounds; by default between the last one kept and the campaign as it is now.

    Example: adjudicate -C my-campaign campaign changes first-round
    """
    from scoring.foundations.problems import InputError
    from scoring.relations.outputs.changes import file_moves, gold_moves, table_moves
    from scoring.relations.outputs.changes import snapshot as taken
    from scoring.relations.outputs.rounds import latest_snapshot, read_snapshot
    from scoring.workspace.provenance import generation_date

    campaign = campaign_of(ctx, options)
    name = before or latest_snapshot(campaign.places)
    if name is None:
        raise InputError("no round has been kept yet", hint="`adjudicate campaign snapshot NAME` keeps one")
    old = read_snapshot(campaign.places, name)
    if after is not None:
        new = read_snapshot(campaign.places, after)
    else:
        base = scored(campaign, loaded(campaign))
        new = taken(base.material, base.automatic, base.tables, name="now", made=generation_date())
    if old["mode"] != new["mode"]:
        say(f"the rounds are of different modes: {old['mode']} and {new['mode']}")
    files, gold, moves = file_moves(old, new), gold_moves(old, new), table_moves(old["tables"], new["tables"])
    if form == "json":
        as_json(
            {
                "before": old["name"],
                "after": new["name"],
                "files": {slot: getattr(files, slot) for slot in files.__slots__},
                "gold": [{slot: getattr(move, slot) for slot in move.__slots__} for move in gold],
                "ranks": [{slot: getattr(move, slot) for slot in move.__slots__} for move in moves],
            }
        )
        return
    out(f"{old['name']} ({old['made']}) -> {new['name']} ({new['made']})")
    for what, names in (("new", files.added), ("gone", files.gone), ("other content", files.changed)):
        for file in names:
            out(f"{what}: {file}")
    for stem in sorted({move.reference for move in gold}):
        out(f"gold: {sum(move.reference == stem for move in gold)} labels of {stem} changed")
    if gold:
        rows = [(move.document_id, move.pers_entity_id, move.loc_entity_id, move.relation, move.before, move.after) for move in gold]
        click.echo(text_table(("document", "person", "place", "relation", "before", "after"), rows))
    if moves:
        header = ("table", "team", "run", "rank", "now", "score", "now")
        lines = [(m.table.removesuffix(".tsv"), m.team, m.run, m.rank_before, m.rank_after, m.score_before, m.score_after) for m in moves]
        click.echo(text_table(header, lines))
    if not (moves or gold or files.added or files.gone or files.changed):
        out("nothing changed")
