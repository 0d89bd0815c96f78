"""A campaign evaluated in one pass: the official record and our figures of every run (`docs/campaign.md#two-sets-of-numbers-never-mixed`).

Under decisions or without them it is one function; the decisions replace gold labels, nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scoring.relations.inputs.campaign_settings import FINAL
from scoring.relations.inputs.file_names import CompetitionCell, Mode
from scoring.relations.inputs.gold import AlignedLabels, Reference, align
from scoring.relations.inputs.material import Material, Progress, Submission
from scoring.relations.measures.run_scores import Labels, OurScore, RunScore, our_score, score_run


@dataclass(frozen=True, slots=True)
class ScoredSubmission:
    """One scored submission: the official record and ours."""

    submission: Submission
    reference: Reference
    cell: CompetitionCell
    aligned: AlignedLabels = field(repr=False)
    official: RunScore
    ours: OurScore = field(repr=False)

    @property
    def stem(self) -> str:
        return self.submission.stem

    @property
    def where(self) -> str:
        """The run as cases name it: `TEAM/CELL/RUN`."""
        assert self.submission.name is not None
        return f"{self.submission.name.team}/{self.reference.name.cell}/{self.submission.name.run}"


@dataclass(frozen=True, slots=True)
class Scores:
    """All runs of a campaign under one gold, in name order, and why the others were not scored (by file name)."""

    mode: Mode
    runs: tuple[ScoredSubmission, ...]
    failed: Mapping[str, str]
    gold: Mapping[str, Labels]

    @property
    def records(self) -> list[RunScore]:
        return [run.official for run in self.runs]

    def of_reference(self, stem: str) -> list[ScoredSubmission]:
        """The runs that answer one reference."""
        return [run for run in self.runs if run.reference.stem == stem]


def aligned_runs(material: Material, *, progress: Progress | None = None) -> dict[str, AlignedLabels]:
    """Every scorable submission laid beside its gold, by stem."""
    aligned: dict[str, AlignedLabels] = {}
    for number, submission in enumerate(material.submissions, start=1):
        if progress:
            progress(number, len(material.submissions), submission.path.name)
        reference = material.reference_of(submission)
        if reference is not None and not material.unscorable(submission):
            aligned[submission.stem] = align(reference, [record for _, record in submission.file.records])
    return aligned


def score_campaign(
    material: Material,
    aligned: Mapping[str, AlignedLabels],
    mode: Mode = "TERNARY",
    gold: Mapping[str, Labels] | None = None,
) -> Scores:
    """Score every run; a bad submission is named and the rest is scored (`docs/hipe-behaviour.md#bug-21`).

    Args:
        material: the campaign.
        aligned: the submissions laid beside the gold.
        mode: TERNARY or BINARY.
        gold: labels that replace a reference's own, by reference stem (an adjudicated gold).
    """
    truth = {reference.stem: (gold or {}).get(reference.stem, reference.gold) for reference in material.references.values()}
    runs: list[ScoredSubmission] = []
    failed: dict[str, str] = {}
    for submission in material.submissions:
        why = material.unscorable(submission)
        reference = material.reference_of(submission)
        if why or reference is None or submission.name is None:
            failed[submission.path.name] = why
            continue
        cell, laid = material.cell(reference), aligned[submission.stem]
        labels = truth[reference.stem]
        official = score_run(submission.name, reference, laid, submission.info, cell, mode, labels)
        status = material.settings.status(reference.stem).status
        if status != FINAL:
            official = replace(official, warnings=(*official.warnings, f"The reference {reference.stem} is {status}."))
        runs.append(ScoredSubmission(submission, reference, cell, laid, official, our_score(reference, laid, cell, mode, labels)))
    return Scores(mode, tuple(runs), failed, truth)
