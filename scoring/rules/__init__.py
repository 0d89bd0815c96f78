"""EQUIVALENCES.md, the rules as data: read, checked, compiled for the text pipeline, and edited in place.

Source: `docs/rules.md`.
"""

from scoring.rules.checks.check import Witnesses, blocking, check, inside_words, open_faults, scoring_errors
from scoring.rules.checks.witness import Sightings, ValueLocation, found_witness, given_witness
from scoring.rules.file.edit import EMPTY_RULES
from scoring.rules.file.files import read_rules
from scoring.rules.file.write import draft_equivalence, draft_ignore, draft_near_miss, edit, remove, reopen, settle
from scoring.rules.parse import COLUMNS
from scoring.rules.pipelines import Fields
from scoring.rules.row_names import line_named, row_named, row_names
from scoring.rules.rows import NO_RULES_FILE, EquivalenceRow, IgnoreRow, IgnoreSide, NearMissRow, Row, RuleRow, Rules, Status

__all__ = [
    "COLUMNS",
    "EMPTY_RULES",
    "NO_RULES_FILE",
    "EquivalenceRow",
    "Fields",
    "IgnoreRow",
    "IgnoreSide",
    "NearMissRow",
    "Row",
    "RuleRow",
    "Rules",
    "Sightings",
    "Status",
    "ValueLocation",
    "Witnesses",
    "blocking",
    "check",
    "draft_equivalence",
    "draft_ignore",
    "draft_near_miss",
    "edit",
    "found_witness",
    "given_witness",
    "inside_words",
    "line_named",
    "open_faults",
    "read_rules",
    "remove",
    "reopen",
    "row_named",
    "row_names",
    "scoring_errors",
    "settle",
]
