"""What a case on the gold shows: the text with the pair's mentions, the voters, all runs, the neighbours.

See `docs/campaign.md#adjudicating-the-gold`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scoring.adjudication.cases import Block, Case, Facts, Grid, Line, Passage
from scoring.relations.cases.adjudicated_gold import CaseSubject, Effect, Evaluation
from scoring.relations.cases.gold_votes import distribution_text
from scoring.relations.cases.passages import mention_spans
from scoring.relations.cases.queues import doubt, named, voter_labels
from scoring.relations.inputs.campaign_settings import FINAL
from scoring.relations.inputs.gold import GoldPair, Reference
from scoring.relations.measures.votes import majority

PERSON, PLACE, OTHER = "person", "place", "dimmed"


def evidence(evaluation: Evaluation, case: Case, *, blind: bool = False) -> tuple[Block, ...]:
    """The blocks of a case, in the order in which they are drawn. Blind, without gold, votes and teams."""
    stale = evaluation.effects.get(case.id)
    said = (_said(stale),) if stale is not None and stale.stale else ()
    if case.id not in evaluation.base.asked:
        return said
    asked = evaluation.base.asked[case.id]
    reference = evaluation.material.references[f"{asked.stem}.jsonl"]
    about, text = _facts(reference, asked), passage(reference, asked.positions[-1])
    if blind:
        return about, text
    return (
        *said,
        about,
        _doubt(evaluation, reference, asked),
        text,
        _voters(evaluation, asked),
        _all_runs(evaluation, reference, asked),
        _neighbours(evaluation, reference, asked),
    )


def _said(effect: Effect) -> Facts:
    """A stale verdict: what was said, by whom, and why it does not apply."""
    entry = effect.entry
    note = (("note", entry.note),) if entry.note else ()
    rows = (("said", entry.verdict), ("by", f"{entry.verifier}, {entry.at[:10]}"), *note, ("why it does not apply", effect.stale))
    return Facts("A verdict without its ground", rows)


def _facts(reference: Reference, asked: CaseSubject) -> Facts:
    pair = reference.pairs[asked.positions[-1]]
    document = reference.documents[pair.document]
    rows = (
        ("publication", f"{document['media']['publication_title']} ({document['media']['source_type']})"),
        ("date", str(document["date"] if document["date"] is not None else "none")),
        ("document", pair.document_id),
        ("person", f"{'; '.join(pair.pers_mentions)} ({pair.pers_qid or 'no Wikidata item'})"),
        ("place", f"{'; '.join(pair.loc_mentions)} ({pair.loc_qid or 'no Wikidata item'})"),
    )
    return Facts(f"Relation {asked.target}", rows)


def _doubt(evaluation: Evaluation, reference: Reference, asked: CaseSubject) -> Facts:
    """Why this is asked, and who votes."""
    position = asked.positions[-1]
    pair = reference.pairs[position]
    status, voters = evaluation.material.settings.status(reference.stem), evaluation.base.voters[asked.stem]
    rows = [
        ("asked because", doubt(pair.label(asked.target), voter_labels(evaluation, asked))),
        ("gold", f"at {pair.at}, isAt {pair.isAt}"),
    ]
    now = {target: evaluation.label(asked.stem, target, position) for target in ("at", "isAt")}
    if now != {"at": pair.at, "isAt": pair.isAt}:
        rows.append(("as adjudicated", f"at {now['at']}, isAt {now['isAt']}"))
    if now == {"at": "FALSE", "isAt": "TRUE"}:
        rows.append(("look again", "isAt TRUE beside at FALSE: who is there now has been there"))
    if status.status != FINAL or status.version:
        rows.append(("reference", " ".join(part for part in (reference.stem, status.version, f"({status.status})") if part)))
    runs = evaluation.base.automatic.of_reference(asked.stem)
    rows.append(("all runs", distribution_text([run.aligned.labels[asked.target][position] for run in runs])))
    rows.append(("who votes", f"{voters.choice}: {', '.join(f'{voter.team} {voter.run}' for voter in voters.chosen) or 'nobody'}"))
    if voters.tied:
        tied = ", ".join(f"{voter.team} {voter.run}" for voter in voters.tied)
        rows.append(("cut at a tie", f"{tied} (same rank as the last voter)"))
    return Facts("In doubt", tuple(rows))


def passage(reference: Reference, position: int) -> Passage:
    """The document's text with this pair's mentions, and those of its other pairs to be dimmed."""
    pair = reference.pairs[position]
    document = reference.documents[pair.document]
    text = document["text"]
    own = [(start, end, PERSON) for start, end in mention_spans(text, pair.pers_mentions)]
    own += [(start, end, PLACE) for start, end in mention_spans(text, pair.loc_mentions) if not _overlaps(start, end, own)]
    others = {
        mention for other in reference.pairs if other.document == pair.document for mention in (*other.pers_mentions, *other.loc_mentions)
    } - {*pair.pers_mentions, *pair.loc_mentions}
    dimmed = [(start, end, OTHER) for start, end in mention_spans(text, sorted(others)) if not _overlaps(start, end, own)]
    title = f"{document['media']['publication_title']}, {document['date'] if document['date'] is not None else 'no date'}"
    return Passage(title, text, tuple(sorted([*own, *dimmed])))


def _overlaps(start: int, end: int, spans: Sequence[tuple[int, int, str]]) -> bool:
    return any(start < other_end and other_start < end for other_start, other_end, _ in spans)


def _voters(evaluation: Evaluation, asked: CaseSubject) -> Facts:
    """Each voter's label and explanation, a paragraph each: an explanation must be read whole."""
    base, position = evaluation.base, asked.positions[-1]
    gold = base.material.references[f"{asked.stem}.jsonl"].pairs[position].label(asked.target)
    rows = []
    for voter in base.voters[asked.stem].chosen:
        run = base.aligned[voter.stem]
        label = run.labels[asked.target][position]
        why = run.explanations[asked.target][position] or ("not answered, so FALSE" if run.state[position] else "no explanation")
        rows.append((f"{'=' if label == gold else '≠'} {label}", f"{voter.team} {voter.run} (rank {voter.rank}): {why}"))
    return Facts("Voters", tuple(rows))


def _all_runs(evaluation: Evaluation, reference: Reference, asked: CaseSubject) -> Grid:
    runs = evaluation.base.automatic.of_reference(asked.stem)
    position = asked.positions[-1]
    gold = reference.pairs[position].label(asked.target)
    counts = Counter(run.aligned.labels[asked.target][position] for run in runs)
    labels = ("TRUE", "PROBABLE", "FALSE") if asked.target == "at" else ("TRUE", "FALSE")
    lines = []
    for label in labels:
        share = counts[label] / len(runs) if runs else 0.0
        lines.append(Line((label, str(counts[label]), f"{share:.0%}", "#" * round(share * 30)), "=" if label == gold else ""))
    return Grid(f"All {len(runs)} runs", (asked.target, "runs", "share", ""), tuple(lines))


def _neighbours(evaluation: Evaluation, reference: Reference, asked: CaseSubject) -> Grid:
    """The other pairs of the document with this person or this place, as the gold and the voters label them."""
    own = reference.pairs[asked.positions[-1]]
    lines = []
    for position, pair in enumerate(reference.pairs):
        if pair.document != own.document or pair.key == own.key or (pair.pers != own.pers and pair.loc != own.loc):
            continue
        mark = "p" if pair.pers == own.pers else "l"
        lines.append(Line((*_pair_cells(pair), *_labels(evaluation, reference, position)), mark))
    return Grid("Other pairs of this person (p) or this place (l)", ("person", "place", "at", "isAt", "voters' at"), tuple(lines))


def _pair_cells(pair: GoldPair) -> tuple[str, str]:
    return named(pair.pers_mentions, pair.pers), named(pair.loc_mentions, pair.loc)


def _labels(evaluation: Evaluation, reference: Reference, position: int) -> tuple[str, str, str]:
    base = evaluation.base
    votes = [base.aligned[voter.stem].labels["at"][position] for voter in base.voters[reference.stem].chosen]
    vote, _ = majority(votes)
    now = [evaluation.label(reference.stem, target, position) for target in ("at", "isAt")]
    return now[0], now[1], vote or "split"
