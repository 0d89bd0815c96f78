"""What the names of a campaign's files say, and what is evaluated on a reference (`docs/hipe-behaviour.md#file-names`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Mode = Literal["TERNARY", "BINARY"]

AT, IS_AT = "at", "isAt"
TARGETS = (AT, IS_AT)
ORGANISERS = ("random", "baseline")
SCORED_LABELS = {"at": ("FALSE", "PROBABLE", "TRUE"), "isAt": ("FALSE", "TRUE")}

_SUBMISSION = re.compile(r"(team[0-9]+|random|baseline)_(.+)_(run[123])\.jsonl")
_INFO = re.compile(r"(team[0-9]+|random|baseline)_(.+)_(run[123])-info\.json")
_REFERENCE = re.compile(r"HIPE-2026-(.+)-([^-]+)-([^-]+)-([^-]+)\.jsonl")


def labels_of(target: str, mode: Mode = "TERNARY") -> tuple[str, ...]:
    """The labels a target may have, in text order. In BINARY mode `at` has two (`docs/hipe-behaviour.md#binary-mode`)."""
    return ("FALSE", "TRUE") if mode == "BINARY" else SCORED_LABELS[target]


@dataclass(frozen=True, slots=True)
class SubmissionName:
    """`<team>_<reference stem>_<run>.jsonl`, taken apart."""

    team: str
    reference_stem: str
    run: str

    @property
    def file(self) -> str:
        return f"{self.stem}.jsonl"

    @property
    def stem(self) -> str:
        return f"{self.team}_{self.reference_stem}_{self.run}"

    @property
    def reference_file(self) -> str:
        return f"{self.reference_stem}.jsonl"

    @property
    def info_file(self) -> str:
        return f"{self.stem}-info.json"


@dataclass(frozen=True, slots=True)
class ReferenceName:
    """`HIPE-2026-<version>-<dataset>-<split>-<language>.jsonl`, taken apart."""

    version: str
    dataset: str
    split: str
    language: str

    @property
    def cell(self) -> str:
        return f"{self.dataset}-{self.split}-{self.language}"


def parse_submission(file: str) -> SubmissionName | None:
    """The parts of a submission's file name; None where it follows none of the patterns."""
    found = _SUBMISSION.fullmatch(file)
    return SubmissionName(*found.groups()) if found else None


def answers(submission: str, reference_stem: str) -> bool:
    """Whether a submission, by its file name or stem, answers a reference."""
    name = parse_submission(f"{submission.removesuffix('.jsonl')}.jsonl")
    return name is not None and name.reference_stem == reference_stem


def parse_info(file: str) -> SubmissionName | None:
    """The submission an information file belongs to, by its name."""
    found = _INFO.fullmatch(file)
    return SubmissionName(*found.groups()) if found else None


def parse_reference(file: str) -> ReferenceName | None:
    """The parts of a reference's file name; None where it does not follow the pattern."""
    found = _REFERENCE.fullmatch(file)
    return ReferenceName(*found.groups()) if found else None


def bad_submission_name(file: str) -> str:
    """The official sentence for a file name that follows no pattern."""
    patterns = ", ".join(f"{team}_<reference-stem>_runX.jsonl" for team in ("teamN", "random"))
    return f"Invalid submission filename '{file}'. Expected {patterns}, or baseline_<reference-stem>_runX.jsonl with X in 1..3."


@dataclass(frozen=True, slots=True)
class CompetitionCell:
    """One evaluated cell of the competition: dataset, split and language, its profile and its targets."""

    dataset: str
    split: str
    language: str
    profile: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Competition:
    """`competition_config.json`: the cells. Only dataset, split, language, profile and targets are ever used."""

    cells: Mapping[tuple[str, str, str], CompetitionCell] = field(default_factory=dict)

    def cell(self, name: ReferenceName) -> CompetitionCell:
        """What is evaluated on a reference; outside the configuration impresso has both targets, anything else `at` alone."""
        key = (name.dataset, name.split, name.language)
        if key in self.cells:
            return self.cells[key]
        if name.dataset == "impresso":
            return CompetitionCell(*key, "accuracy", TARGETS)
        return CompetitionCell(*key, "generalization", (AT,))

    def languages(self, dataset: str, split: str) -> tuple[str, ...]:
        """The languages configured for a dataset and split, sorted."""
        return tuple(sorted(cell.language for cell in self.cells.values() if (cell.dataset, cell.split) == (dataset, split)))


def diagnostics_targets(dataset: str) -> Sequence[str]:
    """The official diagnostics' own rule: surprise has `at`, every other dataset both (`docs/hipe-behaviour.md#bug-15`)."""
    return (AT,) if dataset == "surprise" else TARGETS
