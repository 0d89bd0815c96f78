"""Every error, warning and note of the rules."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.problems import Severity
from scoring.rules import Rules, Witnesses, blocking, check, inside_words, open_faults, scoring_errors
from scoring.rules.near import covered, uncovered
from scoring.rules.pipelines import pipeline_of
from scoring.text import NO_RULES, base_form, name_form
from tests.scoring.test_rules_read import EQUIVALENCES, IGNORES, NEAR, rules_of

FIELDS = {
    "name": "name",
    "title": "text",
    "arrival_date": "date",
    "place_of_stay": "place",
    "with_spouse": "flag",
    "Q10": "question",
}


def book(ignores: tuple[str, ...] = (), pairs: tuple[str, ...] = (), near: tuple[str, ...] = ()) -> Rules:
    """A rules file. Without ignore rules, the first equivalence stands on line 10."""
    text = IGNORES + "".join(f"| {row} | | |\n" for row in ignores)
    text += "\n" + EQUIVALENCES + "".join(f"| {row} | | |\n" for row in pairs)
    text += "\n" + NEAR + "".join(f"| {row} | |\n" for row in near)
    rules = rules_of(text)
    assert rules.problems == ()
    return rules


def found(rules: Rules, severity: Severity, witnesses: Witnesses | None = None) -> list[tuple[str, str]]:
    """Each problem of a severity, with the text of the row it stands on."""
    out = []
    for problem in check(rules, witnesses, FIELDS):
        if problem.severity is severity:
            row = rules.row_at(problem.line or 0)
            out.append((getattr(row, "form", getattr(row, "token", "")), problem.message))
    return out


def errors(rules: Rules, witnesses: Witnesses | None = None) -> list[tuple[str, str]]:
    return found(rules, Severity.ERROR, witnesses)


def only(problems: list[tuple[str, str]]) -> tuple[str, str]:
    assert len(problems) == 1, problems
    return problems[0]


SOUND = book(
    ("signor | title | leading | model | settled", "di {place_of_stay} | name | trailing | model | settled"),
    ("q.m | qm | name | settled", "qm | qm | name | settled", "q. m. | qm | name | settled", "q | qm | name | settled",
     "d.co | domestico | Q10, title | settled", "s. zuanne | san giovanni | title | settled", "s | san | title | settled"),
    ("figlo | figliuolo | Q10", "domesti | domestico | Q10"),
)  # fmt: skip


def test_sound_rules_have_no_problem() -> None:
    assert check(SOUND, None, FIELDS) == ()
    assert check(SOUND) == ()
    assert check(Rules()) == ()


def test_an_unknown_field_is_an_error_and_so_is_one_named_in_a_token() -> None:
    form, message = only(errors(book(pairs=("a | b | place_of_stey | settled",))))
    assert (form, message) == ("a", "unknown field `place_of_stey`: did you mean `place_of_stay`?")
    form, message = only(errors(book(("di {origin} | name | trailing | model | settled",))))
    assert (form, message.split(":")[0]) == ("di {origin}", "unknown field `origin`")


@pytest.mark.parametrize(
    "second",
    ["sig.r | messer | title | settled", "SIG.R., | messer | title | settled", "Sig.r | messer | name, title | settled"],
)
def test_one_form_with_two_canonicals_is_an_error(second: str) -> None:
    form, message = only(errors(book(pairs=("sig.r | signor | title | settled", second))))
    assert form == second.split(" | ")[0]
    assert message.startswith("in `title` the form ")
    assert message.endswith("becomes `messer` here and `signor` on line 10")


def test_forms_that_meet_after_the_single_tokens_are_one_form() -> None:
    rules = book(pairs=("s | san | title | settled", "s. polo | san paolo | title | settled", "san polo | sampolo | title | settled"))
    assert only(errors(rules))[0] == "san polo"
    # A name replaces in one pass, where they stay two forms.
    assert errors(book(pairs=("s | san | name | settled", "s. polo | paolo | name | settled", "san polo | polo | name | settled"))) == []


def test_different_fields_do_not_conflict_and_the_same_row_twice_is_noted() -> None:
    assert errors(book(pairs=("a | b | title | settled", "a | c | name | settled"))) == []
    rules = book(pairs=("a | b | title | settled", "A. | b | title | settled"))
    assert errors(rules) == []
    assert only(found(rules, Severity.NOTE)) == ("A.", "in `title` this says the same as line 10")


def test_chains_and_cycles_are_errors() -> None:
    form, message = only(errors(book(pairs=("a | b | title | settled", "b | c | title | settled"))))
    assert (form, message) == ("a", "a chain: in `title` `a` becomes `b`, which line 11 rewrites again to `c`")
    cycle = errors(book(pairs=("a | b | title | settled", "b | c | title | settled", "c | a | title | settled")))
    assert [(form, message.split(":")[0]) for form, message in cycle] == [("a", "a cycle"), ("b", "a cycle"), ("c", "a cycle")]
    assert only(errors(book(pairs=("d.co conte | signor conte | title | settled", "signor | sig | title | settled"))))[0] == "d.co conte"
    assert "rewrite its own canonical" in only(errors(book(pairs=("marco | san marco | title | settled",))))[1]


def test_a_row_whose_form_is_its_canonical_is_no_part_of_a_chain() -> None:
    assert errors(book(pairs=("a | b | title | settled", "b | b | title | settled", "B. | b | title | settled"))) == []


def test_a_near_miss_that_the_settled_rules_cover_is_an_error() -> None:
    form, message = only(errors(book(pairs=("domesti | domestico | Q10 | settled",), near=("domesti. | domestico | Q10",))))
    assert form == "domesti."
    assert message == "the near miss `domesti.` / `domestico` is covered in `Q10` by line 10"
    together = book(pairs=("figlo | f | Q10 | settled", "figliuolo | f | Q10 | settled"), near=("figlo | figliuolo | Q10",))
    assert only(errors(together))[1].endswith("by the settled rules together")
    assert (
        errors(book(pairs=("figlia | figliuola | Q10 | settled", "figlio | figliuolo | Q10 | settled"), near=("figlia | figlio | Q10",)))
        == []
    )
    assert errors(book(pairs=("domesti | domestico | title | settled",), near=("domesti | domestico | Q10",))) == []


def test_a_near_miss_without_partner_may_not_be_touched_at_all() -> None:
    assert only(errors(book(pairs=("figlo | figlio | Q10 | settled",), near=("figlo | | Q10",))))[0] == "figlo"
    assert errors(book(pairs=("figlo | figlio | Q10 | settled",), near=("figla | | Q10",))) == []


def test_ignore_rules_cover_near_misses_too() -> None:
    stepping = ("de | name | leading | model | settled", "bar | name | leading | model | settled")
    assert only(errors(book(stepping, near=("Bar de Flamarin | Flamarin | name",))))[1].endswith("by the settled rules together")
    assert errors(book(stepping, near=("Flamarin de | Flamarin | name",))) == []
    assert only(errors(book(("signor | title | leading | model | settled",), near=("signor conte | conte | title",))))[0] == "signor conte"


def test_a_near_miss_that_is_no_pair_is_told() -> None:
    assert "cannot hold" in only(found(book(near=("Conte. | conte | title",)), Severity.WARNING))[1]
    assert "normalises to nothing" in only(errors(book(near=("... | conte | title",))))[1]


GROUND = Witnesses({"title": ["Conte", "Il Sig.r Marchese"], "name": ["Ernesto di Bargh"], "place_of_stay": ["S. Marco"]})


def test_a_model_side_ignore_may_not_stand_in_the_ground_truth_of_its_field() -> None:
    form, message = only(errors(book(("il | title | leading | model | settled",)), GROUND))
    assert form == "il"
    assert message.startswith("the token `il` stands in the ground truth of `title` (`il sig.r marchese`)")
    assert errors(book(("il | title | leading | both | settled", "barone | title | leading | model | settled")), GROUND) == []
    assert errors(book(("march | title | leading | model | settled", "conte il | title | anywhere | model | settled")), GROUND) == []
    # Through the equivalences and the place steps, as the values are compared.
    rewritten = book(("signor | title | anywhere | model | settled",), ("sig.r | signor | title | settled",))
    assert only(errors(rewritten, GROUND))[0] == "signor"
    assert only(errors(book(("san marco | place_of_stay | anywhere | model | settled",)), GROUND))[0] == "san marco"


def test_for_a_name_that_is_only_noted_and_both_sides_are_refused() -> None:
    rules = book(("di | name | anywhere | model | settled",))
    assert errors(rules, GROUND) == []
    assert only(found(rules, Severity.NOTE, GROUND))[1].startswith("the token `di` stands in the ground truth too (`ernesto di bargh`)")
    assert only(errors(book(("il | name | leading | both | settled",))))[1].startswith("side `both` is refused for a name")


def test_a_key_field_of_another_name_is_a_name_where_its_method_says_so() -> None:
    rules = book(("il | person | leading | both | settled",))
    assert [problem.severity for problem in check(rules, None, {"person": "name"})] == [Severity.ERROR]
    assert check(rules, None, ["person"]) == ()


def test_what_normalises_to_nothing_is_an_error() -> None:
    assert only(errors(book(pairs=("., | b | title | settled",))))[1] == "the form `.,` normalises to nothing"
    assert only(errors(book(pairs=(" | b | title | settled",))))[1] == "the form `` normalises to nothing"
    assert "write an ignore rule" in only(errors(book(pairs=("a | ; | title | settled",))))[1]
    assert only(errors(book((".. | title | leading | model | settled",))))[1] == "the token `..` normalises to nothing in `title`"
    assert only(errors(book(("- | name | leading | model | settled",))))[1] == "the token `-` normalises to nothing in `name`"
    # The closing bracket is stripped in tables and the parenthesis in questions.
    assert errors(book(pairs=(") | b | title | settled",))) == []
    assert only(errors(book(pairs=(") | b | Q10 | settled",))))[1] == "the form `)` normalises to nothing"


def test_only_a_name_may_point_at_another_field() -> None:
    assert "only a rule for a name" in only(errors(book(("di {place_of_stay} | title | trailing | model | settled",))))[1]


def test_a_form_without_witness_is_a_warning() -> None:
    seen = Witnesses({"title": ["Conte"]}, {"title": ["Sig.r Conte"], "place_of_stay": ["S. Marco"], "name": ["Jean-Paul q. m. X"]})
    rules = book(
        ("barone | title | leading | model | settled", "jean | name | leading | model | settled",
         "di {title} | name | leading | model | settled"),
        ("sig.r | signor | title | settled", "sig | signor | title | OPEN", "san marco | marco | place_of_stay | settled",
         "q. m. | qm | name | settled", "paul q | qm | name | settled", "figlo | x | Q10 | settled", "conte | y | title, name | settled"),
    )  # fmt: skip
    warned = [form for form, message in found(rules, Severity.WARNING, seen) if "no witness" in message or "inside words" in message]
    assert warned == ["barone", "sig", "paul q"]
    assert not [message for _, message in found(rules, Severity.WARNING) if "no witness" in message or "inside words" in message]


def test_a_form_that_occurs_only_inside_words_is_a_warning_with_what_to_do() -> None:
    seen = Witnesses({"title": ["Signor Conte"], "place_of_stay": ["Casa Pesaro"]}, {"title": ["barone Ueber alles"], "name": ["Anna"]})
    rules = book(
        ("sig | title | leading | model | settled", "nn | name | anywhere | model | OPEN"),
        ("ue | ü | title | settled", "ne ue | x | title, name | settled", "conte | c | title | settled", "zz | z | title | settled",
         "pesar | p | place_of_stay | settled"),
    )  # fmt: skip
    warned = dict(found(rules, Severity.WARNING, seen))
    rest = ", and a rule applies to whole words: the row does nothing, so write the whole word"
    assert warned == {
        "sig": "the token `sig` occurs only inside words, as in `signor`" + rest,
        "nn": "the token `nn` occurs only inside words, as in `anna`" + rest,
        "ue": "the form `ue` occurs only inside words, as in `ueber`" + rest,
        "ne ue": "the form `ne ue` occurs only inside words, as in `barone ueber`" + rest,
        "zz": "the form `zz` has no witness in ground truth or runs (looked for in `title`)",
        "pesar": "the form `pesar` occurs only inside words, as in `pesaro`" + rest,
    }
    draft = rules.equivalences[0]
    assert inside_words(draft, seen, FIELDS) == warned["ue"]
    assert inside_words(rules.equivalences[2], seen, FIELDS) == inside_words(rules.equivalences[3], seen, FIELDS) == ""


def test_a_long_word_is_cut_and_shown_as_data() -> None:
    rules = book(pairs=("aa | b | title | settled",))
    message = only([message for _, message in found(rules, Severity.WARNING, Witnesses({"title": ["a" * 5000]}))])
    assert f"as in `{'a' * 60}`" in message


def test_what_is_read_alike_already_is_a_warning() -> None:
    rules = book(
        pairs=("san luca | s. luca | place_of_stay | OPEN", "Casa. | casa | title, name | settled", "conte | Conte | with_spouse | OPEN")
    )
    told = [(form, message.split(" in `")[1][:12]) for form, message in found(rules, Severity.WARNING) if "read alike" in message]
    assert told == [("san luca", "place_of_sta"), ("Casa.", "title` alrea"), ("Casa.", "name` alread")]
    assert not [form for form, message in found(book(pairs=("qm | qm | name | settled",)), Severity.WARNING) if "read alike" in message]


def test_rules_that_can_never_apply_are_warnings() -> None:
    assert "scored as a flag" in only(found(book(pairs=("y | Y | with_spouse | settled",)), Severity.WARNING))[1]
    assert (
        "place normalisation comes first and leaves `san marco`"
        in only(found(book(pairs=("S. Marco | Marco | place_of_stay | settled",)), Severity.WARNING))[1]
    )
    never = book(("sig.r | title | leading | model | settled",), ("sig.r | signor | title | settled",))
    assert "an equivalence rewrites it first" in only(found(never, Severity.WARNING))[1]
    assert "count as text" in only(found(book(pairs=("`q.m` | qm | name | settled",)), Severity.WARNING))[1]


OPEN_FAULTS = [
    book(pairs=("a | b | title | settled", "a | c | title | OPEN")),
    book(pairs=("a | c | title | OPEN", "a | b | title | settled")),
    book(pairs=("b | c | title | OPEN", "a | b | title | settled")),
    book(pairs=("a | b | title | OPEN", "b | c | title | settled")),
    book(pairs=("a | b a | title | OPEN",)),
    book(pairs=("a | b | titel | OPEN",)),
    book(pairs=(". | b | title | OPEN",)),
    book(pairs=("a | b | title | OPEN",), near=("a | b | title",)),
    book(pairs=("c | b | title | settled", "a | b | title | OPEN"), near=("a | c | title",)),
    book(("conte | title | leading | model | OPEN",)),
    book(("il | name | leading | both | OPEN",)),
    book(("de | name | leading | model | OPEN",), near=("De Flamarin | Flamarin | name",)),
]


@pytest.mark.parametrize("rules", OPEN_FAULTS, ids=range(len(OPEN_FAULTS)))
def test_a_fault_of_an_open_row_blocks_its_preview_and_nothing_else(rules: Rules) -> None:
    problems = check(rules, GROUND, FIELDS)
    assert scoring_errors(problems) == ()
    assert [problem.line for problem in open_faults(problems)] == list(rules.open_lines)
    assert scoring_errors(blocking(rules, rules.open_lines, GROUND, FIELDS))
    assert scoring_errors(check(rules.with_open(rules.open_lines), GROUND, FIELDS))


def test_a_sound_open_row_is_not_blocked_by_the_errors_of_others() -> None:
    rules = book(pairs=("a | b | title | settled", "a | c | title | settled", "d | e | title | OPEN"))
    assert len(scoring_errors(check(rules, None, FIELDS))) == 1
    assert blocking(rules, rules.open_lines, None, FIELDS) == ()


def test_a_row_that_could_not_be_read_is_blocked_by_what_is_wrong_with_it() -> None:
    rules = rules_of(IGNORES + "| a | title | middle | model | OPEN | | |\n")
    assert [problem.line for problem in blocking(rules, [5], None, FIELDS)] == [5]


def test_each_problem_is_told_once() -> None:
    rules = book(pairs=("a | b | titel | settled",))
    problems = check(rules, None, FIELDS)
    assert len(problems) == len(set(problems)) == 1


WORDS = st.lists(st.sampled_from(["a", "b", "c", "d'", "e.", "sant'"]), min_size=1, max_size=3).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["name", "title", "place_of_stay", "arrival_date"]),
    st.lists(st.tuples(WORDS, WORDS, st.sampled_from(["settled", "OPEN"])), max_size=5),
    st.lists(st.tuples(WORDS, st.sampled_from(["leading", "trailing", "anywhere"]), st.sampled_from(["settled", "OPEN"])), max_size=2),
    st.lists(st.tuples(WORDS, WORDS | st.just("")), min_size=1, max_size=3),
)
@example("name", [("b", "a", "OPEN")], [("b", "leading", "settled")], [("a", "a a")])
@example("title", [("c", "a", "OPEN"), ("c b", "d", "settled")], [], [("a b", "d")])
def test_near_misses_are_judged_as_under_all_rules(
    field: str, pairs: list[tuple[str, str, str]], ignores: list[tuple[str, str, str]], misses: list[tuple[str, str]]
) -> None:
    rules = book(
        tuple(f"{token} | {field} | {position} | model | {status}" for token, position, status in ignores),
        tuple(f"{form} | {canonical} | {field} | {status}" for form, canonical, status in pairs),
        tuple(f"{form} | {other} | {field}" for form, other in misses),
    )
    pipeline = pipeline_of(field, FIELDS)
    expected = []
    for miss in rules.near_misses:
        if miss.not_ and covered(pipeline, miss.form, miss.not_, NO_RULES):
            continue
        if covered(pipeline, miss.form, miss.not_, pipeline.compiled(rules)):
            expected.append(miss.line)
        else:
            opens = (line for line in rules.open_lines if covered(pipeline, miss.form, miss.not_, pipeline.compiled(rules, (line,))))
            expected += list(opens)
    assert sorted(miss.line for miss in uncovered(rules, pipeline) if miss.severity is Severity.ERROR) == sorted(expected)


def test_a_thousand_rules_are_checked_against_two_hundred_near_misses_at_once() -> None:
    pairs = tuple(f"form{at} | canonical{at % 7} | title | {'OPEN' if at % 10 == 0 else 'settled'}" for at in range(1000))
    rules = book(pairs=pairs, near=tuple(f"near{at} | form{at} | title" for at in range(200)))
    start = time.process_time()
    assert check(rules, None, FIELDS) == ()
    assert time.process_time() - start < 3


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5))
def test_rules_without_error_rewrite_each_form_to_its_canonical_and_leave_the_canonical(pairs: list[tuple[str, str]]) -> None:
    rules = book(pairs=tuple(f"{form} | {canonical} | name, title | settled" for form, canonical in pairs))
    if scoring_errors(check(rules, None, FIELDS)):
        return
    for form, canonical in pairs:
        assert base_form(form, "model", rules.field("title")) == base_form(canonical, "model", rules.field("title"))
        assert base_form(canonical, "model", rules.field("title")) == base_form(canonical, "model")
        assert name_form(form, rules.name()) == name_form(canonical, rules.name()) == name_form(canonical)
