"""`adjudicate campaign`: a HIPE-2026 campaign from submissions to rankings, and its gold adjudicated (`docs/campaign.md`)."""

from __future__ import annotations

import click

from tui.cli.common.lazy_group import LazyGroup

# Command -> module:attribute. Nothing is imported before its command is called.
COMMANDS: dict[str, str] = {
    "validate": "tui.cli.campaign.validate:validate",
    "score": "tui.cli.campaign.score:score",
    "rankings": "tui.cli.campaign.stages:rankings",
    "diagnostics": "tui.cli.campaign.stages:diagnostics",
    "gt-validation": "tui.cli.campaign.stages:gt_validation",
    "results-md": "tui.cli.campaign.stages:results_md",
    "ensemble": "tui.cli.campaign.stages:ensemble",
    "full": "tui.cli.campaign.stages:full",
    "import": "tui.cli.campaign.rounds:import_files",
    "snapshot": "tui.cli.campaign.rounds:snapshot",
    "changes": "tui.cli.campaign.rounds:changes",
    "import-decisions": "tui.cli.campaign.gold:import_decisions",
    "export-gold": "tui.cli.campaign.gold:export_gold",
}
# One line a purpose, so that `--help` fits a screen of 24 lines.
PURPOSES = (
    ("validate", "Check references, submissions and information files."),
    ("score", "Score the submissions, or one file against one gold."),
    ("rankings", "Build the ranking tables."),
    ("diagnostics", "Write the diagnostics of every run."),
    ("gt-validation", "Write workbooks of doubtful gold labels."),
    ("results-md", "Write the results page, Markdown and HTML."),
    ("ensemble", "Let the runs vote as ensembles."),
    ("full", "All stages in one pass."),
    ("import", "Bring submissions in under their proper names."),
    ("snapshot, changes", "Keep a round (scores, ranks, gold); what changed since."),
    ("import-decisions", "Read decisions from a workbook into the log."),
    ("export-gold", "Write the adjudicated gold as a reference file."),
)


@click.group(cls=LazyGroup, modules=COMMANDS, purposes=PURPOSES)
def campaign() -> None:
    """A HIPE-2026 campaign: validate, score, rank, adjudicate.

    Its folder (-C DIR) holds data/reference/, data/systems/, teams.json and competition_config.json; outputs go to
    results.d/, ours to results.d/ours/. Example: adjudicate -C my-campaign campaign full
    """
