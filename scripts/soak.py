"""The long rounds (`make soak`): programs killed in the middle of their work, and properties tried from fresh seeds.

    python scripts/soak.py [--kills 1000] [--rounds 20]

Faults of files (cut and bit-flipped logs, a jumping clock, half-saved rules, hostile workspaces) are counted by `benchmarks.soak`.
The tests are those of `make test`; only their number differs. Kill tests take theirs from ADJUDICATE_KILLS; properties are run
once a round, each round with a seed of its own, printed so that a failure can be had again. Exit code 1 where a test failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTHING_COLLECTED = 5


def pytest(*arguments: str, **environment: str) -> bool:
    """Run pytest in the checkout; whether it passed. A choice that matches no test is a failure: it would prove nothing."""
    print("\n$ " + " ".join([*(f"{name}={value}" for name, value in environment.items()), "pytest", *arguments]), flush=True)
    done = subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=ROOT, env={**os.environ, **environment}, check=False)
    if done.returncode == NOTHING_COLLECTED:
        print("soak: no test was chosen", file=sys.stderr)
    return done.returncode == 0


def main() -> None:
    """Run all rounds, however many fail, and tell how many did."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000, help="programs killed in each kill test")
    parser.add_argument("--rounds", type=int, default=20, help="rounds of the properties, each from a fresh seed")
    asked = parser.parse_args()
    first = int(time.time())
    outcomes = [pytest("-k", "kill", ADJUDICATE_KILLS=str(asked.kills))]
    outcomes += [pytest("-m", "hypothesis", "-n", "auto", f"--hypothesis-seed={first + turn}") for turn in range(asked.rounds)]
    faults = [sys.executable, "-m", "benchmarks.soak", "--rounds", str(max(asked.kills, 1))]
    outcomes.append(subprocess.run(faults, cwd=ROOT, check=False).returncode == 0)
    failed = outcomes.count(False)
    print(f"\nsoak: {len(outcomes) - failed} of {len(outcomes)} rounds passed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
