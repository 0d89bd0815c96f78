"""Characters that are not what they seem are pointed out by name (`docs/review.md#characters`)."""

from __future__ import annotations

import pytest

from scoring.adjudication.cases import Comparison, Facts, Gauge, Grid, Line, Passage, Stack
from scoring.adjudication.characters import Character, character, names_of, notable, texts_of


@pytest.mark.parametrize(
    ("one", "glyph", "name", "note"),
    [
        ("a", "a", "U+0061 LATIN SMALL LETTER A", ""),
        ("é", "é", "U+00E9 LATIN SMALL LETTER E WITH ACUTE", ""),
        ("\u0430", "\u0430", "U+0430 CYRILLIC SMALL LETTER A", "Cyrillic, looks like Latin a"),
        ("\u0416", "\u0416", "U+0416 CYRILLIC CAPITAL LETTER ZHE", "Cyrillic"),
        ("\u039f", "\u039f", "U+039F GREEK CAPITAL LETTER OMICRON", "Greek, looks like Latin O"),
        ("ſ", "ſ", "U+017F LATIN SMALL LETTER LONG S", "long s, looks like f"),
        ("\u0303", "\u0303", "U+0303 COMBINING TILDE", "combines with the character before it"),
        ("\u200b", "⟦ZWSP⟧", "U+200B ZERO WIDTH SPACE", "invisible, or acts on the text around it"),
        ("\u202e", "⟦RLO⟧", "U+202E RIGHT-TO-LEFT OVERRIDE", "invisible, or acts on the text around it"),
        ("\x1b", "␛", "U+001B unnamed", "invisible, or acts on the text around it"),
        ("’", "’", "U+2019 RIGHT SINGLE QUOTATION MARK", "looks like '"),
        ("–", "–", "U+2013 EN DASH", "looks like -"),
        ("\ufb01", "\ufb01", "U+FB01 LATIN SMALL LIGATURE FI", "stands for fi"),
        ("\uff21", "\uff21", "U+FF21 FULLWIDTH LATIN CAPITAL LETTER A", "stands for A"),
        ("\ue000", "\ue000", "U+E000 unnamed", "private use: every font draws it as it likes"),
        ("?", "?", "U+003F QUESTION MARK", ""),
    ],
)
def test_a_character_is_named_and_judged(one: str, glyph: str, name: str, note: str):
    assert character(one) == Character(glyph, name, note)


def test_of_a_text_only_what_is_not_what_it_seems_is_pointed_out_and_once():
    assert [found.glyph for found in notable("Ann\u0430 M\u0430ria, Fran\u00e7ois, Pe\u0301")] == ["\u0430", "\u0301"]
    assert notable("Anna Maria de' Conti [sic] ?") == ()


BLOCKS = (
    Comparison("GT 1", "Anna", "alfa row 2", "Аnna"),
    Gauge("similarity", 0.7, 0.7),
    Facts("Why", (("reading", "anna"), ("name", "Bruno"))),
    Grid("Fields", ("field", "ground truth", "model", ""), (Line(("title", "Conte", "Сonte", "")),)),
    Stack("All readings", "Anna", (Line(("beta", "Änna", "3")), Line(("beta", "", "not found in 1")))),
    Passage("Page", "running text"),
)


def test_every_text_of_the_evidence_is_looked_at_with_its_place():
    assert list(texts_of(BLOCKS)) == [
        ("GT 1", "Anna"),
        ("alfa row 2", "Аnna"),
        ("Why: reading", "anna"),
        ("Why: name", "Bruno"),
        ("Fields, field title", "title"),
        ("Fields, ground truth title", "Conte"),
        ("Fields, model title", "Сonte"),
        ("All readings: beta", "Änna"),
        ("Page", "running text"),
    ]


def test_the_names_of_a_case_are_what_is_compared_or_the_one_there_is():
    assert list(names_of(BLOCKS)) == [("GT 1", "Anna"), ("alfa row 2", "Аnna"), ("Why", "Bruno")]
