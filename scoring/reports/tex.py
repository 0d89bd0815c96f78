r"""Tables of a report as LaTeX: a booktabs file each, a preamble, and `all.tex`, a document of all of them.

Text from data is data: `escaped` leaves no character that TeX would take for a command, for the end of a cell or for a ligature.
Names may be in any script, so the preamble wants LuaLaTeX or XeLaTeX; pdfLaTeX stops at a character beyond its Latin fonts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from scoring.reports.tables import Column, Table, is_numeric
from scoring.text import visible

# More rows than fit on a page beside a caption and a note.
LONG: Final = 30
# Characters in a line of the document at \footnotesize; columns of text wrap where the widest cells need more.
WIDE: Final = 95
_LEAST: Final = 6

_SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    '"': r"\textquotedbl{}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}",
    # After the end of a row these would be its options.
    "[": "{[}", "]": "{]}", "*": "{*}",
    # The usual fonts for text do not have these.
    "⟦": "{[}{[}", "⟧": "{]}{]}", "≠": r"\ensuremath{\neq}", "≁": r"\ensuremath{\not\sim}", "→": r"\ensuremath{\rightarrow}",
    "≤": r"\ensuremath{\leq}", "≥": r"\ensuremath{\geq}",
    **{chr(0x2400 + code): f"{{[}}{{[}}{code:04X}{{]}}{{]}}" for code in range(0x20)},
    "\u23ce": "{[}{[}000A{]}{]}", "\u2421": "{[}{[}007F{]}{]}",
    # LuaTeX takes it for bytes that are no UTF-8.
    "\ufffd": "{[}{[}FFFD{]}{]}",
}  # fmt: skip
_MARKUP = re.compile(r"[\\{}$&#%_^~<>|\"'`\[\]*⟦⟧≠≁→≤≥\u2400-\u241f\u23ce\u2421\ufffd]|-(?=-)|,(?=,)|[!?](?=`)|^ | $|(?<= ) ")

PREAMBLE: Final = r"""% Packages of the tables. Compile with LuaLaTeX or XeLaTeX; pdfLaTeX knows Latin letters alone and stops at others.
\usepackage{iftex}
\ifPDFTeX
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
  \usepackage{textcomp}
\else
  \usepackage{fontspec}
  % The font must have the scripts of the names, such as \setmainfont{Noto Serif}; the log names every missing character.
  \tracinglostchars=2
\fi
\usepackage{array}
\usepackage{booktabs}
\usepackage{graphicx}
\usepackage{longtable}
% A table no wider than the text.
\newsavebox{\tablebox}
\newcommand{\fitted}[1]{\sbox{\tablebox}{#1}\ifdim\wd\tablebox>\linewidth\resizebox{\linewidth}{!}{\usebox{\tablebox}}%
  \else\usebox{\tablebox}\fi}
"""


def escaped(text: str) -> str:
    """Text from data as literal LaTeX, control characters drawn as visible marks."""
    return _MARKUP.sub(_sign, visible(text))


def _sign(found: re.Match[str]) -> str:
    sign = found.group()
    return "\\ " if sign == " " else _SIGNS.get(sign) or sign + "{}"


def files(tables: Iterable[Table], title: str, provenance: str, generated: str) -> Iterator[tuple[str, str]]:
    """The files by name: `preamble.tex`, a file a table, and `all.tex`, which holds them all in an article.

    Args:
        tables: in the order of the document; two of one name get numbers.
        title: of the document.
        provenance: the provenance line.
        generated: the moment of generation.
    """
    yield "preamble.tex", PREAMBLE
    names: list[str] = []
    for table in tables:
        name = _file_name(table.name, names)
        names.append(name)
        yield f"{name}.tex", to_tex(table, name)
    head = [r"\documentclass[a4paper]{article}", r"\usepackage[margin=2cm]{geometry}", r"\input{preamble}", r"\begin{document}"]
    words = [rf"\section*{{{escaped(title)}}}", rf"\noindent {escaped(provenance)}. Generated {escaped(generated)}."]
    body = [line for name in names for line in (r"\clearpage", rf"\input{{{name}}}")]
    yield "all.tex", "\n".join([*head, *words, *body, r"\end{document}"]) + "\n"


def _file_name(name: str, taken: Sequence[str]) -> str:
    base = re.sub(r"[^A-Za-z0-9-]+", "-", name).strip("-").lower() or "table"
    found, number = base, 1
    while found in (*taken, "all", "preamble"):
        number += 1
        found = f"{base}-{number}"
    return found


def to_tex(table: Table, label: str) -> str:
    r"""A table with its caption and `\label{tab:LABEL}`; one of more than `LONG` rows as a longtable, which goes over pages."""
    shown = table.shown()
    widths = _widths(table.columns, shown)
    head = " & ".join(escaped(column.title) for column in table.columns) + r" \\"
    rows = [" & ".join(map(_cell, row, widths)) + r" \\" for row in shown] or [
        rf"\multicolumn{{{len(table.columns)}}}{{l}}{{Nothing to show.}} \\"
    ]
    columns = "@{}" + "".join(_column(column, width) for column, width in zip(table.columns, widths, strict=True)) + "@{}"
    named = rf"\caption{{{escaped(table.title)}}}\label{{tab:{label}}}"
    note = rf"\par\smallskip\parbox{{\linewidth}}{{\footnotesize {escaped(table.note)}}}" if table.note else ""
    if len(rows) > LONG:
        return "\n".join(
            [
                *(r"\begingroup\footnotesize\setlength{\tabcolsep}{3pt}", rf"\begin{{longtable}}{{{columns}}}", rf"{named}\\"),
                *(r"\toprule", head, r"\midrule", r"\endfirsthead", r"\toprule", head, r"\midrule", r"\endhead", r"\bottomrule"),
                *(r"\endfoot", *rows, r"\end{longtable}", *([note] if note else []), r"\endgroup", ""),
            ]
        )
    return "\n".join(
        [
            *(r"\begin{table}[htbp]", r"\centering\footnotesize\setlength{\tabcolsep}{3pt}", named, r"\fitted{%"),
            *(rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}}"),
            *([note] if note else []),
            *(r"\end{table}", ""),
        ]
    )


def _cell(text: str, width: float | None) -> str:
    """A cell; where its column wraps, paths and identifiers may break too."""
    return escaped(text) if width is None else re.sub(r"/|\\_", r"\g<0>\\allowbreak{}", escaped(text))


def _column(column: Column, width: float | None) -> str:
    if width is not None:
        return rf">{{\raggedright\arraybackslash}}p{{{width:.3f}\linewidth}}"
    return "r" if is_numeric(column) else "l"


def _widths(columns: Sequence[Column], shown: Sequence[Sequence[str]]) -> list[float | None]:
    r"""The share of `\linewidth` of each column that wraps; None where columns are as wide as their cells."""
    needed = [max([len(column.title), *(len(row[at]) for row in shown)]) + 2 for at, column in enumerate(columns)]
    if sum(needed) <= WIDE:
        return [None] * len(columns)
    wrapped = [not is_numeric(column) and size > _LEAST * 2 for column, size in zip(columns, needed, strict=True)]
    rest = max(WIDE - sum(size for size, wraps in zip(needed, wrapped, strict=True) if not wraps), WIDE // 3)
    # The root keeps a column of long texts from leaving nothing to the others.
    weight = sum(size**0.5 for size, wraps in zip(needed, wrapped, strict=True) if wraps)
    return [size**0.5 / weight * rest / WIDE if wraps else None for size, wraps in zip(needed, wrapped, strict=True)]
