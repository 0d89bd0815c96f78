"""The tables task behind the verbs every task has (`docs/architecture.md#tasks`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from scoring.adjudication.cases import Block, Case, FieldValue, Grid, Judgement, Occurrence, RuleDraft
from scoring.adjudication.decisions import NO_DECISIONS, Decisions, Key, LogEntry
from scoring.foundations.incremental import Steps
from scoring.tables.cases import f1_band as _band
from scoring.tables.cases import queues as _cases
from scoring.tables.check import require_sound_rules
from scoring.tables.display import effects as _effects
from scoring.tables.display import effects_table as _effects_table
from scoring.tables.display import evidence as _evidence
from scoring.tables.display import missed_places as _missed
from scoring.tables.display import overview as _overview
from scoring.tables.display import pairing_margin as _margin
from scoring.tables.display.side_by_side import SideBySide, side_by_side
from scoring.tables.execution import evaluation as _evaluation
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.figures import levels as _figures
from scoring.tables.inputs import material as _material
from scoring.tables.inputs.material import Material
from scoring.tables.verdicts import field_verdicts as _field_verdicts
from scoring.tables.verdicts import log_basis as _log_basis
from scoring.tables.verdicts import targets as _targets
from scoring.tables.verdicts import validation as _validation
from scoring.workspace.layout import Workspace


class TablesTask:
    """Records of pages against ground truth."""

    name = "tables"
    queues: tuple[str, ...] = _cases.QUEUES
    verdicts: tuple[str, ...] = _cases.VERDICTS

    def present(self, workspace: Workspace) -> bool:
        """Whether the workspace holds material of this task."""
        return workspace.gt.is_dir()

    def load(self, workspace: Workspace, *, progress: _evaluation.Progress | None = None) -> Material:
        """Read the material. `InputError` also where the rules have an error: half the rules are never applied."""
        material = _material.load(workspace, progress=progress)
        require_sound_rules(material)
        return material

    def evaluate(
        self,
        material: Material,
        decisions: Decisions = NO_DECISIONS,
        *,
        automatic: Evaluation | None = None,
        progress: _evaluation.Progress | None = None,
    ) -> Evaluation:
        """Score the material under the decisions, on all processors; page scores are kept for the next time."""
        if automatic is not None:
            return _evaluation.evaluate(material, decisions, automatic=automatic, progress=progress)
        return _evaluation.evaluate_workspace(material, decisions, progress=progress)

    def reevaluation(self, evaluation: Evaluation, decisions: Decisions, changed: Mapping[str, Collection[Key]]) -> Steps[Evaluation]:
        """The evaluation under changed decisions, in short steps; `changed` names the keys that changed on each page."""
        return _evaluation.reevaluation(evaluation, decisions, changed)

    def gathering(self, evaluation: Evaluation, pages: Iterable[str] | None = None) -> Steps[tuple[Case, ...]]:
        """The cases in queue order, in short steps; of the named pages only, if named."""
        return _cases.gathering(evaluation, pages)

    def bands(self, evaluation: Evaluation) -> Steps[_band.Bands]:
        """The low and high of the adjudicated F1 of cells, runs and pages, in short steps."""
        return _band.banding(evaluation)

    def overview(self, evaluation: Evaluation, bands: _band.Bands | None = None) -> tuple[Block, ...]:
        """The task at a glance."""
        return _overview.overview(evaluation, bands)

    def figures(self, evaluation: Evaluation, path: Sequence[str] = (), bands: _band.Bands | None = None) -> tuple[Grid, tuple[Block, ...]]:
        """The figures at a path: a table whose lines lead further down, and what stands beside it."""
        return _figures.figures(evaluation, path, bands)

    def behind(self, evaluation: Evaluation, path: Sequence[str] = ()) -> tuple[LogEntry, ...]:
        """The log entries behind the adjudicated figures at a path."""
        return _figures.entries_behind(evaluation, path)

    def evidence(
        self, evaluation: Evaluation, case: Case, occurrence: int = 0, *, blind: bool = False, pointed: Sequence[str] = ()
    ) -> tuple[Block, ...]:
        """What is shown of a case, of the rows pointed to; digit keys point to the lines of its numbered grid.

        Blind, without what would sway the verdict.
        """
        return _evidence.evidence(evaluation, case, occurrence, blind=blind, pointed=pointed)

    def rows_of_page(self, evaluation: Evaluation, case: Case, occurrence: int = 0, *, blind: bool = False) -> Grid:
        """Every row of the page that a verdict on the case could point to."""
        return _targets.rows_of_page(evaluation, case, occurrence, blind=blind)

    def effects(
        self, evaluation: Evaluation, case: Case, occurrence: int = 0, targets: Sequence[str] = (), run: str | None = None
    ) -> Steps[tuple[Block, ...]]:
        """What each verdict would change, what would flip the pairing, and every model's reading of the GT row, in short steps.

        The verdict narrowed to `run`, if one is named.
        """
        found = yield from _effects.effects(evaluation, case, occurrence, targets, run)
        blocks: list[Block] = []
        if found:
            cell = evaluation.prepared.runs[case.occurrences[min(occurrence, len(case.occurrences) - 1)].run].cell
            blocks.append(_effects_table.effects_grid(found, " ".join(cell), evaluation.as_scored.of_cell(*cell).counts))
        yield
        pairing = _margin.flips(evaluation, case, occurrence, targets) if case.occurrences else None
        if pairing is not None:
            blocks.append(pairing)
        yield
        stack = _evidence.stacked_readings(evaluation, case, occurrence, targets)
        return (*blocks, stack) if stack is not None else tuple(blocks)

    def judge(
        self,
        evaluation: Evaluation,
        case: Case,
        verdict: str,
        *,
        targets: Sequence[str] = (),
        value: object = None,
        run: str | None = None,
        field: str = "",
        occurrence: int = 0,
    ) -> Judgement:
        """What a verdict says, checked, with the occurrence shown; a doubt with a field is about that value of the GT row."""
        return _validation.judge(evaluation, case, verdict, targets=targets, value=value, run=run, field=field, occurrence=occurrence)

    def values(self, evaluation: Evaluation, case: Case, occurrence: int = 0, targets: Sequence[str] = ()) -> tuple[FieldValue, ...]:
        """The fields of the rows of a case, which a doubt or a rule may name; none where it has no GT row."""
        return _field_verdicts.field_values(evaluation, case, occurrence, targets)

    def kept(self, evaluation: Evaluation, entry: LogEntry) -> Judgement:
        """What a stale verdict says when it is said of the rows as they are now."""
        return _validation.kept(evaluation, entry)

    def bounded(self, evaluation: Evaluation, case: Case) -> tuple[tuple[LogEntry, Judgement], ...]:
        """The verdicts that cover occurrences new since, and what each says once it leaves them out."""
        return _log_basis.bounded(evaluation, case)

    def places_left(self, evaluation: Evaluation, case: Case, judged: Judgement) -> tuple[Occurrence, ...] | None:
        """The places in which a record is still missed after the judgement; `None` where it answers the case."""
        return _missed.places_left(evaluation, case, judged)

    def written(self, evaluation: Evaluation, case: Case) -> tuple[str, ...]:
        """Under which other ids the log has verdicts on the case: those it had under other rules, or that answer it from elsewhere."""
        return evaluation.binding.of_page(case.page).written.get(case.id, ())

    def draft(
        self, evaluation: Evaluation, case: Case, field: str = "", occurrence: int = 0, targets: Sequence[str] = ()
    ) -> RuleDraft | None:
        """The equivalence that would make the two names of a case one (or its two values of a field); `None` where it has no two names."""
        return _validation.draft(evaluation, case, field, occurrence, targets)

    def side_by_side(self, evaluation: Evaluation, run: str, page: str, cases: dict[str, Case]) -> SideBySide:
        """One page of one run, ground truth beside the answer, with the books of the page."""
        return side_by_side(evaluation, run, page, cases)
