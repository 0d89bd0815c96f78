"""What a verifier waits for, through a real pseudo-terminal: the start, each key, the consequences of verdicts, the disk.

    python benchmarks/latency.py [--quick] [--folder DIR] [--keys 300]

The workspace is that of `big_workspace.py` (1,500 runs, more than 100,000 cases; with `--quick` 150 runs, 10,000 cases).
Where others use the machine at the same time, the time they held the processors is taken out (Linux keeps it for each
thread); the clock's figures stand beside. Exit code 1 where a figure of `docs/limits.md#what-a-verifier-waits-for` is missed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import big_workspace  # noqa: E402
from scoring.rules import EMPTY_RULES, draft_equivalence  # noqa: E402
from tests.tui.small import command, environment  # noqa: E402
from tests.tui.terminal import Terminal  # noqa: E402

START, KEY, FREEZE, DURABLE = 300.0, 20.0, 50.0, 3.0
SIZE = (120, 40)
PAUSE = 0.06
# Each once before, so that Review, where the keys were pressed, is measured anew as well.
SCREENS = {"O": "Overview", "R": "Run", "S": "Scores", "E": "Rules", "A": "Agreement", "V": "Review"}
# What is done, on which screen, after which key: everything is read and scored again; the OPEN rows are tried.
WORK = (("runs are read and scored again", "V", "\x1b[15~"), ("rules are tried", "E", "p"))
FRAME_END = b"\x1b[?2026l"
# Marks a program can write past the screen: what loading took, and what the log took, in its own process.
# What has to be imported for that is imported as the program does it, without a search for garbage.
TIMED = """
import gc, glob, sys, time
gc.disable()
def waited():
    return sum(int(open(name).read().split()[1]) for name in glob.glob("/proc/self/task/*/schedstat")) / 1e9
from tui import opening
import scoring.adjudication.log.write as log
gc.enable()
real = opening.open_session
def timed(*arguments, **options):
    at, before = time.perf_counter(), time.process_time()
    session = real(*arguments, **options)
    with open({marks!r}, "w") as file:
        file.write(f"{{time.perf_counter() - at}} {{time.process_time() - before}} {{len(session.cases)}}")
    return session
opening.open_session = timed
append = log.Log.append_lines
def appended(self, lines):
    before = waited()
    at = time.perf_counter()
    append(self, lines)
    taken = time.perf_counter() - at
    with open({writes!r}, "a") as file:
        file.write(f"{{(taken - waited() + before) * 1000}}\\n")
log.Log.append_lines = appended
from tui.cli import main
main(sys.argv[1:])
"""


@dataclass
class Figure:
    """A figure, its bound, and whether it holds."""

    name: str
    value: float
    bound: float | None
    unit: str = "ms"

    @property
    def holds(self) -> bool:
        return self.bound is None or self.value <= self.bound

    def __str__(self) -> str:
        bound = "" if self.bound is None else f"at most {self.bound:g} {self.unit}"
        verdict = "" if self.bound is None else "holds" if self.holds else "MISSED"
        return f"{self.name:<46}{self.value:10.2f} {self.unit:<3} {bound:<18}{verdict}".rstrip()


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def waited(*processes: int) -> float:
    """Seconds that the threads of these processes were ready to run while others held the processors (Linux; elsewhere none)."""
    total = 0
    for process in processes:
        for name in Path(f"/proc/{process}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError, ValueError, IndexError):
                total += int(name.read_text().split()[1])
    return total / 1e9


def processor_time(process: int) -> float:
    """Seconds of processor time the process has used, in hundredths (Linux; elsewhere none)."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Wait:
    """What a key took in milliseconds: by the clock, and less the time that others held the processors."""

    clock: float
    own: float


def after_key(terminal: Terminal, key: str, timeout: float = 5.0, *, text: bool = True) -> Wait:
    """What passes from a key to the end of the first frame that shows something else than before.

    Where a cursor is drawn by colour alone, `text` is false: the first frame that draws anything counts. Our own drawing of
    the frame, which a terminal does in no time, is left out.
    """
    processes = (terminal.process.pid, os.getpid())
    before, held = terminal.screen.text, waited(*processes)
    at = terminal.send(key)
    frames = terminal.screen.frames
    until = time.perf_counter() + timeout
    received = b""
    while True:
        data = terminal.receive(until - time.perf_counter())
        now = time.perf_counter()
        received += data
        if data and FRAME_END not in received:
            continue
        passed = waited(*processes) - held
        terminal.draw(received)
        received = b""
        if terminal.screen.frames > frames and (not text or terminal.screen.text != before):
            return Wait((now - at) * 1000, max(0.0, now - at - passed) * 1000)
        if now > until:
            raise AssertionError(f"nothing changed after {key!r}:\n{terminal.screen.text}")


def first_shown(terminal: Terminal, text: str, timeout: float) -> tuple[float, float]:
    """When the first frame that shows a text had come whole, and the processor time the program had taken until then, in seconds.

    Our own drawing of the frames is left out, as it is after a key.
    """
    until = time.perf_counter() + timeout
    received = b""
    while True:
        received += terminal.receive(until - time.perf_counter())
        now, worked = time.perf_counter(), processor_time(terminal.process.pid)
        if FRAME_END in received:
            terminal.draw(received)
            received = b""
            if text in terminal.screen.text:
                return now, worked
        if now > until:
            raise AssertionError(f"{text!r} is not on the screen after {timeout} s:\n{terminal.screen.text}")


def coming_up(times: int = 5) -> float:
    """Seconds of processor time until a program that only loads can begin to: the interpreter, and what `open_session` is defined in."""
    program = "import gc, time; gc.disable(); import tui.bench.opening; print(time.process_time())"
    runs = [subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True) for _ in range(times)]
    return statistics.median(float(run.stdout) for run in runs)


def rest(terminal: Terminal, seconds: float) -> None:
    """Read for so long."""
    until = time.perf_counter() + seconds
    while (left := until - time.perf_counter()) > 0:
        terminal.read(left)


def presses(terminal: Terminal, times: int, pause: float = PAUSE) -> list[Wait]:
    """Moving down and up by turns; nothing where there is only one line to be on."""
    waits = []
    for number in range(times):
        try:
            waits.append(after_key(terminal, "k" if number % 2 else "j", timeout=3.0, text=False))
        except AssertionError:
            return waits
        rest(terminal, pause)
    return waits


def show(terminal: Terminal, key: str) -> None:
    """Open a screen; on Review a queue that has cases."""
    terminal.send(key)
    rest(terminal, 1.5)
    for _ in range(9):
        if key != "V" or presses(terminal, 2):
            return
        terminal.send("\t")
        rest(terminal, 1.0)


def on_screens(terminal: Terminal, times: int) -> dict[str, tuple[Wait, list[Wait]]]:
    """For each screen: what passes from its key to its first frame, and from each key on it to the end of that key's frame."""
    found = {}
    for key, name in SCREENS.items():
        opened = after_key(terminal, key, timeout=10.0)
        rest(terminal, 4.0)
        if key == "V":
            show(terminal, key)
        found[name] = (opened, presses(terminal, times))
    return found


def bare_append(folder: Path, times: int) -> list[float]:
    """Milliseconds of a bare append and fsync of a line as long as a verdict's, with the same pause between as the keys have."""
    line, taken = b"x" * 700 + b"\n", []
    file = os.open(folder / "bare", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for _ in range(times):
        time.sleep(PAUSE)
        held = waited(os.getpid())
        at = time.perf_counter()
        os.write(file, line)
        os.fsync(file)
        passed = time.perf_counter() - at
        taken.append((passed - waited(os.getpid()) + held) * 1000)
    os.close(file)
    return taken


def measure(root: Path, scratch: Path, keys: int) -> list[Figure]:
    marks, writes = scratch / "marks", scratch / "writes"
    program = [sys.executable, "-c", TIMED.format(marks=str(marks), writes=str(writes)), *command(root, "review", "--queue", "all")[3:]]
    found: list[Figure] = []
    with Terminal(program, env=environment(scratch), size=SIZE) as terminal:
        usable, worked = first_shown(terminal, " open, 0 decided", timeout=600)
        loading, at_work, cases = (float(part) for part in marks.read_text().split())
        found.append(Figure("cases queued", cases, None, ""))
        found.append(Figure("loading the data", loading * 1000, None))
        start = usable - terminal.started - loading
        found.append(Figure("start to usable screen less `open_session`, clock", start * 1000, None))
        # All of it is work of one thread, so that the processor's time is the clock's on a machine of one's own.
        own = min(start, worked - at_work) if worked else start
        found.append(Figure("start to usable screen less `open_session`", own * 1000, None))
        # What loading takes begins before it, with the interpreter and the modules that load.
        found.append(Figure("start to usable screen beyond loading", (own - coming_up()) * 1000, START))
        rest(terminal, 1.5)
        by_kind: dict[str, list[Wait]] = {}

        def press(kind: str, key: str, times: int, pause: float = PAUSE) -> None:
            for _ in range(times):
                by_kind.setdefault(kind, []).append(after_key(terminal, key))
                rest(terminal, pause)

        press("move down", "j", keys)
        press("move up", "k", keys // 4)
        for _ in range(keys // 6):
            press("pick", "1", 1)
            press("pick", "1", 1)
            press("scroll", "]", 1)
            press("scroll", "[", 1)
            press("move down", "j", 1)
        press("verdict", "u", keys // 3)
        press("undo", "z", keys // 6)
        press("next queue", "\t", 7)
        # Keys while consequences are worked out: each waits at most as long as the program is deaf.
        while_settling: list[Wait] = []
        for number in range(keys // 20):
            after_key(terminal, "x" if number % 2 else "u")
            for _ in range(8):
                # Longer than the pause after which the work is taken up again, so that the next key meets it.
                rest(terminal, 0.15)
                while_settling.append(after_key(terminal, "j"))
        screens = on_screens(terminal, max(10, keys // 12))
        usual_there, at_work = {}, {}
        for what, screen, key in WORK:
            show(terminal, screen)
            usual_there[what] = statistics.median(one.own for one in presses(terminal, 10))
            at_work[what] = [after_key(terminal, key), *presses(terminal, max(12, int(loading * 4)), pause=0.15)]
            rest(terminal, loading + 2)
    everyday = [one for kind in ("move down", "move up", "pick", "scroll", "verdict", "undo") for one in by_kind[kind]]
    for kind, waits in {**by_kind, "while consequences settle": while_settling, "key to repaint": everyday}.items():
        own, clock = [one.own for one in waits], [one.clock for one in waits]
        found.append(Figure(f"{kind}: median of {len(own)}", statistics.median(own), None))
        found.append(Figure(f"{kind}: p95", percentile(own, 0.95), KEY if waits is everyday else None))
        found.append(Figure(f"{kind}: p95 by the clock", percentile(clock, 0.95), None))
    usual = statistics.median(one.own for one in by_kind["move down"])
    found.append(Figure("longest freeze while consequences settle", max(one.own for one in while_settling) - usual, FREEZE))
    for name, (opened, moves) in screens.items():
        found.append(Figure(f"{name}: from the key to the screen", opened.own, None))
        if len(moves) > 2:  # else there is one line, and nothing to move over
            found.append(Figure(f"{name}: p95 of {len(moves)} keys", percentile([one.own for one in moves], 0.95), KEY))
    for what, waits in at_work.items():
        longest = max(one.own for one in waits) - usual_there[what]
        found.append(Figure(f"longest freeze while {what}", longest, FREEZE))
    taken = [float(line) for line in writes.read_text().split()]
    bare = bare_append(root / "adjudications", len(taken))
    found.append(Figure(f"verdict durable: median of {len(taken)}", statistics.median(taken), None))
    found.append(Figure("bare append and fsync: median", statistics.median(bare), None))
    found.append(Figure("verdict durable, times a bare append", statistics.median(taken) / statistics.median(bare), DURABLE, "x"))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="150 runs and 60 keys")
    parser.add_argument("--folder", type=Path, help="an existing workspace instead of the made one; its log is written to a copy")
    parser.add_argument("--keys", type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        root = scratch / "big"
        if given.folder:
            shutil.copytree(given.folder, root, ignore=shutil.ignore_patterns("adjudications", ".adjudicate-cache"))
        else:
            big_workspace.write(root, runs=150 if given.quick else 1500)
        rules = root / "EQUIVALENCES.md"
        if not rules.exists():
            rules.write_text(EMPTY_RULES, "utf-8")
            for form in big_workspace.BEGIN[:3]:
                draft_equivalence(rules, f"{form}{big_workspace.END[0]}", f"{form}{big_workspace.END[1]}", "name")
        found = measure(root, scratch, given.keys or (60 if given.quick else 300))
    for figure in found:
        print(figure)
    return 0 if all(figure.holds for figure in found) else 1


if __name__ == "__main__":
    sys.exit(main())
