"""Decisions written elsewhere as entries of the log: those of a workbook (`docs/campaign.md#adjudicating-the-gold`)."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.adjudication.cases import Case
from scoring.adjudication.decisions import LogEntry, new_id, timestamp
from scoring.foundations.problems import InputError
from scoring.relations.cases.adjudicated_gold import TASK, Evaluation
from scoring.relations.cases.queues import case_of, judge
from scoring.relations.outputs.workbook import WrittenDecision


def entries_of(
    evaluation: Evaluation, written: Iterable[WrittenDecision], verifier: str
) -> tuple[list[LogEntry], list[tuple[int, str]], int]:
    """The entries a workbook's decisions make, the rows refused with the reason, and how many verdicts the log has already.

    All entries share one `batch`.
    """
    entries: list[LogEntry] = []
    refused: list[tuple[int, str]] = []
    known = 0
    batch = new_id(evaluation.decisions.greatest_id)
    last = batch
    for decision in written:
        try:
            case = _case(evaluation, decision)
            judged = judge(evaluation, case, decision.verdict)
        except InputError as fault:
            refused.append((decision.row, str(fault)))
            continue
        if _said_already(evaluation, case, decision, verifier):
            known += 1
            continue
        last = new_id(last)
        entries.append(
            LogEntry(
                id=last,
                at=timestamp(),
                verifier=verifier,
                task=TASK,
                case=judged.case,
                verdict=judged.verdict,
                targets=judged.targets,
                note=decision.reason or None,
                batch=batch,
                basis=dict(judged.basis),
            )
        )
    return entries, refused, known


def _case(evaluation: Evaluation, decision: WrittenDecision) -> Case:
    asked = evaluation.base.asked.get(decision.case)
    if asked is None:
        raise InputError(f"there is no case {decision.case} in this campaign")
    reference = evaluation.material.references[f"{asked.stem}.jsonl"]
    gold = reference.pairs[asked.positions[-1]].label(asked.target)
    held = evaluation.label(asked.stem, asked.target, asked.positions[-1])
    if decision.gold_label not in (gold, held):
        raise InputError(f"the gold label was {decision.gold_label} when the workbook was made and is {gold} now")
    return case_of(evaluation, decision.case)


def _said_already(evaluation: Evaluation, case: Case, decision: WrittenDecision, verifier: str) -> bool:
    """Whether this verifier's verdict in force is the same one, with the same reason."""
    own = [
        entry
        for entry in evaluation.decisions.of_case(TASK, case.id)
        if entry.verifier == verifier and entry.retracts is None and evaluation.decisions.is_live(entry)
    ]
    return bool(own) and own[-1].verdict == decision.verdict and (own[-1].note or "") == decision.reason
