"""The campaign page says what the program has: commands, settings, queues, verdicts."""

from dataclasses import fields

from scoring.relations.cases.queues import QUEUES, VERDICTS
from scoring.relations.inputs.campaign_settings import CampaignSettings, read_campaign_settings
from scoring.relations.inputs.material import CampaignPaths
from tests.shared import ROOT
from tui.cli.campaign.group import COMMANDS

PAGE = (ROOT / "docs" / "campaign.md").read_text(encoding="utf-8")


def test_every_command_queue_and_verdict_is_on_the_page():
    for command in COMMANDS:
        assert f"`campaign {command}" in PAGE, command
    for word in (*QUEUES[:4], *(f"`{verdict}`" for verdict in VERDICTS)):
        assert word in PAGE, word
    for field in fields(CampaignPaths):
        option = {"folder": "", "config": "--config", "teams": "--teams", "labels": "", "results_md": "--results-md"}.get(
            field.name, f"--{field.name.replace('_', '-')}-dir"
        )
        assert option in PAGE, option


def test_the_settings_on_the_page_are_the_defaults(tmp_path):
    block = PAGE.split("```toml\n")[1].split("```")[0]
    path = tmp_path / "campaign.toml"
    path.write_text(block)
    read = read_campaign_settings(path)
    default = CampaignSettings()
    for field in fields(CampaignSettings):
        if field.name != "references":
            assert f"{field.name} = " in block
            assert getattr(read, field.name) == getattr(default, field.name), field.name
    assert read.status("HIPE-2026-v1.0-surprise-test-fr").status == "provisional"
