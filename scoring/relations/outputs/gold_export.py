"""The adjudicated gold as a new reference file in the official schema (`docs/campaign.md#adjudicating-the-gold`)."""

from __future__ import annotations

import json
from dataclasses import dataclass

from scoring.relations.cases.adjudicated_gold import Evaluation
from scoring.relations.inputs.documents import numbered
from scoring.relations.inputs.gold import Reference


@dataclass(frozen=True, slots=True)
class ChangedLabel:
    """A gold label the verdicts changed."""

    document_id: str
    pers_entity_id: str
    loc_entity_id: str
    relation: str
    before: str
    after: str
    verifier: str
    note: str


def changed_labels(evaluation: Evaluation, reference: Reference) -> list[ChangedLabel]:
    """Every label of a reference that the verdicts changed, in gold order."""
    found: dict[tuple[int, str], ChangedLabel] = {}
    for case, effect in evaluation.effects.items():
        if not effect.applies or effect.label is None:
            continue
        asked = evaluation.base.asked[case]
        if asked.stem != reference.stem:
            continue
        for position in asked.positions:
            pair = reference.pairs[position]
            before = pair.label(asked.target)
            if before != effect.label:
                entry = effect.entry
                found[position, asked.target] = ChangedLabel(
                    pair.document_id, pair.pers, pair.loc, asked.target, before, effect.label, entry.verifier, entry.note or ""
                )
    return [found[key] for key in sorted(found)]


def gold_text(evaluation: Evaluation, reference: Reference) -> str:
    """The reference file with the adjudicated labels. Lines without a change are kept character for character."""
    labels = evaluation.gold.get(reference.stem)
    if labels is None:
        return "".join(reference.file.lines)
    unsound = {fault.line for fault in reference.file.faults}
    rewritten: dict[int, str] = {}
    position = 0
    for number, line in numbered(reference.file.lines):
        if number in unsound:
            continue
        document = json.loads(line)
        changed = False
        for pair in document["sampled_pairs"]:
            for target in ("at", "isAt"):
                if labels[target][position] != (pair[target] or "FALSE"):
                    pair[target] = labels[target][position]
                    changed = True
            position += 1
        if changed:
            rewritten[number] = json.dumps(document, ensure_ascii=False) + ("\n" if line.endswith("\n") else "")
    return "".join(rewritten.get(number, line) for number, line in enumerate(reference.file.lines, start=1))
