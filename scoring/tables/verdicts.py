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
from scoring.tables.cases import GT_VERDICTS, VERDICTS, key_of, located, run_of, text_of
from scoring.tables.evaluate import Evaluation
from scoring.tables.prepared import Prepared

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
    key = key_of(prepared, case)
    subject = _subject(prepared, case, key, run)
    pointed = tuple(dict.fromkeys(targets)) or _proposed(case, verdict)
    for target in pointed:
        _check_row(prepared, target, key.page)
    gt_rows = tuple(target for target in pointed if target.startswith("gt:"))
    model_rows = tuple(target for target in pointed if target.startswith("model:"))
    key, subject, gt_rows, model_rows = _about_pair(prepared, key, verdict, subject, gt_rows, model_rows)
    _check_pointer(prepared, verdict, subject, gt_rows, model_rows)
    if verdict == "gt-wrong" and not (isinstance(value, str) and value.strip()):
        raise InputError("`gt-wrong` needs the text you propose instead", hint="give it with --value, or type it in the field")
    if verdict == "gt-missing-row" and not (isinstance(value, str) and value.strip()):
        value = text_of(prepared, subject) if subject.startswith("model:") else None
        if value is None:
            raise InputError("`gt-missing-row` needs the name the register has and GT lacks", hint="give it with --value")
    if run is not None:
        key = _narrowed(prepared, key, subject, run)
    return _judgement(
        evaluation, len(case.occurrences), case.basis.get("similarity"), key, verdict, subject, (*model_rows, *gt_rows), value, run
    )


def kept(evaluation: Evaluation, entry: Entry) -> Judgement:
    """What a stale verdict says when it is said of the rows that now stand where the judged ones stood.

    Raises:
        InputError: a row it speaks of is gone, or it cannot be said of the rows as they are.
    """
    prepared, basis = evaluation.prepared, entry.basis
    subject, asked = str(basis.get("subject", "")), basis.get("asked")
    page = str(basis.get("page", ""))
    if page not in prepared.pages:
        raise InputError(f"page {page} is gone", hint="revisit the verdict instead")
    for target in (subject, *([str(asked)] if asked else []), *entry.targets):
        _check_row(prepared, target, page)
    gt = prepared.pages[page]
    anchor = gt.anchors[located(prepared, str(asked))[1]] if asked else None
    form, others = "", None
    if subject.startswith("model:"):
        row = located(prepared, subject)[1]
        answer = prepared.run_page(run_of(subject), page)
        form = answer.form(row)
        homonym = form in gt.homonyms or (asked is not None and gt.forms[located(prepared, str(asked))[1]] in gt.homonyms)
        others = gt.others(answer.page.rows[row]) if homonym else None
    key = CaseKey(page, str(basis.get("ask", "pair")), form, others, anchor)
    if entry.run is not None:
        key = _narrowed(prepared, key, subject, entry.run)
    gt_rows = tuple(target for target in entry.targets if target.startswith("gt:"))
    model_rows = tuple(target for target in entry.targets if target.startswith("model:"))
    _check_pointer(prepared, entry.verdict, subject, gt_rows, model_rows)
    return _judgement(evaluation, 1, None, key, entry.verdict, subject, entry.targets, entry.value, entry.run)


def _subject(prepared: Prepared, case: Case, key: CaseKey, run: str | None) -> str:
    """The ROW judged: the case's model row (of the run named, if one is), or its GT row where it is about that alone."""
    for occurrence in case.occurrences:
        if run is None or occurrence.run == run:
            return occurrence.targets[0]
    raise InputError(f"case {case.id} does not occur in run {run}", hint="`adjudicate show` lists where it occurs")


def _proposed(case: Case, verdict: str) -> tuple[str, ...]:
    pointers = case.basis.get("pointers")
    if isinstance(pointers, dict) and verdict in pointers:
        return tuple(pointers[verdict])
    asked = tuple(target for target in case.occurrences[0].targets if target.startswith("gt:"))
    return asked if verdict in ("same", "different", "misread", "fragment", "unsure", "equivalent", *GT_VERDICTS) else ()


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
    homonym = form in gt.homonyms or gt.forms[at] in gt.homonyms
    others = gt.others(answer.page.rows[row]) if homonym else None
    return CaseKey(key.page, "pair", form, others, gt.anchors[at], key.run, key.nth), subject, gt_rows, ()


def _check_pointer(prepared: Prepared, verdict: str, subject: str, gt_rows: tuple[str, ...], model_rows: tuple[str, ...]) -> None:
    if verdict not in POINTERS:
        return
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
    if verdict == "duplicate" and run_of(model_rows[0]) != run_of(subject):
        raise InputError("a duplicate repeats a row of its own run", hint=f"point to a row of run {run_of(subject)}")
    if verdict == "fragment" and model_rows and run_of(model_rows[0]) != run_of(subject):
        raise InputError("a fragment is a piece of a row of its own run", hint=f"point to a row of run {run_of(subject)}")


def _narrowed(prepared: Prepared, key: CaseKey, subject: str, run: str) -> CaseKey:
    if not subject.startswith("model:"):
        return CaseKey(key.page, key.ask, key.form, key.others, key.anchor, run, 0)
    gt, answer = prepared.pages[key.page], prepared.run_page(run, key.page)
    rows = CaseKey(key.page, key.ask, key.form, key.others).rows(gt, answer)
    at = located(prepared, subject)[1]
    return CaseKey(key.page, key.ask, key.form, key.others, key.anchor, run, rows.index(at) if at in rows else 0)


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
    return RuleDraft(" ".join(read), " ".join(expected), evaluation.material.schema.rule_field, text_of(prepared, model))
