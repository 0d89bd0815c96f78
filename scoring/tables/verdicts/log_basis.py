"""What a log line keeps of the evidence: the rows judged, what they read, what was seen (`docs/log.md#basis`)."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.adjudication.cases import Case, Judgement, Occurrence
from scoring.adjudication.decisions import LogEntry
from scoring.foundations.problems import InputError
from scoring.tables.cases.queues import key_of, text_of
from scoring.tables.cases.status import agreeing, answering, mark_of
from scoring.tables.decisions.anchor import CaseKey, located, run_of
from scoring.tables.decisions.coverage import cover_in, cover_of, mark, marks_of
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.matching.normalized import PreparedMaterial
from scoring.workspace.provenance import engine_fingerprint


def judgement(
    evaluation: Evaluation,
    occurrences: int,
    similarity: object,
    key: CaseKey,
    verdict: str,
    subject: str,
    pointed: tuple[str, ...],
    value: object,
    run: str | None,
    seen: Sequence[Occurrence] = (),
) -> Judgement:
    """The judgement of a verdict whose case, subject and pointers are known.

    Args:
        occurrences: how many rows the case is about.
        subject, pointed: the ROW judged, and the ROWs pointed to.
        seen: the occurrences the case was shown with.
    """
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
    else:
        basis["covers"] = cover_of({mark_of(prepared, one) for one in seen} | _marks(prepared, key))
    if key.beyond is not None:
        basis["beyond"] = key.beyond
    return Judgement(key.id, verdict, pointed, value, "row" if scope_run else "reading", scope_run, basis)


def _content(prepared: PreparedMaterial, target: str) -> str:
    page, row = located(prepared, target)
    gt = prepared.pages[page]
    return gt.gt_hash(row) if target.startswith("gt:") else gt.model_hash(prepared.run_page(run_of(target), page), row)


def _digest(prepared: PreparedMaterial, target: str) -> str:
    """What tells the row from a namesake, whether it has one or not."""
    page, row = located(prepared, target)
    gt = prepared.pages[page]
    return gt.others(gt.page.rows[row] if target.startswith("gt:") else prepared.run_page(run_of(target), page).page.rows[row])


def _fields(prepared: PreparedMaterial, target: str) -> dict[str, str]:
    """The other fields of the row that are filled, to be shown beside those it has later."""
    page, row = located(prepared, target)
    gt = prepared.pages[page]
    values = (gt.page.rows[row] if target.startswith("gt:") else prepared.run_page(run_of(target), page).page.rows[row]).values
    return {field.name: values[field.name] for field in gt.schema.scored if values.get(field.name)}


def _others(prepared: PreparedMaterial, target: str) -> str | None:
    page, row = located(prepared, target)
    gt, answer = prepared.pages[page], prepared.run_page(run_of(target), page)
    return gt.others(answer.page.rows[row]) if answer.form(row) in gt.homonyms else None


def _marks(prepared: PreparedMaterial, key: CaseKey) -> set[str]:
    """The marks of the rows a case is about, over the runs."""
    gt, found = prepared.pages[key.page], set()
    for run in prepared.runs:
        answer = prepared.run_page(run, key.page)
        found |= {mark(run, answer.texts[row]) for row in key.rows(gt, answer)}
    return found


def bounded(evaluation: Evaluation, case: Case) -> tuple[tuple[LogEntry, Judgement], ...]:
    """The verdicts that cover occurrences new since, each with what it says once it is said of the others alone (`covering`).

    Raises:
        InputError: no occurrence of the case is new since the verdict.
    """
    prepared, new, key = evaluation.prepared, case.basis.get("new"), key_of(evaluation.prepared, case)
    standing = evaluation.binding.standing_of(case.id, case.page)
    if not isinstance(new, tuple) or not new or standing is None:
        raise InputError(f"no occurrence of {case.id} is known to be new since the verdict", hint="the filter new:yes lists such cases")
    marks = {mark_of(prepared, one) for one in case.occurrences} | _marks(prepared, key)
    left = {mark_of(prepared, one) for one in new}
    found = []
    for entry in (entry for part in answering(standing) for entry in agreeing(part)):
        cover = cover_of((marks | marks_of(cover_in(entry.basis) or "")) - left)
        basis = {**entry.basis, "covers": cover, "bounded": True}
        found.append((entry, Judgement(entry.case, entry.verdict, entry.targets, entry.value, entry.scope, entry.run, basis)))
    return tuple(found)
