"""Faults of TOML files carry their line (`docs/architecture.md#failure-rules`): settings, question set and campaign alike."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from scoring.foundations.problems import InputError
from scoring.foundations.toml_files import line_of, read_toml
from scoring.questions.matching.question_set import read_questions
from scoring.relations.inputs.campaign_settings import ReferenceStatus, read_campaign_settings
from scoring.workspace.settings import read_settings


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = \n", "questions.toml:1: the question set is not readable TOML (Invalid value at column 5). Mend the line named."),
        ("title = 'x'\n[[question]\n", "questions.toml:2: the question set is not readable TOML (Expected ']]' "),
        (b"# one\n\nx = '\xe9'\n", "questions.toml:3: the question set is not readable TOML (not UTF-8: "),
        ("x = " + "[" * 100_000, "questions.toml: the question set is not readable TOML (nested too deeply)"),
    ],
)
def test_a_question_set_that_is_no_toml(tmp_path: Path, text: str | bytes, says: str) -> None:
    path = tmp_path / "questions.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(InputError) as fault:
        read_questions(path)
    assert says in str(fault.value)


STATUS = "the status of one must be one of final, provisional, embargoed, not 'done'"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("seed = 1\nvoters = official\n", "campaign.toml:2: the campaign's settings are not readable TOML (Invalid value at column 10)"),
        ("seed = 1\n\nsed = 2\n", "campaign.toml:3: unknown key `sed`. Did you mean `seed`?"),
        ("seed = 1\nresamples = 'x'\n", "campaign.toml:2: `resamples` must be a whole number, not 'x'"),
        ("seed = 1\nvoters = 'x'\n", "campaign.toml:2: `voters` must be one of official, best-per-team, above-baseline, not 'x'"),
        ("# a\n# b\nresamples = 1\n", "campaign.toml:3: `resamples` must be at least 100"),
        ("seed = 1\n[references]\none = 2\n", "campaign.toml:3: `references.one` must be a table"),
        ("[references.other]\nstatus = 'final'\n[references.one]\nversion = '1'\nstatus = 'done'\n", f"campaign.toml:5: {STATUS}"),
        ("seed = 1\n[references]\none = {status = 'done'}\n", f"campaign.toml:3: {STATUS}"),
        ("[references.one]\nstate = 'final'\n", "campaign.toml:2: unknown key `state`. Did you mean `status`?"),
    ],
)
def test_faults_of_a_campaign(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "campaign.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as fault:
        read_campaign_settings(path)
    assert says in str(fault.value)


def test_a_sound_campaign_and_none(tmp_path: Path) -> None:
    path = tmp_path / "campaign.toml"
    assert read_campaign_settings(path).references == {}
    path.write_text("seed = 7\n[references.one]\nstatus = 'provisional'\nversion = '2'\n", "utf-8-sig")
    read = read_campaign_settings(path)
    assert (read.seed, dict(read.references)) == (7, {"one": ReferenceStatus("provisional", "2")})


def test_the_line_of_a_key() -> None:
    text = "a = 1\nb.c = 2\n'd e' = 3\n\n[t]\na = 4\n[t.u]\na = 5\n[[v]]\n"
    assert [line_of(text, key) for key in ("a", "b", "d e", "t", "v", "z")] == [1, 2, 3, 5, 9, None]
    assert (line_of(text, "a", ("t",)), line_of(text, "a", ("t", "u"))) == (6, 8)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("read", [read_settings, read_campaign_settings, read_questions])
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, read: Callable[[Path], object]) -> None:
    os.mkfifo(tmp_path / "some.toml")
    with pytest.raises(InputError, match="not a regular file"):
        read(tmp_path / "some.toml")


def test_an_absent_file_is_none(tmp_path: Path) -> None:
    assert read_toml(tmp_path / "some.toml", "it is") is None
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    (tmp_path / "some.toml").symlink_to(tmp_path / "gone.toml")
    assert read_toml(tmp_path / "some.toml", "it is") is None
    with pytest.raises(InputError, match="cannot be read"):
        read_toml(file / "within.toml", "it is")
