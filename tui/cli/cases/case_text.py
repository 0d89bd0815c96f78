"""A case in words and as JSON, and what a blind verdict uncovers (`docs/commands.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from scoring.adjudication.cases import Block, Case, with_later
from scoring.adjudication.log_entry import LogEntry
from scoring.foundations.wording import similarity_text
from tui.cli.common.output import counted, folded, say, say_drawn, say_json, width

if TYPE_CHECKING:
    from tui.bench.session import Session


def print_case(session: Session, case: Case, form: str, seed: int | None = None) -> None:
    """Print the case under the cursor, as far as the verifier may see it, and how to decide it."""
    if form == "json":
        say_json(_document(session, case))
        return
    from rich.text import Text

    from scoring.texts.forms import visible
    from tui.widgets.drawing import drawn

    hidden, shown = session.hides(case), session.shown(case)
    lines = [Text(visible(f"{case.id}  {case.queue}, page {case.page}, {shown.status}"), "bold"), Text(visible(case.question))]
    if shown.note:
        lines.append(Text(visible(shown.note)))
    lines += [Text(""), *drawn(with_later(session.evidence(), _effects(session, case)), width())]
    history = session.history_lines(case)
    if history:
        lines += [Text(""), Text("Earlier verdicts", "bold"), *(Text("  " + visible(line)) for line in history)]
    lines.append(Text(""))
    if shown.suggestion is not None:
        pointed = f" -> {', '.join(shown.targets)}" if shown.targets else ""
        lines.append(Text(visible(f"Suggested: {shown.suggestion}{pointed}")))
    rows = session.candidates()
    if rows:
        such = "" if hidden else f", or a ROW such as {rows[0]}"
        lines.append(Text(visible(f"--to takes the number of a claimant{such}")))
    settled = session.settles(case)
    if settled:
        lines.append(Text(f"A verdict on what is in dispute is a ruling: it settles {counted(len(settled), 'verdict')}."))
    decide = f"To decide: adjudicate decide {case.id} VERDICT{_as_shown(session, seed)}, one of {', '.join(case.verdicts)}"
    lines += [Text(line) for line in folded(visible(decide), width())]
    say_drawn(lines)


def _as_shown(session: Session, seed: int | None) -> str:
    """The options that tell `decide` how the case was shown."""
    blind = " --blind" if session.blind else ""
    drawn_from = f" --seed {seed}" if session.blind and seed is not None else ""
    return blind + drawn_from + (f" --occurrence {session.occurrence + 1}" if session.occurrence else "")


def _effects(session: Session, case: Case) -> Sequence[Block]:
    """What each verdict would change; nothing while that would give the proposal away, or on a stale verdict."""
    from scoring.foundations.incremental import finished

    if session.hides(case) or case.status == "stale":
        return ()
    return finished(session.task.effects(session.evaluation, case, session.occurrence, tuple(session.picked)))


def _document(session: Session, case: Case) -> dict[str, Any]:
    hidden, shown = session.hides(case), session.shown(case)
    return {
        "id": case.id,
        "task": case.task,
        "queue": case.queue,
        "page": case.page,
        "title": case.title,
        "question": case.question,
        "status": shown.status,
        "note": shown.note or None,
        "suggestion": shown.suggestion,
        "targets": list(shown.targets),
        "verdicts": list(case.verdicts),
        "similarity": shown.basis.get("similarity"),
        "leverage": None if hidden else case.leverage,
        "occurrences": [] if hidden else [asdict(occurrence) for occurrence in case.occurrences],
        "times": None if hidden else len(case.occurrences),
        "field": case.basis.get("field"),
        "candidates": [None if hidden and row.startswith("model:") else row for row in session.candidates()],
        "evidence": [_veiled(block_document(block)) if hidden else block_document(block) for block in session.evidence()],
        "effects": [block_document(block) for block in _effects(session, case)],
        "history": [] if hidden else [entry_document(entry, session.decisions.is_live(entry)) for entry in session.history(case)],
    }


def block_document(block: Block) -> dict[str, Any]:
    """A block of evidence as plain values, with its kind."""
    return {"kind": type(block).__name__.lower(), **asdict(block)}


def _veiled(block: dict[str, Any]) -> dict[str, Any]:
    """A block without the ROWs of models, which name them; `--to` takes the numbers instead."""
    lines = block.get("lines", ())
    hidden = [{**line, "target": None} if str(line.get("target")).startswith("model:") else line for line in lines]
    return {**block, "lines": hidden} if "lines" in block else block


def entry_document(entry: LogEntry, live: bool) -> dict[str, Any]:
    """A log entry as plain values, with whether it is live."""
    import msgspec

    found: dict[str, Any] = msgspec.to_builtins(entry)
    return {**found, "live": live}


def reveal(session: Session, case: Case) -> None:
    """What was hidden while the verdict was given: the proposal, the model, the similarity, what others said."""
    from scoring.texts.forms import visible

    pointed = f" -> {', '.join(case.targets)}" if case.targets else ""
    say(f"proposed was: {case.suggestion}{visible(pointed)}" if case.suggestion else "nothing was proposed")
    similarity = case.basis.get("similarity")
    if isinstance(similarity, float):
        say(f"similarity: {similarity_text(similarity, session.gate)}")
    if case.occurrences:
        first, more = case.occurrences[0], len(case.occurrences) - 1
        say(visible(f"read by: {first.run}{f' and {more} more' if more else ''}"))
    for entry in session.history(case):
        if entry.verifier != session.verifier:
            say(visible(session.in_words(entry)))
