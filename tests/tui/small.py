"""A small workspace for the screens' tests: three pages, two models, text that tries to harm a terminal."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from pathlib import Path

from scoring.adjudication.decisions import Decisions
from scoring.adjudication.log.write import Log
from tests.tui.terminal import ROOT
from tui.bench.opening import open_session
from tui.bench.session import Session

NAME = "register"
VERIFIER = "mp"
ESCAPES = "Anna\x1b[31m Ros\x1b]0;owned\x07so\x9b2J"
OVERRIDE = "Mar\u202eoirad\u202c Bassa"
ZERO_WIDTH = "Pie\u200btro\ufeff Du\u00adrazzo"
LONG = "Ferdinando Maria " * 12 + "von und zu Hohenstaufen-Lichtenegg"
NEWLINES = "Gian\nFrancesco\r\nda Ponte\ttab"
COMBINED = "Nicolo\u0300 Ze\u0301\u0323\u0302no A\u030a\u0301"
GT: dict[str, list[str]] = {
    "1": ["Anna Rossi", "Israel Baysan", "Fig[liuo]lo Conti", "Leon Tedesco", "Francesco Kin?gsech", "Mario Bassa"],
    "2": ["Salamon Cormos", "Anna Serri", "Bruno Serri", "Pietro Durazzo", "Ferdinando Maria von Hohenstaufen"],
    "10": ["Mandolin Todros", "Gian Francesco da Ponte", "Nicolò Zeno Å"],
}
ANSWERS: dict[str, dict[str, list[str] | None]] = {
    "alfa": {
        "1": [
            "Anna Rosi",
            "Israel Bayson di Verona",
            "fig[liuo]lo Konti",
            "[/] Leon",
            "Francesco Kingsech",
            OVERRIDE,
            "<UNKNOWN>",
            ESCAPES,
        ],
        "2": ["Salmon Cormes", "Anna e Bruno Serri", ZERO_WIDTH, LONG, "Nul\x00 Byte"],
        "10": ["Mandolin Todro", NEWLINES, COMBINED, "[bold red]Invented[/bold red]"],
    },
    "beta": {
        "1": ["Anna Rossi", "Isaac Bayron", "Figliuolo Corti", "Leon q.m. Tedesco", "F. Kingsech", "Mario Bassa", "Mario Bassa"],
        "2": ["Salamon Cormos", "Anna Serri", "Bruno Seri", "P. Durazzo"],
        "10": None,
    },
}
RUNS = 3


def small_workspace(folder: Path) -> Path:
    """Write the workspace into `folder/register`; the same bytes every time."""
    root = folder / NAME
    (root / "gt").mkdir(parents=True)
    for page, names in GT.items():
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["name", "title", "arrival_date"])
        writer.writerows([name, "Conte" if at == 1 else "", f"May {at + 1} 1769"] for at, name in enumerate(names))
        (root / "gt" / f"gt_page_{page}.csv").write_text(out.getvalue(), "utf-8")
    for model, pages in ANSWERS.items():
        for run in range(1, RUNS + 1):
            path = root / "runs" / model / "naive" / f"run_{run:02}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            answer: dict[str, object] = {}
            for page, names in pages.items():
                if names is None:
                    answer[page] = {"status": "failed", "error": "the service [/] was \x1b[31mbusy", "entries": []}
                    continue
                # The last run leaves its last row out, so that the runs differ.
                kept = names[:-1] if run == RUNS else names
                answer[page] = {
                    "status": "ok",
                    "entries": [{"name": name, "title": None, "arrival_date": f"May {at + 1} 1769"} for at, name in enumerate(kept)],
                }
            document = {"model": model, "phase": "naive", "run": run, "generated": "2026-01-02T03:04:05Z", "pages": answer}
            path.write_text(json.dumps(document), "utf-8")
    return root


def small_session(root: Path, verifier: str | None = VERIFIER, **options: object) -> Session:
    """A sitting on the workspace."""
    return open_session(root, verifier, **options)  # type: ignore[arg-type]


def command(root: Path, *arguments: str, verifier: str | None = VERIFIER) -> list[str]:
    """The real command on a workspace."""
    named = ["--verifier", verifier] if verifier is not None else []
    return [sys.executable, "-m", "tui", "-C", str(root), *named, *arguments]


def environment(home: Path, **more: str) -> dict[str, str]:
    """An environment of nothing but what the program needs; the per-user settings lie in `home`."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "VIRTUAL_ENV", "SYSTEMROOT") if name in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "ADJUDICATE_CONFIG": str(home / "config"),
        "ADJUDICATE_CACHE": "off",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LC_ALL": "C.UTF-8",
        **more,
    }


def no_decisions() -> Decisions:
    """Decisions of an empty log."""
    return Decisions.of(())


def log_of(root: Path, verifier: str = VERIFIER) -> Log:
    """The verifier's log in the workspace."""
    return Log.open(root / "adjudications", verifier)
