"""Reading runs: a checkpoint `runs/<model>/<phase>/run_01.json`, or a folder of what the model returned (`1-tables`, Run files)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from scoring.answers import KINDS, Incomplete, Kind, RepeatedKeys, find_records, parse_json, parse_records
from scoring.cells import Records, cell_text
from scoring.decoding import read_text
from scoring.model_run import Status
from scoring.problems import InputError, Problem, Severity
from scoring.schema import Schema
from scoring.tables.rows import Keys, Report, RowReader
from scoring.tables.shapes import Run, RunPage
from scoring.text import visible
from scoring.words import counted
from scoring.workspace import Workspace, entries, is_readme, natural_key

_PAGE_NAME = re.compile(r"(?:gt[ _-]?)?page[ _-]?(.+)", re.IGNORECASE)
_NO_PAGES = 'the run file holds no `pages` by page id: {"pages": {"28": [{"name": ...}, ...], ...}}'
_FAILED = frozenset({"failed", "fail", "failure", "error", "timeout", "refused", "refusal"})
_CUT = frozenset({"truncated", "partial", "incomplete", "length"})
_ABSENT = frozenset({"missing", "pending", "skipped", "absent"})
_OK = frozenset({"ok", "okay", "success", "succeeded", "done", "complete", "completed", ""})


def run_places(folder: Path, root: Path) -> tuple[list[tuple[str, str, Path]], list[Problem]]:
    """Where the runs lie: (model, phase, file or folder), by model, phase and run; and what was not taken.

    Where a checkpoint and a folder have one name, the folder is the run: it holds what the model itself returned.
    """
    places: list[tuple[str, str, Path]] = []
    models, problems = entries(folder, root)
    for model in models:
        where = visible(model.relative_to(root).as_posix())
        if is_readme(model):
            continue
        if not model.is_dir():
            problems.append(Problem(Severity.NOTE, "not taken as a run, for it does not lie in runs/<model>/<phase>/", where))
            continue
        phases, more = entries(model, root)
        problems += more
        for phase in phases:
            where = visible(phase.relative_to(root).as_posix())
            if is_readme(phase):
                continue
            if not phase.is_dir():
                problems.append(Problem(Severity.WARNING, "not taken as a run, for it does not lie in runs/<model>/<phase>/", where))
                continue
            inside, more = entries(phase, root)
            problems += more
            folders = {path.name for path in inside if path.is_dir()}
            taken: dict[str, Path] = {}
            for path in inside:
                where = visible(path.relative_to(root).as_posix())
                if path.is_dir():
                    taken[path.name] = path
                elif is_readme(path):
                    continue
                elif path.suffix.lower() != ".json":
                    problems.append(Problem(Severity.NOTE, "not taken as a run, for it is neither a folder nor a .json file", where))
                elif path.stem in folders:
                    problems.append(
                        Problem(Severity.WARNING, f"left out: the folder {visible(path.stem)}/ beside it is the same run", where)
                    )
                elif path.stem in taken:
                    problems.append(
                        Problem(Severity.WARNING, f"left out: {visible(taken[path.stem].name)} beside it is the same run", where)
                    )
                else:
                    taken[path.stem] = path
            places += [(model.name, phase.name, taken[name]) for name in sorted(taken, key=natural_key)]
    return places, problems


class RunReader:
    """Reads runs against the pages of the ground truth; one reader serves all runs.

    Args:
        pages: the ids of the GT pages, in order.
        rows: turns records into rows.
        root: the workspace's folder; files are named from there.
    """

    def __init__(self, pages: Sequence[str], rows: RowReader, root: Path) -> None:
        self.pages = tuple(pages)
        self._rows = rows
        self._root = root
        self._ids = frozenset(pages)
        loose: dict[str, list[str]] = {}
        for page in pages:
            loose.setdefault(_loose(page), []).append(page)
        self._loose = {key: found[0] for key, found in loose.items() if len(found) == 1}

    def read(self, path: Path, model: str, phase: str) -> tuple[Run, list[Problem]]:
        """One run, a file or a folder. What cannot be read is a failed page with its reason; nothing is raised for content."""
        report = Report(visible(path.relative_to(self._root).as_posix() if path.is_relative_to(self._root) else path.as_posix()))
        keys = Keys()
        generated: str | None = None
        if path.is_dir():
            found = self._folder(path, report, keys)
            name = path.name
        else:
            found, generated = self._checkpoint(path, report, keys, model, phase)
            name = path.stem
        pages: dict[str, RunPage] = {}
        for page in self.pages:
            pages[page] = found.get(page) or RunPage(page, "missing", ())
            self._tell(pages[page], report)
        for key, met in keys.unknown.items():
            many = f"{counted(met.count, 'record')}, first row {met.row} of page {met.page}"
            report.add(Severity.NOTE, f"key {visible(key)!r} is no field and was left out ({many})")
        if any(page.rows for page in pages.values()):
            for field in self._rows.names:
                if field not in keys.fields:
                    report.add(Severity.NOTE, f"no record has the field `{visible(field)}`")
        return Run(model, phase, name, pages, generated), report.problems

    @staticmethod
    def _tell(page: RunPage, report: Report) -> None:
        if page.status == "failed":
            report.add(Severity.WARNING, f"failed: {page.error}", page=page.page)
        elif page.status == "missing":
            report.add(Severity.WARNING, f"missing: {page.error or 'the run does not have this page'}", page=page.page)
        elif page.status == "truncated":
            report.add(Severity.WARNING, f"truncated: the {len(page.rows)} complete records before the cut were kept", page=page.page)

    # Which page

    def _page_of(self, named: str, report: Report, where: str = "") -> str | None:
        """The GT page that a file or key names; None (reported) where there is none such."""
        if named in self._ids:
            return named
        match = _PAGE_NAME.fullmatch(named)
        inner = match.group(1) if match is not None else named
        if inner in self._ids:
            return inner
        page = self._loose.get(_loose(inner))
        if page is None:
            report.add(Severity.NOTE, f"page {visible(inner)!r} is not in the ground truth and was left out", where=where)
        else:
            report.add(Severity.REPAIR, f"page {visible(inner)!r} taken for page {visible(page)!r}", page=page, where=where)
        return page

    # A folder

    def _folder(self, folder: Path, report: Report, keys: Keys) -> dict[str, RunPage]:
        try:
            inside, problems = entries(folder, self._root)
        except InputError as fault:
            report.add(Severity.WARNING, fault.what)
            return {page: RunPage(page, "failed", (), fault.what) for page in self.pages}
        report.problems += problems
        order = {f".{kind}": at for at, kind in enumerate(KINDS)}
        taken: dict[str, tuple[int, Path]] = {}
        for path in inside:
            where = f"{report.where}/{visible(path.name)}"
            if is_readme(path) and path.stem not in self._ids:
                continue
            rank = order.get(path.suffix.lower())
            if rank is None or path.is_dir():
                report.add(Severity.NOTE, f"not taken as a page, for its name ends in none of {', '.join(order)}", where=where)
                continue
            page = self._page_of(path.stem, report, where)
            if page is None:
                continue
            if page in taken:
                report.add(Severity.WARNING, f"left out: {visible(taken[page][1].name)} is this page too", page=page, where=where)
                if rank >= taken[page][0]:
                    continue
                report.problems[-1] = Problem(
                    Severity.WARNING,
                    f"left out: {visible(path.name)} is this page too",
                    f"{report.where}/{visible(taken[page][1].name)}",
                    page=page,
                )
            taken[page] = (rank, path)
        return {page: self._file(path, page, report, keys) for page, (_, path) in taken.items()}

    def _file(self, path: Path, page: str, report: Report, keys: Keys) -> RunPage:
        where = f"{report.where}/{visible(path.name)}"
        try:
            decoded = read_text(path)
        except InputError as fault:
            return RunPage(page, "failed", (), fault.what)
        report.repairs(decoded.repairs, page=page, where=where)
        report.warnings(decoded.warnings, page=page, where=where)
        text = decoded.text
        kind: Kind = next(kind for kind in get_args(Kind) if f".{kind}" == path.suffix.lower())
        return self._answer(text, kind, page, report, keys, where)

    def _answer(self, text: str, kind: Kind, page: str, report: Report, keys: Keys, where: str) -> RunPage:
        """A page from what the model returned for it."""
        if not text.strip(" \t\r\n\ufeff"):
            return RunPage(page, "failed", (), "the answer is empty")
        try:
            records = parse_records(text, kind, self._rows.keys, key=self._rows.key, page=page)
        except InputError as fault:
            return RunPage(page, "failed", (), fault.what)
        if records is None:
            return RunPage(page, "failed", (), "there is no readable list of records in the answer")
        return self._page(records, page, report, keys, where)

    def _page(self, records: Records, page: str, report: Report, keys: Keys, where: str = "", expected: str = "$") -> RunPage:
        report.repairs(records.repairs, page=page, where=where)
        report.warnings(records.warnings, page=page, where=where)
        if records.found_at not in (expected, "table"):
            report.add(Severity.NOTE, f"records found at {records.found_at}", page=page, where=where)
        if records.truncated and not records.records:
            return RunPage(page, "failed", (), "the answer was cut off before its first complete record")
        rows = self._rows.rows(records.records, report, page=page, where=where, keys=keys)
        if records.records and not rows:
            report.add(
                Severity.WARNING,
                f"none of the {len(records.records)} objects of the list has a field that is filled",
                page=page,
                where=where,
            )
        return RunPage(page, "truncated" if records.truncated else "ok", rows)

    # A checkpoint

    def _checkpoint(self, path: Path, report: Report, keys: Keys, model: str, phase: str) -> tuple[dict[str, RunPage], str | None]:
        try:
            decoded = read_text(path)
        except InputError as fault:
            return self._all_failed(fault.what), None
        report.repairs(decoded.repairs)
        report.warnings(decoded.warnings)
        text = decoded.text
        parsed = parse_json(text)
        if parsed is None:
            return self._all_failed("the run file is empty" if not text.strip() else "there is no readable JSON in the run file"), None
        report.repairs(parsed.repairs)
        if parsed.truncated:
            report.add(Severity.WARNING, "the run file is cut off; what stands before the cut was kept")
        head = parsed.value if isinstance(parsed.value, dict) else {}
        pages = head.get("pages")
        if not isinstance(pages, dict):
            return self._all_failed(_NO_PAGES), None
        for key, expected in (("model", model), ("phase", phase), ("run", path.stem)):
            said = head.get(key)
            if said is not None and not _agrees(key, said, expected):
                report.add(
                    Severity.NOTE, f"says {key} {visible(cell_text(said)[0])!r}, lies under {visible(expected)!r}; where it lies counts"
                )
        generated = cell_text(head.get("generated"))[0] or None
        if isinstance(pages, RepeatedKeys):
            for key, earlier in pages.earlier.items():
                sizes = [len(held.records) if (held := find_records(one)) else 0 for one in (*earlier, pages[key])]
                told = f"page {visible(key)!r} is given {len(sizes)} times, with {', '.join(map(str, sizes))} records; the last one read"
                report.add(Severity.WARNING, told)
        found: dict[str, RunPage] = {}
        for key, entry in pages.items():
            page = self._page_of(str(key), report)
            if page is None:
                continue
            if page in found:
                report.add(Severity.WARNING, f"left out: {visible(str(key))!r} is this page a second time", page=page)
                continue
            found[page] = self._entry(entry, page, report, keys)
        return found, generated

    def _all_failed(self, reason: str) -> dict[str, RunPage]:
        return {page: RunPage(page, "failed", (), reason) for page in self.pages}

    def _entry(self, entry: Any, page: str, report: Report, keys: Keys) -> RunPage:
        """A page of a checkpoint: its status and its records, or the raw text of the answer."""
        if isinstance(entry, str):
            return self._answer(entry, "txt", page, report, keys, "")
        if isinstance(entry, list):
            records = find_records(entry, self._rows.keys)
            if records is None:
                return RunPage(page, "failed", (), "the list holds no records")
            return self._page(records, page, report, keys)
        if not isinstance(entry, dict):
            return RunPage(page, "failed", (), "the run file has nothing for this page")
        status = self._status(entry, page, report)
        error = visible(cell_text(entry.get("error"))[0])
        records = self._held(entry, self._rows.keys)
        if status in ("failed", "missing"):
            if records is not None and records.records:
                report.add(
                    Severity.WARNING, f"marked {status}, yet it holds {len(records.records)} records, which were not read", page=page
                )
            return RunPage(page, status, (), error or ("no reason given" if status == "failed" else ""))
        response = entry.get("response") or entry.get("travelers")
        if isinstance(response, str) and (records is None or not records.records):
            read = self._answer(response, "txt", page, report, keys, "")
            if read.status == "failed" and isinstance(entry.get("travelers"), list) and records is not None:
                read = self._page(records, page, report, keys, expected="$.travelers")
        elif records is not None:
            if isinstance(entry, Incomplete):
                records = replace(records, truncated=True)
            read = self._page(records, page, report, keys, expected="$.travelers")
        else:
            cut = "cut off before its first complete record" if isinstance(entry, Incomplete) else "without a list of records"
            read = RunPage(page, "failed", (), error or f"the page is {cut}")
        if status == "truncated" and read.status == "ok":
            return RunPage(page, "truncated", read.rows)
        return read

    @staticmethod
    def _held(entry: Mapping[str, Any], fields: Sequence[str]) -> Records | None:
        """The records a page of a checkpoint holds as such: its `travelers`, else the longest list in it."""
        if isinstance(entry.get("travelers"), list):
            records = find_records(entry["travelers"], fields)
            return records and replace(records, found_at=f"$.travelers{records.found_at[1:]}")
        return find_records({key: value for key, value in entry.items() if key not in ("status", "error", "usage", "metadata")}, fields)

    @staticmethod
    def _status(entry: Mapping[str, Any], page: str, report: Report) -> Status:
        said = cell_text(entry.get("status"))[0].casefold()
        for words, status in ((_OK, "ok"), (_FAILED, "failed"), (_CUT, "truncated"), (_ABSENT, "missing")):
            if said in words:
                if said == "" and entry.get("error"):
                    return "failed"
                return next(known for known in get_args(Status) if known == status)
        report.add(Severity.WARNING, f"status {visible(said)!r} is keys, read as ok", page=page)
        return "ok"


def read_run(path: Path, workspace: Workspace, schema: Schema, pages: Iterable[str]) -> tuple[Run, list[Problem]]:
    """One run read again, a file or a folder `.../<model>/<phase>/<run>`; `pages` are the ids of the GT pages."""
    rows = RowReader(schema.names, workspace.settings.blank_words, schema.key)
    return RunReader(tuple(pages), rows, workspace.root).read(path, path.parent.parent.name, path.parent.name)


def _loose(page: str) -> str:
    """A page id without case and leading zeros: `page_028` and `28` are one page where no two GT pages are confused by it."""
    return re.sub(r"[0-9]+", lambda digits: digits.group().lstrip("0") or "0", page.strip().casefold())


def _agrees(key: str, said: object, expected: str) -> bool:
    text = cell_text(said)[0]
    if key != "run":
        return text == expected
    return text == expected or [int(d) for d in re.findall(r"[0-9]+", text)[-1:]] == [int(d) for d in re.findall(r"[0-9]+", expected)[-1:]]
