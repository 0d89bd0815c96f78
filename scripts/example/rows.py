"""What one model makes of one page in one run: its rows, as plain texts under the register's field names."""

from __future__ import annotations

from collections.abc import Callable

from example.cells import MODELS, Habit
from example.errors import dated, difficulty, draw, misread, pick
from example.pages import PAGES, Person

Row = dict[str, str]

# Readings that most models share and that differ from the ground truth: perhaps the key is wrong.
SHARED = {
    ("36", "Girolamo Feratti"): "Girolamo Ferratti",
    ("36", "Odorico Vidussi"): "Odorico Vidulfi",
    ("39", "Zorzi Rumignan"): "Zorzi Rumignani",
}
SHARERS = ("alfa", "beta", "gamma", "delta")
SHARED_PLACES = {"Casa Feltrina": "Casa Pestiora", "S. Maria Zobenigo": "S. Maria Colenigo"}

# What models put where the verifier saw one glyph that could not be read.
GLYPHS = {"Francesco Kin?gsech": "i", "Niccolò ?lelingen": "SF", "Federico ?gorosd": "Z"}

INVENTED = (
    "Andrea Bon",
    "Zuanne Grimani",
    "Veduti li passaporti",
    "Nob. Homo Corner",
    "Ambasciator Cesareo",
    "Ziogio Duradi",
    "Francesco Petrelli",
)
PIECES = {"28": ("Tedesco", "Brunetti", "Valieri"), "36": ("Luzzato", "Ermolao", "Castelbarco"), "39": ("Pincherle", "Clementi", "Lazaro")}

# Who stands first of two relatives whom some models put into one row.
TOGETHER = frozenset({"Gasparo Tremolini", "Anna Maria Valieri", "Anna Serri", "Leopoldo Trautner", "Antonio Mazzoleni", "Iseppo Clementi"})

PLACE_FORMS: dict[str, tuple[tuple[str, str], ...]] = {
    "beta": (("Locanda", "Loc."), ("Leon Bianco", "Leon B."), ("S. ", "San ")),
    "gamma": (("Casa ", "in casa "), ("Sant'Angelo", "S. Angelo"), ("S. Giovanni Crisostomo", "S. G. Crisostomo")),
    "delta": (("Locanda", "alloggia Locanda"), (" a S. ", " S. "), ("del Sig. ", "del Signor "), ("SS. ", "Santi ")),
    "epsilon": (("Casa ", "C. "), ("S. ", "S.to "), ("Ospizio", "Osp."), ("Zen", "Zen, Venezia")),
}
ORIGIN_FORMS = {"delta": {"Vienna": "Wien", "Praga": "Prag"}, "epsilon": {"Trieste": "Triest"}}
TITLE_FORMS = {
    "beta": {"Conte": "Co.", "Abate": "Ab.", "Cavaliere": "Cav."},
    "gamma": {"Barone": "Bar.", "Tenente Colonello": "Ten. Colonello"},
    "delta": {"Conte": "il Conte", "Barone": "il Barone", "Capitano": "Cap.o"},
    "epsilon": {"Abate": "Abbé", "Dottor": "Medico"},
}
TITLES_IN_NAMES = {"gamma": "Il {}", "delta": "{}", "epsilon": "Il {}", "beta": "{}", "alfa": "{}"}
COURTESIES = {"beta": ("Signor", "Madama"), "delta": ("Monsù", "Madama"), "epsilon": ("Sig.", "Signora")}


class Reader:
    """One model under one phase in one run, reading one page."""

    def __init__(self, model: str, phase: str, run: int, page: str) -> None:
        self.model, self.phase, self.run, self.page = model, phase, run, page
        self.habit: Habit = MODELS[model][phase]

    def chance(self, rate: float, what: str, line: int, steady: float = 0.85) -> bool:
        """Whether something happens on a line: in most runs a model does what it always does, in the others chance decides anew."""
        key: tuple[object, ...] = (self.model, self.page, line, what)
        if draw(*key, "wobble", self.phase, self.run) >= steady:
            key = (*key, self.phase, self.run)
        return draw(*key) < rate

    def name(self, person: Person, line: int, again: bool = False) -> str:
        """The name as read; `again` is a second look at the same line, which errs elsewhere and more."""
        written, habit = person["name"], self.habit
        key: tuple[object, ...] = (self.model, self.page, line, "again" if again else "name")
        if draw(*key, "wobble", self.phase, self.run) < habit.wobble:
            key = (*key, self.phase, self.run)
        rate = habit.letters * difficulty(self.page, line) + (0.28 if again else 0.0)
        shared = SHARED.get((self.page, written))
        if shared and self.model in SHARERS and draw(*key, "shared") < 0.93:
            return shared
        if written in GLYPHS:
            letter = {"letter": pick(GLYPHS[written], self.model, written), "mark": "\0", "omitted": ""}[habit.glyph]
            written = written.replace("?", letter)
        if " q.m. " in written:
            before, _, after = written.partition(" q.m. ")
            quondam = pick(habit.quondam, self.model, self.page, line, self.phase)
            return f"{misread(before, rate, *key)} {quondam} {misread(after, rate, *key, 'father')}"
        return misread(written, rate, *key).replace("\0", "?")

    def adorned(self, name: str, person: Person, origin: str, line: int) -> str:
        """The name with what a model adds to it: the title, a courtesy form, the place of origin."""
        if person["title"] and self.chance(self.habit.titled, "titled", line):
            name = f"{TITLES_IN_NAMES[self.model].format(person['title'])} {name}"
        elif not person["title"] and self.chance(self.habit.courtesy, "courtesy", line):
            name = f"{self.courtesy(person)} {name}"
        if origin and self.chance(self.habit.placed, "placed", line):
            name = f"{name} {pick(('di', 'da', 'di'), self.model, self.page, line, 'behind')} {origin.removeprefix('da ')}"
        return name

    def courtesy(self, person: Person) -> str:
        first = person["name"].split()[0]
        return COURTESIES[self.model][1 if first.endswith("a") and first not in ("Bassa", "Ventura") else 0]

    def title(self, person: Person, line: int) -> str:
        if not person["title"]:
            return self.courtesy(person) if self.model in COURTESIES and self.chance(self.habit.courtesy_title, "title", line) else ""
        return TITLE_FORMS.get(self.model, {}).get(person["title"], person["title"])

    def place(self, text: str, field: str, line: int) -> str:
        if not text:
            return ""
        if field == "place_of_origin":
            text = ORIGIN_FORMS.get(self.model, {}).get(text, text)
            text = f"da {text}" if self.model == "gamma" and self.chance(0.4, "from", line) else text
        elif text in SHARED_PLACES and self.model != "alfa":
            text = SHARED_PLACES[text]
        elif self.chance(0.75, "form", line):
            for form, written in PLACE_FORMS.get(self.model, ()):
                text = text.replace(form, written)
        return misread(text, self.habit.fields * difficulty(self.page, line), self.model, self.page, line, field)

    def date(self, text: str, field: str, line: int) -> str:
        if not text:
            return ""
        if field == "departure_date" and self.chance(self.habit.drop * 3, "no departure", line):
            return ""
        month, day, year = text.split()
        if self.chance(self.habit.fields, field, line):
            day = str(int(day) + (1 if int(day) % 2 else -1))
        return dated(f"{month} {day} {year}", self.habit.dates)

    def row(self, person: Person, line: int, name: str) -> Row:
        row: Row = {field: self.place(person[field], field, line) for field in ("place_of_stay", "place_of_origin")}
        row |= {"name": self.adorned(name, person, row["place_of_origin"], line), "title": self.title(person, line)}
        row |= {field: self.date(person[field], field, line) for field in ("arrival_date", "departure_date")}
        for field in ("with_spouse", "with_siblings"):
            wrong = bool(person[field]) and self.chance(self.habit.fields / 2, field, line)
            row[field] = {"Y": "N", "N": "Y"}[person[field]] if wrong else person[field]
        count = person["children_count"]
        row["children_count"] = str(int(count) + 1) if count and self.chance(self.habit.fields, "children", line) else count
        return row

    def rows(self) -> list[Row]:
        """All rows of the page, in the order the model gives them."""
        people, habit = PAGES[self.page], self.habit
        out: list[Row] = []
        merged = relatives(people) if habit.merge != "apart" else {}
        taken = set(merged.values()) if habit.merge == "one row" else set()
        for line, person in enumerate(people, 1):
            if line in taken:
                continue
            name = self.name(person, line)
            joined = ""
            if line in merged:
                other = self.name(people[merged[line] - 1], merged[line])
                joined = f"{name.split()[0]} e {other}"
            if joined and habit.merge == "one row":
                out.append(self.row(person, line, joined))
                continue
            if self.chance(habit.drop * difficulty(self.page, line), "drop", line):
                continue
            out.append(self.row(person, line, name))
            if joined:
                out.append(self.row(person, line, joined))
            both_dates = person["arrival_date"] and person["departure_date"]
            if both_dates and self.chance(habit.twice, "twice", line):
                again = self.chance(habit.twice_misread, "again", line)
                out.append(self.row(person, line, self.name(person, line, again=True) if again else name))
        if habit.columns:
            out = out[::2] + out[1::2]
        out += self.extra_rows()
        return out

    def extra_rows(self) -> list[Row]:
        """Rows without a line of their own: a piece of a name left from a line break, a host or a heading taken for a traveler."""
        out: list[Row] = []
        tries: tuple[tuple[str, float, Callable[[int], str]], ...] = (
            ("piece", self.habit.fragment, lambda at: pick(PIECES[self.page], self.model, self.page, "piece", at)),
            ("invented", self.habit.invent, lambda at: pick(INVENTED, self.model, self.page, "invented", at)),
        )
        for what, rate, text in tries:
            for at in (1, 2):
                if self.chance(rate, what, at, steady=0.6):
                    name = text(at)
                    if all(row["name"] != name for row in out):
                        out.append({"name": name, "arrival_date": dated(PAGES[self.page][at]["arrival_date"], self.habit.dates)})
        return out


def relatives(people: tuple[Person, ...]) -> dict[int, int]:
    """Lines of people that models put into one row, first line to second (from 1)."""
    return {line: line + 1 for line, person in enumerate(people, 1) if person["name"] in TOGETHER}
