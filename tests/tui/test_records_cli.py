"""`adjudicate records ...` as a person types it."""

import json

import pytest
from click.testing import CliRunner

from scoring.foundations.problems import InputError
from tests.scoring.records.build import make, rows, run
from tests.shared import shared
from tui.cli import adjudicate
from tui.cli.records.group import COMMANDS


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def call(*words, verifier="ann", code=0):
    """The command run to its end; faults of the input are printed and end with 2, as `main` has it."""
    found = CliRunner().invoke(adjudicate, [*(("--verifier", verifier) if verifier else ()), "records", *map(str, words)])
    if isinstance(found.exception, InputError):
        result = Result(2, found.stdout, f"{found.stderr}adjudicate: {found.exception}")
    else:
        if found.exception is not None and not isinstance(found.exception, SystemExit):
            raise found.exception
        result = Result(found.exit_code, found.stdout, found.stderr)
    assert result.code == code, (result.code, result.out, result.err)
    return result


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("ADJUDICATE_VERIFIER", raising=False)
    return make(tmp_path / "data", documents=2)


def test_every_command_has_help_that_fits_a_screen_with_an_example():
    for name in COMMANDS:
        told = call(name, "--help", verifier=None).out
        assert "Example:" in told
        assert len(told.splitlines()) <= 24
        assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize("name", ["F01a", "F05_3", "F09_13", "F10_no_such_file", "F18a", "F04a"])
def test_accuracy_prints_the_values_of_r(name):
    eco = shared("data", "eco")
    case = json.loads((eco / "expected.json").read_text())[name]
    words = ["accuracy", eco / "db" / case["db"], "--format", "json"]
    if case["schema_file"]:
        words += ["--schema", eco / "schemas" / case["schema_file"]]
    if case["document_ids"]:
        words += ["--documents", ",".join(map(str, case["document_ids"]))]
    found = json.loads(call(*words).out)
    assert json.dumps(found["ecoextract"]) == json.dumps(case["expected"])


def test_thresholds_decide_the_exit_code(path):
    call("decide", path, "1", "reviewed")
    assert call("accuracy", path, "--fail-under", "field_f1=0.9", "--fail-under", "detection_f1=1").code == 0
    call("decide", path, "Smith_2024_1_r1", "delete", code=2)
    call("decide", path, "r1-uuid", "delete")
    missed = call("accuracy", path, "--fail-under", "field_precision=0.9", "--fail-under", "perfect_record_rate=1", code=1)
    assert "field_precision is 0.666667, under 0.9" in missed.err
    assert "perfect_record_rate" not in missed.err
    run(path, "UPDATE documents SET reviewed_at = NULL")
    assert "undefined" in call("accuracy", path, "--fail-under", "field_f1=0", code=1).err
    call("accuracy", path, "--fail-under", "nonsense=1", code=2)
    call("accuracy", path, "--fail-under", "field_f1", code=2)


@pytest.mark.parametrize("form", ["text", "csv", "md"])
def test_accuracy_in_every_form(form, path):
    call("decide", path, "r1-uuid", "edit", "--field", "place", "--value", "Rome")
    call("decide", path, "1", "reviewed")
    told = call("accuracy", path, "--format", form, "--table", "columns", "--table", "edits").out
    assert "place" in told
    assert "Rome" in told


def test_a_database_that_is_none_is_a_sentence(tmp_path):
    (tmp_path / "x.db").write_text("hello, this is text")
    for words in (("accuracy",), ("list",), ("next",), ("show", "1"), ("history",), ("decide", "1", "reviewed"), ("undo",), ("recover",)):
        told = call(words[0], tmp_path / "x.db", *words[1:], code=2)
        assert "not a SQLite database" in told.err
    absent = call("accuracy", tmp_path / "absent.db", "--format", "json", code=2)
    assert json.loads(absent.out)["ecoextract"]["message"] == "Database not found"
    assert "Database not found" in absent.err


def test_a_review_from_first_record_to_last_without_a_screen(path):
    first = json.loads(call("next", path, "--format", "json", code=1).out)
    assert (first["document"], first["record"]) == (1, "r1-uuid")
    call("decide", path, first["case"], "accept", "--seen", first["seen"])
    call("decide", path, "Smith_2024_1_r1", "accept", code=2)
    told = call("decide", path, "r2-uuid", "edit", "--field", "count", "--value", "21", "--note", "as printed").out
    assert "count: 20 -> 21" in told
    call("decide", path, "r3-uuid", "delete")
    added = call("decide", path, "1", "add", "--set", "name=new", "--set", "place=Rome").out
    assert "Smith_2024_1_r4" in added
    call("decide", path, "1", "reviewed")
    second = json.loads(call("next", path, "--format", "json", code=1).out)
    assert second["document"] == 2
    call("decide", path, "2", "reviewed")
    assert "Every document is reviewed" in call("next", path).out
    listed = json.loads(call("list", path, "--format", "json").out)
    assert [(line["records"], line["deleted"], line["added"], line["edits"]) for line in listed] == [(4, 1, 1, 1), (3, 0, 0, 0)]
    assert json.loads(call("list", path, "--open", "--format", "json").out) == []
    changes = json.loads(call("history", path, "1", "--format", "json").out)
    assert [(change["who"], change["what"]) for change in changes] == [
        ("ann", what) for what in ("accept", "edit", "delete", "add", "reviewed")
    ]
    assert changes[1]["note"] == "as printed"
    call("promote", path, "--to", path.parent / "ws")
    assert (path.parent / "ws" / "gt" / "gt_page_1.csv").read_text().splitlines()[2] == "name 2,place 2,21,2.5,N,tag 2; b,note 2"
    assert (path.parent / "adjudications" / "ann.jsonl").exists()


def test_undo_and_redo(path):
    call("decide", path, "r1-uuid", "edit", "--field", "place", "--value", "Rome")
    assert 'place: "Rome" -> "place 1"' in call("undo", path).out
    assert rows(path, "records")[0]["place"] == "place 1"
    call("undo", path, "--redo")
    assert rows(path, "records")[0]["place"] == "Rome"
    assert "no verdict of yours" in call("undo", path, verifier="bob", code=2).err


def test_a_record_that_is_not_as_it_was_seen_is_refused(path):
    seen = json.loads(call("show", path, "r1-uuid", "--format", "json").out)["seen"]
    call("decide", path, "r1-uuid", "edit", "--field", "place", "--value", "Rome", verifier="bob")
    assert "not as it was seen" in call("decide", path, "r1-uuid", "delete", "--seen", seen, code=2).err


def test_what_cannot_be_meant_is_a_sentence(path):
    assert "whole number" in call("decide", path, "r1-uuid", "edit", "--field", "count", "--value", "many", code=2).err
    assert "needs --field" in call("decide", path, "r1-uuid", "edit", "--value", "x", code=2).err
    assert "is a document" in call("decide", path, "1", "accept", code=2).err
    assert "is a record" in call("decide", path, "r1-uuid", "reviewed", code=2).err
    assert "more than one thing" in call("show", path, "Smith_2024_1_r1", code=2).err
    assert "no document or record" in call("show", path, "nothing", code=2).err
    assert "who is the verifier" in call("decide", path, "1", "reviewed", verifier=None, code=2).err
    assert "no field with its value" in call("decide", path, "1", "add", "--set", "name", code=2).err
    call("accuracy", path, "--documents", "1,x", code=2)
    assert "says so already" in call("decide", path, "r1-uuid", "edit", "--field", "place", "--value", "place 1").err


def test_looking_leaves_the_database_as_it_is(path):
    before = path.read_bytes()
    call("next", path, code=1)
    call("show", path, "r1-uuid")
    call("list", path, "--find", "paper 2")
    call("history", path)
    call("accuracy", path)
    assert path.read_bytes() == before
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["eco.db", "ecoextract_schema.json"]


def test_passages_no_record_cites(path):
    run(path, "UPDATE documents SET document_content = 'It says tag 1 here, at the start. Here lies a missed record. It says tag 2 too.'")
    told = call("show", path, "1", "--uncited").out
    assert "Here lies a missed record." in told
    assert "It says tag 1" not in told


def test_find_is_forgiving(path):
    run(path, "UPDATE documents SET title = 'Roosting of bats in caves' WHERE document_id = 2")
    found = json.loads(call("list", path, "--find", "rosting bats", "--format", "json").out)
    assert [line["document"] for line in found] == [2]


def test_text_from_data_is_never_terminal_control(path):
    run(path, "UPDATE records SET place = char(27) || '[31mred' || char(8238) WHERE id = 'r1-uuid'")
    run(path, "UPDATE documents SET title = char(27) || ']0;x', document_content = char(27) || '[2J'")
    for words in (("show", "r1-uuid"), ("show", "1"), ("list",), ("next",)):
        told = call(words[0], path, *words[1:], code=1 if words[0] == "next" else 0)
        assert "\x1b" not in told.out
        assert "\u202e" not in told.out


def test_recover_says_that_log_and_database_agree(path):
    call("decide", path, "r1-uuid", "accept")
    assert "agree" in call("recover", path).out
    run(path, "UPDATE records SET place = 'x' WHERE id = 'r1-uuid'")
    run(path, "DELETE FROM adjudicate_verdicts WHERE kind = 'accept'")
    told = call("recover", path, code=1)
    assert "changed meanwhile" in told.out
    assert "1 verdicts of the log are not in the database" in told.err


def test_the_log_lies_in_the_workspace_named(path, tmp_path):
    workspace = tmp_path / "ws"
    workspace.mkdir()
    found = CliRunner().invoke(adjudicate, ["-C", str(workspace), "--verifier", "ann", "records", "decide", str(path), "1", "reviewed"])
    assert found.exit_code == 0, found.output
    assert (workspace / "adjudications" / "ann.jsonl").exists()
    assert not (path.parent / "adjudications").exists()


def test_split_combine_import_and_migrate(path, tmp_path):
    told = call("split", path, "--parts", "2", "--to", tmp_path / "parts").out
    assert told.count("1 document, 3 records, 0 edits") == 2
    parts = sorted((tmp_path / "parts").glob("*.db"))
    (tmp_path / "parts" / "ecoextract_schema.json").write_text((path.parent / "ecoextract_schema.json").read_text())
    call("decide", parts[0], "r1-uuid", "edit", "--field", "place", "--value", "Rome")
    assert "2 documents, 6 records, 1 edit" in call("combine", *parts, "--to", tmp_path / "all.db").out
    call("decide", path, "r1-uuid", "edit", "--field", "place", "--value", "Oslo", verifier="bob")
    told = call("combine", tmp_path / "all.db", path, "--to", tmp_path / "again.db", code=1).out
    assert "'Rome' stands, eco.db has 'Oslo'" in told
    call("combine", *parts, "--to", tmp_path / "all.db", code=2)
    (tmp_path / "in.csv").write_text("name,count\nx,many\n")
    told = call("import", tmp_path / "in.csv", "--to", tmp_path / "new.db", "--schema", path.parent / "ecoextract_schema.json", code=1)
    assert "count is not a whole number" in told.err
    assert "as it is" in call("migrate", path, "--to", tmp_path / "m.db", code=2).err
