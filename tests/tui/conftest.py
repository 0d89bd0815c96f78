"""What the tests of the commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.example import write_example
from tests.tui.cli_runner import Run, runner
from tests.tui.small import small_workspace


@pytest.fixture
def adjudicate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs the command in this process."""
    return runner(capsys, monkeypatch, tmp_path)


@pytest.fixture
def register(tmp_path: Path) -> Path:
    """A small workspace whose text tries to harm a terminal."""
    return small_workspace(tmp_path)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The example workspace, to be changed at will."""
    write_example(tmp_path / "example")
    return tmp_path / "example"
