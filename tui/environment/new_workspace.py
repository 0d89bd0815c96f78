"""A new workspace for somebody's own data: its folders, an empty rules file, the settings at their defaults (`docs/commands.md`)."""

from __future__ import annotations

import csv
import inspect
import io
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from scoring.foundations.problems import InputError
from scoring.rules import EMPTY_RULES
from scoring.workspace.example import UNION
from scoring.workspace.schema import Method, RecordName
from scoring.workspace.settings import Settings

# The fields of the template: one for each way of scoring.
TEMPLATE: dict[str, Method] = {
    "name": "name",
    "description": "text",
    "date": "date",
    "place": "place",
    "complete": "flag",
    "number": "count",
}
FOLDERS = ("gt", "runs", "adjudications")
README = """\
# A workspace for adjudicate

| where | what |
|---|---|
| `gt/` | ground truth: a CSV a page, `gt_page_<id>.csv`, a row a record; `schema.json` (optional): the fields and their scoring |
| `runs/` | what the models returned: `runs/<model>/<phase>/run_01.json`, or `run_01/` with `page_<id>.json` (`.jsonl`, `.csv`, `.txt`) |
| `EQUIVALENCES.md` | the rules: what may be stepped over, and which writings are equal |
| `adjudicate.toml` | settings that change figures |
| `adjudications/` | the decisions, a file a verifier, only ever appended to |
| `images/` | page scans, if you have them: `page_<id>.jpg`; `page_<id>.json` for the boxes of rows: `{"4": [left, top, right, bottom]}` |

First steps, in this folder:

    adjudicate check        what was read, repaired, and could not be read
    adjudicate score        all runs scored
    adjudicate              the workbench: `?` shows its keys

With git, decisions of several verifiers merge by themselves: `.gitattributes` says so. Commit `adjudications/` like the rest.
"""


@dataclass(frozen=True, slots=True)
class CreatedFiles:
    """What was written, what was there already and kept, and what a person should do by hand."""

    written: list[Path] = field(default_factory=list)
    kept: list[Path] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)


def create(folder: Path, *, template: bool = False) -> CreatedFiles:
    """Make what a workspace needs and the folder lacks; never change what is there.

    Args:
        folder: made where absent.
        template: also a CSV with one column for each way of scoring, and a schema of them.

    Raises:
        InputError: `folder` is a file.
        OSError: it cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("this is a file, not a folder", where=folder, hint="name a folder")
    made = CreatedFiles()
    for name in FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
        if not any((folder / name).iterdir()):
            # Git keeps no empty folder; a hidden file is passed over in reading.
            (folder / name / ".gitkeep").touch()
    contents = {"README.md": README, "EQUIVALENCES.md": EMPTY_RULES, "adjudicate.toml": settings_text(), ".gitattributes": f"{UNION}\n"}
    if template:
        contents |= {"gt/schema.json": schema_text(), "gt/gt_page_1.csv": _header()}
    for name, text in contents.items():
        path = folder / name
        try:
            with path.open("x", encoding="utf-8", newline="") as file:
                file.write(text)
            made.written.append(path)
        except FileExistsError:
            made.kept.append(path)
    attributes = folder / ".gitattributes"
    if attributes in made.kept and UNION not in attributes.read_text("utf-8", "replace").splitlines():
        made.advice.append(f"Add this line to {attributes}, so that decisions merge by git: {UNION}")
    return made


def settings_text() -> str:
    """`adjudicate.toml` with every setting at its default, each under a comment that says what it does."""
    import tomlkit

    says = setting_sentences()
    lines = ["# What changes figures in this workspace. The values are the defaults.", ""]
    defaults = Settings()
    for entry in fields(Settings):
        value = getattr(defaults, entry.name)
        if entry.name in ("keys", "aliases"):
            continue
        if entry.name in says:
            lines += [f"# {line}" for line in _folded(f"{says[entry.name][0].upper()}{says[entry.name][1:]}")]
        shown = tomlkit.item(list(value) if isinstance(value, tuple) else value).as_string()
        lines += [f"{entry.name} = {shown}", ""]
    lines += ["# Keys of the answers, each with the field it means.", "[aliases]", '# nome = "name"', ""]
    lines += ['# Keys of your own on the screens: action = "key". `?` on a screen lists the actions.', "[keys]", '# undo = "ctrl+z"', ""]
    return "\n".join(lines)


def setting_sentences() -> dict[str, str]:
    """What each setting does, as its definition says it."""
    said: dict[str, str] = {}
    name = ""
    for line in (inspect.getdoc(Settings) or "").partition("Attributes:")[2].splitlines():
        started = re.fullmatch(r" {4}(\w+(?:, \w+)*): (.*)", line)
        if started:
            name = started.group(1)
            said |= dict.fromkeys(name.split(", "), started.group(2))
        elif name and line.startswith(" " * 8):
            for one in name.split(", "):
                said[one] += f" {line.strip()}"
    return said


def _folded(text: str, room: int = 98) -> Iterator[str]:
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > room:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def schema_text() -> str:
    """A JSON Schema of the template's fields, each with how it is scored, to be changed by hand."""
    properties: dict[str, dict[str, object]] = {}
    for name, method in TEMPLATE.items():
        properties[name] = {"type": "string", "x-method": method}
        if method == "name":
            properties[name]["x-key"] = True
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "x-record": asdict(RecordName()),
        "type": "object",
        "properties": properties,
    }
    return json.dumps(document, indent=2) + "\n"


def _header() -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerow(TEMPLATE)
    return text.getvalue()
