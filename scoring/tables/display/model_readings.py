"""Every model's reading of one GT row, stacked under it (`docs/review.md`)."""

from __future__ import annotations

from collections import Counter

from scoring.adjudication.cases import Line, Stack
from scoring.tables.cases.majority import agreed_on
from scoring.tables.cases.occurrence_view import OccurrenceView

READINGS = 12
MAJORITY = "★"


def stacked_readings(sight: OccurrenceView) -> Stack | None:
    """The readings of the GT row shown, with how many runs give each; `None` where no GT row is shown. Looks at every run of the page.

    Marked is what most models agree on, as the queue `against the key` counts it: a majority of models, not of runs. Without one
    nothing is marked.
    """
    gt = sight.shown_gt
    if gt is None:
        return None
    prepared, pages, page = sight.prepared, sight.evaluation.pages, sight.key.page
    agreed = agreed_on(sight.evaluation.as_scored, page, gt)
    seen: dict[str, Counter[str]] = {}
    unread: Counter[str] = Counter()
    for run, model in prepared.models:
        score = pages[run, page]
        if score.counts is None:
            continue
        text = score.read[gt]
        if text is None:
            unread[model] += 1
        else:
            seen.setdefault(model, Counter())[text] += 1
    marked = _read_as(sight, gt, agreed.form) if agreed is not None else frozenset()
    lines = []
    for model in dict.fromkeys(model for _, model in prepared.models):
        ranked = sorted(seen.get(model, {}).items(), key=lambda item: (-item[1], item[0]))
        lines += [Line((model, text, str(times)), MAJORITY if text in marked else "") for text, times in ranked[:READINGS]]
        if ranked[READINGS:]:
            lines.append(Line((model, "", f"{len(ranked) - READINGS} more readings"), ""))
        if unread[model]:
            lines.append(Line((model, "", f"not found in {unread[model]}"), ""))
    told = f", {MAJORITY} where {agreed.models} of {agreed.asked} models agree" if agreed is not None else ""
    return Stack(f"All readings of this GT row{told}", sight.gt.texts[gt], tuple(lines))


def _read_as(sight: OccurrenceView, gt: int, form: str) -> frozenset[str]:
    """The texts that were read as this normal form when they were paired with the GT row."""
    found: set[str] = set()
    for run, _ in sight.prepared.models:
        score = sight.evaluation.pages[run, sight.key.page]
        text = score.read[gt] if score.counts is not None else None
        if text is None or text in found:
            continue
        pair = next((pair for pair in score.pairs if pair.gt == gt and pair.matched), None)
        if pair is not None and pair.similarity.reading.text == form:
            found.add(text)
    return frozenset(found)
