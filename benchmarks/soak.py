"""Rounds of harm done to a log, a rules file and whole workspaces, and what was lost by it: nothing may be.

    python -m benchmarks.soak [--rounds 200] [--seed 0]

Each kind of round prints how many there were and how many losses. A loss is a sound line of the log that does not count any more, a
faulty one that is not named, a traceback, a hang, a file touched outside the workspace. Exit code 1 where there is one.
Killed programs are the rounds of `make soak`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scoring.adjudication.log.write import Log, read_log
from scoring.adjudication.log_entry import LogEntry, encode, new_id, timestamp
from scoring.foundations.problems import InputError

IS_MATERIAL = True  # a soak, not a benchmark: `make bench` leaves it out

Round = Callable[[Path, random.Random], str]
"""Does harm in an empty folder; returns what was lost, "" for nothing."""


def verdict(number: int, chance: random.Random) -> LogEntry:
    """An entry with text of more than one alphabet."""
    note = chance.choice(("", "two brothers", "Šćitaroci \u2028 ü", 'quote " and \\', "\U0001f468\u200d\U0001f469"))
    basis = {"page": "28", "reading": f"anna {number}", "rows": {"gt:28:4": f"{chance.getrandbits(32):08x}"}}
    return LogEntry(
        id=new_id(),
        at=timestamp(),
        verifier="mp",
        task="tables",
        case=f"t-{chance.getrandbits(32):08x}",
        verdict="same",
        note=note,
        basis=basis,
    )


def written(folder: Path, count: int, chance: random.Random) -> tuple[list[LogEntry], bytes]:
    """A log of so many entries, and its bytes."""
    log = Log.open(folder, "mp")
    entries = [verdict(number, chance) for number in range(count)]
    log.append_many(entries)
    return entries, log.path.read_bytes()


def cut_log(folder: Path, chance: random.Random) -> str:
    """A log cut at any byte: every whole line counts, before and after the next verdict, which counts too."""
    entries, data = written(folder, chance.randint(1, 12), chance)
    at = chance.randint(0, len(data))
    (folder / "mp.jsonl").write_bytes(data[:at])
    # A last line that lacks its line end alone is whole.
    whole = entries[: data[:at].count(b"\n") + (at < len(data) and data[at : at + 1] == b"\n")]
    found = read_log(folder)
    if list(found.entries) != whole or found.faults:
        return f"cut at {at} of {len(data)}: {len(found.entries)} entries of {len(whole)} whole ones, {len(found.faults)} faults"
    last = verdict(99, chance)
    Log.open(folder, "mp").append(last)
    after = read_log(folder)
    if list(after.entries) != [*whole, last] or after.faults:
        return f"after the next verdict {len(after.entries)} of {len(whole) + 1}"
    kept = sum(path.stat().st_size for path in folder.iterdir())
    return "" if kept >= at + len(encode(last)) else "bytes of the torn line are gone"


def flip_bits(folder: Path, chance: random.Random) -> str:
    """A log with bits turned over: every line without one counts as it was, every other counts as what it now says or is named."""
    entries, data = written(folder, chance.randint(2, 12), chance)
    turned = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        turned[chance.randrange(len(turned))] ^= 1 << chance.randrange(8)
    (folder / "mp.jsonl").write_bytes(turned)
    now = set(bytes(turned).split(b"\n"))
    untouched = [entry for entry in entries if encode(entry) in now]
    found = read_log(folder)
    counted = {entry.id: entry for entry in found.entries}
    named = {fault.entry.id for fault in found.faults if fault.entry is not None}
    lost = [entry for entry in untouched if counted.get(entry.id) != entry and entry.id not in named]
    if lost:
        return f"{len(lost)} untouched lines do not count"
    spoken = len(found.entries) + len(found.faults)
    lines = [line for line in bytes(turned).split(b"\n") if line.strip()]
    torn = sum("unfinished" in note.message for note in found.notes)
    repeated = len(lines) - len(set(lines))
    return "" if spoken + torn + repeated >= len(lines) else f"{len(lines)} lines, of which {spoken + torn} are accounted for"


def turn_clock(folder: Path, chance: random.Random) -> str:
    """A clock that jumps back and forth by years: ids rise all the same, and the last verdict is the one that stands."""
    log, now, last, case = Log.open(folder, "mp"), 1_790_000_000_000_000_000, "", "t-00000000"
    given: list[LogEntry] = []
    for number in range(chance.randint(2, 30)):
        now = max(0, now + chance.choice((0, 1, 10**6, -(10**6), -(10**12), 10**15, -(10**15), -(10**18))))
        entry = verdict(number, chance)
        entry = LogEntry(id=new_id(last, clock=lambda: now), at=entry.at, verifier="mp", task="tables", case=case, verdict=f"v{number}")  # noqa: B023
        if entry.id <= last:
            return f"id {entry.id} after {last}"
        last = entry.id
        log.append(entry)
        given.append(entry)
    found = read_log(folder)
    stands = found.decisions().standing_of("tables", case)
    return "" if list(found.entries) == given and stands is not None and stands.entry == given[-1] else "the last verdict does not stand"


def half_saved_rules(folder: Path, chance: random.Random) -> str:
    """A rules file saved half-way by an editor: read or refused in a sentence, and a draft never loses what stands in it."""
    from scoring.rules import draft_equivalence, read_rules
    from tests.hostile.workspaces import RULES

    path = folder / "EQUIVALENCES.md"
    data = RULES.encode()
    half = data[: chance.randint(0, len(data))]
    path.write_bytes(half)
    try:
        read_rules(path)
        draft_equivalence(path, f"form{chance.randrange(1000)}", "canonical", "name")
    except InputError:
        return "" if path.read_bytes() == half else "a refused draft changed the file"
    lines, now = half.decode("utf-8", "replace").splitlines(), path.read_text("utf-8").splitlines()
    lost = [line for line in lines if line.strip() and not any(line.strip() in other for other in now)]
    return f"lines are gone: {lost[:2]}" if lost else ""


def hostile_workspace(folder: Path, chance: random.Random) -> str:
    """Commands on a workspace with spoiled files: an answer or a sentence, nothing touched."""
    from tests.hostile.workspaces import assert_harmless, everything, hostile, run

    place = folder / "workspace"
    place.mkdir()
    (folder / "outside.txt").write_text("not yours\n")
    seed = chance.getrandbits(32)
    hostile(place, seed)
    before = everything(folder)
    try:
        for words in (["check", "--format", "json"], ["score"], ["next"], ["log", "check"], ["rules", "check"]):
            assert_harmless(run(place, words), words)
    except AssertionError as fault:
        return f"seed {seed}: {fault}"
    return "" if everything(folder) == before else f"seed {seed}: a file was touched"


ROUNDS: dict[str, Round] = {
    "log cut": cut_log,
    "bits of the log turned": flip_bits,
    "clock turned": turn_clock,
    "rules half saved": half_saved_rules,
    "hostile workspace": hostile_workspace,
}


def losses(act: Round, rounds: int, seed: int) -> list[str]:
    """What was lost in so many rounds, each in a folder of its own and with a seed of its own."""
    found = []
    for number in range(seed, seed + rounds):
        with tempfile.TemporaryDirectory() as name:
            lost = act(Path(name), random.Random(number))
        if lost:
            found.append(f"seed {number}: {lost}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    total = 0
    for name, act in ROUNDS.items():
        start = time.perf_counter()
        found = losses(act, asked.rounds, asked.seed)
        total += len(found)
        print(f"{name:<24}{asked.rounds:>6} rounds {len(found):>4} losses {time.perf_counter() - start:>8.1f} s", flush=True)
        for line in found[:5]:
            print(f"  {line[:2000]}")
    return int(bool(total))


if __name__ == "__main__":
    sys.exit(main())
