"""`adjudicate.toml` (`docs/settings.md`): what changes figures, each with its default; an unknown key is an error with a suggestion."""

from pathlib import Path

import pytest

from scoring.foundations.problems import InputError
from scoring.workspace.settings import Settings, read_settings
from tests.shared import ROOT


def reading(tmp_path: Path, text: str | bytes) -> Settings:
    path = tmp_path / "adjudicate.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_settings(path)


def test_the_defaults(tmp_path: Path):
    settings = read_settings(tmp_path / "absent.toml")
    assert (settings.gate, settings.width, settings.misread_floor, settings.merge_token_ratio) == (0.70, 0.10, 0.45, 0.85)
    assert {"e", "et", "und", "u", "&", ","} <= set(settings.joiners)
    assert settings.blank_words == ("null", "null.", "none", "nan", "n/a", "-", "unknown", "<unknown>")
    assert reading(tmp_path, "") == settings


def test_the_examples_settings_are_the_defaults():
    assert read_settings(ROOT / "adjudicate.toml") == Settings()


def test_values(tmp_path: Path):
    text = '\ufeffgate = 1\nwidth = 0\nmajority = 0.75\njoiners = ["and"]\nblank_words = []\n[keys]\nsame = "y"\n'
    settings = reading(tmp_path, text)
    assert (settings.gate, settings.width, settings.majority, settings.joiners, settings.blank_words) == (1.0, 0.0, 0.75, ("and",), ())
    assert isinstance(settings.gate, float)
    assert settings.keys == {"same": "y"}


def test_what_changes_no_figure_is_no_part_of_the_fingerprint(tmp_path: Path):
    settings = reading(tmp_path, '[keys]\nsame = "y"\n')
    assert settings.parsed() == Settings().parsed()
    assert "keys" not in settings.parsed()
    assert settings.parsed() != reading(tmp_path, "gate = 0.8\n").parsed()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# one\ngte = 0.7\n", "adjudicate.toml:2: unknown setting `gte`. Did you mean `gate`?"),
        ("gate = 0.7\n\n  'quite other' = 1\n", "adjudicate.toml:3: unknown setting `quite other`. Known keys are gate, "),
        ("gate = 0.7\n[kyes]\na = 'b'\n", "adjudicate.toml:2: unknown setting `kyes`. Did you mean `keys`?"),
        ('gate = "high"\n', "adjudicate.toml:1: `gate` must be a number from 0 to 1, not 'high'"),
        ("gate = true\n", "`gate` must be a number from 0 to 1, not True"),
        ("gate = 1.1\n", "`gate` must be a number from 0 to 1, not 1.1"),
        ("gate = -0.1\n", "`gate` must be a number"),
        ("gate = nan\n", "`gate` must be a number"),
        ('joiners = "e"\n', "`joiners` must be a list of texts"),
        ("width = 0.1\njoiners = [1]\n", "adjudicate.toml:2: `joiners` must be a list of texts"),
        ('joiners = ["e", " "]\n', "`joiners` holds a blank text"),
        ('keys = "x"\n', "`[keys]` must map action names to keys"),
        ("[keys]\nsame = 1\n", "`[keys]` must map action names to keys"),
        ("gate = \n", "adjudicate.toml:1: the settings are not readable TOML (Invalid value at column 8). Mend the line named"),
        ("gate = 0.7\n\n[keys\n", "adjudicate.toml:3: the settings are not readable TOML (Expected ']' "),
        ("gate = 0.7\r\ngate = 0.8\r\n", "adjudicate.toml:2: the settings are not readable TOML (Cannot overwrite a value at column "),
        ("gate = 0.7\njoiners = [1,\n\n", "adjudicate.toml:2: the settings are not readable TOML (Invalid value at the end of the file)"),
        (b"\xff\xfe", "adjudicate.toml:1: the settings are not readable TOML (not UTF-8: "),
        (b"\xef\xbb\xbf# one\n# caf\xe9\n", "adjudicate.toml:2: the settings are not readable TOML (not UTF-8: "),
        ("gate = " + "[" * 100_000, "adjudicate.toml: the settings are not readable TOML (nested too deeply)"),
    ],
)
def test_faults_are_sentences_with_their_line(tmp_path: Path, text: str | bytes, says: str):
    with pytest.raises(InputError) as fault:
        reading(tmp_path, text)
    assert says in str(fault.value)
