"""Run files: a checkpoint (`run_01.json`, `{"pages": {"28": ...}}`) and a batch output (`run_01.jsonl`, a line a page)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from scoring.answers import Incomplete, RepeatedKeys, find_records, parse_json
from scoring.answers.envelopes import usage_of
from scoring.foundations.model_run import Status
from scoring.foundations.problems import InputError, Severity
from scoring.foundations.wording import counted
from scoring.tables.inputs.rows import KeyUse, RowProblems
from scoring.tables.inputs.rows_and_runs import RunPage
from scoring.tables.inputs.runs.layout import LISTED, RunPlace
from scoring.tables.inputs.runs.page_names import PageNames, first_of_each
from scoring.tables.inputs.runs.run_pages import PageReader, failed
from scoring.texts.cells import Records, cell_text
from scoring.texts.decoding import read_text
from scoring.texts.forms import visible

_NO_PAGES = 'the run file holds no `pages` by page id: {"pages": {"28": [{"name": ...}, ...], ...}}'
_FAILED = frozenset({"failed", "fail", "failure", "error", "timeout", "refused", "refusal"})
_CUT = frozenset({"truncated", "partial", "incomplete", "length"})
_ABSENT = frozenset({"missing", "pending", "skipped", "absent"})
_OK = frozenset({"ok", "okay", "success", "succeeded", "done", "complete", "completed", ""})
_NUMBERS = re.compile(r"[0-9]{1,18}")
_STATES = ("status", "error", "usage", "metadata")


class RunFileReader:
    """Reads run files.

    Args:
        names: the pages of ground truth by name.
        pages: their ids.
        reader: reads answers and records.
    """

    def __init__(self, names: PageNames, pages: Sequence[str], reader: PageReader) -> None:
        self._names, self._pages, self._reader = names, tuple(pages), reader

    def read(self, place: RunPlace, report: RowProblems, keys: KeyUse) -> tuple[dict[str, RunPage], str | None]:
        """The pages of a run file, and when the run was generated, where it says so."""
        try:
            decoded = read_text(place.path)
        except InputError as fault:
            return self.all_failed(fault.what), None
        report.repairs(decoded.repairs)
        report.warnings(decoded.warnings)
        text = decoded.text
        if place.path.suffix.lower() == ".jsonl":
            return self._batch(text, report, keys), None
        parsed = parse_json(text)
        if parsed is None:
            return self.all_failed("the run file is empty" if not text.strip() else "there is no readable JSON in the run file"), None
        report.repairs(parsed.repairs)
        if parsed.truncated:
            report.add(Severity.WARNING, "the run file is cut off; what stands before the cut was kept")
        head = parsed.value if isinstance(parsed.value, dict) else {}
        pages = head.get("pages")
        if not isinstance(pages, dict):
            return self.all_failed(_NO_PAGES), None
        for key, expected in (("model", place.model), ("phase", place.phase), ("run", place.name)):
            said = head.get(key)
            if said is not None and not _agrees(key, said, expected):
                report.add(
                    Severity.NOTE, f"says {key} {visible(cell_text(said)[0])!r}, lies under {visible(expected)!r}; where it lies counts"
                )
        if isinstance(pages, RepeatedKeys):
            for key, earlier in pages.earlier.items():
                sizes = ", ".join(self._size(one) for one in (*earlier, pages[key]))
                message = f"page {visible(key)!r} is given {len(earlier) + 1} times, with {sizes}; the last one was read"
                report.add(Severity.WARNING, message)
        found = self._chosen([(str(key), entry) for key, entry in pages.items()], report)
        return {page: self._entry(entry, page, report, keys) for page, entry in found.items()}, cell_text(head.get("generated"))[0] or None

    def all_failed(self, reason: str) -> dict[str, RunPage]:
        """Every page failed for the same reason."""
        return {page: failed(page, reason) for page in self._pages}

    def _chosen(self, named: Sequence[tuple[str, Any]], report: RowProblems) -> dict[str, Any]:
        """What is read for each page, of things under names. An exact name wins; everything else is reported."""
        known = []
        others = []
        for name, thing in named:
            found = self._names.find(name)
            if isinstance(found, str):
                others.append((found, ""))
            else:
                known.append((found, name, thing))
        tell_others(others, report)
        best = first_of_each((found, 0) for found, _, _ in known)
        for at, (found, name, thing) in enumerate(known):
            taken = best[found.page]
            if taken != at:
                sizes = f"{self._size(thing)}; {visible(known[taken][1])!r} with {self._size(known[taken][2])} was read"
                report.add(Severity.WARNING, f"left out: {visible(name)!r} is this page a second time ({sizes})", page=found.page)
            elif found.rank:
                report.add(Severity.REPAIR, f"page {visible(found.said)!r} taken for page {visible(found.page)!r}", page=found.page)
        return {page: known[at][2] for page, at in best.items()}

    def _batch(self, text: str, report: RowProblems, keys: KeyUse) -> dict[str, RunPage]:
        """The pages of a batch output: a line an answer with its `custom_id`, or with a `page`; or a line a record with its `page`."""
        answers: list[tuple[str, Any]] = []
        records: dict[str, list[str]] = {}
        wrong = []
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            entry = _object(line)
            name = next((cell_text(entry[key])[0] for key in ("custom_id", "page", "page_id") if entry.get(key) is not None), "")
            if not name:
                wrong.append(number)
            elif "custom_id" in entry:
                answers.append((name, line))
            elif any(self._reader.rows.field_of(key) for key in entry):
                records.setdefault(name, []).append(line)
            else:
                answers.append((name, {key: value for key, value in entry.items() if key not in ("page", "page_id")}))
        if wrong:
            lines = f"{counted(len(wrong), 'line')}, first line {wrong[0]}"
            report.add(Severity.WARNING, f"left out: lines that are no JSON object with a `custom_id` or `page` ({lines})", line=wrong[0])
        if not answers and not records:
            return self.all_failed("no line of the run file is an answer with a `custom_id` or `page`")
        found = self._chosen([*answers, *((name, tuple(lines)) for name, lines in records.items())], report)
        return {page: self._of_line(thing, page, report, keys) for page, thing in found.items()}

    def _of_line(self, thing: Any, page: str, report: RowProblems, keys: KeyUse) -> RunPage:
        if isinstance(thing, str):
            return self._reader.answer(thing, "json", page, report, keys)
        if isinstance(thing, tuple):
            return self._reader.answer("\n".join(thing), "jsonl", page, report, keys)
        return self._entry(thing, page, report, keys)

    def _entry(self, entry: Any, page: str, report: RowProblems, keys: KeyUse) -> RunPage:
        """A page of a checkpoint: its status and its records, or the raw text of the answer."""
        reader = self._reader
        if isinstance(entry, str):
            return reader.answer(entry, "txt", page, report, keys)
        if isinstance(entry, list):
            records = find_records(entry, reader.rows.keys)
            return failed(page, "the list holds no records") if records is None else reader.records(records, page, report, keys)
        if not isinstance(entry, dict):
            return failed(page, "the run file has nothing for this page")
        read = self._of_object(entry, page, report, keys)
        return replace(read, usage=read.usage or usage_of(entry))

    def _of_object(self, entry: Mapping[str, Any], page: str, report: RowProblems, keys: KeyUse) -> RunPage:
        reader = self._reader
        status = self._status(entry, page, report)
        error = visible(cell_text(entry.get("error"))[0])
        records = self._held(entry)
        if status in ("failed", "missing"):
            if records is not None and records.records:
                report.add(
                    Severity.WARNING, f"marked {status}, yet it holds {len(records.records)} records, which were not read", page=page
                )
            return RunPage(page, status, (), error or ("no reason given" if status == "failed" else ""))
        response = entry.get("response") or entry.get("travelers")
        if isinstance(response, str) and (records is None or not records.records):
            read = reader.answer(response, "txt", page, report, keys)
            if read.status == "failed" and isinstance(entry.get("travelers"), list) and records is not None:
                read = reader.records(records, page, report, keys, expected="$.travelers")
        elif records is not None:
            if isinstance(entry, Incomplete):
                records = replace(records, truncated=True)
            read = reader.records(records, page, report, keys, expected="$.travelers")
        else:
            cut = "cut off before its first complete record" if isinstance(entry, Incomplete) else "without a list of records"
            read = failed(page, error or f"the page is {cut}")
        return replace(read, status="truncated") if status == "truncated" and read.status == "ok" else read

    def _held(self, entry: Mapping[str, Any]) -> Records | None:
        """The records a page of a checkpoint holds as such: its `travelers`, else the longest list in it."""
        if isinstance(entry.get("travelers"), list):
            records = find_records(entry["travelers"], self._reader.rows.keys)
            return records and replace(records, found_at=f"$.travelers{records.found_at[1:]}")
        return find_records({key: value for key, value in entry.items() if key not in _STATES}, self._reader.rows.keys)

    def _size(self, thing: Any) -> str:
        """The size of what a run file holds for a page, in words."""
        if isinstance(thing, str):
            return counted(len(thing), "character")
        if isinstance(thing, tuple):
            return counted(len(thing), "record")
        keys = self._reader.rows.keys
        found = find_records(thing, keys) if isinstance(thing, list) else self._held(thing) if isinstance(thing, dict) else None
        return counted(len(found.records) if found is not None else 0, "record")

    @staticmethod
    def _status(entry: Mapping[str, Any], page: str, report: RowProblems) -> Status:
        said = cell_text(entry.get("status"))[0].casefold()
        for words, status in ((_OK, "ok"), (_FAILED, "failed"), (_CUT, "truncated"), (_ABSENT, "missing")):
            if said in words:
                if said == "" and entry.get("error"):
                    return "failed"
                return next(known for known in get_args(Status) if known == status)
        report.add(Severity.WARNING, f"status {visible(said)!r} is not known, read as ok", page=page)
        return "ok"


def tell_others(pages: Sequence[tuple[str, str]], report: RowProblems) -> None:
    """Report pages (and where each was named) that ground truth does not have: the first of them each, the rest by their number."""
    for page, where in pages[:LISTED]:
        report.add(Severity.NOTE, f"page {visible(page)!r} is not in the ground truth and was left out", where=where)
    if len(pages) > LISTED:
        report.add(Severity.NOTE, f"{counted(len(pages) - LISTED, 'more page is', 'more pages are')} not in the ground truth")


def _object(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _agrees(key: str, said: object, expected: str) -> bool:
    text = cell_text(said)[0]
    if key == "run" and text != expected:
        return [int(digits) for digits in _NUMBERS.findall(text)[-1:]] == [int(digits) for digits in _NUMBERS.findall(expected)[-1:]]
    return text == expected or (key == "model" and text == expected.rpartition("/")[2])
