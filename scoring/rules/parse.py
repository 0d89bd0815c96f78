"""Reading EQUIVALENCES.md: a Markdown parser finds headings and tables, this module says what they mean.

Nothing faulty raises: it becomes a problem with its line, so that all faults of a file are told at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import regex

from scoring.foundations.problems import Problem, Severity
from scoring.rules.rows import EquivalenceRow, IgnoreRow, IgnoreSide, NearMissRow, Rules, Status
from scoring.texts.forms import Position

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Section = Literal["ignore", "equivalence", "near miss"]

COLUMNS: dict[Section, tuple[str, ...]] = {
    "ignore": ("token", "field", "position", "side", "status", "witness", "note"),
    "equivalence": ("form", "canonical", "field", "status", "witness", "note"),
    "near miss": ("form", "not", "field", "why"),
}
TITLES: dict[Section, str] = {"ignore": "1. Ignore rules", "equivalence": "2. Equivalences", "near miss": "3. Near misses"}
NUMBERS: dict[Section, int] = {"ignore": 1, "equivalence": 2, "near miss": 3}
ALLOWED: dict[str, tuple[str, ...]] = {"position": get_args(Position), "side": get_args(IgnoreSide), "status": get_args(Status)}

OPEN_MARK = "OPEN row, so it blocks only its own preview and settling: "

_LINE = regex.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_NUMBERED = regex.compile(r"(?:§|section\s+)?\s*(\d+)(?:\.\d+)*\s*[.):§–—-]?(?:\s+|$)", regex.IGNORECASE)
_SECTION_TITLES: tuple[tuple[str, Section], ...] = (("ignore", "ignore"), ("equivalence", "equivalence"), ("near miss", "near miss"))
_FIELD_SEPARATOR = regex.compile(r"[,;]|<br\s*/?>", regex.IGNORECASE)
_DELIMITER = regex.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*|\s*\|\s*:?-+:?\s*\|\s*")


def lines_of(text: str) -> list[str]:
    """The lines of a file with their ends, cut where Markdown cuts: CRLF, LF and CR alone, nothing else."""
    return _LINE.findall(text)


_WORD = regex.compile(r"\w+")
_PIPE = regex.compile(r"(?<!\\)\|")
# What the Markdown parser trims from a cell; other white space is text.
_BLANK = " \t\n\v\f\r"


def cell_spans(line: str) -> list[tuple[int, int]]:
    r"""Where the cells of a table row stand in its line, white space trimmed. A pipe after a backslash does not part cells."""
    body = line.rstrip(_BLANK)
    at = len(body) - len(body.lstrip(_BLANK))
    bounds = [at - 1]
    bounds += [match.start() for match in _PIPE.finditer(body)]
    bounds.append(len(body))
    if len(bounds) > 2 and bounds[1] == at:
        del bounds[0]
    if len(bounds) > 2 and bounds[-2] == len(body) - 1:
        del bounds[-1]
    spans: list[tuple[int, int]] = []
    for left, right in pairwise(bounds):
        raw = body[left + 1 : right]
        start = left + 1 + (len(raw) - len(raw.lstrip(_BLANK)) if raw.strip(_BLANK) else min(1, len(raw)))
        spans.append((start, max(start, left + 1 + len(raw.rstrip(_BLANK)))))
    return spans


def cell_text(raw: str) -> str:
    r"""The text of a cell from its source: as written, but `\|` is a pipe."""
    return raw.strip(_BLANK).replace("\\|", "|")


@dataclass(frozen=True, slots=True)
class ParsedTable:
    """A table of rules: where it stands (lines from 1) and what its columns are called, in its own order."""

    section: Section
    header_line: int
    columns: tuple[str, ...]
    row_lines: tuple[int, ...]
    sound: bool


@dataclass(slots=True)
class Layout:
    """Where the sections and tables of a file lie. `ends` is the line after the section's last, `headings` where each begins."""

    tables: list[ParsedTable] = field(default_factory=list)
    headings: dict[Section, int] = field(default_factory=dict)
    ends: dict[Section, int] = field(default_factory=dict)
    prose: list[int] = field(default_factory=list)


_parser: MarkdownIt | None = None


def _tokens(text: str) -> list[Token]:
    # Only the blocks matter: cells are taken as they are written, so inline parsing would be work for nothing.
    global _parser
    if _parser is None:
        from markdown_it import MarkdownIt

        _parser = MarkdownIt("commonmark").enable("table")
        _parser.core.ruler.disable(["inline", "text_join"])
    return _parser.parse(text)


def plain(text: str) -> str:
    """A keyword without the marks of code or emphasis around it."""
    text = text.strip()
    return text if _WORD.fullmatch(text) else text.strip("`*_").strip()


def heading_section(title: str) -> tuple[Section | None, bool, bool]:
    """The section a heading opens, whether it says so itself (else it is one of the parent's), and whether by a number."""
    title = plain(title)
    numbered = _NUMBERED.match(title)
    words = " ".join(title[numbered.end() if numbered else 0 :].lower().replace("-", " ").split()).strip("`*_§ ")
    named = next((section for start, section in _SECTION_TITLES if words.startswith(start)), None)
    if numbered:
        number = int(numbered.group(1))
        of_number = next((section for section, its in NUMBERS.items() if its == number), None)
        return (named or of_number if of_number else None), True, True
    return named, named is not None, False


@dataclass(slots=True)
class _Reader:
    """One reading of one text: what has been found so far."""

    where: str
    text: str
    lines: list[str] = field(default_factory=list)
    layout: Layout = field(default_factory=Layout)
    problems: list[Problem] = field(default_factory=list)
    ignores: list[IgnoreRow] = field(default_factory=list)
    equivalences: list[EquivalenceRow] = field(default_factory=list)
    near_misses: list[NearMissRow] = field(default_factory=list)

    def error(self, line: int, message: str, *, is_open: bool = False) -> None:
        severity = Severity.WARNING if is_open else Severity.ERROR
        self.problems.append(Problem(severity, (OPEN_MARK if is_open else "") + message, self.where, line))

    def read(self) -> None:
        self.lines = lines_of(self.text)
        found = _tokens(self.text)
        section: Section | None = None
        level, by_number, numbered_prose = 0, False, False
        for at, token in enumerate(found):
            line = token.map[0] + 1 if token.map else 0
            if token.type == "heading_open" and token.level == 0:
                depth = int(token.tag[1:])
                content = found[at + 1].content
                self._misplaced(content, line, section)
                inside = section is not None and depth > level
                if inside and by_number:
                    continue
                own, says_so, number = heading_section(content)
                if not says_so and (inside or (numbered_prose and depth > level)):
                    continue
                if section is not None:
                    self._leave(section, line, is_title=depth > level)
                section, level, by_number, numbered_prose = own, depth, number, number and own is None
                if section is not None:
                    if number or depth > 1:
                        self.layout.headings.setdefault(section, line)
                    self.layout.ends[section] = len(self.lines) + 1
                elif number:
                    self.layout.prose.append(line)
            elif token.type == "table_open" and token.map:
                if section is None:
                    # Section 4 and what follows may show a table as an example.
                    if not numbered_prose:
                        self._outside(line)
                elif token.level:
                    self.error(line, "this table stands inside a list or a quotation; begin its lines at the margin")
                else:
                    self._table(section, token.map)
            elif token.type == "inline" and at and found[at - 1].type == "paragraph_open":
                self._misplaced(token.content, line, section)
            elif token.type in ("code_block", "html_block", "fence"):
                self._swallowed(token, line, section)

    def _leave(self, section: Section, line: int, *, is_title: bool) -> None:
        self.layout.ends[section] = line
        if is_title and not any(table.section == section for table in self.layout.tables):
            # The title of the whole file, which only sounds like a section's.
            self.layout.headings.pop(section, None)

    def _misplaced(self, content: str, line: int, section: Section | None) -> None:
        if section is None:
            return
        for offset, text in enumerate(content.split("\n")):
            if text.lstrip().startswith("|") or _DELIMITER.fullmatch(text):
                self.error(
                    line + offset,
                    "a malformed table: a header line, a line of dashes with as many cells, and the rows follow without a blank line",
                )
                return

    def _swallowed(self, token: Token, line: int, section: Section | None) -> None:
        content = token.content
        if token.type == "fence":
            last = self.lines[token.map[1] - 1].strip() if token.map else ""
            closed = (
                token.map is not None
                and token.map[1] - token.map[0] > 1
                and last.strip(token.markup[0]) == ""
                and len(last) >= len(token.markup)
            )
            if not closed:
                self.error(line, f"this code block is never closed ({token.markup} is missing), so what follows it is not read")
        elif token.type == "html_block" and content.lstrip().startswith("<!--"):
            if "-->" not in content:
                self.error(line, "this comment is never closed (--> is missing), so what follows it is not read")
        elif section is not None and any(text.lstrip().startswith("|") for text in content.split("\n")):
            reason = "indented by four spaces or more" if token.type == "code_block" else "inside HTML; leave a blank line before it"
            self.error(line, f"a malformed table: it is {reason}")

    def _outside(self, line: int) -> None:
        columns = {plain(cell).lower() for cell in self._cells(line)}
        kind = next((section for section, its in COLUMNS.items() if columns >= set(its[:2])), None)
        if kind:
            message = f"this table has the columns of `{TITLES[kind]}` but stands outside sections 1 to 3, so its rows are not read"
            self.problems.append(Problem(Severity.WARNING, message, self.where, line))

    def _cells(self, line: int) -> list[str]:
        source = self.lines[line - 1]
        return [cell_text(source[start:end]) for start, end in cell_spans(source)]

    def _table(self, section: Section, span: list[int]) -> None:
        header_line, last = span[0] + 1, span[1]
        columns = tuple({"fields": "field"}.get(name, name) for name in (plain(cell).lower() for cell in self._cells(header_line)))
        rows = tuple(range(header_line + 2, last + 1))
        expected = COLUMNS[section]
        faults: list[str] = []
        for name in dict.fromkeys(columns):
            if columns.count(name) > 1:
                faults.append(f"the column `{name}` stands twice")
            elif name not in expected:
                faults.append(f"unknown column `{name}`")
        faults += [f"the column `{name}` is missing" for name in expected if name not in columns]
        if faults:
            wanted = " | ".join(expected)
            self.error(header_line, f"{'; '.join(faults)}: section {TITLES[section]} has the columns | {wanted} |")
        self.layout.tables.append(ParsedTable(section, header_line, columns, rows, not faults))
        if not faults:
            for line in rows:
                self._row(section, columns, line)

    def _row(self, section: Section, columns: tuple[str, ...], line: int) -> None:
        cells = self._cells(line)
        if len(cells) != len(columns):
            hint = "" if len(cells) > 1 else " (a table ends with a blank line)"
            self.error(
                line,
                f"this row has {len(cells)} cells where its table has {len(columns)} columns; a pipe within a cell is written \\|{hint}",
            )
            return
        if not any(cells):
            self.problems.append(Problem(Severity.NOTE, "this row is empty and says nothing", self.where, line))
            return
        row = dict(zip(columns, cells, strict=True))
        keywords = {name: self._keyword(name, row[name]) for name in ALLOWED if name in row}
        is_open = keywords.get("status") == "OPEN"
        sound = True
        for name, value in keywords.items():
            if value is None:
                allowed = ", ".join(ALLOWED[name][:-1]) + " or " + ALLOWED[name][-1]
                shown = f"unknown {name} `{row[name]}`" if row[name] else f"the {name} is blank"
                self.error(line, f"{shown}: it is {allowed}", is_open=is_open)
                sound = False
        fields = tuple(dict.fromkeys(name for name in (plain(part) for part in _FIELD_SEPARATOR.split(row["field"])) if name))
        if not fields:
            self.error(line, "the field is blank: name the fields the row is for, parted by commas", is_open=is_open)
            sound = False
        if sound:
            self._keep(section, line, row, fields, keywords)

    @staticmethod
    def _keyword(name: str, value: str) -> str | None:
        bare = plain(value).lower()
        return next((word for word in ALLOWED[name] if word.lower() == bare), None)

    def _keep(self, section: Section, line: int, row: Mapping[str, str], fields: tuple[str, ...], words: Mapping[str, str | None]) -> None:
        # `words` has passed ALLOWED, whose entries are the literals themselves.
        status: Status = "OPEN" if words.get("status") == "OPEN" else "settled"
        if section == "ignore":
            position = next(word for word in get_args(Position) if word == words["position"])
            side: IgnoreSide = "both" if words["side"] == "both" else "model"
            self.ignores.append(IgnoreRow(line, row["token"], fields, position, side, status, row["witness"], row["note"]))
        elif section == "equivalence":
            self.equivalences.append(EquivalenceRow(line, row["form"], row["canonical"], fields, status, row["witness"], row["note"]))
        else:
            self.near_misses.append(NearMissRow(line, row["form"], row["not"], fields, row["why"]))


def parse(text: str, path: Path | None = None, content: str = "") -> tuple[Rules, Layout]:
    """The rules in a text (without byte order mark), and where its sections and tables lie."""
    reader = _Reader(str(path) if path is not None else "", text)
    reader.read()
    rules = Rules(path, tuple(reader.ignores), tuple(reader.equivalences), tuple(reader.near_misses), tuple(reader.problems), content)
    return rules, reader.layout
