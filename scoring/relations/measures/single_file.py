"""One file of any name scored against one gold of any name: the participant's question (`docs/campaign.md#commands`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.foundations.problems import InputError
from scoring.relations.inputs.campaign_settings import CampaignSettings
from scoring.relations.inputs.documents import DocumentFile, read_documents
from scoring.relations.inputs.doubtful_submissions import file_doubts
from scoring.relations.inputs.file_names import TARGETS, CompetitionCell, Mode, ReferenceName, SubmissionName, parse_reference
from scoring.relations.inputs.gold import Reference, align, build_reference
from scoring.relations.inputs.info_files import RunInfo
from scoring.relations.inputs.material import CampaignPaths, Material, load_campaign, read_competition
from scoring.relations.measures.bootstrap import Resamples, interval
from scoring.relations.measures.evaluation import aligned_runs, score_campaign
from scoring.relations.measures.extended_rankings import competition_ranks
from scoring.relations.measures.run_scores import Confusion, our_score, score_run


@dataclass(frozen=True, slots=True)
class SingleScore:
    """The official figures of one file, ours, what is doubtful in it, and the rank it would have where a campaign is at hand."""

    file: str
    gold: str
    pairs: int
    targets: tuple[str, ...]
    official: Mapping[str, float | None]
    counts: Mapping[str, int]
    confusions: Mapping[str, Confusion]
    low: float | None
    high: float | None
    doubts: tuple[tuple[str, str], ...]
    cell: str = ""
    rank: int | None = None
    of: int | None = None

    def problems_of_content(self) -> list[str]:
        """The doubts as sentences."""
        return [f"{kind}: {sentence}" for kind, sentence in self.doubts]

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "file": self.file,
            "gold": self.gold,
            "pairs": self.pairs,
            "targets": list(self.targets),
            "scores": dict(self.official),
            "counts": dict(self.counts),
            "interval_95": None if self.low is None else [self.low, self.high],
            "confusion": {
                target: {"labels": list(figures.labels), "matrix": [list(row) for row in figures.cells]}
                for target, figures in self.confusions.items()
            },
            "doubts": self.problems_of_content(),
            "rank": self.rank,
            "of": self.of,
        }


def sound(path: Path, accept_bom: bool = False) -> DocumentFile:
    """A JSONL file without violations.

    Raises:
        InputError: it cannot be read, or has violations; the first is named.
    """
    file = read_documents(path, accept_bom=accept_bom)
    if file.unreadable:
        raise InputError(file.unreadable, where=path)
    if file.faults:
        total = sum(len(fault.violations) for fault in file.faults)
        first = file.faults[0]
        hint = f"`adjudicate campaign validate {path}` lists all {total}" if total > 1 else ""
        raise InputError(str(first.violations[0]), where=path, line=first.line, hint=hint)
    return file


def score_single(where: CampaignPaths, file: Path, gold: Path, mode: Mode, targets: tuple[str, ...] | None = None) -> SingleScore:
    """Score one file against one gold, exactly as the campaign would.

    Args:
        where: a campaign's places, for its configuration and for the rank; it need not exist.
        file: the file to score.
        gold: the gold.
        mode: TERNARY or BINARY.
        targets: the relations evaluated; by default those of the gold's cell, both where its name says no cell.

    Raises:
        InputError: a file with violations, or an unknown relation.
    """
    for target in targets or ():
        if target not in TARGETS:
            raise InputError(f"`{target}` is no relation", hint=f"relations are {', '.join(TARGETS)}")
    named = parse_reference(gold.name)
    reference = build_reference(named or ReferenceName("", gold.stem, "", ""), sound(gold))
    cell = read_competition(where.config).cell(named) if named else CompetitionCell(gold.stem, "", "", "", TARGETS)
    if targets:
        cell = CompetitionCell(cell.dataset, cell.split, cell.language, cell.profile, targets)
    laid = align(reference, [record for _, record in sound(file).records])
    name = SubmissionName("", reference.stem, "")
    record = score_run(name, reference, laid, RunInfo(), cell, mode)
    ours = our_score(reference, laid, cell, mode)
    settings = CampaignSettings()
    draws = Resamples({reference.stem: len(reference.documents)}, settings.resamples, settings.seed).scores(reference.stem, ours)
    sure = None if draws is None else interval(draws)
    rank, of, cell_name = _rank(where, reference, record.scores["global_score"], mode) if not targets else (None, None, "")
    return SingleScore(
        str(file),
        str(gold),
        len(reference.official),
        cell.targets,
        record.scores,
        record.counts,
        ours.confusions,
        sure.low if sure else None,
        sure.high if sure else None,
        tuple(file_doubts(reference, laid, cell)),
        cell_name,
        rank,
        of,
    )


def _rank(where: CampaignPaths, gold: Reference, score: float | None, mode: Mode) -> tuple[int | None, int | None, str]:
    """The competition rank a score would have among the campaign's runs on the same pairs; none where there are no such runs."""
    if score is None or not where.reference.is_dir() or not where.submissions.is_dir():
        return None, None, ""
    material = load_campaign(where)
    same = _same_gold(material, gold)
    if same is None:
        return None, None, ""
    scores = [
        value
        for run in score_campaign(material, aligned_runs(material), mode).of_reference(same.stem)
        if (value := run.official.scores["global_score"]) is not None
    ]
    if not scores:
        return None, None, ""
    return competition_ranks([score, *scores])[0], len(scores) + 1, same.name.cell


def _same_gold(material: Material, gold: Reference) -> Reference | None:
    keys = set(gold.by_key)
    return next((reference for reference in material.references.values() if set(reference.by_key) == keys), None)
