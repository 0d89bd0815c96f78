"""Where things lie, and what is no workspace."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.foundations.problems import InputError
from scoring.workspace.layout import Workspace, entries, natural_key, open_workspace, unsafe_name


def test_a_workspace_is_known_by_what_it_holds(tmp_path: Path):
    with pytest.raises(InputError, match=r"not a workspace.*adjudicate init"):
        open_workspace(tmp_path)
    (tmp_path / "records.db").touch()
    assert open_workspace(tmp_path).root == tmp_path
    for name in ("gt", "questions", "data/reference"):
        folder = tmp_path / name.replace("/", "-")
        (folder / name).mkdir(parents=True)
        assert open_workspace(folder).root == folder


def test_settings_are_read(tmp_path: Path):
    (tmp_path / "gt").mkdir()
    (tmp_path / "adjudicate.toml").write_text("gate = 0.8\n")
    assert open_workspace(tmp_path).settings.gate == 0.8
    (tmp_path / "adjudicate.toml").write_text("gaet = 0.8\n")
    with pytest.raises(InputError, match="Did you mean `gate`"):
        open_workspace(tmp_path)


def test_no_such_folder_and_a_file(tmp_path: Path):
    with pytest.raises(InputError, match="no such folder"):
        open_workspace(tmp_path / "x")
    (tmp_path / "x").touch()
    with pytest.raises(InputError, match="a file, not a workspace"):
        open_workspace(tmp_path / "x")


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="every folder can be read here")
def test_a_folder_that_cannot_be_read(tmp_path: Path):
    (tmp_path / "w").mkdir(mode=0o000)
    with pytest.raises(InputError, match="cannot be read"):
        open_workspace(tmp_path / "w")


def test_places(tmp_path: Path):
    workspace = Workspace(tmp_path)
    assert workspace.relative(workspace.schema_file) == "gt/schema.json"
    assert workspace.relative(Path("/elsewhere/x")) == "/elsewhere/x"
    assert [workspace.relative(path) for path in (workspace.rules_file, workspace.settings_file)] == ["EQUIVALENCES.md", "adjudicate.toml"]


def test_natural_order():
    assert sorted(["10", "2", "1b", "1a", "01", "1", "page 10", "page 9"], key=natural_key) == [
        "01", "1", "1a", "1b", "2", "10", "page 9", "page 10",
    ]  # fmt: skip


@given(st.lists(st.text(max_size=8)))
def test_natural_order_is_total(names):
    keys = {name: natural_key(name) for name in names}
    assert len(set(keys.values())) == len(keys)
    sorted(keys.values())


@pytest.mark.parametrize("name", ["", " a", "a ", "..", "a/b", "a\\b", "a\x1b[31m", "a\u202eb", "a\nb"])
def test_unsafe_names(name):
    assert unsafe_name(name)


@pytest.mark.parametrize("name", ["28", "gpt-oss:120b", "claude sonnet", "Förster", "a.b"])
def test_safe_names(name):
    assert unsafe_name(name) == ""


def test_links_out_of_the_workspace_are_not_followed(tmp_path: Path):
    root, outside = tmp_path / "w", tmp_path / "secret"
    (root / "runs").mkdir(parents=True)
    (root / "kept").mkdir()
    outside.mkdir()
    (root / "runs" / "in").symlink_to(root / "kept")
    (root / "runs" / "out").symlink_to(outside)
    (root / "runs" / "broken").symlink_to(root / "nowhere")
    (root / "runs" / ".hidden").touch()
    (root / "runs" / "a\x1bb").touch()
    found, problems = entries(root / "runs", root)
    assert [path.name for path in found] == ["in"]
    assert sorted(problem.where for problem in problems) == ["runs/a␛b", "runs/broken", "runs/out"]
    assert entries(root / "nowhere", root) == ([], [])
