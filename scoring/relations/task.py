"""The relations task behind the verbs every task has (`docs/architecture.md#tasks`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from scoring.adjudication.cases import Block, Case, Grid, Judgement, RuleDraft
from scoring.adjudication.decisions import NO_DECISIONS, Decisions, Key, LogEntry
from scoring.foundations.incremental import Steps
from scoring.relations.cases import adjudicated_gold as _adjudicated
from scoring.relations.cases import queues as _cases
from scoring.relations.cases.adjudicated_gold import Evaluation
from scoring.relations.display import evidence as _evidence
from scoring.relations.display import figures as _figures
from scoring.relations.inputs.doubtful_submissions import campaign_doubts, doubts_of_gold
from scoring.relations.inputs.material import Material, load_campaign, places
from scoring.relations.inputs.validation import all_problems
from scoring.relations.measures.evaluation import aligned_runs
from scoring.workspace.layout import Workspace

Progress = Callable[[int, int], None]


class RelationsTask:
    """A campaign's gold, and whether the runs confirm it."""

    name = _adjudicated.TASK
    queues: tuple[str, ...] = _cases.QUEUES
    verdicts: tuple[str, ...] = _cases.VERDICTS

    def present(self, workspace: Workspace) -> bool:
        """Whether the workspace holds a campaign."""
        return (workspace.data / "reference").is_dir()

    def load(self, workspace: Workspace, *, progress: Progress | None = None) -> Material:
        """Read the campaign; what is wrong with or doubtful in its files is among the `problems`."""
        report = None if progress is None else lambda done, total, _: progress(done, total)
        material = load_campaign(places(workspace.root), progress=report)
        return replace(
            material, problems=(*all_problems(material), *doubts_of_gold(material), *campaign_doubts(material, aligned_runs(material)))
        )

    def evaluate(
        self,
        material: Material,
        decisions: Decisions = NO_DECISIONS,
        *,
        automatic: Evaluation | None = None,
        progress: Progress | None = None,
    ) -> Evaluation:
        """Score the campaign under the decisions; `automatic`, of the same material, saves scoring it again."""
        report = None if progress is None else lambda done, total, _: progress(done, total)
        base = automatic.base if automatic is not None else _adjudicated.base_of(material, progress=report)
        return _adjudicated.evaluate(base, decisions)

    def reevaluation(self, evaluation: Evaluation, decisions: Decisions, changed: Mapping[str, Collection[Key]]) -> Steps[Evaluation]:
        """The evaluation under changed decisions. Scores are worked out when they are asked for, so this is one short step."""
        yield
        return _adjudicated.reevaluate(evaluation, decisions, changed)

    def gathering(self, evaluation: Evaluation, pages: Iterable[str] | None = None) -> Steps[tuple[Case, ...]]:
        """The cases in queue order; of the named documents only, if named."""
        yield
        return tuple(_cases.cases(evaluation, None if pages is None else frozenset(pages)))

    def bands(self, evaluation: Evaluation) -> Steps[None]:
        """None: no figure of this task has a band."""
        yield

    def overview(self, evaluation: Evaluation, bands: object = None) -> tuple[Block, ...]:
        """The campaign at a glance."""
        return _figures.overview(evaluation)

    def figures(self, evaluation: Evaluation, path: Sequence[str] = (), bands: object = None) -> tuple[Grid, tuple[Block, ...]]:
        """The rankings, as scored beside as adjudicated, down to a run's confusions."""
        return _figures.figures(evaluation, path)

    def behind(self, evaluation: Evaluation, path: Sequence[str] = ()) -> tuple[LogEntry, ...]:
        """The log entries behind the adjudicated figures at a path."""
        return _figures.behind(evaluation, path)

    def evidence(
        self, evaluation: Evaluation, case: Case, occurrence: int = 0, *, blind: bool = False, pointed: Sequence[str] = ()
    ) -> tuple[Block, ...]:
        """What is shown of a case. Blind, without gold, votes and teams."""
        return _evidence.evidence(evaluation, case, blind=blind)

    def effects(
        self, evaluation: Evaluation, case: Case, occurrence: int = 0, targets: Sequence[str] = (), run: str | None = None
    ) -> Steps[tuple[Block, ...]]:
        """What each verdict would change in the ranking of its cell, in short steps."""
        return _figures.effects(evaluation, case)

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
        return _cases.judge(evaluation, case, verdict, targets=targets, value=value, run=run)

    def kept(self, evaluation: Evaluation, entry: LogEntry) -> Judgement:
        """What a stale verdict says when it is said of the gold label as it is now."""
        return _cases.kept(evaluation, entry)

    def draft(self, evaluation: Evaluation, case: Case) -> RuleDraft | None:
        """None: a gold label suggests no equivalence."""
        return None
