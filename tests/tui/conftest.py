"""What the tests of the commands share."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.app import App

from scoring.workspace.example import write_example
from tests.tui.cli_runner import Run, runner
from tests.tui.small import small_workspace


@pytest.fixture(autouse=True)
def pictures_without_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snapshots name no font and no address: a picture of ours is whole by itself."""
    real = App.export_screenshot

    def whole(app: App[None], **options: object) -> str:
        return re.sub(r"@font-face \{.*?\}\s*", "", real(app, **options), flags=re.DOTALL)  # type: ignore[arg-type]

    monkeypatch.setattr(App, "export_screenshot", whole)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Nothing of whoever runs the tests: no settings, no name, no colour rule; a cursor that does not blink. The settings' folder."""
    monkeypatch.setenv("ADJUDICATE_CONFIG", str(tmp_path / "config"))
    for name in ("NO_COLOR", "ADJUDICATE_THEME", "ADJUDICATE_VERIFIER", "TEXTUAL_THEME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("textual.widgets.Input.cursor_blink", False)
    monkeypatch.setattr("tui.app.Workbench.CSS", "* { transition: none; }", raising=False)
    return tmp_path / "config"


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
