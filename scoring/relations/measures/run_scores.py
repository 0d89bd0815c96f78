"""The scores of one run against one reference: as published, and ours (`docs/hipe-behaviour.md#scores`).

As published: macro recall over the labels that occur in gold or in the predictions of this very file, in
floating point and in the published order of summation. Ours: over the fixed labels of the target that the
gold holds, as exact fractions, so that equal scores are equal.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoring.foundations.problems import InputError
from scoring.relations.inputs.file_names import CompetitionCell, Mode, SubmissionName, labels_of
from scoring.relations.inputs.gold import AlignedLabels, Counts, Reference
from scoring.relations.inputs.info_files import RunInfo

Labels = Mapping[str, Sequence[str]]


def binarised(labels: Sequence[str]) -> list[str]:
    """PROBABLE taken for TRUE (`docs/hipe-behaviour.md#binary-mode`)."""
    return ["TRUE" if label == "PROBABLE" else label for label in labels]


def in_mode(labels: Labels, mode: Mode) -> Labels:
    """Labels as they are compared in a mode: in BINARY `at` has no PROBABLE, `isAt` stays."""
    return labels if mode == "TERNARY" else {**labels, "at": binarised(labels["at"])}


def plain_sum(values: Sequence[float]) -> float:
    """Plain addition from left to right: the built-in `sum` is compensated from Python 3.12 on, the published figures are not."""
    total = 0.0
    for value in values:
        total += value
    return total


@dataclass(frozen=True, slots=True)
class OfficialScores:
    """Accuracy and macro recall of a target as the official scorer takes them; None where there are no pairs."""

    correct: int
    total: int
    accuracy: float | None
    macro_recall: float | None


def published(gold: Sequence[str], predicted: Sequence[str]) -> OfficialScores:
    """The official figures of one target over a flat list of pairs."""
    total = len(gold)
    if not total:
        return OfficialScores(0, 0, None, None)
    cells = Counter(zip(gold, predicted, strict=True))
    support = Counter(gold)
    seen = sorted(support.keys() | set(predicted))
    recalls = [cells[label, label] / support[label] if support[label] else 0.0 for label in seen]
    correct = sum(cells[label, label] for label in seen)
    return OfficialScores(correct, total, correct / total, plain_sum(recalls) / len(recalls))


@dataclass(frozen=True, slots=True)
class RunScore:
    """The official record of a scored run: what `<stem>.json` holds (`docs/hipe-behaviour.md#run-json`)."""

    submission: str
    reference: str
    team: str
    run: str
    dataset: str
    split: str
    language: str
    profile: str
    targets: tuple[str, ...]
    mode: str
    scores: Mapping[str, float | None]
    counts: Mapping[str, int]
    efficiency: Mapping[str, Any]
    warnings: tuple[str, ...] = ()

    @property
    def info_missing(self) -> bool:
        return bool(self.efficiency.get("info_missing"))

    @property
    def opt_out(self) -> bool:
        return bool(self.efficiency.get("team_efficiency_opt_out"))

    def as_json(self) -> dict[str, Any]:
        """The record as the official pipeline writes it."""
        return {
            "at_label_mode": self.mode,
            "counts": dict(self.counts),
            "dataset": self.dataset,
            "efficiency_metadata": dict(self.efficiency),
            "language": self.language,
            "profile": self.profile,
            "reference": self.reference,
            "run": self.run,
            "scores": dict(self.scores),
            "split": self.split,
            "submission": self.submission,
            "targets": list(self.targets),
            "team": self.team,
            "warnings": list(self.warnings),
        }

    @classmethod
    def from_json(cls, value: Any, where: object) -> RunScore:
        """A record read back.

        Raises:
            InputError: something the record must hold is not there.
        """
        try:
            return cls(
                submission=str(value["submission"]),
                reference=str(value["reference"]),
                team=str(value["team"]),
                run=str(value["run"]),
                dataset=str(value["dataset"]),
                split=str(value["split"]),
                language=str(value["language"]),
                profile=str(value.get("profile", "")),
                targets=tuple(value.get("targets", ())),
                mode=str(value.get("at_label_mode", "TERNARY")),
                scores=dict(value["scores"]),
                counts=dict(value.get("counts", {})),
                efficiency=dict(value.get("efficiency_metadata", {})),
                warnings=tuple(value.get("warnings", ())),
            )
        except (KeyError, TypeError, AttributeError, ValueError) as fault:
            raise InputError(f"not a record of a scored run ({fault!r} is not there)", where=where) from fault


def score_run(
    name: SubmissionName,
    reference: Reference,
    aligned: AlignedLabels,
    info: RunInfo,
    cell: CompetitionCell,
    mode: Mode,
    gold: Labels | None = None,
) -> RunScore:
    """Score one run the official way. `gold` replaces the reference's labels (an adjudicated gold), position by position."""
    truth, said = in_mode(gold or reference.gold, mode), in_mode(aligned.official_labels, mode)
    scores: dict[str, float | None] = {}
    counts: dict[str, int] = {}
    recalls = []
    for target in cell.targets:
        figures = published([truth[target][index] for index in reference.official], [said[target][index] for index in reference.official])
        counts[f"{target}_correct"], counts[f"{target}_total"] = figures.correct, figures.total
        scores[f"{target}_accuracy"], scores[f"{target}_macro_recall"] = figures.accuracy, figures.macro_recall
        if figures.macro_recall is not None:
            recalls.append(figures.macro_recall)
    scores["global_score"] = plain_sum(recalls) / len(recalls) if recalls else None
    efficiency = {
        "hipe_model_size": info.hipe_model_size,
        "hipe_parameter_count": info.hipe_parameter_count,
        "info_file": name.info_file,
        "info_missing": info.missing,
        "team_efficiency_opt_out": info.opt_out,
        "team_model_size": info.team_model_size,
        "team_parameter_count": info.team_parameter_count,
    }
    missing = (f"Missing info file: {name.info_file}",) if info.missing else ()
    return RunScore(
        name.file,
        name.reference_file,
        name.team,
        name.run,
        reference.name.dataset,
        reference.name.split,
        reference.name.language,
        cell.profile,
        tuple(cell.targets),
        mode,
        scores,
        counts,
        efficiency,
        missing,
    )


# Ours


@dataclass(frozen=True, slots=True)
class Confusion:
    """How gold labels were answered: `cells[gold][predicted]` in the order of `labels`."""

    labels: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]

    @property
    def total(self) -> int:
        return sum(map(sum, self.cells))

    @property
    def correct(self) -> int:
        return sum(self.cells[index][index] for index in range(len(self.labels)))

    def support(self, index: int) -> int:
        """Gold pairs with a label."""
        return sum(self.cells[index])

    def predicted(self, index: int) -> int:
        """Pairs answered with a label."""
        return sum(row[index] for row in self.cells)

    def recall(self, index: int) -> Fraction | None:
        """Recall of a label; None where the gold does not hold it."""
        support = self.support(index)
        return Fraction(self.cells[index][index], support) if support else None

    def precision(self, index: int) -> Fraction | None:
        """Precision of a label; None where it was never answered."""
        predicted = self.predicted(index)
        return Fraction(self.cells[index][index], predicted) if predicted else None

    def f1(self, index: int) -> Fraction | None:
        """F1 of a label from exact counts, rounded by nobody; None where gold and answers both lack it.

        See `docs/hipe-behaviour.md#bug-16`.
        """
        both = self.support(index) + self.predicted(index)
        return Fraction(2 * self.cells[index][index], both) if both else None

    @property
    def macro_recall(self) -> Fraction | None:
        """Mean recall over the labels the gold holds, of a set fixed by the target, whatever was answered.

        See `docs/hipe-behaviour.md#bug-7`.
        """
        recalls = [recall for recall in map(self.recall, range(len(self.labels))) if recall is not None]
        return sum(recalls, Fraction()) / len(recalls) if recalls else None

    @property
    def accuracy(self) -> Fraction | None:
        return Fraction(self.correct, self.total) if self.total else None


def confusion(gold: Sequence[str], predicted: Sequence[str], labels: tuple[str, ...]) -> Confusion:
    """Count answers by gold label."""
    cells = Counter(zip(gold, predicted, strict=True))
    return Confusion(labels, tuple(tuple(cells[truth, said] for said in labels) for truth in labels))


@dataclass(frozen=True, slots=True)
class OurScore:
    """Our figures of a run: exact, over fixed labels; and what was supplied for it.

    `by_document` holds, for each document and target, the right answers and the support of each label, in the order
    of the label list: what a resample over documents needs.
    """

    confusions: Mapping[str, Confusion]
    score: Fraction | None
    counts: Counts
    by_document: Mapping[str, tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]] = field(repr=False, default_factory=dict)


def our_score(reference: Reference, aligned: AlignedLabels, cell: CompetitionCell, mode: Mode, gold: Labels | None = None) -> OurScore:
    """Score one run our way; the same function for the gold as it is and as adjudicated."""
    truth, said = in_mode(gold or reference.gold, mode), in_mode(aligned.labels, mode)
    confusions: dict[str, Confusion] = {}
    by_document: dict[str, tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]] = {}
    for target in cell.targets:
        labels = labels_of(target, mode if target == "at" else "TERNARY")
        right = {position: [0] * len(labels) for position in range(len(reference.documents))}
        support = {position: [0] * len(labels) for position in range(len(reference.documents))}
        place = {label: index for index, label in enumerate(labels)}
        gold_labels, answers = truth[target], said[target]
        for index in reference.counted:
            label, position = gold_labels[index], reference.pairs[index].document
            support[position][place[label]] += 1
            right[position][place[label]] += answers[index] == label
        by_document[target] = tuple((tuple(right[position]), tuple(support[position])) for position in right)
        confusions[target] = confusion(
            [gold_labels[index] for index in reference.counted], [answers[index] for index in reference.counted], labels
        )
    recalls = [recall for recall in (entry.macro_recall for entry in confusions.values()) if recall is not None]
    score = sum(recalls, Fraction()) / len(recalls) if recalls else None
    return OurScore(confusions, score, aligned.counts, by_document)


def exact_mean(values: Sequence[float]) -> float:
    """A mean whose sum is rounded once: what every published overall score agrees with, on any version of Python."""
    return math.fsum(values) / len(values)
