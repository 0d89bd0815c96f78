"""Reading runs: a run file (`run_01.json`, `run_01.jsonl`), or a folder of what the model returned, a file a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scoring.foundations.problems import InputError, Problem, Severity
from scoring.foundations.wording import counted
from scoring.tables.inputs.aliases import AliasFinder
from scoring.tables.inputs.rows import KeyUse, RowProblems, RowReader
from scoring.tables.inputs.rows_and_runs import Run, RunPage
from scoring.tables.inputs.runs.layout import LISTED, RunPlace
from scoring.tables.inputs.runs.page_names import SUFFIXES, PageName, PageNames, first_of_each
from scoring.tables.inputs.runs.run_files import RunFileReader, tell_others
from scoring.tables.inputs.runs.run_pages import PageReader, failed
from scoring.texts.decoding import read_text
from scoring.texts.forms import visible
from scoring.workspace.layout import entries, is_readme

_RANKS = {suffix: at for at, suffix in enumerate(SUFFIXES)}


class RunReader:
    """Reads runs against the pages of the ground truth; one reader serves all runs.

    Args:
        pages: the ids of the GT pages, in order.
        rows: turns records into rows.
        root: the workspace's folder; files are named from there.
        finder: proposes aliases in the reason of a page whose records have no key field.
    """

    def __init__(self, pages: Sequence[str], rows: RowReader, root: Path, finder: AliasFinder | None = None) -> None:
        self.pages = tuple(pages)
        self._rows = rows
        self._root = root
        self._names = PageNames(pages)
        self._reader = PageReader(rows, finder)
        self._files = RunFileReader(self._names, pages, self._reader)

    def read(self, place: RunPlace) -> tuple[Run, list[Problem]]:
        """Read a run. What cannot be read is a failed page with its reason; nothing is raised for content."""
        path = place.path
        report = RowProblems(visible(path.relative_to(self._root).as_posix() if path.is_relative_to(self._root) else path.as_posix()))
        keys = KeyUse()
        generated: str | None = None
        if path.is_dir():
            found = self._folder(path, report, keys)
        else:
            found, generated = self._files.read(place, report, keys)
        pages: dict[str, RunPage] = {}
        for page in self.pages:
            pages[page] = found.get(page) or RunPage(page, "missing", ())
            _tell(pages[page], report)
        for key, met in keys.unknown.items():
            many = f"{counted(met.count, 'record')}, first row {met.row} of page {met.page}"
            report.add(Severity.NOTE, f"key {visible(key)!r} is no field and was left out ({many})")
        if any(page.rows for page in pages.values()):
            for field in self._rows.names:
                if field not in keys.fields:
                    report.add(Severity.NOTE, f"no record has the field `{visible(field)}`")
        return Run(place.model, place.phase, place.name, pages, generated), report.problems

    def _folder(self, folder: Path, report: RowProblems, keys: KeyUse) -> dict[str, RunPage]:
        """The pages of a folder of answers."""
        try:
            inside, problems = entries(folder, self._root)
        except InputError as fault:
            report.add(Severity.WARNING, fault.what)
            return self._files.all_failed(fault.what)
        report.problems += problems
        known: list[tuple[PageName, Path]] = []
        others: list[tuple[str, str]] = []
        unread: list[Path] = []
        for path in inside:
            if is_readme(path) and path.stem not in self._names:
                continue
            stem, suffix = PageNames.stem(path.name)
            if suffix not in SUFFIXES or path.is_dir():
                unread.append(path)
                continue
            found = self._names.find(stem)
            if isinstance(found, str):
                others.append((found, f"{report.where}/{visible(path.name)}"))
            else:
                known.append((found, path))
        self._tell_unread(unread, report)
        tell_others(others, report)
        best = first_of_each((found, _RANKS[PageNames.stem(path.name)[1]]) for found, path in known)
        for at, (found, path) in enumerate(known):
            where = f"{report.where}/{visible(path.name)}"
            if best[found.page] != at:
                message = f"left out: {visible(known[best[found.page]][1].name)} is this page too"
                report.add(Severity.WARNING, message, page=found.page, where=where)
            elif found.rank:
                message = f"page {visible(found.said)!r} taken for page {visible(found.page)!r}"
                report.add(Severity.REPAIR, message, page=found.page, where=where)
        return {page: self._file(known[at][1], page, report, keys) for page, at in best.items()}

    def _tell_unread(self, paths: Sequence[Path], report: RowProblems) -> None:
        """Report files and folders that are no answers by their names; a warning where the name is that of a page."""
        message = f"not taken as a page, for its name ends in none of {', '.join(filter(None, SUFFIXES))}"
        for path in paths[:LISTED]:
            named = path.is_file() and not isinstance(self._names.find(PageNames.stem(path.name)[0]), str)
            report.add(Severity.WARNING if named else Severity.NOTE, message, where=f"{report.where}/{visible(path.name)}")
        if len(paths) > LISTED:
            report.add(Severity.WARNING, f"{counted(len(paths) - LISTED, 'more entry', 'more entries')} {message}")

    def _file(self, path: Path, page: str, report: RowProblems, keys: KeyUse) -> RunPage:
        where = f"{report.where}/{visible(path.name)}"
        try:
            decoded = read_text(path)
        except InputError as fault:
            return failed(page, fault.what)
        report.repairs(decoded.repairs, page=page, where=where)
        report.warnings(decoded.warnings, page=page, where=where)
        return self._reader.answer(decoded.text, SUFFIXES[PageNames.stem(path.name)[1]], page, report, keys, where)


def _tell(page: RunPage, report: RowProblems) -> None:
    if page.status == "failed":
        report.add(Severity.WARNING, f"failed: {page.error}", page=page.page)
    elif page.status == "missing":
        report.add(Severity.WARNING, f"missing: {page.error or 'the run does not have this page'}", page=page.page)
    elif page.status == "truncated":
        report.add(Severity.WARNING, f"truncated: the {len(page.rows)} complete records before the cut were kept", page=page.page)
