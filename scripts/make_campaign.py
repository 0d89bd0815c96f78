"""Write the example campaign: a small, constructed HIPE-2026 campaign (`docs/campaign.md`).

Everything in it is invented: documents made from sentence patterns, persons and places that do not exist, runs made
by an error model with a fixed seed. It shows what the commands are for: a complete and a partial team, an opt-out,
unknown sizes, a run whose answers are mostly parse failures, missing pairs, gold labels the runs doubt, and a reference
that is still provisional.

    python scripts/make_campaign.py [--to DIR]
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SEED = 20260401
VERSION = "example"

PERSONS = {
    "de": [
        "Anton Felber",
        "Frau Hedwig Lautner",
        "Oberst Konrad Riem",
        "Josef Altwegg",
        "Pfarrer Emil Sturz",
        "Klara Windegg",
        "Dr. Otto Bahnholz",
    ],
    "en": [
        "Amos Thornbury",
        "Mrs. Edith Callow",
        "Captain Reuben Sloane",
        "Walter Penhurst",
        "Rev. Silas Moor",
        "Clara Wainfleet",
        "Dr. Owen Hask",
    ],
    "fr": [
        "Auguste Merlaz",
        "Madame Delphine Roc",
        "le colonel Varsin",
        "Jules Pontaret",
        "l'abbé Corvel",
        "Berthe Lanzin",
        "le docteur Osmond",
    ],
}
PLACES = {
    "de": ["Lindenau am See", "Obermühl", "Sankt Wolfram", "Kaltbrunnen", "Neuhof"],
    "en": ["Harrowmere", "Port Ellison", "Millbeck", "Stonebridge Ferry", "New Aldham"],
    "fr": ["Valbrune", "Port-Sainte-Ode", "Montclair-le-Vieux", "Grandlieu", "Rivesaltes-sur-Orge"],
}
# Sentence patterns by language: (`at`, `isAt`, pattern). {p} is the person, {l} the place.
PATTERNS = {
    "de": [
        ("TRUE", "TRUE", "{p} ist gestern abend in {l} eingetroffen und wird dort einige Tage verweilen."),
        ("TRUE", "TRUE", "Gegenwärtig hält sich {p} in {l} auf."),
        ("TRUE", "FALSE", "Vor zehn Jahren hatte {p} in {l} eine kleine Werkstatt geführt."),
        ("TRUE", "FALSE", "{p} kehrte nach kurzem Aufenthalt aus {l} zurück."),
        ("PROBABLE", "FALSE", "Man vermutet, dass {p} die Reise nach {l} angetreten hat."),
        ("PROBABLE", "FALSE", "Ein Brief, den {p} gezeichnet hat, trägt den Stempel von {l}."),
    ],
    "en": [
        ("TRUE", "TRUE", "{p} arrived at {l} on Tuesday and is stopping at the hotel there."),
        ("TRUE", "TRUE", "{p} is now at {l} for his health."),
        ("TRUE", "FALSE", "Some years ago {p} kept a shop in {l}."),
        ("TRUE", "FALSE", "{p} has returned from {l} after a week's absence."),
        ("PROBABLE", "FALSE", "It is believed that {p} has left for {l}."),
        ("PROBABLE", "FALSE", "A letter signed by {p} bears the postmark of {l}."),
    ],
    "fr": [
        ("TRUE", "TRUE", "{p} vient d'arriver à {l} pour y passer la semaine."),
        ("TRUE", "TRUE", "{p} se trouve en ce moment à {l}."),
        ("TRUE", "FALSE", "Dans sa jeunesse, {p} tenait une auberge à {l}."),
        ("TRUE", "FALSE", "{p} vient de rentrer de {l} après une courte absence."),
        ("PROBABLE", "FALSE", "On croit que {p} a pris la route de {l}."),
        ("PROBABLE", "FALSE", "Une lettre de la main de {p} porte le timbre de {l}."),
    ],
}
FILLERS = {
    "de": ["Das Wetter bleibt veränderlich.", "Der Markt war schwach besucht.", "Weitere Nachrichten folgen."],
    "en": ["The weather continues unsettled.", "The market was thinly attended.", "Further particulars are awaited."],
    "fr": ["Le temps reste incertain.", "Le marché fut peu fréquenté.", "On attend d'autres nouvelles."],
}
REFERENCES = [("impresso", "de", 6), ("impresso", "en", 6), ("impresso", "fr", 6), ("surprise", "fr", 7)]

# Gold labels set wrong on purpose, so that the runs have something to doubt: (dataset, language) -> how many.
DOUBTFUL = {("impresso", "de"): 2, ("impresso", "fr"): 1, ("surprise", "fr"): 4}


@dataclass(frozen=True)
class Model:
    """A run's error model: how often it is right on each label, on which references it was sent, its sizes."""

    team: str
    run: str
    right: dict[str, float]
    parameters: float | None
    size: float | None
    only: tuple[tuple[str, str], ...] = ()
    opt_out: bool = False
    parse_failures: float = 0.0
    drops: float = 0.0


MODELS = [
    Model("baseline", "run1", {"TRUE": 0.60, "PROBABLE": 0.35, "FALSE": 0.75}, 3_000_000_000, 2147.0),
    Model("random", "run1", {"TRUE": 0.34, "PROBABLE": 0.33, "FALSE": 0.34}, 0, 0),
    Model("team1", "run1", {"TRUE": 0.93, "PROBABLE": 0.80, "FALSE": 0.94}, 70_000_000_000, 140_000.0),
    Model("team1", "run2", {"TRUE": 0.90, "PROBABLE": 0.72, "FALSE": 0.92}, 27_000_000_000, 54_000.0),
    Model("team2", "run1", {"TRUE": 0.86, "PROBABLE": 0.66, "FALSE": 0.93}, None, None),
    Model("team2", "run2", {"TRUE": 0.80, "PROBABLE": 0.50, "FALSE": 0.96}, None, None, opt_out=True),
    Model(
        "team3", "run1", {"TRUE": 0.78, "PROBABLE": 0.60, "FALSE": 0.88}, 278_000_000, 1111.0, only=(("impresso", "de"), ("surprise", "fr"))
    ),
    Model("team10", "run1", {"TRUE": 0.85, "PROBABLE": 0.60, "FALSE": 0.85}, 24_000_000_000, 48_000.0, parse_failures=0.85),
    Model("team11", "run1", {"TRUE": 0.74, "PROBABLE": 0.42, "FALSE": 0.90}, 560_000_000, 2140.0, drops=0.12),
]
TEAMS = {
    "baseline": {"name": "Example baseline", "affiliation": "Organisers of the example", "country": "ZZ"},
    "random": {"name": "Random labels", "affiliation": "Organisers of the example", "country": "ZZ"},
    "team1": {"name": "Lighthouse | One", "affiliation": "Constructed University", "country": "ZZ"},
    "team2": {"name": "Closed Weights", "affiliation": "Constructed Institute", "country": "ZZ"},
    "team3": {"name": "Small & German", "affiliation": "Constructed College", "country": "ZZ"},
    "team10": {"name": "Broken Braces", "affiliation": "Constructed Laboratory", "country": "ZZ"},
    "team11": {"name": "Gaps", "affiliation": "Constructed Archive", "country": "ZZ"},
}
README = """\
# A constructed campaign

Everything here is invented and made by `scripts/make_campaign.py`: documents, persons, places, gold labels and the
labels of the runs. It is an example of a HIPE-2026 campaign folder, not HIPE-2026 data. Some gold labels are wrong on
purpose, one team sent parse failures, one left pairs out, one reference is marked provisional.
"""
SETTINGS = """\
# What is said of this campaign's references. A reference that is not final is left out of public pages.
[references."HIPE-2026-example-surprise-test-fr"]
status = "provisional"
version = "first adjudication"
"""


def stem_of(dataset: str, language: str) -> str:
    """The stem of a reference's file."""
    return f"HIPE-2026-{VERSION}-{dataset}-test-{language}"


def slug(text: str) -> str:
    """An id's part from a name."""
    return "".join(character if character.isalnum() else "_" for character in text.lower()).strip("_")


def documents(dataset: str, language: str, count: int, dice: random.Random) -> Iterator[dict[str, Any]]:
    """The documents of a reference with their true labels."""
    for number in range(1, count + 1):
        document_id = f"{dataset}-{language}-{number:03d}"
        persons, places = dice.sample(PERSONS[language], 3), dice.sample(PLACES[language], 3)
        told: dict[tuple[str, str], tuple[str, str]] = {}
        sentences = [dice.choice(FILLERS[language])]
        for person in persons:
            for place in dice.sample(places, dice.choice((1, 1, 2))):
                at, is_at, pattern = dice.choice(PATTERNS[language])
                if is_at == "TRUE" and any(pair[0] == person and labels[1] == "TRUE" for pair, labels in told.items()):
                    at, is_at, pattern = PATTERNS[language][2]
                told[person, place] = (at, is_at)
                sentence = pattern.format(p=person, l=place)
                sentences.append(sentence[:1].upper() + sentence[1:])
        sentences.append(dice.choice(FILLERS[language]))
        year = 1780 + dice.randrange(160)
        pairs = []
        for person in persons:
            for place in places:
                at, is_at = told.get((person, place), ("FALSE", "FALSE"))
                pairs.append(
                    {
                        "pers_entity_id": f"{document_id}-{slug(person)}",
                        "pers_wikidata_QID": None,
                        "pers_mentions_list": [person],
                        "loc_entity_id": f"{document_id}-{slug(place)}",
                        "loc_wikidata_QID": None,
                        "loc_mentions_list": [place],
                        "at": at,
                        "isAt": is_at if dataset == "impresso" else "FALSE",
                    }
                )
        yield {
            "document_id": document_id,
            "media": {"publication_title": "The Constructed Gazette", "time_period": f"{year // 10 * 10}s", "source_type": "Newspaper"},
            "source": "constructed",
            "date": f"{year}-{1 + dice.randrange(12):02d}-{1 + dice.randrange(28):02d}" if dataset == "impresso" else str(year),
            "language": language,
            "text": " ".join(sentences),
            "sampled_pairs": pairs,
        }


def with_doubtful_labels(held: list[dict[str, Any]], count: int, dice: random.Random) -> list[dict[str, Any]]:
    """The gold as it stands in the reference: some labels wrong, one of them an `isAt` TRUE beside an `at` FALSE where it can be."""
    gold: list[dict[str, Any]] = json.loads(json.dumps(held))
    certain = [pair for document in gold for pair in document["sampled_pairs"] if pair["at"] == "TRUE"]
    for pair in dice.sample(certain, count):
        pair["at"] = "FALSE"
    return gold


def answered(model: Model, document: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """A run's labelled copy of a document."""
    copy = json.loads(json.dumps(document))
    kept = []
    for pair in copy["sampled_pairs"]:
        person, place = pair["pers_mentions_list"][0], pair["loc_mentions_list"][0]
        truth, now = pair["at"], pair["isAt"]
        others = [label for label in ("TRUE", "PROBABLE", "FALSE") if label != truth]
        at = truth if dice.random() < model.right[truth] else dice.choice(others)
        right_now = dice.random() < model.right[now]
        is_at = now if right_now else ("FALSE" if now == "TRUE" else "TRUE")
        if is_at == "TRUE" and at == "FALSE" and model.team != "random":
            is_at = "FALSE"
        why = {"TRUE": "says that", "PROBABLE": "suggests that", "FALSE": "does not say that"}[at]
        explanation = f"The text {why} {person} was at {place}."
        if dice.random() < model.parse_failures:
            at, is_at, explanation = "FALSE", "FALSE", f"Invalid JSON in model output at line {1 + dice.randrange(3)}"
        pair |= {"at": at, "isAt": is_at, "at_explanation": explanation, "isAt_explanation": None}
        if dice.random() >= model.drops:
            kept.append(pair)
    copy["sampled_pairs"] = kept
    return copy


def lines(held: list[dict[str, Any]]) -> str:
    """Documents as JSONL."""
    return "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in held)


def campaign() -> dict[str, str]:
    """Every file of the campaign by its path below the campaign folder."""
    dice = random.Random(SEED)
    files: dict[str, str] = {}
    cells = []
    for dataset, language, count in REFERENCES:
        truth = list(documents(dataset, language, count, dice))
        files[f"data/reference/{stem_of(dataset, language)}.jsonl"] = lines(
            with_doubtful_labels(truth, DOUBTFUL.get((dataset, language), 0), dice)
        )
        accuracy = dataset == "impresso"
        cells.append(
            {
                "dataset": dataset,
                "split": "test",
                "language": language,
                "profile": "accuracy" if accuracy else "generalization",
                "reference_pattern": f"HIPE-2026-*-{dataset}-test-{language}.jsonl",
                "targets": ["at", "isAt"] if accuracy else ["at"],
            }
        )
        for model in MODELS:
            if model.only and (dataset, language) not in model.only:
                continue
            stem = f"data/systems/{model.team}_{stem_of(dataset, language)}_{model.run}"
            files[f"{stem}.jsonl"] = lines([answered(model, document, dice) for document in truth])
            info = {
                "hipe_parameter_count": model.parameters,
                "team_parameter_count": model.parameters,
                "hipe_model_size": model.size,
                "team_model_size": model.size,
                "team_efficiency_opt_out": model.opt_out,
            }
            files[f"{stem}-info.json"] = json.dumps(info, indent=2) + "\n"
    config = {"cells": cells, "test_a_dataset": "impresso", "test_b_dataset": "surprise"}
    files["data/competition_config.json"] = json.dumps(config, indent=2) + "\n"
    files["data/teams.json"] = json.dumps(TEAMS, indent=2, ensure_ascii=False) + "\n"
    files["data/campaign.toml"] = SETTINGS
    files["data/README.md"] = README
    return files


def main() -> None:
    """Write the campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=Path(__file__).resolve().parent.parent, metavar="DIR")
    to = parser.parse_args().to
    for name, content in campaign().items():
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
