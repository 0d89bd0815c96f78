"""The records task behind the verbs every task has (`docs/architecture.md#tasks`).

A verdict on a record changes the database, so it is given through a `Review` (`adjudicate records decide`, the Records
screen), never by a log line alone: `judge` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from scoring.adjudication.cases import Block, Case, Facts, Grid, Judgement, Line
from scoring.adjudication.decisions import NO_DECISIONS, Decisions, Key, LogEntry
from scoring.foundations.incremental import Steps
from scoring.foundations.problems import InputError
from scoring.records.cases import queues as _cases
from scoring.records.cases.queues import Evaluation, Material
from scoring.records.measures.accuracy import assess, count
from scoring.records.measures.tables import Table, documents, edit_list, tables
from scoring.workspace.layout import Workspace


class RecordsTask:
    """Extracted records reviewed without ground truth."""

    name = _cases.TASK
    queues: tuple[str, ...] = _cases.QUEUES
    verdicts: tuple[str, ...] = _cases.VERDICTS

    def present(self, workspace: Workspace) -> bool:
        """Whether an EcoExtract database lies in the workspace."""
        return bool(_cases.databases(workspace.root))

    def load(self, workspace: Workspace, *, progress: Callable[[int, int], None] | None = None) -> Material:
        """Read the databases of the workspace."""
        return _cases.load(workspace.root)

    def evaluate(
        self,
        material: Material,
        decisions: Decisions = NO_DECISIONS,
        *,
        automatic: Evaluation | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Evaluation:
        """The material under the decisions."""
        return _cases.evaluate(material, decisions)

    def reevaluation(self, evaluation: Evaluation, decisions: Decisions, changed: Mapping[str, Collection[Key]]) -> Steps[Evaluation]:
        """The evaluation under changed decisions."""
        yield
        return _cases.evaluate(evaluation.material, decisions)

    def gathering(self, evaluation: Evaluation, pages: Iterable[str] | None = None) -> Steps[tuple[Case, ...]]:
        """The cases in queue order; of the named documents only, if named."""
        yield
        return _cases.cases(evaluation, None if pages is None else frozenset(pages))

    def bands(self, evaluation: Evaluation) -> Steps[None]:
        """None: no figure of this task has a band."""
        yield

    def overview(self, evaluation: Evaluation, bands: object = None) -> tuple[Block, ...]:
        """The databases at a glance."""
        blocks: list[Block] = []
        for source in evaluation.material.sources:
            done = sum(line.reviewed for line in source.documents)
            rows = (
                ("documents", f"{len(source.documents)}, {done} reviewed"),
                ("records", f"{len(source.records)}"),
                ("schema", source.schema.source if source.schema is not None else "none found"),
            )
            blocks.append(Facts(source.path.name, rows))
        if evaluation.pending:
            lines = tuple(Line((entry.id, entry.verifier, entry.verdict, *entry.targets[:1])) for entry in evaluation.pending)
            title = "Verdicts of the log that the database lacks (adjudicate records recover)"
            blocks.append(Grid(title, ("id", "verifier", "verdict", "of"), lines))
        return tuple(blocks)

    def figures(self, evaluation: Evaluation, path: Sequence[str] = (), bands: object = None) -> tuple[Grid, tuple[Block, ...]]:
        """Accuracy by document, worst first, with the other tables beside it; below a document (database, id) its edits."""
        chosen = [source for source in evaluation.material.sources if not path or source.path.name == path[0]]
        if not chosen:
            return Grid("By document", ("document",), ()), ()
        source = chosen[0]
        accuracy = assess(count(source.path), source.schema)
        if len(path) > 1:
            return _grid(edit_list(accuracy, int(path[1]))), ()
        first = _grid(documents(accuracy), source.path.name)
        rest = [_grid(table) for table in tables(accuracy, ("ecoextract", "schema_only", "detection", "columns", "kinds", "heat_map"))]
        others = [_grid(documents(assess(count(other.path), other.schema)), other.path.name) for other in chosen[1:]]
        return first, (*rest, *others)

    def behind(self, evaluation: Evaluation, path: Sequence[str] = ()) -> tuple[LogEntry, ...]:
        """The log entries behind the figures: those the databases hold, of the document at the path."""
        applied = frozenset().union(*(source.applied for source in evaluation.material.sources))
        page = path[1] if len(path) > 1 else None
        return tuple(
            entry for entry in evaluation.decisions.entries if entry.id in applied and (page is None or entry.basis.get("page") == page)
        )

    def evidence(
        self, evaluation: Evaluation, case: Case, occurrence: int = 0, *, blind: bool = False, pointed: Sequence[str] = ()
    ) -> tuple[Block, ...]:
        """What is shown of a case; blind, without what others said."""
        source, line, record = evaluation.about(case.id)
        return source.blocks(line, record, blind=blind)

    def effects(
        self, evaluation: Evaluation, case: Case, occurrence: int = 0, targets: Sequence[str] = (), run: str | None = None
    ) -> Steps[tuple[Block, ...]]:
        """Nothing: the figures follow from the edits when the document is marked reviewed."""
        yield
        return ()

    def desk(self, evaluation: Evaluation, case: Case) -> Path:
        """The database of a case: records are judged at a desk of their own, which is opened on it."""
        source, _, _ = evaluation.about(case.id)
        return source.path

    def draft(self, evaluation: Evaluation, case: Case) -> None:
        """None: a record suggests no equivalence."""

    def judge(
        self,
        evaluation: Evaluation,
        case: Case,
        verdict: str,
        *,
        targets: Sequence[str] = (),
        value: object = None,
        run: str | None = None,
    ) -> Judgement:
        """Refused: a verdict on a record is an operation on its database."""
        self._elsewhere(evaluation, case.id)

    def kept(self, evaluation: Evaluation, entry: LogEntry) -> Judgement:
        """Refused, as `judge` is."""
        self._elsewhere(evaluation, entry.case)

    def _elsewhere(self, evaluation: Evaluation, case: str) -> NoReturn:
        source, _, _ = evaluation.about(case)
        raise InputError(
            "a verdict on a record changes its database and is given there",
            where=source.path.name,
            hint=f"use `adjudicate records decide {source.path.name} {case} VERDICT`, or the Records screen",
        )


def _grid(table: Table, database: str = "") -> Grid:
    """A table of figures as a grid; lines of the documents' table lead to their document."""
    lines = []
    for row in table.rows:
        target = f"{database}\t{row[0]}" if database else None
        lines.append(Line(tuple(_cell(cell) for cell in row), target=target))
    return Grid(table.title, tuple(name for name, _ in table.columns), tuple(lines))


def _cell(cell: str | int | float | None) -> str:
    return "–" if cell is None else f"{cell:.3f}" if isinstance(cell, float) else str(cell)
