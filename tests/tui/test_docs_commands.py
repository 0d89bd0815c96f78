"""The pages on commands and settings say what the program does."""

from __future__ import annotations

import importlib
import re
from dataclasses import fields
from pathlib import Path

import click
import tomlkit

from scoring.workspace.settings import Settings
from tui.cli import COMMANDS
from tui.environment.new_workspace import setting_sentences

DOCS = Path(__file__).resolve().parents[2] / "docs"
TRUTH_STATES = ("agreed", "by hand", "conflict", "stale", "done")


def test_every_setting_stands_in_the_table_with_its_default() -> None:
    page = (DOCS / "settings.md").read_text("utf-8")
    told = setting_sentences()
    expected = []
    for entry in fields(Settings):
        if entry.name not in ("keys", "aliases"):
            value = getattr(Settings(), entry.name)
            default = tomlkit.item(list(value) if isinstance(value, tuple) else value).as_string()
            sentence = told[entry.name][0].upper() + told[entry.name][1:]
            expected.append(f"| `{entry.name}` | `{default}` | {sentence} |")
    assert [line for line in page.splitlines() if line in expected] == expected


def test_every_command_stands_in_the_table() -> None:
    table = "\n".join(line for line in (DOCS / "commands.md").read_text("utf-8").splitlines() if line.startswith("| `"))
    named = set(re.findall(r"`([a-z]+)", table))
    assert set(COMMANDS) <= named


def test_every_subcommand_of_mine_stands_in_its_line() -> None:
    page = (DOCS / "commands.md").read_text("utf-8").splitlines()
    for name in ("log", "truth", "rules"):
        module, attribute = COMMANDS[name].split(":")
        group = getattr(importlib.import_module(module), attribute)
        assert isinstance(group, click.Group)
        line = next(line for line in page if line.startswith(f"| `{name} "))
        assert set(group.commands) <= set(re.findall(r"[a-z]+", line.split("|")[1])), name


def test_the_states_of_a_doubt() -> None:
    from typing import get_args

    from scoring.adjudication.doubts import State

    page = (DOCS / "commands.md").read_text("utf-8")
    assert set(get_args(State)) == set(TRUTH_STATES)
    assert all(f"\n| {state} | " in page for state in TRUTH_STATES)
