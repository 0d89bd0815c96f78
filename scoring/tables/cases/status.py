"""What is known of a case: open, decided or in conflict, which occurrences are new since the verdict, how much hangs on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

from scoring.adjudication.cases import Occurrence, Status
from scoring.adjudication.decisions import UNSURE, LogEntry, Standing
from scoring.adjudication.log_entry import value_in_words, verdict_in_words
from scoring.adjudication.verdict_kinds import LABEL, MATCH, kind_of
from scoring.foundations.wording import row_in_words
from scoring.tables.decisions.anchor import located, run_of
from scoring.tables.decisions.coverage import cover_in, mark, marks_of
from scoring.tables.decisions.precedence import CaseStanding
from scoring.tables.inputs.material import Material
from scoring.tables.matching.normalized import PreparedMaterial
from scoring.texts.forms import visible
from scoring.workspace.provenance import engine_fingerprint
from scoring.workspace.settings import Settings


def leverage(times: int, similarity: float | None, settings: Settings) -> float:
    """Occurrences x (1 - |similarity - gate| / width), never below 0 (`docs/adjudication.md#order`).

    Worked out in decimals, so that cases as far below the gate as above it tie.
    """
    return float(times * _nearness(similarity or 0.0, settings.gate, settings.width))


@lru_cache(maxsize=1 << 16)
def _nearness(similarity: float, gate: float, width: float) -> Decimal:
    if not width:
        return Decimal(0)
    distance = abs(Decimal(repr(similarity)) - Decimal(repr(gate))) / Decimal(repr(width))
    return max(Decimal(0), 1 - distance)


def circumstances(material: Material) -> Mapping[str, object]:
    """What a verdict is given under, by the names its basis has for it."""
    return {"rules": material.rules.fingerprint, "gate": material.settings.gate, "engine": engine_fingerprint()}


def status(
    prepared: PreparedMaterial,
    standing: CaseStanding | None,
    decided: bool,
    live: bool,
    occurrences: Collection[Occurrence],
    now: Mapping[str, object],
) -> tuple[Status, str, tuple[Occurrence, ...]]:
    """The status of a case, what a verifier should know of it in words, and the occurrences that are new since the verdict.

    Args:
        standing: what stands for it, if anything.
        decided: whether that answers what the case asks.
        live: whether something asks about it still.
        now: the circumstances of today.
    """
    if standing is None:
        return ("open", "", ()) if live else ("decided", "settled by another verdict", ())
    if standing.conflict:
        return "conflict", _dispute(standing.disputed), ()
    if live and not decided:
        return "open", "", ()
    new, count = _new(prepared, standing, occurrences)
    notes = [f"{count} new since the verdict"] if count > 0 else []
    changed = _changed(standing, now)
    if changed:
        notes.append(f"judged under other rules (changed since: {', '.join(changed)})")
    return "decided", "; ".join(notes), new


def _dispute(entries: Sequence[LogEntry]) -> str:
    """Who says what; where the verdict is the same, what of it is not: the rows pointed to, the text proposed."""
    alike = len({entry.verdict for entry in entries}) == 1
    found = []
    for entry in entries:
        said = verdict_in_words(entry)
        if alike and entry.targets:
            said += f" -> {', '.join(map(row_in_words, entry.targets))}"
        if alike and entry.value is not None:
            said += f" “{visible(value_in_words(entry.value))}”"
        found.append(f"{entry.verifier}: {said}")
    return ", ".join(found)


def _changed(standing: CaseStanding, now: Mapping[str, object]) -> list[str]:
    """What of rules, gate and engine is another than when the verdict was given."""
    judged = [part.entry.basis for part in answering(standing)]
    return [name for name, value in now.items() if any(basis.get(name, value) != value for basis in judged)]


def answering(standing: CaseStanding) -> Sequence[Standing]:
    """The statements that answer for the occurrences of a case: on match and label; else whatever was said."""
    return [part for part in standing.parts if kind_of(part.entry) in (MATCH, LABEL)] or standing.parts


def _new(prepared: PreparedMaterial, standing: CaseStanding, occurrences: Collection[Occurrence]) -> tuple[tuple[Occurrence, ...], int]:
    """The occurrences that one or another statement covers without its having been given on them, and how many they are.

    A line made without naming them tells their number alone.
    """
    new: dict[Occurrence, None] = {}
    least = 0
    for part in answering(standing):
        covers = [cover for entry in agreeing(part) if (cover := cover_in(entry.basis)) is not None]
        if covers:
            known = frozenset[str]().union(*map(marks_of, covers))
            new |= dict.fromkeys(one for one in occurrences if mark_of(prepared, one) not in known)
            continue
        seen = part.entry.basis.get("occurrences")
        if isinstance(seen, int) and not isinstance(seen, bool):
            least = max(least, len(occurrences) - seen)
    return tuple(new), max(len(new), least)


def agreeing(part: Standing) -> list[LogEntry]:
    """The entries of a standing that say what holds: `unsure` says nothing where somebody says more."""
    firm = [entry for entry in part.entries if entry.verdict != UNSURE]
    return firm or list(part.entries)


def mark_of(prepared: PreparedMaterial, occurrence: Occurrence) -> str:
    """What an occurrence is known by: its run, and what it reads there (nothing, where a record is missed)."""
    target = occurrence.targets[0]
    if not target.startswith("model:"):
        return mark(occurrence.run, "")
    page, row = located(prepared, target)
    return mark(occurrence.run, prepared.run_page(run_of(target), page).texts[row])
