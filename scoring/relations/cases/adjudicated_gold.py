"""The gold under the verifiers' decisions, and the campaign scored under it (`docs/campaign.md#adjudicating-the-gold`).

A verdict is a statement on one relation of one pair. It replaces that gold label and nothing else; the same
function scores the campaign with it and without.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scoring.adjudication.decisions import NO_DECISIONS, Decisions, Key, LogEntry
from scoring.foundations.hashing import content_hash
from scoring.relations.cases.gold_votes import relation_case
from scoring.relations.inputs.campaign_settings import CampaignSettings
from scoring.relations.inputs.file_names import Mode, answers
from scoring.relations.inputs.gold import AlignedLabels, Reference
from scoring.relations.inputs.material import Material, Progress
from scoring.relations.measures.evaluation import Scores, aligned_runs, score_campaign
from scoring.relations.measures.rankings import RankingTable, tables
from scoring.relations.measures.run_scores import Labels
from scoring.relations.measures.votes import Voters, choose

TASK, PREFIX = "relations", "r"
STANDS, UNSURE = "stands", "unsure"
GONE = "no gold here has the pair that was judged"
LABEL_OF = {"true": "TRUE", "probable": "PROBABLE", "false": "FALSE"}


@dataclass(frozen=True, slots=True)
class CaseSubject:
    """What a case is about: a relation of a pair of a reference, and every position at which the gold holds that pair."""

    stem: str
    target: str
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """A verdict in force: the label it gives, None where it leaves the gold as it is (`unsure`), or why it does not apply."""

    entry: LogEntry
    label: str | None
    stale: str = ""
    conflict: bool = False

    @property
    def applies(self) -> bool:
        return not self.stale and not self.conflict


@dataclass(frozen=True, slots=True)
class Base:
    """What does not depend on decisions: the runs beside the gold, their scores, the voters, and what each case id asks."""

    material: Material
    aligned: Mapping[str, AlignedLabels] = field(repr=False)
    automatic: Scores = field(repr=False)
    tables: tuple[RankingTable, ...] = field(repr=False)
    voters: Mapping[str, Voters]
    asked: Mapping[str, CaseSubject] = field(repr=False)

    def table(self, file: str) -> RankingTable | None:
        """An official table of the automatic scores."""
        return next((table for table in self.tables if table.file == file), None)


@dataclass(frozen=True)
class Evaluation:
    """A campaign as scored (`base.automatic`) and as adjudicated."""

    base: Base
    decisions: Decisions
    effects: Mapping[str, Effect]

    @property
    def material(self) -> Material:
        return self.base.material

    @cached_property
    def gold(self) -> Mapping[str, Labels]:
        """The gold labels under the verdicts, by reference stem; a reference without a changed label is not in it."""
        changed: dict[str, dict[str, list[str]]] = {}
        for case, effect in self.effects.items():
            if not effect.applies or effect.label is None:
                continue
            asked = self.base.asked[case]
            labels = changed.get(asked.stem) or self.base.material.references[f"{asked.stem}.jsonl"].gold
            changed[asked.stem] = labels
            for position in asked.positions:
                labels[asked.target][position] = effect.label
        originals = {stem: self.base.material.references[f"{stem}.jsonl"].gold for stem in changed}
        return {stem: labels for stem, labels in changed.items() if labels != originals[stem]}

    @cached_property
    def adjudicated(self) -> Scores:
        """All runs scored under the adjudicated gold; the automatic scores themselves where no label changed."""
        if not self.gold:
            return self.base.automatic
        return score_campaign(self.material, self.base.aligned, self.base.automatic.mode, self.gold)

    def label(self, stem: str, target: str, position: int) -> str:
        """A gold label as adjudicated."""
        if stem in self.gold:
            return self.gold[stem][target][position]
        return self.material.references[f"{stem}.jsonl"].pairs[position].label(target)

    def stale(self) -> list[Effect]:
        """Verdicts that do not apply any more, with their cause."""
        return [effect for effect in self.effects.values() if effect.stale]

    def conflicts(self) -> list[Effect]:
        """Verdicts that contradict each other."""
        return [effect for effect in self.effects.values() if effect.conflict]


def row_of(reference: Reference, position: int) -> str:
    """A gold pair as log lines name it: `gt:REFERENCE/DOCUMENT:PAIR`, pairs from 1."""
    pair = reference.pairs[position]
    return f"gt:{reference.stem}/{pair.document_id}:{pair.number}"


def row_content(reference: Reference, position: int, target: str) -> str:
    """What a verdict rests on: the text, the mentions and the gold label judged, as one hash."""
    pair = reference.pairs[position]
    text = reference.documents[pair.document]["text"]
    return content_hash([text, sorted(pair.pers_mentions), sorted(pair.loc_mentions), pair.label(target)])


def asked_of(material: Material) -> dict[str, CaseSubject]:
    """What each possible case id of a campaign asks: every evaluated relation of every gold pair."""
    found: dict[str, CaseSubject] = {}
    for reference in material.references.values():
        targets = material.cell(reference).targets
        positions: dict[tuple[str, str, str], list[int]] = {}
        for position, pair in enumerate(reference.pairs):
            positions.setdefault((pair.document_id, *pair.key), []).append(position)
        for places in positions.values():
            for target in targets:
                case = relation_case(reference.stem, reference.pairs[places[0]], target)
                found[case] = CaseSubject(reference.stem, target, tuple(places))
    return found


def voters_of(
    material: Material, official: Sequence[RankingTable], aligned: Mapping[str, AlignedLabels], settings: CampaignSettings
) -> dict[str, Voters]:
    """The runs that vote on each reference, by its stem; only runs that were scored against that reference."""
    by_file = {table.file: table for table in official}
    chosen: dict[str, Voters] = {}
    for reference in material.references.values():
        table = by_file.get(f"ranking-{reference.name.cell}.tsv")
        rows = [
            {**row, "rank": str(row["rank"])}
            for row in (table.rows if table else ())
            if answers(row.get("submission") or "", reference.stem) and row["submission"].removesuffix(".jsonl") in aligned
        ]
        chosen[reference.stem] = choose(rows, settings.voters, settings.voter_teams)
    return chosen


def base_of(
    material: Material, mode: Mode = "TERNARY", *, aligned: Mapping[str, AlignedLabels] | None = None, progress: Progress | None = None
) -> Base:
    """Score a campaign as it is and choose the voters."""
    laid = aligned if aligned is not None else aligned_runs(material, progress=progress)
    automatic = score_campaign(material, laid, mode)
    official = tables(automatic.records)
    return Base(material, laid, automatic, official, voters_of(material, official, laid, material.settings), asked_of(material))


def evaluate(base: Base, decisions: Decisions = NO_DECISIONS) -> Evaluation:
    """The campaign under the decisions; without any, the result is the automatic one."""
    effects = {}
    for task, case, _ in decisions.standing:
        if task == TASK and (effect := effect_of(base, decisions, case)) is not None:
            effects[case] = effect
    return Evaluation(base, decisions, effects)


def reevaluate(evaluation: Evaluation, decisions: Decisions, changed: Mapping[str, Collection[Key]]) -> Evaluation:
    """The evaluation under changed decisions; only the cases named are looked at again."""
    effects = dict(evaluation.effects)
    for task, case, _ in {key for keys in changed.values() for key in keys}:
        if task != TASK:
            continue
        effect = effect_of(evaluation.base, decisions, case)
        if effect is None:
            effects.pop(case, None)
        else:
            effects[case] = effect
    return Evaluation(evaluation.base, decisions, effects)


def effect_of(base: Base, decisions: Decisions, case: str) -> Effect | None:
    """What stands on a case and what it does; None when nothing stands. A verdict on a pair that no gold here has is stale."""
    standing = decisions.standing_of(TASK, case)
    if standing is None:
        return None
    entry = standing.entry
    asked = base.asked.get(case)
    if asked is None:
        return Effect(entry, None, stale=GONE)
    if standing.conflict:
        return Effect(entry, None, conflict=True)
    reference = base.material.references[f"{asked.stem}.jsonl"]
    cause = _cause(entry, reference, asked)
    if cause:
        return Effect(entry, None, stale=cause)
    if entry.verdict == UNSURE:
        return Effect(entry, None)
    current = reference.pairs[asked.positions[-1]].label(asked.target)
    label = current if entry.verdict == STANDS else LABEL_OF.get(entry.verdict)
    if label is None or (asked.target == "isAt" and label == "PROBABLE"):
        return Effect(entry, None, stale=f"`{entry.verdict}` is no verdict on `{asked.target}`")
    return Effect(entry, label)


def _cause(entry: LogEntry, reference: Reference, asked: CaseSubject) -> str:
    """Why a verdict no longer applies; empty when what it rests on is unchanged."""
    position = asked.positions[-1]
    seen, current = entry.basis.get("content"), row_content(reference, position, asked.target)
    if seen is None or seen == current:
        return ""
    label, now = entry.basis.get("gold_label"), reference.pairs[position].label(asked.target)
    if label is not None and label != now:
        return f"the gold label was {label} when this was judged and is {now} now"
    return "the document's text or the mentions have changed since this was judged"
