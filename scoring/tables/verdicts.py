"""What a verdict on a case says, checked before it is written (`4-adjudication`, Verdicts).

Every label has a pointer it must have, and the machine checks it: a duplicate of itself, a merge of one, a row that is
not there are refused with a sentence. What passes is a `Judgement`: what the log line says of the case.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.adjudication.cases import Case, Judgement, RuleDraft
from scoring.adjudication.decisions import Entry
from scoring.problems import InputError
from scoring.provenance import engine_fingerprint
from scoring.tables.binding import CaseKey
from scoring.tables.cases import GT_VERDICTS, VERDICTS, key_of, located, text_of
from scoring.tables.counts import LABELS
from scoring.tables.evaluate import Evaluation
from scoring.tables.locating import gt_row_of, row_pointed_to, run_of
from scoring.tables.prepared import Prepared
from scoring.text import visible

POINTERS = {
    "same": "one GT row",
    "different": "one GT row",
    "duplicate": "the model row it repeats",
    "merge": "two or more GT rows",
    "fragment": "the one GT row or model row it is a piece of",
    "misread": "one GT row",
    "invention": "nothing",
}


def judge(
    evaluation: Evaluation,
    case: Case,
    verdict: str,
    *,
    targets: Sequence[str] = (),
    value: object = None,
    run: str | None = None,
) -> Judgement:
    """What a verdict on a case says of its rows.

    Args:
        targets: ROWs pointed to; none means the ones the case proposes.
        value: the proposed text of a ground-truth doubt.
        run: narrows the verdict to this run's row.

    Raises:
        InputError: an unknown verdict, a pointer it cannot have, or a run in which the case does not occur.
    """
    prepared = evaluation.prepared
    if verdict not in VERDICTS:
        raise InputError(f"`{verdict}` is no verdict", hint=f"verdicts are {', '.join(VERDICTS)}")
    if not case.occurrences:
        raise InputError(f"case {case.id} is stale", hint="keep the verdict or revisit it")
    key = key_of(prepared, case)
    said = tuple(dict.fromkeys(targets))
    for target in said:
        _check_row(prepared, target, key.page)
    subject = _subject(case, run, said)
    pointed = said or _proposed(prepared, case, verdict, subject)
    gt_rows = tuple(target for target in pointed if target.startswith("gt:"))
    model_rows = tuple(target for target in pointed if target.startswith("model:"))
    key, subject, gt_rows, model_rows = _about_pair(prepared, key, verdict, subject, gt_rows, model_rows)
    key = _about_row(evaluation, case, key, verdict, subject)
    if run is not None and subject.startswith("model:") and run_of(subject) != run:
        raise InputError(f"{subject} is no row of run {run}", hint="point to a row of that run")
    _check_pointer(evaluation, verdict, subject, gt_rows, model_rows)
    value = _value(prepared, verdict, subject, value)
    if run is not None:
        key = _narrowed(prepared, key, subject, run)
    occurrences = len(case.occurrences) if key == case.basis.get("key") else _times(prepared, key)
    similarity = case.basis.get("similarity") if key == case.basis.get("key") else _similarity(prepared, key, subject)
    return _judgement(evaluation, occurrences, similarity, key, verdict, subject, (*model_rows, *gt_rows), value, run)


def _value(prepared: Prepared, verdict: str, subject: str, value: object) -> object:
    """The proposed text of a ground-truth doubt, where the verdict needs one."""
    given = isinstance(value, str) and bool(value.strip())
    if verdict == "gt-wrong" and not given:
        raise InputError("`gt-wrong` needs the text you propose instead", hint="give it with --value, or type it in the field")
    if verdict == "gt-missing-row" and not given:
        if not subject.startswith("model:"):
            raise InputError("`gt-missing-row` needs the name the register has and GT lacks", hint="give it with --value")
        return text_of(prepared, subject)
    return value


def _times(prepared: Prepared, key: CaseKey) -> int:
    """How many rows a case is about, over the runs it speaks of; 1 for a case about a GT row alone."""
    gt = prepared.pages[key.page]
    return sum(len(key.rows(gt, prepared.run_page(run, key.page))) for run in prepared.runs) or 1


def _similarity(prepared: Prepared, key: CaseKey, subject: str) -> float | None:
    """The similarity of the pair judged, where it is another than the case shows."""
    if key.anchor is None or not subject.startswith("model:"):
        return None
    gt, (page, row) = prepared.pages[key.page], located(prepared, subject)
    name, at = prepared.run_page(run_of(subject), page).models[row], gt.row_of[key.anchor]
    return gt.pairer.similarity(at, name).value if name.readings and gt.forms[at] else None


def kept(evaluation: Evaluation, entry: Entry) -> Judgement:
    """What a stale verdict says when it is said of the rows that now stand where the judged ones stood.

    Raises:
        InputError: a row it speaks of is gone, or it cannot be said of the rows as they are.
    """
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
        _check_row(prepared, target, page)
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
    key = CaseKey(page, ask, form, others, gt.anchors[at] if at is not None else None)
    if entry.run is not None:
        key = _narrowed(prepared, key, subject, entry.run)
    gt_rows = tuple(target for target in targets if target.startswith("gt:"))
    model_rows = tuple(target for target in targets if target.startswith("model:"))
    _check_pointer(evaluation, entry.verdict, subject, gt_rows, model_rows)
    times, similarity = _times(prepared, key), _similarity(prepared, key, subject)
    return _judgement(evaluation, times, similarity, key, entry.verdict, subject, targets, entry.value, entry.run)


def _subject(case: Case, run: str | None, said: Sequence[str]) -> str:
    """The ROW judged: the case's model row, of the run named or pointed to if there is one; its GT row where it is about that alone."""
    if run is not None:
        for occurrence in case.occurrences:
            if occurrence.run == run:
                return occurrence.targets[0]
        raise InputError(f"case {case.id} does not occur in run {run}", hint="`adjudicate show` lists where it occurs")
    pointed = {run_of(target) for target in said if target.startswith("model:")}
    near = (occurrence for occurrence in case.occurrences if occurrence.run in pointed and occurrence.targets[0] not in said)
    return next(near, case.occurrences[0]).targets[0]


def _proposed(prepared: Prepared, case: Case, verdict: str, subject: str) -> tuple[str, ...]:
    """What a verdict points to when nothing else is said: what the case suggests, a model row as that reading in the run judged."""
    pointers = case.basis.get("pointers")
    if isinstance(pointers, dict) and verdict in pointers:
        return tuple(_in_run(prepared, target, subject) for target in pointers[verdict])
    asked = tuple(target for target in case.occurrences[0].targets if target.startswith("gt:"))
    return asked if verdict in ("same", "different", "misread", "fragment", "unsure", "equivalent", *GT_VERDICTS) else ()


def _in_run(prepared: Prepared, target: str, subject: str) -> str:
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


def _check_row(prepared: Prepared, target: str, page: str) -> None:
    try:
        on, _ = located(prepared, target)
    except (KeyError, IndexError, ValueError):
        raise InputError(f"there is no row {target}", hint="a ROW is gt:PAGE:ROW or model:MODEL/PHASE/RUN:PAGE:ROW, rows from 1") from None
    if on != page:
        raise InputError(f"{target} lies on page {on}, the case on page {page}", hint="point to a row of the same page")


def _about_pair(
    prepared: Prepared, key: CaseKey, verdict: str, subject: str, gt_rows: tuple[str, ...], model_rows: tuple[str, ...]
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
                f"`{verdict}` on a missed traveler needs the one model row it is said of",
                hint="point to a candidate by its number, or with --to",
            )
        asked = subject if subject.startswith("gt:") else gt_rows[0]
        subject, model_rows = model_rows[0], ()
        gt_rows = gt_rows or (asked,)
    if len(gt_rows) != 1 or model_rows:
        raise InputError(f"`{verdict}` is said of one GT row", hint="point to one with --to gt:PAGE:ROW")
    answer = prepared.run_page(run_of(subject), key.page)
    row, at = located(prepared, subject)[1], located(prepared, gt_rows[0])[1]
    form = answer.form(row)
    if not form:
        raise InputError(f"{subject} has no name and is never paired", hint="label it, or leave it")
    if not gt.forms[at]:
        raise InputError(f"{gt_rows[0]} has no name and is never paired", hint="say `gt-wrong` with the name the register has")
    homonym = form in gt.homonyms or gt.forms[at] in gt.homonyms
    others = gt.others(answer.page.rows[row]) if homonym else None
    pair = CaseKey(key.page, "pair", form, others, gt.anchors[at])
    return (_narrowed(prepared, pair, subject, key.run) if key.run is not None else pair), subject, gt_rows, ()


def _about_row(evaluation: Evaluation, case: Case, key: CaseKey, verdict: str, subject: str) -> CaseKey:
    """A label is said of the row as it is written.

    So it is where the case asks about a reading of many models, and where the pair has its own verdict already: `different` and a
    label hold together.
    """
    if verdict not in LABELS or not subject.startswith("model:"):
        return key
    standing = evaluation.binding.standing_of(case.id, key.page)
    on_pair = key.ask == "pair" and standing is not None and standing.entry.verdict in ("same", "different")
    if key.ask != "key" and not on_pair:
        return key
    prepared = evaluation.prepared
    gt, answer, row = prepared.pages[key.page], prepared.run_page(run_of(subject), key.page), located(prepared, subject)[1]
    form = answer.form(row)
    own = CaseKey(key.page, "row", form, gt.others(answer.page.rows[row]) if form in gt.homonyms else None)
    return _narrowed(prepared, own, subject, key.run) if key.run is not None else own


def _check_pointer(evaluation: Evaluation, verdict: str, subject: str, gt_rows: tuple[str, ...], model_rows: tuple[str, ...]) -> None:
    """Refuse what a verdict cannot point to."""
    if verdict not in POINTERS:
        return
    prepared = evaluation.prepared
    if subject in model_rows or (subject in gt_rows and verdict in ("duplicate", "fragment", "merge", "misread")):
        raise InputError(f"a row cannot be a {verdict} of itself", hint=f"`{verdict}` points to {POINTERS[verdict]}")
    fits = {
        "same": len(gt_rows) == 1 and not model_rows,
        "different": len(gt_rows) == 1 and not model_rows,
        "duplicate": len(model_rows) == 1 and not gt_rows,
        "merge": len(gt_rows) >= 2 and not model_rows,
        "fragment": len(gt_rows) + len(model_rows) == 1,
        "misread": len(gt_rows) == 1 and not model_rows,
        "invention": not gt_rows and not model_rows,
    }[verdict]
    if not fits:
        given = ", ".join((*gt_rows, *model_rows)) or "nothing"
        raise InputError(f"`{verdict}` points to {POINTERS[verdict]}, not to {given}", hint="point with a digit key, or with --to ROW")
    if verdict in ("duplicate", "merge", "fragment", "misread", "invention") and not subject.startswith("model:"):
        raise InputError(
            f"`{verdict}` is said of a model row, and this case is about a GT row alone",
            hint="say `same` with a candidate, or a gt- verdict",
        )
    if verdict == "merge":
        texts = {prepared.pages[located(prepared, row)[0]].forms[located(prepared, row)[1]] for row in gt_rows}
        if len(texts) < 2:
            raise InputError("a merge joins two or more different GT names", hint="point to GT rows with different names")
    for target in model_rows:
        _check_model_row(evaluation, verdict, subject, target)


def _check_model_row(evaluation: Evaluation, verdict: str, subject: str, target: str) -> None:
    run, word = run_of(subject), "a duplicate repeats" if verdict == "duplicate" else "a fragment is a piece of"
    if run_of(target) != run:
        raise InputError(f"{word} a row of its own run", hint=f"point to a row of run {run}")
    (page, row), (_, pointed) = located(evaluation.prepared, subject), located(evaluation.prepared, target)
    answer = evaluation.prepared.run_page(run, page)
    if not answer.form(pointed):
        raise InputError(f"{target} has no name", hint="point to a row with one")
    back = evaluation.pages[run, page].bound.labels.get(pointed)
    if back is not None and back.model == row and answer.form(pointed) != answer.form(row):
        raise InputError(
            f"{target} is labelled a {back.label} of this very row", hint="one of the two stands for itself: take that label back first"
        )


def _narrowed(prepared: Prepared, key: CaseKey, subject: str, run: str) -> CaseKey:
    """The case of one run's row."""
    key = key.grouped
    if not subject.startswith("model:"):
        return key.on_row(run, 0)
    rows = key.rows(prepared.pages[key.page], prepared.run_page(run, key.page))
    at = located(prepared, subject)[1]
    return key.on_row(run, rows.index(at) if at in rows else 0)


def _judgement(
    evaluation: Evaluation,
    occurrences: int,
    similarity: object,
    key: CaseKey,
    verdict: str,
    subject: str,
    pointed: tuple[str, ...],
    value: object,
    run: str | None,
) -> Judgement:
    prepared, material = evaluation.prepared, evaluation.material
    gt = prepared.pages[key.page]
    asked = gt.target(gt.row_of[key.anchor]) if key.anchor is not None else None
    rows = dict.fromkeys(target for target in (subject, asked, *pointed) if target)
    scope_run = run or key.run
    basis: dict[str, object] = {
        "page": key.page,
        "ask": key.ask,
        "reading": key.form or None,
        "text": text_of(prepared, subject) if key.form else None,
        "others": key.others,
        "subject": subject,
        "asked": asked,
        "rows": {target: _content(prepared, target) for target in rows},
        "texts": {target: text_of(prepared, target) for target in rows},
        "pointer_others": {target: _others(prepared, target) for target in pointed if target.startswith("model:")},
        "digests": {target: _digest(prepared, target) for target in rows},
        "fields": {target: _fields(prepared, target) for target in rows},
        "similarity": similarity,
        "gate": material.settings.gate,
        "occurrences": occurrences,
        "gt": material.gt_fingerprint,
        "rules": material.rules.fingerprint,
        "engine": engine_fingerprint(),
    }
    if scope_run is not None:
        basis["nth"] = key.nth
    return Judgement(key.id, verdict, pointed, value, "row" if scope_run else "reading", scope_run, basis)


def _content(prepared: Prepared, target: str) -> str:
    page, row = located(prepared, target)
    gt = prepared.pages[page]
    return gt.gt_hash(row) if target.startswith("gt:") else gt.model_hash(prepared.run_page(run_of(target), page), row)


def _digest(prepared: Prepared, target: str) -> str:
    """What tells the row from a namesake, whether it has one or not."""
    page, row = located(prepared, target)
    gt = prepared.pages[page]
    return gt.others(gt.page.rows[row] if target.startswith("gt:") else prepared.run_page(run_of(target), page).page.rows[row])


def _fields(prepared: Prepared, target: str) -> dict[str, str]:
    """The other fields of the row that are filled, to be shown beside those it has later."""
    page, row = located(prepared, target)
    gt = prepared.pages[page]
    values = (gt.page.rows[row] if target.startswith("gt:") else prepared.run_page(run_of(target), page).page.rows[row]).values
    return {field.name: values[field.name] for field in gt.schema.scored if values.get(field.name)}


def _others(prepared: Prepared, target: str) -> str | None:
    page, row = located(prepared, target)
    gt, answer = prepared.pages[page], prepared.run_page(run_of(target), page)
    return gt.others(answer.page.rows[row]) if answer.form(row) in gt.homonyms else None


def draft(evaluation: Evaluation, case: Case) -> RuleDraft | None:
    """The equivalence that would make the two names of a case one: the words in which they differ, the model's as the form."""
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
