"""Where the example workspace lies, and writing it out (`docs/commands.md`).

A checkout is its own example: the repository root is the workspace. An installed package carries a copy beside this module,
put there by the build (`setup.py`, which takes the list of entries from here).
"""

from __future__ import annotations

import shutil
from pathlib import Path

from scoring.foundations.problems import InputError

PACKAGED = "example_workspace"
# What a workspace's `.gitattributes` says: decisions of several verifiers merge by git (`docs/log.md#merging-and-import`).
UNION = "adjudications/*.jsonl merge=union"

# What belongs to the example, as patterns from the workspace. The logs are named one by one: whoever works in a checkout leaves
# a log of their own there, which is theirs and no example.
ENTRIES = (
    "EQUIVALENCES.md",
    "adjudicate.toml",
    "gt/**/*",
    "runs/**/*",
    "adjudications/example-*.jsonl",
    "questions/**/*",
    "data/**/*",
)


def example_files(root: Path) -> list[Path]:
    """The files of the example workspace at `root`, relative to it, in order of their paths. Hidden files and links are left out."""
    found = {
        path.relative_to(root)
        for pattern in ENTRIES
        for path in root.glob(pattern)
        if path.is_file() and not path.is_symlink() and not any(part.startswith((".", "__")) for part in path.relative_to(root).parts)
    }
    return sorted(found, key=Path.as_posix)


def copy_example(source: Path, to: Path) -> list[Path]:
    """Copy the example at `source` under `to`, contents alone (no times, no modes). Returns the files written."""
    written: list[Path] = []
    for path in example_files(source):
        target = to / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, target)
        written.append(target)
    return written


def example_source() -> Path:
    """The folder the example lies in: the packaged copy, else the repository root of a checkout.

    Raises:
        InputError: neither is there.
    """
    here = Path(__file__).resolve().parents[1]
    for candidate in (here / PACKAGED, here.parent):
        if (candidate / "EQUIVALENCES.md").is_file() and any((candidate / "gt").glob("gt_page_*.csv")):
            return candidate
    raise InputError("this installation carries no example workspace", where=here, hint="install the package again, or use a checkout")


def write_example(to: Path) -> list[Path]:
    """Write the example workspace out to a folder that is absent or empty. Returns the files written, in order.

    Raises:
        InputError: `to` is a file or holds something already, or cannot be written.
    """
    source = example_source()
    try:
        if to.exists() and not to.is_dir():
            raise InputError("this is a file, not a folder", where=to, hint="name a folder that does not exist yet")
        if to.exists() and any(to.iterdir()):
            raise InputError("the folder is not empty, and nothing in it will be overwritten", where=to, hint="name a new or empty folder")
        to.mkdir(parents=True, exist_ok=True)
        # Not the repository's own, which speaks of more than a workspace.
        attributes = to / ".gitattributes"
        attributes.write_bytes(f"{UNION}\n".encode())
        return [attributes, *copy_example(source, to)]
    except OSError as fault:
        where = fault.filename or to
        raise InputError(
            f"the example cannot be written ({fault.strerror or fault})", where=where, hint="choose a folder you may write to"
        ) from fault
