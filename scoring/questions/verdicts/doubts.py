"""Doubts about the answers in questions/ground_truth.csv, and the file with the agreed ones written in (`docs/adjudication.md#doubts`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from scoring.adjudication.decisions import LogEntry
from scoring.adjudication.doubts import Correction, Doubt, State, bytes_of, changed_meanwhile
from scoring.foundations.problems import InputError
from scoring.questions.execution.application import GT_WRONG, CaseContent, judged_of
from scoring.questions.execution.evaluation import Evaluation
from scoring.questions.inputs import csv_corrections as _corrections
from scoring.questions.inputs.documents import read_ground_truth
from scoring.questions.matching.answer_scores import AnswerItem as Answer
from scoring.questions.matching.answer_scores import entries
from scoring.texts.cells import cell_text
from scoring.workspace.layout import natural_key


def doubts(evaluation: Evaluation) -> tuple[Doubt, ...]:
    """Every doubt about the ground truth, by document, question and entry."""
    place = {name: at for at, name in enumerate(evaluation.material.questions.ids)}
    found = _contradicted(_merged(_said(evaluation)))

    def order(doubt: Doubt) -> tuple[object, ...]:
        return natural_key(doubt.page), place.get(doubt.question, len(place)), doubt.row or 0, doubt.said[0].id

    return tuple(sorted(found, key=order))


def _said(evaluation: Evaluation) -> Iterator[Doubt]:
    for bound in evaluation.bound.values():
        for standing in bound.applied:
            if standing.entry.verdict == GT_WRONG:
                said = tuple(one for one in standing.entries if (one.verdict, one.value) == (GT_WRONG, standing.entry.value))
                yield _writable(evaluation, _doubt(evaluation, standing.entry, said, "agreed"))
        for standing, cause in bound.stale:
            if standing.entry.verdict == GT_WRONG:
                yield _doubt(evaluation, standing.entry, (standing.entry,), "stale", cause)
        for standing in bound.done:
            yield _doubt(evaluation, standing.entry, standing.entries, "done")
        for standing in bound.conflicts:
            for entry in standing.entries:
                if entry.verdict == GT_WRONG:
                    others = ", ".join(f"{one.verifier}: {one.verdict}" for one in standing.entries if one is not entry)
                    yield _doubt(evaluation, entry, (entry,), "conflict", f"against it stands {others}")


def _doubt(evaluation: Evaluation, entry: LogEntry, said: tuple[LogEntry, ...], state: State, why: str = "") -> Doubt:
    judged = judged_of(entry) or CaseContent(str(entry.basis.get("page", "")), str(entry.basis.get("question", "")), "", "")
    standing = _standing(evaluation, judged, entry)
    number, text = (standing.number, standing.text) if standing is not None else (_pointed(entry), judged.gt)
    value = entry.value.strip() if isinstance(entry.value, str) and entry.value.strip() else None
    return Doubt(GT_WRONG, value, judged.document, _file(evaluation), number, text, said, state, why, judged.question)


def _file(evaluation: Evaluation) -> str:
    workspace = evaluation.material.workspace
    return workspace.relative(workspace.questions / "ground_truth.csv")


def _answers(evaluation: Evaluation, document: str, question: str) -> tuple[Answer, ...]:
    """The entries that stand in the ground truth now; none where there is no such answer."""
    try:
        of, row = evaluation.material.question(question), evaluation.material.document(document)
    except KeyError:
        return ()
    return tuple(entries(of, row.values[question], "gt")) if of.graded else ()


def _standing(evaluation: Evaluation, judged: CaseContent, entry: LogEntry) -> Answer | None:
    """The entry of the ground truth that a verdict doubts: the one pointed to while it reads as judged, else the first that does."""
    alike = [one for one in _answers(evaluation, *judged.place) if one.plain == judged.gt]
    pointed = _pointed(entry)
    return next((one for one in alike if one.number == pointed), alike[0] if alike else None)


def _pointed(entry: LogEntry) -> int | None:
    number = next((target for target in entry.targets if target.startswith("gt:")), "").rpartition(":")[2]
    return int(number) if number.isascii() and number.isdigit() else None


def _writable(evaluation: Evaluation, doubt: Doubt) -> Doubt:
    """The doubt, `by hand` where what was said cannot be written as one entry."""
    question = evaluation.material.question(doubt.question)
    why = ""
    if doubt.value is None:
        why = "no text was proposed"
    elif len(entries(question, cell_text(doubt.value)[0], "gt")) != 1:
        why = "what was proposed is not one entry"
    elif doubt.value == doubt.text:
        why = "the ground truth reads so already"
    return replace(doubt, state="by hand", why=why) if why else doubt


def _merged(found: Iterable[Doubt]) -> list[Doubt]:
    """Doubts that say the same of one entry as one: several readings may have brought it up."""
    same: dict[tuple[object, ...], Doubt] = {}
    for doubt in found:
        key = (doubt.page, doubt.question, doubt.row, doubt.text, doubt.value, doubt.state, doubt.why)
        known = same.get(key)
        said = {entry.id: entry for entry in (*(known.said if known else ()), *doubt.said)}
        same[key] = replace(doubt, said=tuple(said[id] for id in sorted(said)))
    return list(same.values())


def _contradicted(found: list[Doubt]) -> Iterator[Doubt]:
    """The doubts, in conflict where another one proposes something else for the same entry."""
    for doubt in found:
        against = [
            one.value
            for one in found
            if one is not doubt
            and one.state in ("agreed", "by hand")
            and (one.page, one.question, one.row) == (doubt.page, doubt.question, doubt.row)
        ]
        if doubt.state in ("agreed", "by hand") and against:
            told = "; ".join(f"{GT_WRONG} “{value or '?'}”" for value in against)
            yield replace(doubt, state="conflict", why=f"of the same entry is said {told}")
        else:
            yield doubt


def corrections(evaluation: Evaluation, wanted: Iterable[Doubt]) -> tuple[Correction, ...]:
    """The ground truth with the agreed doubts among those wanted written into it; nothing where none is agreed. Nothing is written to disk.

    Raises:
        InputError: the file has changed since it was read, is not UTF-8, or cannot be changed safely.
    """
    agreed = tuple(doubt for doubt in wanted if doubt.state == "agreed")
    if not agreed:
        return ()
    material = evaluation.material
    path, name = material.workspace.questions / "ground_truth.csv", _file(evaluation)
    before = bytes_of(path)
    documents, _ = read_ground_truth(path, material.questions, material.workspace.settings, name)
    if documents != material.documents or bytes_of(path) != before:
        raise changed_meanwhile(path)
    try:
        text = before.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("this file is not UTF-8, so it is not changed", where=path, hint="save it as UTF-8 first") from None
    for doubt in agreed:
        assert doubt.row is not None
        assert doubt.value is not None
        change = _corrections.Correction(doubt.page, doubt.question, doubt.row, doubt.value, doubt.text)
        try:
            text = _corrections.corrected(text, material.questions, change)
        except InputError as fault:
            raise InputError(fault.what, where=path, line=fault.line, hint=fault.hint) from fault
    return (Correction(path, name, before, text.encode("utf-8"), agreed),)
