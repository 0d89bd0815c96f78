"""The decisions of the example: what two constructed verifiers said of its cases, given through the product's own session.

Ids and times are fixed afterwards, so that the same decisions are the same bytes; the content hashes in them are those of the
engine and the rules they were given under.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from uuid import UUID

import msgspec

from scoring.adjudication.decisions import LogEntry, encode, timestamp
from scoring.adjudication.filters import parse_filter
from scoring.adjudication.log.read import read_log
from scoring.workspace.example import copy_example
from tui.bench.opening import open_session
from tui.bench.session import Session

START = datetime(2026, 11, 2, 8, 30, tzinfo=UTC)
FIRST, SECOND = "example-one", "example-two"
CHANGED = ("gt/gt_page_39.csv", "Iseppo Clementi", "Iseppo Clemente")
"""A name the ground truth had otherwise when a verdict was given: the verdict is stale since it was corrected."""


def decisions(source: Path) -> dict[str, bytes]:
    """The log files of the example at `source`, by path."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        copy_example(source, work)
        shutil.rmtree(work / "adjudications", ignore_errors=True)
        page = work / CHANGED[0]
        correct = page.read_bytes()
        page.write_bytes(correct.replace(CHANGED[1].encode(), CHANGED[2].encode()))
        _before_the_correction(_session(work, FIRST))
        page.write_bytes(correct)
        _first(_session(work, FIRST))
        _second(_session(work, SECOND))
        entries = read_log(work / "adjudications").entries
    fixed = list(_fixed(entries))
    return {
        f"adjudications/{verifier}.jsonl": b"".join(encode(one) + b"\n" for one in fixed if one.verifier == verifier)
        for verifier in (FIRST, SECOND)
    }


def _session(folder: Path, verifier: str) -> Session:
    return open_session(folder, verifier, task="tables")


def _open(session: Session, queue: str, wanted: str) -> Session:
    session.open_queue(queue, parse_filter(wanted + " status:open"))
    session.go(session.order[0])
    return session


def _before_the_correction(session: Session) -> None:
    case = next(c for c in session.cases.values() if c.queue == "borderline" and c.title.endswith(f"~ {CHANGED[2]}"))
    session.show_case(case.id)
    session.give("same", note="the same hand as in the line above")
    session.settle()


def _first(session: Session) -> None:
    _open(session, "borderline", "page:36 stefano").give("same", certainty=5)
    _open(session, "borderline", "page:28 marina").give("different", note="another traveler, in the next line")
    _open(session, "borderline", "page:36 ventura").give("same")
    _open(session, "borderline", "page:36 anna e bruno").give("unsure")
    _open(session, "surplus", "suggestion:fragment").give("fragment")
    _open(session, "surplus", "suggestion:merge").give("merge", note="two in one line")
    _open(session, "surplus", "suggestion:invention").give("invention")
    _open(session, "surplus", "suggestion:duplicate").give("duplicate")
    _open(session, "surplus", "suggestion:misread").give("misread", certainty=2)
    session.undo()
    _open(session, "surplus", "suggestion:misread").give("misread", certainty=4, note="on a second look")
    _open(session, "against the key", "vidulfi").give("gt-wrong", value="Odorico Vidulfi", note="all hands but one read lf")
    session.settle()


def _second(session: Session) -> None:
    judged = [entry for entry in session.decisions.entries if entry.verifier == FIRST and session.decisions.is_live(entry)]
    by_verdict = {entry.verdict: entry for entry in judged if entry.case in session.cases}
    session.show_case(by_verdict["same"].case)
    session.give("different", note="I read another name")
    session.show_case(by_verdict["different"].case)
    session.give("different")
    session.show_case(by_verdict["fragment"].case)
    session.give("fragment")
    session.show_case(by_verdict["invention"].case)
    session.give("invention")
    session.settle()


def _fixed(entries: tuple[LogEntry, ...]) -> Iterator[LogEntry]:
    """The entries with fixed ids and times, in their order."""
    random = Random(39)
    ids: dict[str, str] = {}
    for at, entry in enumerate(entries):
        when = START + timedelta(seconds=95 * at)
        milliseconds = int(when.timestamp() * 1000)
        number = milliseconds << 80 | 7 << 76 | random.getrandbits(12) << 64 | 1 << 63 | random.getrandbits(62)
        ids[entry.id] = str(UUID(int=number))
        changes = {"id": ids[entry.id], "at": timestamp(when)}
        if entry.retracts is not None:
            changes["retracts"] = ids[entry.retracts]
        yield msgspec.structs.replace(entry, **changes)
