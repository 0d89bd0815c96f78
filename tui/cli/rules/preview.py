"""`adjudicate rules preview`: what OPEN rows would move, and what reopening settled ones would, in words and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from scoring.foundations.problems import InputError
from scoring.foundations.wording import similarity_text
from tui.cli import Invocation
from tui.cli.common.output import counted, figure, format_option, progress, say, say_json, say_table, tell

if TYPE_CHECKING:
    from scoring.questions.measures.totals import AnswerMove
    from scoring.tables.inputs.material import Material
    from scoring.tables.rules_preview import PairMoved, Preview
    from scoring.workspace.layout import Workspace
    from tui.bench.rules.rulebook import Rulebook

MOST = 12


@click.command()
@click.argument("names", metavar="[ROW]...", nargs=-1)
@click.option("--together", is_flag=True, help="The rows named as one, not each alone.")
@click.option("--all", "everything", is_flag=True, help="List every pair and value, not the first dozen.")
@format_option
@click.pass_obj
def preview(invocation: Invocation, names: tuple[str, ...], together: bool, everything: bool, form: str) -> None:
    """What OPEN rows would move: each alone, then all together.

    Of a settled row that is named: what reopening it would move. Cells, pages, pairs
    gained and lost, values before and after; of the scores as they are without
    decisions. Nothing is written.

    Example: adjudicate rules preview 42 --all
    """
    from scoring.workspace.layout import open_workspace
    from tui.bench.rules.rulebook import rulebook

    workspace = open_workspace(invocation.folder)
    material = None
    if workspace.gt.is_dir():
        from scoring.tables.inputs.material import load

        with progress() as step:
            material = load(workspace, progress=partial(step, "reading runs") if step else None)
    book = rulebook(workspace, material)
    lines = _lines(book, names)
    groups = _groups(book, lines, together)
    if not groups:
        if form == "json":
            say_json([])
        tell("There is no OPEN row.")
        return
    found = _previews(workspace, book, material, groups, alone_first=not lines)
    if form == "json":
        say_json([_document(book, tables, questions) for tables, questions in found])
        return
    for at, (tables, questions) in enumerate(found):
        if at:
            say()
        _print(book, tables, questions, None if everything else MOST)


def _lines(book: Rulebook, names: Iterable[str]) -> tuple[int, ...]:
    """The lines of the rows called so.

    Raises:
        InputError: no rule is called so.
    """
    from scoring.rules import line_named

    lines = tuple(line_named(book.rules, name) for name in names)
    known = {row.line for row in book.rules.rules}
    for line in lines:
        if line not in known:
            raise InputError("no rule stands on this line", where=book.path, line=line, hint="`adjudicate rules list` shows them")
    return lines


def _groups(book: Rulebook, lines: tuple[int, ...], together: bool) -> list[tuple[int, ...]]:
    chosen = tuple(dict.fromkeys(lines)) or book.rules.open_lines
    return [chosen] if together and chosen else [(line,) for line in chosen]


def _previews(
    workspace: Workspace, book: Rulebook, material: Material | None, groups: list[tuple[int, ...]], *, alone_first: bool
) -> list[tuple[Preview, tuple[AnswerMove, ...]]]:
    """A preview for each group of lines; where no line was named, one of all that may be tried together besides."""
    from scoring.rules import blocking
    from scoring.tables.rules_preview import Preview, preview

    with progress() as step:
        evaluation = None
        if material is not None:
            from scoring.tables.check import require_sound_rules
            from scoring.tables.execution.evaluation import evaluate_workspace

            require_sound_rules(material)
            evaluation = evaluate_workspace(material, progress=partial(step, "scoring pages") if step else None)
        questions = _Questions(workspace, book)

        def one(lines: tuple[int, ...]) -> tuple[Preview, tuple[AnswerMove, ...]]:
            blocked = blocking(book.rules, lines, book.witnesses, book.known)
            if blocked:
                return Preview(tuple(sorted(lines)), blocked), ()
            tables = preview(evaluation, lines, book.rules, book.witnesses) if evaluation is not None else Preview(tuple(sorted(lines)))
            return tables, questions.moves(lines)

        found = []
        for at, lines in enumerate(groups):
            if step is not None:
                step("trying rules", at, len(groups) + alone_first)
            found.append(one(lines))
        free = tuple(line for lines, (tables, _) in zip(groups, found, strict=True) if not tables.blocked for line in lines)
        if alone_first and len(free) > 1:
            found.append(one(free))
    return found


class _Questions:
    """The questions of the workspace, scored when a rule first names one of them."""

    def __init__(self, workspace: Workspace, book: Rulebook) -> None:
        self._workspace, self._book = workspace, book
        self._evaluation: Any = None

    def moves(self, lines: Iterable[int]) -> tuple[AnswerMove, ...]:
        """The answers that score otherwise with these OPEN rows switched on, and settled ones off."""
        rules = self._book.rules
        rows = [row for line in lines if (row := rules.row_at(line)) is not None]
        if not any(self._book.known.get(name) == "question" for row in rows for name in row.fields):
            return ()
        from scoring.questions.execution.evaluation import evaluate
        from scoring.questions.inputs.material import load
        from scoring.questions.measures.totals import moves

        if self._evaluation is None:
            self._evaluation = evaluate(load(self._workspace))
        tried = evaluate(self._evaluation.material.with_rules(rules.switched(tuple(lines))))
        return moves(self._evaluation, tried)


def _document(book: Rulebook, tables: Preview, questions: tuple[AnswerMove, ...]) -> dict[str, Any]:
    from tui.bench.rules.rule_rows import row_document

    rows = [row for line in tables.lines if (row := book.rules.row_at(line)) is not None]
    return {
        "lines": list(tables.lines),
        "rows": [row_document(row) for row in rows],
        "blocked": [{"line": p.line, "message": p.message} for p in tables.blocked],
        "moves": tables.moves or bool(questions),
        "scored_again": tables.touched,
        "pages": [{"run": run, "page": page} for run, page in tables.pages],
        "cells": [
            {
                "model": cell.model,
                "phase": cell.phase,
                **{
                    name: {"before": getattr(cell.before, name), "after": getattr(cell.after, name)}
                    for name in ("matched", "precision", "recall", "f1", "name_cer", "distinct_travelers", "surplus")
                },
                "fields": {name: {"before": before.accuracy, "after": after.accuracy} for name, before, after in cell.fields},
            }
            for cell in tables.cells
        ],
        "gained": [asdict(pair) for pair in tables.gained],
        "lost": [asdict(pair) for pair in tables.lost],
        "values": [asdict(value) for value in tables.values],
        "answers": [asdict(move) for move in questions],
    }


def _print(book: Rulebook, tables: Preview, questions: tuple[AnswerMove, ...], most: int | None) -> None:
    from tui.bench.rules.rule_rows import says

    if len(tables.lines) == 1:
        row = book.rules.row_at(tables.lines[0])
        assert row is not None
        reopened = "  if made OPEN again" if getattr(row, "status", "") == "settled" else ""
        say(f"{book.path.name}:{row.line}  {says(row)}  in {', '.join(row.fields)}{reopened}")
    else:
        say(f"Together: lines {', '.join(map(str, tables.lines))}")
    if tables.blocked:
        for problem in tables.blocked:
            say(f"  cannot be tried: {problem}")
        return
    if not tables.moves and not questions:
        say("  moves nothing.")
        return
    if tables.moves:
        say(
            f"  {counted(len(tables.gained), 'pair')} gained, {len(tables.lost)} lost; "
            f"{counted(len(tables.values), 'value')} otherwise; {counted(len(tables.pages), 'page scoring')} "
            f"in {counted(len(tables.cells), 'cell')} change ({tables.touched} scored again)."
        )
        _cells(tables)
        for sign, pairs in (("gained", tables.gained), ("lost", tables.lost)):
            _pairs(sign, pairs, most)
        _values(tables, most)
    if questions:
        _answers(questions, most)


def _cells(tables: Preview) -> None:
    rows = []
    for cell in tables.cells:
        before, after = cell.before, cell.after
        told = ((name, figure(b.accuracy), figure(a.accuracy)) for name, b, a in cell.fields)
        fields = [f"{name} {was} → {now}" for name, was, now in told if was != now]
        rows.append(
            (
                cell.model,
                cell.phase,
                f"{before.matched} → {after.matched}" if before.matched != after.matched else f"{after.matched}",
                _moved(before.f1, after.f1),
                _moved(before.name_cer, after.name_cer),
                ", ".join(fields) or ("each by less than 0.001" if cell.fields else ""),
            )
        )
    if rows:
        say_table(("  model", "phase", "matched", "F1", "CER", "fields"), [(f"  {model}", *rest) for model, *rest in rows])


def _moved(before: float | None, after: float | None) -> str:
    was, now = figure(before), figure(after)
    return now if was == now else f"{was} → {now}"


def _pairs(sign: str, pairs: Iterable[PairMoved], most: int | None) -> None:
    times: Counter[tuple[str, int, str, str, float, float]] = Counter(
        (pair.page, pair.gt_row, pair.gt_name, pair.model_name, pair.before, pair.after) for pair in pairs
    )
    rows = [
        (f"  {sign}", page, row, f"{similarity_text(before, None)} → {similarity_text(after, None)}", count, f"{model} ~ {gt}")
        for (page, row, gt, model, before, after), count in times.most_common()
    ]
    _some(("  pair", "page", "GT row", "similarity", "times", "model ~ GT"), rows, most, right=(2, 4))


def _values(tables: Preview, most: int | None) -> None:
    rows = [
        (f"  {value.field}", f"{figure(value.before)} → {figure(value.after)}", value.times, f"{value.model} ~ {value.gt}")
        for value in tables.values
    ]
    _some(("  field", "score", "times", "model ~ GT"), rows, most, right=(2,))


def _answers(moves: tuple[AnswerMove, ...], most: int | None) -> None:
    times = Counter((move.question, move.document, move.before, move.after) for move in moves)
    rows = [
        (f"  {question}", document, f"{figure(before)} → {figure(after)}", count)
        for (question, document, before, after), count in times.most_common()
    ]
    say(f"  {counted(len(moves), 'answer')} to questions score otherwise.")
    _some(("  question", "document", "score", "times"), rows, most, right=(3,))


def _some(header: tuple[str, ...], rows: list[tuple[Any, ...]], most: int | None, right: tuple[int, ...]) -> None:
    if not rows:
        return
    say_table(header, rows[:most], right=right)
    if most is not None and len(rows) > most:
        say(f"  ... and {len(rows) - most} more: --all lists them.")
