"""A stale verdict: what it said, and the rows it judged beside the rows as they are now (`docs/adjudication.md#stale-verdicts`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scoring.adjudication.cases import Block, Case, Comparison, Facts, Grid, Line
from scoring.adjudication.decisions import LogEntry
from scoring.adjudication.log_entry import field_of, verdict_in_words
from scoring.tables.cases.queues import located, run_of, text_of
from scoring.tables.decisions.anchor import gt_row_of, mapping, row_number, value_target
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.matching.normalized import PreparedMaterial

JUDGED, NOW = "as judged", "as it is now"


def stale_blocks(evaluation: Evaluation, case: Case) -> Iterator[Block]:
    """Cause and verdict, then each row it spoke of: its name and fields as judged, and as they stand today."""
    entry = case.basis.get("entry")
    if not isinstance(entry, LogEntry):
        yield Facts("Stale", (("cause", case.note),))
        return
    yield Facts("Stale", (("cause", case.note), *_said(entry)))
    if field_of(entry):
        yield from _value(evaluation.prepared, entry)
        return
    texts, values = mapping(entry.basis.get("texts")), mapping(entry.basis.get("fields"))
    for target in texts:
        yield from _row(evaluation.prepared, entry, target, str(texts[target]), mapping(values.get(target)))


def _said(entry: LogEntry) -> Iterator[tuple[str, str]]:
    yield "verdict", f"{verdict_in_words(entry)} by {entry.verifier} at {entry.at}"
    yield "pointing to", ", ".join(entry.targets) or "nothing"
    if entry.note:
        yield "note", entry.note


def _value(prepared: PreparedMaterial, entry: LogEntry) -> Iterator[Block]:
    """The value of the GT row that the verdict is about, as judged and as it is now, and whose it is."""
    field, target = field_of(entry), value_target(entry)
    before = str(entry.basis.get("cell") or "")
    label, today = f"GT {row_number(target)} {field} {JUDGED}", _today(prepared, entry, target)
    if today is None:
        yield Facts(label, ((field, before or "(blank)"), ("now", "this row is gone")))
        return
    page, at = located(prepared, today)
    now = prepared.pages[page].page.rows[at].values.get(field)
    if now is None:
        yield Facts(label, ((field, before or "(blank)"), ("now", "the schema has no such field")))
    else:
        yield Comparison(label, before, NOW, now)
    judged = str(mapping(entry.basis.get("texts")).get(target, ""))
    yield Facts("Row", (("name as judged", judged), ("name now", prepared.pages[page].texts[at])))


def _row(prepared: PreparedMaterial, entry: LogEntry, target: str, before: str, judged: Mapping[str, object]) -> Iterator[Block]:
    today = _today(prepared, entry, target)
    if today is None:
        yield Facts(f"{target}, {JUDGED}", (("name", before), ("now", "this row is gone")))
        if judged:
            yield Grid(f"Fields of {target}", ("field", JUDGED), tuple(Line((name, str(value))) for name, value in judged.items()))
        return
    moved = "" if today == target else f" (now {today})"
    # The whole ROW heads the fields; here the names have the room.
    side = "GT" if target.startswith("gt:") else "row"
    yield Comparison(f"{side} {row_number(target)} {JUDGED}", before, NOW, text_of(prepared, today))
    page, row = located(prepared, today)
    rows = prepared.pages[page].page.rows if today.startswith("gt:") else prepared.run_page(run_of(today), page).page.rows
    now = rows[row].values
    key = set(prepared.material.schema.key)
    names = [name for name in now if name not in key and (now[name] or judged.get(name))]
    if not judged:
        lines = tuple(Line((name, now[name])) for name in names)
        yield Grid(f"Fields of {target}{moved}; the log does not have them {JUDGED}", ("field", NOW), lines)
        return
    pairs = [(name, str(judged.get(name) or ""), now[name]) for name in names]
    lines = tuple(Line(pair, "=" if pair[1] == pair[2] else "≠") for pair in pairs)
    yield Grid(f"Fields of {target}{moved}", ("field", JUDGED, NOW), lines)


def _today(prepared: PreparedMaterial, entry: LogEntry, target: str) -> str | None:
    """The ROW that stands for a judged row today: a GT row where it moved to, else what stands at its number; `None` where nothing does."""
    page = str(entry.basis.get("page", ""))
    if page not in prepared.pages:
        return None
    if target.startswith("gt:"):
        at = gt_row_of(prepared.pages[page], target, entry.basis)
        if at is not None:
            return prepared.pages[page].target(at)
    try:
        located(prepared, target)
    except (KeyError, ValueError):
        return None
    return target
