"""The campaign's figures: all stages on 185 submissions in one process (at most 5 s; the official pipeline takes 283 s).

    python benchmarks/campaign.py [--folder DIR] [--rounds 3]

DIR is a campaign folder; by default the shared campaign of 185 submissions is unpacked where it is present, else one of
the same size is made from the example. Exit code 1 where the figure is missed.
"""

from __future__ import annotations

import argparse
import lzma
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

LIMIT_SECONDS, OFFICIAL_SECONDS, SUBMISSIONS = 5.0, 283.0, 185


def unpacked(archive: Path, folder: Path) -> Path:
    """The shared campaign in a folder."""
    with lzma.open(archive) as stream, tarfile.open(fileobj=stream) as held:
        held.extractall(folder / "data", filter="data")
    for name in ("teams.json", "competition_config.json"):
        shutil.copyfile(archive.parent.parent / "published" / name, folder / name)
    return folder


def multiplied(folder: Path) -> Path:
    """A campaign of the same number of submissions from the example, under more team names."""
    shutil.copytree(ROOT / "data", folder / "data")
    systems = sorted((folder / "data" / "systems").glob("team*.jsonl"))
    number = len(list((folder / "data" / "systems").glob("*.jsonl")))
    team = 100
    while number < SUBMISSIONS:
        for path in systems:
            if number == SUBMISSIONS:
                break
            rest = path.name.partition("_")[2]
            target = path.with_name(f"team{team}{path.name.partition('_')[0][4:]}_{rest}")
            shutil.copyfile(path, target)
            info = path.with_name(path.stem + "-info.json")
            shutil.copyfile(info, target.with_name(target.stem + "-info.json"))
            number += 1
        team += 1
    return folder


def stages(folder: Path) -> dict[str, float]:
    """Seconds of each part within one process."""
    from scoring.relations.cases.adjudicated_gold import base_of
    from scoring.relations.inputs.doubtful_submissions import campaign_doubts
    from scoring.relations.inputs.material import load_campaign, places
    from scoring.relations.inputs.validation import all_problems
    from scoring.relations.measures.evaluation import aligned_runs
    from scoring.relations.measures.extended_rankings import our_tables
    from scoring.relations.outputs.result_files import Outputs, as_read
    from scoring.relations.outputs.stages import (
        diagnostics_stage,
        ensemble_stage,
        gold_check_stage,
        resamples_of,
        results_stage,
        score_stage,
    )

    seconds: dict[str, float] = {}
    mark = time.perf_counter()

    def done(name: str) -> None:
        nonlocal mark
        now = time.perf_counter()
        seconds[name], mark = now - mark, now

    material = load_campaign(places(folder))
    done("read and validate")
    aligned = aligned_runs(material)
    base = base_of(material, aligned=aligned)
    done("score, official and ours")
    problems = [*all_problems(material), *campaign_doubts(material, aligned)]
    done(f"doubts ({len(problems)})")
    resamples = resamples_of(material)
    ours = our_tables(material, base.automatic, resamples)
    done("intervals and comparisons")
    outputs = Outputs(material.places)
    score_stage(outputs, base, resamples)
    done("write per-run files")
    diagnostics_stage(outputs, material, aligned, "TERNARY")
    done("write diagnostics")
    gold_check_stage(outputs, material, aligned, base.tables)
    done("write workbooks")
    results_stage(outputs, material, as_read(base.tables), ours, "TERNARY")
    done("write pages")
    ensemble_stage(outputs, base.automatic, base.tables)
    done("write ensembles")
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder
        if folder is None:
            shared = Path(os.environ.get("ADJUDICATE_SHARED") or ROOT.parent / "shared")
            archive = shared / "data" / "hipe" / "full_campaign" / "campaign_equiv_185.tar.xz"
            folder = unpacked(archive, Path(temporary)) if archive.exists() else multiplied(Path(temporary) / "c")
        times, cpu = [], []
        for _ in range(given.rounds):
            shutil.rmtree(folder / "results.d", ignore_errors=True)
            start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [sys.executable, "-m", "tui", "-C", str(folder), "campaign", "full", "--with", "ensemble,gt-validation"]
            subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(time.perf_counter() - start)
            cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        written = [path for path in (folder / "results.d").rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in written) / 2**20
        best = min(times)
        print(f"campaign full with all stages, as called: best of {given.rounds} {best:.2f} s, median {statistics.median(times):.2f} s,")
        print(
            f"  processor time {min(cpu):.2f} s; at most {LIMIT_SECONDS} s on an idle machine; {len(written)} files, {size:.0f} MiB written"
        )
        print(f"official pipeline: {OFFICIAL_SECONDS:.0f} s; {OFFICIAL_SECONDS / best:.0f} times as fast")
        for name, seconds in stages(folder).items():
            print(f"  {name:28} {seconds:6.3f} s")
        sys.exit(best > LIMIT_SECONDS)


if __name__ == "__main__":
    main()
