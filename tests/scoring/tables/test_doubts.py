"""Doubts about the ground truth: what is agreed, what is not and why, and files that are changed safely or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.adjudication.decisions import Decisions, LogEntry, new_id, timestamp
from scoring.adjudication.doubts import Doubt, patch_of, write
from scoring.foundations.problems import InputError
from scoring.tables.cases.queues import cases
from scoring.tables.execution.evaluation import Evaluation, evaluate
from scoring.tables.inputs.material import load
from scoring.tables.verdicts.doubts import corrections, doubts
from scoring.tables.verdicts.validation import judge
from scoring.workspace.layout import open_workspace

PAGE = "name,place\nAnna Rossi,Udine\nIsrael Baysan,Verona\nCarlo Bon,\n"


def workspace(folder: Path, page: str = PAGE, schema: dict[str, object] | None = None) -> Path:
    (folder / "gt").mkdir(exist_ok=True)
    (folder / "gt" / "gt_page_1.csv").write_text(page, "utf-8", newline="")
    if schema is not None:
        (folder / "gt" / "schema.json").write_text(json.dumps(schema), "utf-8")
    path = folder / "runs" / "alfa" / "naive" / "run_01.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{"name": name, "place": ""} for name in ("Anna Rossi", "Isaac Bayron", "Iosef Xyz", "Carlo Bon")]
    path.write_text(json.dumps({"model": "alfa", "phase": "naive", "run": 1, "pages": {"1": {"status": "ok", "travelers": rows}}}), "utf-8")
    return folder


def scored(folder: Path, *said: tuple[str, str, str, str | None]) -> Evaluation:
    """The workspace under verdicts (verifier, beginning of the case's title, verdict, value)."""
    automatic = evaluate(load(open_workspace(folder)))
    entries: list[LogEntry] = []
    for verifier, title, verdict, value in said:
        case = next(case for case in cases(automatic) if case.title.startswith(title))
        targets = ("gt:1:2",) if verdict in ("gt-wrong", "gt-illegible", "gt-extra-row") else ()
        # What GT says already is refused; a line of an older log may still say it.
        known = verdict == "gt-wrong" and value == "Israel Baysan"
        judged = judge(automatic, case, verdict, value="Another" if known else value, targets=targets)
        judged = replace(judged, value=value) if known else judged
        after = entries[-1].id if entries else ""
        entries.append(
            LogEntry(
                id=new_id(after), at=timestamp(), verifier=verifier, task="tables", case=judged.case, verdict=verdict,
                targets=judged.targets, value=judged.value, scope=judged.scope, run=judged.run, basis=dict(judged.basis),
            )
        )  # fmt: skip
    return evaluate(automatic.material, Decisions.of(entries), automatic=automatic)


def test_two_who_agree_are_one_doubt(tmp_path: Path) -> None:
    found = scored(workspace(tmp_path), ("a", "Isaac", "gt-wrong", "Israel Bayron"), ("b", "Isaac", "gt-wrong", "Israel Bayron"))
    (doubt,) = doubts(found)
    assert (doubt.state, doubt.row, doubt.text, doubt.value) == ("agreed", 2, "Israel Baysan", "Israel Bayron")
    assert [entry.verifier for entry in doubt.said] == ["a", "b"]
    (one,) = corrections(found, [doubt])
    assert one.after.decode() == PAGE.replace("Israel Baysan", "Israel Bayron")


def test_an_unsure_colleague_is_no_conflict(tmp_path: Path) -> None:
    found = scored(workspace(tmp_path), ("a", "Isaac", "gt-wrong", "Israel Bayron"), ("b", "Isaac", "unsure", None))
    (doubt,) = doubts(found)
    assert doubt.state == "agreed"
    assert [entry.verifier for entry in doubt.said] == ["a"]


def test_who_disagrees_makes_a_conflict(tmp_path: Path) -> None:
    found = scored(workspace(tmp_path), ("a", "Isaac", "gt-wrong", "Israel Bayron"), ("b", "Isaac", "gt-wrong", "Israel Bayran"))
    both = doubts(found)
    assert [(doubt.state, doubt.why) for doubt in both] == [
        ("conflict", "against it stands b: gt-wrong"),
        ("conflict", "against it stands a: gt-wrong"),
    ]
    assert corrections(found, both) == ()


def test_a_doubt_and_a_match_are_no_conflict(tmp_path: Path) -> None:
    found = scored(workspace(tmp_path), ("a", "Isaac", "gt-wrong", "Israel Bayron"), ("b", "Isaac", "same", None))
    (doubt,) = doubts(found)
    assert (doubt.state, [entry.verifier for entry in doubt.said]) == ("agreed", ["a"])


def test_two_cases_that_contradict_each_other_about_one_row(tmp_path: Path) -> None:
    found = scored(workspace(tmp_path), ("a", "Isaac", "gt-wrong", "Israel Bayron"), ("b", "Iosef", "gt-extra-row", None))
    both = doubts(found)
    assert [doubt.state for doubt in both] == ["conflict", "conflict"]
    assert all("of the same row" in doubt.why for doubt in both)


def test_a_missing_row_goes_after_the_match_before_it(tmp_path: Path) -> None:
    found = scored(workspace(tmp_path), ("a", "Iosef", "gt-missing-row", "Iosef Xyz"))
    (doubt,) = doubts(found)
    assert (doubt.state, doubt.row) == ("agreed", 1)  # Isaac Bayron is no match of row 2
    (one,) = corrections(found, [doubt])
    assert one.after.decode() == PAGE.replace("Israel", "Iosef Xyz,\nIsrael")


@pytest.mark.parametrize(
    ("verdict", "value", "why"),
    [("gt-illegible", None, "no text was proposed"), ("gt-wrong", "Israel Baysan", "reads so already")],
)
def test_what_nobody_can_write_is_left_to_people(tmp_path: Path, verdict: str, value: str | None, why: str) -> None:
    (doubt,) = doubts(scored(workspace(tmp_path), ("a", "Isaac", verdict, value)))
    assert doubt.state == "by hand"
    assert why in doubt.why


def test_an_illegible_name_with_a_text_is_written(tmp_path: Path) -> None:
    found = scored(workspace(tmp_path), ("a", "Isaac", "gt-illegible", "Israel Bay?an"))
    (one,) = corrections(found, doubts(found))
    assert "Israel Bay?an" in one.after.decode()


def test_a_joined_key_is_left_to_people(tmp_path: Path) -> None:
    schema: dict[str, object] = {"properties": {"name": {}, "place": {}}, "x-unique-fields": ["name", "place"]}
    folder = workspace(tmp_path, schema=schema)
    (doubt,) = doubts(scored(folder, ("a", "Isaac", "gt-wrong", "Israel Bayron")))
    assert doubt.state == "by hand"
    assert "several columns" in doubt.why


def test_stale_then_done(tmp_path: Path) -> None:
    said = ("a", "Isaac", "gt-wrong", "Israel Bayron")
    before = scored(workspace(tmp_path), said)
    for text, state in (("Israel Basan", "stale"), ("Israel Bayron", "done")):
        workspace(tmp_path, PAGE.replace("Israel Baysan", text))
        now = evaluate(load(open_workspace(tmp_path)), before.decisions)
        (doubt,) = doubts(now)
        assert doubt.state == state
        assert corrections(now, [doubt]) == ()


def agreed(folder: Path) -> tuple[Evaluation, tuple[Doubt, ...]]:
    found = scored(folder, ("a", "Isaac", "gt-wrong", "Israel Bayron"))
    return found, doubts(found)


def test_a_file_that_changed_since_is_left_alone(tmp_path: Path) -> None:
    found, wanted = agreed(workspace(tmp_path))
    path = tmp_path / "gt" / "gt_page_1.csv"
    path.write_text(PAGE.replace("Carlo", "Carla"), "utf-8")
    with pytest.raises(InputError, match="changed since it was read"):
        corrections(found, wanted)
    path.write_text(PAGE, "utf-8")
    planned = corrections(found, wanted)
    path.write_text(PAGE + "Someone,\n", "utf-8")
    with pytest.raises(InputError, match="changed since it was read"):
        write(planned)
    assert path.read_text("utf-8") == PAGE + "Someone,\n"
    assert [entry.name for entry in path.parent.iterdir()] == ["gt_page_1.csv"]


def test_a_file_that_is_not_utf_8_is_left_alone(tmp_path: Path) -> None:
    workspace(tmp_path)
    path = tmp_path / "gt" / "gt_page_1.csv"
    path.write_bytes(PAGE.encode("utf-16"))
    found, wanted = agreed(tmp_path)
    with pytest.raises(InputError, match="not UTF-8"):
        corrections(found, wanted)


def test_the_patch_tells_of_a_missing_last_line_end(tmp_path: Path) -> None:
    found, wanted = agreed(workspace(tmp_path, PAGE.removesuffix("\n")))
    (one,) = corrections(found, wanted)
    assert patch_of(one).decode() == (
        "--- a/gt/gt_page_1.csv\n+++ b/gt/gt_page_1.csv\n@@ -1,4 +1,4 @@\n name,place\n Anna Rossi,Udine\n"
        "-Israel Baysan,Verona\n+Israel Bayron,Verona\n Carlo Bon,\n\\ No newline at end of file\n"
    )


# Doubts about values: the right cell, every other byte kept


VALUES = 'place;name;arrival\r\n"Udine";Anna Rossi;May 1 1769\r\nVerona ;"Israel Baysan";\r\n;Carlo Bon;-\r\n'


def valued(folder: Path, *said: tuple[str, str, str], schema: dict[str, object] | None = None, page: str = VALUES) -> Evaluation:
    """The workspace under `gt-wrong` of values (GT row, field, value), by one verifier."""
    if schema is None:
        schema = {"properties": {"name": {"x-key": True}, "place": {}, "arrival": {"x-method": "date"}}}
    automatic = evaluate(load(open_workspace(workspace(folder, page, schema))))
    case = next(case for case in cases(automatic) if any(target.startswith("model:") for target in case.occurrences[0].targets))
    entries: list[LogEntry] = []
    for target, field, value in said:
        judged = judge(automatic, case, "gt-wrong", value=value, targets=(target,), field=field)
        entries.append(
            LogEntry(
                id=new_id(entries[-1].id if entries else ""), at=timestamp(), verifier="a", task="tables", case=judged.case,
                verdict="gt-wrong", targets=judged.targets, value=judged.value, basis=dict(judged.basis),
            )
        )  # fmt: skip
    return evaluate(automatic.material, Decisions.of(entries), automatic=automatic)


def test_values_go_into_their_cells_and_nothing_else_changes(tmp_path: Path) -> None:
    said = [
        ("gt:1:1", "place", "Cividale; Udine"),
        ("gt:1:2", "arrival", "May 3 1769"),
        ("gt:1:2", "place", ""),
        ("gt:1:3", "place", "Roma"),
    ]
    found = valued(tmp_path, *said)
    wanted = doubts(found)
    assert [(one.row, one.field, one.text, one.value, one.state) for one in wanted] == [
        (1, "place", "Udine", "Cividale; Udine", "agreed"),
        (2, "arrival", "", "May 3 1769", "agreed"),
        (2, "place", "Verona", "", "agreed"),
        (3, "place", "", "Roma", "agreed"),
    ]
    (one,) = corrections(found, wanted)
    assert one.after.decode() == (
        'place;name;arrival\r\n"Cividale; Udine";Anna Rossi;May 1 1769\r\n;"Israel Baysan";May 3 1769\r\nRoma;Carlo Bon;-\r\n'
    )
    assert "-Verona ;" in patch_of(one).decode()


def test_a_value_and_the_name_of_one_row_together(tmp_path: Path) -> None:
    found = valued(tmp_path, ("gt:1:2", "name", "Israel Bayron"), ("gt:1:2", "place", "Trieste"))
    # Of a key of one column the field is the name, and the doubt one of the name.
    assert [(one.field, one.value, one.state) for one in doubts(found)] == [("", "Israel Bayron", "agreed"), ("place", "Trieste", "agreed")]
    (one,) = corrections(found, doubts(found))
    assert one.after.decode() == VALUES.replace('Verona ;"Israel Baysan"', 'Trieste;"Israel Bayron"')
    (tmp_path / "gt" / "gt_page_1.csv").write_bytes(one.after)
    now = evaluate(load(open_workspace(tmp_path)), found.decisions)
    assert [(doubt.field, doubt.state) for doubt in doubts(now)] == [("", "done"), ("place", "done")]


def test_parts_of_a_joined_key_are_written_each_into_its_cell(tmp_path: Path) -> None:
    schema: dict[str, object] = {
        "properties": {"name": {"x-method": "name"}, "place": {"x-method": "name"}, "arrival": {}},
        "x-unique-fields": ["name", "place"],
    }
    found = valued(tmp_path, ("gt:1:2", "name", "Israel Bayron"), ("gt:1:2", "place", "Trieste"), schema=schema)
    assert [(one.field, one.text, one.state) for one in doubts(found)] == [
        ("name", "Israel Baysan", "agreed"),
        ("place", "Verona", "agreed"),
    ]
    (one,) = corrections(found, doubts(found))
    assert one.after.decode() == VALUES.replace('Verona ;"Israel Baysan"', 'Trieste;"Israel Bayron"')


def test_a_cell_that_changed_since_is_told_and_left(tmp_path: Path) -> None:
    before = valued(tmp_path, ("gt:1:2", "place", "Trieste"), ("gt:1:1", "place", "Gorizia"))
    path = tmp_path / "gt" / "gt_page_1.csv"
    path.write_bytes(VALUES.replace("Verona ", "Padova").encode())
    now = evaluate(load(open_workspace(tmp_path)), before.decisions)
    assert [(one.state, one.row, one.why) for one in doubts(now)] == [
        ("agreed", 1, ""),
        ("stale", 2, "place of GT row gt:1:2 (Israel Baysan) changed from Verona to Padova"),
    ]
    (one,) = corrections(now, doubts(now))
    assert one.after.decode() == VALUES.replace("Verona ", "Padova").replace('"Udine"', '"Gorizia"')


def test_a_file_without_the_column_is_left_alone(tmp_path: Path) -> None:
    found = valued(tmp_path, ("gt:1:1", "arrival", "May 1 1769"), page="name,place\nAnna Rossi,Udine\nIsrael Baysan,Verona\nCarlo Bon,\n")
    with pytest.raises(InputError, match="there is no column `arrival` to write to"):
        corrections(found, doubts(found))


def test_of_two_columns_that_mean_a_field_the_one_that_is_read_is_written(tmp_path: Path) -> None:
    page = "Place,name,place,arrival\nUdine,Anna Rossi,Gorizia,\nx,Israel Baysan,Verona,\n,Carlo Bon,,\n"
    found = valued(tmp_path, ("gt:1:2", "place", "Trieste"), page=page)
    (one,) = corrections(found, doubts(found))
    assert one.after.decode() == page.replace("Verona", "Trieste")
