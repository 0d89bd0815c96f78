"""Build the wheel and try it away from the checkout (`make wheel`): it must carry the example and everything the command needs.

    python scripts/try_wheel.py [--keep DIR]

Built with the setuptools of the environment, so nothing is fetched. The wheel is unpacked into an empty folder and run from
there, with the checkout out of reach. Exit code 1 where it lacks something.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scoring.example import PACKAGED, example_files  # noqa: E402


def build(into: Path) -> Path:
    """The wheel, built from a clean copy of the tracked files: leftovers of earlier builds must not get in."""
    source = into / "source"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", str(into), str(source)], check=True)
    (wheel,) = into.glob("adjudicate_workbench-*.whl")
    return wheel


def lacking(wheel: Path, source: Path) -> list[str]:
    """Which files of the packages and of the example are not in the wheel."""
    held = set(zipfile.ZipFile(wheel).namelist())
    found = (path for package in ("scoring", "tui") for path in (source / package).rglob("*"))
    # The build imports a module of the source, which leaves its byte code there.
    wanted = {path.relative_to(source).as_posix() for path in found if path.is_file() and "__pycache__" not in path.parts}
    wanted |= {f"scoring/{PACKAGED}/{path.as_posix()}" for path in example_files(source)}
    return sorted(wanted - held)


def run(wheel: Path, into: Path) -> None:
    """Write the example out and take it through every task with what the wheel holds, away from the checkout."""
    installed, example = into / "installed", into / "example"
    zipfile.ZipFile(wheel).extractall(installed)
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    where = "import scoring; print(scoring.__file__)"
    found = subprocess.run([sys.executable, "-c", where], cwd=into, env=environment, check=True, capture_output=True, text=True).stdout
    if not found.startswith(str(installed)):
        sys.exit(f"wheel: the checkout is in the way, scoring comes from {found}")
    here = ["-C", str(example)]
    calls = (
        ["--version"],
        ["example", str(example)],
        [*here, "score"],
        [*here, "report", "--output", str(example / "report")],
        [*here, "questions", "score"],
        [*here, "campaign", "full"],
    )
    for arguments in calls:
        print("$ adjudicate " + " ".join(arguments).replace(str(example), "DIR"), flush=True)
        done = subprocess.run(
            [sys.executable, "-m", "tui", *arguments], cwd=into, env=environment, check=False, capture_output=True, text=True
        )
        if done.returncode:
            sys.exit(f"wheel: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def main() -> None:
    """Build, look inside, run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--keep", type=Path, default=ROOT / "dist", help="the folder the wheel is put into (default: dist)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        into = Path(temporary).resolve()
        wheel = build(into)
        missing = lacking(wheel, into / "source")
        if missing:
            sys.exit(f"wheel: {len(missing)} files are not in it: " + ", ".join(missing[:10]))
        run(wheel, into)
        asked.keep.mkdir(parents=True, exist_ok=True)
        shutil.copy2(wheel, asked.keep / wheel.name)
    print(f"{wheel.name} holds the example and runs from an empty folder")


if __name__ == "__main__":
    main()
