import json

import pytest

from scoring.records.cases.text_evidence import SearchText, evidence_columns, record_evidence, reduced, uncited
from scoring.records.inputs.fields import schema_from
from scoring.records.inputs.text_pages import document_text, rows_of_html
from tests.scoring.records.build import SCHEMA
from tests.shared import shared

TEXT = (
    "# Bats of the valley\n\nMyotis lucifugus roosted with M. yumanensis on 15 June 2022.\nThe amphis-\ntome burden was high (n = 20).\n\n"
    "**Table 1** Detection of *Leishmania* DNA &amp; antibodies.\n\n| Other infection | 20 | 2 0.391 ± 0.32 |\n\n"
    "Müller found β-coronavirus RNA. Twice said sentence here. Again: twice said — sentence here. Prevalence was 12.5% in 2019^{a}. "
    "Летучие мыши живут здесь. 蝙蝠住在這裡。"
)


@pytest.fixture(scope="module")
def text():
    return SearchText(TEXT)


@pytest.mark.parametrize(
    ("sentence", "strength", "shown"),
    [
        (
            "Myotis lucifugus roosted with M. yumanensis on 15 June 2022.",
            "exact",
            "Myotis lucifugus roosted with M. yumanensis on 15 June 2022",
        ),
        ("MYOTIS LUCIFUGUS roosted with M yumanensis, on 15 June 2022", "exact", "Myotis lucifugus"),
        ("The amphistome burden was high (n = 20).", "exact", "The amphis-\ntome burden was high (n = 20"),
        ("Table 1: Detection of Leishmania DNA & antibodies", "exact", "Table 1** Detection of *Leishmania* DNA &amp; antibodies"),
        ("**Table 1** Detection of *Leishmania* DNA &amp; <i>antibodies</i>.", "exact", "Table 1"),
        ("Other infection 20 2 0.391", "exact", "Other infection | 20 | 2 0.391"),
        ("0.391 &plusmn; 0.32", "exact", "0.391 ± 0.32"),
        ("15 June 2022. The amphistome burden was high", "exact", "15 June"),
        ("Prevalence was 12.5% in 2019a.", "exact", "2019^{a"),
        ("Prevalence was 12.5% in 2019.", "exact", "Prevalence was 12.5% in 2019"),
        ("Летучие мыши живут здесь", "exact", "Летучие мыши живут здесь"),
        ("蝙蝠住在這裡", "exact", "蝙蝠住在這裡"),
        ("Mu\u0308ller found β-coronavirus RNA.", "exact", "Müller found β-coronavirus RNA"),
        ("Muller found b-coronavirus RNA.", "close", "Müller found β-coronavirus RNA"),
        (
            "Myotis lucifugus roosted with M. californicus on 15 June 2022.",
            "weak",
            "Myotis lucifugus roosted with M. yumanensis on 15 June 2022",
        ),
        ("Myotis lucifugus with M. yumanensis on 15 June 2022.", "weak", "yumanensis on 15 June 2022"),
        ("high (n=20", "exact", "high (n = 20"),
    ],
)
def test_found(sentence, strength, shown, text):
    finding = text.find(sentence)
    assert finding.strength == strength
    assert shown in TEXT[finding.places[0].start : finding.places[0].end]


@pytest.mark.parametrize("sentence", ["high (n=2", "Completely invented sentence about owls.", "0.391 ± 0.32 something", "...", ""])
def test_not_found_says_why(sentence, text):
    finding = text.find(sentence)
    assert finding.places == ()
    assert finding.reason


def test_every_place_is_found(text):
    found = text.find("Twice said sentence here.")
    assert [TEXT[place.start : place.end] for place in found.places] == ["Twice said sentence here", "twice said — sentence here"]


def test_no_text_is_a_reason_of_its_own():
    assert SearchText("").find("A sentence to look for.").reason == "the document has no text"


def test_cases_of_the_real_matcher():
    cases = json.loads(shared("data", "eco", "evidence_cases.json").read_text())
    page = SearchText(cases["html"])
    missing_there = {"entity", "not_there", "nine_characters", "cyrillic"}
    for case in cases["cases"]:
        finding = page.find(case["sentence"])
        assert (finding.strength is None) == (case["case"] in missing_there), case["case"]
        if case["found_in_plain_text"] is not None:
            assert finding.strength == "exact", case["case"]


def test_positions_point_into_the_text_however_letters_unfold():
    found = SearchText("x ﬁnd Straße &szlig; İ end").find("find strasse ss i\u0307 end")
    assert found.strength == "exact"
    assert (found.places[0].start, found.places[0].end) == (2, 26)


def test_long_texts_are_searched_quickly():
    import time

    long = SearchText("The quick brown fox jumps over the lazy dog near river bank number. " * 6000)
    start = time.perf_counter()
    assert long.find("A wholly different statement about the roosting of bats in caves.").places == ()
    assert time.perf_counter() - start < 5


def test_mistral_pages_with_tables_in_their_places():
    content = [
        {"index": 0, "markdown": "One\n\n[tbl-0.md](tbl-0.md)\n\nafter", "tables": [{"id": "tbl-0.md", "content": "| a | b |"}]},
        {"index": 1, "markdown": "Two"},
    ]
    document = document_text(json.dumps(content))
    assert [(page.label, page.text) for page in document.pages] == [("1", "One\n\n| a | b |\n\nafter"), ("2", "Two")]
    assert document.page_at(document.text.index("Two")) == 1
    assert document.page_at(0) == 0


def test_tensorlake_pages_with_notes_after_the_tables():
    html = "<table><tr><td>a &amp; b</td><td>1</td></tr><tr><td>c</td></tr></table>"
    page = {
        "page_number": 3,
        "page_header": ["J. Bats"],
        "section_header": ["Results"],
        "text": "Body.",
        "tables": [{"headers": ["Host", "n"], "rows": [["N. noctula", 3]]}, {"html": html}],
        "other": [{"type": "title", "content": "skipped"}, {"type": "page_footer", "content": "a: note"}],
    }
    (only,) = document_text(json.dumps([page])).pages
    assert only.label == "3"
    assert only.text == "J. Bats\n\nResults\n\nBody.\n\nHost | n\nN. noctula | 3\n\na & b | 1\nc\n\na: note"


@pytest.mark.parametrize("content", ["Plain text, not JSON.", "[1, 2]", "{", "[]"])
def test_other_texts_are_shown_as_they_stand(content):
    assert document_text(content).text == content


def test_no_text_has_no_pages():
    assert document_text(None).pages == ()
    assert document_text(None).page_at(0) == 0


def test_html_rows():
    assert rows_of_html("<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>&lt;2</td></tr></table>") == "A | B\n1 | <2"


def test_evidence_fields_come_from_the_schema():
    named = {"quotes_in_support": {"type": "array", "items": {"type": "string"}}, "tags": {"type": "array"}, "x": {"type": "string"}}
    assert evidence_columns(schema_from({"properties": {"records": {"items": {"properties": named}}}}, "s")) == ("quotes_in_support",)
    assert evidence_columns(schema_from(SCHEMA, "s")) == ("tags",)
    assert evidence_columns(None) == ()


def test_a_record_without_sentences_is_looked_for_by_its_values(text):
    schema = schema_from(SCHEMA, "s")
    found = record_evidence(text, {"name": "Myotis lucifugus", "place": "x", "count": 20, "tags": "[]"}, schema)
    assert [(finding.sentence, finding.source, finding.strength) for finding in found] == [("Myotis lucifugus", "name", "exact")]
    found = record_evidence(text, {"name": "Myotis lucifugus", "tags": '["Twice said sentence here.", "Not there at all, ever."]'}, schema)
    assert [finding.strength for finding in found] == ["exact", None]


def test_passages_no_record_cites():
    text = "First sentence is here. Second one costs 1.5 euros. Third comes last."
    findings = [SearchText(text).find("First sentence is here.")]
    assert [text[start:end] for start, end in uncited(text, findings)] == ["Second one costs 1.5 euros.", "Third comes last."]


def test_tags_and_comparison_signs_are_told_apart():
    assert reduced("p < 0.05 and n > 3").letters == "p005andn3"
    assert reduced("<b>bold</b> $\\mathrm{C}$ ![i](i.png) [t](u)").letters == "boldct"
