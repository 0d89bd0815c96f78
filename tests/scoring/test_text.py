"""Text forms, edits and the marks of unseen characters (`docs/method.md`)."""

import re
import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.texts.forms import (
    MARKING_LIMIT,
    NO_RULES,
    QUESTION_STRIPPED,
    FieldRules,
    Ignore,
    Replacement,
    base_form,
    base_tokens,
    character_accuracy,
    character_names,
    date_form,
    graphemes,
    marked_difference,
    name_form,
    place_form,
    replaced,
    resolve_illegible,
    ruled,
    stacked,
    straightened,
    tokens,
    unpunctuated,
    visible,
    wildcard_edits,
    wildcard_table,
    without_ignored,
)
from tests.shared import ROOT


def rules(*pairs: tuple[str, str], ignores: tuple[Ignore, ...] = ()) -> FieldRules:
    made = [Replacement(tuple(form.split()), tuple(canonical.split())) for form, canonical in pairs]
    return FieldRules(tuple(sorted(made, key=lambda rule: -len(rule.form))), ignores)


QUONDAM = ("q.m", "q. m.", "qm", "q", "q(uonda)m", "q(uondam)", "quondam")
QUONDAM_RULES = rules(*((" ".join(tokens(form, ",.;:")), "qm") for form in QUONDAM))


# The name normal form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Anna  Serri", "anna serri"),
        ("  ANNA\tserri\u00a0 ", "anna serri"),
        ("Niccolo\u0300 ?lelingen", "niccolò ?lelingen"),
        ("Dell\u2019Acqua", "dellacqua"),
        ("Dell'Acqua", "dellacqua"),
        ("Abt-Schweizer Joh.", "abt schweizer joh"),
        ("Abt\u2013Schweizer, Joh.", "abt schweizer joh"),
        ("Serri/Bassa", "serri bassa"),
        ("Serri,Anna", "serri anna"),
        ("Pavel (?)", "pavel ?"),
        ("Regina (Vedova?)", "regina vedova?"),
        ("Fig[liuo]lo «Anna» & C.", "figliuolo anna c"),
        ("Kin?gsech!", "kin?gsech"),
        ("St. 2+2 =5", "st 2+2 =5"),
        ("...", ""),
        ("", ""),
        ("-", ""),
        ("?", "?"),
    ],
)
def test_name_normal_form(text: str, form: str):
    assert name_form(text) == form


@pytest.mark.parametrize(
    "variant", ["q.m.", "q.m", "q. m.", "q. m", "qm", "qm.", "q", "q.", "q(uonda)m", "q(uondam)", "quondam", "Quondam,"]
)
def test_quondam_variants_are_one(variant: str):
    assert name_form(f"Leon {variant} Iacob Tedesco", QUONDAM_RULES) == "leon qm iacob tedesco"


def test_a_name_rule_is_looked_for_before_punctuation_goes_and_longest_first():
    assert name_form("q(uonda)m", rules(("q(uonda)m", "qm"))) == "qm"
    assert name_form("De La Tour", rules(("de", "da"), ("de la", "dela"))) == "dela tour"
    assert name_form("Anna-Maria", rules(("anna", "x"))) == "anna maria"


def test_unpunctuated_collapses_what_it_opens():
    assert unpunctuated("a - b , c") == "a b c"


@given(st.text(max_size=30))
def test_the_name_normal_form_is_stable(text: str):
    form = name_form(text)
    assert form == " ".join(form.split())
    assert not any(unicodedata.category(c).startswith("P") and c != "?" for c in form)
    assert unpunctuated(form) == form


# Base normalisation, step by step


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("all\u2019Ospizio", "all'ospizio"),
        ("Abbé", "abbé"),
        ("Abbe\u0301", "abbé"),
        ("Loc. al  Leon B.", "loc al leon b"),
        ("Conte;:., Sen][", "conte sen"),
        ("Colonello'", "colonello'"),
        ("Colonello`", "colonello`"),
        ("(Medico)", "(medico)"),
        ("[sic] a", "[sic a"),
        ("... Conte", "conte"),
    ],
)
def test_base_steps_one_to_three(text: str, form: str):
    assert base_form(text, "model") == form


def test_step_four_takes_the_mark_of_doubt_off_ground_truth_only():
    assert base_form("Conte? ?", "gt") == "conte"
    assert base_form("Conte? ?", "model") == "conte? ?"
    assert base_form("Co?.", "gt", rules(("co", "conte"))) == "conte"
    assert base_form("Con?te", "gt") == "con?te"


def test_steps_five_and_six_single_tokens_then_sequences_longest_first():
    made = rules(("loc", "locanda"), ("leon b", "leon bianco"), ("leon b rosso", "leone"), ("locanda al", "albergo"))
    assert base_form("Loc. al Leon B.", "gt", made) == "albergo leon bianco"
    assert base_form("Loc. Leon B. Rosso", "model", made) == "locanda leone"
    assert ruled(("a", "a", "a"), "gt", rules(("a a", "b"))) == ("b", "a")
    assert ruled(("x",), "gt", rules(("x", "y z"), ("y z", "w"))) == ("w",)


def test_step_seven_by_position_and_side():
    words = ("a", "b", "a", "c", "a")
    for position, left in (("leading", "b a c a"), ("trailing", "a b a c"), ("anywhere", "b c")):
        one = (Ignore(("a",), position),)
        assert " ".join(without_ignored(words, one, "model")) == left
        assert without_ignored(words, one, "gt") == words
        both = (Ignore(("a",), position, both_sides=True),)
        assert " ".join(without_ignored(words, both, "gt")) == left


def test_ignore_rules_apply_until_none_does():
    nested = (Ignore(("a",), "leading"), Ignore(("b",), "leading"))
    assert without_ignored(("b", "a", "b", "a", "c"), nested, "model") == ("c",)
    assert without_ignored(("a", "a", "b", "b", "c"), (Ignore(("a", "b"), "anywhere"),), "model") == ("c",)
    assert without_ignored(("c", "x", "y"), (Ignore(("x",), "trailing"), Ignore(("y",), "trailing")), "model") == ("c",)
    assert without_ignored(("a", "a"), (Ignore(("a",), "anywhere"),), "model") == ()
    assert without_ignored(("a",), (Ignore((), "anywhere"),), "model") == ("a",)


_words = st.lists(st.sampled_from("abc"), max_size=7).map(tuple)
_ignores = st.lists(
    st.builds(
        Ignore, st.lists(st.sampled_from("abc"), min_size=1, max_size=2).map(tuple), st.sampled_from(["leading", "trailing", "anywhere"])
    ),
    max_size=4,
)


@given(_words, _ignores)
def test_ignoring_twice_is_ignoring_once(words: tuple[str, ...], ignores: list[Ignore]):
    once = without_ignored(words, ignores, "model")
    assert without_ignored(once, ignores, "model") == once


def test_the_stripped_set_is_a_parameter():
    assert base_tokens("(a) b)", "model") == ("(a)", "b)")
    assert base_tokens("(a) b) c]", "model", QUESTION_STRIPPED) == ("(a", "b", "c")


def test_rules_are_compiled_once():
    made = rules(("a", "b"), ("c d", "e"))
    assert made.singles is made.singles
    assert made.singles == {"a": ("b",)}
    assert [rule.form for rule in made.sequences] == [("c", "d")]
    assert made == rules(("a", "b"), ("c d", "e"))
    assert hash(made) == hash(rules(("a", "b"), ("c d", "e")))
    assert replaced(("a",), ()) == ("a",)
    assert NO_RULES.singles == {}


# Dates


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("February 09 1769", "february 9 1769"),
        ("February 9 1769", "february 9 1769"),
        ("February 09, 1769", "february 9 1769"),
        ("09 February 1769", "9 february 1769"),
        ("February 10 1769", "february 10 1769"),
        ("February 00 1769", "february 00 1769"),
        ("February 009 1769", "february 009 1769"),
        ("1769-02-09", "1769-02-09"),
        ("09/02/1769", "09/02/1769"),
        ("9bre 0", "9bre 0"),
    ],
)
def test_dates_lose_the_leading_zero_of_the_day_and_nothing_else(text: str, form: str):
    assert date_form(text, "model") == form


# Places


def place_table() -> list[tuple[str, str]]:
    """The examples of docs/method.md."""
    page = (ROOT / "docs" / "method.md").read_text(encoding="utf-8")
    table = page.split("| written | compared as | because |", 1)[1].split("\n\n", 1)[0]
    return [(cells[1].strip(), cells[2].strip()) for line in table.splitlines()[2:] if (cells := line.split("|"))]


def test_the_places_of_the_method_page():
    table = place_table()
    assert len(table) >= 12
    assert [place_form(written, "gt") for written, _ in table] == [form for _, form in table]
    marked = [written for written, _ in table if "?" in written]
    assert [place_form(written, "model") for written, _ in table if written not in marked] == [f for w, f in table if w not in marked]


@pytest.mark.parametrize(
    ("text", "form"), [("in", ""), ("sant'", "sant'"), ("sant' x y", "san x y"), ("s s marco", "san san marco"), ("ss", "santi")]
)
def test_place_steps_at_the_edges(text: str, form: str):
    assert place_form(text, "model") == form


def test_place_steps_stand_between_the_marks_and_the_rules():
    made = rules(("san", "s"), ("casa", "c"), ignores=(Ignore(("in",), "leading"),))
    assert place_form("in in Casa S. Moisè?", "gt", made) == "in c s moisè"
    assert place_form("in in Casa S. Moisè", "model", made) == "c s moisè"


def test_misreadings_of_places_are_left_alone():
    assert place_form("Casa Feltrina", "gt") != place_form("Casa Pestiora", "model")
    assert character_accuracy(place_form("Casa Feltrina", "gt"), place_form("Casa Pestiora", "model")) == 1 - 5 / 13
    assert character_accuracy(place_form("S.ta Maria Zobenigo", "gt"), place_form("Santa Maria Colenigo", "model")) == 1 - 2 / 18


# Edits


@pytest.mark.parametrize(
    ("gt", "model", "edits"),
    [
        ("kin?gsech", "kingsech", 1),
        ("kin?gsech", "kinigsech", 0),
        ("kin?gsech", "kin?gsech", 0),
        ("kin?gsech", "kin gsech", 1),
        ("?lelingen", "lelingen", 1),
        ("??", "a", 1),
        ("pavel", "pavel ?", 2),
        ("a?", "", 2),
        ("", "ab", 2),
        ("vedova", "vedova?", 1),
    ],
)
def test_wildcard_edits(gt: str, model: str, edits: int):
    assert wildcard_edits(gt, model) == edits == wildcard_table(gt, model)[-1][-1]


@pytest.mark.parametrize(
    ("gt", "model", "resolved"),
    [
        ("kin?gsech", "kinigsech", "kinigsech"),
        ("kin?gsech", "kingsech", "kinngsech"),
        ("?lelingen", "ilelingen", "ilelingen"),
        ("?gorosd", "zgorosd", "zgorosd"),
        ("?gorosd", "gorosd", "?gorosd"),
        ("a?b", "a b", "a?b"),
        ("??x", "yx", "?yx"),
        ("ab", "cd", "ab"),
        ("?", "", "?"),
        ("?", "abc", "c"),
        ("a?", "?", "a?"),
    ],
)
def test_resolved_glyphs(gt: str, model: str, resolved: str):
    assert resolve_illegible(gt, model) == resolved


_glyphs = st.text("ab? ", max_size=12)


@given(_glyphs, _glyphs)
@settings(max_examples=400)
def test_the_bit_parallel_distance_is_the_table(gt: str, model: str):
    assert wildcard_edits(gt, model) == wildcard_table(gt, model)[-1][-1]


@given(st.text("a?", min_size=60, max_size=150), st.text("ab", min_size=60, max_size=150))
@settings(max_examples=20)
def test_the_bit_parallel_distance_of_long_names(gt: str, model: str):
    assert wildcard_edits(gt, model) == wildcard_table(gt, model)[-1][-1]


@given(_glyphs, _glyphs)
@settings(max_examples=300)
def test_resolving_keeps_the_cost_and_the_legible_letters(gt: str, model: str):
    resolved = resolve_illegible(gt, model)
    assert len(resolved) == len(gt)
    assert all(before in ("?", after) for before, after in zip(gt, resolved, strict=True))
    assert wildcard_edits(resolved, model) == wildcard_edits(gt, model)
    assert wildcard_edits(gt, model) <= wildcard_table(gt.replace("?", "\0"), model)[-1][-1]


@pytest.mark.parametrize(
    ("gt", "model", "score"),
    [("conte", "conte", 1.0), ("conte", "", 0.0), ("conte", "cante", 0.8), ("ab", "xyzuvw", 0.0), ("", "", 1.0), ("", "x", 0.0)],
)
def test_character_accuracy_is_clamped(gt: str, model: str, score: float):
    assert character_accuracy(gt, model) == pytest.approx(score)


# Looking at text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("fig[liuo]lo [/] <UNKNOWN> &amp;", "fig[liuo]lo [/] <UNKNOWN> &amp;"),
        ("\x1b[31mred", "␛[31mred"),
        ("a\tb\nc\rd\x7f\x00", "a␉b⏎c␍d␡␀"),
        ("\u202eabc\u202c", "⟦RLO⟧abc⟦PDF⟧"),
        ("a\u200bb\ufeffc\u2066d\u2069", "a⟦ZWSP⟧b⟦BOM⟧c⟦LRI⟧d⟦PDI⟧"),
        ("a\u00a0b\u3000c", "a⟦NBSP⟧b⟦3000⟧c"),
        ("\u0085\u2028", "⟦0085⟧⟦2028⟧"),
        ("\ud800", "⟦D800⟧"),
        ("\uffff\ufffe\ufdd0\U0001fffe", "⟦FFFF⟧⟦FFFE⟧⟦FDD0⟧⟦1FFFE⟧"),
        ("\u3164\u115f\u2800\U000e0001", "⟦3164⟧⟦115F⟧⟦2800⟧⟦E0001⟧"),
        ("e\u0301 Niccolò אבג", "e\u0301 Niccolò אבג"),
    ],
)
def test_unseen_characters_are_shown(text: str, shown: str):
    assert visible(text) == shown


@given(st.text())
def test_what_is_shown_is_harmless_and_shown_once(text: str):
    shown = visible(text)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069]", shown)
    assert visible(shown) == shown


def flagged(marked: tuple[tuple[str, bool], ...]) -> str:
    return "".join(f"[{text}]" if changed else text for text, changed in marked)


@pytest.mark.parametrize(
    ("upper", "lower", "above", "below"),
    [
        ("Serri", "Serra", "Serr[i]", "Serr[a]"),
        ("Kingsech", "Kinigsech", "Kingsech", "Kin[i]gsech"),
        ("abc", "", "[a][b][c]", ""),
        ("", "", "", ""),
        ("same", "same", "same", "same"),
        ("Abbe\u0301", "Abbe", "Abb[e\u0301]", "Abb[e]"),
        ("👩‍👩‍👧x", "x", "[👩‍👩‍👧]x", "x"),
    ],
)
def test_differences_are_marked_by_grapheme(upper: str, lower: str, above: str, below: str):
    found = marked_difference(upper, lower)
    assert (flagged(found[0]), flagged(found[1])) == (above, below)


def test_a_glyph_that_matches_is_not_marked():
    found = marked_difference("Kin?g", "Kinug", lambda gt, _model: gt == "?")
    assert (flagged(found[0]), flagged(found[1])) == ("Kin?g", "Kinug")


def test_the_marks_of_long_texts_cost_little():
    long = "ab" * (MARKING_LIMIT // 100)
    start = time.perf_counter()
    found = marked_difference("x" + long + "end", "x" + long[::-1] + "end")
    assert time.perf_counter() - start < 5
    assert flagged(found[0]).startswith("x[a][b]")
    assert flagged(found[0]).endswith("]end")


@given(st.text("abé", max_size=12), st.text("abé", max_size=12))
def test_unmarked_graphemes_are_common_to_both(upper: str, lower: str):
    above, below = marked_difference(upper, lower)
    assert "".join(text for text, _ in above) == upper
    assert "".join(text for text, _ in below) == lower
    assert [text for text, changed in above if not changed] == [text for text, changed in below if not changed]


def test_character_names_and_graphemes():
    assert character_names("a\u200b") == (("a", "U+0061 LATIN SMALL LETTER A"), ("⟦ZWSP⟧", "U+200B ZERO WIDTH SPACE"))
    assert graphemes("e\u0301a") == ["e\u0301", "a"]
    assert straightened("e\u0301\u2019") == "é'"


def texts(columns: tuple[tuple[str, bool], ...]) -> str:
    return "".join(grapheme or "." for grapheme, _ in columns)


def test_readings_stand_in_columns_under_the_reference():
    head, (short, long, other) = stacked("Anna Rosa", ["Ana Rosa", "Anna Rossa", "Anna Ro\u0301sa"])
    assert [texts(row) for row in (head, short, long, other)] == ["Anna Ros.a", "An.a Ros.a", "Anna Rossa", "Anna Ro\u0301s.a"]
    assert [grapheme for grapheme, differs in other if differs] == ["o\u0301"]
    assert [at for at, (_, differs) in enumerate(short) if differs] == [2]


def test_much_that_the_reference_has_not_is_one_sign():
    head, (titled, plain) = stacked("Bassa", ["Il Barone Bassa", "Bassa"])
    assert len(head) == len(titled) == len(plain)
    assert len(head) <= 5 + 2 * 2
    assert "…" in texts(titled)
    assert "…" not in texts(plain)


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=4))
def test_stacked_rows_are_of_one_length_and_keep_the_reference(reference: str, readings: list[str]):
    head, rows = stacked(reference, readings)
    assert "".join(grapheme for grapheme, _ in head) == reference
    assert {len(row) for row in rows} <= {len(head)}


@pytest.mark.parametrize("mark", "'\u2018\u2019\u201b\u02bb\u02bc\u02bd\uff07")
def test_every_apostrophe_is_one(mark: str):
    assert straightened(f"d{mark}Angelo") == "d'Angelo"
    assert name_form(f"D{mark}Angelo") == "dangelo"
    assert base_form(f"D{mark}Angelo", "gt") == "d'angelo"
    assert place_form(f"Sant{mark}Angelo", "model") == "san angelo"


@pytest.mark.parametrize("mark", "`\u00b4\u2032\u02b9\u02be\u02bf")
def test_accents_primes_and_half_rings_are_no_apostrophes(mark: str):
    assert base_form(f"d{mark}Angelo", "gt") == f"d{mark}angelo"
