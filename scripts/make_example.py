"""Write the example workspace: a constructed arrivals register, and what five invented models made of it.

    python scripts/make_example.py [--to DIR] [--decisions]

Everything follows from a fixed seed: the same files, byte for byte, on every machine. `--decisions` writes the logs of the two
verifiers instead, by giving their verdicts on the example as it lies there.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from example.documents import GT_README, documents
from example.files import gt_files, run_files

ROOT = Path(__file__).resolve().parent.parent


def example_files() -> dict[str, bytes]:
    """Every file of the example that this script makes, by its path from the workspace."""
    made = {**gt_files(), **documents(), **run_files()}
    return {path: made[path].encode() for path in sorted(made)}


def write(to: Path) -> int:
    """Write the example under `to` and return the exit code. `gt/` and `runs/` of an older example are replaced, anyone else's refused."""
    marker = to / "gt" / "README.md"
    older = marker.is_file() and marker.read_text(encoding="utf-8").startswith(GT_README.partition("\n")[0])
    for name in ("gt", "runs"):
        if not (to / name).exists():
            continue
        if not older:
            print(
                f"{to / name}: this is no example that this script wrote, and it will not be replaced. Name another folder.",
                file=sys.stderr,
            )
            return 2
        shutil.rmtree(to / name)
    files = example_files()
    for path, content in files.items():
        target = to / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    print(f"{len(files)} files, {sum(map(len, files.values())):,} bytes, in {to}", file=sys.stderr)
    return 0


def write_decisions(to: Path) -> int:
    """Write the example's decision logs under `to` and return the exit code."""
    sys.path.insert(0, str(ROOT))
    from example.decisions import decisions

    for path, content in decisions(to).items():
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        (to / path).write_bytes(content)
        print(f"{to / path}: {content.count(bytes([10]))} entries", file=sys.stderr)
    return 0


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Write the constructed example workspace.")
    parser.add_argument("--to", metavar="DIR", type=Path, default=ROOT, help="where (default: the repository)")
    parser.add_argument("--decisions", action="store_true", help="write the decisions on the example that lies there")
    given = parser.parse_args()
    return write_decisions(given.to) if given.decisions else write(given.to)


if __name__ == "__main__":
    raise SystemExit(main())
