"""Every model's reading stacked, and the star where most models agree (`docs/review.md`, `docs/adjudication.md#against-the-key`)."""

from __future__ import annotations

from scoring.tables.cases.majority import agreed_on, majority_readings
from scoring.tables.display.evidence import stacked_readings
from tests.scoring.tables.builders import TITLES, Bench, Given, material, rules


def stack(runs: dict[str, str], gt: str = "Anna Rosa", **more) -> tuple[str, list[tuple[str, str, str]]]:
    """Title, and mark, model and reading of each line, of a case about the GT row; runs are `MODEL/n/RUN: reading`."""
    pages: dict[str, dict[str, list[Given]]] = {run: {"1": [text]} for run, text in runs.items()}
    made = Bench(material({"1": [gt]}, pages, **more))  # type: ignore[arg-type]
    case = next(case for case in made.cases if case.queue in ("borderline", "against the key"))
    found = stacked_readings(made.evaluation, case)
    assert found is not None
    return found.title, [(line.mark, line.cells[0], line.cells[1]) for line in found.lines]


MANY = {f"a/n/{at}": "Anna Rosi" for at in range(1, 8)}


def test_the_most_frequent_reading_over_runs_is_no_majority_of_models():
    title, lines = stack({**MANY, "b/n/1": "Anna Maria", "c/n/1": "Ana Rosa"})
    assert title == "All readings of this GT row"
    assert lines == [("", "a", "Anna Rosi"), ("", "b", "Anna Maria"), ("", "c", "Ana Rosa")]


def test_what_most_models_agree_on_is_marked_in_each_of_them():
    title, lines = stack({**MANY, "b/n/1": "Anna Maria", "b/n/2": "Anna Maria", "c/n/1": "anna maria!"})
    assert title == "All readings of this GT row, ★ where 2 of 3 models agree"
    assert lines == [("", "a", "Anna Rosi"), ("★", "b", "Anna Maria"), ("★", "c", "anna maria!")]


def test_the_ground_truths_own_name_can_be_the_majority():
    title, lines = stack({"a/n/1": "Anna Rosa", "b/n/1": "Anna Rosa", "c/n/1": "Anna Maria"})
    assert title == "All readings of this GT row, ★ where 2 of 3 models agree"
    assert [mark for mark, _, _ in lines] == ["★", "★", ""]


def test_a_reading_is_marked_as_it_was_read_titles_stepped_over():
    runs = {"a/n/1": "Il Conte Anna Rosi", "b/n/1": "Anna Rosi", "c/n/1": "Anna Maria"}
    _, lines = stack(runs, made_with=rules(steps=TITLES))
    assert [mark for mark, _, _ in lines] == ["★", "★", ""]


def test_half_the_models_are_no_majority_and_one_model_is_none():
    assert "★" not in stack({"a/n/1": "Anna Maria", "b/n/1": "Anna Rosa"})[0]
    assert "★" not in stack({"a/n/1": "Anna Maria"})[0]


def test_the_star_and_the_queue_against_the_key_count_alike():
    runs: dict[str, dict[str, list[Given]]] = {
        "a/n/1": {"1": ["Anna Maria"]},
        "b/n/1": {"1": ["Anna Maria"]},
        "c/n/1": {"1": ["Anna Rosa"]},
    }
    made = Bench(material({"1": ["Anna Rosa"]}, runs))  # type: ignore[arg-type]
    agreed = agreed_on(made.evaluation, "1", 0)
    assert agreed == ("anna maria", 2, 3)
    assert majority_readings(made.evaluation, "1")[0][0] == agreed.form
