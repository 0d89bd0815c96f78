"""Our own command in a process of its own: what it prints, what it refuses, and that nothing of it stays behind."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from scoring.foundations.problems import InputError
from tui.environment.subprocess_json import ask, ask_json


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "gt").mkdir()
    (tmp_path / "gt" / "gt_page_1.csv").write_text("name\nAnna\n", encoding="utf-8")
    return tmp_path


async def test_what_the_command_prints(workspace: Path) -> None:
    found = await ask_json(workspace, "check")
    assert found["summary"]["ground_truth_rows"] == 1


async def test_a_refusal_is_its_sentence(workspace: Path) -> None:
    with pytest.raises(InputError, match="No such command 'nonsense'"):
        await ask(workspace, "nonsense")


async def test_a_cancelled_question_waits_for_the_process_it_killed(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, program = workspace / "pid", workspace / "program"
    program.write_text(f"#!/bin/sh\necho $$ > '{told}.new' && mv '{told}.new' '{told}'\nwhile :; do echo line; done\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr("tui.environment.subprocess_json.sys.executable", str(program))
    for _ in range(5):
        question = asyncio.create_task(ask(workspace, "check"))
        async with asyncio.timeout(30):
            while not told.exists():
                await asyncio.sleep(0.01)
            process = int(told.read_text("utf-8"))
            os.kill(process, 0)
            question.cancel()
            with pytest.raises(asyncio.CancelledError):
                await question
        with pytest.raises(ProcessLookupError):  # a process that is dead and not waited for would still be there
            os.kill(process, 0)
        told.unlink()
