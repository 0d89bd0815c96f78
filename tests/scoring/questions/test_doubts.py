"""Doubts about the answers of the ground truth: what is agreed, what is not and why, and the file with them written in."""

from pathlib import Path

import pytest

from scoring.adjudication.decisions import Decisions, LogEntry, new_id, timestamp
from scoring.adjudication.doubts import Doubt, patch_of, write
from scoring.foundations.problems import InputError
from scoring.questions.cases.queues import cases
from scoring.questions.execution.evaluation import Evaluation, evaluate
from scoring.questions.inputs.material import load
from scoring.questions.verdicts.doubts import corrections, doubts
from scoring.questions.verdicts.validation import judge
from scoring.workspace.layout import open_workspace
from tests.scoring.questions.small import GT, material, right

RUNS = {
    "a/p/run_01.json": right(_1={"Q5": "bottom left", "Q10": "suo domestica | sua figliuola"}),
    "b/p/run_01.json": right(_1={"Q5": "top left", "Q10": "suo domestica | sua figliuola"}),
}
Q10, Q5 = "suo domestica ~ suo domestico (Q10)", "bottom left ~ bottom right (Q5)"


def scored(root: Path, *said: tuple[str, str, str, object], gt: str = GT) -> Evaluation:
    """The workspace under verdicts: verifier, title of the case, verdict, value."""
    before = evaluate(material(root, RUNS, gt=gt))
    entries: list[LogEntry] = []
    for verifier, title, verdict, value in said:
        case = next(case for case in cases(before) if case.title == title)
        judged = judge(before, case, verdict, value=value)
        entries.append(
            LogEntry(
                id=new_id(entries[-1].id if entries else ""), at=timestamp(), verifier=verifier, task="questions", case=judged.case,
                verdict=verdict, targets=judged.targets, value=judged.value, basis=dict(judged.basis),
            )
        )  # fmt: skip
    return evaluate(before.material, Decisions.of(entries), automatic=before)


def again(evaluation: Evaluation) -> tuple[Doubt, ...]:
    """The doubts after the files have been read anew."""
    return doubts(evaluate(load(open_workspace(evaluation.material.workspace.root)), evaluation.decisions))


def test_two_who_agree_are_one_doubt_and_it_is_written_once(tmp_path: Path) -> None:
    gt = "\ufeff" + GT.replace("suo domestico | sua figliuola", '" suo domestico |sua figliuola"').replace("\n", "\r\n")
    found = scored(tmp_path, *((who, Q10, "gt-wrong", "suo domestica") for who in "ab"), gt=gt)
    (doubt,) = doubts(found)
    assert (doubt.state, doubt.page, doubt.question, doubt.row, doubt.text, doubt.value) == (
        "agreed", "1", "Q10", 1, "suo domestico", "suo domestica",
    )  # fmt: skip
    assert (doubt.file, [entry.verifier for entry in doubt.said]) == ("questions/ground_truth.csv", ["a", "b"])
    (one,) = corrections(found, [doubt])
    path = tmp_path / "questions" / "ground_truth.csv"
    assert one.before == path.read_bytes()
    assert one.after.decode() == path.read_bytes().decode().replace("suo domestico |", "suo domestica |")
    assert b'+1,Y,1767/8,Y,bottom right," suo domestica |sua figliuola"' in patch_of(one)
    write([one])
    assert path.read_bytes() == one.after
    (done,) = again(found)
    assert done.state == "done"
    assert corrections(found, [done]) == ()
    with pytest.raises(InputError, match="has changed since it was read"):
        corrections(found, [doubt])


def test_two_readings_that_propose_different_entries_contradict_each_other(tmp_path: Path) -> None:
    found = scored(tmp_path, ("a", Q5, "gt-wrong", "bottom left"), ("a", "top left ~ bottom right (Q5)", "gt-wrong", "top left"))
    assert [(doubt.state, doubt.why) for doubt in doubts(found)] == [
        ("conflict", "of the same entry is said gt-wrong “top left”"),
        ("conflict", "of the same entry is said gt-wrong “bottom left”"),
    ]
    assert corrections(found, doubts(found)) == ()


def test_two_readings_that_propose_the_same_are_one_doubt(tmp_path: Path) -> None:
    found = scored(tmp_path, ("a", Q5, "gt-wrong", "left"), ("b", "top left ~ bottom right (Q5)", "gt-wrong", "left"))
    (doubt,) = doubts(found)
    assert (doubt.state, doubt.value, len(doubt.said)) == ("agreed", "left", 2)


def test_what_another_denies_is_in_conflict(tmp_path: Path) -> None:
    (doubt,) = doubts(scored(tmp_path, ("a", Q5, "gt-wrong", "bottom left"), ("b", Q5, "misread", None)))
    assert (doubt.state, doubt.why) == ("conflict", "against it stands b: misread")


def test_what_is_not_one_entry_is_left_to_people(tmp_path: Path) -> None:
    found = scored(tmp_path, ("a", Q10, "gt-wrong", " . "))
    (doubt,) = doubts(found)
    assert (doubt.state, doubt.why) == ("by hand", "what was proposed is not one entry")
    assert corrections(found, [doubt]) == ()


def test_an_entry_that_has_changed_since_is_stale_and_one_that_has_moved_is_found(tmp_path: Path) -> None:
    found = scored(tmp_path, ("a", Q10, "gt-wrong", "suo domestica"))
    path = tmp_path / "questions" / "ground_truth.csv"
    path.write_text(GT.replace("suo domestico |", "suo amico |"), "utf-8")
    (stale,) = again(found)
    assert (stale.state, stale.text) == ("stale", "suo domestico")
    assert "was judged" in stale.why
    path.write_text(GT.replace("suo domestico |", "un altro | suo domestico |"), "utf-8")
    (moved,) = again(found)
    assert (moved.state, moved.row) == ("agreed", 2)


def test_a_file_of_another_encoding_is_left_alone(tmp_path: Path) -> None:
    found = scored(tmp_path, ("a", Q10, "gt-wrong", "suo domestica"))
    path = tmp_path / "questions" / "ground_truth.csv"
    path.write_bytes(GT.replace("fratelli", "fratellì").encode("latin-1"))
    now = evaluate(load(open_workspace(tmp_path)), found.decisions)
    with pytest.raises(InputError, match="not UTF-8"):
        corrections(now, doubts(now))
