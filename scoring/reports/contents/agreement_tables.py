"""How far verifiers agree, as tables of the report (`docs/adjudication.md#agreement`)."""

from __future__ import annotations

from scoring.adjudication.agreement import Agreement, Estimate, KindAgreement
from scoring.reports.formats.tables import Cell, Column, Table, columns, table

_FIGURES = (
    *columns("count", "cases", "pairs", "agreed"),
    *columns("number", "percent", "percent_low", "percent_high"),
    *(Column(f"{figure}{end}", "share") for figure in ("kappa", "alpha") for end in ("", "_low", "_high")),
    Column("few"),
)
_NOTE = (
    "Over cases that at least two have judged, rulings left out: percent of the pairs of verdicts that are alike, Cohen's kappa (two "
    "verifiers), Krippendorff's alpha (any number), each with its 95 % interval. few: too few cases for an interval of kappa or alpha."
)


def by_verdict(found: Agreement) -> Table:
    """`agreement`: over all verdicts, then one kind against the rest."""
    rows = [(kind.kind or "all", *_figures(kind)) for kind in found.kinds]
    return table("agreement", "Agreement between verifiers, by verdict", (Column("verdict"), *_FIGURES), rows, _NOTE)


def between(found: Agreement) -> Table:
    """`agreement_between`: each two verifiers."""
    rows = [(one, other, *_figures(kind)) for one, other, kind in found.by_pair]
    return table("agreement_between", "Agreement between each two verifiers", (*columns("text", "verifier", "other"), *_FIGURES), rows)


def with_self(found: Agreement) -> Table:
    """`agreement_self`: each verifier on cases shown again unannounced."""
    rows = [(one.verifier, one.repeats, one.agreed, one.percent) for one in found.with_self]
    head = (Column("verifier"), *columns("count", "repeats", "agreed"), Column("percent", "number"))
    return table("agreement_self", "Agreement of verifiers with themselves, on cases shown again unannounced", head, rows)


def _figures(kind: KindAgreement) -> tuple[Cell, ...]:
    estimates = (value for one in (kind.kappa, kind.alpha) for value in _estimate(one))
    return (
        *(kind.cases, kind.pairs, kind.agreed, kind.percent, kind.percent_low, kind.percent_high),
        *(*estimates, "yes" if kind.few else "no"),
    )


def _estimate(one: Estimate | None) -> tuple[Cell, Cell, Cell]:
    return (None, None, None) if one is None else (one.value, one.low, one.high)
