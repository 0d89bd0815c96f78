"""The cases of the tables task: what the scorer cannot settle, grouped over runs (`4-adjudication`, Cases).

Cases come from the automatic scores and from what the decisions made of them, so a verdict's consequences (a row set
free by `different`) are asked about too. One whose question another verdict has settled counts as decided.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from scoring.adjudication.cases import Case, Occurrence, Status, in_queue_order
from scoring.adjudication.decisions import Entry, Standing
from scoring.steps import Steps, finished
from scoring.tables.binding import TASK, Binding, CaseKey, Statement
from scoring.tables.counts import LABELS
from scoring.tables.evaluate import Aligned, Evaluation, PageScore, labeller_of
from scoring.tables.prepared import Prepared, PreparedPage, PreparedRunPage

QUEUES = ("borderline", "unmatched", "surplus", "against the key", "conflicts", "stale")
PAIR_VERDICTS = ("same", "different", "unsure")
GT_VERDICTS = ("gt-wrong", "gt-illegible", "gt-missing-row", "gt-extra-row")
VERDICTS = (*PAIR_VERDICTS, *LABELS, *GT_VERDICTS, "equivalent")

QUESTIONS = {
    "pair": "Is this row that traveler?",
    "gt": "The runs missed this traveler: is one of the candidates the one?",
    "row": "No traveler is left for this row: what is it?",
    "merge": "This row is matched, and may hold a second, missed traveler: is it a merge?",
    "key": "Most models read this name otherwise: is the ground truth right?",
}
# How many cases are made in one short step.
_STEP = 40
_QUEUE_OF = {"pair": "borderline", "gt": "unmatched", "row": "surplus", "merge": "unmatched", "key": "against the key"}


@dataclass(slots=True)
class _Draft:
    """A case being gathered over runs."""

    queue: str
    similarity: float | None = None
    occurrences: list[Occurrence] = field(default_factory=list)
    suggestions: Counter[str] = field(default_factory=Counter)
    pointers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    live: bool = False
    first: tuple[int, int] = (0, 0)


def cases(evaluation: Evaluation, pages: Iterable[str] | None = None) -> tuple[Case, ...]:
    """The cases of an evaluation in queue order, each with its status; of the named register pages only, if named."""
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


def key_of(prepared: Prepared, case: Case) -> CaseKey:
    """What a case is about."""
    key = case.basis["key"]
    assert isinstance(key, CaseKey)
    return key


class _Gathering:
    def __init__(self, evaluation: Evaluation, pages: frozenset[str] | None) -> None:
        self.evaluation, self.prepared, self.pages = evaluation, evaluation.prepared, pages
        self.settings = evaluation.material.settings
        gate, width = Decimal(str(self.settings.gate)), Decimal(str(self.settings.width))
        self.low, self.high = float(gate - width), float(gate + width)
        self.page_order = {page.id: at for at, page in enumerate(evaluation.material.pages)}
        self.drafts: dict[CaseKey, _Draft] = {}

    def gather(self) -> Steps[None]:
        """Look at every page scored, a step each."""
        automatic = self.evaluation.as_scored
        for place, score in self.evaluation.pages.items():
            if score.counts is None or not self._wanted(place[1]):
                continue
            scored = automatic.pages[place]
            self._page(scored, live=scored is score)
            if scored is not score:
                self._page(score, live=True)
                self._split_off(score)
            yield
        for page in automatic.material.pages:
            if self._wanted(page.id):
                self._against_the_key(automatic, page.id)
                yield
        for page_id, bound in self.evaluation.binding.pages.items():
            if self._wanted(page_id) and page_id in self.page_order:
                for statement in bound.statements:
                    self._decided_elsewhere(statement)
                yield

    def cases(self) -> Iterator[Case]:
        """The cases gathered, and the stale ones."""
        binding = self.evaluation.binding
        for key, draft in self.drafts.items():
            yield self._case(key, draft, binding)
        for page, bound in binding.pages.items():
            if self._wanted(page):
                for stale in bound.stale:
                    yield _stale_case(stale.entry, stale.cause)

    def _wanted(self, page: str) -> bool:
        return self.pages is None or page in self.pages

    # Gathering

    def _page(self, score: PageScore, *, live: bool) -> None:
        gt, answer = self.prepared.pages[score.page], self.prepared.run_page(score.run, score.page)
        matched = set()
        for pair in score.pairs:
            if pair.matched:
                matched.add(pair.gt)
            if self.low <= pair.similarity.value <= self.high:
                self._add(self._pair_key(gt, answer, pair), "borderline", gt, answer, pair.model, pair.similarity.value, live, pair.gt)
        best = {pair.gt: pair.similarity.value for pair in score.pairs}
        for at in range(len(gt.forms)):
            if at not in matched and gt.forms[at]:
                key = CaseKey(score.page, "gt", anchor=gt.anchors[at])
                self._add(key, "unmatched", gt, answer, None, best.get(at, 0.0), live, at)
        for row in score.surplus:
            if row.label is None:
                continue
            draft = self._add(self._row_key(gt, answer, row.row, "row"), "surplus", gt, answer, row.row, None, live)
            if row.suggestion is not None:
                draft.suggestions[row.suggestion.label] += 1
                draft.similarity = max(draft.similarity or 0.0, row.suggestion.similarity or 0.0)
                pointed = [gt.target(one) for one in row.suggestion.gt]
                if row.suggestion.label == "duplicate" and row.suggestion.model is not None:
                    pointed = [answer.target(row.suggestion.model)]
                draft.pointers.setdefault(row.suggestion.label, tuple(pointed))
        self._possible_merges(score, gt, answer, matched, live)

    def _possible_merges(self, score: PageScore, gt: PreparedPage, answer: PreparedRunPage, matched: set[int], live: bool) -> None:
        free = [at for at, form in enumerate(gt.forms) if form and at not in matched]
        if not free:
            return
        words_of = [set(gt.forms[at].split()) for at in free]
        labeller = None
        for pair in score.pairs:
            # A row read without an edit is a GT name itself; one that shares no word with a free name holds none.
            if not pair.matched or pair.similarity.edits == 0:
                continue
            words = set(answer.form(pair.model).split())
            if len(words) < 2 or not any(words & free_words for free_words in words_of):
                continue
            labeller = labeller or labeller_of(self.prepared, score)
            merge = labeller.merged(pair.model, answer.models[pair.model], answer.texts[pair.model])
            if merge and any(at in free for at in merge.gt):
                key = self._row_key(gt, answer, pair.model, "merge")
                draft = self._add(key, "unmatched", gt, answer, pair.model, pair.similarity.value, live)
                draft.suggestions["merge"] += 1
                draft.pointers.setdefault("merge", tuple(gt.target(at) for at in merge.gt))

    def _split_off(self, score: PageScore) -> None:
        """Rows that a grouped verdict means but whose pointer this run does not have: cases of their own."""
        gt, answer = self.prepared.pages[score.page], self.prepared.run_page(score.run, score.page)
        for statement, row in self.evaluation.binding.unresolved(score.run, score.page):
            form = answer.form(row)
            nth = statement.key.rows(gt, answer).index(row)
            key = CaseKey(score.page, "row", form, statement.key.others, None, score.run, nth)
            self._add(key, "surplus", gt, answer, row, None, True).suggestions[statement.entry.verdict] += 1

    def _against_the_key(self, automatic: Evaluation, page: str) -> None:
        gt = self.prepared.pages[page]
        for at, (form, places) in majority_readings(automatic, page).items():
            key = CaseKey(page, "key", form, None, gt.anchors[at])
            for run, row, similarity in places:
                answer = self.prepared.run_page(run, page)
                self._add(key, "against the key", gt, answer, row, similarity, True, at).suggestions["gt-wrong"] += 1

    def _decided_elsewhere(self, statement: Statement) -> None:
        """A verdict on a pair or row that no queue asks about stays in sight: it can be looked at and undone."""
        key = statement.key
        if key in self.drafts:
            return
        gt = self.prepared.pages[key.page]
        at = gt.row_of.get(key.anchor) if key.anchor is not None else None
        for run in self.prepared.runs if key.run is None else (key.run,):
            answer = self.prepared.run_page(run, key.page)
            for row in key.rows(gt, answer):
                self._add(key, _QUEUE_OF.get(key.ask, "borderline"), gt, answer, row, None, False, at)
        if key not in self.drafts and at is not None:
            answer = self.prepared.run_page(next(iter(self.prepared.runs)), key.page)
            self._add(key, _QUEUE_OF.get(key.ask, "unmatched"), gt, answer, None, None, False, at)

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
        if occurrence not in draft.occurrences[-4:]:
            draft.occurrences.append(occurrence)
        return draft

    def _pair_key(self, gt: PreparedPage, answer: PreparedRunPage, pair: Aligned) -> CaseKey:
        form = answer.form(pair.model)
        homonym = form in gt.homonyms or gt.forms[pair.gt] in gt.homonyms
        others = gt.others(answer.page.rows[pair.model]) if homonym else None
        return CaseKey(gt.page.id, "pair", form, others, gt.anchors[pair.gt])

    def _row_key(self, gt: PreparedPage, answer: PreparedRunPage, row: int, ask: str) -> CaseKey:
        form = answer.form(row)
        others = gt.others(answer.page.rows[row]) if form in gt.homonyms else None
        return CaseKey(gt.page.id, ask, form, others)

    # Making the case

    def _case(self, key: CaseKey, draft: _Draft, binding: Binding) -> Case:
        identity = key.id
        standing = binding.standing_of(identity, key.page)
        suggestion = _suggested(key, draft, self.settings.gate)
        times = len(draft.occurrences)
        status, note = _status(draft, standing, times)
        first = draft.occurrences[0]
        nearness = 1 - abs((draft.similarity or 0.0) - self.settings.gate) / self.settings.width if self.settings.width else 0.0
        gt = self.prepared.pages[key.page]
        return Case(
            id=identity,
            task=TASK,
            queue=draft.queue,
            page=key.page,
            title=self._title(key, gt, first),
            question=QUESTIONS[key.ask],
            suggestion=suggestion,
            verdicts=VERDICTS,
            occurrences=tuple(draft.occurrences),
            leverage=times * max(0.0, nearness),
            targets=draft.pointers.get(suggestion or "", first.targets[1:] if key.ask in ("pair", "key") else first.targets[:1]),
            basis={"key": key, "similarity": draft.similarity, "pointers": draft.pointers},
            order=(-times, *draft.first, identity),
            status=status,
            note=note,
        )

    def _title(self, key: CaseKey, gt: PreparedPage, first: Occurrence) -> str:
        expected = gt.texts[gt.row_of[key.anchor]] if key.anchor is not None else ""
        if not key.form:
            return expected
        read = text_of(self.prepared, first.targets[0])
        return f"{read} ~ {expected}" if expected else read


def _suggested(key: CaseKey, draft: _Draft, gate: float) -> str | None:
    if draft.suggestions:
        ranked = sorted(draft.suggestions.items(), key=lambda item: (-item[1], VERDICTS.index(item[0])))
        return ranked[0][0]
    if key.ask == "pair":
        return "same" if (draft.similarity or 0.0) >= gate else "different"
    return None


def _status(draft: _Draft, standing: Standing | None, times: int) -> tuple[Status, str]:
    if standing is not None and standing.conflict:
        names = ", ".join(f"{entry.verifier}: {entry.verdict}" for entry in standing.entries)
        return "conflict", names
    if standing is not None:
        seen = standing.entry.basis.get("occurrences")
        new = times - int(seen) if isinstance(seen, int) else 0
        return "decided", f"{new} new since the verdict" if new > 0 else ""
    return ("open", "") if draft.live else ("decided", "settled by another verdict")


def _stale_case(entry: Entry, cause: str) -> Case:
    texts = entry.basis.get("texts")
    named = " ~ ".join(str(text) for text in texts.values()) if isinstance(texts, Mapping) else ""
    page = str(entry.basis.get("page", ""))
    return Case(
        id=entry.case,
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


def text_of(prepared: Prepared, target: str) -> str:
    """The key text of a ROW as it stands in the data."""
    page, row = located(prepared, target)
    return prepared.pages[page].texts[row] if target.startswith("gt:") else prepared.run_page(run_of(target), page).texts[row]


def run_of(target: str) -> str:
    """The run named by a model ROW."""
    return target.split(":", 1)[1].rsplit(":", 2)[0]


def located(prepared: Prepared, target: str) -> tuple[str, int]:
    """Page id and 0-based row of a ROW.

    Raises:
        KeyError: no such page, run or row.
    """
    _, page, number = target.rsplit(":", 2)
    rows = prepared.pages[page].page.rows if target.startswith("gt:") else prepared.run_page(run_of(target), page).page.rows
    at = next((at for at, row in enumerate(rows) if str(row.number) == number), None)
    if at is None:
        raise KeyError(target)
    return page, at


def majority_readings(evaluation: Evaluation, page: str) -> dict[int, tuple[str, list[tuple[str, int, float]]]]:
    """GT rows that most models read as one other name: GT row -> (that normal form, its occurrences as run, row, similarity).

    A model's reading of a GT row is the one most of its runs give (at least half of its scored runs), over all phases.
    Worked out once for each page of an evaluation.
    """
    if page not in evaluation.majorities:
        evaluation.majorities[page] = _majority_readings(evaluation, page)
    return evaluation.majorities[page]


def _majority_readings(evaluation: Evaluation, page: str) -> dict[int, tuple[str, list[tuple[str, int, float]]]]:
    prepared = evaluation.prepared
    gt = prepared.pages[page]
    votes: dict[int, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    places: dict[tuple[int, str], list[tuple[str, int, float]]] = defaultdict(list)
    scored_runs: Counter[str] = Counter()
    for run in evaluation.material.runs:
        score = evaluation.pages[run.key, page]
        if score.counts is None:
            continue
        scored_runs[run.model] += 1
        for pair in score.pairs:
            if pair.matched:
                form = pair.similarity.reading.text
                votes[pair.gt][run.model][form] += 1
                if pair.similarity.edits:
                    places[pair.gt, form].append((run.key, pair.model, pair.similarity.value))
    found: dict[int, tuple[str, list[tuple[str, int, float]]]] = {}
    for at, by_model in votes.items():
        tally: Counter[str] = Counter()
        for model, forms in by_model.items():
            form, times = min(forms.items(), key=lambda item: (-item[1], item[0]))
            if 2 * times >= scored_runs[model]:
                tally[form] += 1
        if not tally:
            continue
        form, models = min(tally.items(), key=lambda item: (-item[1], item[0]))
        most = models > evaluation.material.settings.majority * len(scored_runs) and models > 1
        if most and form != gt.forms[at] and places[at, form]:
            found[at] = (form, places[at, form])
    return found
