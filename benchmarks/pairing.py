"""How much faster the exact, lazy pairing is than the naive loop, on simulated names; and that both give the same pairs.

    python -m benchmarks.pairing [--quick] [--repeat N]

All variants run interleaved in one process and are compared by their medians, as absolute times move with the machine.
The naive loop of 2000 x 2000 is extrapolated from sampled GT rows, those with `?` weighed by their share. `--quick` leaves out
what takes minutes and holds only what no noise can move: equal pairs, and the number of exact ratios. Exit code 1 if a
required figure (`docs/method.md#pairing-speed`) is missed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scoring.tables.matching.pairing import ModelName, PagePairer
from scoring.tables.matching.readings import readings
from scoring.texts.forms import Ignore, resolve_illegible, wildcard_edits

SEED = 1771
GATE = 0.70
LETTERS = "abcdefghilmnoprstuvz"
GIVEN = tuple(
    """giovanni antonio francesco pietro giuseppe carlo domenico lorenzo andrea michele angelo marco paolo luigi filippo stefano
    johann georg franz joseph anton heinrich wilhelm friedrich salamon israel anna maria teresa caterina elisabetta jean louis
    henri charles edward thomas william richard""".split()  # noqa: SIM905
)
ROOTS = ("bass", "bern", "cast", "dal", "fer", "gal", "ker", "lam", "mar", "mor", "neu", "pal", "rav", "sal", "tor", "val", "zan", "cors")
ENDS = ("a", "ani", "elli", "er", "etti", "i", "ini", "mann", "o", "oni", "ovic", "sky", "stein", "ucci", "berg", "court", "ville", "ato")
TITLES = ("conte", "barone", "marchese", "cavalier", "abate")
RULES = (Ignore(("il",), "leading"), *(Ignore((title,), "leading") for title in TITLES))


@dataclass(frozen=True)
class Page:
    """GT names and the model names of one run over them."""

    gt: tuple[str, ...]
    models: tuple[ModelName, ...]


class Names:
    """A source of simulated names, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.misreadings: dict[str, list[str]] = {}

    def name(self) -> str:
        pick = self.random.choice
        given = " ".join(pick(GIVEN) for _ in range(pick((1, 1, 1, 2))))
        middle = pick(("", "", "", "di ", "von ", "de "))
        family = pick(ROOTS) + pick(("", "a", "e", "i", "o")) + pick(("", pick(ROOTS))) + pick(ENDS)
        return f"{given} {middle}{family}"

    def illegible(self, name: str) -> str:
        at = self.random.choice([at for at, character in enumerate(name) if character != " "])
        return f"{name[:at]}?{name[at + 1 :]}"

    def misread(self, name: str, rate: float) -> str:
        out = []
        for character in name:
            chance = self.random.random()
            if character != " " and chance < rate:
                if chance < rate * 0.6:
                    out.append(self.random.choice(LETTERS))
                elif chance < rate * 0.8:
                    out += [character, self.random.choice(LETTERS)]
            else:
                out.append(character)
        return " ".join("".join(out).split()) or name

    def habitual(self, name: str, rate: float, habit: float) -> str:
        """A misreading, with the chance `habit` one that an earlier run has made: models are led astray by the same letters."""
        before = self.misreadings.setdefault(name, [])
        if before and self.random.random() < habit:
            return self.random.choice(before)
        before.append(self.misread(name, rate))
        return before[-1]

    def gt(self, rows: int, illegible: float = 0.04) -> list[str]:
        names = [self.name() for _ in range(rows)]
        for at in self.random.sample(range(rows), round(rows * illegible)):
            names[at] = self.illegible(names[at])
        return names

    def run(self, gt: Sequence[str], titled: float, habit: float = 0.0) -> tuple[ModelName, ...]:
        """A model's answer: most rows read exactly or with errors, some missed, some made up, in a slightly other order."""
        rows = []
        for name in gt:
            legible = name.replace("?", self.random.choice(LETTERS))
            chance = self.random.random()
            if chance < 0.06:
                rows.append(self.name())
            else:
                rate = self.random.choice((0.03, 0.08, 0.15, 0.3))
                rows.append(legible if chance < 0.40 else self.habitual(legible, rate, habit))
        for _ in range(len(rows) // 10):
            at = self.random.randrange(len(rows) - 1)
            rows[at], rows[at + 1] = rows[at + 1], rows[at]
        out = []
        for name in rows:
            if self.random.random() < titled:
                name = f"il {self.random.choice(TITLES)} {name}"
            out.append(ModelName(readings(name, RULES)[0]))
        return tuple(out)


def page(rows: int, seed: int, titled: float = 1.0) -> Page:
    names = Names(seed)
    gt = names.gt(rows)
    return Page(tuple(gt), names.run(gt, titled))


# The naive way


def naive_cell(gt: str, name: ModelName) -> tuple[float, int]:
    """Similarity and edits of one pair, every reading compared."""
    best, fewest = -1.0, 0
    ours = set(gt.split())
    for reading in name.readings:
        text = reading.text
        theirs = set(text.split())
        value = max(SequenceMatcher(None, gt, text, autojunk=False).ratio(), len(ours & theirs) / max(len(ours), len(theirs)))
        if "?" in gt:
            resolved = resolve_illegible(gt, text)
            if resolved != gt:
                tokens = set(resolved.split())
                value = max(
                    value,
                    SequenceMatcher(None, resolved, text, autojunk=False).ratio(),
                    len(tokens & theirs) / max(len(tokens), len(theirs)),
                )
        if value >= best:
            edits = wildcard_edits(gt, text)
            if value > best or edits < fewest:
                best, fewest = value, edits
    return best, fewest


def naive_pairs(page: Page, floor: float) -> list[tuple[int, int]]:
    cells = []
    for gt, form in enumerate(page.gt):
        for model, name in enumerate(page.models):
            value, edits = naive_cell(form, name)
            if value >= floor:
                cells.append((-value, edits, gt, model))
    cells.sort()
    pairs, gt_taken, model_taken = [], set(), set()
    for _, _, gt, model in cells:
        if gt not in gt_taken and model not in model_taken:
            gt_taken.add(gt)
            model_taken.add(model)
            pairs.append((gt, model))
    return pairs


def naive_rows_seconds(page: Page, plain: Sequence[int], wild: Sequence[int]) -> float:
    """Seconds that the naive loop takes for the whole page, from some of its GT rows of each kind."""
    share = sum("?" in form for form in page.gt)
    total = 0.0
    for rows, count in ((plain, len(page.gt) - share), (wild, share)):
        if rows:
            start = time.perf_counter()
            for gt in rows:
                for name in page.models:
                    naive_cell(page.gt[gt], name)
            total += (time.perf_counter() - start) / len(rows) * count
    return total


# Measuring


def lazy_pairs(page: Page, floor: float) -> tuple[list[tuple[int, int]], int]:
    pairer = PagePairer(page.gt)
    return [(pair.gt, pair.model) for pair in pairer.pair(page.models, floor=floor)], pairer.exact_ratios


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Report:
    """The lines of the table, and whether each held."""

    def __init__(self) -> None:
        self.held = True
        print(f"{'what':<44}{'naive':>11}{'lazy':>11}{'figure':>10}{'required':>10}")

    def line(
        self, what: str, figure: float, required: float, *, least: bool, naive: float | None = None, lazy: float | None = None
    ) -> None:
        held = figure >= required if least else figure <= required
        self.held &= held
        times = "".join(f"{value * 1000:>9.1f}ms" if value is not None else f"{'-':>11}" for value in (naive, lazy))
        sign = ">=" if least else "<="
        print(f"{what:<44}{times}{figure:>10.2f}{f'{sign} {required:g}':>10}  {'' if held else 'MISSED'}", flush=True)

    def ratio(self, what: str, naive: Sequence[float], lazy: Sequence[float], required: float) -> None:
        slow, fast = statistics.median(naive), statistics.median(lazy)
        self.line(what, slow / fast, required, least=True, naive=slow, lazy=fast)


def small(report: Report, repeat: int) -> None:
    pages = [page(37, SEED + at) for at in range(4)]
    for floor, label, required in ((GATE, "at the gate", 50), (0.0, "no floor", 25)):
        naive: list[float] = []
        lazy: list[float] = []
        for some in pages:
            if naive_pairs(some, floor) != lazy_pairs(some, floor)[0]:
                raise SystemExit(f"37 x 37 {label}: the lazy pairs are not the naive ones")
        for _ in range(repeat):
            naive.append(seconds(lambda: [naive_pairs(some, floor) for some in pages]) / len(pages))  # noqa: B023
            lazy.append(seconds(lambda: [lazy_pairs(some, floor) for some in pages]) / len(pages))  # noqa: B023
        report.ratio(f"37 x 37, {label}, times faster", naive, lazy, required)


def large(report: Report, repeat: int) -> None:
    some = page(2000, SEED)
    pick = random.Random(SEED)
    wild = pick.sample([at for at, form in enumerate(some.gt) if "?" in form], 2)
    plain = pick.sample([at for at, form in enumerate(some.gt) if "?" not in form], 6)
    times: dict[str, list[float]] = {"naive": [], "gate": [], "none": []}
    for _ in range(repeat):
        times["naive"].append(naive_rows_seconds(some, plain, wild))
        times["gate"].append(seconds(lambda: lazy_pairs(some, GATE)))
        times["none"].append(seconds(lambda: lazy_pairs(some, 0.0)))
    report.ratio("2000 x 2000, at the gate, times faster", times["naive"], times["gate"], 700)
    report.ratio("2000 x 2000, no floor, times faster", times["naive"], times["none"], 400)


def ratios(report: Report) -> None:
    some = page(2000, SEED)
    for floor, label in ((GATE, "at the gate"), (0.0, "no floor")):
        report.line(f"2000 x 2000, {label}, exact ratios a GT row", lazy_pairs(some, floor)[1] / len(some.gt), 4, least=False)


def corpus(report: Report, repeat: int) -> None:
    """3 pages x 150 runs, about 1.35 readings a row, most misreadings made by more than one run."""
    names = Names(SEED)
    pages = []
    for rows in (18, 37, 10):
        gt = tuple(names.gt(rows))
        pages += [Page(gt, names.run(gt, 0.175, habit=0.75)) for _ in range(150)]

    def kept() -> None:
        pairers = {some.gt: PagePairer(some.gt) for some in pages}
        for some in pages:
            pairers[some.gt].pair(some.models, floor=GATE)

    naive: list[float] = []
    lazy: list[float] = []
    warm: list[float] = []
    for _ in range(repeat):
        naive.append(seconds(lambda: [naive_pairs(some, GATE) for some in pages]))
        lazy.append(seconds(lambda: [lazy_pairs(some, GATE) for some in pages]))
        warm.append(seconds(kept))
    report.ratio("450 page scorings, nothing kept, times faster", naive, lazy, 20)
    report.ratio("450 page scorings, values kept, times faster", naive, warm, 20)


def main() -> int:
    parser = argparse.ArgumentParser(description="Speed of the exact lazy pairing against the naive loop.")
    parser.add_argument("--quick", action="store_true", help="only what no noise can move: equal pairs and exact ratios a GT row")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each variant (default 5)")
    options = parser.parse_args()
    report = Report()
    ratios(report)
    if options.quick:
        for floor in (GATE, 0.0):
            some = page(37, SEED)
            if naive_pairs(some, floor) != lazy_pairs(some, floor)[0]:
                raise SystemExit("37 x 37: the lazy pairs are not the naive ones")
        print("37 x 37: the same pairs as the naive loop")
    else:
        small(report, options.repeat)
        corpus(report, options.repeat)
        large(report, options.repeat)
    return 0 if report.held else 1


if __name__ == "__main__":
    sys.exit(main())
