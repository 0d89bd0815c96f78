"""EQUIVALENCES.md, the rules as data: read, checked, compiled for the text pipeline, and edited in place.

Source: `1-tables`, EQUIVALENCES.md, the rules as data.
"""

from scoring.rules.parse import read_rules
from scoring.rules.rows import NO_RULES_FILE, EquivalenceRow, IgnoreRow, IgnoreSide, NearMissRow, Row, RuleRow, Rules, Status

__all__ = [
    "NO_RULES_FILE",
    "EquivalenceRow",
    "IgnoreRow",
    "IgnoreSide",
    "NearMissRow",
    "Row",
    "RuleRow",
    "Rules",
    "Status",
    "read_rules",
]
