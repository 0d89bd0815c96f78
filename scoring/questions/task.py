"""The questions task behind the verbs every task has (`docs/architecture.md#tasks`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from scoring.adjudication.cases import Block, Case, Grid, Judgement, Line, RuleDraft
from scoring.adjudication.decisions import NO_DECISIONS, Decisions, Key, LogEntry
from scoring.foundations.incremental import Steps
from scoring.questions.cases import evidence as _evidence
from scoring.questions.cases import queues as _cases
from scoring.questions.execution import application as _application
from scoring.questions.execution import evaluation as _evaluation
from scoring.questions.execution.evaluation import Evaluation
from scoring.questions.inputs import material as _material
from scoring.questions.inputs.material import Material
from scoring.questions.inputs.runs import Progress
from scoring.questions.measures.report import shown
from scoring.questions.measures.tables import tables
from scoring.questions.verdicts import validation as _validation
from scoring.workspace.layout import Workspace


class QuestionsTask:
    """Answers to a fixed list of questions about a document."""

    name = _application.TASK
    queues: tuple[str, ...] = _cases.QUEUES
    verdicts: tuple[str, ...] = _cases.VERDICTS

    def present(self, workspace: Workspace) -> bool:
        """Whether the workspace holds material of this task."""
        return (workspace.questions / "questions.toml").is_file()

    def load(self, workspace: Workspace, *, progress: Progress | None = None) -> Material:
        """Read the material."""
        return _material.load(workspace, progress=progress)

    def evaluate(
        self,
        material: Material,
        decisions: Decisions = NO_DECISIONS,
        *,
        automatic: Evaluation | None = None,
        progress: Progress | None = None,
    ) -> Evaluation:
        """Score the material under the decisions."""
        return _evaluation.evaluate(material, decisions, automatic=automatic, progress=progress)

    def reevaluation(self, evaluation: Evaluation, decisions: Decisions, changed: Mapping[str, Collection[Key]]) -> Steps[Evaluation]:
        """The evaluation under changed decisions: the automatic scores stand, what verdicts touch is scored again."""
        cases = {case for keys in changed.values() for task, case, _ in keys if task == self.name}
        return _evaluation.reevaluation(evaluation, decisions, cases)

    def gathering(self, evaluation: Evaluation, pages: Iterable[str] | None = None) -> Steps[tuple[Case, ...]]:
        """The cases in queue order, in short steps; of the named documents only, if named."""
        return _cases.gathering(evaluation, None if pages is None else frozenset(pages))

    def bands(self, evaluation: Evaluation) -> Steps[None]:
        """None: no figure of this task has a band."""
        yield

    def overview(self, evaluation: Evaluation, bands: object = None) -> tuple[Block, ...]:
        """The task at a glance."""
        return _evidence.overview(evaluation)

    def evidence(
        self, evaluation: Evaluation, case: Case, occurrence: int = 0, *, blind: bool = False, pointed: Sequence[str] = ()
    ) -> tuple[Block, ...]:
        """What is shown of a case. Blind, without what would sway the verdict."""
        return _evidence.evidence(evaluation, case, occurrence, blind=blind)

    def effects(
        self, evaluation: Evaluation, case: Case, occurrence: int = 0, targets: Sequence[str] = (), run: str | None = None
    ) -> Steps[tuple[Block, ...]]:
        """What `equivalent` would change, all runs together; no other verdict moves a figure."""
        yield
        return _evidence.effects(evaluation, case)

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
        """What a verdict says, checked."""
        return _validation.judge(evaluation, case, verdict, targets=targets, value=value, run=run)

    def kept(self, evaluation: Evaluation, entry: LogEntry) -> Judgement:
        """What a stale verdict says when it is said of the entries as they are now."""
        return _validation.kept(evaluation, entry)

    def draft(self, evaluation: Evaluation, case: Case) -> RuleDraft:
        """The equivalence that would make the two entries of a case one."""
        proposed = _cases.draft(_evidence.judged_by(case))
        return RuleDraft(proposed.form, proposed.canonical, proposed.field, proposed.witness)

    def figures(self, evaluation: Evaluation, path: Sequence[str] = (), bands: object = None) -> tuple[Grid, tuple[Block, ...]]:
        """The summary over questions, with the other tables beside it; there is nothing further down."""
        first, *rest = (
            Grid(table.title, table.header, tuple(Line(tuple(map(shown, row))) for row in table.rows)) for table in tables(evaluation)
        )
        return first, tuple(rest)

    def behind(self, evaluation: Evaluation, path: Sequence[str] = ()) -> tuple[LogEntry, ...]:
        """The log entries behind the adjudicated figures."""
        return evaluation.applied
