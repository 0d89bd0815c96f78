"""Small material of the tables task, made in memory: pages, runs and rules as values, and verdicts given on its cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scoring.adjudication.cases import Case, Occurrence
from scoring.adjudication.decisions import NO_DECISIONS, Decisions, LogEntry
from scoring.rules import NO_RULES_FILE, EquivalenceRow, IgnoreRow, Rules
from scoring.tables.cases.queues import cases, located
from scoring.tables.decisions.application import CaseKey
from scoring.tables.execution.evaluation import Evaluation, evaluate
from scoring.tables.inputs.material import GTPage, Material, Row, Run, RunPage
from scoring.tables.verdicts.validation import judge
from scoring.workspace.layout import Workspace
from scoring.workspace.schema import Field, Schema
from scoring.workspace.settings import Settings

SCHEMA = Schema(
    (
        Field("name", "name"),
        Field("title", "text", "wrong"),
        Field("arrival_date", "date"),
        Field("place_of_origin", "place"),
        Field("children_count", "count"),
        Field("with_spouse", "flag"),
    ),
    ("name",),
)

QUONDAM = tuple((form, "qm") for form in ("q.m", "q. m.", "qm", "q", "q(uonda)m", "q(uondam)", "quondam"))
TITLES = (("il", "leading"), ("barone", "leading"), ("conte", "leading"), ("di {place_of_origin}", "trailing"))

Given = str | Mapping[str, str]
"""A row: its name, or its values by field."""


def rows(given: Iterable[Given], schema: Schema = SCHEMA) -> tuple[Row, ...]:
    """Rows numbered from 1; fields not given are blank."""
    blank = dict.fromkeys(schema.names, "")
    key = schema.key[0]
    return tuple(Row(at, blank | ({key: one} if isinstance(one, str) else dict(one))) for at, one in enumerate(given, 1))


def rules(
    names: Sequence[tuple[str, str]] = (), steps: Sequence[tuple[str, str]] = (), fields: Sequence[tuple[str, str, str]] = ()
) -> Rules:
    """Settled rules: equivalences of the name, its ignore rules (token, position), equivalences of fields (form, canonical, field)."""
    equivalences = [(form, canonical, "name") for form, canonical in names] + list(fields)
    return Rules(
        ignores=tuple(IgnoreRow(at, token, ("name",), position, "model", "settled") for at, (token, position) in enumerate(steps, 10)),  # type: ignore[arg-type]
        equivalences=tuple(
            EquivalenceRow(at, form, canonical, (field,), "settled") for at, (form, canonical, field) in enumerate(equivalences, 100)
        ),
    )


def material(
    gt: Mapping[str, Iterable[Given]],
    runs: Mapping[str, Mapping[str, Iterable[Given] | str]],
    *,
    made_with: Rules = NO_RULES_FILE,
    settings: Settings | None = None,
    schema: Schema = SCHEMA,
) -> Material:
    """Material of these pages and of these runs (`MODEL/PHASE/RUN`: page -> rows, or `failed`); a page not given is missing."""
    pages = tuple(GTPage(page, rows(given, schema), f"gt/gt_page_{page}.csv") for page, given in gt.items())
    made = []
    for key, answers in runs.items():
        model, phase, name = key.split("/")
        read: dict[str, RunPage] = {}
        for page in gt:
            answer = answers.get(page)
            if answer is None:
                read[page] = RunPage(page, "missing", ())
            elif isinstance(answer, str):
                read[page] = RunPage(page, "failed", (), answer)
            else:
                read[page] = RunPage(page, "ok", rows(answer, schema))
        made.append(Run(model, phase, name, read))
    settings = settings or Settings()
    return Material(Workspace(Path("nowhere"), settings), schema, settings, made_with, pages, tuple(made), ())


def one(gt: Iterable[Given], answer: Iterable[Given], **more: Any) -> Material:
    """One page `1` and one run `a/n/1`."""
    return material({"1": gt}, {"a/n/1": {"1": answer}}, **more)


def scored(gt: Iterable[Given], answer: Iterable[Given], **more: Any) -> Evaluation:
    """`one`, evaluated without decisions."""
    return evaluate(one(gt, answer, **more))


def nth(number: int) -> str:
    """The id of the nth entry."""
    return f"0199d2c4-{number >> 16:04x}-7{number & 0xFFF:03x}-8000-{number:012x}"


class Bench:
    """Material, the log's entries so far, and the evaluation under them, worked out from scratch at every look."""

    def __init__(self, made: Material) -> None:
        self.material = made
        self.entries: list[LogEntry] = []

    @property
    def decisions(self) -> Decisions:
        return Decisions.of(self.entries) if self.entries else NO_DECISIONS

    @property
    def evaluation(self) -> Evaluation:
        return evaluate(self.material, self.decisions)

    @property
    def cases(self) -> tuple[Case, ...]:
        return cases(self.evaluation)

    def case(self, queue: str, title: str, **wanted: Any) -> Case:
        """The one case of a queue with that title."""
        found = [
            case
            for case in self.cases
            if case.queue == queue and case.title == title and all(getattr(case, name) == value for name, value in wanted.items())
        ]
        assert len(found) == 1, (queue, title, [(case.queue, case.title, case.status) for case in self.cases])
        return found[0]

    def give(self, case: Case, verdict: str, *targets: str, by: str = "mp", kind: str = "human", **more: Any) -> LogEntry:
        """Give a verdict on a case."""
        resolves = more.pop("resolves", None)
        judged = judge(self.evaluation, case, verdict, targets=targets, **more)
        entry = entry_of(judged, len(self.entries) + 1, by, kind=kind, resolves=resolves)
        self.entries.append(entry)
        return entry

    def say(self, gt: str, verdict: str, model: str, **more: Any) -> LogEntry:
        """Say something of any pair of rows, whether a queue asks about it or not."""
        evaluation = self.evaluation
        page, row = located(evaluation.prepared, gt)
        key = CaseKey(page, "gt", anchor=evaluation.prepared.pages[page].anchors[row])
        run = model.split(":")[1]
        case = Case(key.id, "tables", "unmatched", page, "", "", None, (), (Occurrence(run, (gt,)),), 0.0, basis={"key": key})
        return self.give(case, verdict, model, **more)

    def retract(self, entry: LogEntry) -> None:
        """Take a verdict back."""
        self.entries.append(
            LogEntry(
                id=nth(len(self.entries) + 1),
                at="2026-11-29T22:10:05.123Z",
                verifier=entry.verifier,
                task=entry.task,
                case=entry.case,
                verdict="retract",
                scope=entry.scope,
                run=entry.run,
                retracts=entry.id,
            )
        )

    def under(self, **changed: Any) -> Bench:
        """The same log read with other material: `pages`, `runs`, `rules` or `settings` changed."""
        other = Bench(replace(self.material, **changed))
        other.entries = list(self.entries)
        return other


def entry_of(judged: Any, number: int, verifier: str = "mp", *, kind: str = "human", resolves: tuple[str, ...] | None = None) -> LogEntry:
    """The log entry a judgement makes."""
    return LogEntry(
        id=nth(number),
        at="2026-11-29T22:10:05.123Z",
        verifier=verifier,
        by=kind,  # type: ignore[arg-type]
        task="tables",
        case=judged.case,
        verdict=judged.verdict,
        targets=judged.targets,
        value=judged.value,
        scope=judged.scope,
        run=judged.run,
        basis=dict(judged.basis),
        resolves=resolves,
    )
