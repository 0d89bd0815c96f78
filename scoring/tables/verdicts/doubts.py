"""Doubts about the ground truth: what was said of it, what is agreed, the files as they would be (`docs/adjudication.md#doubts`).

A `gt-*` verdict changes nothing by itself. It doubts the name of a row, one value of it, or the row as a whole. Agreed is what stands
without conflict and without another doubt that says something else of the same name, value or row. What is agreed can be written as a
patch, or into the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scoring.adjudication.decisions import LogEntry
from scoring.adjudication.doubts import Correction, Doubt, State, bytes_of, changed_meanwhile
from scoring.adjudication.log_entry import field_of
from scoring.foundations.problems import InputError
from scoring.tables.cases.queues import GT_VERDICTS, located, run_of
from scoring.tables.decisions.anchor import numbered
from scoring.tables.decisions.application import AnchoredVerdict
from scoring.tables.decisions.precedence import CaseStanding
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.inputs.csv_edit import Changes, changed
from scoring.tables.inputs.ground_truth import read_gt
from scoring.tables.inputs.ground_truth_files import GTFile
from scoring.tables.inputs.rows import RowReader
from scoring.tables.matching.normalized import PreparedPage

BOM = "\ufeff"


def doubts(evaluation: Evaluation) -> tuple[Doubt, ...]:
    """Every doubt about the ground truth, by page and row."""
    found = [*_standing(evaluation), *_disputed(evaluation), *_stale(evaluation)]
    order = {page.id: at for at, page in enumerate(evaluation.material.pages)}
    together = _merged(found)
    together = [_done(evaluation, doubt) for doubt in together]
    return tuple(sorted(together, key=lambda one: (order.get(one.page, len(order)), one.row or 0, one.field, one.verdict, one.said[0].id)))


def _standing(evaluation: Evaluation) -> Iterator[Doubt]:
    for page, bound in evaluation.binding.pages.items():
        for statement in bound.statements:
            if statement.entry.verdict in GT_VERDICTS:
                yield _doubt(evaluation, page, statement, bound.standing[statement.key.id])


def _doubt(evaluation: Evaluation, page: str, statement: AnchoredVerdict, standing: CaseStanding) -> Doubt:
    gt, entry = evaluation.prepared.pages[page], statement.entry
    said = tuple(one for one in standing.entries if one.verdict == entry.verdict and one.value == entry.value)
    value = entry.value.strip() if isinstance(entry.value, str) and entry.value.strip() else None
    field = statement.key.field
    if field:
        row_doubted = gt.page.rows[statement.gt[0]]
        # An empty text proposes that the value be blank.
        value = entry.value.strip() if isinstance(entry.value, str) else None
        text = row_doubted.values[field]
        doubt = Doubt(entry.verdict, value, page, gt.page.file, row_doubted.number, text, said, "agreed", field=field)
        return _writable(evaluation, doubt)
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
    elif doubt.verdict != "gt-extra-row" and not doubt.field and len(evaluation.material.schema.key) != 1:
        why = f"the name is made of several columns ({', '.join(evaluation.material.schema.key)}), so a doubt must name its field"
    elif (doubt.verdict == "gt-wrong" or doubt.field) and doubt.value == doubt.text:
        why = "the ground truth reads so already"
    return replace(doubt, state="by hand", why=why) if why else doubt


def _place(evaluation: Evaluation, gt: PreparedPage, statement: AnchoredVerdict) -> int:
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


def _unbound(evaluation: Evaluation, page: str, entry: LogEntry, state: State, why: str) -> Doubt:
    """A doubt that is not applied, as the log tells it."""
    known = evaluation.prepared.pages.get(page)
    asked = next((target for target in (*entry.targets, str(entry.basis.get("asked") or "")) if target.startswith("gt:")), "")
    texts = entry.basis.get("texts")
    field = field_of(entry)
    text = str(entry.basis.get("cell") or "") if field else str(texts.get(asked, "")) if isinstance(texts, Mapping) else ""
    number = asked.rsplit(":", 1)[-1]
    row = int(number) if number.isascii() and number.isdigit() else None
    value = entry.value if isinstance(entry.value, str) else None
    return Doubt(entry.verdict, value, page, known.page.file if known else "", row, text, (entry,), state, why, field=field)


def _merged(found: Iterable[Doubt]) -> list[Doubt]:
    """Doubts that say the same as one; agreed ones that say different things of one name or value contradict each other.

    So do a row too many and any doubt about what stands in it.
    """
    same: dict[tuple[object, ...], Doubt] = {}
    for doubt in found:
        key = (doubt.page, doubt.row, doubt.field, doubt.verdict, doubt.value, doubt.state, doubt.why)
        known = same.get(key)
        said = {entry.id: entry for entry in (*(known.said if known else ()), *doubt.said)}
        same[key] = replace(doubt, said=tuple(said[id] for id in sorted(said)))
    by_row: dict[tuple[str, int], list[Doubt]] = {}
    for doubt in same.values():
        if doubt.state in ("agreed", "by hand") and doubt.verdict != "gt-missing-row" and doubt.row is not None:
            by_row.setdefault((doubt.page, doubt.row), []).append(doubt)
    out = []
    for doubt in same.values():
        of_row = by_row.get((doubt.page, doubt.row), ()) if doubt.row is not None else ()
        against = [one for one in of_row if one is not doubt and _contradict(one, doubt)] if doubt in of_row else []
        if against:
            told = "; ".join(_told(one) for one in against)
            doubt = replace(doubt, state="conflict", why=f"of the same row is said {told}")
        out.append(doubt)
    return out


def _contradict(one: Doubt, other: Doubt) -> bool:
    return one.field == other.field or "gt-extra-row" in (one.verdict, other.verdict)


def _told(doubt: Doubt) -> str:
    field = f" of {doubt.field}" if doubt.field else ""
    value = f" “{doubt.value}”" if doubt.value else " a blank" if doubt.field and doubt.value is not None else ""
    return f"{doubt.verdict}{field}{value}"


def _done(evaluation: Evaluation, doubt: Doubt) -> Doubt:
    """The doubt, `done` where the ground truth has changed since and now says what was proposed."""
    page = evaluation.prepared.pages.get(doubt.page)
    judged = {entry.basis.get("gt") for entry in doubt.said}
    if page is None or doubt.state == "conflict" or evaluation.material.gt_fingerprint in judged:
        return doubt
    if doubt.field:
        at = numbered(page, doubt.row) if doubt.row is not None else None
        reached = at is not None and doubt.value is not None and page.page.rows[at].values.get(doubt.field) == doubt.value.strip()
    elif doubt.verdict == "gt-extra-row":
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
    by_page: dict[str, list[Doubt]] = {}
    for doubt in wanted:
        if doubt.state == "agreed":
            by_page.setdefault(doubt.page, []).append(doubt)
    by_path: dict[Path, list[Doubt]] = {}
    for page, found in by_page.items():
        path = workspace.root / evaluation.prepared.pages[page].page.source
        by_path.setdefault(path, []).extend(found)
    return tuple(_corrected(evaluation, path, found) for path, found in by_path.items())


def _corrected(evaluation: Evaluation, path: Path, found: list[Doubt]) -> Correction:
    material = evaluation.material
    if path.suffix.lower() not in (".csv", ".tsv"):
        raise InputError("only CSV is changed by this command", where=path, hint="change the file by hand; `truth list` says what")
    before = bytes_of(path)
    files: dict[str, GTFile] = {}
    for page in dict.fromkeys(doubt.page for doubt in found):
        now, _, files[page] = read_gt(path, material.workspace, material.schema, page)
        if now.rows != evaluation.prepared.pages[page].page.rows or bytes_of(path) != before:
            raise changed_meanwhile(path)
    try:
        text = before.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("this file is not UTF-8, so it is not changed", where=path, hint="save it as UTF-8 first") from None
    mark = BOM if text.startswith(BOM) else ""
    text = text.removeprefix(BOM)
    names = material.schema.names
    named = _columns(text, names, material.settings.blank_words)
    cells: dict[int, dict[int, str]] = {}
    removed: set[int] = set()
    added: list[tuple[int, tuple[str, ...]]] = []
    for doubt in found:
        assert doubt.row is not None
        file = files[doubt.page]
        row = _row_in_file(file, doubt.row)
        if doubt.verdict == "gt-extra-row":
            removed.add(row)
        elif doubt.verdict == "gt-missing-row":
            column = _column(named, material.schema.key[0], path)
            texts = {column: doubt.value or ""} | ({file.page_column: doubt.page} if file.page_column is not None else {})
            added.append((row, tuple(texts.get(at, "") for at in range(named.width))))
        else:
            column = _column(named, doubt.field or material.schema.key[0], path)
            cells.setdefault(row, {})[column] = doubt.value or ""
    try:
        after = changed(text, names, Changes(cells, frozenset(removed), tuple(added)))
    except InputError as fault:
        raise InputError(fault.what, where=path, line=fault.line, hint=fault.hint) from fault
    return Correction(path, material.workspace.relative(path), before, (mark + after).encode("utf-8"), tuple(found))


def _row_in_file(file: GTFile, row: int) -> int:
    """Return the number that a row of a page has in its file; 0 is the place before the first."""
    if not file.numbers:
        return row
    return file.numbers[row - 1] if row else file.numbers[0] - 1


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the columns of a file stand, by field, and how many there are."""

    places: Mapping[str, int]
    width: int


def _columns(text: str, names: tuple[str, ...], blank: tuple[str, ...]) -> _Columns:
    from scoring.texts.csv_tables import column_names, read_table

    table = read_table(text, names)
    assert table is not None
    columns, _ = column_names(table.header)
    reader = RowReader(names, blank)
    places: dict[str, int] = {}
    for at, name in enumerate(columns):
        field = reader.field_of(name)
        # Of several columns that mean a field the one of its very name is read, else the first.
        if field is not None and (field not in places or (name == field and columns[places[field]] != field)):
            places[field] = at
    return _Columns(places, len(columns))


def _column(columns: _Columns, field: str, path: Path) -> int:
    """Where a field's column stands.

    Raises:
        InputError: there is none.
    """
    if field not in columns.places:
        raise InputError(f"there is no column `{field}` to write to", where=path, hint="add the column by hand, then run the command again")
    return columns.places[field]
