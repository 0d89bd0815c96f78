"""Run every benchmark of `benchmarks/` that is a program of its own, one after another (`make bench`).

    python scripts/bench.py [NAME...] [--quick]

A benchmark is a module that runs by itself, prints its figures and ends with 1 where a required one is missed. `--quick` is
handed to the benchmarks that know it. Exit code 1 where a benchmark missed a figure or failed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Programs of `benchmarks/` that measure nothing themselves: one makes what others measure and needs to be told where, one looks for
# faults with a fuzzer that is no part of the project.
MAKERS = frozenset({"big_workspace", "fuzz"})


def benchmarks() -> dict[str, str]:
    """Name -> source of each benchmark, in order of their names."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "benchmarks").glob("*.py")):
        source = path.read_text(encoding="utf-8")
        if path.stem not in MAKERS and '__name__ == "__main__"' in source:
            found[path.stem] = source
    return found


def main() -> None:
    """Run them and tell which held."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these")
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    asked = parser.parse_args()
    known = benchmarks()
    unknown = sorted(set(asked.names) - set(known))
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(known)}")
    missed: list[str] = []
    for name in asked.names or known:
        print(f"\n== benchmarks/{name}.py ==", flush=True)
        quick = ["--quick"] if asked.quick and "--quick" in known[name] else []
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *quick], cwd=ROOT, check=False).returncode:
            missed.append(name)
    print(
        f"\n{len(missed)} of {len(asked.names or known)} benchmarks missed a figure: {', '.join(missed)}"
        if missed
        else "\nEvery figure held."
    )
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
