"""The official diagnostics of a run, rendered fast (`docs/hipe-behaviour.md#diagnostics`, `docs/hipe-behaviour.md#diagnostic-metrics`).

The text of a document is the same in every run's file, so what does not depend on the run is rendered once per
reference and only labels and explanations are put in between.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import Any

from scoring.relations.inputs.file_names import Mode, SubmissionName, diagnostics_targets
from scoring.relations.inputs.gold import AlignedLabels, Reference
from scoring.relations.measures.run_scores import in_mode

_DOCUMENT_KEYS = ("document_id", "media", "source", "date", "language", "text")
_LIST_KEYS = ("pers_mentions_list", "loc_mentions_list")
_PAIR_KEYS = ("pers_entity_id", "pers_wikidata_QID", "pers_mentions_list", "loc_entity_id", "loc_wikidata_QID", "loc_mentions_list")
_METRIC_LABELS = {"at": ("TRUE", "PROBABLE", "FALSE"), "isAt": ("TRUE", "FALSE")}
_BOOLEANS = {True: "true", False: "false"}


def json_text(value: Any, *, sort_keys: bool = False) -> str:
    """JSON as the official files have it: two blanks a level, non-ASCII kept, a final newline."""
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=sort_keys) + "\n"


def _indented(value: Any, blanks: int) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False).replace("\n", "\n" + " " * blanks)


@dataclass(frozen=True, slots=True)
class DiagnosticsTemplate:
    """What every diagnostics file of a reference has in common: `heads[i]` goes before pair i, `tail` after the last one."""

    mode: Mode
    heads: tuple[str, ...]
    golds: tuple[tuple[str, str], ...]
    tail: str


def skeleton(reference: Reference, mode: Mode) -> DiagnosticsTemplate:
    """Render the common part of a reference's diagnostics."""
    gold = in_mode(reference.gold, mode)
    heads: list[str] = []
    pending = "["
    index = 0
    for position, document in enumerate(reference.documents):
        pending += ",\n  {" if position else "\n  {"
        for key in _DOCUMENT_KEYS:
            pending += f'\n    "{key}": {_indented(document.get(key), 4)},'
        pairs = document["sampled_pairs"]
        if not pairs:
            pending += '\n    "sampled_pairs": []\n  }'
            continue
        pending += '\n    "sampled_pairs": ['
        for number, pair in enumerate(pairs):
            pending += ",\n      {" if number else "\n      {"
            for key in _PAIR_KEYS:
                value = pair.get(key, [] if key in _LIST_KEYS else None)
                pending += f'\n        "{key}": {_indented(value, 8)},'
            heads.append(f'{pending}\n        "at": "{gold["at"][index]}",\n        "SYS_at": "')
            pending = "\n      }"
            index += 1
        pending += "\n    ]\n  }"
    tail = pending + ("\n]\n" if reference.documents else "]\n")
    return DiagnosticsTemplate(mode, tuple(heads), tuple(zip(gold["at"], gold["isAt"], strict=True)), tail)


def diagnostics_text(common: DiagnosticsTemplate, aligned: AlignedLabels) -> str:
    """The diagnostics file of a run, `<stem>.diagnostics.json`.

    `CORRECT` needs both relations right even where `isAt` is not evaluated, as the official file has it (`docs/hipe-behaviour.md#bug-14`).
    """
    said = in_mode(aligned.labels, common.mode)
    parts: list[str] = []
    rows = zip(
        common.heads,
        common.golds,
        said["at"],
        said["isAt"],
        aligned.explanations["at"],
        aligned.explanations["isAt"],
        strict=True,
    )
    for head, (gold_at, gold_is_at), at, is_at, at_why, is_at_why in rows:
        at_right, is_at_right = at == gold_at, is_at == gold_is_at
        parts.append(
            f'{head}{at}",\n        "CORRECT_at": {_BOOLEANS[at_right]},\n        "SYS_at_explanation": {_text(at_why)},\n'
            f'        "isAt": "{gold_is_at}",\n        "SYS_isAt": "{is_at}",\n        "CORRECT_isAt": {_BOOLEANS[is_at_right]},\n'
            f'        "SYS_isAt_explanation": {_text(is_at_why)},\n        "CORRECT": {_BOOLEANS[at_right and is_at_right]}'
        )
    parts.append(common.tail)
    return "".join(parts)


def _text(value: object) -> str:
    """A JSON value; explanations of files the schema refuses may be anything."""
    if value is None:
        return "null"
    return encode_basestring(value) if isinstance(value, str) else _indented(value, 8)


def metrics(name: SubmissionName, reference: Reference, aligned: AlignedLabels, mode: Mode) -> dict[str, Any]:
    """The official diagnostic metrics of a run, `<stem>.diagnostic_metrics.json`: every pair of the reference as it stands."""
    gold, said = in_mode(reference.gold, mode), in_mode(aligned.labels, mode)
    return {
        "submission": name.file,
        "reference": name.reference_file,
        "team": name.team,
        "dataset": reference.name.dataset,
        "split": reference.name.split,
        "language": reference.name.language,
        "run": name.run,
        "at_label_mode": mode,
        "confusion_matrices": {
            target: official_matrix(gold[target], said[target], _metric_labels(target, mode))
            for target in diagnostics_targets(reference.name.dataset)
        },
    }


def _metric_labels(target: str, mode: Mode) -> tuple[str, ...]:
    return ("TRUE", "FALSE") if target == "at" and mode == "BINARY" else _METRIC_LABELS[target]


def official_matrix(gold: Sequence[str], said: Sequence[str], labels: tuple[str, ...]) -> dict[str, Any]:
    """A confusion matrix with its figures; F1 comes from the already rounded precision and recall (`docs/hipe-behaviour.md#bug-16`)."""
    cells = Counter(zip(gold, said, strict=True))
    matrix = [[cells[truth, answer] for answer in labels] for truth in labels]
    total = sum(map(sum, matrix))
    per_label: dict[str, Any] = {}
    for index, label in enumerate(labels):
        right, support, answered = matrix[index][index], sum(matrix[index]), sum(row[index] for row in matrix)
        precision, recall = _rounded(right, answered), _rounded(right, support)
        per_label[label] = {
            "precision": precision,
            "recall": recall,
            "f1": round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0,
            "support": support,
            "true_positive": right,
            "false_positive": answered - right,
            "false_negative": support - right,
        }
    return {
        "labels": list(labels),
        "matrix": matrix,
        "rows": "gold",
        "columns": "prediction",
        "total": total,
        "table": [{"gold": truth} | {f"pred_{answer}": cells[truth, answer] for answer in labels} for truth in labels],
        "accuracy": _rounded(sum(matrix[index][index] for index in range(len(labels))), total),
        "per_label": per_label,
    }


def _rounded(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
