"""Which decisions hold on which rows: verdicts of the log bound to the rows of today (`4-adjudication`, Cases, Reading back).

A verdict names a *reading* of a page, resolved run by run, or one run's row. GT rows are found again by their content,
not their number, so a row that moved is still the row that was judged; one that changed makes the verdict stale, with
its cause. Verdicts given under other rules are read under today's: the rows are the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from scoring.adjudication.cases import case_id
from scoring.adjudication.decisions import Decisions, Entry, Key, Standing
from scoring.tables.counts import LABELS
from scoring.tables.prepared import Prepared, PreparedPage, PreparedRunPage

TASK, PREFIX = "tables", "t"


@dataclass(frozen=True, slots=True)
class Given:
    """A label a verifier gave to a model row: rows it points to (0-based), and the entry's id."""

    label: str
    gt: tuple[int, ...]
    model: int | None
    decided_by: str


@dataclass(frozen=True, slots=True)
class Bound:
    """The decisions on one page of one run, rows 0-based: pairs settled `same` with their entry's id, pairs barred, labels given."""

    same: tuple[tuple[int, int, str], ...] = ()
    barred: frozenset[tuple[int, int]] = frozenset()
    labels: Mapping[int, Given] = field(default_factory=dict)
    entries: frozenset[str] = frozenset()


NOTHING_BOUND = Bound()


@dataclass(frozen=True, slots=True)
class CaseKey:
    """What a case is about: a reading of a page, the GT row asked about, or both; `run` and `nth` when it is one row of one run.

    `others` tells homonyms apart. `anchor` is the GT row by content.
    """

    page: str
    ask: str
    form: str = ""
    others: str | None = None
    anchor: str | None = None
    run: str | None = None
    nth: int = 0

    @property
    def id(self) -> str:
        return case_id(PREFIX, self.page, self.ask, self.form, self.others, self.anchor, self.run, self.nth)

    def rows(self, gt: PreparedPage, answer: PreparedRunPage) -> tuple[int, ...]:
        """The rows of a run this case is about (none for a case about a GT row alone)."""
        if not self.form or (self.run is not None and self.run != answer.run.key):
            return ()
        rows = answer.rows_by_form.get(self.form, ())
        if self.others is not None:
            rows = tuple(row for row in rows if gt.others(answer.page.rows[row]) == self.others)
        return rows[self.nth : self.nth + 1] if self.run is not None else rows


@dataclass(frozen=True, slots=True)
class Stale:
    """A verdict whose judged rows have changed: not applied, with the cause."""

    entry: Entry
    cause: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A standing verdict on rows that exist: `gt` are GT rows pointed to, `model` the row pointed to as (form, others)."""

    key: CaseKey
    entry: Entry
    gt: tuple[int, ...] = ()
    model: tuple[str, str | None] | None = None

    @property
    def names_pair(self) -> bool:
        """Whether it says something about one reading and one GT row."""
        return self.entry.verdict in ("same", "different") and len(self.gt) == 1 and bool(self.key.form)


@dataclass(frozen=True)
class PageBinding:
    """The decisions on one register page.

    Attributes:
        by_form: standing statements by the reading they judge ("" for those about a GT row alone).
        standing: what stands, by the id of today's case.
        keys: the keys of the log's standings that were looked at.
    """

    by_form: Mapping[str, tuple[Statement, ...]] = field(default_factory=dict)
    standing: Mapping[str, Standing] = field(default_factory=dict)
    stale: tuple[Stale, ...] = ()
    conflicts: tuple[Standing, ...] = ()
    keys: frozenset[Key] = frozenset()

    @property
    def statements(self) -> Iterator[Statement]:
        return (statement for found in self.by_form.values() for statement in found)


NOTHING_ON_PAGE = PageBinding()


@dataclass(frozen=True)
class Binding:
    """All decisions of the log on the material, page by page: what applies, what is stale and why, what is in conflict."""

    prepared: Prepared
    pages: Mapping[str, PageBinding]

    def of_page(self, page: str) -> PageBinding:
        """The decisions on one register page."""
        return self.pages.get(page, NOTHING_ON_PAGE)

    def on(self, run: str, page: str) -> Bound:
        """The decisions on one page of one run; `NOTHING_BOUND` when there are none."""
        by_form = self.of_page(page).by_form
        if not by_form:
            return NOTHING_BOUND
        answer = self.prepared.run_page(run, page)
        statements = [statement for form in answer.rows_by_form for statement in by_form.get(form, ())]
        return _bound(self.prepared.pages[page], answer, statements) if statements else NOTHING_BOUND

    def unresolved(self, run: str, page: str) -> Iterator[tuple[Statement, int]]:
        """Rows (0-based) that a grouped verdict means but whose pointer does not exist in this run."""
        gt, answer, by_form = self.prepared.pages[page], self.prepared.run_page(run, page), self.of_page(page).by_form
        for form in answer.rows_by_form:
            for statement in by_form.get(form, ()):
                if statement.model is not None and statement.key.run is None:
                    for row in statement.key.rows(gt, answer):
                        if _pointed(gt, answer, statement.model, row) is None:
                            yield statement, row

    @property
    def stale(self) -> tuple[Stale, ...]:
        return tuple(one for page in self.pages.values() for one in page.stale)

    @property
    def conflicts(self) -> tuple[Standing, ...]:
        return tuple(one for page in self.pages.values() for one in page.conflicts)

    @property
    def applied(self) -> frozenset[str]:
        """Ids of the entries that apply."""
        return frozenset(statement.entry.id for page in self.pages.values() for statement in page.statements)

    def standing_of(self, case: str, page: str) -> Standing | None:
        """What stands for a case of today."""
        return self.of_page(page).standing.get(case)


def bind(prepared: Prepared, decisions: Decisions) -> Binding:
    """Bind the standing decisions of the tables task to the rows of today."""
    keys: dict[str, set[Key]] = defaultdict(set)
    for key, standing in decisions.standing.items():
        if key[0] == TASK:
            keys[str(standing.entry.basis.get("page"))].add(key)
    return Binding(prepared, {page: _bind_page(prepared, decisions, frozenset(found)) for page, found in keys.items()})


def rebound(binding: Binding, decisions: Decisions, page: str, changed: Iterable[Key]) -> Binding:
    """The binding with one page bound again: its decisions, and `changed` ones."""
    keys = binding.of_page(page).keys | frozenset(changed)
    return Binding(binding.prepared, {**binding.pages, page: _bind_page(binding.prepared, decisions, keys)})


def bound_with(binding: Binding, entry: Entry, run: str, page: str) -> Bound:
    """The decisions on one page of one run as they would be with one entry more, in the place of what stands for its case."""
    prepared = binding.prepared
    found = _locate(prepared, entry)
    answer, by_form = prepared.run_page(run, page), binding.of_page(page).by_form
    statements = [one for form in answer.rows_by_form for one in by_form.get(form, ())]
    if isinstance(found, Statement):
        statements = [one for one in statements if one.key != found.key]
        if found.key.form in answer.rows_by_form:
            statements.append(found)
    return _bound(prepared.pages[page], answer, statements) if statements else NOTHING_BOUND


def _bind_page(prepared: Prepared, decisions: Decisions, keys: frozenset[Key]) -> PageBinding:
    statements: list[Statement] = []
    stale: list[Stale] = []
    conflicts: list[Standing] = []
    by_case: dict[str, Standing] = {}
    for key in keys:
        standing = decisions.standing.get(key)
        if standing is None:
            continue
        found = _located(prepared, standing.entry)
        if isinstance(found, str):
            stale.append(Stale(standing.entry, found))
            continue
        known = by_case.get(found.key.id)
        if known is not None and known.entry.id > standing.entry.id:
            continue
        by_case[found.key.id] = standing
        if standing.conflict:
            conflicts.append(standing)
        else:
            statements.append(found)
    kept = _latest(statement for statement in statements if by_case[statement.key.id].entry is statement.entry)
    clashing = _clashing(prepared, kept)
    by_form: dict[str, list[Statement]] = defaultdict(list)
    for statement in kept:
        if statement.entry.id in clashing:
            standing = by_case[statement.key.id]
            by_case[statement.key.id] = Standing(standing.case, standing.entry, standing.entries, True)
            conflicts.append(by_case[statement.key.id])
        else:
            by_form[statement.key.form].append(statement)
    return PageBinding(
        {form: tuple(sorted(found, key=lambda s: s.entry.id)) for form, found in by_form.items()},
        by_case,
        tuple(sorted(stale, key=lambda one: one.entry.id)),
        tuple(sorted(conflicts, key=lambda one: one.entry.id)),
        keys,
    )


def _located(prepared: Prepared, entry: Entry) -> Statement | str:
    """The statement an entry makes about rows that exist today, or the cause why it is stale. Worked out once an entry."""
    found = prepared.located.get(entry.id)
    if found is None:
        found = prepared.located[entry.id] = _locate(prepared, entry)
    return found


def _locate(prepared: Prepared, entry: Entry) -> Statement | str:
    basis = entry.basis
    page = prepared.pages.get(str(basis.get("page")))
    if page is None:
        return f"the ground truth has no page {basis.get('page')} any more"
    texts = _mapping(basis.get("texts"))
    anchors: dict[str, int] = {}
    for target in _mapping(basis.get("rows")):
        if target.startswith("gt:"):
            found = _gt_row(page, target, basis)
            if found is None:
                return _gt_cause(page, target, texts)
            anchors[target] = found
    asked = basis.get("asked")
    key = CaseKey(
        page.page.id,
        str(basis.get("ask", "pair")),
        prepared.names.form(str(basis["text"])) if basis.get("text") else "",
        _text(basis.get("others")),
        page.anchors[anchors[str(asked)]] if asked in anchors else None,
        entry.run if entry.scope == "row" else None,
        int(str(basis.get("nth", 0))) if entry.scope == "row" else 0,
    )
    if key.form and not _read_somewhere(prepared, page, key):
        return _model_cause(prepared, str(basis.get("subject", "")), str(basis["text"]))
    pointed = tuple(anchors[target] for target in entry.targets if target in anchors)
    model = next((target for target in entry.targets if target.startswith("model:")), None)
    pointer = None
    if model is not None and model in texts:
        pointer = (prepared.names.form(str(texts[model])), _text(_mapping(basis.get("pointer_others")).get(model)))
    return Statement(key, entry, pointed, pointer)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _gt_row(page: PreparedPage, target: str, basis: Mapping[str, object]) -> int | None:
    """The GT row (0-based) with the content that was judged: at its old number if it is still there, else where it moved."""
    content = str(_mapping(basis.get("rows"))[target])
    number = row_number(target)
    at = next((at for at, row in enumerate(page.page.rows) if row.number == number), None)
    if at is not None and page.gt_hash(at) == content:
        return at
    return page.row_of.get(content)


def row_number(target: str) -> int:
    """The row number at the end of a ROW."""
    last = target.rsplit(":", 1)[-1]
    return int(last) if last.isascii() and last.isdigit() else 0


def _gt_cause(page: PreparedPage, target: str, texts: Mapping[str, object]) -> str:
    number, before = row_number(target), texts.get(target, "?")
    now = next((page.texts[at] for at, row in enumerate(page.page.rows) if row.number == number), None)
    if now is None:
        return f"GT row {target} ({before}) is gone"
    if now == before:
        return f"the other fields of GT row {target} ({before}), which tell it from its namesakes, have changed"
    return f"GT row {target} changed from {before} to {now}"


def _model_cause(prepared: Prepared, subject: str, before: str) -> str:
    _, _, rest = subject.partition(":")
    run, _, place = rest.partition(":")
    page = place.partition(":")[0]
    if run in prepared.runs and page in prepared.pages:
        answer = prepared.run_page(run, page)
        for at, row in enumerate(answer.page.rows):
            if row.number == row_number(subject):
                return f"model row {subject} changed from {before} to {answer.texts[at]}"
    return f"no run reads {before} on this page any more"


def _read_somewhere(prepared: Prepared, page: PreparedPage, key: CaseKey) -> bool:
    runs: Iterable[str] = prepared.runs if key.run is None else (key.run,) if key.run in prepared.runs else ()
    return any(key.rows(page, prepared.run_page(run, key.page)) for run in runs)


def _latest(statements: Iterable[Statement]) -> list[Statement]:
    """One verifier who gives one reading to two GT rows means the later verdict."""
    kept: dict[tuple[object, ...], Statement] = {}
    out: list[Statement] = []
    for statement in sorted(statements, key=lambda s: s.entry.id):
        if statement.entry.verdict == "same" and statement.names_pair:
            key = statement.key
            kept[statement.entry.verifier, key.page, key.form, key.others, key.run, key.nth] = statement
        else:
            out.append(statement)
    return out + list(kept.values())


def _clashing(prepared: Prepared, statements: Sequence[Statement]) -> frozenset[str]:
    """Ids of `same` verdicts of different verifiers that cannot hold together.

    One row cannot be two GT rows, nor two rows of a run one GT row.
    """
    sharing: dict[tuple[object, ...], list[Statement]] = defaultdict(list)
    for statement in statements:
        if statement.entry.verdict == "same" and statement.names_pair:
            sharing["row", statement.key.form, statement.key.others].append(statement)
            sharing["gt", statement.gt].append(statement)
    clashing: set[str] = set()
    for found in sharing.values():
        if len({statement.entry.verifier for statement in found}) < 2:
            continue
        for one, other in combinations(found, 2):
            if one.entry.verifier != other.entry.verifier and _cannot_both_hold(prepared, one.key.page, one, other):
                clashing |= {one.entry.id, other.entry.id}
    return frozenset(clashing)


def _cannot_both_hold(prepared: Prepared, page: str, one: Statement, other: Statement) -> bool:
    one_row = (one.key.form, one.key.others) == (other.key.form, other.key.others)
    one_gt = one.gt == other.gt
    if one_row == one_gt:
        return False
    gt = prepared.pages[page]
    runs = [run for run in prepared.runs if not one.key.run or not other.key.run or one.key.run == other.key.run]
    return any(one.key.rows(gt, prepared.run_page(run, page)) and other.key.rows(gt, prepared.run_page(run, page)) for run in runs)


def _pointed(gt: PreparedPage, answer: PreparedRunPage, pointer: tuple[str, str | None], row: int) -> int | None:
    """The row of this run that a pointer to a reading means: the first that is not the judged row itself."""
    form, others = pointer
    for at in answer.rows_by_form.get(form, ()):
        if at != row and (others is None or gt.others(answer.page.rows[at]) == others):
            return at
    return None


def _bound(gt: PreparedPage, answer: PreparedRunPage, statements: Sequence[Statement]) -> Bound:
    """Resolve a page's statements on one run. Row statements speak last: they narrow what a grouped verdict said."""
    same: dict[tuple[int, int], str] = {}
    barred: dict[tuple[int, int], str] = {}
    labels: dict[int, Given] = {}
    for statement in sorted(statements, key=lambda s: (s.key.run is not None, s.entry.id)):
        verdict, by = statement.entry.verdict, statement.entry.id
        for row in statement.key.rows(gt, answer):
            if verdict == "same" and statement.names_pair:
                same = {pair: who for pair, who in same.items() if pair[1] != row}
                same[statement.gt[0], row] = by
                barred.pop((statement.gt[0], row), None)
            elif verdict == "different" and statement.names_pair:
                barred[statement.gt[0], row] = by
                same.pop((statement.gt[0], row), None)
            elif verdict in LABELS:
                model = _pointed(gt, answer, statement.model, row) if statement.model is not None else None
                if statement.model is None or model is not None:
                    labels[row] = Given(verdict, statement.gt, model, by)
    if not (same or barred or labels):
        return NOTHING_BOUND
    by_ids = frozenset(same.values()) | frozenset(barred.values()) | frozenset(given.decided_by for given in labels.values())
    return Bound(tuple((g, m, by) for (g, m), by in same.items()), frozenset(barred), labels, by_ids)
