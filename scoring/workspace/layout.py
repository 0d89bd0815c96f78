"""Where things lie: the folder a person works in (`docs/architecture.md#workspace`)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from scoring.foundations.problems import InputError, Problem, Severity
from scoring.texts.forms import visible
from scoring.workspace.settings import Settings, read_settings

SETTINGS_FILE = "adjudicate.toml"
_NUMBER = re.compile(r"([0-9]+)")
_DATA = (".csv", ".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace: its folder, and the settings read from it. The parts named need not exist."""

    root: Path
    settings: Settings = field(default_factory=Settings)

    @property
    def gt(self) -> Path:
        """Ground truth, a CSV a page, and `schema.json`."""
        return self.root / "gt"

    @property
    def runs(self) -> Path:
        """Model runs, `runs/<model>/<phase>/<run>`."""
        return self.root / "runs"

    @property
    def adjudications(self) -> Path:
        """Decision logs, a file a verifier."""
        return self.root / "adjudications"

    @property
    def images(self) -> Path:
        """Page scans."""
        return self.root / "images"

    @property
    def questions(self) -> Path:
        """The questions task, whole."""
        return self.root / "questions"

    @property
    def data(self) -> Path:
        """A relations campaign, with its `reference/`."""
        return self.root / "data"

    @property
    def cache(self) -> Path:
        """What can be made again, and where one stopped. May be deleted at any time."""
        return self.root / ".adjudicate-cache"

    @property
    def rules_file(self) -> Path:
        """The rules as data."""
        return self.root / "EQUIVALENCES.md"

    @property
    def settings_file(self) -> Path:
        """What changes figures."""
        return self.root / SETTINGS_FILE

    @property
    def schema_file(self) -> Path:
        """What a record is; may be absent."""
        return self.gt / "schema.json"

    def relative(self, path: Path) -> str:
        """`path` as it is named in messages and outputs: from the root, with `/`, the same on every machine."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.as_posix()


def open_workspace(root: Path, settings: Settings | None = None) -> Workspace:
    """The workspace at `root`, with its settings; with those given, where its own are not to be read.

    Raises:
        InputError: no such folder, not readable, holds nothing to work on, or faulty settings.
    """
    if not root.exists():
        raise InputError("there is no such folder", where=root, hint="give the workspace with -C DIR, or make one with `adjudicate init`")
    if not root.is_dir():
        raise InputError("this is a file, not a workspace folder", where=root, hint="give the folder that holds `gt/`")
    try:
        with os.scandir(root) as entries:
            names = [entry.name for entry in entries]
    except OSError as fault:
        raise InputError(f"the folder cannot be read ({fault.strerror})", where=root, hint="check its permissions") from fault
    folders = ("gt", "questions", "data/reference")
    if not any((root / name).is_dir() for name in folders) and not any(name.endswith(".db") for name in names):
        raise InputError(
            "this is not a workspace: it has none of `gt/`, `questions/`, `data/reference/` or a database (*.db)",
            where=root,
            hint="give a workspace with -C DIR, or make one with `adjudicate init` or `adjudicate example`",
        )
    return Workspace(root, read_settings(root / SETTINGS_FILE) if settings is None else settings)


def natural_key(text: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Sort key of pages, runs and models: numbers in a name compare as numbers, so that `2` stands before `10`. Total."""
    parts = tuple((0, int(part), "") if part.isdecimal() and part.isascii() else (1, 0, part) for part in _NUMBER.split(text) if part)
    return parts, text


def unsafe_name(name: str) -> str:
    """Why `name` cannot be the name of a page, model, phase or run; empty when it can."""
    if not name or name != name.strip():
        return "it is empty or begins or ends with white space"
    if name in (".", "..") or "/" in name or "\\" in name:
        return "it holds a path separator"
    if visible(name) != name:
        return "it holds control or invisible characters"
    return ""


def is_readme(path: Path) -> bool:
    """Whether this is a note for readers (`README`, `README.md`, `readme.txt`), which may lie beside ground truth and runs.

    A file of data is none, whatever its name: it is never left out without a word.
    """
    return path.name.casefold().startswith("readme") and path.suffix.lower() not in _DATA and path.is_file()


def entries(folder: Path, root: Path) -> tuple[list[Path], list[Problem]]:
    """What lies in `folder`, in natural order, hidden files left out. Links that lead out of `root` and unsafe names are refused, reported.

    A folder that does not exist holds nothing.

    Raises:
        InputError: the folder cannot be read.
    """
    found: list[Path] = []
    problems: list[Problem] = []
    try:
        with os.scandir(folder) as scanned:
            listed = sorted(((entry.name, entry.is_symlink()) for entry in scanned), key=lambda pair: natural_key(pair[0]))
    except FileNotFoundError:
        return [], []
    except OSError as fault:
        raise InputError(f"the folder cannot be read ({fault.strerror})", where=folder, hint="check its permissions") from fault
    for name, link in listed:
        if name.startswith("."):
            continue
        path = folder / name
        shown = visible(str(path.relative_to(root).as_posix() if path.is_relative_to(root) else path))
        if link and not _inside(path, root):
            problems.append(Problem(Severity.WARNING, "a link that leads out of the workspace (or nowhere) was not followed", shown))
        elif reason := unsafe_name(name):
            problems.append(Problem(Severity.WARNING, f"left out because of its name: {reason}", shown))
        else:
            found.append(path)
    return found, problems


def _inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve(strict=True).is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return False
