"""Page scores kept on disk for the next start. Safe to delete at any time, and never wrong: each is found by what it was made of.

A file a page of ground truth, `.adjudicate-cache/scores/<hash of the page id>`. It names a hash of everything that all its page scores
depend on (engine, schema, rules, settings, the page of ground truth, the libraries that compare), and each page score one of the rows
that were scored. Anything else is not found and scored again; a file that is not whole is as good as none.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

import Levenshtein
import msgspec
import numpy
import rapidfuzz
import regex

from scoring.foundations.files import read_bytes, write_whole
from scoring.foundations.problems import InputError
from scoring.tables.execution.serialization import Chunk, Digest, read_chunk, write_chunk
from scoring.tables.inputs.material import Material
from scoring.tables.inputs.rows_and_runs import GTPage
from scoring.workspace.layout import Workspace
from scoring.workspace.provenance import engine_fingerprint

_LIMIT: Final = 512 * 1024 * 1024
_SUM: Final = hashlib.sha256().digest_size
_TAG: Final = b"Signature: 8a477f597d28d172789f06886806bc55\n# Made by adjudicate; may be deleted.\n"
_COMPARING: Final = tuple(f"{library.__name__} {library.__version__}" for library in (Levenshtein, numpy, rapidfuzz, regex))


class _Kept(msgspec.Struct, array_like=True, frozen=True):
    ground: str
    chunks: tuple[msgspec.Raw, ...]


def cache_folder(workspace: Workspace) -> Path | None:
    """Where a workspace's page scores are kept: `$ADJUDICATE_CACHE`, else beside the workspace's own; None where that is `off`."""
    named = os.environ.get("ADJUDICATE_CACHE", "")
    if named == "off":
        return None
    return Path(named) if named else workspace.cache


class ScoreCache:
    """The page scores kept in a folder for the pages of some material. A folder that is not there or cannot be used keeps nothing."""

    def __init__(self, folder: Path, material: Material) -> None:
        self._folder = folder
        self._common = [
            engine_fingerprint(),
            sys.version,
            *_COMPARING,
            [field.identity for field in material.schema.fields],
            list(material.schema.key),
            [material.rules.content, material.rules.fingerprint],
            material.settings.parsed(),
        ]

    def of_page(self, page: GTPage) -> tuple[Chunk, ...]:
        """What is kept for a page of ground truth as it stands now."""
        if self._folder.is_symlink():
            return ()
        try:
            content = read_bytes(self._file(page), limit=_LIMIT)
        except InputError:
            return ()
        check, payload = content[:_SUM], content[_SUM:]
        if hashlib.sha256(payload).digest() != check:
            return ()
        try:
            kept = msgspec.msgpack.decode(payload, type=_Kept)
            # One by one: to read the scores of thousands of runs at one stroke would stop every other thread.
            return tuple(read_chunk(chunk) for chunk in kept.chunks) if kept.ground == self._ground(page) else ()
        except (msgspec.DecodeError, RecursionError):
            return ()

    def keep(self, page: GTPage, chunks: Iterable[Chunk], wanted: Collection[Digest]) -> None:
        """Keep the chunks that hold a page score still wanted. Where that cannot be written, nothing is kept."""
        held = tuple(msgspec.Raw(write_chunk(chunk)) for chunk in chunks if any(one.digest in wanted for one in chunk.pages))
        payload = msgspec.msgpack.encode(_Kept(self._ground(page), held))
        if self._folder.is_symlink() or len(payload) > _LIMIT - _SUM:
            return
        try:
            # The folder leaves itself out of git and of backups.
            for name, content in ((".gitignore", b"*\n"), ("CACHEDIR.TAG", _TAG)):
                if not (self._folder / name).exists():
                    write_whole(self._folder / name, content)
            write_whole(self._file(page), hashlib.sha256(payload).digest() + payload)
        except OSError:
            return

    def _file(self, page: GTPage) -> Path:
        return self._folder / "scores" / hashlib.sha256(page.id.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def _ground(self, page: GTPage) -> str:
        rows = [list(row.values.items()) for row in page.rows]
        text = json.dumps([*self._common, page.id, rows], ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
