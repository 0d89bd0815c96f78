"""Workspaces of files that a test writes itself."""

import json
from pathlib import Path

from scoring.problems import Problem
from scoring.tables.material import Material, load
from scoring.workspace import open_workspace

GT = "name,origin,guests\nAnna Serri,Padua,3\nBruno Bassa,Corfu,2\n"
ANNA = {"name": "Anna Serri", "origin": "Padua", "guests": "3"}
BRUNO = {"name": "Bruno Bassa", "origin": "Corfu", "guests": "2"}


def write(root: Path, runs: dict[str, object], gt: dict[str, str] | None = None, settings: str = "") -> Path:
    """Write a workspace: runs by path below `runs/` (bytes, texts, or values as JSON), pages of ground truth, settings."""
    files: dict[str, object] = {f"runs/{name}": value for name, value in runs.items()}
    files |= {f"gt/gt_page_{page}.csv": text for page, text in ({"1": GT} if gt is None else gt).items()}
    if settings:
        files["adjudicate.toml"] = settings
    for name, value in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = value if isinstance(value, bytes) else (value if isinstance(value, str) else json.dumps(value)).encode()
        path.write_bytes(content)
    return root


def read(root: Path, runs: dict[str, object], gt: dict[str, str] | None = None, settings: str = "") -> Material:
    """The material of such a workspace."""
    return load(open_workspace(write(root, runs, gt, settings)))


def told(problems: tuple[Problem, ...]) -> list[str]:
    """Problems as lines: severity and sentence."""
    return [f"{problem.severity}: {problem}" for problem in problems]
