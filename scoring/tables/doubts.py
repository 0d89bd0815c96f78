"""Doubts about the ground truth: what was said of it, what is agreed, the files as they would be (`4-adjudication`, Verdicts).

A `gt-*` verdict changes nothing by itself. Agreed is what stands without conflict and without another doubt that says
something else of the same row. What is agreed can be written as a patch, or into the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from scoring.adjudication.decisions import Entry
from scoring.adjudication.doubts import Correction, Doubt, State, bytes_of, changed_meanwhile
from scoring.problems import InputError
from scoring.tables.binding import Statement
from scoring.tables.cases import GT_VERDICTS, located, run_of
from scoring.tables.csv_edit import Changes, changed
from scoring.tables.evaluate import Evaluation
from scoring.tables.prepared import PreparedPage
from scoring.tables.rows import RowReader
from scoring.tables.truth import gt_files, read_gt
from scoring.tables.weighing import CaseStanding

BOM = "\ufeff"


def doubts(evaluation: Evaluation) -> tuple[Doubt, ...]:
    """Every doubt about the ground truth, by page and row."""
    found = [*_standing(evaluation), *_disputed(evaluation), *_stale(evaluation)]
    order = {page.id: at for at, page in enumerate(evaluation.material.pages)}
    together = _merged(found)
    together = [_done(evaluation, doubt) for doubt in together]
    return tuple(sorted(together, key=lambda one: (order.get(one.page, len(order)), one.row or 0, one.verdict, one.said[0].id)))


def _standing(evaluation: Evaluation) -> Iterator[Doubt]:
    for page, bound in evaluation.binding.pages.items():
        for statement in bound.statements:
            if statement.entry.verdict in GT_VERDICTS:
                yield _doubt(evaluation, page, statement, bound.standing[statement.key.id])


def _doubt(evaluation: Evaluation, page: str, statement: Statement, standing: CaseStanding) -> Doubt:
    gt, entry = evaluation.prepared.pages[page], statement.entry
    said = tuple(one for one in standing.entries if one.verdict == entry.verdict and one.value == entry.value)
    value = entry.value.strip() if isinstance(entry.value, str) and entry.value.strip() else None
    if entry.verdict == "gt-missing-row":
        after = _place(evaluation, gt, statement)
        return _writable(evaluation, Doubt(entry.verdict, value, page, gt.page.file, after, "", said, "agreed"))
    anchored = gt.row_of.get(statement.key.anchor) if statement.key.anchor is not None else None
    at = statement.gt[0] if statement.gt else anchored
    row, text = (gt.page.rows[at].number, gt.texts[at]) if at is not None else (None, "")
    return _writable(evaluation, Doubt(entry.verdict, value, page, gt.page.file, row, text, said, "agreed"))


def _writable(evaluation: Evaluation, doubt: Doubt) -> Doubt:
    """The doubt, `by hand` where nobody said what to write."""
    why = ""
    if doubt.row is None:
        why = "no row of the ground truth was pointed to"
    elif doubt.verdict != "gt-extra-row" and doubt.value is None:
        why = "no text was proposed"
    elif doubt.verdict != "gt-extra-row" and len(evaluation.material.schema.key) != 1:
        why = f"the name is made of several columns ({', '.join(evaluation.material.schema.key)})"
    elif doubt.verdict == "gt-wrong" and doubt.value == doubt.text:
        why = "the ground truth reads so already"
    return replace(doubt, state="by hand", why=why) if why else doubt


def _place(evaluation: Evaluation, gt: PreparedPage, statement: Statement) -> int:
    """The number of the row a missing one would stand after: that of the nearest model row before it that is a match; else the last."""
    last = gt.page.rows[-1].number if gt.page.rows else 0
    subject = str(statement.entry.basis.get("subject", ""))
    if not subject.startswith("model:"):
        at = gt.row_of.get(statement.key.anchor) if statement.key.anchor is not None else None
        return gt.page.rows[at].number if at is not None else last
    try:
        page, row = located(evaluation.prepared, subject)
    except (KeyError, ValueError, IndexError):
        return last
    score = evaluation.pages[run_of(subject), page]
    before = [(pair.model, pair.gt) for pair in score.pairs if pair.matched and pair.model < row]
    return gt.page.rows[max(before)[1]].number if before else last


def _disputed(evaluation: Evaluation) -> Iterator[Doubt]:
    for page, bound in evaluation.binding.pages.items():
        for standing in bound.conflicts:
            for entry in standing.entries:
                if entry.verdict in GT_VERDICTS:
                    others = ", ".join(f"{one.verifier}: {one.verdict}" for one in standing.entries if one is not entry)
                    yield _unbound(evaluation, page, entry, "conflict", f"against it stands {others}")


def _stale(evaluation: Evaluation) -> Iterator[Doubt]:
    for page, bound in evaluation.binding.pages.items():
        for stale in (*bound.stale, *bound.acted_on):
            if stale.entry.verdict in GT_VERDICTS:
                yield _unbound(evaluation, page, stale.entry, "stale", stale.cause)


def _unbound(evaluation: Evaluation, page: str, entry: Entry, state: State, why: str) -> Doubt:
    """A doubt that is not applied, as the log tells it."""
    known = evaluation.prepared.pages.get(page)
    asked = next((target for target in (*entry.targets, str(entry.basis.get("asked") or "")) if target.startswith("gt:")), "")
    texts = entry.basis.get("texts")
    text = str(texts.get(asked, "")) if isinstance(texts, Mapping) else ""
    number = asked.rsplit(":", 1)[-1]
    row = int(number) if number.isascii() and number.isdigit() else None
    value = entry.value if isinstance(entry.value, str) else None
    return Doubt(entry.verdict, value, page, known.page.file if known else "", row, text, (entry,), state, why)


def _merged(found: Iterable[Doubt]) -> list[Doubt]:
    """Doubts that say the same of one row as one; agreed ones that say different things of one row contradict each other."""
    same: dict[tuple[object, ...], Doubt] = {}
    for doubt in found:
        key = (doubt.page, doubt.row, doubt.verdict, doubt.value, doubt.state, doubt.why)
        known = same.get(key)
        said = {entry.id: entry for entry in (*(known.said if known else ()), *doubt.said)}
        same[key] = replace(doubt, said=tuple(said[id] for id in sorted(said)))
    by_row: dict[tuple[str, int | None], list[Doubt]] = {}
    for doubt in same.values():
        if doubt.state in ("agreed", "by hand") and doubt.verdict != "gt-missing-row":
            by_row.setdefault((doubt.page, doubt.row), []).append(doubt)
    clashing = {id(doubt): others for others in by_row.values() if len(others) > 1 and others[0].row is not None for doubt in others}
    out = []
    for doubt in same.values():
        against = [one for one in clashing.get(id(doubt), ()) if one is not doubt]
        if against:
            told = "; ".join(f"{one.verdict}{f' “{one.value}”' if one.value else ''}" for one in against)
            doubt = replace(doubt, state="conflict", why=f"of the same row is said {told}")
        out.append(doubt)
    return out


def _done(evaluation: Evaluation, doubt: Doubt) -> Doubt:
    """The doubt, `done` where the ground truth has changed since and now says what was proposed."""
    page = evaluation.prepared.pages.get(doubt.page)
    judged = {entry.basis.get("gt") for entry in doubt.said}
    if page is None or doubt.state == "conflict" or evaluation.material.gt_fingerprint in judged:
        return doubt
    if doubt.verdict == "gt-extra-row":
        reached = doubt.state == "stale" and doubt.text not in page.texts
    elif doubt.verdict == "gt-missing-row":
        reached = doubt.value in page.texts
    else:
        reached = doubt.state == "stale" and doubt.value in page.texts
    return replace(doubt, state="done", why="") if reached else doubt


# The files as they would be.


def corrections(evaluation: Evaluation, wanted: Iterable[Doubt]) -> tuple[Correction, ...]:
    """The files of ground truth with the agreed doubts among those wanted written into them. Nothing is written to disk.

    Raises:
        InputError: a file has changed since it was read, is not UTF-8, or cannot be changed safely.
    """
    workspace = evaluation.material.workspace
    paths = dict(gt_files(workspace.gt, workspace.root)[0])
    by_page: dict[str, list[Doubt]] = {}
    for doubt in wanted:
        if doubt.state == "agreed":
            by_page.setdefault(doubt.page, []).append(doubt)
    return tuple(_corrected(evaluation, page, paths[page], found) for page, found in by_page.items())


def _corrected(evaluation: Evaluation, page: str, path: Path, found: list[Doubt]) -> Correction:
    material = evaluation.material
    before = bytes_of(path)
    now, _ = read_gt(path, material.workspace, material.schema)
    if now.rows != evaluation.prepared.pages[page].page.rows or bytes_of(path) != before:
        raise changed_meanwhile(path)
    try:
        text = before.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("this file is not UTF-8, so it is not changed", where=path, hint="save it as UTF-8 first") from None
    mark = BOM if text.startswith(BOM) else ""
    text = text.removeprefix(BOM)
    names = material.schema.names
    column, width = _column(text, material.schema.key[0], names, material.settings.blank_words)
    cells: dict[int, dict[int, str]] = {}
    removed: set[int] = set()
    added: list[tuple[int, tuple[str, ...]]] = []
    for doubt in found:
        assert doubt.row is not None
        if doubt.verdict == "gt-extra-row":
            removed.add(doubt.row)
        elif doubt.verdict == "gt-missing-row":
            added.append((doubt.row, tuple(doubt.value or "" if at == column else "" for at in range(width))))
        else:
            cells[doubt.row] = {column: doubt.value or ""}
    try:
        after = changed(text, names, Changes(cells, frozenset(removed), tuple(added)))
    except InputError as fault:
        raise InputError(fault.what, where=path, line=fault.line, hint=fault.hint) from fault
    return Correction(path, material.workspace.relative(path), before, (mark + after).encode("utf-8"), tuple(found))


def _column(text: str, key: str, names: tuple[str, ...], blank: tuple[str, ...]) -> tuple[int, int]:
    """Where the key's column stands in the file, and how many columns there are."""
    from scoring.delimited import column_names, read_table

    table = read_table(text, names)
    assert table is not None
    columns, _ = column_names(table.header)
    reader = RowReader(names, blank)
    exact = [at for at, name in enumerate(columns) if name == key]
    loose = [at for at, name in enumerate(columns) if reader.field_of(name) == key]
    if not (exact or loose):
        raise InputError(f"there is no column `{key}`")
    return (exact or loose)[0], len(columns)
