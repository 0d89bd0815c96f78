"""Scoring of all runs: one function, called with and without decisions (`docs/method.md`; `docs/adjudication.md#reading-back`).

The result carries its evidence: every count of a page is made of pairs, missed and surplus rows that can be looked at,
and says which decisions stand behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import is_
from pathlib import Path
from typing import Any

from scoring.adjudication.decisions import NO_DECISIONS, Decisions, Key
from scoring.foundations.incremental import Steps
from scoring.tables.decisions.application import NOTHING_BOUND, Binding, bind, rebound
from scoring.tables.execution.all_pages import automatic_scores
from scoring.tables.execution.page_score import PageScore, score_page
from scoring.tables.execution.parallel import Engine, local_engine
from scoring.tables.execution.score_cache import cache_folder
from scoring.tables.inputs.material import Material
from scoring.tables.matching.normalized import PreparedMaterial
from scoring.tables.measures.counts import Counts, FieldCounts, total, total_fields

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class CellScore:
    """All runs of one model under one phase, pooled over their successful pages."""

    model: str
    phase: str
    pages: tuple[PageScore, ...]
    runs: int

    @property
    def scored(self) -> tuple[PageScore, ...]:
        return tuple(page for page in self.pages if page.counts is not None)

    def having(self, status: str) -> int:
        """How many pages have this status."""
        return sum(page.status == status for page in self.pages)

    @cached_property
    def counts(self) -> Counts:
        return total(page.counts for page in self.pages if page.counts is not None)

    def fields(self) -> tuple[FieldCounts, ...]:
        """Per value field, in schema order, added up over pages."""
        return tuple(map(total_fields, zip(*(page.fields for page in self.scored), strict=True)))


@dataclass(frozen=True)
class Evaluation:
    """All page scores under given decisions. `pages` is keyed by (run, page) in the order runs and pages are listed.

    `majorities` and `value_majorities` keep what most models read on a page once somebody has asked for it.
    """

    prepared: PreparedMaterial
    decisions: Decisions
    binding: Binding
    pages: Mapping[tuple[str, str], PageScore]
    automatic: Evaluation | None = field(default=None, repr=False)
    majorities: dict[str, dict[int, tuple[str, list[tuple[str, int, float]]]]] = field(default_factory=dict, repr=False, compare=False)
    value_majorities: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def material(self) -> Material:
        return self.prepared.material

    @cached_property
    def cell_fields(self) -> tuple[tuple[FieldCounts, ...], ...]:
        """Per cell, in the order of `cells`, what its value fields scored."""
        return tuple(cell.fields() for cell in self.cells)

    @cached_property
    def cells(self) -> tuple[CellScore, ...]:
        """All cells. Those that no decision touches are the automatic ones, with what is known of them."""
        untouched = {(cell.model, cell.phase): cell for cell in self.automatic.cells} if self.automatic is not None else {}
        by_cell: dict[tuple[str, str], list[PageScore]] = {}
        runs: dict[tuple[str, str], set[str]] = {}
        for (run, _page), score in self.pages.items():
            cell = self.prepared.runs[run].cell
            by_cell.setdefault(cell, []).append(score)
            runs.setdefault(cell, set()).add(run)
        found = []
        for (model, phase), pages in by_cell.items():
            known = untouched.get((model, phase))
            same = known is not None and all(map(is_, known.pages, pages))
            found.append(known if known is not None and same else CellScore(model, phase, tuple(pages), len(runs[model, phase])))
        return tuple(found)

    @property
    def as_scored(self) -> Evaluation:
        """The automatic evaluation beside this one (itself, when no decision was given)."""
        return self.automatic or self

    def of_cell(self, model: str, phase: str) -> CellScore:
        """The cell of one model and phase."""
        return next(cell for cell in self.cells if (cell.model, cell.phase) == (model, phase))


def evaluate(
    material: Material,
    decisions: Decisions = NO_DECISIONS,
    *,
    automatic: Evaluation | None = None,
    progress: Progress | None = None,
    engine: Engine | None = None,
    cache: Path | None = None,
) -> Evaluation:
    """Score every page of every run.

    Args:
        decisions: what the log holds; with `NO_DECISIONS` the result is the automatic one.
        automatic: an evaluation of the same material without decisions; pages no decision touches are taken from it.
        progress: called with pages done and pages in all.
        engine: who scores the pages where they are many (`engines`); else this process does.
        cache: a folder in which page scores are kept for the next time (`kept`), if anywhere.
    """
    if automatic is None:
        prepared = PreparedMaterial(material)
        scores = automatic_scores(prepared, engine, cache, progress)
        automatic = Evaluation(prepared, NO_DECISIONS, bind(prepared, NO_DECISIONS, scores), scores)
        if decisions is NO_DECISIONS:
            return automatic
    prepared = automatic.prepared
    binding = bind(prepared, decisions, automatic.pages)
    pages = dict(automatic.pages)
    touched = [(place, bound) for place in pages if (bound := binding.on(*place)) is not NOTHING_BOUND]
    for done, (place, bound) in enumerate(touched, 1):
        pages[place] = score_page(prepared, *place, bound)
        if progress is not None:
            progress(done, len(touched))
    return Evaluation(prepared, decisions, binding, pages, automatic)


def evaluate_workspace(
    material: Material, decisions: Decisions = NO_DECISIONS, *, progress: Progress | None = None, engine: Engine | None = None
) -> Evaluation:
    """`evaluate` with what the workspace's cache keeps, on all processors of this machine unless an engine is named."""
    return evaluate(material, decisions, progress=progress, engine=engine or local_engine(), cache=cache_folder(material.workspace))


def reevaluation(evaluation: Evaluation, decisions: Decisions, changed: Mapping[str, Collection[Key]]) -> Steps[Evaluation]:
    """The evaluation under changed decisions, in short steps; scores again only what they touch differently.

    Args:
        changed: page -> keys of the standings that changed on it.
    """
    prepared, automatic = evaluation.prepared, evaluation.as_scored
    binding, scores = evaluation.binding, dict(evaluation.pages)
    for page, keys in changed.items():
        binding = rebound(binding, decisions, page, keys)
        for run in evaluation.material.runs:
            place = (run.key, page)
            if place not in scores:
                continue
            bound = binding.on(*place)
            if bound != scores[place].bound:
                scores[place] = automatic.pages[place] if bound is NOTHING_BOUND else score_page(prepared, *place, bound)
            yield
    return Evaluation(prepared, decisions, binding, scores, automatic)
