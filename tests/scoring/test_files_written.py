"""A file written whole: the old one or the new one, never a part, and nothing left beside it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from scoring.foundations.files import write_whole


def test_the_new_file_has_the_usual_mode_or_the_one_given(tmp_path: Path):
    mask = os.umask(0o027)
    try:
        write_whole(tmp_path / "a" / "usual", b"1")
        write_whole(tmp_path / "a" / "given", b"2", durable=True, mode=0o600)
    finally:
        os.umask(mask)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "a").iterdir()}
    assert modes == {"usual": 0o640, "given": 0o600}


def test_what_is_raised_before_it_is_put_in_place_leaves_the_old_one(tmp_path: Path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    seen: list[bytes] = []

    def refuse() -> None:
        seen.append(path.read_bytes())
        raise ValueError("changed")

    with pytest.raises(ValueError, match=r"^changed$"):
        write_whole(path, b"new", before=refuse)
    assert (seen, path.read_bytes(), [one.name for one in tmp_path.iterdir()]) == ([b"old"], b"old", ["file"])


def test_a_durable_file_is_on_disk_before_it_is_in_place_and_then_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path, synced = tmp_path / "file", list[bool]()
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(path.exists())
        real(handle)

    monkeypatch.setattr("os.fsync", fsync)
    write_whole(path, b"1")
    assert synced == []
    write_whole(path, b"2", durable=True)
    assert synced == [True, True]
    path.unlink()
    synced.clear()
    write_whole(path, b"3", durable=True)
    assert synced == [False, True]


def test_a_link_is_replaced_and_not_followed(tmp_path: Path):
    (tmp_path / "kept").write_bytes(b"kept")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    write_whole(tmp_path / "link", b"new")
    assert ((tmp_path / "kept").read_bytes(), (tmp_path / "link").is_symlink()) == (b"kept", False)
