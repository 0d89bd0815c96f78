"""What a light command does not pay for (`docs/architecture.md#start-up`)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.small import environment

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("pandas", "scipy", "numpy", "matplotlib", "openpyxl", "statsmodels", "krippendorff", "textual", "aiohttp", "jinja2")
REPORT = """
import sys
from tui.cli import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    print(ended.code, file=sys.stderr)
print(" ".join(sorted({name.partition(".")[0] for name in sys.modules})), file=sys.stderr)
"""


def loaded(tmp_path: Path, *args: object) -> set[str]:
    """The packages loaded when a command has run."""
    command = [sys.executable, "-c", REPORT, *map(str, args)]
    done = subprocess.run(command, cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, timeout=120)
    code, modules = done.stderr.splitlines()[-2:]
    assert code in ("0", "1", "None"), done.stderr
    return set(modules.split())


@pytest.mark.parametrize(
    "words", [("--help",), ("check", "--help"), ("rules", "draft", "--help"), ("log", "list", "--help"), ("--version",)]
)
def test_help_loads_nothing_heavy(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert not loaded(tmp_path, *words).intersection(HEAVY)


def test_help_loads_no_screen_even_for_the_workbench(tmp_path: Path) -> None:
    assert "textual" not in loaded(tmp_path, "review", "--help")


@pytest.mark.parametrize(
    "words", [("score", "--format", "json"), ("check",), ("log", "check"), ("rules", "list"), ("truth", "list"), ("next",)]
)
def test_commands_without_screens_load_no_textual(tmp_path: Path, register: Path, words: tuple[str, ...]) -> None:
    assert "textual" not in loaded(tmp_path, "-C", register, *words)


def test_the_engine_knows_no_terminal(tmp_path: Path) -> None:
    code = "import sys, scoring.tasks, scoring.tables.task; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, timeout=60)
    assert not {"textual", "rich", "click"}.intersection(done.stdout.split())
