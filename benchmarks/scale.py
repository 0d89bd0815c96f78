"""Reading and scoring a workspace as its runs grow: seconds and memory per stage, and whether both grow with the pages alone.

    python -m benchmarks.scale [--quick] [--models 100] [--phases 3] [--runs 10] [--pages 10] [--rows 50] [--habit 0.6] [--steps 3]

Each size is measured in a process of its own; the largest is the one asked for, the others are halves of it. Times are the
processor's, for other programs may be at work; those of the clock stand beside them. `--habit` is the share of misreadings that an
earlier run has made before: models are led astray by the same letters. Exit code 1 where memory passes 2 GB or the time for a page
grows by more than half from the smallest size to the largest.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __package__ in (None, ""):
    sys.path.insert(0, str(ROOT))

from benchmarks.big_workspace import misread, name, word  # noqa: E402
from scoring.tables.execution.parallel import processors  # noqa: E402

FIELDS = (
    "name", "title", "arrival_date", "departure_date", "place_of_stay", "place_of_origin", "with_spouse", "with_siblings", "children_count",
)  # fmt: skip
MEMORY_MB, GROWTH = 2048, 1.5
TITLES = ("", "", "", "Conte", "Barone", "Abate")


class Register:
    """Pages of constructed travelers, and what runs make of them; the same for the same seed."""

    def __init__(self, pages: int, rows: int, habit: float, seed: int = 20261129) -> None:
        self.chance = random.Random(seed)
        self.habit = habit
        self.pages = {str(page + 1): [self._traveler() for _ in range(rows)] for page in range(pages)}
        self.misreadings: dict[str, list[str]] = {}

    def _traveler(self) -> dict[str, str]:
        pick = self.chance.choice
        day = self.chance.randint(1, 28)
        return dict(
            zip(
                FIELDS,
                (name(self.chance), pick(TITLES), f"February {day} 1769", f"March {day} 1769", f"Casa {word(self.chance)}",
                 word(self.chance), pick("YN"), pick("YN"), str(pick((0, 0, 1, 2)))),
                strict=True,
            )
        )  # fmt: skip

    def _misread(self, text: str) -> str:
        known = self.misreadings.setdefault(text, [])
        if known and self.chance.random() < self.habit:
            return self.chance.choice(known)
        known.append(misread(text, self.chance, max(1, round(len(text) * self.chance.uniform(0.05, 0.35)))))
        return known[-1]

    def answer(self, page: str) -> list[dict[str, object]]:
        """A page as a run gives it: rows right and misread, a few left out, made up or given twice."""
        rows: list[dict[str, object]] = []
        for traveler in self.pages[page]:
            draw = self.chance.random()
            if draw < 0.04:
                continue
            row: dict[str, object] = dict(traveler)
            if draw > 0.5:
                row["name"] = self._misread(traveler["name"])
            if draw > 0.8:
                row["place_of_origin"] = self._misread(traveler["place_of_origin"])
            rows.append(row)
            if draw > 0.98:
                rows.append(dict(row))
        rows += [{**self._traveler()} for _ in range(self.chance.randint(0, 3))]
        return rows


def write(folder: Path, models: int, phases: int, runs: int, pages: int, rows: int, habit: float) -> None:
    """Write the workspace, the same files for the same sizes."""
    register = Register(pages, rows, habit)
    (folder / "gt").mkdir(parents=True)
    for page, travelers in register.pages.items():
        with (folder / "gt" / f"gt_page_{page}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(travelers)
    for model in range(models):
        for phase in range(phases):
            place = folder / "runs" / f"model-{model + 1:03}" / f"phase-{phase + 1}"
            place.mkdir(parents=True)
            for run in range(runs):
                answers = {page: {"status": "ok", "travelers": register.answer(page)} for page in register.pages}
                document = {"model": place.parent.name, "phase": place.name, "run": run + 1, "pages": answers}
                (place / f"run_{run + 1:02}.json").write_text(json.dumps(document), "utf-8")


MEASURE = """
import json, resource, sys, time
from pathlib import Path

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 1e6 if Path("/proc").exists() else 0.0

stages = {}
def stage(name, act):
    start, busy, before = time.perf_counter(), time.process_time(), resident()
    result = act()
    stages[name] = (time.process_time() - busy, time.perf_counter() - start, resident() - before)
    return result

def imports():
    from scoring.tables import material, evaluate, cases, engines
    from scoring import garbage, workspace, steps
    return material, evaluate, cases, engines, garbage, workspace, steps
material, evaluate, cases, engines, garbage, workspace, steps = stage("imports", imports)
loading = garbage.garbage_kept()
loading.__enter__()
space = workspace.open_workspace(Path(sys.argv[1]))
read = stage("read runs", lambda: material.load(space))
engine, cache = (engines.local_engine(), Path(sys.argv[2])) if sys.argv[2:] else (None, None)
scored = stage("score", lambda: evaluate.evaluate(read, engine=engine, cache=cache))
cells = stage("cells", lambda: [cell.counts for cell in scored.cells])
queue = stage("cases", lambda: steps.finished(cases.gathering(scored)))
prints = stage("fingerprints", lambda: (read.gt_fingerprint, read.runs_fingerprint))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
others = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"stages": stages, "peak": peak,
                  "others": (others.ru_utime + others.ru_stime, others.ru_maxrss / 1024),
                  "pages": len(scored.pages), "cases": len(queue), "prints": prints,
                  "rows": sum(len(page.rows) for run in read.runs for page in run.pages.values()),
                  "matched": sum(cell.matched for cell in cells)}))
"""


def measured(folder: Path, cache: Path | None = None) -> dict[str, object]:
    """What it takes to read and score a workspace: by one process, or by all processors with what the cache keeps."""
    command = [sys.executable, "-c", MEASURE, str(folder), *([str(cache)] if cache else [])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--phases", type=int, default=3)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--habit", type=float, default=0.6)
    parser.add_argument("--steps", type=int, default=3, help="how many sizes: all models, half of them, a quarter, ...")
    parser.add_argument("--quick", action="store_true", help="a tenth of the models")
    parser.add_argument("--folder", type=Path, help="where the workspaces are written")
    asked = parser.parse_args()
    largest = max(1, asked.models // 10) if asked.quick else asked.models
    sizes = sorted({max(1, largest >> step) for step in range(asked.steps)})
    by_page: list[float] = []
    peak = 0.0
    for models in sizes:
        with tempfile.TemporaryDirectory(dir=asked.folder) as name:
            folder = Path(name) / "workspace"
            write(folder, models, asked.phases, asked.runs, asked.pages, asked.rows, asked.habit)
            found = measured(folder)
            if models == largest:
                ways = {"all processors": measured(folder, Path(name) / "cache"), "a second start": measured(folder, Path(name) / "cache")}
        stages = found["stages"]
        assert isinstance(stages, dict)
        pages = int(str(found["pages"]))
        peak = float(str(found["peak"]))
        work = sum(seconds for stage, (seconds, _, _) in stages.items() if stage != "imports")
        by_page.append(1e3 * work / pages)
        print(f"{models} models: {pages:,} page scorings, {found['rows']:,} rows, {found['cases']:,} cases; peak memory {peak:,.0f} MB")
        for stage, (seconds, wall, memory) in stages.items():
            by = 1e6 * seconds / pages
            print(f"  {stage:<14}{seconds:>9.2f} s of processor{wall:>9.2f} s in all{memory:>+10.0f} MB{by:>10.0f} us a page")
        print(f"  {'all but imports':<16}{work:>7.2f} s of processor{by_page[-1]:>9.2f} ms a page", flush=True)
    for way, other in ways.items():
        stages = other["stages"]
        assert isinstance(stages, dict)
        (busy, largest_other), own = other["others"], float(str(other["peak"]))  # type: ignore[misc]
        # The other processes end with the scoring, long before this one is at its largest.
        while_scoring = sum(stages[stage][2] for stage in ("imports", "read runs", "score")) + processors() * largest_other
        at_most = max(own, while_scoring if busy else 0.0)
        print(f"{way}: the same figures: {all(other[name] == found[name] for name in ('prints', 'matched', 'cases'))}")
        print(f"  score {stages['score'][1]:.1f} s, all stages {sum(wall for _, wall, _ in stages.values()):.1f} s by the clock; ", end="")
        print(f"processor {sum(one[0] for one in stages.values()):.1f} s and {busy:.1f} s in other processes; ", end="")
        print(f"memory {own:,.0f} MB, with other processes at most {at_most:,.0f} MB", flush=True)
        peak = max(peak, at_most)
    held = peak <= MEMORY_MB and by_page[-1] <= GROWTH * by_page[0]
    growth = by_page[-1] / by_page[0]
    print(f"a page costs {growth:.2f} times as much at the largest size (at most {GROWTH}); peak {peak:,.0f} of {MEMORY_MB} MB")
    return int(not held)


if __name__ == "__main__":
    sys.exit(main())
