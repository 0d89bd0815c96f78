"""Workspaces whose files were written by somebody who means harm, from a seed; and a command run on one in this process."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import re
import signal
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring.adjudication.log_entry import LogEntry, encode, new_id, timestamp

NAMES = ("Anna Rossi", "Israel Baysan", "Leon Tedesco", "Kin?gsech", "Mario Bassa", "Anna e Bruno Serri", "Pietro Durazzo")
RULES = """# Equivalences

## 1. Ignore rules

| token | field | position | side | status | witness | note |
|---|---|---|---|---|---|---|
| il | name | leading | model | settled | | |
| di {origin} | name | trailing | model | OPEN | | |

## 2. Equivalences

| form | canonical | field | status | witness | note |
|---|---|---|---|---|---|
| q.m | qm | name | settled | | |
| d.co | domestico | title | OPEN | | |

## 3. Near misses

| form | not | field | why |
|---|---|---|---|
| Feltrina | Pestiora | origin | misread |
"""
# What is put into files: terminal control, marks that hide or turn text, broken encodings, numbers nobody can hold, formulas, markup.
SNIPPETS = (
    b"\x1b[2J\x1b]0;owned\x07",
    b"\x9b31m",
    "\u009b2J\u0085".encode(),
    "\u202e\u2066\u200b\ufeff".encode(),
    b"\0\0\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xc3(",
    b"\xed\xa0\x80",
    b"\\ud800",
    b"\\u001b[31m",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"9" * 5000,
    b'"',
    b"'",
    b'""',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b";",
    b"\r",
    b"\r\n",
    b"\n",
    b"\n\n",
    b"|",
    b"| a | b |\n",
    b"```",
    b"~~~",
    b"<!--",
    b"[/bold]",
    b"[red]x",
    b"<b>",
    b"=1+1",
    b"@SUM(A1)",
    b"{{7*7}}",
    b"%s%n",
    b"../../../etc/passwd",
    b"page_",
    b"null",
    b"true",
    b'{"a":{"a":{"a":[',
    b'"name":"x","name":"y"',
    b"[" * 3000,
    b'{"a":' * 3000,
    "ﷺ".encode() * 20,
    "e\u0301".encode() * 20,
    "\U0001f468\u200d\U0001f469".encode(),
    b"a" * 70_000,
    b"," * 5000,
    b"settled",
    b"OPEN",
    b"<<<<<<< HEAD\n",
    b"gate = 2\n",
    b"[[x]]\n",
    b"?",
    b"????????",
    b" ",
    "\u00a0\u3000".encode(),
    b"#",
    b"-",
)
FILE_NAMES = (
    "gt/gt_page_...csv",
    "gt/gt_page_ .csv",
    "gt/gt_page_\x1b[31m.csv",
    "gt/gt_page_=1+1.csv",
    "gt/gt_page_[b].csv",
    "gt/gt_page_1:2.csv",
    "gt/gt_page_001.csv",
    "gt/x.csv",
    "runs/alfa/naive/run_99.json",
    "runs/alfa/naive/\u202erun.json",
    "runs/[red]/naive/run_1.json",
    "runs/=cmd/naive/run_1.json",
    "runs/alfa/naive/run_01/page_2.json",
    "runs/alfa/naive/run_03/page_1.jsonl",
    "runs/alfa/naive/run_03/page_1.csv",
    "runs/alfa/naive/run_03/page_2.txt",
    "adjudications/x y.jsonl",
    "adjudications/-rf.jsonl",
    "adjudications/\x1b.jsonl",
    "adjudications/xy.jsonl",
)


def entry(number: int, chance: random.Random, verifier: str = "mp") -> LogEntry:
    """A verdict on rows that may or may not be there."""
    row = f"gt:{chance.choice('123')}:{chance.randint(1, 7)}"
    verdicts = ("same", "different", "merge", "duplicate", "fragment", "misread", "invention", "unsure", "nonsense")
    case, verdict = f"t-{chance.getrandbits(32):08x}", chance.choice(verdicts)
    basis = {"page": row.split(":")[1], "reading": chance.choice(NAMES), "rows": {row: f"{chance.getrandbits(32):08x}"}, "number": number}
    return LogEntry(id=new_id(), at=timestamp(), verifier=verifier, task="tables", case=case, verdict=verdict, targets=(row,), basis=basis)


def sound(folder: Path, chance: random.Random) -> None:
    """A workspace without a fault: three pages, four runs, rules, settings, a log."""
    files: dict[str, str | bytes] = {"EQUIVALENCES.md": RULES, "adjudicate.toml": "gate = 0.7\n"}
    for page in "123":
        rows = "".join(f'"{name}",Conte,"May {at + 1} 1769",Verona\n' for at, name in enumerate(NAMES))
        files[f"gt/gt_page_{page}.csv"] = f"name,title,arrival_date,origin\n{rows}"
    files["gt/schema.json"] = json.dumps(
        {
            "properties": {
                "name": {"x-method": "name", "x-key": True},
                "title": {},
                "arrival_date": {"x-method": "date"},
                "origin": {"x-method": "place"},
            }
        }
    )
    for run in (1, 2, 3):
        pages: dict[str, object] = {}
        for page in "12":
            found = [{"name": _misread(name, chance), "title": None, "arrival_date": "May 1 1769", "origin": "Verona"} for name in NAMES]
            pages[page] = (
                {"status": "ok", "travelers": found}
                if run < 3
                else {"status": "ok", "response": f"Here:\n```json\n{json.dumps(found)}\n```"}
            )
        files[f"runs/alfa/naive/run_{run:02}.json"] = json.dumps({"model": "alfa", "phase": "naive", "run": run, "pages": pages})
    files["runs/beta/guided/run_01/page_1.jsonl"] = "".join(json.dumps({"name": _misread(name, chance)}) + "\n" for name in NAMES)
    files["runs/beta/guided/run_01/page_2.csv"] = "name;title\n" + "".join(f"{_misread(name, chance)};x\n" for name in NAMES)
    files["runs/beta/guided/run_01/page_3.txt"] = json.dumps([{"name": name} for name in NAMES])
    files["adjudications/mp.jsonl"] = b"".join(encode(entry(number, chance)) + b"\n" for number in range(5))
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def _misread(name: str, chance: random.Random) -> str:
    draw = chance.random()
    if draw < 0.1:
        return chance.choice(("Zorzi Nani", "Anna", "Anna Rossi e Mario Bassa", "Il Barone Bassa"))
    for _ in range(chance.randint(1, 6) if draw > 0.4 else 0):
        at = chance.randrange(len(name))
        name = name[:at] + chance.choice("aeiou?. ") + name[at + chance.randint(0, 2) :] or "x"
    return name


def spoiled(data: bytes, chance: random.Random) -> bytes:
    """Bytes with one to four injuries: bits turned over, a cut, a snippet put in or put in its place, a part given twice."""
    for _ in range(chance.randint(1, 4)):
        at, to = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        act = chance.randrange(6)
        if act == 0 and data:
            turned = bytearray(data)
            for _ in range(chance.randint(1, 8)):
                turned[chance.randrange(len(turned))] ^= 1 << chance.randrange(8)
            data = bytes(turned)
        elif act == 1:
            data = data[:at]
        elif act == 2:
            data = data[:at] + chance.choice(SNIPPETS) * chance.choice((1, 1, 1, 30)) + data[at:]
        elif act == 3:
            data = data[:at] + chance.choice(SNIPPETS) + data[to:]
        elif act == 4:
            data = data[:to] + data[at:]
        else:
            data = data.replace(
                chance.choice((b'"', b",", b"\n", b":", b"|", b"name", b"e")), chance.choice(SNIPPETS)[:2000], chance.randint(1, 3)
            )
    return data


def hostile(folder: Path, seed: int) -> None:
    """A workspace of which one to three files are spoiled, and now and then a file with a bad name or a link out of it lies in it."""
    chance = random.Random(seed)
    sound(folder, chance)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in chance.sample(files, chance.randint(1, 3)):
        path.write_bytes(spoiled(path.read_bytes(), chance))
    if chance.random() < 0.4:
        path = folder / chance.choice(FILE_NAMES)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(spoiled(chance.choice(files).read_bytes(), chance))
    if chance.random() < 0.15:
        path = chance.choice(files)
        act = chance.randrange(4)
        path.unlink()
        if act == 0:
            path.symlink_to("/dev/zero")
        elif act == 1:
            path.symlink_to(folder.parent / "outside.txt")
        elif act == 2:
            os.mkfifo(path)
        else:
            path.mkdir()


@dataclass(frozen=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str


class HangError(AssertionError):
    """A command did not end in time."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop what takes longer."""

    def stop(*_: object) -> None:
        raise HangError(f"still at work after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def run(folder: Path, words: Sequence[str], *, seconds: float = 60.0) -> Done:
    """`adjudicate -C folder WORDS`, in this process; whatever it raises but its end is an error of the program."""
    from tui.cli import main

    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with limited(seconds), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(["-C", str(folder), "--verifier", "mp", *words])
        except SystemExit as end:
            code = end.code
        except HangError:
            raise
        except BaseException as fault:
            raise AssertionError(f"{' '.join(words)}: {type(fault).__name__}\n{''.join(traceback.format_exception(fault))}") from fault
    return Done(code if isinstance(code, int) else 0 if code is None else 1, out.getvalue(), err.getvalue())


# What a terminal would act upon, hide or turn around.
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]")


def assert_harmless(done: Done, words: Sequence[str]) -> None:
    """Only the exit codes there are; no traceback; nothing in the output that could drive a terminal. CSV is for programs."""
    what = " ".join(words)
    assert done.code in (0, 1, 2), f"{what}: exit code {done.code}\n{done.err}"
    assert "Traceback" not in done.out + done.err, f"{what}\n{done.err}"
    if done.code == 2:
        assert done.err.strip(), f"{what}: exit code 2 without a sentence"
    for text in (done.err,) if "csv" in words else (done.out, done.err):
        found = HARMFUL.search(text)
        assert found is None, f"{what}: {found!r} in {text[max(0, found.start() - 80) : found.start() + 40]!a}" if found else ""


def everything(folder: Path) -> dict[str, bytes]:
    """Every regular file under a folder and its bytes; links are not followed."""
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()
    }
