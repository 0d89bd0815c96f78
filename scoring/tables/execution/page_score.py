"""The score of one page of one run (`docs/method.md#pairing`), with its evidence and the decisions behind it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.tables.decisions.application import NOTHING_BOUND, GivenLabel, PageDecisions
from scoring.tables.matching.field_scores import FieldScorer
from scoring.tables.matching.normalized import PreparedMaterial, PreparedPage, PreparedRunPage
from scoring.tables.matching.pairing import Pair
from scoring.tables.matching.similarity import Similarity
from scoring.tables.measures.counts import LABELS, Counts, FieldCounts
from scoring.tables.measures.surplus_labels import Labeller, Suggestion

# A floor no similarity reaches: only pairs settled `same` are taken.
_NEVER = 2.0


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A pair of the no-floor pairing (rows 0-based); `matched` at the gate or by a verdict, whose id is `decided_by`."""

    gt: int
    model: int
    similarity: Similarity
    matched: bool
    decided_by: str = ""


@dataclass(frozen=True, slots=True)
class SurplusRow:
    """A model row without a GT row: the label that counts, the automatic suggestion, and the decision behind the label, if any."""

    row: int
    label: str | None
    suggestion: Suggestion | None
    decided_by: str = ""


@dataclass(frozen=True, slots=True)
class PageScore:
    """One page of one run. `counts` is `None` for a failed or missing page: excluded from every pooled figure.

    `read[i]` is the key text of the model row matched to GT row i, `None` where there is none.
    """

    run: str
    page: str
    status: str
    counts: Counts | None = None
    pairs: tuple[AlignedPair, ...] = ()
    missed: tuple[int, ...] = ()
    surplus: tuple[SurplusRow, ...] = ()
    fields: tuple[FieldCounts, ...] = ()
    bound: PageDecisions = NOTHING_BOUND
    read: tuple[str | None, ...] = ()

    @property
    def holders(self) -> dict[int, int]:
        """GT row -> model row matched to it."""
        return {pair.gt: pair.model for pair in self.pairs if pair.matched}

    @property
    def labels(self) -> Mapping[int, GivenLabel]:
        """The labels given to rows, matched ones too.

        Where a reading is said to repeat itself, the row that is matched is the one repeated and bears no label.
        """
        given = self.bound.labels
        if not given:
            return given
        matched = {pair.model for pair in self.pairs if pair.matched}
        repeated = {one.model for row, one in given.items() if one.label == "duplicate" and row not in matched}
        return {
            row: one
            for row, one in given.items()
            if not (one.label == "duplicate" and row in matched and row in repeated and one.model not in matched)
        }


def score_page(prepared: PreparedMaterial, run: str, page: str, bound: PageDecisions = NOTHING_BOUND) -> PageScore:
    """Score one page of one run under the decisions bound to it."""
    gt, answer = prepared.pages[page], prepared.run_page(run, page)
    if answer.page.status in ("failed", "missing"):
        return PageScore(run, page, answer.page.status)
    gate = prepared.material.settings.gate
    taken, spare = paired(gt, answer, bound)
    ids = {(g, m): by for g, m, by in bound.same}
    pairs = tuple(
        AlignedPair(p.gt, p.model, p.similarity, (p.gt, p.model) in ids or p.similarity.value >= gate, ids.get((p.gt, p.model), ""))
        for p in taken
    )
    paired_model = {pair.model for pair in pairs}
    labeller = _labeller(prepared, gt, answer, {pair.gt: pair.model for pair in pairs if pair.matched})
    surplus = tuple(
        _surplus_row(at, spare.get(at) or labeller.suggest(at), bound) for at in range(len(answer.models)) if at not in paired_model
    )
    return assembled(gt, answer, pairs, surplus, _field_counts(gt, answer, pairs), bound)


def assembled(
    gt: PreparedPage,
    answer: PreparedRunPage,
    pairs: tuple[AlignedPair, ...],
    surplus: tuple[SurplusRow, ...],
    fields: tuple[FieldCounts, ...],
    bound: PageDecisions = NOTHING_BOUND,
) -> PageScore:
    """The score of a page whose pairs, surplus rows and fields are known: what is counted from them."""
    paired_gt = {pair.gt for pair in pairs}
    missed = tuple(at for at in range(len(gt.forms)) if at not in paired_gt)
    holders = {pair.gt: pair.model for pair in pairs if pair.matched}
    counts = _counts(gt, answer, pairs, missed, surplus, bound)
    read = tuple(answer.texts[holders[at]] if at in holders else None for at in range(len(gt.forms)))
    return PageScore(answer.run.key, answer.page.page, answer.page.status, counts, pairs, missed, surplus, fields, bound, read)


def paired(
    gt: PreparedPage, answer: PreparedRunPage, bound: PageDecisions, floor: float = 0.0
) -> tuple[tuple[Pair, ...], dict[int, Suggestion]]:
    """The pairs of one page of one run under the decisions bound to it, and the rows that are `same` to a GT row another of them took.

    Of several rows `same` to one GT row the order of the pairing decides. The others are that record too, so they are paired with
    nobody else: each is a duplicate of the row that stands for them all.
    """
    barred = bound.barred
    of_gt: dict[int, list[int]] = defaultdict(list)
    for at, model, _ in bound.same:
        of_gt[at].append(model)
    spare: dict[int, Suggestion] = {}
    if any(len(models) > 1 for models in of_gt.values()):
        same = [(at, model) for at, model, _ in bound.same]
        for pair in gt.pairer.pair(answer.models, floor=_NEVER, agreement=_agreement(gt, answer), same=same, barred=barred):
            for model in of_gt[pair.gt]:
                if model != pair.model:
                    similarity = gt.pairer.similarity(pair.gt, answer.models[model]).value
                    spare[model] = Suggestion("duplicate", (pair.gt,), pair.model, similarity)
        barred = barred | {(at, model) for model in spare for at in range(len(gt.forms))}
    taken = gt.pairer.pair(
        answer.models,
        floor=floor,
        agreement=_agreement(gt, answer),
        same=[(at, model) for at, model, _ in bound.same if model not in spare],
        barred=barred,
    )
    return taken, spare


def _agreement(gt: PreparedPage, answer: PreparedRunPage) -> Callable[[int, int], int]:
    rows = answer.page.rows
    return lambda at, model: gt.agreement(rows, at, model)


def labeller_of(prepared: PreparedMaterial, score: PageScore) -> Labeller:
    """The labeller of a scored page: what else a row could be called, and how likely by chance."""
    gt, answer = prepared.pages[score.page], prepared.run_page(score.run, score.page)
    return _labeller(prepared, gt, answer, score.holders)


def chance_of_misread(prepared: PreparedMaterial, score: PageScore) -> float | None:
    """How likely a name of another page would be labelled `misread` on this one. Worked out once a page of a run.

    See `docs/method.md#surplus-labels`.
    """
    key = (score.run, score.page, tuple(sorted(score.holders.items())))
    if key not in prepared.chances:
        prepared.chances[key] = labeller_of(prepared, score).chance_of_misread(prepared.foreign_names(score.page))
    return prepared.chances[key]


def _labeller(prepared: PreparedMaterial, gt: PreparedPage, answer: PreparedRunPage, holders: Mapping[int, int]) -> Labeller:
    return Labeller(gt.pairer, gt.forms, answer.models, answer.texts, holders, prepared.material.settings)


def _surplus_row(row: int, suggestion: Suggestion | None, bound: PageDecisions) -> SurplusRow:
    given = bound.labels.get(row)
    if given is not None:
        return SurplusRow(row, given.label, suggestion, given.decided_by)
    return SurplusRow(row, suggestion.label if suggestion else None, suggestion)


def _field_counts(gt: PreparedPage, answer: PreparedRunPage, pairs: Iterable[AlignedPair]) -> tuple[FieldCounts, ...]:
    both = [(gt.page.rows[pair.gt].values, answer.page.rows[pair.model].values) for pair in pairs if pair.matched]
    if not both:
        return tuple(FieldCounts() for _ in gt.scorers.scorers)
    columns = zip(*(gt.scorers.scores(*values) for values in both), strict=True)
    return tuple(_counted(scorer, both, column) for scorer, column in zip(gt.scorers.scorers, columns, strict=True))


def _counted(
    scorer: FieldScorer, both: Sequence[tuple[Mapping[str, str], Mapping[str, str]]], scores: Sequence[float | None]
) -> FieldCounts:
    """The counts of one field over the values of pairs and their scores."""
    scored = [score for score in scores if score is not None]
    unscorable = len(scores) - len(scored)
    name = scorer.field.name
    left_out = (values for values, score in zip(both, scores, strict=True) if score is None) if unscorable else ()
    no_path = sum(scorer.lacks_path(gt[name], model[name]) for gt, model in left_out)
    return FieldCounts(len(scored), unscorable, sum(scored), no_path)


def _counts(
    gt: PreparedPage,
    answer: PreparedRunPage,
    pairs: tuple[AlignedPair, ...],
    missed: tuple[int, ...],
    surplus: tuple[SurplusRow, ...],
    bound: PageDecisions,
) -> Counts:
    matched = [pair for pair in pairs if pair.matched]
    labels = {label: sum(row.label == label for row in surplus) for label in LABELS}
    lengths = [len(form) for form in gt.forms]
    return Counts(
        gt_rows=len(gt.forms),
        model_rows=len(answer.models),
        matched=len(matched),
        distinct_travelers=_distinct(answer, pairs, bound),
        gt_distinct=len({form for form in gt.forms if form}),
        transcribed=len(pairs),
        edits=sum(pair.similarity.edits for pair in pairs),
        gt_characters=sum(lengths[pair.gt] for pair in pairs),
        exact_names=sum(pair.similarity.edits == 0 for pair in pairs),
        gated_edits=sum(pair.similarity.edits for pair in matched),
        gated_characters=sum(lengths[pair.gt] for pair in matched),
        below_gate=len(pairs) - len(matched),
        missed=len(missed),
        surplus=len(surplus),
        settled=sum(bool(row.decided_by) for row in surplus),
        **labels,
    )


def _distinct(answer: PreparedRunPage, pairs: Iterable[AlignedPair], bound: PageDecisions) -> int:
    """Distinct names; settled `duplicate` and `fragment` names not otherwise matched count no record, a settled `merge` its targets."""
    distinct = len(answer.rows_by_form)
    if not bound.labels:
        return distinct
    matched = {answer.form(pair.model) for pair in pairs if pair.matched}
    repeated, joined = set(), {}
    for row, given in bound.labels.items():
        form = answer.form(row)
        # A reading that repeats itself is still one name.
        itself = given.model is not None and answer.form(given.model) == form
        if given.label in ("duplicate", "fragment") and form not in matched and not itself:
            repeated.add(form)
        elif given.label == "merge":
            joined[form] = len(given.gt) - 1
    return distinct - len(repeated) + sum(joined.values())
