"""Where the verdicts of the log stand in today's data, or why they stand nowhere (`docs/adjudication.md#stale-verdicts`).

GT rows are found again by their content, not their number, so a row that moved is still the row that was judged. Whether a name has
namesakes hangs on the rest of its page and on the rules; a verdict is not stale because a namesake came or went. A model's
reading is found again by its text under today's rules. What is not found makes the verdict stale, with its cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from scoring.adjudication.cases import case_id
from scoring.adjudication.decisions import LogEntry, meaning
from scoring.adjudication.log_entry import field_of
from scoring.adjudication.verdict_kinds import kind_of
from scoring.foundations.hashing import content_hash
from scoring.tables.decisions.coverage import cover_in, cover_of, mark, marks_of
from scoring.tables.inputs.material import Row
from scoring.tables.matching.normalized import PreparedMaterial, PreparedPage, PreparedRunPage
from scoring.tables.measures.counts import LABELS

TASK, PREFIX = "tables", "t"
# Verdicts that change no pair and no label: what they point to need not be found.
_ABOUT_NOTHING = ("unsure", "equivalent", "gt-wrong", "gt-illegible", "gt-missing-row", "gt-extra-row")


@dataclass(frozen=True, slots=True)
class CaseKey:
    """What a case is about: a reading of a page, the GT row asked about, or both; `run` and `nth` when it is one row of one run.

    `others` tells homonyms apart. `anchor` is the GT row by content. In the ask `key` the form is the reading most models agree on,
    and in the ask `value` the case is about one `field` of the GT row, whoever reads it how. `beyond` is a cover: the case is about
    the occurrences that came after it, for which a verdict was taken back.
    """

    page: str
    ask: str
    form: str = ""
    others: str | None = None
    anchor: str | None = None
    run: str | None = None
    nth: int = 0
    beyond: str | None = None
    field: str = ""

    @property
    def id(self) -> str:
        return _case_id(self)

    @property
    def grouped(self) -> CaseKey:
        """The case of the reading, over all runs."""
        return replace(self, run=None, nth=0) if self.run is not None else self

    def on_row(self, run: str, nth: int) -> CaseKey:
        """The case of one run's row: its nth row (from 0) with this reading."""
        return replace(self, run=run, nth=nth)

    def after(self, cover: str) -> CaseKey:
        """The case of the occurrences that a cover does not hold."""
        return replace(self, beyond=cover_of((*marks_of(self.beyond or ""), *marks_of(cover))))

    def rows(self, gt: PreparedPage, answer: PreparedRunPage) -> tuple[int, ...]:
        """The rows of a run this case is about (none for a case about a GT row alone)."""
        if not self.form or (self.run is not None and self.run != answer.run.key):
            return ()
        rows = answer.rows_by_form.get(self.form, ())
        if self.others is not None:
            rows = tuple(row for row in rows if gt.others(answer.page.rows[row]) == self.others)
        if self.beyond is not None:
            known = marks_of(self.beyond)
            rows = tuple(row for row in rows if mark(answer.run.key, answer.texts[row]) not in known)
        return rows[self.nth : self.nth + 1] if self.run is not None else rows


@lru_cache(maxsize=1 << 18)
def _case_id(key: CaseKey) -> str:
    parts = (*(() if key.beyond is None else (key.beyond,)), *(("field", key.field) if key.field else ()))
    return case_id(PREFIX, key.page, key.ask, key.form, key.others, key.anchor, key.run, key.nth, *parts)


@dataclass(frozen=True, slots=True)
class Stale:
    """A verdict whose judged rows have changed: not applied, with the cause."""

    entry: LogEntry
    cause: str


@dataclass(frozen=True, slots=True)
class AnchoredVerdict:
    """A verdict on rows that exist: `gt` are GT rows pointed to, `model` the row pointed to as (form, others).

    `elsewhere` are rows (run, nth) with the same reading on which another verdict stands: it does not speak of them. Where it names
    what it is said of `within`, it speaks of these occurrences alone (their marks, `covering`).
    """

    key: CaseKey
    entry: LogEntry
    gt: tuple[int, ...] = ()
    model: tuple[str, str | None] | None = None
    elsewhere: frozenset[tuple[str, int]] = frozenset()
    within: frozenset[str] | None = None

    @property
    def kind(self) -> str:
        """The kind of statement it is: those of different kinds hold side by side."""
        return kind_of(self.entry)

    @property
    def about(self) -> CaseKey:
        """The case it answers: its own; a label, wherever it was given, answers what the row is."""
        key = self.key
        if key.ask not in ("pair", "merge") or not key.form or self.entry.verdict not in LABELS:
            return key
        return replace(key, ask="row", anchor=None)

    @property
    def names_pair(self) -> bool:
        """Whether it says something about one reading and one GT row."""
        return self.entry.verdict in ("same", "different") and len(self.gt) == 1 and bool(self.key.form)

    @property
    def sense(self) -> tuple[object, ...]:
        """What two verdicts on one case must share to agree: verdict, the rows pointed to (a model row as a reading) and value."""
        verdict, targets, value = meaning(self.entry)
        others = frozenset(target for target in targets if target.startswith("model:")) if self.model is None else frozenset()
        return verdict, frozenset(self.gt), self.model, others, value

    def rows(self, gt: PreparedPage, answer: PreparedRunPage) -> tuple[int, ...]:
        """The rows of a run it speaks of."""
        rows, run = self.key.rows(gt, answer), answer.run.key
        if self.elsewhere and rows:
            rows = tuple(row for nth, row in enumerate(rows) if (run, nth) not in self.elsewhere)
        if self.within is not None:
            rows = tuple(row for row in rows if mark(run, answer.texts[row]) in self.within)
        return rows


def locate(prepared: PreparedMaterial, entry: LogEntry) -> AnchoredVerdict | str:
    """The statement an entry of the log makes about rows that exist today, or the cause why it is stale. Worked out once an entry."""
    found: AnchoredVerdict | str | None = prepared.located.get(entry.id)
    if found is None:
        found = prepared.located[entry.id] = _located(prepared, entry)
    return found


def said_by(prepared: PreparedMaterial, entry: LogEntry) -> AnchoredVerdict | None:
    """The statement an entry would make that is not in the log; `None` where it would be stale. Not kept: such entries share an id."""
    found = _located(prepared, entry)
    return found if isinstance(found, AnchoredVerdict) else None


def carried_out(prepared: PreparedMaterial, entry: LogEntry) -> bool:
    """Whether a doubt about the ground truth was acted on: the row (its value) now reads what was proposed, or the row too many is gone."""
    page = prepared.pages.get(str(entry.basis.get("page")))
    target = next((one for one in entry.targets if one.startswith("gt:")), None)
    if page is None or target is None:
        return False
    if entry.verdict == "gt-extra-row":
        return mapping(entry.basis.get("texts")).get(target) not in page.texts
    at = numbered(page, row_number(target))
    proposed = entry.value if isinstance(entry.value, str) else None
    if entry.verdict not in ("gt-wrong", "gt-illegible") or at is None or proposed is None:
        return False
    field = field_of(entry)
    return (page.page.rows[at].values.get(field) if field else page.texts[at]) == proposed.strip()


def gt_row_of(page: PreparedPage, target: str, basis: Mapping[str, object]) -> int | None:
    """The GT row (0-based) a verdict judged as `target`: at its old number if it is there, else where it moved; `None` if it changed."""
    content = str(mapping(basis.get("rows")).get(target))
    at = numbered(page, row_number(target))
    if at is not None and page.gt_hash(at) == content:
        return at
    if content in page.row_of:
        return page.row_of[content]
    text = mapping(basis.get("texts")).get(target)
    namesakes = [row for row, of_row in enumerate(page.texts) if of_row == text]
    if content == content_hash([text, None]):
        # It had no namesake then: its other fields tell it from those that came, else its number does.
        digest = mapping(basis.get("digests")).get(target)
        alike = [row for row in namesakes if page.others(page.page.rows[row]) == digest] or namesakes
        return at if at in alike else alike[0] if len(alike) == 1 else None
    return next((row for row in namesakes if content == content_hash([text, page.others(page.page.rows[row])])), None)


def numbered(page: PreparedPage, number: int) -> int | None:
    """The GT row (0-based) with this number."""
    return next((at for at, row in enumerate(page.page.rows) if row.number == number), None)


def row_number(target: str) -> int:
    """The row number at the end of a ROW."""
    last = target.rsplit(":", 1)[-1]
    return int(last) if last.isascii() and last.isdigit() and len(last) < 10 else 0


def run_of(target: str) -> str:
    """The run named by a model ROW; empty for another ROW."""
    return target.split(":", 1)[1].rsplit(":", 2)[0] if target.startswith("model:") and target.count(":") >= 3 else ""


def mapping(value: object) -> Mapping[str, object]:
    """A part of a log line's basis that should be an object; nothing where it is none."""
    return value if isinstance(value, dict) else {}


def located(prepared: PreparedMaterial, target: str) -> tuple[str, int]:
    """Page id and 0-based row of a ROW.

    Raises:
        KeyError: no such page, run or row.
    """
    _, page, number = target.rsplit(":", 2)
    rows = prepared.pages[page].page.rows if target.startswith("gt:") else prepared.run_page(run_of(target), page).page.rows
    wanted = int(number) if number.isascii() and number.isdigit() else 0
    # Rows stand at their number unless blank ones before them were dropped.
    if 0 < wanted <= len(rows) and rows[wanted - 1].number == wanted:
        return page, wanted - 1
    at = next((at for at, row in enumerate(rows) if row.number == wanted), None)
    if at is None:
        raise KeyError(target)
    return page, at


def row_pointed_to(gt: PreparedPage, answer: PreparedRunPage, pointer: tuple[str, str | None], row: int) -> int | None:
    """The row of this run that a pointer to a reading means: the first that is not the judged row itself."""
    form, others = pointer
    for at in answer.rows_by_form.get(form, ()):
        if at != row and (others is None or gt.others(answer.page.rows[at]) == others):
            return at
    return None


def _located(prepared: PreparedMaterial, entry: LogEntry) -> AnchoredVerdict | str:
    basis = entry.basis
    page = prepared.pages.get(str(basis.get("page")))
    if page is None:
        return f"the ground truth has no page {basis.get('page')}"
    texts = mapping(basis.get("texts"))
    if field_of(entry):
        return _value_located(prepared, page, entry)
    anchors: dict[str, int] = {}
    for target in mapping(basis.get("rows")):
        if target.startswith("gt:"):
            found = gt_row_of(page, target, basis)
            if found is None:
                return _gt_cause(page, target, basis)
            anchors[target] = found
    for target in entry.targets:
        if target not in anchors and target.startswith("gt:") and entry.verdict not in _ABOUT_NOTHING:
            return f"the log line does not say what {target} held"
        if target not in texts and target.startswith("model:"):
            return f"the log line does not say what {target} read"
    key = _key(prepared, page, entry, anchors)
    subject = str(basis.get("subject", ""))
    if key.form and key.ask != "key" and not _read_somewhere(prepared, page, key):
        return _model_cause(prepared, subject, str(basis.get("text") or key.form), basis)
    pointed = tuple(anchors[target] for target in entry.targets if target in anchors)
    model = next((target for target in entry.targets if target.startswith("model:")), None)
    pointer = None
    if model is not None and model in texts:
        form = prepared.names.form(str(texts[model]))
        others = mapping(basis.get("pointer_others")).get(model)
        pointer = (form, _text(others))
        if not _points_somewhere(prepared, page, key, pointer):
            return f"what it points to: {_model_cause(prepared, model, str(texts[model]), basis)}"
    cover = cover_in(basis) if basis.get("bounded") is True else None
    return AnchoredVerdict(key, entry, pointed, pointer, within=marks_of(cover) if cover is not None else None)


def _value_located(prepared: PreparedMaterial, page: PreparedPage, entry: LogEntry) -> AnchoredVerdict | str:
    """Where a verdict on one value of a GT row stands: the row found again, and the value as it was seen."""
    field, basis = field_of(entry), entry.basis
    if field not in prepared.material.schema.names:
        return f"the schema has no field {field}"
    target = value_target(entry)
    if not target:
        return "the log line does not say of which GT row"
    at = gt_row_of(page, target, basis)
    if at is None:
        return _gt_cause(page, target, basis)
    seen, now = basis.get("cell"), page.page.rows[at].values[field]
    if isinstance(seen, str) and seen != now:
        return f"{field} of GT row {target} ({page.texts[at]}) changed from {seen or 'blank'} to {now or 'blank'}"
    return AnchoredVerdict(value_key(page, at, field), entry, (at,))


def value_target(entry: LogEntry) -> str:
    """The GT ROW a verdict on a value is said of; "" where the line does not say."""
    named = (str(entry.basis.get("asked") or ""), *entry.targets)
    return next((target for target in named if target.startswith("gt:")), "")


def value_key(page: PreparedPage, row: int, field: str) -> CaseKey:
    """The case of one field of a GT row (0-based)."""
    return CaseKey(page.page.id, "value", anchor=page.anchors[row], field=field)


def _key(prepared: PreparedMaterial, page: PreparedPage, entry: LogEntry, anchors: Mapping[str, int]) -> CaseKey:
    """The case of today that an entry is said of. A line made elsewhere may say less than ours do: verdict and reading tell the rest."""
    basis = entry.basis
    text, reading = basis.get("text"), basis.get("reading")
    pair = entry.verdict in ("same", "different") and bool(anchors)
    ask = str(basis.get("ask") or ("pair" if pair else "row" if text or reading else "gt"))
    asked = basis.get("asked") or (next(iter(anchors), None) if ask in ("pair", "gt", "key") else None)
    at = anchors.get(str(asked)) if asked is not None else None
    form = prepared.names.form(str(text)) if text and ask != "key" else str(reading or "")
    others = _text(basis.get("others"))
    if others is None and ask in ("pair", "row", "merge") and form:
        homonym = form in page.homonyms or (ask == "pair" and at is not None and page.forms[at] in page.homonyms)
        if homonym:
            others = _text(mapping(basis.get("digests")).get(str(basis.get("subject"))))
    row = entry.scope == "row"
    nth = basis.get("nth", 0)
    return CaseKey(
        page.page.id,
        ask,
        form,
        others,
        page.anchors[at] if at is not None else None,
        entry.run if row else None,
        nth if row and isinstance(nth, int) else 0,
        _text(basis.get("beyond")),
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _runs_of(prepared: PreparedMaterial, key: CaseKey) -> Iterable[str]:
    return prepared.runs if key.run is None else (key.run,) if key.run in prepared.runs else ()


def _answers(prepared: PreparedMaterial, key: CaseKey) -> Iterator[PreparedRunPage]:
    return (prepared.run_page(run, key.page) for run in _runs_of(prepared, key))


def _read_somewhere(prepared: PreparedMaterial, page: PreparedPage, key: CaseKey) -> bool:
    return any(key.rows(page, answer) for answer in _answers(prepared, key))


def _points_somewhere(prepared: PreparedMaterial, page: PreparedPage, key: CaseKey, pointer: tuple[str, str | None]) -> bool:
    return any(
        row_pointed_to(page, answer, pointer, row) is not None
        for answer in _answers(prepared, key)
        for row in key.rows(page, answer) or (-1,)
    )


def _gt_cause(page: PreparedPage, target: str, basis: Mapping[str, object]) -> str:
    before = mapping(basis.get("texts")).get(target, "?")
    at = numbered(page, row_number(target))
    if at is None:
        return f"GT row {target} ({before}) is gone"
    now = page.texts[at]
    if now == before:
        told = _fields_told(page, target, basis, page.page.rows[at])
        return f"the other fields of GT row {target} ({before}), which tell it from its namesakes, have changed{told}"
    return f"GT row {target} changed from {before} to {now}"


def _model_cause(prepared: PreparedMaterial, target: str, before: str, basis: Mapping[str, object]) -> str:
    run, page = run_of(target), target.rsplit(":", 2)[-2] if target.count(":") >= 2 else ""
    if run in prepared.runs and page in prepared.pages:
        answer = prepared.run_page(run, page)
        for at, row in enumerate(answer.page.rows):
            if row.number == row_number(target):
                now = answer.texts[at]
                if now == before:
                    told = _fields_told(prepared.pages[page], target, basis, row)
                    return f"the other fields of model row {target} ({before}), which tell it from its namesakes, have changed{told}"
                return f"model row {target} changed from {before} to {now}"
        return f"model row {target} ({before}) is gone"
    return f"no run reads {before} on this page any more"


def _fields_told(page: PreparedPage, target: str, basis: Mapping[str, object], row: Row) -> str:
    """What changed of the other fields of a namesake, from what to what, where the log line kept them."""
    kept = mapping(basis.get("fields")).get(target)
    if not isinstance(kept, dict):
        return ""
    changed = []
    for field in page.schema.scored:
        before, now = str(kept.get(field.name, "")), row.values.get(field.name, "")
        if before != now:
            changed.append(f"{field.name} from {before or 'blank'} to {now or 'blank'}")
    return f": {', '.join(changed)}" if changed else ""
