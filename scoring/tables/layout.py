"""Layout of `runs/`: at which depth the runs lie, and which model, phase and run a place is.

The usual layout is `runs/<model>/<phase>/<run>`. More folders above the phase are parts of the model's name (`openai/gpt-5`); with
one folder alone it is the model, and the phase is `default`. A run is a folder of answers, a checkpoint (`.json`) or a batch output
(`.jsonl`). One depth holds for all runs: the one at which most of them lie.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from scoring.problems import InputError, Problem, Severity
from scoring.text import visible
from scoring.words import counted
from scoring.workspace import entries, is_readme, natural_key

NO_PHASE: Final = "default"
RUN_FILES: Final = (".json", ".jsonl")
LISTED: Final = 20
_USUAL, _DEEPEST, _MOST_RUNS = 2, 5, 10_000
_RUN_NAME = re.compile(r"run[ _-]?[0-9]+", re.IGNORECASE)
_PAGE_NAME = re.compile(r"(?:gt[ _-]?)?page[ _-]?.+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RunPlace:
    """Where a run lies: its model, phase and name, in NFC, and its file or folder."""

    model: str
    phase: str
    name: str
    path: Path


@dataclass(slots=True)
class _Folder:
    """A folder under `runs/`: how many folders lead to it from there, its folders and files, and whether it is a run by its name."""

    path: Path
    depth: int
    folders: list[_Folder] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    named: bool = False

    def all(self) -> Iterator[_Folder]:
        """This folder and those in it."""
        yield self
        for inner in self.folders:
            yield from inner.all()


def run_places(folder: Path, root: Path, pages: Collection[str] = ()) -> tuple[list[RunPlace], str, list[Problem]]:
    """Find the runs in `folder`.

    Args:
        folder: the folder of all runs.
        root: the workspace's folder; problems name files from there.
        pages: ids of the pages of ground truth; a file of such a name is an answer.

    Returns:
        The runs by model, phase and name; the layout (`runs/<model>/<phase>/<run>`); what was not taken.
        Where a checkpoint and a folder have one name, the folder is the run: it holds what the model itself returned.
    """
    problems: list[Problem] = []
    tree = _read(folder, root, 0, problems)
    depth = _depth(tree, frozenset(pages))
    layout = _layout(depth)
    if depth != _USUAL:
        problems.append(Problem(Severity.REPAIR, f"the runs lie in {layout}", _shown(folder, root)))
    places: list[RunPlace] = []
    _collect(tree, depth, root, places, problems)
    if problems and not places:
        problems.append(Problem(Severity.WARNING, f"no run could be read of what lies here; runs lie in {layout}", _shown(folder, root)))
    return places, layout, problems


def split_place(path: Path, folder: Path) -> tuple[str, str]:
    """Return the model and phase of a run at `path` under the folder of all runs."""
    parts = [unicodedata.normalize("NFC", part) for part in path.relative_to(folder).parts[:-1]]
    return (parts[0], NO_PHASE) if len(parts) == 1 else ("/".join(parts[:-1]), parts[-1])


def run_name(path: Path, *, folder: bool) -> str:
    """Return the name of the run that a file or folder is, in NFC."""
    return unicodedata.normalize("NFC", path.name if folder else path.stem)


def _read(path: Path, root: Path, depth: int, problems: list[Problem]) -> _Folder:
    """Read a folder and those in it, down to the runs. What lies in a folder that is a run by its name stays unread."""
    found = _Folder(path, depth)
    inside, more = entries(path, root)
    problems += more
    for entry in inside:
        if not entry.is_dir():
            found.files.append(entry)
        elif entry.is_symlink() and entry.is_relative_to(entry.resolve()):
            problems.append(Problem(Severity.WARNING, "a link to a folder around it was not followed", _shown(entry, root)))
        elif depth >= 1 and _RUN_NAME.match(entry.name):
            found.folders.append(_Folder(entry, depth + 1, named=True))
        elif depth <= _DEEPEST:
            try:
                found.folders.append(_read(entry, root, depth + 1, problems))
            except InputError as fault:
                problems.append(Problem(Severity.WARNING, fault.what, _shown(entry, root)))
    return found


def _depth(tree: _Folder, pages: frozenset[str]) -> int:
    """Return the number of folders that lead to a run: where most names say so, else where answers lie, else the usual one."""
    by_name: Counter[int] = Counter()
    by_answers: Counter[int] = Counter()
    for folder in tree.all():
        if folder.named:
            by_name[folder.depth - 1] += 1
            continue
        runs = sum(1 for path in folder.files if _RUN_NAME.match(path.name) and path.suffix.lower() in RUN_FILES)
        if folder.depth and runs:
            by_name[folder.depth] += runs
        elif folder.depth > 1 and any(_is_answer(path, pages) for path in folder.files):
            by_answers[folder.depth - 1] += 1
        elif folder.depth and any(path.suffix.lower() in RUN_FILES for path in folder.files):
            by_answers[folder.depth] += 1
    for votes in (by_name, by_answers):
        if votes:
            return max(votes, key=lambda depth: (votes[depth], depth == _USUAL, -depth))
    return _USUAL


def _is_answer(path: Path, pages: frozenset[str]) -> bool:
    stem = unicodedata.normalize("NFC", path.stem)
    return stem in pages or _PAGE_NAME.fullmatch(stem) is not None


def _layout(depth: int) -> str:
    above = {1: "<model>", 2: "<model>/<phase>", 3: "<provider>/<model>/<phase>"}
    return f"runs/{above.get(depth) or '/'.join(['<folder>'] * (depth - 2)) + '/<model>/<phase>'}/<run>"


def _collect(folder: _Folder, depth: int, root: Path, places: list[RunPlace], problems: list[Problem]) -> None:
    """Take the runs of a folder at the depth of runs; elsewhere go on, and name what lies too high."""
    if folder.depth == depth:
        _runs_of(folder, root, places, problems)
        return
    higher = [path for path in folder.files if not is_readme(path)]
    higher += [inner.path for inner in folder.folders if inner.named]
    _not_taken(higher, root, f"not taken as a run, for it does not lie in {_layout(depth).removesuffix('<run>')}", problems)
    deeper = [inner for inner in folder.folders if not inner.named]
    for inner in deeper:
        before, told = len(places), len(problems)
        _collect(inner, depth, root, places, problems)
        if len(places) == before and len(problems) == told:
            problems.append(Problem(Severity.WARNING, "no run lies in this folder", _shown(inner.path, root)))


def _runs_of(folder: _Folder, root: Path, places: list[RunPlace], problems: list[Problem]) -> None:
    """Take the runs of a folder (a phase)."""
    if len(folder.folders) + len(folder.files) > _MOST_RUNS:
        many = len(folder.folders) + len(folder.files)
        problems.append(
            Problem(
                Severity.WARNING, f"not read: {many} files and folders, more than {_MOST_RUNS} runs of one model", _shown(folder.path, root)
            )
        )
        return
    taken: dict[str, Path] = {}
    for inner in sorted(folder.folders, key=lambda one: natural_key(one.path.name)):
        if not inner.named and _holds_runs(inner):
            _not_taken([inner.path], root, "not taken as a run: it holds runs, which lie deeper than the other runs", problems)
        else:
            _take(run_name(inner.path, folder=True), inner.path, taken, root, problems)
    others = []
    for path in folder.files:
        if is_readme(path):
            continue
        if path.suffix.lower() in RUN_FILES:
            _take(run_name(path, folder=False), path, taken, root, problems)
        else:
            others.append(path)
    _not_taken(others, root, "not taken as a run, for it is neither a folder nor a .json or .jsonl file", problems)
    loose: dict[str, str] = {}
    for name in sorted(taken, key=natural_key):
        other = loose.setdefault(loose_name(name), name)
        if other != name:
            message = f"{visible(other)} beside it has the same name but for zeros or case; both are read, as two runs"
            problems.append(Problem(Severity.WARNING, message, _shown(taken[name], root)))
        places.append(RunPlace(*split_place(taken[name], folder.path.parents[folder.depth - 1]), name, taken[name]))


def _take(name: str, path: Path, taken: dict[str, Path], root: Path, problems: list[Problem]) -> None:
    other = taken.setdefault(name, path)
    if other is not path:
        shown = f"the folder {visible(other.name)}/" if other.is_dir() else visible(other.name)
        problems.append(Problem(Severity.WARNING, f"left out: {shown} beside it is the same run", _shown(path, root)))


def _holds_runs(folder: _Folder) -> bool:
    """Whether a folder is none of answers, but one of runs: files lie deeper in it, and none of them directly."""
    return all(map(is_readme, folder.files)) and any(inner.named or inner.files for inner in folder.all() if inner is not folder)


def _not_taken(paths: list[Path], root: Path, message: str, problems: list[Problem]) -> None:
    """Report files and folders that were not taken: the first of them each, the rest by their number."""
    for path in paths[:LISTED]:
        matters = path.is_dir() or path.suffix.lower() in RUN_FILES or _PAGE_NAME.match(path.name)
        problems.append(Problem(Severity.WARNING if matters else Severity.NOTE, message, _shown(path, root)))
    if len(paths) > LISTED:
        more = f"{counted(len(paths) - LISTED, 'more entry', 'more entries')} {message}"
        problems.append(Problem(Severity.WARNING, more, _shown(paths[0].parent, root)))


def loose_name(name: str) -> str:
    """Return a name in NFC without case and leading zeros: `page_028` and `Page_28` are one."""
    return re.sub(r"[0-9]+", lambda digits: digits.group().lstrip("0") or "0", unicodedata.normalize("NFC", name).strip().casefold())


def _shown(path: Path, root: Path) -> str:
    return visible(path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix())
