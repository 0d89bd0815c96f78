"""Promises of the commands: what a screen shows they show, faults name their file, what is no question ends with a full stop."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.foundations.problems import InputError
from tests.tui.cli_runner import Run, runner
from tests.tui.small import small_workspace


@pytest.fixture
def adjudicate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


def test_a_case_shows_what_each_verdict_would_change(adjudicate: Run, root: Path):
    case = adjudicate("-C", root, "next", "--queue", "borderline", "--format", "json").json
    grid = next(block for block in case["effects"] if str(block.get("title")).startswith("If you say so"))
    verdicts = [line["cells"][0] for line in grid["lines"]]
    assert verdicts[0] == "now"
    assert {"same", "different"} < set(verdicts)
    shown = adjudicate("-C", root, "show", case["id"]).out
    assert "If you say so, in " in shown
    now = next(line for line in grid["lines"] if line["cells"][0] == "now")["cells"]
    moved = [line["cells"] for line in grid["lines"] if line["mark"] == "Δ"]
    assert moved, "a borderline case decides something"
    before = float(adjudicate("-C", root, "score", "--format", "json").json["cells"][0]["adjudicated_f1"])
    row = moved[0]
    adjudicate("-C", root, "--verifier", "mp", "decide", case["id"], row[0])
    cells = adjudicate("-C", root, "score", "--format", "json").json["cells"]
    cell = next(one for one in cells if f"{one['model']} {one['phase']}" in grid["title"])
    wanted = float(now[4]) + (0.0 if row[4] == "=" else float(row[4]))
    assert cell["adjudicated_f1"] == pytest.approx(wanted, abs=1.01e-4)
    assert before is not None


def test_blind_the_effects_are_hidden_until_the_verdict_and_then_all_is_told(adjudicate: Run, root: Path):
    case = adjudicate("-C", root, "next", "--queue", "borderline", "--blind", "--format", "json").json
    assert case["effects"] == []
    adjudicate("-C", root, "--verifier", "bob", "decide", case["id"], "different")
    blind = adjudicate("-C", root, "--verifier", "mp", "show", case["id"], "--blind").out
    assert "If you say so" not in blind
    assert "bob" not in blind
    told = adjudicate("-C", root, "--verifier", "mp", "decide", case["id"], "same", "--blind").out
    for part in ("proposed was: ", "similarity: 0.", "read by: ", "bob: different"):
        assert part in told


def test_the_key_map_is_refused_with_the_file_it_stands_in(adjudicate: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tui.cli.cases.review._has_screens", lambda: True)
    settings = root / "adjudicate.toml"
    settings.write_text('[keys]\n"verdict.same" = "x"\n', "utf-8")
    done = adjudicate("-C", root, "review")
    assert done.code == 2
    assert "adjudicate.toml:2: the key map gives `x` to `verdict.same`" in done.err
    settings.unlink()
    user = tmp_path / "config" / "user.toml"
    user.parent.mkdir()
    user.write_text('[keys]\n"verdict.sam" = "y"\n', "utf-8")
    done = adjudicate("-C", root, "review")
    assert done.code == 2
    assert "user.toml:2: the key map names no action `verdict.sam`. Did you mean `verdict.same`?" in done.err
    user.write_text('theme = "textual-drak"\n', "utf-8")
    done = adjudicate("-C", root, "review")
    assert done.code == 2
    assert "there is no theme `textual-drak`" in done.err


def test_the_theme_of_the_per_user_settings_is_the_theme(adjudicate: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from tui.app import Workbench

    seen: list[str] = []
    monkeypatch.setattr("tui.cli.cases.review._has_screens", lambda: True)
    monkeypatch.setattr(Workbench, "run", lambda self: (self.on_mount_theme(), seen.append(self.theme)))
    monkeypatch.setattr(Workbench, "on_mount_theme", lambda self: setattr(self, "theme", self._theme_wanted), raising=False)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "user.toml").write_text('theme = "textual-light"\n', "utf-8")
    assert adjudicate("-C", root, "review").code == 0
    assert seen == ["textual-light"]


def test_a_program_that_fails_ends_with_its_code(adjudicate: Run, root: Path, monkeypatch: pytest.MonkeyPatch):
    from tui.app import Workbench

    monkeypatch.setattr("tui.cli.cases.review._has_screens", lambda: True)
    monkeypatch.setattr(Workbench, "run", lambda self: setattr(self, "_return_code", 1))
    assert adjudicate("-C", root, "review").code == 1


@pytest.mark.parametrize(
    ("what", "hint", "said"),
    [
        ("who is it?", "say a name", "who is it? Say a name."),
        ("unknown setting `gte`", "did you mean `gate`", "unknown setting `gte`. Did you mean `gate`?"),
        ("a fault.", "", "a fault."),
    ],
)
def test_sentences_end_once(what: str, hint: str, said: str):
    assert str(InputError(what, hint=hint)) == said
