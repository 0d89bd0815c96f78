"""The files of the example: runs in the forms that real collections have, with the faults that real answers have."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Callable, Sequence

from example.cells import CELLS, MODELS, PHASES, RUNS, Habit
from example.errors import pick
from example.pages import FIELDS, PAGES
from example.rows import Reader, Row

Records = list[dict[str, object]]
KEYS: dict[str, Callable[[str], str]] = {
    "plain": lambda field: field,
    "spaced": lambda field: field.replace("_", " ").title(),
    "hyphened": lambda field: field.replace("_", "-"),
    "upper": str.upper,
}
COUNTS: dict[str, Callable[[str], object]] = {"number": int, "text": str, "float": float}


def records(rows: Sequence[Row], habit: Habit) -> Records:
    """Rows as a model writes them: its keys, its blanks, its numbers, its flags."""
    out: Records = []
    for row in rows:
        record: dict[str, object] = {}
        for field in FIELDS:
            text, key = row.get(field, ""), KEYS[habit.keys](field)
            if not text:
                if habit.blank != "omit":
                    record[key] = None if habit.blank == "null" and field.endswith("date") else habit.blank
            elif field == "children_count":
                record[key] = COUNTS[habit.counts](text)
            elif field.startswith("with_") and habit.flags:
                record[key] = text == "Y"
            else:
                record[key] = text
        out.append(record)
    return out


def compact(value: object) -> str:
    """JSON without spaces, letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def listed(rows: Records) -> str:
    """A JSON list, a record a line."""
    return "[\n" + ",\n".join(map(compact, rows)) + "\n]"


def fenced(answer: str, before: str = "", after: str = "") -> str:
    """An answer as chat models give it: in a Markdown fence, with prose around."""
    return "\n\n".join(part for part in (before, f"```json\n{answer}\n```", after) if part)


def as_csv(rows: Records) -> str:
    """Records as CSV, the keys of the first as header."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def generated(model: str, phase: str, run: int) -> str:
    """A made-up but fixed date of collection."""
    return f"2026-03-{1 + 3 * list(MODELS).index(model) + PHASES.index(phase):02d}T{8 + run:02d}:00:00Z"


# Faults put in by hand, a place each: (model, phase, run, page) -> what becomes of the records of that page.
Fault = Callable[[Records], dict[str, object]]


def _responded(write: Callable[[Records], str]) -> Fault:
    return lambda rows: {"status": "ok", "response": write(rows)}


def _edited(change: Callable[[Records], Records]) -> Fault:
    return lambda rows: {"status": "ok", "travelers": change(rows)}


def _truncated(rows: Records) -> str:
    answer = listed(rows)
    return "```json\n" + answer[: answer.index('"Arrival Date"', len(answer) * 2 // 3) + 22]


def _typewriter(text: object) -> object:
    """Invisible differences: decomposed accents, a no-break space, a zero-width space, a typographic apostrophe."""
    if not isinstance(text, str):
        return text
    return unicodedata.normalize("NFD", text.replace("'", "\u2019").replace("S. ", "S.\u00a0")).replace("Locanda ", "Locanda \u200b")


FAULTS: dict[tuple[str, str, int, str], Fault | None] = {
    ("epsilon", "naive", 7, "36"): lambda rows: {"status": "failed", "error": "the request timed out after 600 s"},
    ("delta", "expert", 4, "39"): None,
    ("beta", "naive", 5, "36"): _responded(_truncated),
    ("beta", "guided", 3, "28"): _responded(lambda rows: listed(rows).replace("\n]", ",\n]")),
    ("epsilon", "naive", 2, "39"): lambda rows: {"status": "ok", "response": "I'm unable to read this image. Is there a clearer scan?"},
    ("epsilon", "guided", 9, "39"): lambda rows: {"status": "ok", "travelers": []},
    ("alfa", "naive", 3, "28"): _edited(lambda rows: [{"line": at, **row} for at, row in enumerate(rows, 1)]),
    ("alfa", "guided", 6, "36"): _edited(lambda rows: [{key: _typewriter(value) for key, value in row.items()} for row in rows]),
    ("alfa", "naive", 8, "39"): _edited(lambda rows: [*rows, dict.fromkeys(FIELDS, "")]),
    ("delta", "naive", 1, "28"): _edited(lambda rows: [*rows, {"name": "", "place_of_stay": "S. Luca", "place_of_origin": "Padova"}]),
    ("delta", "guided", 2, "36"): _edited(lambda rows: [{**row, "place_of_stay": [row["place_of_stay"]]} for row in rows]),
    ("epsilon", "expert", 5, "28"): lambda rows: {"status": "ok", "response": compact({"page_number": 1769, "result": {"entries": rows}})},
    ("alfa", "expert", 2, "28"): lambda rows: {
        "status": "ok", "response": fenced(listed(rows), "Here is the register page as JSON:", "Note: some readings are uncertain.")
    },
}  # fmt: skip

# One model's answers are kept as it gave them; one cell is kept as folders, a file a page.
RAW_MODEL, FOLDER_CELL = "beta", ("gamma", "guided")
PROSE = ("", "Certainly! Here are the travelers recorded on this page:", "I transcribed the page line by line.")


def page_entry(model: str, phase: str, run: int, page: str) -> dict[str, object] | None:
    """One page of a checkpoint, or None where the run lacks it."""
    made = records(Reader(model, phase, run, page).rows(), MODELS[model][phase])
    key = (model, phase, run, page)
    if key in FAULTS:
        fault = FAULTS[key]
        return fault(made) if fault else None
    if model == RAW_MODEL:
        return {"status": "ok", "response": fenced(listed(made), pick(PROSE, *key))}
    return {"status": "ok", "travelers": made}


def checkpoint(model: str, phase: str, run: int) -> str:
    """The checkpoint of one run; a record a line where the records are JSON."""
    head = {"model": model, "phase": phase, "run": run, "generated": generated(model, phase, run)}
    pages: list[str] = []
    for page in PAGES:
        entry = page_entry(model, phase, run, page)
        if entry is None:
            continue
        travelers = entry.pop("travelers", None)
        written = compact(entry)
        if travelers is not None:
            assert isinstance(travelers, list)
            written = written[:-1] + ',"travelers":' + (listed(travelers) if travelers else "[]") + "}"
        pages.append(f'"{page}":{written}')
    return compact(head)[:-1] + ',"pages":{\n' + ",\n".join(pages) + "\n}}\n"


def folder(model: str, phase: str, run: int) -> dict[str, str]:
    """One run as a folder: what the model returned for each page, in the format it returned it in."""
    out: dict[str, str] = {}
    for page in PAGES:
        made = records(Reader(model, phase, run, page).rows(), MODELS[model][phase])
        if (run, page) == (2, "36"):
            out[f"page_{page}.jsonl"] = "".join(compact(row) + "\n" for row in made)
        elif (run, page) == (3, "39"):
            out[f"page_{page}.csv"] = as_csv(made)
        elif (run, page) == (4, "28"):
            out[f"page_{page}.txt"] = fenced(listed(made), "The page holds these travelers:") + "\n"
        elif (run, page) == (5, "28"):
            out[f"page_{page}.json"] = "\ufeff" + (listed(made) + "\n").replace("\n", "\r\n")
        else:
            out[f"page_{page}.json"] = listed(made) + "\n"
    return out


def run_files() -> dict[str, str]:
    """Every file under `runs/`, by its path."""
    out: dict[str, str] = {}
    for model, phase in CELLS:
        for run in range(1, RUNS + 1):
            stem = f"runs/{model}/{phase}/run_{run:02d}"
            if (model, phase) == FOLDER_CELL:
                out |= {f"{stem}/{name}": text for name, text in folder(model, phase, run).items()}
            else:
                out[f"{stem}.json"] = checkpoint(model, phase, run)
    return out


def gt_files() -> dict[str, str]:
    """Every file of ground truth, by its path; spelled as `csv` does."""
    out: dict[str, str] = {}
    for page, people in PAGES.items():
        text = io.StringIO()
        writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(people)
        out[f"gt/gt_page_{page}.csv"] = text.getvalue()
    return out
