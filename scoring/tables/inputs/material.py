"""What the tables task works on: ground truth, runs, schema, rules and settings of a workspace (`docs/method.md#material`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from scoring.foundations.hashing import content_hash, list_hash
from scoring.foundations.problems import InputError, Problem, Severity
from scoring.rules import NO_RULES_FILE, Rules, read_rules
from scoring.tables.inputs.aliases import AliasFinder, Proposal, UnknownKeys, declared_aliases
from scoring.tables.inputs.character_references import References
from scoring.tables.inputs.ground_truth import doubtful_key, gt_page, read_gt, same_columns
from scoring.tables.inputs.ground_truth_files import GTFile, NoPagesError, gt_files, open_gt, pages_of
from scoring.tables.inputs.rows import RowReader
from scoring.tables.inputs.rows_and_runs import GTPage, Row, Run, RunPage
from scoring.tables.inputs.runs.layout import run_places
from scoring.tables.inputs.runs.reader import RunReader
from scoring.texts.forms import visible
from scoring.workspace.layout import Workspace, natural_key
from scoring.workspace.provenance import Provenance, engine_fingerprint, generation_date, run_dates
from scoring.workspace.schema import Schema, default_schema, read_schema
from scoring.workspace.settings import Settings

__all__ = ["GTPage", "Material", "Row", "Run", "RunPage", "load", "read_gt"]


@dataclass(frozen=True)
class Material:
    """A workspace's tables, read. Pages in natural order, runs by model, phase and name, each in natural order.

    `problems` holds what was noticed in ground truth and runs; those of the rules are `rules.problems`. `layout` is where the runs
    lie (`runs/<model>/<phase>/<run>`), `proposals` the aliases to propose for unknown keys.
    """

    workspace: Workspace
    schema: Schema
    settings: Settings
    rules: Rules
    pages: tuple[GTPage, ...]
    runs: tuple[Run, ...]
    problems: tuple[Problem, ...]
    layout: str = ""
    proposals: tuple[Proposal, ...] = ()

    @property
    def errors(self) -> tuple[Problem, ...]:
        """What stops scoring."""
        return tuple(problem for problem in self.problems if problem.severity is Severity.ERROR)

    @cached_property
    def gt_fingerprint(self) -> str:
        """8 hex digits over what was parsed of the ground truth, and its schema."""
        schema = [field.identity for field in self.schema.fields]
        pages = [[page.id, [[row.number, *row.values.values()] for row in page.rows]] for page in self.pages]
        return content_hash({"schema": schema, "key": list(self.schema.key), "pages": pages})

    @cached_property
    def runs_fingerprint(self) -> str:
        """8 hex digits over what was parsed of the runs."""
        return list_hash(
            [
                run.key,
                [[page.page, page.status, [[row.number, *row.values.values()] for row in page.rows]] for page in run.pages.values()],
            ]
            for run in self.runs
        )

    @cached_property
    def settings_fingerprint(self) -> str:
        """8 hex digits over the settings that change figures."""
        return content_hash(self.settings.parsed())

    def provenance(self, decisions: str) -> Provenance:
        """Where figures from this material come from; `decisions` is the fingerprint of the log."""
        first, last = run_dates(run.generated for run in self.runs)
        return Provenance(
            self.gt_fingerprint,
            engine_fingerprint(),
            self.rules.fingerprint,
            self.runs_fingerprint,
            self.settings_fingerprint,
            decisions,
            first,
            last,
            generation_date(),
        )


def load(workspace: Workspace, *, progress: Callable[[int, int], None] | None = None, keep_errors: bool = False) -> Material:
    """Read a workspace's tables.

    Args:
        workspace: the workspace.
        progress: called with (runs read, runs in all) as reading goes on.
        keep_errors: leave errors among `problems` instead of raising the first; for `adjudicate check`. A file of ground
            truth that cannot be read is then an error among them too.

    Raises:
        InputError: there is no ground truth; a schema, rules file or file of ground truth cannot be read; an error in the ground truth.
    """
    root, settings = workspace.root, workspace.settings
    named, found_problems = gt_files(workspace.gt, root)
    problems = list(found_problems)
    if not named:
        raise InputError(
            "there is no ground truth",
            where=workspace.relative(workspace.gt) or "gt",
            hint="put a CSV a page there, named gt_page_<id>.csv; other forms are in docs/schema.md",
        )
    declared = read_schema(workspace.schema_file) if workspace.schema_file.exists() else None
    files: list[GTFile] = []
    for page, path in named:
        where = visible(workspace.relative(path))
        try:
            files += open_gt(path, page, where, declared.names if declared else (), settings.encoding)
        except InputError as fault:
            if isinstance(fault, NoPagesError) and any(page is not None for page, _ in named):
                problems.append(Problem(Severity.WARNING, f"not taken as ground truth: {fault.what}", where))
                continue
            if not keep_errors:
                raise
            problems.append(Problem(Severity.ERROR, fault.what, where, fault.line, page))
    problems += pages_of(files)
    files.sort(key=lambda file: natural_key(file.page))
    schema = declared or _schema_of(files, workspace.gt, problems)
    aliases = declared_aliases(workspace, schema)
    reader = RowReader(schema.names, settings.blank_words, schema.key)
    pages: list[GTPage] = []
    for file in files:
        read, more = gt_page(file, schema, reader)
        pages.append(replace(read, path=workspace.relative(file.path)))
        problems += more
    doubt = doubtful_key(schema, pages) if declared is None else None
    if doubt is not None:
        problems.append(Problem(Severity.WARNING, doubt, files[0].where, 1))
    if not keep_errors:
        for problem in problems:
            if problem.severity is Severity.ERROR:
                raise InputError(problem.message, where=problem.where, line=problem.line, hint="`adjudicate check` lists everything")
    rules = read_rules(workspace.rules_file) if workspace.rules_file.exists() else NO_RULES_FILE
    places, layout, more = run_places(workspace.runs, root, [page.id for page in pages])
    problems += more
    runs: list[Run] = []
    unknown, finder = UnknownKeys(), AliasFinder(pages, settings.blank_words)
    references = References(value for page in pages for row in page.rows for value in row.values.values())
    row_reader = RowReader(schema.names, settings.blank_words, schema.key, aliases=aliases, references=references, unknown=unknown)
    run_reader = RunReader([page.id for page in pages], row_reader, root, finder)
    for at, place in enumerate(places, 1):
        run, more = run_reader.read(place)
        runs.append(run)
        problems += more
        if progress is not None:
            progress(at, len(places))
    proposals = finder.proposals(unknown)
    problems += (one.problem for one in proposals)
    runs.sort(key=lambda run: (natural_key(run.model), natural_key(run.phase), natural_key(run.name)))
    return Material(workspace, schema, settings, rules, tuple(pages), tuple(runs), tuple(problems), layout, proposals)


def _schema_of(files: list[GTFile], folder: Path, problems: list[Problem]) -> Schema:
    """The schema of ground truth without one: the header of the first page that has one; pages that differ are reported."""
    first = next((file for file in files if file.header), None)
    if first is None:
        raise InputError("no file of the ground truth has a header", where=folder, hint="the first line of each names its columns")
    for file in files:
        if file.header and not same_columns(file.fields, first.fields):
            problems.append(
                Problem(Severity.WARNING, f"the columns are not those of {first.where}, which are the fields", file.where, 1, file.page)
            )
    schema = default_schema(first.fields)
    if not schema.key:
        raise InputError("every column is a list, and a record is matched by one name", where=first.where, line=1, hint="add a column")
    return schema
