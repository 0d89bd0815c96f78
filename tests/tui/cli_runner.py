"""Running the command in this process: exit code, standard output, standard error."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tui.cli import main


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


Run = Callable[..., Done]


def runner(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, home: Path) -> Run:
    """A function that runs `adjudicate` with its per-user settings in `home`."""
    monkeypatch.setenv("ADJUDICATE_CONFIG", str(home / "config"))
    monkeypatch.delenv("ADJUDICATE_VERIFIER", raising=False)

    def run(*args: object) -> Done:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        seen = capsys.readouterr()
        assert "Traceback" not in seen.err
        for stream in (seen.out, seen.err):
            assert not {character for character in stream if ord(character) < 32 or 0x7F <= ord(character) < 0xA0} - {"\n"}
            assert not set(stream) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u200b\ufeff")
        code = ended.value.code
        return Done(0 if code is None else int(code), seen.out, seen.err)

    return run
