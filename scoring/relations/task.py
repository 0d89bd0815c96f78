"""The relations task behind the verbs every task has (`6-architecture`, Tasks have one shape)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from scoring.adjudication.cases import Block, Case, Judgement
from scoring.adjudication.decisions import NO_DECISIONS, Decisions, Key
from scoring.relations import adjudicated as _adjudicated
from scoring.relations import cases as _cases
from scoring.relations import evidence as _evidence
from scoring.relations.material import Material, load_campaign, places
from scoring.steps import Steps
from scoring.workspace import Workspace

Progress = Callable[[int, int], None]


class RelationsTask:
    """A campaign's gold, and whether the runs confirm it."""

    name = _adjudicated.TASK
    queues = _cases.QUEUES
    verdicts = _cases.VERDICTS
    needs = _cases.NEEDS

    def present(self, workspace: Workspace) -> bool:
        """Whether the workspace holds a campaign."""
        return (workspace.data / "reference").is_dir()

    def load(self, workspace: Workspace, *, progress: Progress | None = None) -> Material:
        """Read the campaign."""
        report = None if progress is None else lambda done, total, _: progress(done, total)
        return load_campaign(places(workspace.root), progress=report)

    def evaluate(
        self,
        material: Material,
        decisions: Decisions = NO_DECISIONS,
        *,
        automatic: _adjudicated.Evaluation | None = None,
        progress: Progress | None = None,
    ) -> _adjudicated.Evaluation:
        """Score the campaign under the decisions; `automatic`, of the same material, saves scoring it again."""
        report = None if progress is None else lambda done, total, _: progress(done, total)
        base = automatic.base if automatic is not None else _adjudicated.base_of(material, progress=report)
        return _adjudicated.evaluate(base, decisions)

    def reevaluation(
        self, evaluation: _adjudicated.Evaluation, decisions: Decisions, changed: Mapping[str, Collection[Key]]
    ) -> Steps[_adjudicated.Evaluation]:
        """The evaluation under changed decisions. Scores are worked out when they are asked for, so this is one short step."""
        yield
        return _adjudicated.reevaluate(evaluation, decisions, changed)

    def gathering(self, evaluation: _adjudicated.Evaluation, pages: Iterable[str] | None = None) -> Steps[tuple[Case, ...]]:
        """The cases in queue order; of the named documents only, if named."""
        yield
        return tuple(_cases.cases(evaluation, None if pages is None else frozenset(pages)))

    def evidence(self, evaluation: _adjudicated.Evaluation, case: Case, occurrence: int = 0) -> tuple[Block, ...]:
        """What is shown of a case."""
        return _evidence.evidence(evaluation, case)

    def candidates(self, evaluation: _adjudicated.Evaluation, case: Case, occurrence: int = 0) -> tuple[str, ...]:
        """The ROWs that digit keys point to: none, a verdict is on the case's own pair."""
        return ()

    def judge(
        self,
        evaluation: _adjudicated.Evaluation,
        case: Case,
        verdict: str,
        *,
        targets: Sequence[str] = (),
        value: object = None,
        run: str | None = None,
    ) -> Judgement:
        """What a verdict says, checked."""
        return _cases.judge(evaluation, case, verdict, targets=targets, value=value, run=run)
