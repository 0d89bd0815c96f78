"""Write the example workspace: a constructed arrivals register, and what five invented models made of it.

    python scripts/make_example.py [--to DIR]

Everything follows from a fixed seed: the same files, byte for byte, on every machine.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from example.documents import documents
from example.files import gt_files, run_files

ROOT = Path(__file__).resolve().parent.parent


def example_files() -> dict[str, bytes]:
    """Every file of the example that this script makes, by its path from the workspace."""
    made = {**gt_files(), **documents(), **run_files()}
    return {path: made[path].encode() for path in sorted(made)}


def write(to: Path) -> int:
    """Write the example under `to`; `runs/` and `gt/` are replaced whole, so that nothing of an older example stays. Returns the bytes written."""
    for name in ("gt", "runs"):
        if (to / name).exists():
            shutil.rmtree(to / name)
    files = example_files()
    for path, content in files.items():
        target = to / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    print(f"{len(files)} files, {sum(map(len, files.values())):,} bytes, in {to}", file=sys.stderr)
    return 0


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Write the constructed example workspace.")
    parser.add_argument("--to", metavar="DIR", type=Path, default=ROOT, help="where (default: the repository)")
    return write(parser.parse_args().to)


if __name__ == "__main__":
    raise SystemExit(main())
