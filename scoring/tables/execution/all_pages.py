"""The automatic scores of all pages: taken from those kept, given to an engine where many are left, the rest scored here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Final

from scoring.foundations.problems import InputError
from scoring.tables.execution.page_score import PageScore, score_page
from scoring.tables.execution.parallel import Engine, slices
from scoring.tables.execution.score_cache import ScoreCache
from scoring.tables.execution.serialization import Chunk, Digest, digest_of, packed, read_chunk, unpacked
from scoring.tables.matching.normalized import PreparedMaterial
from scoring.workspace.provenance import engine_fingerprint

Progress = Callable[[int, int], None]
Place = tuple[str, str]

# For fewer pages than these neither other processes nor a file on disk are worth their while.
MANY: Final = 400


def automatic_scores(
    prepared: PreparedMaterial, engine: Engine | None = None, cache: Path | None = None, progress: Progress | None = None
) -> dict[Place, PageScore]:
    """The scores without decisions, by (run, page) in the order runs and pages are listed. Who works them out changes none.

    Raises:
        InputError: the engine's workers score by another version of this program.
    """
    scoring = _Scoring(prepared, progress)
    material = prepared.material
    kept = ScoreCache(cache, material) if cache is not None and len(scoring.places) >= MANY else None
    chunks: dict[str, list[Chunk]] = {page.id: list(kept.of_page(page)) if kept else [] for page in material.pages}
    for page, found in chunks.items():
        for chunk in found:
            scoring.take(page, chunk)
    missing = scoring.missing()
    fresh: set[str] = set()
    if engine is not None and sum(map(len, missing.values())) >= MANY:
        work = slices(material, missing)
        for number, content in engine(work):
            chunk, page = read_chunk(content), work[number].pages[0].id
            if chunk.engine != engine_fingerprint():
                hint = "install the same version there as here"
                raise InputError(
                    f"the workers have another version of the program ({chunk.engine}; here {engine_fingerprint()})", hint=hint
                )
            scoring.take(page, chunk)
            chunks[page].append(chunk)
            fresh.add(page)
    for page, runs in scoring.missing().items():
        scores = scoring.score(page, runs)
        if kept and len(scores) >= MANY // max(1, len(material.pages)):
            chunks[page].append(packed(prepared, page, scores))
            fresh.add(page)
    if kept:
        for gt_page in material.pages:
            if gt_page.id in fresh:
                kept.keep(gt_page, chunks[gt_page.id], scoring.runs[gt_page.id])
    return scoring.in_order()


class _Scoring:
    """What is scored so far, of all there is."""

    def __init__(self, prepared: PreparedMaterial, progress: Progress | None) -> None:
        material = prepared.material
        self._prepared, self._progress = prepared, progress
        self.places = [(run.key, page.id) for run in material.runs for page in material.pages]
        self._scores: dict[Place, PageScore] = {}

    @cached_property
    def runs(self) -> dict[str, dict[Digest, list[str]]]:
        """Page -> digest of what a run has for it -> those runs."""
        material = self._prepared.material
        found: dict[str, dict[Digest, list[str]]] = {page.id: {} for page in material.pages}
        for run in material.runs:
            for page, of_digest in found.items():
                of_digest.setdefault(digest_of(run.pages[page]), []).append(run.key)
        return found

    def take(self, page: str, chunk: Chunk) -> None:
        """Take the scores of a chunk, for every run that has such a page."""
        self._add(unpacked(self._prepared, page, chunk, self.runs[page]))

    def score(self, page: str, runs: Iterable[str]) -> list[PageScore]:
        """Score the page of these runs here."""
        found = []
        for run in runs:
            score = score_page(self._prepared, run, page)
            found.append(score)
            self._add((score,))
        return found

    def missing(self) -> dict[str, list[str]]:
        """Page -> the runs whose score of it is missing."""
        found: dict[str, list[str]] = {}
        for run, page in self.places:
            if (run, page) not in self._scores:
                found.setdefault(page, []).append(run)
        return found

    def in_order(self) -> dict[Place, PageScore]:
        """All of them, as they are listed."""
        return {place: self._scores[place] for place in self.places}

    def _add(self, scores: Iterable[PageScore]) -> None:
        for score in scores:
            self._scores[score.run, score.page] = score
            if self._progress is not None:
                self._progress(len(self._scores), len(self.places))
