"""The written parts of the example: rules, settings, schema, and the notes that say it is constructed."""

from __future__ import annotations

import json
from pathlib import Path

RULES = """# Equivalences of the example register

The scorer reads this file at run time: a row added here changes scores. `settled` rows are applied; `OPEN` rows are parsed,
checked and previewed (`adjudicate rules preview`), never applied. The register is constructed, and so are the witnesses.

## 1. Ignore rules

Words that a model writes beside the value and the ground truth does not. For `name` they add readings: the name as written
always stays among them, so that Ernesto di Bargh, De Flamarin and Salamon Cormos still match in full.

| token | field | position | side | status | witness | note |
|---|---|---|---|---|---|---|
| il | name, title | leading | model | settled | Il Barone Bassa | article before a title |
| barone | name | leading | model | settled | Il Barone Bassa | title |
| conte | name | leading | model | settled | Conte Ernesto di Bargh | title |
| contessa | name | leading | model | settled | Contessa Lucia Tremolini | title |
| marchese | name | leading | model | settled | Marchese De Flamarin | title |
| cavaliere | name | leading | model | settled | Cavaliere Antonio Mazzoleni | title |
| abate | name | leading | model | settled | Abate Zuigi Passerin | title |
| capitano | name | leading | model | settled | Capitano Valentin Kropf | title |
| tenente colonello | name | leading | model | settled | Tenente Colonello Tommaso Winckel | title of two words |
| generale | name | leading | model | settled | Generale Leopoldo Trautner | title |
| dottor | name | leading | model | settled | Il Dottor Domenico Zaghi | title |
| signor | name | leading | model | settled | Signor Abt | courtesy form |
| sig. | name | leading | model | settled | Sig. Bortolo Quarin | courtesy form |
| madama | name | leading | model | settled | Madama Anna Maria Valieri | courtesy form |
| di {place_of_origin} | name | trailing | model | settled | Israel Baysan di Verona | the row's own origin behind the name |
| da {place_of_origin} | name | trailing | model | settled | Marina Orsi da Udine | the same with `da` |
| monsù | name | leading | model | OPEN | Monsù Abt | a courtesy form; would rescue short names |
| signora | name | leading | model | OPEN | Signora Anna Serri | a courtesy form; moves edits more than pairs |
| da | place_of_origin | leading | model | settled | da Verona | a connective, never in the ground truth |
| alloggia | place_of_stay | leading | model | settled | alloggia Locanda alla Campana | a verb, not content |
| venezia | place_of_stay | trailing | model | settled | C. Zen, Venezia a S.to Moisè | the city goes without saying |
| a | place_of_stay | anywhere | both | settled | Casa Zen a S. Moisè | written or left out at will |

## 2. Equivalences

| form | canonical | field | status | witness | note |
|---|---|---|---|---|---|
| q.m | qm | name | settled | Leon q.m Iacob Tedesco | quondam: the father is dead |
| q. m. | qm | name | settled | Leon q. m. Iacob Tedesco | |
| qm | qm | name | settled | Leon qm Iacob Tedesco | the canonical, short so that no borderline pair moves |
| q | qm | name | settled | Lean q Iacob Tedesco | |
| q(uonda)m | qm | name | settled | Abram q(uonda)m Maesè Luzsato | |
| q(uondam) | qm | name | settled | Iacob q(uondam) Isach Morpargo | |
| quondam | qm | name | settled | Leon quondam Iacob Tedesco | |
| zuanne | giovanni | name | OPEN | Zuanne Orsi | the Venetian form; would make two names of one |
| co. | conte | title | settled | Co. | |
| ab. | abate | title | settled | Ab. | |
| cav. | cavaliere | title | settled | Cav. | |
| bar. | barone | title | settled | Bar. | |
| cap.o | capitano | title | settled | Cap.o | |
| ten. colonello | tenente colonello | title | settled | Ten. Colonello | two words |
| medico | dottor | title | OPEN | Medico | the same profession, another word |
| loc. | locanda | place_of_stay | settled | Loc. al Leon B. | |
| c. | casa | place_of_stay | settled | C. Corner a S.to Polo | |
| osp. | ospizio | place_of_stay | settled | Osp. di' Fadvi Teatini | |
| sig. | signor | place_of_stay | settled | Casa del Sig. Grimani | |
| leon b. | leon bianco | place_of_stay | settled | Loc. al Leon B. | two words |
| g. crisostomo | giovanni crisostomo | place_of_stay | settled | S. G. Crisostomo | two words |
| wien | vienna | place_of_origin | OPEN | Wien | a translation: is the place read, or the word? |
| prag | praga | place_of_origin | OPEN | Prag | the same question |

## 3. Near misses

Misreadings that look as if a rule could rescue them. None may.

| form | not | field | why |
|---|---|---|---|
| Casa Pestiora | Casa Feltrina | place_of_stay | a misreading of the hand, shared by most models |
| S. Maria Colenigo | S. Maria Zobenigo | place_of_stay | a misreading of the hand |
| Vidulfi | Vidussi | name | two long s, read as l and f |
| Feratti | Ferratti | name | perhaps the ground truth is wrong; a rule would hide it |
| Abbé | Abate | title | another word, not another rendering |

## 4. What stays in code

- The place steps (`in` before a lodging, `sant'`, the saint words, `ss.`) depend on their order and are code, not rows.
- Case, white space, typographic apostrophes, trailing punctuation and decomposed letters are renderings and belong to no field.
- The leading zero of a day goes in every date; other formats are deviations from the format asked for, and no rule equates them.
- `?` in a name of the ground truth is one glyph that the verifier could not read; it matches any one glyph of a model's name.
"""

SETTINGS = """# What changes figures in this workspace; the values are the defaults.

# Similarity at and above which a pair of names is a match, and the half-width of the borderline queue around it.
gate = 0.70
width = 0.10

# From which similarity a leftover row is suggested as a misreading.
misread_floor = 0.45

# How alike a token of a name and one of a leftover row must be for a merge, and what joins two names in one row.
merge_token_ratio = 0.85
joiners = ["e", "et", "und", "u.", "u", "&", ","]

# Whole cells that mean "nothing", on both sides, without regard to case.
blank_words = ["null", "null.", "none", "nan", "n/a", "-", "unknown", "<unknown>"]

# Share of models that must agree on another reading before the ground truth is doubted.
majority = 0.5
"""

_TYPES: dict[str, dict[str, object]] = {
    "name": {
        "type": "string",
        "x-method": "name",
        "x-key": True,
        "description": "the traveler as written; ? is one glyph nobody could read",
    },
    "title": {
        "type": ["string", "null"],
        "x-method": "text",
        "x-blank": "wrong",
        "description": "of nobility, clergy, physicians, the military",
    },
    "arrival_date": {"type": ["string", "null"], "x-method": "date", "description": "Month D YYYY"},
    "departure_date": {"type": ["string", "null"], "x-method": "date", "description": "Month D YYYY"},
    "place_of_stay": {"type": ["string", "null"], "x-method": "place", "description": "lodging in Venice"},
    "place_of_origin": {"type": ["string", "null"], "x-method": "place", "description": "where the traveler came from"},
    "with_spouse": {
        "type": ["string", "null"],
        "enum": ["Y", "N", "", None],
        "x-method": "flag",
        "description": "husband or wife on the page",
    },
    "with_siblings": {"type": ["string", "null"], "enum": ["Y", "N", "", None], "x-method": "flag", "description": "siblings on the page"},
    "children_count": {"type": ["integer", "null"], "minimum": 0, "x-method": "count", "description": "children who travel along"},
}


def with_question_rules(rules: str) -> str:
    """The rules with the rows of the questions task at the end of sections 2 and 3."""
    fragment = (Path(__file__).resolve().parent.parent / "questions_rules.md").read_text("utf-8")
    tables = [[line for line in block.splitlines() if line.startswith("|")] for block in fragment.split("\n\n")]
    equivalences, near_misses = (table[2:] for table in tables if len(table) > 2)
    for heading, rows in (("## 3.", equivalences), ("## 4.", near_misses)):
        before, after = rules.split(heading, 1)
        rules = before.rstrip() + "\n" + "\n".join(rows) + "\n\n" + heading + after
    return rules


def schema() -> str:
    """`gt/schema.json`: what a traveler is, a field a line."""
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(declared)}" for name, declared in _TYPES.items())
    return (
        "{\n"
        '  "$schema": "https://json-schema.org/draft/2020-12/schema",\n'
        '  "title": "A traveler of the constructed arrivals register",\n'
        '  "x-record": {"one": "traveler", "many": "travelers"},\n'
        '  "type": "object",\n'
        '  "required": ["name"],\n'
        '  "properties": {\n' + lines + "\n  }\n}\n"
    )


GT_README = """# Constructed ground truth

These pages never existed. `scripts/make_example.py` makes them, and the runs beside them, so that every part of the program has
something to show. The style is that of an eighteenth-century Venetian arrivals register. Ten names are the worked cases of the
published method (Leon q.m. Iacob Tedesco, Mandolin Todros, Israel Baysan, Salamon Cormos, Ernesto di Bargh, De Flamarin, Bassa,
Francesco Kin?gsech, Niccolò ?lelingen, Federico ?gorosd); their dates, lodgings and companions, and all other people, are made up.
Nothing here may be cited as a source.

One CSV a page, one row a traveler: page 28 has 18, page 36 has 37, page 39 has 10. `schema.json` says how each field is scored.
A blank cell: the register does not say, or nobody transcribed it. A blank title: the register gives none.
"""


def documents() -> dict[str, str]:
    """The written files of the example, by their path."""
    return {
        "EQUIVALENCES.md": with_question_rules(RULES),
        "adjudicate.toml": SETTINGS,
        "gt/schema.json": schema(),
        "gt/README.md": GT_README,
    }
