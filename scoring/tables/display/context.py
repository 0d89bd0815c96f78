"""A row on its page: the rows above and below, its family and company on the page, and its fields (`docs/review.md`).

Whether a row is "the wife of the one before" or a name written over two lines is judged by what stands around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.adjudication.cases import Grid, Line
from scoring.tables.cases.occurrence_view import OccurrenceView
from scoring.tables.inputs.material import Row
from scoring.workspace.schema import Schema

NEIGHBOURS = 2
# How many rows of a family or company are shown: a page of one inn would be the whole page.
COMPANY = 8
# A last word this long is taken for a surname; shorter ones are particles and abbreviations.
_SURNAME = 3
# What tells how a row stands on the page: when it came and left, and with whom.
_TELLING = ("date", "flag", "count")
# Rows that share this many of dates and places belong together.
_TOGETHER = 2


def fields(sight: OccurrenceView) -> Grid:
    """Every field of both rows, with its score and a mark: `=` equal, `~` partly, `≠` wrong, `·` not scorable."""
    gt, row = sight.shown_gt, sight.shown_row
    lines = []
    for scorer in sight.gt.scorers.scorers:
        name = scorer.field.name
        expected = sight.gt.page.rows[gt].values.get(name, "") if gt is not None else ""
        found = sight.answer.page.rows[row].values.get(name, "") if row is not None else ""
        score = scorer.score(expected, found) if gt is not None and row is not None else None
        mark = "·" if score is None else "=" if score == 1 else "≠" if score == 0 else "~"
        lines.append(Line((name, expected, found, "" if score is None else f"{score:.2f}"), mark))
    return Grid("Fields", ("field", "ground truth", "model", "score"), tuple(lines))


def context(sight: OccurrenceView) -> Iterator[Grid]:
    """The neighbours and the company of the rows shown, on the page and in the answer."""
    schema = sight.evaluation.material.schema
    gt, row = sight.shown_gt, sight.shown_row
    if gt is not None:
        yield _neighbours(schema, "Page, around the GT row", sight.gt.page.rows, sight.gt.texts, gt)
        yield from _company(schema, "Page, family and company of the GT row", sight.gt.page.rows, sight.gt.texts, sight.gt.forms, gt)
    if row is not None:
        answer = sight.answer
        forms = [answer.form(at) for at in range(len(answer.models))]
        yield _neighbours(schema, "Answer, around the model row", answer.page.rows, answer.texts, row)
        yield from _company(schema, "Answer, family and company of the model row", answer.page.rows, answer.texts, forms, row)


def _neighbours(schema: Schema, title: str, rows: Sequence[Row], texts: Sequence[str], at: int) -> Grid:
    """The row with those above and below it, and the fields that tell how it stands on the page: dates and family."""
    shown = [field.name for field in schema.fields if field.method in _TELLING]
    near = range(max(0, at - NEIGHBOURS), min(len(rows), at + NEIGHBOURS + 1))
    lines = tuple(
        Line((str(rows[one].number), texts[one], *(rows[one].values.get(name, "") for name in shown)), "▸" if one == at else "")
        for one in near
    )
    return Grid(title, ("row", "name", *shown), lines)


def _company(schema: Schema, title: str, rows: Sequence[Row], texts: Sequence[str], forms: Sequence[str], at: int) -> Iterator[Grid]:
    """The other rows of the page that share the surname (the last word of the name) or their dates and places; nothing where none does."""
    told = [field.name for field in schema.fields if field.method in _TELLING and field.method != "date"]
    found = [(one, shared) for one in range(len(rows)) if one != at and (shared := _shared(schema, rows, forms, at, one))]
    if not found:
        return
    lines = [Line((str(rows[at].number), texts[at], "", *(rows[at].values.get(name, "") for name in told)), "▸")]
    found.sort(key=lambda item: ("surname" not in item[1], abs(item[0] - at), item[0]))
    lines += [
        Line((str(rows[one].number), texts[one], ", ".join(shared), *(rows[one].values.get(name, "") for name in told)))
        for one, shared in sorted(found[:COMPANY])
    ]
    if found[COMPANY:]:
        lines.append(Line(("", f"and {len(found) - COMPANY} more")))
    yield Grid(title, ("row", "name", "shares", *told), tuple(lines))


def _shared(schema: Schema, rows: Sequence[Row], forms: Sequence[str], at: int, other: int) -> tuple[str, ...]:
    """What two rows share that makes them a family or company."""
    surname = _surname(forms[at])
    same_name = ("surname",) if surname and surname == _surname(forms[other]) else ()
    mine, theirs = rows[at].values, rows[other].values
    same = tuple(
        field.name
        for field in schema.fields
        if field.method in ("date", "place") and mine.get(field.name, "").strip() and mine[field.name] == theirs.get(field.name)
    )
    places = any(field.method == "place" and field.name in same for field in schema.fields)
    return (*same_name, *(same if len(same) >= _TOGETHER and places else ()))


def _surname(form: str) -> str:
    """The last word of a name of at least two words; empty where there is none to speak of."""
    words = form.split()
    return words[-1] if len(words) > 1 and len(words[-1]) >= _SURNAME else ""
