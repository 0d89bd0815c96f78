"""What is shown of a case of the tables task (`4-adjudication`, Review): blocks of evidence, worked out on demand for one case.

Everything is of one occurrence (by default the case's first), since a reading's page context and claimants differ by run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.adjudication.cases import Block, Case, Comparison, Facts, Gauge, Grid, Line, Stack
from scoring.tables.binding import CaseKey
from scoring.tables.blind import blinded
from scoring.tables.cases import located
from scoring.tables.evaluate import Evaluation
from scoring.tables.material import Row
from scoring.tables.offered import CLAIMANTS, offered
from scoring.tables.page_scores import PageScore, chance_of_misread
from scoring.tables.prepared import PreparedPage, PreparedRunPage
from scoring.tables.similarity import Similarity, compare
from scoring.tables.surplus import worded
from scoring.words import counted

NEIGHBOURS = 2
READINGS = 12


@dataclass(frozen=True, slots=True)
class Claimant:
    """A row that may be the other side of a case: its ROW, similarity, and who holds it now (empty when nobody does)."""

    target: str
    text: str
    similarity: float
    held_by: str


def evidence(evaluation: Evaluation, case: Case, occurrence: int = 0, *, blind: bool = False) -> tuple[Block, ...]:
    """The blocks of one occurrence of a case, most telling first; blind, without what would sway the verdict."""
    if not case.occurrences:
        return (Facts("Stale", (("cause", case.note), *_entry_facts(case))),)
    blocks = _Evidence(evaluation, case, occurrence, blind=blind).blocks()
    return blinded(blocks) if blind else tuple(blocks)


def claimants(evaluation: Evaluation, case: Case, occurrence: int = 0) -> tuple[Claimant, ...]:
    """The rows a digit key points to, in their order: GT rows first for a model row, model rows for a GT row."""
    return tuple(_Evidence(evaluation, case, occurrence).claimants()) if case.occurrences else ()


def _entry_facts(case: Case) -> Iterator[tuple[str, str]]:
    entry = case.basis.get("entry")
    if entry is not None:
        yield "verdict", f"{getattr(entry, 'verdict', '')} by {getattr(entry, 'verifier', '')} at {getattr(entry, 'at', '')}"
        yield "pointing to", ", ".join(getattr(entry, "targets", ()))
        if getattr(entry, "note", None):
            yield "note", str(entry.note)  # type: ignore[attr-defined]


def stacked_readings(evaluation: Evaluation, case: Case, occurrence: int = 0) -> Stack | None:
    """Every model's reading of the GT row shown, stacked; `None` where none is shown. Looks at every run of the page."""
    if not case.occurrences:
        return None
    shown = _Evidence(evaluation, case, occurrence)
    gt = shown.opposite()
    return shown.stacked(gt) if gt is not None else None


class _Evidence:
    def __init__(self, evaluation: Evaluation, case: Case, occurrence: int, *, blind: bool = False) -> None:
        self.evaluation, self.case, self.blind = evaluation, case, blind
        self.prepared, self.settings = evaluation.prepared, evaluation.material.settings
        key = case.basis["key"]
        assert isinstance(key, CaseKey)
        self.key = key
        at = case.occurrences[min(occurrence, len(case.occurrences) - 1)]
        self.gt: PreparedPage = self.prepared.pages[key.page]
        self.run = at.run
        self.answer: PreparedRunPage = self.prepared.run_page(at.run, key.page)
        self.score: PageScore = evaluation.pages[at.run, key.page]
        model = next((target for target in at.targets if target.startswith("model:")), None)
        asked = next((target for target in at.targets if target.startswith("gt:")), None)
        self.row = located(self.prepared, model)[1] if model else None
        self.asked = located(self.prepared, asked)[1] if asked else None

    def blocks(self) -> Iterator[Block]:
        shown = self.opposite()
        if self.row is not None and shown is not None:
            found = self.gt.pairer.similarity(shown, self.answer.models[self.row])
            yield Comparison(f"GT {self._number(shown)}", self.gt.texts[shown], self._model_label(), self.answer.texts[self.row])
            yield Gauge("similarity", found.value, self.settings.gate)
            yield Facts("Why", tuple(self._why(shown, found)))
        elif self.row is not None:
            yield Facts(self._model_label(), (("name", self.answer.texts[self.row]),))
        elif shown is not None:
            yield Facts(f"GT {self._number(shown)}", (("name", self.gt.texts[shown]),))
        if self.row is not None and not self.blind:
            yield from self._repeated(self.row)
        yield self._claimant_grid()
        if self.row is not None or shown is not None:
            yield self._fields(shown)
        yield from self._context(shown)
        yield self._occurrences()

    def opposite(self) -> int | None:
        """The GT row to show against the model row: the one asked about, else the one the suggestion points to, else the nearest."""
        # Blind, the scorer's guess at the traveler is a proposal too: only the row asked about is shown.
        return self.asked if self.blind else self._counterpart()

    def _counterpart(self) -> int | None:
        if self.asked is not None:
            return self.asked
        for target in self.case.targets:
            if target.startswith("gt:"):
                return located(self.prepared, target)[1]
        if self.row is not None and self.answer.models[self.row].readings:
            near = self.gt.pairer.nearest_gt(self.answer.models[self.row], 1)
            return near[0][0] if near else None
        return None

    def _repeated(self, row: int) -> Iterator[Block]:
        """The row of this run that a suggested duplicate repeats. Of two model rows the earlier stands first, as the reference."""
        found = next((one.suggestion for one in self.score.surplus if one.row == row), None)
        if found is None or found.label != "duplicate" or found.model is None:
            return
        first, second = sorted((row, found.model))
        rows, texts = self.answer.page.rows, self.answer.texts
        yield Comparison(f"row {rows[first].number}", texts[first], f"row {rows[second].number}", texts[second])
        alike = compare(self.answer.form(first), self.answer.models[second].readings)
        yield Facts("Repeats", (("similarity of the two rows", f"{alike.value:.3f}"), ("edits", str(alike.edits))))

    def _number(self, gt: int) -> int:
        return self.gt.page.rows[gt].number

    def _model_label(self) -> str:
        assert self.row is not None
        return f"{self.run} row {self.answer.page.rows[self.row].number}"

    def _why(self, gt: int, found: Similarity) -> Iterator[tuple[str, str]]:
        assert self.row is not None
        yield "reading", found.reading.text + (f"  (stepped over: {', '.join(found.reading.removed)})" if found.reading.removed else "")
        yield "ratio, token overlap", f"{found.ratio:.3f}, {found.overlap:.3f}"
        yield "edits", f"{found.edits} in {len(self.gt.forms[gt])} characters"
        if found.resolved is not None:
            tipped = found.literal < self.settings.gate <= found.value
            yield "illegible glyph", f"read as {found.resolved}; literal {found.literal:.3f}" + (", tipped the gate" if tipped else "")
        rest = [claimant for claimant in self._near_gt(CLAIMANTS) if claimant[0] != gt]
        if rest:
            other, value = rest[0]
            yield "runner-up", f"GT {self._number(other)} {self.gt.texts[other]} at {value:.3f} (margin {found.value - value:+.3f})"
        holder = self.score.holders.get(gt)
        if holder is not None and holder != self.row:
            yield "held by", f"row {self.answer.page.rows[holder].number} {self.answer.texts[holder]}"
        if self.case.suggestion == "misread":
            chance = chance_of_misread(self.prepared, self.score)
            if chance is not None:
                read = worded("misread", chance)
                yield (
                    "chance",
                    f"{chance:.0%} of names from other pages would be labelled misread here" + (f": {read}" if read != "misread" else ""),
                )

    def _near_gt(self, most: int) -> list[tuple[int, float]]:
        if self.row is None or not self.answer.models[self.row].readings:
            return []
        return [(gt, found.value) for gt, found in self.gt.pairer.nearest_gt(self.answer.models[self.row], most)]

    def claimants(self) -> Iterator[Claimant]:
        """GT rows for a model row, then the model rows nearest to its counterpart; each in page order, whatever is proposed."""
        counterpart = self._counterpart()
        gt_rows, models = offered(self.gt, self.answer, self.score, self.row, counterpart)
        for gt in gt_rows:
            holder = self.score.holders.get(gt)
            held = "this row" if holder == self.row else f"row {self.answer.page.rows[holder].number}" if holder is not None else ""
            yield Claimant(self.gt.target(gt), self.gt.texts[gt], self._value(gt, self.row), held)
        held_gt = {pair.model: pair.gt for pair in self.score.pairs if pair.matched}
        for row in models:
            held = f"GT {self._number(held_gt[row])}" if row in held_gt else ""
            yield Claimant(self.answer.target(row), self.answer.texts[row], self._value(counterpart, row), held)

    def _value(self, gt: int | None, row: int | None) -> float:
        """The similarity of a GT row and a model row; 0 where one of them has no name."""
        if gt is None or row is None or not self.gt.forms[gt] or not self.answer.models[row].readings:
            return 0.0
        return self.gt.pairer.similarity(gt, self.answer.models[row]).value

    def _claimant_grid(self) -> Grid:
        lines = tuple(
            Line(
                (
                    "GT" if one.target.startswith("gt:") else "row",
                    one.target.rsplit(":", 1)[-1],
                    one.text,
                    f"{one.similarity:.3f}",
                    one.held_by,
                ),
                target=one.target,
            )
            for one in self.claimants()
        )
        return Grid("Claimants", ("", "row", "name", "similarity", "held by"), lines, numbered=True)

    def _fields(self, gt: int | None) -> Grid:
        lines = []
        for scorer in self.gt.scorers.scorers:
            name = scorer.field.name
            expected = self.gt.page.rows[gt].values.get(name, "") if gt is not None else ""
            found = self.answer.page.rows[self.row].values.get(name, "") if self.row is not None else ""
            score = scorer.score(expected, found) if gt is not None and self.row is not None else None
            mark = "·" if score is None else "=" if score == 1 else "≠" if score == 0 else "~"
            lines.append(Line((name, expected, found, "" if score is None else f"{score:.2f}"), mark))
        return Grid("Fields", ("field", "ground truth", "model", "score"), tuple(lines))

    def _context(self, gt: int | None) -> Iterator[Grid]:
        if gt is not None:
            yield self._neighbours("Register, around the GT row", self.gt.page.rows, self.gt.texts, gt)
        if self.row is not None:
            yield self._neighbours("Answer, around the model row", self.answer.page.rows, self.answer.texts, self.row)

    def _neighbours(self, title: str, rows: Sequence[Row], texts: Sequence[str], at: int) -> Grid:
        """The row with those above and below it, and the fields that tell how it stands on the page: dates and family."""
        shown = [field.name for field in self.evaluation.material.schema.fields if field.method in ("date", "flag", "count")]
        near = range(max(0, at - NEIGHBOURS), min(len(rows), at + NEIGHBOURS + 1))
        lines = tuple(
            Line((str(rows[one].number), texts[one], *(rows[one].values.get(name, "") for name in shown)), "▸" if one == at else "")
            for one in near
        )
        return Grid(title, ("row", "name", *shown), lines)

    def stacked(self, gt: int) -> Stack:
        """Every model's reading of the GT row, with how many runs give it; the most common one is marked."""
        seen: dict[str, Counter[str]] = {}
        unread: Counter[str] = Counter()
        overall: Counter[str] = Counter()
        pages, page = self.evaluation.pages, self.key.page
        for key, model in self.prepared.models:
            score = pages[key, page]
            if score.counts is None:
                continue
            text = score.read[gt]
            if text is None:
                unread[model] += 1
            else:
                seen.setdefault(model, Counter())[text] += 1
        for readings in seen.values():
            overall.update(readings)
        most = max(overall.values(), default=0)
        lines = []
        for model in dict.fromkeys(model for _, model in self.prepared.models):
            ranked = sorted(seen.get(model, {}).items(), key=lambda item: (-item[1], item[0]))
            lines += [Line((model, text, str(times)), "★" if overall[text] == most else "") for text, times in ranked[:READINGS]]
            if ranked[READINGS:]:
                lines.append(Line((model, "", f"{len(ranked) - READINGS} more readings"), ""))
            if unread[model]:
                lines.append(Line((model, "", f"not found in {unread[model]}"), ""))
        return Stack("All readings of this GT row", self.gt.texts[gt], tuple(lines))

    def _occurrences(self) -> Grid:
        by_cell: Counter[tuple[str, str]] = Counter()
        for occurrence in self.case.occurrences:
            run = self.prepared.runs[occurrence.run]
            by_cell[run.cell] += 1
        lines = tuple(Line((model, phase, str(times))) for (model, phase), times in sorted(by_cell.items()))
        return Grid(f"Occurs {counted(len(self.case.occurrences), 'time')}", ("model", "phase", "times"), lines)
