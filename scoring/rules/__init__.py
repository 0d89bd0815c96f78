"""EQUIVALENCES.md, the rules as data: read, checked, compiled for the text pipeline, and edited in place.

Source: `1-tables`, EQUIVALENCES.md, the rules as data.
"""

from scoring.rules.check import Witnesses, blocking, check, open_faults, scoring_errors
from scoring.rules.edit import EMPTY_RULES
from scoring.rules.files import read_rules
from scoring.rules.parse import COLUMNS
from scoring.rules.pipelines import Fields
from scoring.rules.rows import NO_RULES_FILE, EquivalenceRow, IgnoreRow, IgnoreSide, NearMissRow, Row, RuleRow, Rules, Status
from scoring.rules.write import draft_equivalence, draft_ignore, edit, reopen, settle

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
    "Status",
    "Witnesses",
    "blocking",
    "check",
    "draft_equivalence",
    "draft_ignore",
    "edit",
    "open_faults",
    "read_rules",
    "reopen",
    "scoring_errors",
    "settle",
]
