"""EQUIVALENCES.md, the rules as data: read, checked, compiled for the text pipeline, and edited in place.

Source: `1-tables`, EQUIVALENCES.md, the rules as data.
"""

from scoring.rules.check import Witnesses, blocking, check, inside_words, open_faults, scoring_errors
from scoring.rules.edit import EMPTY_RULES
from scoring.rules.files import read_rules
from scoring.rules.names import line_named, row_named, row_names
from scoring.rules.parse import COLUMNS
from scoring.rules.pipelines import Fields
from scoring.rules.rows import NO_RULES_FILE, EquivalenceRow, IgnoreRow, IgnoreSide, NearMissRow, Row, RuleRow, Rules, Status
from scoring.rules.witness import Sighting, Sightings, found_witness, given_witness
from scoring.rules.write import draft_equivalence, draft_ignore, draft_near_miss, edit, remove, reopen, settle

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
    "Sighting",
    "Sightings",
    "Status",
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
