"""A correction changes one entry and no other byte."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.foundations.problems import InputError
from scoring.questions.inputs.csv_corrections import Correction, corrected, correction
from scoring.questions.matching.question_set import question_set
from scoring.questions.task import QuestionsTask
from scoring.workspace.layout import open_workspace
from tests.scoring.questions.small import GT, right, workspace

SET = question_set(
    {
        "question": [
            {"id": "Q4", "type": "integer", "text": "?"},
            {"id": "Q5", "type": "string", "text": "?"},
            {"id": "Q10", "type": "text_array", "text": "?", "words": 2},
        ]
    },
    "test",
)
TABLE = 'document,Q4,Q5,Q10\r\n1,3,"bottom, right",suo domestico |  sua figla |. | tre "x"\r\n"2",,,\r\n\r\n3,,x,a\r\n'


@pytest.mark.parametrize(
    ("target", "value", "old", "new"),
    [
        ("gt:1:Q10:2", "sua figlia", "sua figla", "sua figlia"),
        ("gt:1:Q5:1", "top right", '"bottom, right"', '"top right"'),
        ("gt:3:Q5:1", "x, y", ",x,", ',"x, y",'),
        ("gt:3:Q10:1", 'b "c"', ",a\r", ',"b ""c"""\r'),
        ("gt:1:Q10:3", "tre", 'suo domestico |  sua figla |. | tre "x"', "suo domestico |  sua figla |. | tre"),
    ],
)
def test_one_entry_changes(target: str, value: str, old: str, new: str) -> None:
    assert TABLE.count(old) == 1
    assert corrected(TABLE, SET, correction(target, value)) == TABLE.replace(old, new)


def test_a_mark_and_other_delimiters() -> None:
    for delimiter in ";\t":
        table = "\ufeff" + TABLE.replace('"bottom, right"', "bottom").replace(",", delimiter)
        assert corrected(table, SET, Correction("1", "Q10", 1, "un domestico")) == table.replace("suo domestico", "un domestico")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Correction("4", "Q10", 1, "x"), "no Q10 of document 4"),
        (Correction("1", "Q10", 4, "x"), "has no entry 4"),
        (Correction("1", "Q4", 1, "x"), "no text question"),
        (Correction("1", "Q9", 1, "x"), "no text question"),
        (Correction("1", "Q10", 1, "x", before="un domestico"), "is 'suo domestico' now, not 'un domestico'"),
    ],
)
def test_what_cannot_be_corrected_is_said(change: Correction, said: str) -> None:
    with pytest.raises(InputError) as fault:
        corrected(TABLE, SET, change)
    assert said in str(fault.value)
    with pytest.raises(InputError):
        correction("gt:28:4", "x")


@settings(max_examples=60, deadline=None)
@given(st.text("ab,\"'; \n", min_size=1, max_size=8).filter(lambda text: text.strip(" \n,;:)].") != ""))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, value: str) -> None:
    root: Path = tmp_path_factory.mktemp("w")
    workspace(root, {"m/p/run_01.json": right()})
    path = root / "questions/ground_truth.csv"
    task = QuestionsTask()
    before = task.load(open_workspace(root))
    path.write_text(corrected(GT, before.questions, Correction("1", "Q10", 2, value.strip())), encoding="utf-8", newline="")
    after = task.load(open_workspace(root))
    assert after.documents[0].values["Q10"].split("|")[1].strip() == value.strip()
    assert {**after.documents[0].values, "Q10": ""} == {**before.documents[0].values, "Q10": ""}
    assert after.documents[1].values == before.documents[1].values
