"""What a preview of rules says, as blocks to draw: each row alone, then all together, with all that moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scoring.adjudication.cases import Block, Facts, Grid, Line
from scoring.words import counted, similarity_text
from tui.rule_rows import said

_FIGURES = (("matched", "matched"), ("f1", "F1"), ("precision", "P"), ("recall", "R"), ("name_cer", "CER"))


def preview_blocks(found: Sequence[dict[str, Any]] | None) -> tuple[Block, ...]:
    """What `adjudicate rules preview --format json` prints, as blocks: each row alone, then all together, with all that moves."""
    return tuple(block for one in found or () for block in _moves(one)) or (Facts("Preview", (("", "No row is OPEN."),)),)


def scoring_with(row: Mapping[str, Any]) -> str:
    """What goes on while a row is previewed."""
    return f"scoring: line {row['line']} {'settled' if row['status'] == 'OPEN' else 'OPEN'} …"


def _moves(one: dict[str, Any]) -> Iterator[Block]:
    rows = one["rows"]
    reopened = any(row.get("status") == "settled" for row in rows)
    named = f"line {rows[0]['line']}: {said(rows[0])}" if len(rows) == 1 else f"{len(rows)} OPEN rows together"
    facts = [("blocked", problem["message"]) for problem in one["blocked"]]
    if not one["moves"] and not facts:
        facts = [("", "moves nothing")]
    elif one["moves"]:
        facts.append(("moves", _counts(one)))
    yield Facts(f"If {'made OPEN again' if reopened else 'switched on'}: {named}", tuple(facts))
    yield from _tables(one)


def _counts(one: dict[str, Any]) -> str:
    """How much moves, in words."""
    pairs = f"{counted(len(one['gained']), 'pair')} gained, {len(one['lost'])} lost"
    values = f"{counted(len(one['values']), 'value')} otherwise"
    answers = f"; {counted(len(one['answers']), 'answer')} otherwise" if one["answers"] else ""
    return f"{pairs}; {values}; on {counted(len(one['pages']), 'page')} of runs{answers}"


def _tables(one: dict[str, Any]) -> Iterator[Block]:
    if one["cells"]:
        lines = tuple(Line((cell["model"], cell["phase"], *(_change(cell[name]) for name, _ in _FIGURES))) for cell in one["cells"])
        yield Grid("Cells", ("model", "phase", *(title for _, title in _FIGURES)), lines)
    # What was counted more or less often and came out the same is no change of an accuracy.
    fields = [
        (cell["model"], cell["phase"], name, _change(moved))
        for cell in one["cells"]
        for name, moved in cell["fields"].items()
        if moved["before"] != moved["after"]
    ]
    if fields:
        yield Grid("Fields of the cells", ("model", "phase", "field", "accuracy"), tuple(map(Line, fields)))
    pairs = [*one["gained"], *one["lost"]]
    if pairs:
        lines = tuple(
            Line(
                (pair["run"], pair["page"], pair["gt_name"], pair["model_name"], _change(pair, _cut)),
                "+" if pair["gained"] else "-",
            )
            for pair in pairs
        )
        yield Grid("Pairs gained (+) and lost (-)", ("run", "page", "ground truth", "model", "similarity"), lines)
    if one["values"]:
        lines = tuple(Line((v["field"], v["gt"], v["model"], _change(v), str(v["times"]))) for v in one["values"])
        yield Grid("Values", ("field", "ground truth", "model", "score", "times"), lines)
    if one["answers"]:
        lines = tuple(Line((a["run"], a["document"], a["question"], _change(a))) for a in one["answers"])
        yield Grid("Answers", ("run", "document", "question", "score"), lines)


def _change(moved: Mapping[str, Any], shown: Callable[[Any, int], str] | None = None) -> str:
    before, after = moved["before"], moved["after"]
    shown = shown or _figure
    was, now = shown(before, 3), shown(after, 3)
    # A change too small for three digits is a change all the same.
    return was if before == after else f"{was} → {now}" if was != now else f"{shown(before, 6)} → {shown(after, 6)}"


def _cut(value: float, digits: int) -> str:
    return similarity_text(value, None, digits)


def _figure(value: float | int | None, digits: int = 3) -> str:
    return "–" if value is None else str(value) if isinstance(value, int) else f"{value:.{digits}f}"
