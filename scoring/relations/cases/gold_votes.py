"""The votes on a gold laid out for people: the rows of the validation workbook (`docs/hipe-behaviour.md#gold-check-workbook`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.adjudication.cases import case_id
from scoring.relations.cases.passages import context
from scoring.relations.inputs.file_names import Mode
from scoring.relations.inputs.gold import AlignedLabels, GoldPair, Reference
from scoring.relations.measures.run_scores import Labels, in_mode
from scoring.relations.measures.votes import MAJORITY, NO_MAJORITY, Voters, majority

DECISION_COLUMNS = ("decision", "reason")
OUR_COLUMNS = ("case", "all_runs", "pers_context", "loc_context")

Grid = list[list[object]]


@dataclass(frozen=True, slots=True)
class Flag:
    """A pair and relation where the voters do not confirm the gold: its position in the reference, the vote and each voter's label."""

    index: int
    target: str
    vote: str | None
    status: str
    labels: tuple[str, ...]


def relation_case(stem: str, pair: GoldPair, target: str) -> str:
    """The id of the case on one relation of one pair of a reference."""
    return case_id("r", stem, pair.document_id, pair.pers, pair.loc, target)


def flags(reference: Reference, targets: Sequence[str], runs: Sequence[Labels], gold: Labels) -> list[Flag]:
    """Every pair and relation, in gold order and `at` before `isAt`, where the majority of the runs' labels is not the gold label."""
    found = []
    for index in range(len(reference.pairs)):
        for target in targets:
            labels = tuple(run[target][index] for run in runs)
            vote, status = majority(labels)
            if status != MAJORITY or vote != gold[target][index]:
                found.append(Flag(index, target, vote, status, labels))
    return found


def sheets(
    reference: Reference,
    targets: Sequence[str],
    voters: Voters,
    aligned: Mapping[str, AlignedLabels],
    gold: Mapping[str, Sequence[str]],
    *,
    ours: bool = False,
    mode: Mode = "TERNARY",
) -> dict[str, Grid]:
    """The sheets of the workbook by name, header first.

    Args:
        reference: the gold file.
        targets: the relations evaluated on it.
        voters: the runs that vote.
        aligned: every scored run of this reference by submission stem; the voters must be among them.
        gold: the labels the vote is held against.
        ours: with the columns of our own workbook: the case, all runs' labels, the sentences, decision and reason.
        mode: the label mode of our own workbook; the official one knows none (`docs/hipe-behaviour.md#bug-18`).
            In BINARY nothing is decided: a gold
            label has three values, so there are no columns for it.
    """
    said = {stem: in_mode(run.labels, mode if ours else "TERNARY") for stem, run in aligned.items()}
    gold = in_mode(gold, mode if ours else "TERNARY")
    runs = [aligned[voter.stem] for voter in voters.chosen]
    flagged = flags(reference, targets, [said[voter.stem] for voter in voters.chosen], gold)
    name = reference.name
    header: list[object] = [
        "dataset", "split", "language", "document_id", "source", "date", "target", "gold_label", "vote_label", "vote_status",
        "pers_entity_id", "pers_wikidata_QID", "pers_mentions_list", "loc_entity_id", "loc_wikidata_QID", "loc_mentions_list",
    ]  # fmt: skip
    for number in range(1, len(voters.chosen) + 1):
        header += [f"system{number}_{column}" for column in ("team", "run", "submission", "label", "explanation")]
    if ours:
        header += OUR_COLUMNS + (DECISION_COLUMNS if mode == "TERNARY" else ())
    rows: Grid = [header]
    for flag in flagged:
        pair = reference.pairs[flag.index]
        document = reference.documents[pair.document]
        row: list[object] = [
            name.dataset, name.split, name.language, pair.document_id, document["source"], document["date"] or "", flag.target,
            gold[flag.target][flag.index], flag.vote or "", flag.status,
            pair.pers, pair.pers_qid or "", "; ".join(pair.pers_mentions), pair.loc, pair.loc_qid or "", "; ".join(pair.loc_mentions),
        ]  # fmt: skip
        for voter, run, label in zip(voters.chosen, runs, flag.labels, strict=True):
            row += [voter.team, voter.run, voter.submission, label, run.explanations[flag.target][flag.index] or ""]
        if ours:
            row += [
                relation_case(reference.stem, pair, flag.target),
                distribution_text([labels[flag.target][flag.index] for labels in said.values()]),
                context(document["text"], pair.pers_mentions),
                context(document["text"], pair.loc_mentions),
                *("" for _ in DECISION_COLUMNS if mode == "TERNARY"),
            ]
        rows.append(row)
    top: Grid = [["position", "team", "run", "submission"]]
    top += [[number, voter.team, voter.run, voter.submission] for number, voter in enumerate(voters.chosen, start=1)]
    summary: Grid = [["dataset", "split", "language", "target", "pairs", "flagged_rows", "no_majority_rows", "flagged_share"]]
    for target in targets:
        own = [flag for flag in flagged if flag.target == target]
        split = sum(flag.status == NO_MAJORITY for flag in own)
        pairs = len(reference.pairs)
        share = round(len(own) / pairs, 4) if pairs else 0.0
        summary.append([name.dataset, name.split, name.language, target, pairs, len(own), split, share])
    return {"mismatches": rows, "top_runs": top, "summary": summary}


def distribution_text(labels: Sequence[str]) -> str:
    """How all runs answered, in a few words: `TRUE 12, PROBABLE 3, FALSE 31 of 46`."""
    counts = Counter(labels)
    return ", ".join(f"{label} {counts[label]}" for label in ("TRUE", "PROBABLE", "FALSE") if counts[label]) + f" of {len(labels)}"
