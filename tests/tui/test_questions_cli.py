"""`adjudicate questions`: what is printed, and the exit codes."""

import csv
import json
import re
from pathlib import Path

import pytest

from scoring.adjudication.decisions import Decisions, LogEntry, new_id, timestamp
from scoring.adjudication.log.write import Log
from scoring.foundations.incremental import finished
from scoring.foundations.problems import InputError
from scoring.questions.cases.queues import cases
from scoring.questions.execution.evaluation import evaluate
from scoring.questions.inputs.material import load
from scoring.questions.task import QuestionsTask
from scoring.questions.verdicts.validation import judge
from scoring.workspace.layout import open_workspace
from tests.scoring.questions.small import GT, RIGHT, material, ok, right, workspace
from tests.shared import ROOT
from tui.bench.opening import open_session
from tui.bench.session import Session
from tui.cli import main
from tui.cli.figures.questions import NAMED

RUNS = {
    "m/p/run_01.json": right(_1={"Q1": "illegible", "Q10": "suo d.co | sua figliuola"}),
    "m/p/run_02.json": {"1": {"response": "```json\n" + json.dumps(RIGHT["1"]) + "\n```"}, "2": {"status": "failed", "error": "timed out"}},
}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    return ended.value.code or 0, out, err  # type: ignore[return-value]


def test_check_lists_what_was_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "-C", str(workspace(tmp_path, RUNS)), "questions", "check")
    assert code == 1
    assert out.splitlines() == [
        "repair: questions/runs/m/p/run_02.json (page 1): Markdown fence removed",
        "warning: questions/runs/m/p/run_02.json (page 2): failed page, left out of the figures (the run says: timed out)",
        "9 questions, 2 documents, 2 runs: 1 warning, 1 repair.",
    ]


def test_check_of_clean_inputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = workspace(tmp_path, {"m/p/run_01.json": right()})
    assert run(capsys, "questions", "check", "-C", str(root)) == (0, "9 questions, 2 documents, 1 run: nothing to report.\n", "")
    code, out, _ = run(capsys, "-C", str(root), "questions", "check", "--format", "json")
    assert (code, json.loads(out)["problems"]) == (0, [])


def test_check_draws_pages_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = {"1": ok({**RIGHT["1"], "Q1": True}), "2": ok({**RIGHT["2"], "Q4": False, "Q1": False})}
    code, out, _ = run(capsys, "-C", str(workspace(tmp_path, {"m/p/run_01.json": pages})), "questions", "check")
    assert code == 1
    assert out.splitlines()[:2] == [
        "repair: questions/runs/m/p/run_01.json (page 1): Q1: true read as Y",
        "repair: questions/runs/m/p/run_01.json (page 2): Q1, Q4: false read as N",
    ]


def test_score_prints_tables_and_what_they_rest_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(workspace(tmp_path, RUNS))
    code, out, err = run(capsys, "-C", root, "questions", "score")
    assert code == 0
    assert out.startswith("Scores by cell, all questions\nmodel  phase  runs  pages")
    assert "Scoring inputs: ground truth " in out
    assert "`adjudicate questions check` lists them" in err
    _, out, _ = run(capsys, "-C", root, "questions", "score", "--table", "booleans")
    line = next(line for line in out.splitlines() if line.startswith("Q1        m      p"))
    assert line.split() == ["Q1", "m", "p", "3", "2", "0", "1", "0", "1.000", "0.667", "0.333"]


@pytest.mark.parametrize("form", ["json", "csv", "md", "text"])
def test_score_in_every_form(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    root = str(workspace(tmp_path, RUNS))
    code, out, _ = run(capsys, "-C", root, "questions", "score", "--format", form, "--table", "all")
    assert code == 0
    if form == "json":
        found = json.loads(out)
        assert len(found["tables"]) == 10
        assert found["tables"][0]["rows"][0]["runs"] == 2
    assert out.count("unanimous") == 0
    assert "Illegibility" in out or form == "csv"


def test_score_as_csv_and_into_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(workspace(tmp_path / "w", RUNS))
    _, out, _ = run(capsys, "-C", root, "questions", "score", "--format", "csv")
    rows = list(csv.DictReader(out.splitlines()))
    q1 = next(row for row in rows if row["question"] == "Q1")
    assert (q1["combined_accuracy"], q1["claim_rate"], q1["precision"]) == ("0.6666666666666666", "0.3333333333333333", "")
    code, _, err = run(capsys, "-C", root, "questions", "score", "--output", str(tmp_path / "out"))
    assert code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "questions_answers.csv",
        "questions_consistency.csv",
        "questions_summary.csv",
    ]
    assert (tmp_path / "out" / "questions_summary.csv").read_text(encoding="utf-8") == out
    assert "wrote " in err


def test_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(workspace(tmp_path, RUNS))
    code, out, _ = run(capsys, "-C", root, "questions", "report")
    assert code == 0
    assert out.startswith("# Questions: Small\n")
    page = tmp_path / "questions.html"
    assert run(capsys, "-C", root, "questions", "report", "--format", "html", "--output", str(page))[0] == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    code, _, err = run(capsys, "-C", root, "questions", "report", "--output", str(tmp_path))
    assert code == 2
    assert "cannot be written" in err


def test_verdicts_in_the_log_stand_beside_the_automatic_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluation = evaluate(material(tmp_path, RUNS))
    case = cases(evaluation)[0]
    said = judge(evaluation, case, "equivalent")
    Log.open(tmp_path / "adjudications", "mp").append(
        LogEntry(
            id=new_id(),
            at=timestamp(),
            verifier="mp",
            task="questions",
            case=said.case,
            verdict=said.verdict,
            targets=said.targets,
            basis=dict(said.basis),
        )
    )
    _, out, _ = run(capsys, "-C", str(tmp_path), "questions", "score", "--format", "json")
    (row,) = json.loads(out)["tables"][0]["rows"]
    assert row["adjudicated"] == pytest.approx(row["score"] + (2 * (6 / 13) / 4) / row["answers"])
    _, out, _ = run(capsys, "-C", str(tmp_path), "questions", "score")
    assert "Verdicts: 1 applied, 0 stale, 0 in conflict." in out


@pytest.mark.parametrize("command", ["check", "score", "report"])
def test_faults_end_with_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    root = workspace(tmp_path, RUNS, gt="document,Q1\n1,Y\n")
    code, out, err = run(capsys, "-C", str(root), "questions", command)
    assert (code, out) == (2, "")
    assert err.startswith("adjudicate: questions/ground_truth.csv:1: the ground truth has no column for Q2")
    assert "Traceback" not in err


@pytest.mark.parametrize("command", [[], ["check"], ["score"], ["report"]])
def test_help_fits_a_screen_and_gives_an_example(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    code, out, _ = run(capsys, "questions", *command, "--help")
    assert code == 0
    assert "Example: adjudicate questions" in " ".join(out.split())
    assert len(out.splitlines()) <= 24
    assert max(map(len, out.splitlines())) <= 100


def test_help_of_score_names_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    out = " ".join(run(capsys, "questions", "score", "--help")[1].split())
    assert f"{', '.join(NAMED)}, or all" in out


def test_a_newcomer_follows_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
    files = {"toml": "questions.toml", "csv": "ground_truth.csv", "json": "runs/gamma/naive/run_01.json"}
    for kind, body in re.findall(r"^```(toml|csv|json)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        path = tmp_path / "questions" / files.pop(kind)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, encoding="utf-8")
    assert files == {}
    code, out, _ = run(capsys, "-C", str(tmp_path), "questions", "check")
    assert (code, out.splitlines()[-1]) == (1, "3 questions, 2 documents, 1 run: 3 repairs.")
    code, out, _ = run(capsys, "-C", str(tmp_path), "questions", "score", "--format", "json")
    assert code == 0
    assert {row["question"]: row["all"] for row in json.loads(out)["tables"][2]["rows"]} == {"Q1": 1.0, "Q2": 0.0, "Q3": 0.875, "all": 0.75}


def test_the_page_names_every_column_of_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(workspace(tmp_path / "w", RUNS))
    run(capsys, "-C", root, "questions", "score", "--output", str(tmp_path / "out"))
    page = " ".join((ROOT / "docs" / "questions.md").read_text(encoding="utf-8").split())
    for path in sorted((tmp_path / "out").iterdir()):
        header = path.read_text(encoding="utf-8").splitlines()[0]
        assert f"`{path.name}`: {header.replace(',', ', ')}" in page


def test_a_sitting_at_the_queue(tmp_path: Path) -> None:
    task = QuestionsTask()
    evaluation = task.evaluate(material(tmp_path, RUNS))
    log = Log.open(tmp_path / "adjudications", "mp")
    session = Session(task=task, evaluation=evaluation, decisions=Decisions.of([]), log=log)
    session.load_cases(finished(task.gathering(evaluation)))
    session.open_queue("questions")
    assert session.current is not None
    assert session.current.title == "suo d.co ~ suo domestico (Q10)"
    given = session.give("equivalent")
    session.settle()
    assert (session.progress().open, session.progress().decided) == (0, 1)
    assert session.evaluation.applied == (given,)
    assert finished(task.effects(session.evaluation, session.cases[given.case])) == ()
    session.undo()
    session.settle()
    assert (session.progress().open, session.evaluation.applied) == (1, ())
    with pytest.raises(InputError, match="needs the entry"):
        session.give("gt-wrong")
    session.give("gt-wrong", value="suo d.co")
    session.settle()
    assert session.evaluation.adjudicated == session.evaluation.automatic
    assert len((tmp_path / "adjudications" / "mp.jsonl").read_bytes().splitlines()) == 3


def test_equivalent_drafts_an_open_row_with_the_document_as_witness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What key `e` does and what `decide` does: the row and the verdict, both or neither."""
    root = workspace(tmp_path / "w", {"m/p/run_01.json": right(_1={"Q22": "frat.li | comici"})})
    rules = (root / "EQUIVALENCES.md").read_text(encoding="utf-8")
    case = cases(evaluate(material(tmp_path / "same", {"m/p/run_01.json": right(_1={"Q22": "frat.li | comici"})})))[0].id
    code, out, err = run(capsys, "-C", str(root), "--verifier", "mp", "decide", case, "equivalent")
    assert (code, err.count("adjudicate:")) == (0, 0)
    assert "drafted, OPEN: `frat.li` = `fratelli` in Q22" in out
    row = "| frat.li | fratelli | Q22 | OPEN | frat.li for fratelli, document 1 | |\n"
    after = (root / "EQUIVALENCES.md").read_text(encoding="utf-8")
    assert after.count(row) == 1
    assert after.replace(row, "") == rules
    (line,) = (root / "adjudications" / "mp.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["value"] == {"form": "frat.li", "canonical": "fratelli", "field": "Q22"}
    _, out, _ = run(capsys, "-C", str(root), "rules", "preview", "--format", "json")
    moves = [preview for preview in json.loads(out) if preview["rows"][0]["form"] == "frat.li"]
    assert len(moves) == 1
    assert moves[0]["moves"] is True


def test_what_one_document_drafted_is_said_of_the_next_without_a_second_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gt = GT.replace("2,N,,N,,,5 | 0,0,,", "2,N,,N,,,5 | 0,2,Y,fratelli | comici")
    answers = {"1": ok({**RIGHT["1"], "Q22": "frat.li | comici"}), "2": ok({**RIGHT["2"], "Q19": 2, "Q21": "Y", "Q22": "frat.li | comici"})}
    root = workspace(tmp_path, {"m/p/run_01.json": answers}, gt=gt)
    queued = [case for case in cases(evaluate(load(open_workspace(root)))) if case.title.startswith("frat.li")]
    assert {case.page for case in queued} == {"1", "2"}
    for case in queued:
        assert run(capsys, "-C", str(root), "--verifier", "mp", "decide", case.id, "equivalent")[0] == 0
    assert (root / "EQUIVALENCES.md").read_text(encoding="utf-8").count("frat.li | fratelli") == 1
    assert len((root / "adjudications" / "mp.jsonl").read_bytes().splitlines()) == 2
    code, out, _ = run(capsys, "-C", str(root), "rules", "draft", "--form", "frat.li", "--canonical", "fratelli", "--field", "Q22")
    assert (code, "says so already, OPEN. Nothing was written." in out) == (0, True)


@pytest.mark.parametrize("keeper", ["mp", "xy"])
def test_a_stale_verdict_is_kept_by_its_verifier_or_by_another_and_is_stale_no_more(tmp_path: Path, keeper: str) -> None:
    root = workspace(tmp_path, RUNS)
    session = open_session(root, "mp", task="questions")
    session.open_queue("questions")
    given = session.give("equivalent")
    workspace(tmp_path, {}, gt=GT.replace("suo domestico", "un domestico"))
    session = open_session(root, keeper, task="questions")
    session.open_queue("stale")
    assert session.current is not None
    assert session.current.id == given.case
    assert session.keep().startswith("kept: equivalent")
    session.settle()
    assert (session.progress("stale").stale, session.evaluation.stale) == (0, ())
    assert [entry.verifier for entry in session.evaluation.applied] == [keeper]
    again = open_session(root, keeper, task="questions")
    assert (again.progress("stale").stale, again.evaluation.bound) == (0, session.evaluation.bound)
    session.undo()
    session.settle()
    assert session.evaluation.applied == ()
