"""`adjudicate init`, `example`, `check`, and what all commands have in common."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from scoring.example import UNION
from scoring.rules import check, read_rules
from scoring.schema import Field, Schema, read_schema
from scoring.settings import Settings, read_settings
from tests.shared import shared
from tests.tui.cli_runner import Run
from tests.tui.small import ESCAPES
from tui.cli import COMMANDS
from tui.cli.check import kind_of
from tui.new_workspace import setting_sentences, settings_text

GROUPS = {
    "log": ("list", "check", "export", "import"),
    "truth": ("list", "patch", "apply"),
    "rules": ("list", "check", "preview", "draft", "settle", "reopen", "edit"),
}
MINE = (
    "init",
    "example",
    "check",
    "review",
    "next",
    "show",
    "decide",
    "batch",
    "undo",
    "score",
    "report",
    "log",
    "truth",
    "agreement",
    "rules",
    "serve",
)
TABLE = "## 2. Equivalences\n\n| form | canonical | field | status | witness | note |\n|---|---|---|---|---|---|\n"


# init


def test_the_settings_written_read_back_as_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "adjudicate.toml"
    path.write_text(settings_text(), "utf-8")
    assert read_settings(path) == Settings()
    assert read_settings(path).keys == {}


def test_every_setting_is_written_under_a_comment() -> None:
    lines = settings_text().splitlines()
    for entry in fields(Settings):
        if entry.name not in ("keys", "aliases"):
            at = next(at for at, line in enumerate(lines) if line.startswith(f"{entry.name} = "))
            assert lines[at - 1].startswith("# "), entry.name
            assert entry.name in setting_sentences()


def test_init_makes_a_workspace_that_checks_clean(adjudicate: Run, tmp_path: Path) -> None:
    root = tmp_path / "mine"
    done = adjudicate("init", root)
    assert done.code == 0
    assert "gt_page_<id>.csv" in done.out
    assert {path.name for path in root.iterdir()} == {
        "gt", "runs", "adjudications", "EQUIVALENCES.md", "adjudicate.toml", "README.md", ".gitattributes",
    }  # fmt: skip
    assert (root / ".gitattributes").read_text("utf-8") == f"{UNION}\n"
    rules = read_rules(root / "EQUIVALENCES.md")
    assert rules.rows == ()
    assert check(rules) == ()
    (root / "gt" / "gt_page_1.csv").write_text("name\nAnna\n", "utf-8")
    assert adjudicate("-C", root, "check").code == 0


def test_init_without_ground_truth_says_what_is_missing(adjudicate: Run, tmp_path: Path) -> None:
    adjudicate("init", tmp_path / "mine")
    done = adjudicate("-C", tmp_path / "mine", "check")
    assert done.code == 1
    assert "there is no ground truth" in done.out
    assert adjudicate("-C", tmp_path / "mine", "review").code == 2


def test_the_template_has_one_field_for_each_method(adjudicate: Run, tmp_path: Path) -> None:
    adjudicate("init", tmp_path, "--template")
    methods = {"name": "name", "description": "text", "date": "date", "place": "place", "complete": "flag", "number": "count"}
    fields = tuple(Field(name, method) for name, method in methods.items())
    assert read_schema(tmp_path / "gt" / "schema.json") == Schema(fields, ("name",))
    assert (tmp_path / "gt" / "gt_page_1.csv").read_text("utf-8") == "name,description,date,place,complete,number\n"
    assert '"x-record": {' in (tmp_path / "gt" / "schema.json").read_text("utf-8")
    assert adjudicate("-C", tmp_path, "check").code == 0


def test_init_overwrites_nothing(adjudicate: Run, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine", "utf-8")
    (tmp_path / ".gitattributes").write_text("*.png binary\n", "utf-8")
    done = adjudicate("-C", tmp_path, "init")
    assert (tmp_path / "README.md").read_text("utf-8") == "mine"
    assert (tmp_path / ".gitattributes").read_text("utf-8") == "*.png binary\n"
    assert UNION in done.err
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    adjudicate("init", tmp_path)
    assert {path: path.read_bytes() for path in before} == before


def test_init_on_a_file_is_refused(adjudicate: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert adjudicate("init", tmp_path / "file").code == 2


# example


def test_the_example_is_written_once(adjudicate: Run, tmp_path: Path) -> None:
    done = adjudicate("example", tmp_path / "try")
    assert done.code == 0
    assert str(tmp_path / "try") in done.out
    assert (tmp_path / "try" / ".gitattributes").read_text("utf-8") == f"{UNION}\n"
    told = adjudicate("-C", tmp_path / "try", "check", "--all", "--format", "json").json["problems"]
    assert (tmp_path / "try" / "gt" / "README.md").is_file()
    assert [one for one in told if "README" in str(one["where"])] == []
    again = adjudicate("example", tmp_path / "try")
    assert again.code == 2
    assert "not empty" in again.err


# check


def test_check_tells_failed_and_missing_pages_and_ends_with_1(adjudicate: Run, register: Path) -> None:
    done = adjudicate("-C", register, "check")
    assert done.code == 1
    assert "failed" in done.out
    assert "3 failed" in done.out
    found = adjudicate("-C", register, "check", "--format", "json").json
    assert found["pages"] == {"ok": 15, "truncated": 0, "failed": 3, "missing": 0}
    assert sum(found["counts"].values()) == len(found["problems"])
    assert len(found["books"]) == 15
    assert all(one["balanced"] for one in found["books"])
    for one in found["books"]:
        assert one["model_rows"] == one["matched"] + one["below_gate"] + sum(one["labels"].values()) + one["open"] + one["nameless"]
        assert sum(one["labels"].values()) == 0, "nobody has decided anything"
        assert one["done"] == (one["waiting"] == 0)
        assert one["gt_rows"] == one["matched"] + one["below_gate"] + one["missed"]


def test_check_lists_everything_only_when_asked(adjudicate: Run, register: Path) -> None:
    repairs = [one for one in adjudicate("-C", register, "check", "--format", "json").json["problems"] if one["severity"] == "repair"]
    assert repairs
    grouped = adjudicate("-C", register, "check").out.count("\nrepair ")
    listed = adjudicate("-C", register, "check", "--all").out.count("\nrepair ")
    assert grouped < listed == len(repairs)


def test_check_finds_faults_of_rules_log_and_ground_truth(adjudicate: Run, register: Path) -> None:
    (register / "EQUIVALENCES.md").write_text(f"{TABLE}| a | b | nme | settled | | |\n", "utf-8")
    (register / "adjudications").mkdir()
    (register / "adjudications" / "mp.jsonl").write_text("not json\n", "utf-8")
    found = adjudicate("-C", register, "check", "--format", "json")
    kinds = {(one["kind"], one["severity"]) for one in found.json["problems"]}
    assert {("rules", "error"), ("log", "error")} <= kinds
    assert found.code == 1
    rules = next(one for one in found.json["problems"] if one["kind"] == "rules")
    assert rules["line"] == 5
    assert "did you mean `name`" in rules["message"]
    (register / "gt" / "gt_page_1.csv").write_bytes(b"")
    assert ("ground truth", "error") in {
        (one["kind"], one["severity"]) for one in adjudicate("-C", register, "check", "--format", "json").json["problems"]
    }


def test_faulty_rules_stop_scoring_but_not_the_check(adjudicate: Run, register: Path) -> None:
    (register / "EQUIVALENCES.md").write_text(f"{TABLE}| a | b | name | settled | | |\n| a | c | name | settled | | |\n", "utf-8")
    done = adjudicate("-C", register, "next")
    assert done.code == 2
    assert "EQUIVALENCES.md:6" in done.err
    assert adjudicate("-C", register, "check").code == 1


def test_a_faulty_schema_is_told(adjudicate: Run, register: Path) -> None:
    (register / "gt" / "schema.json").write_text('{"properties": {"name": {"x-method": "nonsense"}}}', "utf-8")
    found = adjudicate("-C", register, "check", "--format", "json")
    assert [(one["kind"], one["severity"]) for one in found.json["problems"]] == [("schema", "error")]
    assert found.code == 1


def test_a_faulty_key_map_is_told_with_its_file(adjudicate: Run, register: Path) -> None:
    (register / "adjudicate.toml").write_text('[keys]\nundo = "ctrl+y"\n', "utf-8")
    assert "settings" not in {one["kind"] for one in adjudicate("-C", register, "check", "--format", "json").json["problems"]}
    (register / "adjudicate.toml").write_text('[keys]\nundoo = "ctrl+y"\n', "utf-8")
    found = adjudicate("-C", register, "check", "--format", "json")
    told = [one for one in found.json["problems"] if one["kind"] == "settings"]
    assert [(one["severity"], one["where"], one["line"], one["message"]) for one in told] == [
        ("error", "adjudicate.toml", 2, "the key map names no action `undoo`")
    ]
    assert found.code == 1
    assert found.json["books"], "the rest is checked all the same"
    assert "adjudicate.toml:2: the key map names no action `undoo`" in adjudicate("-C", register, "check").out


@pytest.mark.parametrize("text", ["gatte = 0.7\n", "gate = 7\n", "gate = \n"])
def test_faulty_settings_are_told_with_everything_else(text: str, adjudicate: Run, register: Path) -> None:
    (register / "adjudicate.toml").write_text(text, "utf-8")
    (register / "EQUIVALENCES.md").write_text(f"{TABLE}| a | b | nme | settled | | |\n", "utf-8")
    found = adjudicate("-C", register, "check", "--format", "json")
    told = {one["kind"]: one for one in found.json["problems"] if one["severity"] == "error"}
    assert set(told) == {"settings", "rules"}, "the rest is checked all the same"
    assert (told["settings"]["where"], told["settings"]["line"]) == ("adjudicate.toml", 1)
    assert "the rest is checked under the default settings" in told["settings"]["message"]
    assert found.code == 1
    assert adjudicate("-C", register, "score").code == 2, "nothing is scored under other settings than those meant"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("`title`: 'null' read as nothing (rows 1-3, 5)", "`name`: '-' read as nothing"),
        ("text before the JSON passed over: Here it is", "text before the JSON passed over: Well, 3 rows"),
        (
            "key 'line' is no field and was left out (19 records, first row 1 of page 28)",
            "key 'x y' is no field and was left out (1 record, first row 2 of page 3)",
        ),
        ("keys read as fields: 'Name' as `name`", "keys read as fields: 'NAME' as `name`, 'Title' as `title`"),
    ],
)
def test_messages_of_one_kind(one: str, other: str) -> None:
    assert kind_of(one) == kind_of(other)


def test_messages_of_two_kinds() -> None:
    assert kind_of("trailing comma") != kind_of("Markdown fence removed")


def test_real_data_is_checked(adjudicate: Run) -> None:
    folder = shared("data", "tables", "citydir_1754_1870_docs")
    done = adjudicate("-C", folder, "check", "--format", "json")
    assert done.code == 0
    assert done.json["counts"] == {"error": 0, "warning": 0, "repair": 0, "note": 1}
    assert all(one["balanced"] for one in done.json["books"])


# All commands


@pytest.mark.parametrize("words", [(), *((name,) for name in MINE), *((group, name) for group, names in GROUPS.items() for name in names)])
def test_help_fits_a_screen_and_gives_an_example(adjudicate: Run, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = adjudicate(*words, "--help")
    assert done.code == 0
    lines = done.out.splitlines()
    assert len(lines) <= 24, len(lines)
    assert max(map(len, lines)) <= 80
    assert "Example: adjudicate" in " ".join(done.out.split())


def test_help_names_every_command(adjudicate: Run) -> None:
    shown = adjudicate("--help").out
    assert all(name in shown for name in COMMANDS)


def test_usage_faults_end_with_2(adjudicate: Run, register: Path) -> None:
    assert adjudicate("nonsense").code == 2
    assert adjudicate("check", "--nonsense").code == 2
    assert adjudicate("decide").code == 2
    assert adjudicate("-C", register / "nowhere", "check").code == 2
    (register / "adjudicate.toml").write_text("gaet = 0.7\n", "utf-8")
    done = adjudicate("-C", register, "score")
    assert done.code == 2
    assert "did you mean `gate`" in done.err.casefold()


def test_the_folder_and_the_verifier_may_stand_on_either_side(adjudicate: Run, register: Path) -> None:
    before = adjudicate("-C", register, "check", "--format", "json")
    after = adjudicate("check", "--format", "json", "-C", register)
    assert before == after


def test_an_interruption_ends_with_130(adjudicate: Run, register: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tui.cli.check._found", interrupted)
    assert adjudicate("-C", register, "check").code == 130


def test_an_unreadable_file_is_a_sentence(adjudicate: Run, register: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "gt/\x1b[31mx")

    monkeypatch.setattr("tui.cli.check._found", unreadable)
    done = adjudicate("-C", register, "check")
    assert done.code == 2
    assert "Permission denied" in done.err


def test_json_reads_back_as_it_was(adjudicate: Run, register: Path) -> None:
    listed = adjudicate("-C", register, "next", "--format", "json", "--filter", "owned")
    assert listed.json["title"] == ESCAPES
