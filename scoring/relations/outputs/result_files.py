"""A campaign's outputs written, and what is stale among them (`docs/hipe-behaviour.md#bug-9`).

The official files go where the official pipeline puts them; ours go below `results.d/ours/`. A manifest names what
was written, stage by stage; what an earlier run wrote and this one did not is removed, what we never wrote is named.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from scoring.foundations.problems import InputError, Problem, Severity
from scoring.relations.inputs.material import CampaignPaths
from scoring.relations.measures.diagnostics import json_text
from scoring.relations.measures.rankings import RankingTable, read_table, safe_tsv
from scoring.relations.measures.run_scores import RunScore

STAGES = ("per-run", "rankings", "diagnostics", "gt-validation", "results", "ensemble", "adjudicated")


@dataclass(slots=True)
class Outputs:
    """Writes a campaign's files and keeps the manifest. `written` are this command's files by stage, in order."""

    places: CampaignPaths
    written: dict[str, list[Path]] = field(default_factory=dict)
    stale: list[Path] = field(default_factory=list)

    @property
    def manifest_file(self) -> Path:
        return self.places.ours / "manifest.json"

    def write(self, stage: str, path: Path, content: str | bytes) -> Path:
        """Write one file of a stage. Lone surrogates, which no file can hold, are written as their escapes."""
        data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as fault:
            raise InputError(f"the file cannot be written ({fault.strerror})", where=path) from fault
        self.written.setdefault(stage, []).append(path)
        return path

    def settle(self, stages: Iterable[str]) -> None:
        """Put the manifest on disk; of the stages named, remove what the last manifest names and this command did not write."""
        manifest = self.manifest()
        for stage in stages:
            now = [self._named(path) for path in self.written.get(stage, ())]
            for name in manifest.get(stage, ()):
                path = self.places.folder / name
                if name not in set(now) and path.is_file() and self._inside(path):
                    path.unlink()
                    self.stale.append(path)
            manifest[stage] = sorted(now)
        self.manifest_file.parent.mkdir(parents=True, exist_ok=True)
        self.manifest_file.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def manifest(self) -> dict[str, list[str]]:
        """What earlier commands wrote, by stage; empty when there is no manifest or it cannot be read."""
        try:
            value = json.loads(self.manifest_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {stage: [str(name) for name in names] for stage, names in value.items() if isinstance(names, list)}

    def _named(self, path: Path) -> str:
        try:
            return path.resolve().relative_to(self.places.folder.resolve()).as_posix()
        except ValueError:
            return str(path.resolve())

    def _inside(self, path: Path) -> bool:
        """Only files below the campaign folder are ever removed."""
        return path.resolve().is_relative_to(self.places.folder.resolve())

    def known(self, stage: str, folder: Path, pattern: str) -> tuple[list[Path], list[Path]]:
        """The files of a stage in a folder that are to be used, and those nobody here wrote.

        Without a manifest of the stage for this folder every file counts: the folder may come from the official pipeline.
        """
        files = sorted(folder.glob(pattern), key=lambda path: path.name) if folder.is_dir() else []
        names = {name for name in self.manifest().get(stage, ()) if (self.places.folder / name).resolve().parent == folder.resolve()}
        if not names:
            return files, []
        return [path for path in files if self._named(path) in names], [path for path in files if self._named(path) not in names]


def write_per_run(outputs: Outputs, records: Iterable[RunScore]) -> None:
    """The official record of every scored run."""
    for record in records:
        stem = record.submission.removesuffix(".jsonl")
        outputs.write("per-run", outputs.places.per_run / f"{stem}.json", json_text(record.as_json(), sort_keys=True))


def write_rankings(outputs: Outputs, official: Iterable[RankingTable], ours: Iterable[RankingTable] = ()) -> None:
    """The official tables, and ours beside them."""
    for table in official:
        outputs.write("rankings", outputs.places.rankings / table.file, table.tsv())
    for table in ours:
        outputs.write("rankings", outputs.places.ours / "rankings" / table.file, safe_tsv(table))


def read_per_run(outputs: Outputs) -> tuple[list[RunScore], list[Problem]]:
    """The records of scored runs as they lie in the per-run folder; what is stale or no record is named and left out."""
    used, strangers = outputs.known("per-run", outputs.places.per_run, "*.json")
    problems = [Problem(Severity.WARNING, "not written by the last scoring, so it is not ranked", str(path)) for path in strangers]
    records = []
    for path in used:
        try:
            records.append(RunScore.from_json(json.loads(path.read_bytes().decode("utf-8")), path))
        except InputError as fault:
            problems.append(Problem(Severity.ERROR, f"{fault.what}, so it is not ranked", str(path)))
        except ValueError as fault:
            problems.append(Problem(Severity.ERROR, f"not JSON ({fault}), so it is not ranked", str(path)))
    return records, problems


def read_rankings(outputs: Outputs) -> tuple[list[RankingTable], list[Problem]]:
    """The ranking tables as they lie in the rankings folder; stale ones are named and left out."""
    used, strangers = outputs.known("rankings", outputs.places.rankings, "*.tsv")
    problems = [Problem(Severity.WARNING, "not written by the last ranking, so it is not shown", str(path)) for path in strangers]
    tables = []
    for path in used:
        try:
            tables.append(read_table(path.name, path.read_bytes().decode("utf-8")))
        except UnicodeDecodeError as fault:
            problems.append(Problem(Severity.ERROR, f"not UTF-8 (offset {fault.start})", str(path)))
    return tables, problems


def as_read(tables: Iterable[RankingTable]) -> list[RankingTable]:
    """Tables as they would be read back from their files: every cell a text, empty ones None."""
    return [read_table(table.file, table.tsv()) for table in tables]


def withheld_files(cells: Iterable[str]) -> set[str]:
    """The official tables that rest on the cells named; impresso tables over all languages rest on each of its cells."""
    files: set[str] = set()
    for cell in cells:
        dataset, split, language = cell.rsplit("-", 2)
        files.add(f"ranking-{cell}.tsv")
        if split != "test":
            continue
        if dataset == "impresso":
            files |= {
                "ranking-overall-test-a.tsv",
                "ranking-efficiency-test-a.tsv",
                "ranking-efficiency-balanced-test-a.tsv",
                f"ranking-efficiency-impresso-test-{language}.tsv",
            }
        elif dataset == "surprise":
            files.add("ranking-generalization-test-b.tsv")
    return files
