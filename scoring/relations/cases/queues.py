"""Doubts about the gold as cases: pairs whose label the voters do not confirm (`docs/campaign.md#adjudicating-the-gold`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from scoring.adjudication.cases import Case, Judgement, Occurrence, Status, in_queue_order
from scoring.adjudication.decisions import LogEntry
from scoring.foundations.problems import InputError
from scoring.relations.cases.adjudicated_gold import TASK, CaseSubject, Effect, Evaluation, row_content, row_of
from scoring.relations.inputs.gold import GoldPair, Reference
from scoring.relations.measures.evaluation import ScoredSubmission
from scoring.relations.measures.votes import MAJORITY, NO_MAJORITY, majority
from scoring.workspace.provenance import engine_fingerprint

DIFFERS, SPLIT, AT_ODDS, CONFIRMED = "gold differs", "gold split", "isAt without at", "gold confirmed"
QUEUES = (DIFFERS, SPLIT, AT_ODDS, CONFIRMED, "conflicts", "stale")
VERDICTS = ("stands", "true", "probable", "false", "unsure")
VERDICTS_OF = {"at": VERDICTS, "isAt": ("stands", "true", "false", "unsure")}
NEEDS = dict.fromkeys(VERDICTS, "")
"""What a verdict cannot do without: none of these needs anything."""
STALE = ("keep", "revisit")
"""What else can be said of a stale verdict."""

_ASKS = {"at": "was, at some time,", "isAt": "was, when this was published,"}


def cases(evaluation: Evaluation, pages: Collection[str] | None = None) -> list[Case]:
    """The cases in queue order; of the named documents only, where some are named.

    A case is a relation of a pair that the voters do not confirm, or one somebody gave a verdict on, or an `isAt`
    TRUE beside an `at` FALSE. Its leverage is the number of runs that disagree with the gold.
    """
    base = evaluation.base
    runs = {stem: base.automatic.of_reference(stem) for stem in base.voters}
    made = []
    for case, asked in base.asked.items():
        reference = base.material.references[f"{asked.stem}.jsonl"]
        pair = reference.pairs[asked.positions[-1]]
        if pages is not None and pair.document_id not in pages:
            continue
        queue = _queue(evaluation, reference, asked, case)
        if queue is not None:
            made.append(_case(evaluation, reference, asked, case, queue, runs[asked.stem]))
    for case, effect in evaluation.effects.items():
        if case not in base.asked and (pages is None or effect.entry.basis.get("page") in pages):
            made.append(_gone(case, effect))
    return in_queue_order(made)


def case_of(evaluation: Evaluation, case: str) -> Case:
    """The case of an id, whether the voters confirm its label or not.

    Raises:
        KeyError: no gold here is asked about under that id.
    """
    base = evaluation.base
    asked = base.asked[case]
    reference = base.material.references[f"{asked.stem}.jsonl"]
    queue = _queue(evaluation, reference, asked, case) or CONFIRMED
    return _case(evaluation, reference, asked, case, queue, base.automatic.of_reference(asked.stem))


def voter_labels(evaluation: Evaluation, asked: CaseSubject) -> tuple[str, ...]:
    """The voters' labels on what a case asks."""
    base = evaluation.base
    position = asked.positions[-1]
    return tuple(base.aligned[voter.stem].labels[asked.target][position] for voter in base.voters[asked.stem].chosen)


def _queue(evaluation: Evaluation, reference: Reference, asked: CaseSubject, case: str) -> str | None:
    """The queue of a case, None when there is nothing to ask. The gold as it is decides, so that a decided case stays in its queue."""
    labels = voter_labels(evaluation, asked)
    position = asked.positions[-1]
    pair = reference.pairs[position]
    if labels:
        vote, status = majority(labels)
        if status == NO_MAJORITY:
            return SPLIT
        if vote != pair.label(asked.target):
            return DIFFERS
    if asked.target == "isAt" and (
        (pair.isAt == "TRUE" and pair.at == "FALSE")
        or (evaluation.label(asked.stem, "isAt", position) == "TRUE" and evaluation.label(asked.stem, "at", position) == "FALSE")
    ):
        return AT_ODDS
    return CONFIRMED if case in evaluation.effects else None


def _case(
    evaluation: Evaluation, reference: Reference, asked: CaseSubject, case: str, queue: str, runs: Sequence[ScoredSubmission]
) -> Case:
    position = asked.positions[-1]
    pair = reference.pairs[position]
    gold = pair.label(asked.target)
    labels = voter_labels(evaluation, asked)
    vote, status = majority(labels)
    against = [run for run in runs if run.aligned.labels[asked.target][position] != gold]
    row = row_of(reference, position)
    effect = evaluation.effects.get(case)
    stale = effect is not None and bool(effect.stale)
    found = basis(evaluation, reference, asked, vote, status)
    return Case(
        id=case,
        task=TASK,
        queue=queue,
        page=pair.document_id,
        title=f"{named(pair.pers_mentions, pair.pers)} / {named(pair.loc_mentions, pair.loc)}: {asked.target}",
        question=question(pair, asked.target),
        suggestion=suggestion(queue, vote),
        verdicts=(*VERDICTS_OF[asked.target], *(STALE if stale else ())),
        occurrences=tuple(Occurrence(run.where, (row,)) for run in against) or (Occurrence(reference.stem, (row,)),),
        leverage=float(len(against)),
        targets=(row,),
        basis={**found, "entry": effect.entry} if effect is not None and stale else found,
        order=(reference.stem, pair.document, pair.number, asked.target),
        status=_status(evaluation, case),
        note=_note(evaluation, case, against),
    )


def _gone(case: str, effect: Effect) -> Case:
    """A stale verdict on a pair that is no longer in the gold."""
    entry = effect.entry
    pair, relation = ", ".join(entry.targets) or case, entry.basis.get("relation")
    return Case(
        id=case,
        task=TASK,
        queue="stale",
        page=str(entry.basis.get("page", "")),
        title=f"{pair}: {relation}" if relation else pair,
        question=f"{entry.verifier} said {entry.verdict} of a pair that is not in the gold any more. Take the verdict back?",
        suggestion=None,
        verdicts=("revisit",),
        occurrences=(),
        leverage=0.0,
        targets=entry.targets,
        basis={"entry": entry},
        order=("", 0, 0, case),
        status="stale",
        note=effect.stale,
    )


def suggestion(queue: str, vote: str | None) -> str | None:
    """The verdict the voters suggest; none where they are split or confirm the gold."""
    return vote.lower() if queue == DIFFERS and vote else None


def question(pair: GoldPair, target: str) -> str:
    """What is asked, in a sentence that sways nobody."""
    return f"Does the text say that {named(pair.pers_mentions, pair.pers)} {_ASKS[target]} at {named(pair.loc_mentions, pair.loc)}?"


def doubt(gold: str, labels: Sequence[str]) -> str:
    """Why it is asked: what the gold says and what the voters say."""
    vote, status = majority(labels)
    if not labels:
        return f"gold says {gold}, nobody votes"
    if status != MAJORITY or vote is None:
        return f"gold says {gold}, the {len(labels)} voters are split"
    return f"gold says {gold}, {labels.count(vote)} of {len(labels)} voters say {vote}"


def named(mentions: Sequence[str], entity: str) -> str:
    """What to call an entity: its first mention on one line, else its id."""
    return " ".join(mentions[0].split()) if mentions else entity


def _status(evaluation: Evaluation, case: str) -> Status:
    effect = evaluation.effects.get(case)
    if effect is None:
        return "open"
    return "conflict" if effect.conflict else "stale" if effect.stale else "decided"


def _note(evaluation: Evaluation, case: str, against: Sequence[ScoredSubmission]) -> str:
    effect = evaluation.effects.get(case)
    if effect is None:
        return ""
    if effect.stale or effect.conflict:
        return effect.stale or "verifiers disagree"
    seen = effect.entry.basis.get("occurrences")
    fresh = len(against) - seen if isinstance(seen, int) else 0
    return f"{fresh} more runs disagree with the gold since the verdict" if fresh > 0 else ""


def basis(evaluation: Evaluation, reference: Reference, asked: CaseSubject, vote: str | None, status: str) -> dict[str, object]:
    """What the log keeps of the evidence."""
    position = asked.positions[-1]
    pair = reference.pairs[position]
    gold = pair.label(asked.target)
    content = row_content(reference, position, asked.target)
    runs = evaluation.base.automatic.of_reference(asked.stem)
    spread = Counter(run.aligned.labels[asked.target][position] for run in runs)
    return {
        "page": pair.document_id,
        "reference": asked.stem,
        "pers_entity_id": pair.pers,
        "loc_entity_id": pair.loc,
        "relation": asked.target,
        "gold_label": gold,
        "vote": vote,
        "vote_status": status,
        "voters": [voter.submission for voter in evaluation.base.voters[asked.stem].chosen],
        "all_runs": dict(sorted(spread.items())),
        "occurrences": sum(count for label, count in spread.items() if label != gold),
        "content": content,
        "rows": {row_of(reference, position): content},
        "engine": engine_fingerprint(),
    }


def judge(
    evaluation: Evaluation, case: Case, verdict: str, *, targets: Iterable[str] = (), value: object = None, run: str | None = None
) -> Judgement:
    """What a verdict says of a gold label, checked.

    Raises:
        InputError: a verdict this relation cannot have, a pointer to another row, a proposed text, or a single run.
    """
    asked = evaluation.base.asked.get(case.id)
    if asked is None:
        raise InputError(f"there is no case {case.id} in this campaign")
    if verdict not in VERDICTS_OF[asked.target]:
        raise InputError(f"`{verdict}` is no verdict on `{asked.target}`", hint=f"verdicts are {', '.join(VERDICTS_OF[asked.target])}")
    if any(target not in case.targets for target in targets):
        raise InputError("a verdict on the gold points to its own pair alone", hint="leave --to out")
    if value not in (None, ""):
        raise InputError("a verdict on the gold carries no text", hint="give a reason with --note")
    if run is not None:
        raise InputError("a gold label holds for all runs", hint="leave --run out")
    grounds = {key: value for key, value in case.basis.items() if key != "entry"}
    return Judgement(case.id, verdict, case.targets, None, "reading", None, grounds)


def kept(evaluation: Evaluation, entry: LogEntry) -> Judgement:
    """What a stale verdict says when it is said of the gold label as it is now.

    Raises:
        InputError: the pair is not in the gold any more, or the verdict is none of its relation.
    """
    if entry.case not in evaluation.base.asked:
        raise InputError("the pair judged is not in this gold any more", hint="revisit the verdict instead")
    return judge(evaluation, case_of(evaluation, entry.case), entry.verdict)
