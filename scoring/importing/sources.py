"""What was brought: a file, or a folder with its files; bounded, and never left by a link."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from scoring.files import SIZE_LIMIT, read_bytes
from scoring.problems import InputError
from scoring.workspace import natural_key

MOST_FILES: Final = 100_000


@dataclass(frozen=True)
class Source:
    """A file or folder to import. `root` is the folder that names of files start from."""

    root: Path
    alone: Path | None = None

    @property
    def name(self) -> str:
        """The name it is recorded under: no folder of this machine."""
        return (self.alone or self.root.resolve()).name

    @cached_property
    def listing(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of the files from the root, in natural order, and names of links, which are never followed."""
        if self.alone is not None:
            return (self.alone.name,), ()
        files: list[str] = []
        links: list[str] = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and not (Path(folder) / name).is_symlink())
            for name in names:
                path = Path(folder) / name
                if not name.startswith("."):
                    (links if path.is_symlink() or not path.is_file() else files).append(path.relative_to(self.root).as_posix())
            if len(files) > MOST_FILES:
                raise InputError(f"the folder holds more than {MOST_FILES} files", where=self.root, hint="import its parts one by one")
        return tuple(sorted(files, key=natural_key)), tuple(sorted(links))

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files from the root."""
        return self.listing[0]

    def path(self, name: str) -> Path:
        """The path of a file."""
        return self.alone if self.alone is not None else self.root / name

    def read(self, name: str, limit: int = SIZE_LIMIT) -> bytes:
        """The bytes of a file.

        Raises:
            InputError: it cannot be read or is larger than `limit`.
        """
        return read_bytes(self.path(name), limit=limit)


def open_source(path: Path) -> Source:
    """Open a file or folder to import.

    Raises:
        InputError: there is none, or it is neither.
    """
    if path.is_dir():
        return Source(path)
    if path.is_file():
        return Source(path.parent, path)
    raise InputError("there is no such file or folder", where=path, hint="name what to import")
