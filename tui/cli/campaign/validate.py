"""`adjudicate campaign validate`: every violation, and what is legal but doubtful."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from scoring.foundations.problems import InputError, Problem, Severity
from tui.cli.campaign.options import Campaign, as_json, campaign_of, campaign_options, finish, loaded, out, print_problems, say


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--only", type=click.Choice(["reference", "submissions", "info"]), help="Check these files alone.")
@click.option("--official", is_flag=True, help="Print what the official validators print, and nothing else.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How problems are printed.")
@campaign_options
@click.pass_context
def validate(ctx: click.Context, /, paths: tuple[Path, ...], only: str | None, official: bool, form: str, **options: Any) -> None:
    """Check references, submissions and information files; or the files and folders named by PATHS.

    Every violation is named with file, line, document, pair and value. Warnings (repeated or error-like explanations, near-constant
    labels, missing pairs, sizes that cannot be) do not fail the check. Exit code 1 when there is an error.

    Example: adjudicate -C my-campaign campaign validate --only submissions
    """
    if paths:
        _validate_paths(paths, official, form)
        return
    campaign = campaign_of(ctx, options)
    if official:
        _official(campaign, only)
        return
    problems = list(_problems(campaign, only))
    if form == "json":
        as_json([_plain(problem) for problem in problems])
    else:
        print_problems(problems)
        errors = sum(problem.severity == Severity.ERROR for problem in problems)
        warnings = sum(problem.severity == Severity.WARNING for problem in problems)
        out(f"{errors} errors, {warnings} warnings")
    finish(any(problem.severity == Severity.ERROR for problem in problems))


def _plain(problem: Problem) -> dict[str, object]:
    return {"severity": str(problem.severity), "where": problem.where, "line": problem.line, "message": problem.message}


def _problems(campaign: Campaign, only: str | None) -> Iterator[Problem]:
    from scoring.relations.inputs.doubtful_submissions import campaign_doubts, doubts_of_gold
    from scoring.relations.inputs.validation import file_problems, info_problems, stray_info_problems, submission_problems
    from scoring.relations.measures.evaluation import aligned_runs

    material = loaded(campaign)
    yield from material.problems
    if only in (None, "reference"):
        for reference in material.references.values():
            yield from file_problems(reference.file)
        yield from doubts_of_gold(material)
    if only in (None, "submissions"):
        for submission in material.submissions:
            yield from submission_problems(material, submission)
        yield from campaign_doubts(material, aligned_runs(material))
    if only == "info":
        for submission in material.submissions:
            yield from info_problems(submission)
    if only in (None, "info"):
        yield from stray_info_problems(material)


def _official(campaign: Campaign, only: str | None) -> None:
    from scoring.relations.inputs.validation import ValidationOutput, official_files, official_infos

    material = loaded(campaign)
    printed: list[ValidationOutput] = []
    if only in (None, "reference"):
        printed.append(official_files([reference.file for reference in material.references.values()]))
    if only in (None, "submissions"):
        printed.append(official_files([submission.file for submission in material.submissions]))
    if only in (None, "info"):
        printed.append(official_infos(material))
    for one in printed:
        for line in one.out:
            out(line)
        for line in one.err:
            say(line)
    finish(any(one.failed for one in printed))


def _validate_paths(paths: tuple[Path, ...], official: bool, form: str) -> None:
    """Files and folders under any names, outside any campaign."""
    from scoring.relations.inputs.documents import read_documents
    from scoring.relations.inputs.material import jsonl_files
    from scoring.relations.inputs.validation import file_problems, official_files

    chosen: list[Path] = []
    for path in paths:
        if not path.exists():
            raise InputError("there is no such file or folder", where=path)
        chosen += jsonl_files(path) if path.is_dir() else [path]
    files = [read_documents(path) for path in chosen]
    if official:
        printed = official_files(files)
        for line in printed.out:
            out(line)
        finish(printed.failed)
        return
    problems = [problem for file in files for problem in file_problems(file)]
    if form == "json":
        as_json([_plain(problem) for problem in problems])
    else:
        print_problems(problems)
        out(f"{len(files)} files, {len(problems)} errors")
    finish(bool(problems))
