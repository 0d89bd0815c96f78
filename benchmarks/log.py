"""The log's figures: a verdict durable against a bare append and fsync, replay of long logs, one key press on a long log.

    python benchmarks/log.py [--lines 100000] [--folder DIR]

Exit code 1 where a figure of `docs/limits.md#what-a-verifier-waits-for` is missed.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scoring.adjudication.decisions import Decisions, LogEntry, encode, new_id, timestamp  # noqa: E402
from scoring.adjudication.log.write import Log, read_log, require_sound  # noqa: E402

REPLAY_SECONDS, DURABLE_TIMES = 1.5, 3.0
CHANCE = random.Random(20261129)


def made(number: int, verifier: str) -> LogEntry:
    """An entry as large as the one in `docs/log.md#fields`."""
    rows = {f"gt:28:{number % 37}": f"{CHANCE.getrandbits(32):08x}", f"gt:28:{number % 37 + 1}": f"{CHANCE.getrandbits(32):08x}"}
    return LogEntry(
        id=new_id(),
        at=timestamp(),
        verifier=verifier,
        task="tables",
        case=f"t-{CHANCE.getrandbits(32):08x}",
        verdict="merge",
        targets=tuple(rows),
        note="two brothers in one line",
        basis={
            "page": "28",
            "reading": f"anna e bruno serri {number}",
            "rows": rows,
            "similarity": 0.759,
            "gate": 0.7,
            "gt": "36c390d2",
            "rules": "355f2e77",
            "engine": "5c52b890",
        },
    )


def timed(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def durable(folder: Path, count: int = 600) -> float:
    """Median of an append over the median of a bare write and fsync of the same line, the two taken in turn."""
    log = Log.open(folder / "durable", "mp")
    log.append(made(0, "mp"))
    bare = os.open(folder / "bare.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    ours, theirs = [], []
    for number in range(count):
        entry = made(number, "mp")
        line = encode(entry) + b"\n"
        ours.append(timed(lambda entry=entry: log.append(entry)))
        theirs.append(timed(lambda line=line: (os.write(bare, line), os.fsync(bare))))
    os.close(bare)
    times = statistics.median(ours) / statistics.median(theirs)
    print(
        f"verdict durable   {1e6 * statistics.median(ours):8.0f} us   bare append and fsync {1e6 * statistics.median(theirs):.0f} us",
        end="",
    )
    print(f"   {times:.2f}x (at most {DURABLE_TIMES:g}x)   p99 {1e6 * sorted(ours)[int(0.99 * count)]:.0f} us")
    return times


REPLAY = """
import resource, sys, time
from pathlib import Path
from scoring.adjudication.log.write import read_log, require_sound
start = time.perf_counter()
decisions = require_sound(read_log(Path(sys.argv[1]))).decisions()
taken = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(taken, peak, len(decisions.entries), len(decisions.standing))
"""


def replay(folder: Path, lines: int) -> float:
    """Median over processes of reading, retracting and standing; the file is in the system's cache."""
    place = folder / "replay"
    place.mkdir()
    for verifier in ("anna", "bruno", "mp"):
        with (place / f"{verifier}.jsonl").open("wb") as file:
            file.writelines(encode(made(number, verifier)) + b"\n" for number in range(lines // 3))
    size = sum(path.stat().st_size for path in place.iterdir()) / 1e6
    runs = []
    for _ in range(3 if lines > 200_000 else 5):
        done = subprocess.run([sys.executable, "-c", REPLAY, str(place)], cwd=ROOT, capture_output=True, text=True, check=True)
        seconds, peak, *_ = done.stdout.split()
        runs.append((float(seconds), float(peak)))
    taken = statistics.median(seconds for seconds, _ in runs)
    limit = f" (at most {REPLAY_SECONDS:g} s)" if lines <= 100_000 else ""
    print(f"replay            {taken:8.2f} s    {lines:,} lines, {size:.0f} MB{limit}   peak memory {max(p for _, p in runs):.0f} MB")
    return taken


def key_press(folder: Path) -> float:
    """One entry more on the long log: milliseconds at the 95th percentile."""
    decisions: Decisions = require_sound(read_log(folder / "replay")).decisions()
    taken = []
    for number in range(1000):
        entry = made(number, "mp")
        start = time.perf_counter()
        decisions = decisions.with_entry(entry)
        taken.append(1e3 * (time.perf_counter() - start))
    taken.sort()
    print(f"one entry more    {taken[500]:8.2f} ms   95th percentile {taken[950]:.2f} ms, greatest {taken[-1]:.2f} ms")
    return taken[950]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="where the logs of the benchmark are written, on the disk to be measured")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        times = durable(folder)
        seconds = replay(folder, options.lines)
        key_press(folder)
    return int(times > DURABLE_TIMES or (options.lines <= 100_000 and seconds > REPLAY_SECONDS))


if __name__ == "__main__":
    sys.exit(main())
