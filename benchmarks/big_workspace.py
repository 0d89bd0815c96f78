"""A workspace as large as a campaign can get: 1,500 runs whose cases number more than 100,000.

    python benchmarks/big_workspace.py DIR [--runs 1500] [--pages 6]

The same files every time (fixed seed): registers of constructed names, runs that misread, abbreviate, invent and leave out.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections.abc import Sequence
from pathlib import Path

ROWS = 18
PHASES, RUNS_A_CELL = 3, 10
BEGIN = ("Al", "Ber", "Cor", "Da", "El", "Fran", "Gio", "Hel", "Ia", "Lo", "Mar", "Nic", "Or", "Pie", "Ra", "Sal", "To", "Vin")
MIDDLE = ("ba", "ce", "di", "fo", "gra", "la", "mi", "no", "pe", "ri", "so", "tu", "va", "ze")
END = ("ni", "tti", "sco", "lli", "ro", "no", "do", "sti", "ndo", "ter", "man", "ich")
LETTERS = "abcdefghilmnoprstuvz"


def word(chance: random.Random) -> str:
    return chance.choice(BEGIN) + "".join(chance.choice(MIDDLE) for _ in range(chance.randint(0, 2))) + chance.choice(END)


def name(chance: random.Random) -> str:
    return f"{word(chance)} {word(chance)}"


def misread(text: str, chance: random.Random, edits: int) -> str:
    """The text with so many letters read otherwise."""
    letters = list(text)
    for _ in range(edits):
        at = chance.randrange(len(letters))
        act = chance.random()
        if letters[at] == " ":
            continue
        if act < 0.6:
            letters[at] = chance.choice(LETTERS)
        elif act < 0.8:
            letters[at] += chance.choice(LETTERS)
        else:
            letters[at] = ""
    return "".join(letters).title()


def answer(names: Sequence[str], chance: random.Random) -> list[dict[str, object]]:
    """A page as a run gives it: some rows right, most misread, a few invented, now and then one left out."""
    rows = []
    for at, expected in enumerate(names):
        draw = chance.random()
        if draw < 0.04:
            continue
        read = expected if draw < 0.2 else misread(expected, chance, max(1, round(len(expected) * chance.uniform(0.15, 0.45))))
        rows.append({"name": read, "title": None, "arrival_date": f"February {at + 1} 1769"})
    rows += [{"name": name(chance), "title": None, "arrival_date": None} for _ in range(chance.randint(4, 7))]
    return rows


def write(folder: Path, runs: int = 1500, pages: int = 6, seed: int = 20261129) -> None:
    """Write the workspace."""
    chance = random.Random(seed)
    register = {str(page + 1): [name(chance) for _ in range(ROWS)] for page in range(pages)}
    (folder / "gt").mkdir(parents=True, exist_ok=True)
    for page, names in register.items():
        with (folder / "gt" / f"gt_page_{page}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["name", "title", "arrival_date"])
            writer.writerows([one, "", f"February {at + 1} 1769"] for at, one in enumerate(names))
    for number in range(runs):
        cell, run = divmod(number, RUNS_A_CELL)
        model, phase = divmod(cell, PHASES)
        path = folder / "runs" / f"model-{model + 1:03}" / f"phase-{phase + 1}" / f"run_{run + 1:02}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        answers = {page: {"status": "ok", "entries": answer(names, chance)} for page, names in register.items()}
        path.write_text(json.dumps({"model": path.parts[-3], "phase": path.parts[-2], "run": run + 1, "pages": answers}), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=1500)
    parser.add_argument("--pages", type=int, default=6)
    given = parser.parse_args()
    write(given.folder, given.runs, given.pages)
    print(f"{given.runs} runs of {given.pages} pages in {given.folder}")


if __name__ == "__main__":
    main()
