"""Which field of a row is meant: the questions asked before a doubt about the ground truth, and before a rule is drafted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring.adjudication.cases import FieldValue
from tui.bench.case_fields import values_of
from tui.bench.session import Session
from tui.screens.dialogs import AskText, Choose

# As many choices as have a digit, one of them leading on.
_A_PAGE = 9


@dataclass(frozen=True, slots=True)
class FieldDoubt:
    """What is doubted: the field (the name where it is all of the key), and the text proposed; `None`: none."""

    field: str
    proposed: str | None


async def which_value(app: Any, session: Session, verdict: str) -> FieldDoubt | None:
    """Ask which value of the GT row is meant, and for a wrong one what it should be; `None` where the question was left."""
    values = _own_first(session, values_of(session))
    asked = "Which value is wrong?" if verdict == "gt-wrong" else "Which value cannot be read?"
    chosen = await _choice(app, asked, values)
    if chosen is None:
        return None
    if verdict != "gt-wrong":
        return FieldDoubt(chosen.field, None)
    hint = "" if chosen.key else "An empty text says that the value should be blank."
    proposed = await app.push_screen_wait(AskText(f"The text you propose for {chosen.field}", chosen.proposal, hint))
    return FieldDoubt(chosen.field, proposed) if proposed is not None else None


async def which_rule(app: Any, session: Session) -> str | None:
    """Ask which field's two writings mean the same, where there are several; the field, "" for what the case is about, `None` if left."""
    values = values_of(session)
    ruled = _own_first(session, [one for one in values if one.ruled or one.key])
    of_case = _of_case(session)
    if of_case or sum(one.ruled for one in values if not one.key) == 0:
        return ""
    chosen = await _choice(app, "Which two writings mean the same?", ruled)
    if chosen is None:
        return None
    return "" if chosen.key else chosen.field


def _of_case(session: Session) -> str:
    case = session.current
    return str(case.basis.get("field", "")) if case is not None else ""


def _own_first(session: Session, values: Sequence[FieldValue]) -> list[FieldValue]:
    """The field the case is about first, then the others as the schema has them."""
    own = _of_case(session)
    return sorted(values, key=lambda one: one.field != own)


async def _choice(app: Any, question: str, values: Sequence[FieldValue]) -> FieldValue | None:
    """The field chosen; many are offered in several pages."""
    width = max((len(one.field) for one in values), default=0)
    first = 0
    while True:
        shown = values[first : first + _A_PAGE] if len(values) <= _A_PAGE else values[first : first + _A_PAGE - 1]
        more = ["other fields"] if len(values) > _A_PAGE else []
        choice: int | None = await app.push_screen_wait(Choose(question, [*(described(one, width) for one in shown), *more]))
        if choice is None:
            return None
        if choice < len(shown):
            return shown[choice]
        first = first + len(shown) if first + len(shown) < len(values) else 0


def described(value: FieldValue, width: int = 0) -> str:
    """A field in a line: the ground truth's value, and where they differ this row's and the one most models read."""
    parts = [f"{value.field:<{width}}  {value.expected or '(blank)'}"]
    here = value.read is not None and value.read != value.expected
    most = f"{value.models} of {value.of} models: {value.agreed}" if value.agreed and value.agreed != value.expected else ""
    if here and most and value.read == value.agreed:
        parts.append(f"here and {most}")
    else:
        parts += [*([f"here: {value.read or '(blank)'}"] if here else []), *([most] if most else [])]
    return "   ".join(parts)
