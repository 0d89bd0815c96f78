"""`adjudicate check`: everything that can be said of the inputs before anybody scores or judges them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from scoring.problems import InputError, Problem, Severity
from scoring.text import visible
from scoring.workspace import SETTINGS_FILE, Workspace
from tui.cli import EXIT_FOUND, Invocation
from tui.cli.output import counted, format_option, progress, say, say_json, say_table, table

TOLD = (Severity.ERROR, Severity.WARNING)
SHOWN = 10
STATUSES = ("ok", "truncated", "failed", "missing")


@dataclass(slots=True)
class Findings:
    """What was found: problems by kind, pages by status, the books, lines to propose for `[aliases]`."""

    problems: list[tuple[str, Problem]] = field(default_factory=list)
    summary: dict[str, object] = field(default_factory=dict)
    statuses: Counter[str] = field(default_factory=Counter)
    books: list[dict[str, object]] = field(default_factory=list)
    aliases: tuple[str, ...] = ()
    balanced: int = 0
    done: int = 0
    open: int = 0

    def add(self, kind: str, problems: Sequence[Problem]) -> None:
        """Take problems of one kind."""
        self.problems += ((kind, problem) for problem in problems)

    def fault(self, kind: str, fault: InputError) -> None:
        """Take a fault that stopped the reading."""
        self.add(kind, [Problem(Severity.ERROR, fault.what, str(fault.where or ""), fault.line)])

    @property
    def to_be_told(self) -> bool:
        """Whether there is more than repairs and notes."""
        return any(problem.severity in TOLD for _, problem in self.problems)


@click.command()
@click.option("--all", "everything", is_flag=True, help="List every repair and note by itself.")
@format_option
@click.pass_obj
def check(invocation: Invocation, everything: bool, form: str) -> None:
    """Check the inputs: what was repaired, failed and missing pages, schema, rules, log, books.

    Exit code 1 when there is an error or a warning (a failed, truncated or
    missing page is one), 0 when there are only repairs and notes.

    Example: adjudicate check --all
    """
    from scoring.settings import Settings
    from scoring.workspace import open_workspace

    findings = Findings()
    try:
        workspace = open_workspace(invocation.folder)
    except InputError as fault:
        if fault.where is None or Path(str(fault.where)).name != SETTINGS_FILE:
            raise
        workspace = open_workspace(invocation.folder, Settings())
        told = f"{fault.what}{f' ({fault.hint})' if fault.hint else ''}; the rest is checked under the default settings"
        findings.add("settings", [Problem(Severity.ERROR, told, SETTINGS_FILE, fault.line)])
    _found(workspace, findings)
    if form == "json":
        say_json(_document(findings))
    else:
        _print(findings, everything)
    if findings.to_be_told:
        raise SystemExit(EXIT_FOUND)


def _found(workspace: Workspace, findings: Findings) -> None:
    from tui.opening import sound_log

    _keys(workspace, findings)
    decisions = None
    try:
        contents = sound_log(workspace)
        decisions = contents.decisions()
        findings.add("log", contents.notes)
        findings.summary["log"] = len(contents.entries)
    except InputError:
        from scoring.adjudication.log_reading import read_log

        contents = read_log(workspace.adjudications)
        findings.add("log", contents.problems)
        findings.summary["log"] = len(contents.entries)
    if workspace.gt.is_dir():
        _tables(workspace, findings, decisions)


def _keys(workspace: Workspace, findings: Findings) -> None:
    if not workspace.settings.keys:
        return
    from tui.keymap import with_keymap

    try:
        with_keymap(workspace.settings.keys, workspace.relative(workspace.settings_file), workspace.settings_file)
    except InputError as fault:
        findings.fault("settings", fault)


def _tables(workspace: Workspace, findings: Findings, decisions: object) -> None:
    from functools import partial

    from scoring.rules import check as check_rules
    from scoring.rules import scoring_errors
    from scoring.tables import check as checks
    from scoring.tables import material as reading
    from scoring.tables.cases import cases
    from scoring.tables.evaluate import evaluate, evaluate_workspace
    from scoring.tables.proposals import paths_to_declare
    from tui.rulebook import question_fields

    with progress() as step:
        try:
            material = reading.load(workspace, progress=partial(step, "reading runs") if step else None, keep_errors=True)
        except InputError as fault:
            kinds = {"schema.json": "schema", SETTINGS_FILE: "settings"}
            findings.fault(kinds.get(Path(str(fault.where or "")).name, "ground truth"), fault)
            return
        for problem in material.problems:
            findings.add("ground truth" if problem.where.startswith("gt/") else "runs", [problem])
        known, values = question_fields(workspace)
        seen = checks.witnesses(material)
        seen = type(seen)({**values.gt, **seen.gt}, {**values.runs, **seen.runs})
        findings.aliases = tuple(one.line for one in material.proposals)
        rules = check_rules(material.rules, seen, {**checks.known_fields(material), **known})
        findings.add("rules", rules)
        findings.summary |= {
            "ground_truth_pages": len(material.pages),
            "ground_truth_rows": sum(len(page.rows) for page in material.pages),
            "runs": len(material.runs),
            "cells": len({run.cell for run in material.runs}),
            "layout": material.layout,
            "aliases": {one.key: one.field for one in material.proposals},
            "fields": list(material.schema.names),
            "key": list(material.schema.key),
            "rules": len(material.rules.rules),
        }
        if material.errors or scoring_errors(rules):
            findings.statuses.update(page.status for run in material.runs for page in run.pages.values())
            return
        automatic = evaluate_workspace(material, progress=partial(step, "scoring pages") if step else None)
        evaluation = evaluate(material, decisions, automatic=automatic) if decisions else automatic  # type: ignore[arg-type]
        findings.statuses.update(score.status for score in evaluation.pages.values())
        findings.add("readings", checks.crowded(evaluation))
        findings.add("fields", paths_to_declare(evaluation))
        kept = checks.books(evaluation, {case.id: case for case in cases(evaluation)})
    findings.add("books", checks.unbalanced(kept))
    for one in kept:
        if one.books is not None:
            findings.balanced += one.books.balanced
            findings.done += one.books.done
            findings.open += one.books.open
            findings.books.append(
                {
                    "run": one.run,
                    "page": one.page,
                    "model_rows": one.books.model_rows,
                    "gt_rows": one.books.gt_rows,
                    "matched": one.books.matched,
                    "below_gate": one.books.below_gate,
                    "missed": one.books.missed,
                    "labels": dict(one.books.labels),
                    "nameless": one.books.nameless,
                    "open": one.books.open,
                    "waiting": one.books.waiting,
                    "balanced": one.books.balanced,
                    "done": one.books.done,
                }
            )


def _document(findings: Findings) -> dict[str, object]:
    return {
        "summary": findings.summary,
        "pages": {status: findings.statuses[status] for status in STATUSES},
        "counts": {severity.value: sum(p.severity is severity for _, p in findings.problems) for severity in Severity},
        "problems": [
            {
                "kind": kind,
                "severity": problem.severity.value,
                "message": problem.message,
                "where": problem.where or None,
                "line": problem.line,
                "page": problem.page,
                "row": problem.row,
            }
            for kind, problem in findings.problems
        ],
        "books": findings.books,
    }


# In the terminal: what is to be told one by one, repairs and notes by their kind with a count.

_TAIL = re.compile(r" \((?:rows? [^()]*|[0-9]+ (?:records?|cells?)[^()]*)\)$")
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_FIELD = re.compile(r"^`[^`]*`: ")
_PASSED = re.compile(r"(passed over): .*")
_NUMBER = re.compile(r"[0-9]+")


def kind_of(message: str) -> str:
    """A message without what differs from place to place: field, quotations, numbers, rows."""
    message = _TAIL.sub("", _FIELD.sub("", message))
    message = _PASSED.sub(r"\1", _QUOTED.sub("'…'", message))
    if message.startswith("keys read as fields"):
        return "keys read as fields"
    return _NUMBER.sub("N", message)


def _print(findings: Findings, everything: bool) -> None:
    summary = findings.summary
    if "runs" in summary:
        pages = ", ".join(f"{findings.statuses[status]} {status}" for status in STATUSES if findings.statuses[status] or status == "ok")
        runs, cells = int(str(summary["runs"])), int(str(summary["cells"]))
        say(
            f"{counted(int(str(summary['ground_truth_pages'])), 'page')} of ground truth with {summary['ground_truth_rows']} rows; "
            f"{counted(runs, 'run')} in {counted(cells, 'cell')} ({summary['layout']}); page scorings: {pages}."
        )
    told = [(kind, problem) for kind, problem in findings.problems if problem.severity in TOLD or everything]
    told.sort(key=lambda item: list(Severity).index(item[1].severity))
    if told:
        say()
        lines = [(problem.severity.value, kind, str(problem)) for kind, problem in told]
        say_table(("", "kind", "where and what"), lines if everything else _shortened(told))
    if findings.aliases:
        say()
        say("These lines of adjudicate.toml would map the unknown keys, if they mean what their values look like:")
        for line in ("[aliases]", *findings.aliases):
            click.echo(visible(line))
    if not everything:
        rest = [(kind, problem) for kind, problem in findings.problems if problem.severity not in TOLD]
        if rest:
            say()
            for line in _groups(rest):
                click.echo(line)
            say()
            say("`--all` lists each of these by itself.")
    say()
    if findings.books:
        say(
            f"Books: {findings.balanced} of {counted(len(findings.books), 'page scoring')} balance, "
            f"{counted(findings.open, 'surplus row')} open; {findings.done} done (nothing left to decide)."
        )
    counts = Counter(problem.severity for _, problem in findings.problems)
    said = ", ".join(counted(counts[severity], severity.value) for severity in Severity if counts[severity])
    say(f"Found: {said}." if said else "Nothing to report.")


def _shortened(told: Sequence[tuple[str, Problem]]) -> Iterator[tuple[str, str, str]]:
    """Errors and warnings one by one, those of one kind that are many by the first of them and their number."""
    kinds = Counter((problem.severity, kind, kind_of(problem.message)) for kind, problem in told)
    shown: Counter[tuple[Severity, str, str]] = Counter()
    for kind, problem in told:
        group = (problem.severity, kind, kind_of(problem.message))
        shown[group] += 1
        if shown[group] <= SHOWN or kinds[group] == SHOWN + 1:
            yield problem.severity.value, kind, str(problem)
        elif shown[group] == SHOWN + 1:
            yield problem.severity.value, kind, f"and {kinds[group] - SHOWN} more of this kind: {group[2]}"


def _groups(problems: Sequence[tuple[str, Problem]]) -> Iterator[str]:
    groups: dict[tuple[Severity, str, str], list[Problem]] = {}
    for kind, problem in problems:
        groups.setdefault((problem.severity, kind, kind_of(problem.message)), []).append(problem)
    ordered = sorted(groups.items(), key=lambda item: (list(Severity).index(item[0][0]), item[0][1], -len(item[1])))
    rows = []
    for (severity, kind, message), found in ordered:
        shown = message if len(found) > 1 else str(found[0])
        example = f" (first: {found[0].where}" + (f", page {found[0].page}" if found[0].page else "") + ")" if len(found) > 1 else ""
        rows.append((severity.value, kind, len(found), shown + example))
    return table(("", "kind", "times", "what"), rows, right=(2,))
