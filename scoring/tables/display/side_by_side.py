"""One page of one run, side by side, and its books (`docs/adjudication.md#run`)."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.adjudication.cases import Case
from scoring.tables.cases.queues import pair_key, row_key
from scoring.tables.decisions.application import CaseKey, PageBinding
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.execution.page_score import PageScore
from scoring.tables.matching.normalized import PreparedPage, PreparedRunPage
from scoring.tables.measures.row_balance import NAMELESS, RowBalance, books_of

MARKS = {1.0: "=", 0.0: "≠", None: "·"}


@dataclass(frozen=True, slots=True)
class SideLine:
    """A line: a GT row and the model row paired with it, or one of them alone.

    Attributes:
        gt, model: row numbers from 1; `None` where the side is empty.
        gt_text, model_text: key texts as they stand.
        similarity, edits: of the pair.
        fields: a mark for each value field: `=` equal, `~` partly, `≠` wrong, `·` not scorable.
        status: matched, below_gate, missed or surplus.
        label: of a surplus row.
        decided: whether a verdict stands behind the line.
        case: the case that asks about the line, if there is one.
    """

    gt: int | None
    gt_text: str
    model: int | None
    model_text: str
    similarity: float | None
    edits: int | None
    fields: str
    status: str
    label: str
    decided: bool
    case: str | None


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A page of a run: GT rows in order, then surplus rows; `status` as in `PageScore`, `error` why it failed."""

    run: str
    page: str
    status: str
    error: str
    lines: tuple[SideLine, ...]
    books: RowBalance | None


def side_by_side(evaluation: Evaluation, run: str, page: str, cases: dict[str, Case] | None = None) -> SideBySide:
    """One page of one run under the evaluation's decisions; `cases` tells which lines are asked about and still open."""
    prepared = evaluation.prepared
    gt, answer, score = prepared.pages[page], prepared.run_page(run, page), evaluation.pages[run, page]
    if score.counts is None:
        return SideBySide(run, page, score.status, answer.page.error, (), None)
    lines = tuple(_lines(evaluation.binding.of_page(page), gt, answer, score, cases or {}))
    asked = [line.case is not None and (cases or {})[line.case].status != "decided" for line in lines]
    surplus = [(line.label, undecided) for line, undecided in zip(lines, asked, strict=True) if line.status == "surplus"]
    books = books_of(score.counts, surplus, sum(asked))
    return SideBySide(run, page, score.status, "", lines, books)


def _lines(bound: PageBinding, gt: PreparedPage, answer: PreparedRunPage, score: PageScore, cases: dict[str, Case]) -> list[SideLine]:
    by_gt = {pair.gt: pair for pair in score.pairs}
    lines = []
    for at, row in enumerate(gt.page.rows):
        pair = by_gt.get(at)
        missing = CaseKey(gt.page.id, "gt", anchor=gt.anchors[at])
        if pair is None:
            lines.append(SideLine(row.number, gt.texts[at], None, "", None, None, "", "missed", "", False, _known(cases, missing)))
            continue
        case = _of_row(bound, cases, pair_key(gt, answer, pair), gt, answer, pair.model)
        if case is None:
            merge = _of_row(bound, cases, row_key(gt, answer, pair.model, "merge"), gt, answer, pair.model)
            case = merge if pair.matched else _known(cases, missing)
        values = gt.scorers.scores(row.values, answer.page.rows[pair.model].values)
        lines.append(
            SideLine(
                row.number,
                gt.texts[at],
                answer.page.rows[pair.model].number,
                answer.texts[pair.model],
                pair.similarity.value,
                pair.similarity.edits,
                "".join(MARKS.get(value, "~") for value in values),
                "matched" if pair.matched else "below_gate",
                "",
                bool(pair.decided_by),
                case,
            )
        )
    for surplus in score.surplus:
        case = _of_row(bound, cases, row_key(gt, answer, surplus.row, "row"), gt, answer, surplus.row)
        text = answer.texts[surplus.row]
        number = answer.page.rows[surplus.row].number
        lines.append(SideLine(None, "", number, text, None, None, "", "surplus", surplus.label or NAMELESS, bool(surplus.decided_by), case))
    return lines


def _of_row(bound: PageBinding, cases: dict[str, Case], key: CaseKey, gt: PreparedPage, answer: PreparedRunPage, row: int) -> str | None:
    """The case of this row alone where there is one, else of its reading."""
    rows = key.rows(gt, answer)
    own = _known(cases, key.on_row(answer.run.key, rows.index(row))) if row in rows else None
    return own or _known(cases, bound.case_of_row(key, gt, answer, row) if row in rows else key)


def _known(cases: dict[str, Case], key: CaseKey) -> str | None:
    found = key.id
    return found if found in cases else None
