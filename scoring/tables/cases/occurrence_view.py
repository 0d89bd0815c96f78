"""One occurrence of a case looked at: the page and run, the row judged, the row it is held against, and all claimants.

What is shown, what is pointed to and what a verdict would change all start from here, so that they speak of the same rows. The
counterpart is the row picked by the verifier, else the one asked about, else the one proposed, else the nearest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.adjudication.cases import Case
from scoring.foundations.wording import similarity_text
from scoring.tables.cases.candidates import offered
from scoring.tables.cases.queues import located, run_of
from scoring.tables.decisions.application import CaseKey
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.execution.page_score import PageScore
from scoring.tables.matching.normalized import PreparedPage, PreparedRunPage


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row that may be the other side of a case: its ROW, similarity, and who holds it now (empty when nobody does).

    `besides`: it is none of the nearest, and stands there because the verifier pointed to it.
    """

    target: str
    text: str
    similarity: float
    held_by: str
    besides: bool = False


class OccurrenceView:
    """An occurrence of a case under an evaluation, with the rows the verifier picked.

    Attributes:
        row: the model row judged (0-based); `None` where the case is about a GT row alone.
        asked: the GT row asked about; `None` where the case is about a model row alone.
        pointed_gt, pointed_rows: the rows picked on this page, in the order they were picked.
    """

    def __init__(
        self, evaluation: Evaluation, case: Case, occurrence: int = 0, *, blind: bool = False, pointed: Sequence[str] = ()
    ) -> None:
        self.evaluation, self.case, self.blind = evaluation, case, blind
        self.prepared, self.settings = evaluation.prepared, evaluation.material.settings
        key = case.basis["key"]
        assert isinstance(key, CaseKey)
        self.key = key
        at = case.occurrences[min(occurrence, len(case.occurrences) - 1)]
        self.run = at.run
        self.gt: PreparedPage = self.prepared.pages[key.page]
        self.answer: PreparedRunPage = self.prepared.run_page(at.run, key.page)
        self.score: PageScore = evaluation.pages[at.run, key.page]
        model = next((target for target in at.targets if target.startswith("model:")), None)
        asked = next((target for target in at.targets if target.startswith("gt:")), None)
        self.row = located(self.prepared, model)[1] if model else None
        self.asked = located(self.prepared, asked)[1] if asked else None
        self.pointed_gt = tuple(self._here(target) for target in pointed if target.startswith("gt:"))
        self.pointed_rows = tuple(self._here(target) for target in pointed if run_of(target) == self.run)

    def shown(self, similarity: float) -> str:
        """A similarity as text."""
        return similarity_text(similarity, self.settings.gate)

    def _here(self, target: str) -> int:
        """The row (0-based) of a ROW of this page.

        Raises:
            KeyError: it lies on another page, or there is none.
        """
        page, row = located(self.prepared, target)
        if page != self.key.page:
            raise KeyError(target)
        return row

    # The two rows held against each other

    @property
    def proposed_gt(self) -> int | None:
        """The GT row asked about, else the one the suggestion points to, else the nearest.

        Blind, only the row asked about: the scorer's guess at the GT row is a proposal too.
        """
        return self.asked if self.blind else self._counterpart

    @property
    def _counterpart(self) -> int | None:
        if self.asked is not None:
            return self.asked
        for target in self.case.targets:
            if target.startswith("gt:"):
                return located(self.prepared, target)[1]
        if self.row is None or not self.answer.models[self.row].readings:
            return None
        near = self.gt.pairer.nearest_gt(self.answer.models[self.row], 1)
        return near[0][0] if near else None

    @property
    def shown_gt(self) -> int | None:
        """The GT row to show: the last one picked, where a model row is judged, else the proposed one."""
        return self.pointed_gt[-1] if self.pointed_gt and self.row is not None else self.proposed_gt

    @property
    def shown_row(self) -> int | None:
        """The model row to show: the one judged; of a case about a GT row alone, the last candidate picked."""
        return self.row if self.row is not None or not self.pointed_rows else self.pointed_rows[-1]

    @property
    def picked(self) -> bool:
        """Whether the pair shown is the verifier's pointing, and no proposal."""
        return bool(self.pointed_gt if self.row is not None else self.pointed_rows)

    # Words for rows

    def gt_number(self, gt: int) -> int:
        """The number of a GT row as the page counts, from 1."""
        return self.gt.page.rows[gt].number

    def row_number(self, row: int) -> int:
        """The number of a model row as the answer counts, from 1."""
        return self.answer.page.rows[row].number

    # Claimants

    def near_gt(self, most: int) -> list[tuple[int, float]]:
        """The GT rows most like the model row shown, with their similarity; the nearest first."""
        row = self.shown_row
        if row is None or not self.answer.models[row].readings:
            return []
        return [(gt, found.value) for gt, found in self.gt.pairer.nearest_gt(self.answer.models[row], most)]

    def claimants(self) -> tuple[Candidate, ...]:
        """The rows a digit key points to: GT rows for a model row judged, then the model rows nearest to its counterpart, in page order.

        What is picked does not change them, so that a digit stays what it is; a row picked that is none of them stands behind them.
        """
        gt_rows, models = offered(self.gt, self.answer, self.score, self.row, self._counterpart)
        found = [*(self.gt.target(at) for at in gt_rows), *(self.answer.target(at) for at in models)]
        picked = [*(self.gt.target(at) for at in self.pointed_gt), *(self.answer.target(at) for at in self.pointed_rows)]
        others = [target for target in dict.fromkeys(picked) if target not in found]
        return (*map(self.claimant, found), *(replace(self.claimant(target), besides=True) for target in others))

    def claimant(self, target: str) -> Candidate:
        """Any row of the page as a claimant: a GT row measured against the model row judged, a model row against its counterpart."""
        at = self._here(target)
        if target.startswith("gt:"):
            return Candidate(target, self.gt.texts[at], self.similarity(at, self.row), self._holder_of(at))
        held = self.held_gt
        return Candidate(
            target, self.answer.texts[at], self.similarity(self._counterpart, at), f"GT {self.gt_number(held[at])}" if at in held else ""
        )

    def similarity(self, gt: int | None, row: int | None) -> float:
        """The similarity of two rows; 0 where there are no two, or one of them has no name."""
        if gt is None or row is None or not self.gt.forms[gt] or not self.answer.models[row].readings:
            return 0.0
        return self.gt.pairer.similarity(gt, self.answer.models[row]).value

    @property
    def held_gt(self) -> dict[int, int]:
        """Model row -> GT row matched to it."""
        return {pair.model: pair.gt for pair in self.score.pairs if pair.matched}

    def _holder_of(self, gt: int) -> str:
        holder = self.score.holders.get(gt)
        if holder is None:
            return ""
        return "this row" if holder == self.row else f"row {self.row_number(holder)}"
