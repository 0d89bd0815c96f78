"""A small workspace of questions, written by the tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from scoring.questions.inputs.material import Material, load
from scoring.workspace.layout import open_workspace

SET = """
title = "Small"

[[question]]
id = "Q1"
type = "boolean"
illegible = true
text = "Is there a year?"

[[question]]
id = "Q2"
type = "integer"
asked_when = "Q1 is Y"
text = "Which year?"

[[question]]
id = "Q4"
type = "boolean"
illegible = true
text = "Is there a signature?"

[[question]]
id = "Q5"
type = "string"
asked_when = "Q4 is Y"
text = "Where is the signature?"

[[question]]
id = "Q10"
type = "text_array"
words = 2
order = "free"
text = "Which two words follow each con?"

[[question]]
id = "Q17"
type = "paired_integer"
text = "How many lines, left | right?"

[[question]]
id = "Q19"
type = "integer"
text = "How many brackets?"

[[question]]
id = "Q21"
type = "boolean"
illegible = true
asked_when = "Q19 is not 0"
text = "Does each bracket carry a word?"

[[question]]
id = "Q22"
type = "text_array"
order = "document"
text = "What stands beside each bracket?"
"""

GT = """document,Q1,Q2,Q4,Q5,Q10,Q17,Q19,Q21,Q22
1,Y,1767/8,Y,bottom right,suo domestico | sua figliuola,3 | 4,2,Y,fratelli | comici
2,N,,N,,,5 | 0,0,,
"""

RULES = """# Rules

## 2. Equivalences

| form | canonical | field | status | witness | note |
|---|---|---|---|---|---|
| fig.la | figliuola | Q10 | settled | sua fig.la | |
| d.co | domestico | Q10 | OPEN | suo d.co | |

## 3. Near misses

| form | not | field | why |
|---|---|---|---|
| figla | figliuola | Q10 | a corruption |
"""

RIGHT = {
    "1": {
        "Q1": "Y", "Q2": "1767/8", "Q4": "Y", "Q5": "bottom right", "Q10": "sua fig.la | suo domestico", "Q17": "3|4", "Q19": 2,
        "Q21": "Y", "Q22": "fratelli | comici",
    },
    "2": {"Q1": "N", "Q2": "", "Q4": "N", "Q5": "", "Q10": "", "Q17": "5 | 0 ", "Q19": "0", "Q21": "", "Q22": ""},
}  # fmt: skip


def workspace(root: Path, runs: Mapping[str, object], *, gt: str = GT, questions: str = SET, rules: str = RULES) -> Path:
    """Write a workspace; `runs` maps `model/phase/run_01.json` to a run's pages (or to a text to be written as it is)."""
    folder = root / "questions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "questions.toml").write_text(questions, encoding="utf-8")
    (folder / "ground_truth.csv").write_text(gt, encoding="utf-8")
    (root / "EQUIVALENCES.md").write_text(rules, encoding="utf-8")
    for name, pages in runs.items():
        path = folder / "runs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pages if isinstance(pages, str) else json.dumps({"pages": pages}), encoding="utf-8")
    return root


def ok(answers: Mapping[str, object]) -> dict[str, object]:
    return {"status": "ok", "answers": dict(answers)}


def right(**changed: Mapping[str, object]) -> dict[str, object]:
    """Pages of a run that answers everything right but what is changed: `right(_1={"Q1": "N"})`."""
    return {page: ok({**answers, **changed.get(f"_{page}", {})}) for page, answers in RIGHT.items()}


def material(root: Path, runs: Mapping[str, object], **parts: str) -> Material:
    return load(open_workspace(workspace(root, runs, **parts)))
