"""Tables as LaTeX: every special character escaped, booktabs or longtable, and a document that an engine compiles."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.reports.report import files, shown
from scoring.reports.tables import Column, Table
from scoring.reports.tex import LONG, PREAMBLE, escaped, to_tex
from scoring.reports.tex import files as tex_files

EVIL = r"\input{/etc/passwd} %$&#_{}~^ \\[1cm] *x <<y>> --z ''q`` ?`!` ,,a"


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("\\", r"\textbackslash{}"),
        ("{a}", r"\{a\}"),
        ("5 % of $3 & #1", r"5 \% of \$3 \& \#1"),
        ("a_b^c~d", r"a\_b\textasciicircum{}c\textasciitilde{}d"),
        ("<<x|y>>", r"\textless{}\textless{}x\textbar{}y\textgreater{}\textgreater{}"),
        ("\"a\" 'b' `c`", r"\textquotedbl{}a\textquotedbl{} \textquotesingle{}b\textquotesingle{} \textasciigrave{}c\textasciigrave{}"),
        ("[1] *", r"{[}1{]} {*}"),
        ("a---b,,c", "a-{}-{}-b,{},c"),
        ("?`", r"?{}\textasciigrave{}"),
        ("-", "-"),
        (" a  b ", r"\ a \ b\ "),
        ("\x1b[31m", "{[}{[}001B{]}{]}{[}31m"),
        ("a\nb\x00\x7f", "a{[}{[}000A{]}{]}b{[}{[}0000{]}{]}{[}{[}007F{]}{]}"),
        ("\u202eevil\udc80", "{[}{[}RLO{]}{]}evil{[}{[}DC80{]}{]}"),
        ("\ufffd\uffff\U0001fffe", "{[}{[}FFFD{]}{]}{[}{[}FFFF{]}{]}{[}{[}1FFFE{]}{]}"),
        ("=cmd()|' /C calc'!A0", r"=cmd()\textbar{}\textquotesingle{} /C calc\textquotesingle{}!A0"),
        ("<b>x</b>", r"\textless{}b\textgreater{}x\textless{}/b\textgreater{}"),
        ("Nicolò Ƶeno ſ", "Nicolò Ƶeno ſ"),
        ("Ιωάννης Иван", "Ιωάννης Иван"),
        ("≠ ≁ →", r"\ensuremath{\neq} \ensuremath{\not\sim} \ensuremath{\rightarrow}"),
    ],
)
def test_escaped(text, tex):
    assert escaped(text) == tex


# Every command that `escaped` writes; what is left must be free of special characters.
OURS = re.compile(
    r"\\textbackslash\{\}|\\text(?:asciicircum|asciitilde|less|greater|bar|quotedbl|quotesingle|asciigrave)\{\}"
    r"|\\ensuremath\{\\(?:neq|not\\sim|rightarrow|leq|geq)\}|\\[{}$&#%_ ]|\{[\[\]*]\}|(?<=[-,!?])\{\}"
)


@given(st.text(alphabet=st.one_of(st.sampled_from("\\{}$&#%_^~<>|\"'`[]*-,!? \n\x1b\u202e⟦≠"), st.characters()), max_size=40))
def test_nothing_of_a_text_is_left_to_tex(text):
    rest = OURS.sub("", escaped(text))
    assert not set(rest) & set("\\{}$&#%_^~<>|\"'`[]*⟦⟧")
    assert all(ord(character) >= 32 for character in rest)
    assert not re.search(r"--|,,|  |^ | $", escaped(text).replace("\\ ", ""))


def small_table(rows: int, note: str = "") -> Table:
    columns = (Column("name"), Column("f1", "share"), Column("name_cer", "error"), Column("matched", "count"))
    return Table("scores", "Scores & more", columns, tuple(("A_b", 0.98765, 0.12345, at) for at in range(rows)), note)


def test_a_short_table_is_booktabs_with_caption_label_and_figures_as_in_the_text():
    assert to_tex(Table("t", "T", small_table(1).columns, (("A_b", 0.98765, 0.12345, 7), ("*", None, None, None)), "50 % so."), "t") == (
        "\\begin{table}[htbp]\n\\centering\\footnotesize\\setlength{\\tabcolsep}{3pt}\n\\caption{T}\\label{tab:t}\n\\fitted{%\n"
        "\\begin{tabular}{@{}lrrr@{}}\n\\toprule\nname & F1 & name CER & matched \\\\\n\\midrule\n"
        "A\\_b & 0.988 & 0.1235 & 7 \\\\\n{*} & – & – & – \\\\\n\\bottomrule\n\\end{tabular}}\n"
        "\\par\\smallskip\\parbox{\\linewidth}{\\footnotesize 50 \\% so.}\n\\end{table}\n"
    )


def test_a_long_table_goes_over_pages():
    assert r"\begin{tabular}" in to_tex(small_table(LONG), "a")
    long = to_tex(small_table(LONG + 1, "Note."), "a")
    assert r"\begin{longtable}{@{}lrrr@{}}" in long
    assert r"\caption{Scores \& more}\label{tab:a}\\" in long
    assert long.count("A\\_b & 0.988") == LONG + 1
    assert long.index(r"\endhead") < long.index("A\\_b")


def test_a_table_without_rows_says_so():
    assert r"\multicolumn{4}{l}{Nothing to show.} \\" in to_tex(small_table(0), "a")


def test_columns_of_long_texts_wrap_and_fit_the_line():
    columns = (Column("file"), Column("line", "count"), Column("message"))
    tex = to_tex(Table("t", "T", columns, (("runs/alfa/run_01.json", 3, "word " * 60),)), "t")
    widths = [float(one) for one in re.findall(r"p\{([0-9.]+)\\linewidth\}", tex)]
    assert len(widths) == 2
    assert sum(widths) < 1
    assert r"runs/\allowbreak{}alfa/\allowbreak{}run\_\allowbreak{}01.json" in tex


def test_files_have_names_unlike_each_other_and_are_all_in_the_document():
    made = dict(tex_files([small_table(1), small_table(2), Table("all", "All", (Column("a"),), ())], "A & B", "Scoring inputs: x", "2026"))
    assert list(made) == ["preamble.tex", "scores.tex", "scores-2.tex", "all-2.tex", "all.tex"]
    assert made["preamble.tex"] == PREAMBLE
    assert re.findall(r"\\input\{(.*?)\}", made["all.tex"]) == ["preamble", "scores", "scores-2", "all-2"]
    assert r"\section*{A \& B}" in made["all.tex"]
    labels = [re.search(r"\\label\{(.*?)\}", made[f"{name}.tex"])[1] for name in ("scores", "scores-2", "all-2")]
    assert labels == ["tab:scores", "tab:scores-2", "tab:all-2"]


def test_the_report_has_a_file_for_every_table_it_shows(report):
    made = dict(files(report, ("tex",)))
    tables = [name for name in made if name.startswith("tex/")]
    assert len(tables) == len(shown(report)) + 2
    assert r"beta \textless{}i\textgreater{}" in made["tex/detection.tex"].decode()
    assert r"\$x\$ \textquotesingle{}q\textquotesingle{}" in made["tex/detection.tex"].decode()
    assert not [name for name in made if name.endswith((".html", ".md"))]


@pytest.mark.parametrize("engine", ["lualatex", "xelatex", "pdflatex", "tectonic"])
def test_it_compiles(report, tmp_path, engine):
    if shutil.which(engine) is None:
        pytest.skip(f"there is no {engine} here")
    evil = Table("evil", EVIL, (Column("a"), Column("b", "count")), tuple((EVIL, at) for at in range(LONG + 1)), EVIL)
    rows = (
        ("a\ufffd\ufdd0\U0010ffff", "\n"),
        (EVIL, "*"),
        ("[1cm]", "\\"),
        ("-" * 200, "=cmd()"),
        ("x" * 20_000, "y z" * 9_000),
        ("\x1b[31m\u202e", "<b>"),
    )
    short = Table("short", EVIL, (Column("a"), Column("b")), rows, EVIL)
    for name, text in tex_files([evil, short, *shown(report)], EVIL, EVIL, "2026"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = [engine, "all.tex"] if engine == "tectonic" else [engine, "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Missing character" not in done.stdout
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF")
