"""The registry of tasks: what screens, commands and reports import. A fifth task is a folder and a line here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from scoring.adjudication.cases import Block, Case, Grid, Judgement, RuleDraft
from scoring.adjudication.decisions import Decisions, Key, LogEntry
from scoring.foundations.incremental import Steps
from scoring.foundations.problems import InputError
from scoring.workspace.layout import Workspace

if TYPE_CHECKING:
    from scoring.tables.display.side_by_side import SideBySide

MaterialT = TypeVar("MaterialT")
EvaluationT = TypeVar("EvaluationT")
Progress = Callable[[int, int], None]


class Task(Protocol[MaterialT, EvaluationT]):
    """Verbs of a task, over its own types of material and evaluation.

    Attributes:
        name: the word in commands and in the log.
        queues: its queues, in the order they are offered.
        verdicts: its verdicts.
    """

    name: str
    queues: tuple[str, ...]
    verdicts: tuple[str, ...]

    def present(self, workspace: Workspace) -> bool:
        """Whether the workspace holds material of this task."""
        ...

    def load(self, workspace: Workspace, *, progress: Progress | None = None) -> MaterialT:
        """Read the material; faults of single files are among its `problems`."""
        ...

    def evaluate(
        self, material: MaterialT, decisions: Decisions = ..., *, automatic: EvaluationT | None = None, progress: Progress | None = None
    ) -> EvaluationT:
        """Score the material under the decisions; without any, the result is the automatic one."""
        ...

    def reevaluation(self, evaluation: EvaluationT, decisions: Decisions, changed: Mapping[str, Collection[Key]]) -> Steps[EvaluationT]:
        """The evaluation under changed decisions, in short steps."""
        ...

    def gathering(self, evaluation: EvaluationT, pages: Iterable[str] | None = None) -> Steps[tuple[Case, ...]]:
        """The cases in queue order, in short steps."""
        ...

    def bands(self, evaluation: EvaluationT) -> Steps[Any]:
        """The low and high of its adjudicated figures while cases are undecided, in short steps; `None` where a task has no band."""
        ...

    def overview(self, evaluation: EvaluationT, bands: Any = None) -> tuple[Block, ...]:
        """The task at a glance: inputs, problems, figures; `bands` where they have been worked out."""
        ...

    def figures(self, evaluation: EvaluationT, path: Sequence[str] = (), bands: Any = None) -> tuple[Grid, tuple[Block, ...]]:
        """The figures at a path (() at the top): a table whose lines' targets, tab-joined, lead further down, and what stands beside it."""
        ...

    def behind(self, evaluation: EvaluationT, path: Sequence[str] = ()) -> tuple[LogEntry, ...]:
        """The log entries behind the adjudicated figures at a path."""
        ...

    def evidence(
        self, evaluation: EvaluationT, case: Case, occurrence: int = 0, *, blind: bool = False, pointed: Sequence[str] = ()
    ) -> tuple[Block, ...]:
        """What is shown of a case; digit keys point to the lines of its numbered grid. Blind, without what would sway the verdict.

        `pointed` are the ROWs picked for the next verdict: a task that holds rows against each other shows those.
        """
        ...

    def effects(
        self, evaluation: EvaluationT, case: Case, occurrence: int = 0, targets: Sequence[str] = (), run: str | None = None
    ) -> Steps[tuple[Block, ...]]:
        """What each verdict would change (narrowed to `run`, if named), in short steps; nothing where a task has no figure to show."""
        ...

    def judge(
        self,
        evaluation: EvaluationT,
        case: Case,
        verdict: str,
        *,
        targets: Sequence[str] = (),
        value: object = None,
        run: str | None = None,
    ) -> Judgement:
        """What a verdict says, checked; `InputError` when it cannot be said."""
        ...

    def kept(self, evaluation: EvaluationT, entry: LogEntry) -> Judgement:
        """What a stale verdict says when it is said of the rows as they are now; `InputError` when they are gone."""
        ...

    def draft(self, evaluation: EvaluationT, case: Case) -> RuleDraft | None:
        """The equivalence a case suggests; `None` where it suggests none."""
        ...


# A task whose material and evaluation only the task itself looks inside.
AnyTask: TypeAlias = Task[Any, Any]


@runtime_checkable
class ComparesRunPages(Protocol):
    """A task that can lay a page of a run beside its ground truth."""

    def side_by_side(self, evaluation: Any, run: str, page: str, cases: dict[str, Case]) -> SideBySide:
        """Return the rows of a page of a run beside the GT rows."""
        ...


@runtime_checkable
class OpensDesk(Protocol):
    """A task whose cases are judged at a desk of their own."""

    def desk(self, evaluation: Any, case: Case) -> Path:
        """Return the database of a case."""
        ...


# Verdicts of these tasks are edits of a database: they are taken back where they were made, with the edit.
UNDONE_ELSEWHERE = frozenset({"records"})
_TASKS = {
    "tables": "scoring.tables.task:TablesTask",
    "questions": "scoring.questions.task:QuestionsTask",
    "relations": "scoring.relations.task:RelationsTask",
    "records": "scoring.records.task:RecordsTask",
}
# The beginning of a task's case ids.
PREFIXES = {"t": "tables", "q": "questions", "r": "relations", "d": "records"}


def task_of_case(case: str) -> str | None:
    """The task whose case ids begin as this one does; `None` where it has no such beginning."""
    prefix, dash, _ = case.partition("-")
    return PREFIXES.get(prefix) if dash else None


def task_named(name: str) -> AnyTask:
    """The task of that name.

    Raises:
        InputError: there is none.
    """
    if name not in _TASKS:
        raise InputError(f"there is no task `{name}`", hint=f"tasks are {', '.join(_TASKS)}")
    module, attribute = _TASKS[name].split(":")
    task: AnyTask = getattr(import_module(module), attribute)()
    return task


def tasks_in(workspace: Workspace) -> tuple[AnyTask, ...]:
    """The tasks a workspace has material for, in the order of the registry."""
    return tuple(task for task in map(task_named, _TASKS) if task.present(workspace))


if TYPE_CHECKING:
    # mypy checks here that each task has every verb, over its own types.
    from scoring.questions.execution.evaluation import Evaluation as QuestionsEvaluation
    from scoring.questions.inputs.material import Material as QuestionsMaterial
    from scoring.questions.task import QuestionsTask
    from scoring.records.cases.queues import Evaluation as RecordsEvaluation
    from scoring.records.cases.queues import Material as RecordsMaterial
    from scoring.records.task import RecordsTask
    from scoring.relations.cases.adjudicated_gold import Evaluation as RelationsEvaluation
    from scoring.relations.inputs.material import Material as RelationsMaterial
    from scoring.relations.task import RelationsTask
    from scoring.tables.execution.evaluation import Evaluation as TablesEvaluation
    from scoring.tables.inputs.material import Material as TablesMaterial
    from scoring.tables.task import TablesTask

    _tables: Task[TablesMaterial, TablesEvaluation] = TablesTask()
    _questions: Task[QuestionsMaterial, QuestionsEvaluation] = QuestionsTask()
    _relations: Task[RelationsMaterial, RelationsEvaluation] = RelationsTask()
    _records: Task[RecordsMaterial, RecordsEvaluation] = RecordsTask()
