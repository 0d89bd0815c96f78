"""What a verdict may point to: every pointer is checked by the machine (`docs/adjudication.md#pointers`)."""

from __future__ import annotations

from scoring.foundations.problems import InputError
from scoring.tables.decisions.anchor import located, run_of
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.matching.normalized import PreparedMaterial

POINTERS = {
    "same": "one GT row",
    "different": "one GT row",
    "duplicate": "the model row it repeats",
    "merge": "two or more GT rows",
    "fragment": "the one GT row or model row it is a piece of",
    "misread": "one GT row",
    "invention": "nothing",
}


def check_row(prepared: PreparedMaterial, target: str, page: str) -> None:
    """Refuse a ROW that is none, or that lies on another page."""
    try:
        on, _ = located(prepared, target)
    except (KeyError, IndexError, ValueError):
        raise InputError(f"there is no row {target}", hint="a ROW is gt:PAGE:ROW or model:MODEL/PHASE/RUN:PAGE:ROW, rows from 1") from None
    if on != page:
        raise InputError(f"{target} lies on page {on}, the case on page {page}", hint="point to a row of the same page")


def check_pointer(evaluation: Evaluation, verdict: str, subject: str, gt_rows: tuple[str, ...], model_rows: tuple[str, ...]) -> None:
    """Refuse what a verdict cannot point to."""
    if verdict not in POINTERS:
        return
    prepared = evaluation.prepared
    if subject in model_rows or (subject in gt_rows and verdict in ("duplicate", "fragment", "merge", "misread")):
        raise InputError(f"a row cannot be a {verdict} of itself", hint=f"`{verdict}` points to {POINTERS[verdict]}")
    fits = {
        "same": len(gt_rows) == 1 and not model_rows,
        "different": len(gt_rows) == 1 and not model_rows,
        "duplicate": len(model_rows) == 1 and not gt_rows,
        "merge": len(gt_rows) >= 2 and not model_rows,
        "fragment": len(gt_rows) + len(model_rows) == 1,
        "misread": len(gt_rows) == 1 and not model_rows,
        "invention": not gt_rows and not model_rows,
    }[verdict]
    if not fits:
        given = ", ".join((*gt_rows, *model_rows)) or "nothing"
        raise InputError(f"`{verdict}` points to {POINTERS[verdict]}, not to {given}", hint="point with a digit key, or with --to ROW")
    if verdict in ("duplicate", "merge", "fragment", "misread", "invention") and not subject.startswith("model:"):
        raise InputError(
            f"`{verdict}` is said of a model row, and this case is about a GT row alone",
            hint="say `same` with a candidate, or a gt- verdict",
        )
    if verdict == "merge":
        texts = {prepared.pages[located(prepared, row)[0]].forms[located(prepared, row)[1]] for row in gt_rows}
        if len(texts) < 2:
            raise InputError("a merge joins two or more different GT names", hint="point to GT rows with different names")
    for target in model_rows:
        _check_model_row(evaluation, verdict, subject, target)


def _check_model_row(evaluation: Evaluation, verdict: str, subject: str, target: str) -> None:
    run, word = run_of(subject), "a duplicate repeats" if verdict == "duplicate" else "a fragment is a piece of"
    if run_of(target) != run:
        raise InputError(f"{word} a row of its own run", hint=f"point to a row of run {run}")
    (page, row), (_, pointed) = located(evaluation.prepared, subject), located(evaluation.prepared, target)
    answer = evaluation.prepared.run_page(run, page)
    if not answer.form(pointed):
        raise InputError(f"{target} has no name", hint="point to a row with one")
    back = evaluation.pages[run, page].bound.labels.get(pointed)
    if back is not None and back.model == row and answer.form(pointed) != answer.form(row):
        raise InputError(
            f"{target} is labelled a {back.label} of this very row", hint="one of the two stands for itself: take that label back first"
        )
