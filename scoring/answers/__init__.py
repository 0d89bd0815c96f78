"""What a model returned, read: out of its envelope and thinking, text to a value, a value to records.

Forgiving in reading and strict in reporting: each function returns what it read beside the repairs and warnings, sentences
without their full stop. Nothing here knows a task; callers add file, page and row.
"""

from scoring.answers.blocks import Part, parts_that_count
from scoring.answers.json_text import Parsed, parse_json
from scoring.answers.lenient import Incomplete, IncompleteList, RepeatedKeys
from scoring.answers.lists import find_records
from scoring.answers.opening import Answer, json_values, open_answer, repairs_of
from scoring.answers.records import KINDS, Kind, parse_records

__all__ = [
    "KINDS", "Answer", "Incomplete", "IncompleteList", "Kind", "Parsed", "Part", "RepeatedKeys",
    "find_records", "json_values", "open_answer", "parse_json", "parse_records", "parts_that_count", "repairs_of",
]  # fmt: skip
