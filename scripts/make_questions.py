"""Write the constructed example of the questions task: ground truth of 39 documents, 3 models x 2 phases x 10 runs.

Everything is invented. The same seed gives the same bytes on every machine: python scripts/make_questions.py [--to DIR]
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SEED = 1767
DOCUMENTS, RUNS = 39, 10
PHASES = ("naive", "guided")
IDS = tuple(f"Q{number}" for number in range(1, 23))
ARRAYS, PAIRS = ("Q10", "Q12", "Q22"), ("Q17", "Q20")
COUNTS = ("Q7", "Q8", "Q9", "Q11", "Q13", "Q14", "Q15", "Q16", "Q18", "Q19")
BOOLEANS = ("Q1", "Q3", "Q4", "Q6", "Q21")

# What a class of gender and number may be written as; the settled rows of EQUIVALENCES.md say the same.
MODERN = {
    "figliuolo": ("figliolo", "figlio"),
    "figliuola": ("figliola", "figlia"),
    "figliuoli": ("figlioli", "figli"),
    "figliuole": ("figliole", "figlie"),
}
ABBREVIATED = {
    "figliuolo": ("fig.lo", "figl.o"),
    "figliuola": ("fig.la", "figl.a"),
    "figliuoli": ("fig.li", "figl.i"),
    "figliuole": ("fig.le", "figl.e"),
    "domestico": ("d.co", "dom.co"),
    "domestica": ("d.ca", "dom.ca"),
    "domestici": ("d.ci", "dom.ci"),
    "domestiche": ("d.che", "dom.che"),
    "servitore": ("serv.e",),
    "consorte": ("cons.te",),
}
# What no rule may rescue.
CORRUPTED = {
    "figliuolo": ("figlo", "figolo"),
    "figliuola": ("figla", "figliuolo"),
    "figliuoli": ("figlivoli", "figliuole"),
    "figliuole": ("figle", "figliuoli"),
    "domestico": ("domesti", "domest"),
    "domestica": ("domest", "domestico"),
    "domestici": ("domesti", "domestico"),
    "domestiche": ("domesti", "domestici"),
    "consorte": ("conzorte",),
    "servitore": ("servitor",),
    "Tries": ("Trieste",),
    "Veron": ("Verona",),
    "German": ("Germania",),
}
AFTER_CON = (
    "suo figliuolo", "sua figliuola", "suoi figliuoli", "sue figliuole", "suo domestico", "una domestica", "due domestici",
    "sue domestiche", "un servitore", "sua consorte", "suo fratello", "tre persone", "sua famiglia", "un compagno",
)  # fmt: skip
AFTER_E = (
    "suo figliuolo", "sua figliuola", "due figliuoli", "tre figliuole", "un domestico", "due domestici", "sua consorte",
    "sua sorella", "Pietro Caltran?", "Anna Bressan", "Zuanne Morel?", "altri compagni", "un servitore", "due domestiche",
)  # fmt: skip
BESIDE_BRACKET = (
    "fratelli", "padre e figliuolo", "marito e consorte", "tutti di Tries", "Ebrei di Veron", "mercanti di German",
    "madre e figliuole", "in compagnia", "con due domestici", "sorelle", "comici", "della stessa casa", "corrieri",
)  # fmt: skip
PLACES = ("bottom right", "bottom left", "bottom centre", "right margin")
CONFUSED = {"n": "u", "u": "n", "f": "s", "s": "f", "c": "e", "e": "c", "l": "t", "t": "l", "r": "v", "a": "o", "o": "a"}

Answer = dict[str, str]


def draw(*key: object) -> random.Random:
    """A generator of its own for each thing drawn, so that one change does not shake everything behind it."""
    return random.Random("/".join(str(part) for part in (SEED, *key)))


# Ground truth


def ground_truth() -> dict[str, Answer]:
    """Document -> answers. Eleven pages bear no year."""
    undated = set(draw("undated").sample(range(1, DOCUMENTS + 1), 11))
    return {str(number): _document(number, dated=number not in undated) for number in range(1, DOCUMENTS + 1)}


def _document(number: int, *, dated: bool) -> Answer:
    rng = draw("document", number)
    left, right = rng.randint(5, 19), rng.randint(4, 16)
    after_con, after_e = rng.sample(AFTER_CON, rng.randint(0, 5)), rng.sample(AFTER_E, rng.randint(0, 4))
    brackets = rng.sample(BESIDE_BRACKET, rng.choice((0, 0, 1, 2, 3, 4, 5)))
    of_left = rng.randint(0, len(brackets))
    signed = rng.random() < 0.4
    year = "1767/8" if number == 12 else str(rng.choice((1767, 1768, 1769)))
    return {
        "Q1": "Y" if dated else "N",
        "Q2": year if dated else "",
        "Q3": "N" if rng.random() < 0.15 else "Y",
        "Q4": "Y" if signed else "N",
        "Q5": rng.choice(PLACES) if signed else "",
        "Q6": "Y" if rng.random() < 0.35 else "N",
        "Q7": str(left),
        "Q8": str(right),
        "Q9": str(len(after_con)),
        "Q10": " | ".join(after_con),
        "Q11": str(len(after_e)),
        "Q12": " | ".join(after_e),
        "Q13": str(rng.randint(0, 4)),
        "Q14": str(rng.randint(0, 5)),
        "Q15": str(rng.randint(1, min(left, 9))),
        "Q16": str(rng.randint(0, 3)),
        "Q17": f"{rng.randint(left // 2, left)} | {rng.randint(right // 2, right)}",
        "Q18": str(rng.randint(0, 3)),
        "Q19": str(len(brackets)),
        "Q20": f"{of_left} | {len(brackets) - of_left}",
        "Q21": "" if not brackets else "N" if rng.random() < 0.3 else "Y",
        "Q22": " | ".join(brackets),
    }


def slipped(truth: dict[str, Answer]) -> dict[str, Answer]:
    """The ground truth as it is written: one letter of it was missed in copying, where the models read the page right."""
    found = next(document for document, answers in truth.items() if "Anna Bressan" in answers["Q12"])
    return truth | {found: truth[found] | {"Q12": truth[found]["Q12"].replace("Bressan", "Bresan")}}


# Models: each makes the same mistakes in most of its runs, and some of its own in each.


def misread(text: str, rng: random.Random, mark: bool) -> str:
    """One letter taken for another of the hand, or (`mark`) given up as `?`."""
    places = [at for at, letter in enumerate(text) if letter in CONFUSED]
    if not places:
        return text
    at = rng.choice(places)
    return text[:at] + ("?" if mark else CONFUSED[text[at]]) + text[at + 1 :]


class Model:
    """An error model. `skill` is the chance that an answer is right; what goes wrong is the model's own."""

    def __init__(self, name: str, skill: dict[str, float], claims: float, forms: dict[str, tuple[str, ...]], habit: float) -> None:
        self.name, self.skill, self.claims, self.forms, self.habit = name, skill, claims, forms, habit

    def answers(self, phase: str, run: int, document: str, gt: Answer) -> Answer:
        """What this model says of a document in one run."""
        return {name: self._answer(phase, run, document, name, gt[name]) for name in IDS}

    def _answer(self, phase: str, run: int, document: str, name: str, gt: str) -> str:
        # Three of four answers are the model's habit on this document, the same in all runs.
        own = draw("run", self.name, phase, document, name, run)
        rng = own if own.random() < 0.25 else draw("habit", self.name, phase, document, name)
        skill = self.skill[phase]
        if name in ARRAYS:
            return self._array(phase, name, gt, rng, skill)
        if rng.random() < skill:
            return gt.rstrip("?")
        if name in BOOLEANS:
            if gt and rng.random() < self.claims:
                return "illegible"
            return {"Y": "N", "N": "Y", "": rng.choice(("N", "Y"))}[gt]
        if name in COUNTS:
            return str(max(0, int(gt) - rng.choice((1, 1, 1, 2, 3, -1))))
        if name in PAIRS:
            left, right = (int(part) for part in gt.split("|"))
            return f"{max(0, left - 1)} | {right}" if rng.random() < 0.7 else f"{right} | {left}"
        if name == "Q2":
            if not gt:
                return rng.choice(("", "1767", "1768"))
            return "176?" if phase == "guided" and self.claims > 0.3 and rng.random() < 0.5 else rng.choice(("1761", "1787", "1769", ""))
        return rng.choice(PLACES) if gt == "" or rng.random() < 0.6 else ""

    def _array(self, phase: str, name: str, gt: str, rng: random.Random, skill: float) -> str:
        entries = [self._entry(phase, entry.rstrip("?"), rng, skill) for entry in gt.split(" | ") if entry]
        entries = [entry for entry in entries if rng.random() < skill + (1 - skill) * 0.6]
        if rng.random() > skill:
            entries.insert(rng.randint(0, len(entries)), rng.choice(BESIDE_BRACKET if name == "Q22" else AFTER_CON))
        if len(entries) > 1 and rng.random() > skill:
            entries[0], entries[1] = entries[1], entries[0]
        if name != "Q22" and entries and rng.random() < 0.1:
            entries[0] += " seco"
        return " | ".join(entries)

    def _entry(self, phase: str, entry: str, rng: random.Random, skill: float) -> str:
        words = [rng.choice(self.forms[word]) if word in self.forms and rng.random() < self.habit else word for word in entry.split()]
        text = " ".join(words)
        return text if rng.random() < skill else misread(text, rng, mark=phase == "guided" and self.claims > 0.3)


MODELS = (
    Model("alfa", {"naive": 0.88, "guided": 0.94}, 0.1, MODERN, 0.5),
    Model("beta", {"naive": 0.78, "guided": 0.86}, 0.2, ABBREVIATED, 0.6),
    Model("gamma", {"naive": 0.62, "guided": 0.72}, 0.4, CORRUPTED, 0.5),
)


# Files


def page(model: str, phase: str, run: int, document: str, answers: Answer) -> dict[str, object]:
    """A page as this model returns it: each has manners of its own, and a few pages went wrong."""
    place = (model, phase, run, document)
    if place == ("gamma", "naive", 3, "7"):
        return {"status": "failed", "error": "the request timed out"}
    if place == ("alfa", "naive", 2, "5"):
        return {"status": "ok", "response": "I am sorry, I cannot read this image."}
    given: dict[str, object] = dict(answers)
    if model == "alfa" and phase == "guided":
        given |= {name: [entry for entry in answers[name].split(" | ") if entry] for name in ARRAYS}
    if model == "gamma":
        given |= {name: int(answers[name]) for name in COUNTS}
    if place[:3] == ("beta", "guided", 4):
        given = {f"q_{name[1:]}": value for name, value in given.items()}
        given |= {f"q_{name[1:]}": {"Y": True, "N": False}.get(answers[name], answers[name]) for name in BOOLEANS}
    if model == "beta" and phase == "naive":
        text = json.dumps(given, ensure_ascii=False)
        if place == ("beta", "naive", 1, "9"):
            text = text[: text.index('"Q20"')]
        elif place == ("beta", "naive", 1, "10"):
            text = text[:-1] + ",}"
        return {"status": "ok", "response": f"Here are the answers:\n```json\n{text}\n```" if text.endswith("}") else f"```json\n{text}"}
    return {"status": "ok", "answers": given}


def runs(truth: dict[str, Answer], write: Callable[[str, object], None]) -> None:
    """Every run, as a file, the last of gamma under the guided prompt as a folder of pages."""
    for model in MODELS:
        for phase in PHASES:
            for run in range(1, RUNS + 1):
                said = {document: model.answers(phase, run, document, gt) for document, gt in truth.items()}
                pages = {document: page(model.name, phase, run, document, answers) for document, answers in said.items()}
                if (model.name, phase, run) == ("alfa", "guided", 6):
                    del pages["39"]
                where = f"runs/{model.name}/{phase}/run_{run:02}"
                if (model.name, phase, run) == ("gamma", "guided", 10):
                    for document, found in pages.items():
                        write(f"{where}/page_{document}.json", found["answers"])
                    continue
                head = {"model": model.name, "phase": phase, "run": run, "generated": f"2026-10-{run:02}T09:00:00Z"}
                write(f"{where}.json", {**head, "pages": pages})


README = """# The questions of the example

Constructed: the documents, the ground truth and the answers of the three models were invented by
`scripts/make_questions.py`, which writes them again byte for byte. `questions.toml` holds the published set of 22
questions; their wording is reconstructed. How to put in a set of your own: docs/questions.md.
"""


def write_all(to: Path) -> None:
    """Write `questions/` under `to`."""
    folder = to / "questions"
    folder.mkdir(parents=True, exist_ok=True)
    if to.resolve() != ROOT:
        shutil.copyfile(ROOT / "questions" / "questions.toml", folder / "questions.toml")
    truth = ground_truth()
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(("document", *IDS))
    writer.writerows((document, *answers.values()) for document, answers in slipped(truth).items())
    (folder / "ground_truth.csv").write_bytes(table.getvalue().encode())
    (folder / "README.md").write_bytes(README.encode())

    def write(name: str, value: object) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    runs(truth, write)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT, help="where to write questions/ (default: the repository)")
    write_all(parser.parse_args().to)
