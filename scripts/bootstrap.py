"""Make `.venv` and install the pinned requirements and this checkout into it. Called by the Makefile.

    python3 scripts/bootstrap.py run     what `make review` needs
    python3 scripts/bootstrap.py dev     that, and what checks the project

Needs only Python 3.11 or newer and pip. Runs on older Pythons far enough to say so in a sentence. pip's own configuration
decides where packages come from; the hashes in the requirements decide what they must be.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)
NEWER = ("python3.13", "python3.12", "python3.11")
SETS = {"run": "requirements.txt", "dev": "requirements-dev.txt"}
PIP = ("-m", "pip", "--disable-pip-version-check", "install", "--quiet")


def stop(sentence: str) -> None:
    """Say what is wrong and what to do about it, and end."""
    sys.exit("setup: " + sentence)


def say(sentence: str) -> None:
    """Progress, to standard error."""
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()


def interpreter() -> str:
    """This Python where it is new enough, else a newer one that answers on the path."""
    if sys.version_info >= OLDEST:
        return sys.executable
    test = f"import sys; sys.exit(sys.version_info < {OLDEST!r})"
    for name in NEWER:
        found = shutil.which(name)
        if found and subprocess.call([found, "-c", test], stderr=subprocess.DEVNULL) == 0:
            return found
    stop(
        "Python {}.{} or newer is needed and this one is {}.{}; install one and say which: make review PYTHON=/path/to/python3".format(
            *OLDEST, *sys.version_info[:2]
        )
    )
    return ""


def inside() -> Path:
    """The interpreter of the environment."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def sound() -> bool:
    """Whether the environment is there, new enough and has pip. One left half made, or whose Python has gone, is not."""
    if not inside().exists():
        return False
    test = f"import sys, pip; sys.exit(sys.version_info < {OLDEST!r})"
    return subprocess.call([str(inside()), "-c", test], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


def quiet(command: list, **more: object) -> bool:
    """Run a command whose failure has a remedy, and tell whether it worked."""
    return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more) == 0


def make_environment(python: str) -> None:
    """The environment by `venv`; where that lacks ensurepip (Debian without python3-venv), by the virtualenv package."""
    if quiet([python, "-m", "venv", "--clear", str(VENV)]) and sound():
        return
    shutil.rmtree(str(VENV), ignore_errors=True)
    say("This Python cannot make an environment with pip in it (no ensurepip); using the virtualenv package instead.")
    if quiet([python, "-m", "virtualenv", "--quiet", str(VENV)]) and sound():
        return
    shutil.rmtree(str(VENV), ignore_errors=True)
    tool = ROOT / "build" / "virtualenv"
    fetch = [python, *PIP, "--require-hashes", "--target", str(tool), "--upgrade", "-r", str(ROOT / "requirements-bootstrap.txt")]
    if subprocess.call(fetch) == 0:
        made = quiet([python, "-m", "virtualenv", "--quiet", str(VENV)], env=dict(os.environ, PYTHONPATH=str(tool)))
        if made and sound():
            return
    shutil.rmtree(str(VENV), ignore_errors=True)
    stop("no environment could be made: install your system's package for Python's venv (on Debian and Ubuntu: apt install python3-venv).")


def install(requirements: Path) -> None:
    """The pinned set, each file held to its hash; then this checkout, built with what the set brought."""
    python = str(inside())
    failed = f"pip could not install {requirements.name}; its message is above. Run the same command again to go on."
    if subprocess.call([python, *PIP, "--require-hashes", "-r", str(requirements)], cwd=str(ROOT)) != 0:
        stop(failed)
    checkout = [python, *PIP, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
    done = subprocess.run(checkout, cwd=str(ROOT), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.stderr.write(done.stdout.decode(errors="replace"))
        stop(failed)


def main() -> None:
    """Bring `.venv` to the named set, and leave the stamps that tell make so."""
    if len(sys.argv) != 2 or sys.argv[1] not in SETS:
        stop("which set? One of: " + ", ".join(SETS))
    chosen = sys.argv[1]
    python = interpreter()
    if not sound():
        make_environment(python)
    say("Installing into .venv (a minute or two the first time) ...")
    install(ROOT / SETS[chosen])
    for name in SETS if chosen == "dev" else (chosen,):
        (VENV / f"{name}.stamp").write_text("")


if __name__ == "__main__":
    main()
