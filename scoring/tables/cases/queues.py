"""The cases of the tables task: what the scorer cannot settle, grouped over runs (`docs/adjudication.md#cases`).

Cases come from the automatic scores and from what the decisions made of them, so a verdict's consequences (a row set
free by `different`) are asked about too. One whose question another verdict has settled counts as decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from scoring.adjudication.cases import Case, Occurrence, case_id, in_queue_order
from scoring.adjudication.decisions import LogEntry
from scoring.foundations.incremental import Steps, finished
from scoring.tables.cases.majority import majority_readings
from scoring.tables.cases.status import circumstances, leverage, status
from scoring.tables.cases.value_majority import MajorityAgainstTruth, majority_values, title_of_value
from scoring.tables.decisions.anchor import located as located
from scoring.tables.decisions.anchor import run_of as run_of
from scoring.tables.decisions.anchor import value_key
from scoring.tables.decisions.application import PREFIX, TASK, AnchoredVerdict, Binding, CaseKey
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.execution.page_score import AlignedPair, PageScore, labeller_of
from scoring.tables.matching.normalized import PreparedMaterial, PreparedPage, PreparedRunPage
from scoring.tables.measures.counts import LABELS
from scoring.tables.measures.surplus_labels import stands_in

QUEUES = ("borderline", "unmatched", "surplus", "against the key", "conflicts", "stale")
PAIR_VERDICTS = ("same", "different", "unsure")
GT_VERDICTS = ("gt-wrong", "gt-illegible", "gt-missing-row", "gt-extra-row")
VERDICTS = (*PAIR_VERDICTS, *LABELS, *GT_VERDICTS, "equivalent")
# Of one value of a GT row: it is wrong, or illegible; it stands; left as it is; both values spell the same.
VALUE_VERDICTS = ("gt-wrong", "gt-illegible", "different", "unsure", "equivalent")

# `{one}` is the word for a row of the data. No article stands before it.
QUESTIONS = {
    "pair": "Is this row that {one}?",
    "gt": "The runs missed this {one}: is one of the candidates the one?",
    "row": "No {one} is left for this row: what is it?",
    "merge": "This row is matched, and may hold a second, missed {one}: is it a merge?",
    "key": "Most models read this name otherwise: is the ground truth right?",
    "value": "Most models read this value otherwise: is the ground truth right?",
    "doubted": "Somebody doubts this value: is the ground truth right?",
}
# How many cases are made in one short step.
_STEP = 40
_QUEUE_OF = {"pair": "borderline", "gt": "unmatched", "row": "surplus", "merge": "unmatched"}


@dataclass(slots=True)
class _Draft:
    """A case being gathered over runs."""

    queue: str
    similarity: float | None = None
    occurrences: dict[Occurrence, None] = field(default_factory=dict)
    suggestions: Counter[str] = field(default_factory=Counter)
    pointers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    live: bool = False
    waiting: set[Occurrence] = field(default_factory=set)
    first: tuple[int, int] = (0, 0)
    against: MajorityAgainstTruth | None = None


def cases(evaluation: Evaluation, pages: Iterable[str] | None = None) -> tuple[Case, ...]:
    """The cases of an evaluation in queue order, each with its status; of the named pages only, if named."""
    return tuple(in_queue_order(finished(gathering(evaluation, pages))))


def gathering(evaluation: Evaluation, pages: Iterable[str] | None = None) -> Steps[tuple[Case, ...]]:
    """`cases` in short steps; those of named pages in any order, since a list that has an order takes them in."""
    gathered = _Gathering(evaluation, frozenset(pages) if pages is not None else None)
    yield from gathered.gather()
    made: list[Case] = []
    for case in gathered.cases():
        made.append(case)
        if len(made) % _STEP == 0:
            yield
    yield
    return tuple(in_queue_order(made) if pages is None else made)


def key_of(prepared: PreparedMaterial, case: Case) -> CaseKey:
    """What a case is about."""
    key = case.basis["key"]
    assert isinstance(key, CaseKey)
    return key


class _Gathering:
    def __init__(self, evaluation: Evaluation, pages: frozenset[str] | None) -> None:
        self.evaluation, self.prepared, self.pages = evaluation, evaluation.prepared, pages
        self.settings = evaluation.material.settings
        self.record = evaluation.material.schema.record
        gate, width = Decimal(str(self.settings.gate)), Decimal(str(self.settings.width))
        self.low, self.high = float(gate - width), float(gate + width)
        self.page_order = {page.id: at for at, page in enumerate(evaluation.material.pages)}
        self.now = circumstances(evaluation.material)
        self.drafts: dict[CaseKey, _Draft] = {}

    def gather(self) -> Steps[None]:
        """Look at every page scored, a step each."""
        automatic = self.evaluation.as_scored
        for place, score in self.evaluation.pages.items():
            if score.counts is None or not self._wanted(place[1]):
                continue
            scored, (labelled, paired) = automatic.pages[place], self._split_off(score, *place)
            self._page(scored, labelled, live=scored is score)
            if scored is not score:
                self._page(score, labelled, live=True)
            self._paired_apart(score, paired)
            yield
        for page in automatic.material.pages:
            if self._wanted(page.id):
                self._against_the_key(automatic, page.id)
                yield
        for page_id, bound in self.evaluation.binding.pages.items():
            if self._wanted(page_id) and page_id in self.page_order:
                for key in bound.given:
                    self._in_sight(key)
                yield

    def cases(self) -> Iterator[Case]:
        """The cases gathered, and the stale ones; once."""
        binding = self.evaluation.binding
        taken: set[str] = set()
        for key in list(self.drafts):
            # Each draft goes when its case is there: to free them all at once would be the longest step.
            case = self._case(key, self.drafts.pop(key), binding)
            taken.add(case.id)
            yield case
        for page, bound in binding.pages.items():
            if self._wanted(page):
                for stale in bound.stale:
                    # Its rows may be asked about today under the very id, and two verifiers' verdicts on one case may both be stale.
                    free = stale.entry.case not in taken
                    identity = stale.entry.case if free else case_id(PREFIX, "stale", stale.entry.id)
                    taken.add(identity)
                    yield _stale_case(identity, stale.entry, stale.cause)

    def _wanted(self, page: str) -> bool:
        return self.pages is None or page in self.pages

    # Gathering

    def _page(self, score: PageScore, split: Collection[int], *, live: bool) -> None:
        gt, answer = self.prepared.pages[score.page], self.prepared.run_page(score.run, score.page)
        matched = set()
        best: dict[int, float] = {}
        for pair in score.pairs:
            value = best[pair.gt] = pair.similarity.value
            if pair.matched:
                matched.add(pair.gt)
            if self.low <= value <= self.high:
                key = self._narrowed(pair_key(gt, answer, pair), gt, answer, pair.model)
                self._add(key, "borderline", gt, answer, pair.model, value, live and not pair.decided_by, pair.gt)
        for at, form in enumerate(gt.forms):
            if form and at not in matched:
                key = CaseKey(score.page, "gt", anchor=gt.anchors[at])
                self._add(key, "unmatched", gt, answer, None, best.get(at, 0.0), live, at)
        for row in score.surplus:
            if row.label is None:
                continue
            key = row_key(gt, answer, row.row, "row")
            key = self._on_row(key, gt, answer, row.row) if row.row in split else self._narrowed(key, gt, answer, row.row)
            draft = self._add(key, "surplus", gt, answer, row.row, None, live and not row.decided_by)
            if row.suggestion is not None:
                draft.suggestions[row.suggestion.label] += 1
                draft.similarity = max(draft.similarity or 0.0, row.suggestion.similarity or 0.0)
                pointed = [gt.target(one) for one in row.suggestion.gt]
                if row.suggestion.label == "duplicate" and row.suggestion.model is not None:
                    pointed = [answer.target(row.suggestion.model)]
                draft.pointers.setdefault(row.suggestion.label, tuple(pointed))
        self._possible_merges(score, gt, answer, matched, live)

    def _paired_apart(self, score: PageScore, split: Mapping[int, AnchoredVerdict]) -> None:
        """Rows that a grouped `same` does not reach, for their GT row has another row: asked about alone, unless they are left over."""
        gt, answer = self.prepared.pages[score.page], self.prepared.run_page(score.run, score.page)
        left = {row.row for row in score.surplus}
        for row, statement in split.items():
            if row not in left:
                value = gt.pairer.similarity(statement.gt[0], answer.models[row]).value
                self._add(self._on_row(statement.key, gt, answer, row), "borderline", gt, answer, row, value, True, statement.gt[0])

    def _on_row(self, key: CaseKey, gt: PreparedPage, answer: PreparedRunPage, row: int) -> CaseKey:
        return key.on_row(answer.run.key, key.rows(gt, answer).index(row))

    def _narrowed(self, key: CaseKey, gt: PreparedPage, answer: PreparedRunPage, row: int) -> CaseKey:
        """The case of the row alone where a verdict was narrowed to it, of the occurrences a verdict left, else of its reading."""
        return self.evaluation.binding.of_page(key.page).case_of_row(key, gt, answer, row)

    def _possible_merges(self, score: PageScore, gt: PreparedPage, answer: PreparedRunPage, matched: set[int], live: bool) -> None:
        free = [at for at, form in enumerate(gt.forms) if form and at not in matched]
        if not free:
            return
        labeller, least = None, self.settings.merge_token_ratio
        for pair in score.pairs:
            # A row read without an edit is a GT name itself; what is missed must stand in the row as a whole.
            if not pair.matched or pair.similarity.edits == 0:
                continue
            read = answer.form(pair.model)
            if not any(stands_in(gt.forms[at], read, least) for at in free):
                continue
            labeller = labeller or labeller_of(self.prepared, score)
            merge = labeller.merged(pair.model, answer.models[pair.model], answer.texts[pair.model])
            if merge and any(at in free for at in merge.gt):
                key = self._narrowed(row_key(gt, answer, pair.model, "merge"), gt, answer, pair.model)
                asked = live and pair.model not in score.bound.labels
                draft = self._add(key, "unmatched", gt, answer, pair.model, pair.similarity.value, asked)
                draft.suggestions["merge"] += 1
                draft.pointers.setdefault("merge", tuple(gt.target(at) for at in merge.gt))

    def _split_off(self, score: PageScore, run: str, page: str) -> tuple[dict[int, AnchoredVerdict], dict[int, AnchoredVerdict]]:
        """Rows that a grouped label means, and rows that a grouped `same` means, and does not reach in this run.

        They are cases of their own, unless a verdict stands on them.
        """
        labels: dict[int, AnchoredVerdict] = {}
        pairs: dict[int, AnchoredVerdict] = {}
        bound = self.evaluation.binding.of_page(page)
        if bound.by_form:
            gt, answer = self.prepared.pages[page], self.prepared.run_page(run, page)
            for statement, row in self.evaluation.binding.split_off(run, page):
                key = statement.key
                if row not in score.bound.labels and not bound.answered(self._on_row(key, gt, answer, row)):
                    (pairs if statement.entry.verdict == "same" else labels).setdefault(row, statement)
        return labels, pairs

    def _against_the_key(self, automatic: Evaluation, page: str) -> None:
        gt = self.prepared.pages[page]
        for at, (form, places) in majority_readings(automatic, page).items():
            key = CaseKey(page, "key", form, None, gt.anchors[at])
            for run, row, similarity in places:
                answer = self.prepared.run_page(run, page)
                self._add(key, "against the key", gt, answer, row, similarity, True, at).suggestions["gt-wrong"] += 1
        for (at, name), against in majority_values(automatic, page).items():
            key = value_key(gt, at, name)
            for run, row in against.places:
                self._add(key, "against the key", gt, self.prepared.run_page(run, page), row, None, True, at).against = against

    def _in_sight(self, key: CaseKey) -> None:
        """A case that a verdict was given on and no queue asks about stays in sight: it can be looked at and undone."""
        if key in self.drafts:
            return
        gt = self.prepared.pages[key.page]
        at = gt.row_of.get(key.anchor) if key.anchor is not None else None
        queue = "against the key" if key.ask in ("key", "value") else _QUEUE_OF.get(key.ask, "borderline")
        for run in self.prepared.runs if key.run is None else (key.run,):
            answer = self.prepared.run_page(run, key.page)
            for row in key.rows(gt, answer):
                if self._narrowed(key, gt, answer, row) == key:
                    self._add(key, queue, gt, answer, row, None, False, at)
        if key not in self.drafts and key.run is None and at is not None:
            for run in list(self.prepared.runs)[:1]:
                self._add(key, queue, gt, self.prepared.run_page(run, key.page), None, None, False, at)

    def _add(
        self,
        key: CaseKey,
        queue: str,
        gt: PreparedPage,
        answer: PreparedRunPage,
        row: int | None,
        similarity: float | None,
        live: bool,
        asked: int | None = None,
    ) -> _Draft:
        draft = self.drafts.get(key)
        number = gt.page.rows[asked].number if asked is not None else answer.page.rows[row].number if row is not None else 0
        if draft is None:
            draft = self.drafts[key] = _Draft(queue, first=(self.page_order[key.page], number))
        draft.live = draft.live or live
        if similarity is not None:
            draft.similarity = max(draft.similarity or 0.0, similarity)
        targets = tuple(
            target for target in (answer.target(row) if row is not None else "", gt.target(asked) if asked is not None else "") if target
        )
        occurrence = Occurrence(answer.run.key, targets)
        draft.occurrences[occurrence] = None
        if live:
            draft.waiting.add(occurrence)
        return draft

    # Making the case

    def _case(self, key: CaseKey, draft: _Draft, binding: Binding) -> Case:
        identity = key.id
        standing = binding.standing_of(identity, key.page)
        suggestion = _suggested(key, draft, self.settings.gate)
        decided = binding.of_page(key.page).decided(key)
        if key.ask == "gt" and not decided and draft.live:
            # Where a verdict on a pair has found the GT row, nothing is asked any more.
            draft.occurrences = {one: None for one in draft.occurrences if one in draft.waiting}
        times = len(draft.occurrences)
        state, note, new = status(self.prepared, standing, decided, draft.live, draft.occurrences, self.now)
        first = next(iter(draft.occurrences))
        gt = self.prepared.pages[key.page]
        basis: dict[str, object] = {"key": key, "similarity": draft.similarity, "pointers": draft.pointers}
        if key.field:
            basis["field"] = key.field
        if state == "conflict" and standing is not None:
            basis["conflicting"] = tuple(entry.id for entry in standing.disputed)
        if new:
            basis["new"] = new
        return Case(
            id=identity,
            task=TASK,
            queue=draft.queue,
            page=key.page,
            title=self._title(key, gt, first, draft.against),
            question=QUESTIONS["doubted" if key.field and draft.against is None else key.ask].replace("{one}", self.record.one),
            suggestion=suggestion,
            verdicts=VALUE_VERDICTS if key.field else VERDICTS,
            occurrences=tuple(draft.occurrences),
            leverage=draft.against.leverage if draft.against is not None else leverage(times, draft.similarity, self.settings),
            targets=draft.pointers.get(suggestion or "", first.targets[1:] if key.ask in ("pair", "key", "value") else first.targets[:1]),
            basis=basis,
            order=(-times, *draft.first, identity),
            status=state,
            note=note,
        )

    def _title(self, key: CaseKey, gt: PreparedPage, first: Occurrence, against: MajorityAgainstTruth | None) -> str:
        expected = gt.texts[gt.row_of[key.anchor]] if key.anchor is not None else ""
        if key.field and key.anchor is not None:
            return title_of_value(gt, gt.row_of[key.anchor], key.field, against)
        if not key.form:
            return expected
        read = text_of(self.prepared, first.targets[0])
        return f"{read} ~ {expected}" if expected else read


def _suggested(key: CaseKey, draft: _Draft, gate: float) -> str | None:
    if draft.against is not None:
        return "gt-wrong"
    if draft.suggestions:
        ranked = sorted(draft.suggestions.items(), key=lambda item: (-item[1], VERDICTS.index(item[0])))
        return ranked[0][0]
    if key.ask == "pair":
        return "same" if (draft.similarity or 0.0) >= gate else "different"
    return None


def pair_key(gt: PreparedPage, answer: PreparedRunPage, pair: AlignedPair) -> CaseKey:
    """What the case of a pair is about: the reading and the GT row; for homonyms the reading's other fields too."""
    form = answer.form(pair.model)
    homonym = form in gt.homonyms or gt.forms[pair.gt] in gt.homonyms
    others = gt.others(answer.page.rows[pair.model]) if homonym else None
    return CaseKey(gt.page.id, "pair", form, others, gt.anchors[pair.gt])


def row_key(gt: PreparedPage, answer: PreparedRunPage, row: int, ask: str) -> CaseKey:
    """What the case of a model row is about (`ask` row or merge): the reading; for homonyms its other fields too."""
    form = answer.form(row)
    others = gt.others(answer.page.rows[row]) if form in gt.homonyms else None
    return CaseKey(gt.page.id, ask, form, others)


def _stale_case(identity: str, entry: LogEntry, cause: str) -> Case:
    texts = entry.basis.get("texts")
    named = " ~ ".join(str(text) for text in texts.values()) if isinstance(texts, Mapping) else ""
    page = str(entry.basis.get("page", ""))
    return Case(
        id=identity,
        task=TASK,
        queue="stale",
        page=page,
        title=named or str(entry.basis.get("text", "")),
        question=f"{entry.verifier} said {entry.verdict}; the rows have changed since. Keep the verdict, or revisit the case?",
        suggestion=None,
        verdicts=("keep", "revisit"),
        occurrences=(),
        leverage=0.0,
        targets=entry.targets,
        basis={"entry": entry},
        order=(0, 0, 0, entry.id),
        status="stale",
        note=cause,
    )


def text_of(prepared: PreparedMaterial, target: str) -> str:
    """The key text of a ROW as it stands in the data."""
    page, row = located(prepared, target)
    return prepared.pages[page].texts[row] if target.startswith("gt:") else prepared.run_page(run_of(target), page).texts[row]
