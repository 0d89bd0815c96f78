"""Material of many pages and runs, with every kind of row: read well and badly, twice, joined, torn, foreign, nameless, illegible."""

from __future__ import annotations

import random

from scoring.tables.inputs.material import Material
from scoring.workspace.settings import Settings
from tests.scoring.tables.builders import QUONDAM, TITLES, Given, material, rules

FIRST = ("Anna", "Zorzi", "Marco", "Lucia", "Piero", "Cornelia", "Alvise", "Bortolo", "Zuane", "Chiara", "Domenego", "Elena")
LAST = ("Barbaro", "Contarini", "Dolfin", "Ferro", "Grimani", "Loredan", "Morosini", "Pisani", "Querini", "Salamon", "Tron", "Zen")


def _misread(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + chance.choice("aeioru") + text[at + chance.randrange(2) :]


def _page(names: list[str], chance: random.Random) -> list[Given]:
    answer: list[Given] = []
    for at, name in enumerate(names):
        kind = chance.randrange(12)
        read = name if kind < 4 else _misread(_misread(name, chance), chance)
        if kind == 7:
            read = f"il {read}"
        elif kind == 8:
            read = name
            answer.append({"name": f"{name} e {names[at - 1]}"})
        elif kind == 9:
            read = read.split()[-1]
        elif kind == 10:
            read = "Qqwx Ywvv"
        if kind == 11:
            continue
        date = chance.choice(("1650-01-01", "[1650]-02-01", ""))
        answer.append({"name": read, "title": "q.m Piero", "arrival_date": date, "place_of_origin": chance.choice(("Padova", "Venezia"))})
        if kind == 6:
            answer.append({"name": read, "children_count": "2"})
    return [*answer, {"name": "", "title": "nobody"}]


def many(pages: int = 3, runs: int = 6, names: int = 14, *, seed: int = 1, settings: Settings | None = None) -> Material:
    """Pages of so many names, read by so many runs of two models; a page failed, another missing."""
    chance = random.Random(seed)
    gt: dict[str, list[Given]] = {}
    for page in range(1, pages + 1):
        listed = [f"{chance.choice(FIRST)} {chance.choice(LAST)} q.m {chance.choice(FIRST)}" for _ in range(names)]
        listed[0], listed[1], listed[2] = "Anna Zen", "Anna Zen", "Pi?ro T??n"
        gt[str(page)] = [{"name": name, "arrival_date": "[1650]-01-01", "place_of_origin": "Padova"} for name in listed]
    answers: dict[str, dict[str, list[Given] | str]] = {}
    for run in range(runs):
        read: dict[str, list[Given] | str] = {
            page: _page([str(row["name"]) for row in rows if not isinstance(row, str)], chance) for page, rows in gt.items()
        }
        if run == 1:
            read["1"] = "the answer is no JSON"
        if run == 2 and pages > 1:
            del read["2"]
        answers[f"{'ab'[run % 2]}/n/{run + 1}"] = read
    return material(gt, answers, made_with=rules(QUONDAM, TITLES), settings=settings)
