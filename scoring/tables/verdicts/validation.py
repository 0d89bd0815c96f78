"""What a verdict on a case says, checked before it is written (`docs/adjudication.md#verdicts`).

Every label has a pointer it must have, and the machine checks it: a duplicate of itself, a merge of one, a row that is
not there are refused with a sentence. What passes is a `Judgement`: what the log line says of the case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoring.adjudication.cases import Case, Judgement, RuleDraft
from scoring.adjudication.decisions import LogEntry
from scoring.adjudication.log_entry import field_of
from scoring.foundations.problems import InputError
from scoring.tables.cases.queues import GT_VERDICTS, VERDICTS, key_of, located, text_of
from scoring.tables.decisions.anchor import gt_row_of, row_pointed_to, run_of
from scoring.tables.decisions.application import CaseKey
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.matching.normalized import PreparedMaterial
from scoring.tables.measures.counts import LABELS
from scoring.tables.verdicts.field_verdicts import draft_of_value, is_of_a_value, judge_value, kept_value
from scoring.tables.verdicts.log_basis import judgement
from scoring.tables.verdicts.pointers import check_pointer, check_row
from scoring.texts.forms import visible


def judge(
    evaluation: Evaluation,
    case: Case,
    verdict: str,
    *,
    targets: Sequence[str] = (),
    value: object = None,
    run: str | None = None,
    field: str = "",
    occurrence: int = 0,
) -> Judgement:
    """What a verdict on a case says of its rows.

    Args:
        targets: ROWs pointed to; none means the ones the case proposes.
        value: the proposed text of a ground-truth doubt.
        run: narrows the verdict to this run's row; a ROW (`model:...`) to that row, where the run has the reading more than once.
        field: the field of the GT row that a doubt is about, where it is not about the name.
        occurrence: the occurrence shown. Its row is the one judged, unless the verdict names a run or points to rows of another.

    Raises:
        InputError: an unknown verdict, a pointer it cannot have, or a run in which the case does not occur.
    """
    prepared = evaluation.prepared
    if verdict not in VERDICTS:
        raise InputError(f"`{verdict}` is no verdict", hint=f"verdicts are {', '.join(VERDICTS)}")
    if not case.occurrences:
        raise InputError(f"case {case.id} is stale", hint="keep the verdict or revisit it")
    if is_of_a_value(evaluation, case, verdict, field):
        return judge_value(evaluation, case, verdict, field, targets=targets, value=value, run=run)
    key = key_of(prepared, case)
    row = None
    if run is not None and run.startswith("model:"):
        row, run = run, run_of(run)
    said = tuple(dict.fromkeys(targets))
    for target in said:
        check_row(prepared, target, key.page)
    subject = _subject(_shown_first(case, verdict, occurrence, said), run, row, said)
    pointed = said or _proposed(prepared, case, verdict, subject)
    gt_rows = tuple(target for target in pointed if target.startswith("gt:"))
    model_rows = tuple(target for target in pointed if target.startswith("model:"))
    key, subject, gt_rows, model_rows = _about_pair(prepared, key, verdict, subject, gt_rows, model_rows)
    key = _about_row(evaluation, key, verdict, subject)
    if verdict == "same" and run is None and key.run is None and _held_by_another(evaluation, subject, gt_rows[0]):
        # Another row of the run is paired with that GT row: the occurrence is a case of its own, and the verdict is said of it alone.
        run = run_of(subject)
    if run is not None and subject.startswith("model:") and run_of(subject) != run:
        raise InputError(f"{subject} is no row of run {run}", hint="point to a row of that run")
    check_pointer(evaluation, verdict, subject, gt_rows, model_rows)
    value = _value(prepared, verdict, subject, value)
    if verdict == "gt-wrong" and len(gt_rows) == 1 and str(value).strip() == text_of(prepared, gt_rows[0]):
        raise InputError(f"{gt_rows[0]} reads so already: {text_of(prepared, gt_rows[0])}", hint="propose another text")
    if run is not None:
        key = _narrowed(prepared, key, subject, run)
    own = key == case.basis.get("key")
    occurrences = len(case.occurrences) if own else _times(prepared, key)
    similarity = case.basis.get("similarity") if own else _similarity(prepared, key, subject)
    seen = case.occurrences if own else ()
    return judgement(evaluation, occurrences, similarity, key, verdict, subject, (*model_rows, *gt_rows), value, run, seen)


def _held_by_another(evaluation: Evaluation, subject: str, gt_row: str) -> bool:
    """Whether another row of the run holds the GT row and would keep it from a grouped `same` (`resolving`)."""
    prepared = evaluation.prepared
    (page, row), (_, at) = located(prepared, subject), located(prepared, gt_row)
    run = run_of(subject)
    bound = evaluation.pages[run, page].bound
    holder = evaluation.as_scored.pages[run, page].holders.get(at)
    said = {model for _, model, _ in bound.same}
    return holder is not None and holder != row and holder not in said and (at, holder) not in bound.barred


def _value(prepared: PreparedMaterial, verdict: str, subject: str, value: object) -> object:
    """The proposed text of a ground-truth doubt, where the verdict needs one."""
    given = isinstance(value, str) and bool(value.strip())
    if verdict == "gt-wrong" and not given:
        raise InputError("`gt-wrong` needs the text you propose instead", hint="give it with --value, or type it in the field")
    if verdict == "gt-missing-row" and not given:
        if not subject.startswith("model:"):
            raise InputError("`gt-missing-row` needs the name that the source has and GT lacks", hint="give it with --value")
        return text_of(prepared, subject)
    return value


def _times(prepared: PreparedMaterial, key: CaseKey) -> int:
    """How many rows a case is about, over the runs it speaks of; 1 for a case about a GT row alone."""
    gt = prepared.pages[key.page]
    return sum(len(key.rows(gt, prepared.run_page(run, key.page))) for run in prepared.runs) or 1


def _similarity(prepared: PreparedMaterial, key: CaseKey, subject: str) -> float | None:
    """The similarity of the pair judged, where it is another than the case shows."""
    if key.anchor is None or not subject.startswith("model:"):
        return None
    gt, (page, row) = prepared.pages[key.page], located(prepared, subject)
    name, at = prepared.run_page(run_of(subject), page).models[row], gt.row_of[key.anchor]
    return gt.pairer.similarity(at, name).value if name.readings and gt.forms[at] else None


def kept(evaluation: Evaluation, entry: LogEntry) -> Judgement:
    """What a stale verdict says when it is said of the rows that now stand where the judged ones stood.

    Raises:
        InputError: a row it speaks of is gone, or it cannot be said of the rows as they are.
    """
    if field_of(entry):
        return kept_value(evaluation, entry)
    prepared, basis = evaluation.prepared, entry.basis
    page = str(basis.get("page", ""))
    if page not in prepared.pages:
        raise InputError(f"page {page} is gone", hint="revisit the verdict instead")
    gt = prepared.pages[page]

    def today(target: str) -> str:
        """A GT row where it moved to; any other row by its number."""
        at = gt_row_of(gt, target, basis) if target.startswith("gt:") else None
        return gt.target(at) if at is not None else target

    subject = today(str(basis.get("subject", "")))
    asked = today(str(basis["asked"])) if basis.get("asked") else None
    targets = tuple(today(target) for target in entry.targets)
    for target in (subject, *([asked] if asked else []), *targets):
        check_row(prepared, target, page)
    ask = str(basis.get("ask", "pair"))
    at = located(prepared, asked)[1] if asked else None
    form, others = "", None
    if ask == "key":
        form = str(basis.get("reading") or "")
    elif subject.startswith("model:"):
        row = located(prepared, subject)[1]
        answer = prepared.run_page(run_of(subject), page)
        form = answer.form(row)
        homonym = form in gt.homonyms or (ask == "pair" and at is not None and gt.forms[at] in gt.homonyms)
        others = gt.others(answer.page.rows[row]) if homonym else None
    beyond = basis.get("beyond")
    key = CaseKey(page, ask, form, others, gt.anchors[at] if at is not None else None, beyond=str(beyond) if beyond is not None else None)
    if entry.run is not None:
        key = _narrowed(prepared, key, subject, entry.run)
    gt_rows = tuple(target for target in targets if target.startswith("gt:"))
    model_rows = tuple(target for target in targets if target.startswith("model:"))
    check_pointer(evaluation, entry.verdict, subject, gt_rows, model_rows)
    times, similarity = _times(prepared, key), _similarity(prepared, key, subject)
    judged = judgement(evaluation, times, similarity, key, entry.verdict, subject, targets, entry.value, entry.run)
    if basis.get("bounded") is not True:
        return judged
    # What was taken back from later occurrences stays so: the verdict is kept of those it was said of.
    return replace(judged, basis={**judged.basis, "covers": basis.get("covers"), "bounded": True})


def _shown_first(case: Case, verdict: str, occurrence: int, said: Sequence[str]) -> Case:
    """The case with the occurrence shown put first. A proposed model row is one of the first occurrence's run: so is its subject."""
    pointers = case.basis.get("pointers")
    proposed = pointers.get(verdict, ()) if isinstance(pointers, dict) and not said else ()
    if any(target.startswith("model:") for target in proposed):
        return case
    at = min(occurrence, len(case.occurrences) - 1)
    return replace(case, occurrences=(case.occurrences[at], *case.occurrences[:at], *case.occurrences[at + 1 :]))


def _subject(case: Case, run: str | None, row: str | None, said: Sequence[str]) -> str:
    """The ROW judged: the case's model row, of the run named or pointed to if there is one; its GT row where it is about that alone.

    Where the run has the reading more than once it is the row named, else the first that the verdict does not point to.
    """
    if run is not None:
        there = [occurrence.targets[0] for occurrence in case.occurrences if occurrence.run == run]
        if row is not None and row not in there:
            raise InputError(f"{row} is no row of case {case.id}", hint="`adjudicate show` lists where it occurs")
        if not there:
            raise InputError(f"case {case.id} does not occur in run {run}", hint="`adjudicate show` lists where it occurs")
        return row or next((target for target in there if target not in said), there[0])
    pointed = {run_of(target) for target in said if target.startswith("model:")}
    near = (occurrence for occurrence in case.occurrences if occurrence.run in pointed and occurrence.targets[0] not in said)
    return next(near, case.occurrences[0]).targets[0]


def _proposed(prepared: PreparedMaterial, case: Case, verdict: str, subject: str) -> tuple[str, ...]:
    """What a verdict points to when nothing else is said: what the case suggests, a model row as that reading in the run judged."""
    pointers = case.basis.get("pointers")
    if isinstance(pointers, dict) and verdict in pointers:
        return tuple(_in_run(prepared, target, subject) for target in pointers[verdict])
    asked = tuple(target for target in case.occurrences[0].targets if target.startswith("gt:"))
    return asked if verdict in ("same", "different", "misread", "fragment", "unsure", "equivalent", *GT_VERDICTS) else ()


def _in_run(prepared: PreparedMaterial, target: str, subject: str) -> str:
    run = run_of(subject)
    if not target.startswith("model:") or not run or run_of(target) == run:
        return target
    page, row = located(prepared, target)
    gt, pointed, answer = prepared.pages[page], prepared.run_page(run_of(target), page), prepared.run_page(run, page)
    form = pointed.form(row)
    others = gt.others(pointed.page.rows[row]) if form in gt.homonyms else None
    found = row_pointed_to(gt, answer, (form, others), located(prepared, subject)[1])
    if found is None:
        raise InputError(f"run {run} has no row that reads {pointed.texts[row]}", hint="point to a row of that run with --to")
    return answer.target(found)


def _about_pair(
    prepared: PreparedMaterial, key: CaseKey, verdict: str, subject: str, gt_rows: tuple[str, ...], model_rows: tuple[str, ...]
) -> tuple[CaseKey, str, tuple[str, ...], tuple[str, ...]]:
    """`same` and `different` speak of a pair: re-targeted to another row, they are said of the case of that pair."""
    if verdict not in ("same", "different"):
        return key, subject, gt_rows, model_rows
    gt = prepared.pages[key.page]
    if key.ask == "gt":
        if verdict == "different" and not model_rows:
            return key, subject, gt_rows or (subject,), ()
        if len(model_rows) != 1:
            raise InputError(
                f"`{verdict}` on a missed GT row needs the one model row that it judges",
                hint="point to a candidate by its number, or with --to",
            )
        asked = subject if subject.startswith("gt:") else gt_rows[0]
        subject, model_rows = model_rows[0], ()
        gt_rows = gt_rows or (asked,)
    if not subject.startswith("model:"):
        raise InputError("no row is left that this verdict would be said of", hint="its occurrences are cases of their own now")
    if len(gt_rows) != 1 or model_rows:
        raise InputError(f"`{verdict}` is said of one GT row", hint="point to one with --to gt:PAGE:ROW")
    answer = prepared.run_page(run_of(subject), key.page)
    row, at = located(prepared, subject)[1], located(prepared, gt_rows[0])[1]
    form = answer.form(row)
    if not form:
        raise InputError(f"{subject} has no name and is never paired", hint="label it, or leave it")
    if not gt.forms[at]:
        raise InputError(f"{gt_rows[0]} has no name and is never paired", hint="give `gt-wrong` with the name that the source has")
    homonym = form in gt.homonyms or gt.forms[at] in gt.homonyms
    others = gt.others(answer.page.rows[row]) if homonym else None
    pair = CaseKey(key.page, "pair", form, others, gt.anchors[at], beyond=key.beyond)
    return (_narrowed(prepared, pair, subject, key.run) if key.run is not None else pair), subject, gt_rows, ()


def _about_row(evaluation: Evaluation, key: CaseKey, verdict: str, subject: str) -> CaseKey:
    """A label is said of the row as it is written, where the case asks about a reading of many models."""
    if verdict not in LABELS or not subject.startswith("model:") or key.ask != "key":
        return key
    prepared = evaluation.prepared
    gt, answer, row = prepared.pages[key.page], prepared.run_page(run_of(subject), key.page), located(prepared, subject)[1]
    form = answer.form(row)
    own = CaseKey(key.page, "row", form, gt.others(answer.page.rows[row]) if form in gt.homonyms else None)
    return _narrowed(prepared, own, subject, key.run) if key.run is not None else own


def _narrowed(prepared: PreparedMaterial, key: CaseKey, subject: str, run: str) -> CaseKey:
    """The case of one run's row."""
    key = key.grouped
    if not subject.startswith("model:"):
        return key.on_row(run, 0)
    rows = key.rows(prepared.pages[key.page], prepared.run_page(run, key.page))
    at = located(prepared, subject)[1]
    return key.on_row(run, rows.index(at) if at in rows else 0)


def draft(evaluation: Evaluation, case: Case, field: str = "", occurrence: int = 0, targets: Sequence[str] = ()) -> RuleDraft | None:
    """The equivalence that would make the two names of a case one: the words in which they differ, the model's as the form.

    Of another field (the one the case is about, or the one named) that of its two values.
    """
    of_case = key_of(evaluation.prepared, case).field if case.occurrences else ""
    if field not in ("", evaluation.material.schema.rule_field) or of_case:
        return draft_of_value(evaluation, case, field or of_case, occurrence, targets)
    prepared = evaluation.prepared
    found = case.occurrences[0].targets if case.occurrences else ()
    model = next((target for target in found if target.startswith("model:")), None)
    gt = next((target for target in (*found, *case.targets) if target.startswith("gt:")), None)
    if model is None or gt is None:
        return None
    read, expected = text_of(prepared, model).split(), text_of(prepared, gt).split()
    while len(read) > 1 and len(expected) > 1 and read[0].casefold() == expected[0].casefold():
        read, expected = read[1:], expected[1:]
    while len(read) > 1 and len(expected) > 1 and read[-1].casefold() == expected[-1].casefold():
        read, expected = read[:-1], expected[:-1]
    # As the witness of a draft on the Rules screen: the pair, its page and the ROW; what a rules file cannot hold is made visible.
    pair = f"{visible(text_of(prepared, model))} for {visible(text_of(prepared, gt))}"
    witness = f"{pair}, page {located(prepared, model)[0]} ({model})"
    return RuleDraft(" ".join(read), " ".join(expected), evaluation.material.schema.rule_field, witness)
