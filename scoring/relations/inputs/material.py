"""A campaign folder, read once: references, submissions, information files, teams, configuration (`docs/campaign.md#a-campaign-folder`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scoring.foundations.problems import InputError, Problem, Severity
from scoring.relations.inputs.campaign_settings import CampaignSettings, read_campaign_settings
from scoring.relations.inputs.documents import DocumentFile, read_documents
from scoring.relations.inputs.file_names import (
    TARGETS,
    Competition,
    CompetitionCell,
    SubmissionName,
    bad_submission_name,
    parse_reference,
    parse_submission,
)
from scoring.relations.inputs.gold import Reference, build_reference
from scoring.relations.inputs.info_files import RunInfo, read_info

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class CampaignPaths:
    """Where the files of a campaign lie; what is written as given on the command line is kept for the texts that name it."""

    folder: Path
    reference: Path
    submissions: Path
    results: Path
    per_run: Path
    rankings: Path
    diagnostics: Path
    gt_validation: Path
    ensemble: Path
    results_md: Path
    config: Path | None
    teams: Path | None
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def ours(self) -> Path:
        """Our own outputs, beside the official ones and never mixed with them."""
        return self.results / "ours"


def places(folder: Path, binary: bool = False, **given: str | None) -> CampaignPaths:
    """The places of a campaign: the official defaults below `folder`, each replaceable by a keyword of the same name."""
    results = given.get("results") or ("results-binary.d" if binary else "results.d")
    defaults = {
        "reference": "data/reference",
        "submissions": "data/systems",
        "results": results,
        "per_run": f"{results}/per-run",
        "rankings": f"{results}/system-rankings",
        "diagnostics": f"{results}/diagnostics",
        "gt_validation": f"{results}/gt-validation",
        "ensemble": f"{results}/ensemble",
        "results_md": "HIPE_2026_evaluation_results-binary.md" if binary else "HIPE_2026_evaluation_results.md",
    }
    labels = {name: given.get(name) or default for name, default in defaults.items()}
    found = {name: folder / label for name, label in labels.items()}
    return CampaignPaths(
        folder=folder,
        config=_looked_up(folder, given.get("config"), "competition_config.json"),
        teams=_looked_up(folder, given.get("teams"), "teams.json"),
        labels=labels,
        **found,
    )


def _looked_up(folder: Path, given: str | None, name: str) -> Path | None:
    """A file named, else found at the folder's root, then in `lib/` and `data/`."""
    if given:
        path = folder / given
        if not path.exists():
            raise InputError("there is no such file", where=path)
        return path
    return next((path for path in (folder / name, folder / "lib" / name, folder / "data" / name) if path.exists()), None)


@dataclass(frozen=True, slots=True)
class Submission:
    """One file of `data/systems/`: its name taken apart (None where it follows no pattern), its documents, its information file."""

    path: Path
    name: SubmissionName | None
    file: DocumentFile
    info: RunInfo

    @property
    def stem(self) -> str:
        return self.path.name.removesuffix(".jsonl")


@dataclass(frozen=True, slots=True)
class Material:
    """A campaign read: all that scores are made from. `references` by file name, `submissions` in name order."""

    places: CampaignPaths
    settings: CampaignSettings
    competition: Competition
    teams: Mapping[str, Any]
    references: Mapping[str, Reference]
    submissions: tuple[Submission, ...]
    stray_infos: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    def cell(self, reference: Reference) -> CompetitionCell:
        """What is evaluated on a reference."""
        return self.competition.cell(reference.name)

    def reference_of(self, submission: Submission) -> Reference | None:
        """The reference a submission answers, where both its name and that file are there."""
        return self.references.get(submission.name.reference_file) if submission.name else None

    def unscorable(self, submission: Submission) -> str:
        """Why the official scorer would not score a submission, in its words; empty when it would."""
        if submission.name is None:
            return bad_submission_name(submission.path.name)
        reference = self.reference_of(submission)
        if reference is None:
            path = self.places.reference / submission.name.reference_file
            return f"Reference file not found: {path}"
        wrong_gold, wrong = len(reference.file.faults), len(submission.file.faults)
        unreadable = submission.file.unreadable or reference.file.unreadable
        if unreadable:
            return f"{unreadable[:1].upper()}{unreadable[1:]}."
        if wrong_gold or wrong:
            return f"JSON Schema validation failed. Reference errors: {wrong_gold}; submission errors: {wrong}."
        return submission.info.error

    def labelled(self, place: str) -> str:
        """A place as it was written on the command line."""
        return self.places.labels[place]


def jsonl_files(folder: Path) -> list[Path]:
    """The `*.jsonl` files of a folder in name order, never of its sub-folders; none where the folder does not exist."""
    return sorted((path for path in folder.glob("*.jsonl") if path.is_file()), key=lambda path: path.name) if folder.is_dir() else []


def settings_of(where: CampaignPaths) -> CampaignSettings:
    """What `campaign.toml` says, at the folder's root, in `lib/` or in `data/`."""
    return read_campaign_settings(_looked_up(where.folder, None, "campaign.toml") or where.folder / "campaign.toml")


def load_campaign(where: CampaignPaths, *, progress: Progress | None = None) -> Material:
    """Read a campaign folder, every file once.

    Raises:
        InputError: the folder does not exist, or its configuration, team list or `campaign.toml` is not readable.
    """
    if not where.folder.is_dir():
        raise InputError("there is no such folder", where=where.folder)
    settings = settings_of(where)
    problems: list[Problem] = []
    references: dict[str, Reference] = {}
    for path in jsonl_files(where.reference):
        name = parse_reference(path.name)
        if name is None:
            problems.append(
                Problem(
                    Severity.WARNING,
                    "not named HIPE-2026-<version>-<dataset>-<split>-<language>.jsonl, so it is not used as a reference",
                    str(path),
                )
            )
            continue
        references[path.name] = build_reference(name, read_documents(path, accept_bom=settings.accept_bom))
    submissions = []
    paths = jsonl_files(where.submissions)
    for number, path in enumerate(paths, start=1):
        if progress:
            progress(number, len(paths), path.name)
        info = read_info(path.with_name(path.name.removesuffix(".jsonl") + "-info.json"))
        submissions.append(Submission(path, parse_submission(path.name), read_documents(path, accept_bom=settings.accept_bom), info))
    infos = sorted(path.name for path in where.submissions.glob("*-info.json")) if where.submissions.is_dir() else []
    return Material(
        where,
        settings,
        read_competition(where.config),
        read_teams(where.teams),
        references,
        tuple(submissions),
        tuple(infos),
        tuple(problems),
    )


def read_competition(path: Path | None) -> Competition:
    """The cells of a competition; an absent file means none are configured."""
    if path is None:
        return Competition()
    value = _json_object(path)
    cells: dict[tuple[str, str, str], CompetitionCell] = {}
    listed = value.get("cells", [])
    if not isinstance(listed, list):
        raise InputError("`cells` must be a list", where=path)
    for entry in listed:
        try:
            key = (str(entry["dataset"]), str(entry["split"]), str(entry["language"]))
            targets = tuple(str(target) for target in entry["targets"])
            cells[key] = CompetitionCell(*key, str(entry["profile"]), targets)
        except (KeyError, TypeError) as fault:
            raise InputError("a cell lacks dataset, split, language, profile or targets", where=path) from fault
        unknown = [target for target in targets if target not in TARGETS]
        if unknown or not targets:
            what = f"`{unknown[0]}` is no relation" if unknown else "a cell has no targets"
            raise InputError(what, where=path, hint=f"relations are {', '.join(TARGETS)}")
    return Competition(cells)


def read_teams(path: Path | None) -> Mapping[str, Any]:
    """Who the teams are, by id; an absent file means nobody is known."""
    return {} if path is None else _json_object(path)


def _json_object(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, OSError) as fault:
        raise InputError(f"not readable JSON ({fault})", where=path) from fault
    if not isinstance(value, dict):
        raise InputError("must hold a JSON object", where=path)
    return value
