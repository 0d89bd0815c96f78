"""Entries for the tests, with ids that can be told apart: `nth(3)` is greater than `nth(2)`."""

from typing import Any

from scoring.adjudication.decisions import LogEntry


def nth(number: int) -> str:
    return f"0199d2c4-{number >> 16:04x}-7{number & 0xFFF:03x}-8000-{number:012x}"


def entry(number: int, verifier: str = "mp", verdict: str = "same", case: str = "t-1", **fields: Any) -> LogEntry:
    given = {"task": "tables", "at": "2026-11-29T22:10:05.123Z"} | fields
    return LogEntry(id=nth(number), verifier=verifier, verdict=verdict, case=case, **given)


def undo(number: int, undone: int, verifier: str = "mp", case: str = "t-1") -> LogEntry:
    return entry(number, verifier, "retract", case, retracts=nth(undone))
