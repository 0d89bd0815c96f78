from scoring.relations.cases.passages import context, joined, mention_spans, sentence_around
from scoring.relations.inputs.material import load_campaign, places
from scoring.relations.measures.evaluation import aligned_runs, score_campaign
from scoring.relations.measures.extended_rankings import our_tables
from scoring.relations.measures.rankings import RankingTable
from scoring.relations.outputs.extended_page import html_page, markdown_page
from scoring.relations.outputs.results_page import official_page, page_cell
from tests.scoring.relations.builders import GOLD, campaign, labelled

NASTY = "A|B <script>alert(1)</script> `x` *y* [z](w)"


def ours(folder, name=NASTY):
    import json

    campaign(folder, GOLD, {"team1_run1": GOLD, "team2_run1": [labelled(GOLD[0], at={0: "FALSE"}), GOLD[1]]})
    (folder / "teams.json").write_text(json.dumps({"team1": {"name": name}, "team2": "no object"}))
    held = load_campaign(places(folder))
    return our_tables(held, score_campaign(held, aligned_runs(held)))


def test_text_is_text_in_our_markdown_and_html(tmp_path):
    tables = ours(tmp_path)
    page = markdown_page(tables, mode="TERNARY", restricted=(), internal=False, diagnostics="../diagnostics")
    row = next(line for line in page.splitlines() if line.startswith("| 1 |"))
    assert "A\\|B \\<script\\>" in row
    assert row.replace("\\|", "").count("|") == page.splitlines()[page.splitlines().index(row) - 1].count("|")
    html = html_page(tables, mode="TERNARY", restricted=(), internal=False, diagnostics="../diagnostics")
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html
    assert 'data-sort="1.0"' in html
    assert 'href="../diagnostics/team1_' in html


def test_text_that_looks_like_a_number_stays_text_to_us(tmp_path):
    page = markdown_page(ours(tmp_path, "1e5"), mode="TERNARY", restricted=(), internal=False, diagnostics="d")
    assert "| 1e5 |" in page
    assert page_cell("1e5") == "100000"


def test_official_cells():
    texts = {"0.68900": "0.689", "24.666666666666668": "24.6667", "277730309": "277730309", "22.0": "22", "-0.00001": "-0", "nan": "nan"}
    assert {text: page_cell(text) for text in texts} == texts
    assert page_cell(None) == ""


def test_an_empty_ranking_still_has_its_header_and_a_blank_row():
    table = RankingTable("ranking-overall-test-a.tsv", ("rank", "team", "run", "score"), ())
    page = official_page([table], {}, mode="BINARY", rankings="r", diagnostics="d")
    assert page.startswith("# HIPE-2026 Evaluation Results (Binary at)\n\nThis file is generated from `r/*.tsv`.\n\n## Table of Contents")
    assert "| rank | team | run | mean impresso profile score |\n| --- | --- | --- | --- |\n|  |  |  |  |\n" in page
    assert "Top 3" not in page
    assert page.endswith("tables.\n")


def test_mentions_are_found_as_words_first_then_anywhere():
    text = "Roma and Romano met in  Rome.\nL'abbé Corvel left Port\nEllison."
    assert [text[start:end] for start, end in mention_spans(text, ["Rom"])] == ["Rom", "Rom", "Rom"]
    assert [text[start:end] for start, end in mention_spans(text, ["Rome", "l'abbé Corvel", "Port Ellison", ""])] == [
        "Rome", "L'abbé Corvel", "Port\nEllison",
    ]  # fmt: skip
    assert joined([(0, 4), (2, 6), (8, 9)]) == ((0, 6), (8, 9))


def test_the_sentence_around_a_mention():
    text = "First one. Anna went to Rome! Then home."
    start = text.index("Anna")
    assert sentence_around(text, (start, start + 4)) == "Anna went to Rome!"
    assert context(text, ["Rome", "Anna"]) == "Anna went to Rome!"
    assert sentence_around("x" * 600 + " Anna " + "y" * 600, (601, 605)).startswith("…x")
    assert context(text, ["Nobody"]) == ""
