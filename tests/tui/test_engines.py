"""Who scores the pages changes nothing that is printed: one processor, all of them, the workers of a Dask cluster, or those before."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.tables.engines import processors
from tests.tui.small import environment

ROOT = Path(__file__).resolve().parents[2]
SCORE = ("score", "--format", "json")
ONE = "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])"
TOLD = """
import multiprocessing.process as process, sys
started = process.BaseProcess.start
def counted(self):
    print("a process", file=sys.stderr)
    started(self)
process.BaseProcess.start = counted
"""
linux = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the processors of a process cannot be chosen here")


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The example workspace: 450 pages of runs, enough to be shared out."""
    for name in ("gt", "runs"):
        shutil.copytree(ROOT / name, tmp_path / "example" / name)
    for name in ("EQUIVALENCES.md", "adjudicate.toml"):
        shutil.copy(ROOT / name, tmp_path / "example" / name)
    return tmp_path / "example"


def run(tmp_path: Path, folder: Path, *words: str, cache: str = "off", before: str = "") -> subprocess.CompletedProcess[str]:
    code = f"import sys\n{before}\nfrom tui.cli import main\nmain(sys.argv[1:])"
    env = environment(tmp_path) | {"ADJUDICATE_CACHE": cache, "SOURCE_DATE_EPOCH": "1700000000"}
    command = [sys.executable, "-c", code, "-C", str(folder), *words]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)


@linux
def test_all_processors_print_what_one_prints(tmp_path: Path, example: Path) -> None:
    alone = run(tmp_path, example, *SCORE, before=ONE + TOLD)
    together = run(tmp_path, example, *SCORE, before=TOLD)
    assert alone.returncode == together.returncode == 0
    assert "a process" not in alone.stderr
    assert together.stderr.count("a process") == (processors() if processors() > 1 else 0)
    assert alone.stdout == together.stdout


def test_a_second_start_prints_the_same_and_starts_no_process(tmp_path: Path, example: Path) -> None:
    fresh = run(tmp_path, example, *SCORE)
    first = run(tmp_path, example, *SCORE, cache="")
    kept = sorted(path.name for path in (example / ".adjudicate-cache").iterdir())
    second = run(tmp_path, example, *SCORE, cache="", before=TOLD)
    assert kept == [".gitignore", "CACHEDIR.TAG", "scores"]
    assert fresh.stdout == first.stdout == second.stdout
    assert "a process" not in second.stderr
    shutil.rmtree(example / ".adjudicate-cache")
    assert run(tmp_path, example, *SCORE, cache="").stdout == fresh.stdout


def _alive(marker: str) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if marker.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@linux
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are looked for in /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_process_outlives_the_program(tmp_path: Path, example: Path, how: signal.Signals) -> None:
    # Slow enough to be met at work.
    slow = "import scoring.tables.page_scores as p, time\nf = p._counts\np._counts = lambda *a: (time.sleep(0.02), f(*a))[1]"
    marker = f"ADJUDICATE_MARK={tmp_path.name}-{how}"
    env = environment(tmp_path) | {"ADJUDICATE_CACHE": "off", "ADJUDICATE_MARK": marker.partition("=")[2]}
    code = f"import sys\n{slow}\nfrom tui.cli import main\nmain(sys.argv[1:])"
    program = subprocess.Popen(
        [sys.executable, "-c", code, "-C", str(example), *SCORE],
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while len(_alive(marker)) < 1 + (processors() if processors() > 1 else 0):
        assert time.monotonic() < until, "the processes never started"
        time.sleep(0.02)
    program.send_signal(how)
    _, told = program.communicate(timeout=60)
    if how is signal.SIGINT:
        assert "Traceback" not in told
    until = time.monotonic() + 10
    while _alive(marker):
        assert time.monotonic() < until, f"still there: {_alive(marker)}"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed (extra `dask`)")
    options = {"dashboard_address": None, "processes": True, "threads_per_worker": 1, "host": "127.0.0.1", "silence_logs": 50}
    with distributed.LocalCluster(n_workers=2, **options) as cluster:
        yield cluster.scheduler_address


def test_dask_workers_print_what_this_machine_prints(tmp_path: Path, example: Path, scheduler: str) -> None:
    here = run(tmp_path, example, *SCORE)
    there = run(tmp_path, example, *SCORE, "--dask", scheduler)
    assert there.returncode == 0, there.stderr
    assert there.stdout == here.stdout


def test_no_scheduler_is_a_sentence(tmp_path: Path, example: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed (extra `dask`)")
    before = "import scoring.tables.on_dask as o\no._PATIENCE = 0.5"
    done = run(tmp_path, example, *SCORE, "--dask", "tcp://127.0.0.1:9", before=before)
    assert done.returncode == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_the_extra_dask_is_a_sentence(tmp_path: Path, example: Path) -> None:
    done = run(tmp_path, example, *SCORE, "--dask", "tcp://127.0.0.1:9", before="sys.modules['distributed'] = None")
    assert done.returncode == 2
    assert 'Run `pip install ".[dask]"` in the folder of the source code, or `pip install distributed`.' in " ".join(done.stderr.split())


def test_nothing_of_dask_is_loaded_otherwise(tmp_path: Path, example: Path) -> None:
    before = "import atexit\natexit.register(lambda: print(sorted(set(sys.modules) & {'dask', 'distributed', 'tornado'}), file=sys.stderr))"
    done = run(tmp_path, example, *SCORE, before=before)
    assert done.stderr.splitlines()[-1] == "[]"
