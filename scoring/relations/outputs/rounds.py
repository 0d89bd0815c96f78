"""The files of a campaign under the verifiers' gold, and the rounds kept of it (`docs/campaign.md#rounds-and-snapshots`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scoring.foundations.problems import InputError
from scoring.relations.cases.adjudicated_gold import Evaluation
from scoring.relations.inputs.material import CampaignPaths
from scoring.relations.measures.diagnostics import json_text
from scoring.relations.measures.rankings import RankingTable, safe_tsv, tables
from scoring.relations.outputs.changes import RankMove, checked_snapshot, rows_of, table_moves
from scoring.relations.outputs.gold_export import changed_labels
from scoring.relations.outputs.result_files import Outputs

MOVE_COLUMNS = ("table", "team", "run", "rank_before", "rank_after", "score_before", "score_after")
CHANGE_COLUMNS = ("reference", "document_id", "pers_entity_id", "loc_entity_id", "relation", "before", "after", "verifier", "note")


def adjudicated_files(outputs: Outputs, evaluation: Evaluation) -> list[RankMove]:
    """Write scores and rankings under the adjudicated gold to `results.d/ours/adjudicated/`, and give what moved."""
    folder = outputs.places.ours / "adjudicated"
    scores = evaluation.adjudicated
    for record in scores.records:
        path = folder / "per-run" / f"{record.submission.removesuffix('.jsonl')}.json"
        outputs.write("adjudicated", path, json_text(record.as_json(), sort_keys=True))
    official = tables(scores.records)
    for table in official:
        outputs.write("adjudicated", folder / "system-rankings" / table.file, table.tsv())
    moves = table_moves(rows_of(evaluation.base.tables), rows_of(official))
    rows = tuple({column: getattr(move, column) for column in MOVE_COLUMNS} for move in moves)
    outputs.write("adjudicated", folder / "moved.tsv", safe_tsv(RankingTable("moved.tsv", MOVE_COLUMNS, rows)))
    changes = tuple(
        {"reference": reference.stem, **{name: getattr(change, name) for name in change.__slots__}}
        for reference in evaluation.material.references.values()
        for change in changed_labels(evaluation, reference)
    )
    outputs.write("adjudicated", folder / "changed-labels.tsv", safe_tsv(RankingTable("changed-labels.tsv", CHANGE_COLUMNS, changes)))
    return moves


def snapshot_file(where: CampaignPaths, name: str) -> Path:
    """Where a round of that name is kept.

    Raises:
        InputError: the name is none for a file.
    """
    if not name or name.startswith(".") or any(not (character.isalnum() or character in "-_.") for character in name):
        raise InputError(f"{name!r} is no name for a round", hint="letters, digits, `-`, `_` and `.` are allowed")
    return where.folder / "snapshots" / f"{name}.json"


def read_snapshot(where: CampaignPaths, name: str) -> dict[str, Any]:
    """A round read back, by its name or the path of its file.

    Raises:
        InputError: there is none, or it cannot be read.
    """
    path = Path(name) if name.endswith(".json") else snapshot_file(where, name)
    if not path.exists():
        known = ", ".join(sorted(found.stem for found in (where.folder / "snapshots").glob("*.json"))) or "none"
        raise InputError("there is no such round", where=path, hint=f"rounds are {known}")
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise InputError(f"the round cannot be read ({fault})", where=path) from fault
    return checked_snapshot(value, path)


def latest_snapshot(where: CampaignPaths) -> str | None:
    """The round kept last, by the time in it."""
    found = []
    for path in (where.folder / "snapshots").glob("*.json"):
        found.append((str(read_snapshot(where, str(path))["made"]), str(path)))
    return max(found)[1] if found else None
