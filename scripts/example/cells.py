"""How each invented model behaves under each phase: fifteen cells from nearly faithful to hardly usable."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

PHASES = ("naive", "guided", "expert")
RUNS = 10


@dataclass(frozen=True, slots=True)
class Habit:
    """The habits of one model under one phase. Rates are chances in [0, 1], a letter's or a row's.

    Attributes:
        letters: chance that a letter of a name is misread, before the difficulty of the line.
        fields: the same for the other text fields.
        wobble: chance that a name is read anew in one run; otherwise a model's reading recurs over its runs.
        drop: chance that a line is overlooked.
        titled, placed, courtesy: chance that the name carries the title, the origin, a courtesy form.
        courtesy_title: chance that a blank title is filled with a courtesy form.
        twice: chance that a line with both dates is listed twice; `twice_misread` of these are read differently the second time.
        merge: what becomes of relatives of one surname on neighbouring lines: kept apart, put in one row, or listed both ways.
        fragment: chance of an extra row with a piece of a name; `invent` of one with a name that no line holds.
        dates: the format of dates (`errors.dated`).
        blank: how a blank is written; None is JSON null, "omit" leaves the key out.
        keys: how keys are spelled; `counts` how numbers are; `flags` whether Y/N are booleans.
        quondam: how `q.m.` is written; `glyph` what becomes of a glyph that the verifier could not read.
        columns: whether the page is read across its two columns, so that the order of rows is not the register's.
    """

    letters: float = 0.02
    fields: float = 0.02
    wobble: float = 0.15
    drop: float = 0.01
    titled: float = 0.0
    placed: float = 0.0
    courtesy: float = 0.0
    courtesy_title: float = 0.0
    twice: float = 0.0
    twice_misread: float = 0.3
    merge: Literal["apart", "one row", "both"] = "apart"
    fragment: float = 0.0
    invent: float = 0.0
    dates: str = "asked"
    blank: str | None = None
    keys: Literal["plain", "spaced", "hyphened", "upper"] = "plain"
    counts: Literal["number", "text", "float"] = "number"
    flags: bool = False
    quondam: tuple[str, ...] = ("q.m.",)
    glyph: Literal["letter", "mark", "omitted"] = "letter"
    columns: bool = False


ALFA = Habit(
    letters=0.1, fields=0.03, drop=0.04, titled=0.1, twice=0.25, twice_misread=0.2, invent=0.1, blank="omit", quondam=("q.m.", "qm")
)
BETA = Habit(
    letters=0.12, fields=0.06, drop=0.02, titled=0.3, courtesy=0.15, courtesy_title=0.4, twice=0.75, twice_misread=0.4, invent=0.25,
    dates="day-first", blank="", keys="spaced", counts="text", quondam=("quondam", "q.m"),
)  # fmt: skip
GAMMA = Habit(
    letters=0.19, fields=0.08, drop=0.03, titled=0.4, placed=0.3, fragment=0.6, twice=0.35, twice_misread=0.7, invent=0.3,
    dates="padded", blank="null", keys="hyphened", counts="float", quondam=("q(uonda)m", "q. m."), columns=True,
)  # fmt: skip
DELTA = Habit(
    letters=0.24, fields=0.1, drop=0.04, titled=0.5, placed=0.45, courtesy=0.35, courtesy_title=0.5, merge="one row", invent=0.4,
    dates="raw", blank="unknown", flags=True, quondam=("q(uondam)", "q"), glyph="mark",
)  # fmt: skip
EPSILON = Habit(
    letters=0.42, fields=0.17, wobble=0.25, drop=0.09, titled=0.6, placed=0.55, courtesy=0.4, courtesy_title=0.7, twice=0.5,
    twice_misread=0.8, merge="both", fragment=0.5, invent=0.6,
    dates="short", blank="-", keys="upper", quondam=("q", "quondam"), glyph="omitted",
)  # fmt: skip


def _phases(naive: Habit, *, guided: float, expert: float) -> dict[str, Habit]:
    """The three phases of a model: its naive habits, and two in which it errs less and keeps better to the format it was asked for."""

    def milder(share: float, **changes: object) -> Habit:
        rates = ("letters", "fields", "drop", "titled", "placed", "courtesy", "courtesy_title", "twice", "fragment", "invent")
        less = {name: round(getattr(naive, name) * share, 4) for name in rates}
        blank = "omit" if naive.blank == "omit" else None
        return replace(naive, **less, blank=blank, counts="number", flags=False, **changes)  # type: ignore[arg-type]

    return {
        "naive": naive,
        "guided": milder(guided, dates="padded" if naive.dates != "asked" else "asked", glyph="letter"),
        "expert": milder(
            expert,
            dates="asked",
            keys="plain",
            merge="both" if naive.merge == "one row" else "apart",
            glyph="mark",
            quondam=("q.m.",),
        ),
    }


MODELS: dict[str, dict[str, Habit]] = {
    "alfa": _phases(ALFA, guided=0.8, expert=0.65),
    "beta": _phases(BETA, guided=0.7, expert=0.35),
    "gamma": _phases(GAMMA, guided=0.7, expert=0.4),
    "delta": _phases(DELTA, guided=0.75, expert=0.45),
    "epsilon": _phases(EPSILON, guided=0.8, expert=0.6),
}
CELLS = tuple((model, phase) for model in MODELS for phase in PHASES)
