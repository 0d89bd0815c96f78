"""Folders and files as people have them: a workspace, or ground truth and saved answers under any names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Final

from scoring.importing.answer_names import AnswerName, proposed_pattern, read_name
from scoring.importing.plan import Item, name_part, skipped
from scoring.importing.sources import Source
from scoring.problems import InputError
from scoring.workspace import SETTINGS_FILE

_WORKSPACE: Final = ("gt", "runs", "images", "adjudications", "questions", "data")
_TRUTH: Final = (".csv", ".tsv", ".xlsx", ".ods", ".parquet")
_ANSWER: Final = (".json", ".jsonl", ".txt", ".md", ".yaml", ".yml", ".html", ".csv", ".tsv")
_IMAGE: Final = (".jpg", ".jpeg", ".png", ".tif", ".tiff")
_TRUTH_FOLDER = re.compile(r"(?:gt|truth|gold|reference|ground.?truths?|solution|loesung|lösung)s?", re.IGNORECASE)
_ANSWER_FOLDER = re.compile(r"(?:runs?|answers?|responses?|outputs?|results?|predictions?|completions?|antworten)", re.IGNORECASE)
_RUN = re.compile(r"run[ _-]*([0-9]+)", re.IGNORECASE)
_PAGE = re.compile(r"(?:gt[ _-]*)?(?:page|seite|p|folio|fol|f)?[ _.-]*([0-9]+[a-z]*)", re.IGNORECASE)


def workspace(source: Source) -> tuple[Sequence[Item], Sequence[str]] | None:
    """Plan the import of a workspace: its files as they lie."""
    tops = {PurePosixPath(file).parts[0] for file in source.files if len(PurePosixPath(file).parts) > 1}
    named = any(PurePosixPath(file).name.startswith("gt_page") for file in source.files if file.startswith("gt/"))
    if "gt" not in tops or not (named or SETTINGS_FILE in source.files):
        return None
    items: list[Item] = []
    for file in source.files:
        top = PurePosixPath(file).parts[0]
        if top in _WORKSPACE:
            kind = {"gt": "ground truth", "runs": "answer", "images": "image"}.get(top, "settings")
            items.append(Item(file, kind, file, partial(source.read, file)))  # type: ignore[arg-type]
        elif file in (SETTINGS_FILE, "EQUIVALENCES.md"):
            items.append(Item(file, "settings", file, partial(source.read, file)))
        else:
            items.append(skipped(file, "no part of a workspace"))
    return items, ["copied as it lies"]


def mixed(source: Source, pattern: str = "") -> tuple[Sequence[Item], Sequence[str]] | None:
    """Plan the import of ground truth tables and saved answers, together or alone.

    Workbooks and tables are ground truth, unless they lie in a folder of answers; JSON and texts are answers, unless they lie in a folder
    of ground truth. Answers get model, phase and run from their folders and by a pattern from their names.

    Raises:
        InputError: the pattern is none.
    """
    truths: list[str] = []
    answers: list[str] = []
    items: list[Item] = []
    for file in source.files:
        kind = _kind(file)
        if kind == "truth":
            truths.append(file)
        elif kind == "answer":
            answers.append(file)
        elif kind == "image":
            items.append(_image(source, file))
        elif kind == "schema":
            items.append(Item(file, "schema", "gt/schema.json", partial(source.read, file)))
        else:
            items.append(skipped(file, "neither ground truth, nor an answer, nor an image"))
    if not truths and not answers:
        return None
    notes: list[str] = []
    items += _truths(source, truths, notes)
    if answers:
        chosen = pattern or proposed_pattern(answers) or "{page}"
        notes.append(f"answers are read by the pattern {chosen}{'' if pattern else '; --pattern sets another'}")
        items += [_answer(source, file, chosen) for file in answers]
    return items, notes


def _kind(file: str) -> str:
    path = PurePosixPath(file)
    suffix, folders = path.suffix.lower(), path.parts[:-1]
    if path.name.casefold().startswith("readme"):
        return ""
    of_truth = any(_TRUTH_FOLDER.fullmatch(folder) for folder in folders) or re.match(r"(?:gt|gold|truth)[ _.-]", path.name, re.IGNORECASE)
    of_answers = any(_ANSWER_FOLDER.fullmatch(folder) or _RUN.fullmatch(folder) for folder in folders)
    if suffix in _IMAGE:
        return "image"
    if path.name == "schema.json":
        return "schema"
    if suffix in (*_TRUTH, ".json", ".jsonl") and of_truth and not of_answers:
        return "truth"
    if suffix in _TRUTH and not of_answers:
        return "truth"
    return "answer" if suffix in _ANSWER else ""


def _page(stem: str) -> str | None:
    match = _PAGE.fullmatch(stem.strip())
    return match.group(1) if match is not None else None


def _truths(source: Source, files: Sequence[str], notes: list[str]) -> list[Item]:
    """Ground truth: a file named by a page is that page; any other holds all pages, by a column `page` or its sheets."""
    items: list[Item] = []
    pages = {file: _page(PurePosixPath(file).stem) for file in files}
    named = [file for file in files if pages[file] is not None]
    for file in files:
        path = PurePosixPath(file)
        page = pages[file]
        if page is not None and (len(files) == 1 or len(named) > 1 or path.stem.casefold().startswith(("gt", "page"))):
            target = f"gt/gt_page_{name_part(page)}{path.suffix.lower()}"
        elif named and page is None:
            items.append(skipped(file, "the other tables are named by their page, and this one is not"))
            continue
        elif len(files) > 1 and _holds_no_pages(source, file):
            # A table without a page column beside others: its name is its page.
            target = f"gt/gt_page_{name_part(path.stem)}{path.suffix.lower()}"
        else:
            target = f"gt/{name_part(path.stem)}{path.suffix.lower()}"
        items.append(Item(file, "ground truth", target, partial(source.read, file)))
    if any(item.taken and "gt_page_" not in item.target for item in items):
        notes.append("a table that is not named by a page holds all pages: by a column `page`, or a sheet a page")
    return items


def _holds_no_pages(source: Source, file: str) -> bool:
    from scoring.tables.truth_files import NoPagesError, open_gt

    try:
        open_gt(source.path(file), None, file)
    except NoPagesError:
        return True
    except InputError:
        return False
    return False


def _answer(source: Source, file: str, pattern: str) -> Item:
    path = PurePosixPath(file)
    name = read_name(path.stem, pattern)
    if name is None:
        return skipped(file, f"its name does not fit {pattern}")
    page = _page(name.page) or name.page
    model, phase, run = _of_folders(path.parts[:-1], name)
    target = f"runs/{model}/{phase}/{run}/page_{name_part(page)}{path.suffix.lower()}"
    return Item(file, "answer", target, partial(source.read, file))


def _of_folders(folders: Sequence[str], name: AnswerName) -> tuple[str, str, str]:
    """Model, phase and run of an answer: what the name says, else what the folders say, else `model`, `default`, `run_01`."""
    own = [folder for folder in folders if not _ANSWER_FOLDER.fullmatch(folder) and not _TRUTH_FOLDER.fullmatch(folder)]
    runs = [match for folder in own if (match := _RUN.fullmatch(folder)) is not None]
    own = [folder for folder in own if not _RUN.fullmatch(folder)]
    model = name.model or (own[0] if own else "model")
    phase = name.phase or (own[-1] if len(own) > 1 else "default")
    number = name.run or (runs[-1].group(1) if runs else "1")
    between = own[1:-1] if len(own) > 2 and not name.model else []
    return "/".join(map(name_part, (model, *between))), name_part(phase), f"run_{int(number[:9]):02d}"


def _image(source: Source, file: str) -> Item:
    path = PurePosixPath(file)
    page = _page(path.stem) or path.stem
    return Item(file, "image", f"images/page_{name_part(page)}{path.suffix.lower()}", partial(source.read, file))
