"""`adjudicate campaign`: a HIPE-2026 campaign from submissions to rankings, and its gold adjudicated (`3-relations`)."""

from __future__ import annotations

import click

from tui.cli.lazy import LazyGroup, listed

# Command -> (module:attribute, one line for `--help`). Nothing is imported before its command is called.
COMMANDS: dict[str, tuple[str, str]] = {
    "validate": ("tui.cli.campaign_check:validate", "Check references, submissions and information files."),
    "score": ("tui.cli.campaign_score:score", "Score the submissions, or one file against one gold."),
    "rankings": ("tui.cli.campaign_stages:rankings", "Build the ranking tables."),
    "diagnostics": ("tui.cli.campaign_stages:diagnostics", "Write the diagnostics of every run."),
    "gt-validation": ("tui.cli.campaign_stages:gt_validation", "Write workbooks of doubtful gold labels."),
    "results-md": ("tui.cli.campaign_stages:results_md", "Write the results page, Markdown and HTML."),
    "ensemble": ("tui.cli.campaign_stages:ensemble", "Let the runs vote as ensembles."),
    "full": ("tui.cli.campaign_stages:full", "All stages in one pass."),
    "import": ("tui.cli.campaign_rounds:import_files", "Bring submissions in under their proper names."),
    "snapshot": ("tui.cli.campaign_rounds:snapshot", "Keep a round: scores, ranks, gold."),
    "changes": ("tui.cli.campaign_rounds:changes", "What changed since a round."),
    "import-decisions": ("tui.cli.campaign_gold:import_decisions", "Read decisions from a workbook into the log."),
    "export-gold": ("tui.cli.campaign_gold:export_gold", "Write the adjudicated gold as a reference file."),
}


@click.group(cls=LazyGroup, **listed(COMMANDS))
def campaign() -> None:
    """A HIPE-2026 campaign: validate, score, rank, adjudicate.

    The campaign folder (-C DIR) holds data/reference/, data/systems/, teams.json and competition_config.json. Outputs go to
    results.d/ as the official pipeline writes them, ours beside them to results.d/ours/.

    Example: adjudicate -C my-campaign campaign full
    """
