"""Validation: every violation, and what the official validators print of it.

See `docs/hipe-behaviour.md#documents-and-validation`, `docs/hipe-behaviour.md#info-files`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.foundations.problems import Problem, Severity
from scoring.relations.inputs.documents import DocumentFile
from scoring.relations.inputs.file_names import bad_submission_name, parse_info
from scoring.relations.inputs.material import Material, Submission


@dataclass(frozen=True, slots=True)
class ValidationOutput:
    """Lines for standard output and standard error, and whether the check failed."""

    out: tuple[str, ...]
    err: tuple[str, ...] = ()
    failed: bool = False


# Ours


def file_problems(file: DocumentFile) -> Iterator[Problem]:
    """Every violation of a JSONL file, with line, document, pair and value.

    See `docs/hipe-behaviour.md#bug-1`, `docs/hipe-behaviour.md#bug-2`.
    """
    where = str(file.path)
    if file.unreadable:
        yield Problem(Severity.ERROR, file.unreadable, where)
    for fault in file.faults:
        hint = " (set `accept_bom = true` in campaign.toml to read such files)" if file.had_bom and fault.line == 1 else ""
        for violation in fault.violations:
            yield Problem(Severity.ERROR, f"{violation}{hint}", where, fault.line)


def submission_problems(material: Material, submission: Submission) -> Iterator[Problem]:
    """Every error of a submission: its name, its reference, its lines, its information file."""
    where = str(submission.path)
    if submission.name is None:
        yield Problem(Severity.ERROR, bad_submission_name(submission.path.name).rstrip("."), where)
    elif material.reference_of(submission) is None:
        known = ", ".join(sorted(material.references)) or "none"
        sentence = f"there is no reference {submission.name.reference_file} (there are: {known})"
        yield Problem(Severity.ERROR, sentence, where)
    yield from file_problems(submission.file)
    yield from info_problems(submission)


def info_problems(submission: Submission) -> Iterator[Problem]:
    """Errors of an information file, always with the file's name, and sizes that are no sizes.

    See `docs/hipe-behaviour.md#bug-3`, `docs/hipe-behaviour.md#bug-12`.
    """
    where = str(submission.path.with_name(submission.stem + "-info.json"))
    info = submission.info
    if info.missing:
        yield Problem(Severity.WARNING, "there is no information file; the run is scored, its sizes count as unknown", where)
    elif info.error:
        yield Problem(Severity.ERROR, info.error.rstrip("."), where)
    for doubt in info.doubts:
        if "no size" in doubt or "negative" in doubt:
            yield Problem(Severity.ERROR, doubt, where)


def stray_info_problems(material: Material) -> Iterator[Problem]:
    """Information files that belong to nothing."""
    for name, sentence in _stray_infos(material):
        yield Problem(Severity.ERROR, sentence.rstrip("."), str(material.places.submissions / name))


def _stray_infos(material: Material) -> Iterator[tuple[str, str]]:
    named = {submission.name.info_file for submission in material.submissions if submission.name}
    for file in material.stray_infos:
        if parse_info(file) is None:
            yield file, f"Invalid info filename: {file}"
        elif file not in named:
            yield file, f"Info file has no matching submission: {file}"


def all_problems(material: Material) -> list[Problem]:
    """Every error and warning of a campaign's files, references first."""
    problems = list(material.problems)
    for reference in material.references.values():
        problems += file_problems(reference.file)
    for submission in material.submissions:
        problems += submission_problems(material, submission)
    return [*problems, *stray_info_problems(material)]


# As the official validators print it


def official_files(files: Sequence[DocumentFile]) -> ValidationOutput:
    """What the official JSONL validator prints: one error a line at most, the best match of the schema."""
    out: list[str] = []
    failed = False
    for file in files:
        out.append(f"Validating {file.path}...")
        errors = official_errors(file)
        out += errors
        failed = failed or bool(errors)
        out.append(f"[FAIL] {file.path} had {len(errors)} error(s)." if errors else f"[OK] {file.path} passed validation.")
    return ValidationOutput(tuple(out), failed=failed)


def official_errors(file: DocumentFile) -> list[str]:
    """The error lines of one file; one that is not UTF-8 gets a line too, where the official script dies."""
    if file.unreadable:
        return [f"[ERROR] {file.path} (line 1): {file.unreadable}"]
    return [f"[ERROR] {file.path} (line {fault.line}): {fault.official}" for fault in file.faults]


def official_infos(material: Material) -> ValidationOutput:
    """What the official check of information files prints."""
    errors: list[str] = []
    warnings: list[str] = []
    for submission in material.submissions:
        if submission.name is None:
            errors.append(bad_submission_name(submission.path.name))
            continue
        if material.reference_of(submission) is None:
            path = material.places.reference / submission.name.reference_file
            errors.append(f"Missing reference for {submission.path.name}: {path}")
        if submission.info.missing:
            warnings.append(f"Missing info file: {submission.name.info_file}")
        elif submission.info.error:
            errors.append(submission.info.error)
    named = {submission.path.name.removesuffix(".jsonl") + "-info.json" for submission in material.submissions if submission.name is None}
    for file, sentence in _stray_infos(material):
        errors.append(f"Invalid info filename: {file}" if file in named else sentence)
    err = tuple([f"[ERROR] {error}" for error in errors] + [f"[WARN] {warning}" for warning in warnings])
    if errors:
        return ValidationOutput((f"[FAIL] validate-info found {len(errors)} error(s) and {len(warnings)} warning(s).",), err, True)
    return ValidationOutput((f"[OK] validate-info passed with {len(warnings)} warning(s).",), err)
