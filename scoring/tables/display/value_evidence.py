"""What is shown of a case about one value of a GT row: both writings, who reads what, the rows it stands in (`docs/review.md`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from scoring.adjudication.cases import Block, Case, Comparison, Facts, Grid, Line, Stack
from scoring.tables.cases.queues import located
from scoring.tables.cases.value_majority import majority_values
from scoring.tables.decisions.anchor import run_of
from scoring.tables.decisions.application import CaseKey
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.inputs.material import Row
from scoring.tables.matching.field_scores import FieldScorer

NEIGHBOURS = 2
READINGS = 12


class _Value:
    """One occurrence of such a case."""

    def __init__(self, evaluation: Evaluation, case: Case, occurrence: int) -> None:
        key = case.basis["key"]
        assert isinstance(key, CaseKey)
        assert key.anchor is not None
        self.evaluation, self.case, self.field, self.page = evaluation, case, key.field, key.page
        self.gt = evaluation.prepared.pages[key.page]
        self.at = self.gt.row_of[key.anchor]
        self.row: Row = self.gt.page.rows[self.at]
        field = next(one for one in evaluation.material.schema.fields if one.name == key.field)
        self.scorer = FieldScorer(field, evaluation.material.rules)
        shown = case.occurrences[min(occurrence, len(case.occurrences) - 1)].targets
        self.model = next((target for target in shown if target.startswith("model:")), None)

    def blocks(self) -> Iterator[Block]:
        expected, label = self.row.values[self.field], f"GT {self.row.number} {self.field}"
        against = majority_values(self.evaluation.as_scored, self.page).get((self.at, self.field))
        if self.model is None:
            yield Facts(label, ((self.field, expected or "(blank)"),))
            yield Facts("Row", (("name", self.gt.texts[self.at]),))
        else:
            run, (_, number) = run_of(self.model), located(self.evaluation.prepared, self.model)
            answer = self.evaluation.prepared.run_page(run, self.page)
            read = answer.page.rows[number].values
            yield Comparison(label, expected, f"{run} row {answer.page.rows[number].number} {self.field}", read[self.field])
            score = self.scorer.score(expected, read[self.field])
            facts = [("compared as", f"{self.scorer.form(expected, 'gt')} / {self.scorer.form(read[self.field], 'model')}")]
            if score is not None:
                facts.append(("score of the value", f"{score:.2f}"))
            if against is not None:
                agreed = against.consensus
                facts.append(("agreement", f"{agreed.models} of {agreed.of} models read {agreed.text}"))
            yield Facts("Why", tuple(facts))
            yield Facts("Row", (("name", self.gt.texts[self.at]), ("read as", answer.texts[number])))
            yield self._fields(read)
        yield self._neighbours()
        yield self._occurrences()

    def _fields(self, read: Mapping[str, str]) -> Grid:
        lines = []
        for scorer in self.gt.scorers.scorers:
            name = scorer.field.name
            expected, found = self.row.values[name], read[name]
            score = scorer.score(expected, found)
            mark = "·" if score is None else "=" if score == 1 else "≠" if score == 0 else "~"
            lines.append(Line((name, expected, found, "" if score is None else f"{score:.2f}"), mark))
        return Grid("Fields", ("field", "ground truth", "model", "score"), tuple(lines))

    def _neighbours(self) -> Grid:
        """The page around the row: the same field above and below, so that a ditto or a sequence can be seen."""
        near = range(max(0, self.at - NEIGHBOURS), min(len(self.gt.page.rows), self.at + NEIGHBOURS + 1))
        rows = self.gt.page.rows
        lines = tuple(
            Line((str(rows[one].number), self.gt.texts[one], rows[one].values[self.field]), "▸" if one == self.at else "") for one in near
        )
        return Grid("Page, around the GT row", ("row", "name", self.field), lines)

    def _occurrences(self) -> Grid:
        runs = self.evaluation.prepared.runs
        by_cell = Counter(runs[one.run].cell for one in self.case.occurrences if len(one.targets) > 1)
        lines = tuple(Line((model, phase, str(times))) for (model, phase), times in sorted(by_cell.items()))
        return Grid(f"Occurs {sum(by_cell.values())} times", ("model", "phase", "times"), lines)

    def stacked(self) -> Stack:
        """Every model's value, with how many runs give it; what most models agree on is marked."""
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        unread: Counter[str] = Counter()
        against = majority_values(self.evaluation.as_scored, self.page).get((self.at, self.field))
        for run, model in self.evaluation.prepared.models:
            score = self.evaluation.pages[run, self.page]
            if score.counts is None:
                continue
            row = score.holders.get(self.at)
            if row is None:
                unread[model] += 1
            else:
                seen[model][self.evaluation.prepared.run_page(run, self.page).page.rows[row].values[self.field]] += 1
        lines: list[Line] = []
        for model in dict.fromkeys(model for _, model in self.evaluation.prepared.models):
            ranked = sorted(seen[model].items(), key=lambda item: (-item[1], item[0]))
            for text, times in ranked[:READINGS]:
                most = against is not None and self.scorer.form(text, "model") == against.consensus.form
                lines.append(Line((model, text or "(blank)", str(times)), "★" if most else ""))
            if ranked[READINGS:]:
                lines.append(Line((model, "", f"{len(ranked) - READINGS} more readings")))
            if unread[model]:
                lines.append(Line((model, "", f"not found in {unread[model]}")))
        return Stack(f"All readings of {self.field}", self.row.values[self.field], tuple(lines))


def value_evidence(evaluation: Evaluation, case: Case, occurrence: int = 0) -> tuple[Block, ...]:
    """The blocks of one occurrence of a case about a value, most telling first."""
    return tuple(_Value(evaluation, case, occurrence).blocks())


def stacked_values(evaluation: Evaluation, case: Case) -> Stack:
    """Every model's reading of the value, stacked under the ground truth's. Looks at every run of the page."""
    return _Value(evaluation, case, 0).stacked()
