"""What a model returned, read: text to a value, a value to records.

Forgiving in reading and strict in reporting: each function returns what it read beside the repairs it made, sentences
without their full stop. Nothing here knows a task; callers add file, page and row to the repairs.
"""

from scoring.answers.json_text import Parsed, parse_json
from scoring.answers.lenient import Incomplete, IncompleteList
from scoring.answers.lists import find_records
from scoring.answers.records import KINDS, Kind, parse_records

__all__ = ["KINDS", "Incomplete", "IncompleteList", "Kind", "Parsed", "find_records", "parse_json", "parse_records"]
