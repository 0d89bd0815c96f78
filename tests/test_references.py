"""References to pages of `docs/`: each leads to a file and a heading, and none to a page outside the repository."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.shared import ROOT

CODE = ("scoring", "tui", "scripts", "benchmarks", "tests")
SUFFIXES = (".py", ".tcss", ".toml", ".md", ".json")
PAGES = (*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md"))

# `docs/method.md#pairing` in any text; the anchor ends where no word of a heading goes on.
REFERENCE = re.compile(r"\bdocs/([\w.-]+\.md)(?:#([\w-]+))?")
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)")
# Names of specification pages, and of their sections and numbered defects. Split so that this file does not hold what it looks for.
OUTSIDE = re.compile(
    "|".join(
        (
            r"`[0-9]+-[a-z]+" + "`",
            r"\[BUG " + r"[0-9]+\]",
            "`(?:hipe|ecoextract)-" + "behaviour`",
            "`ecoreview-" + "features`",
            r"\bbehaviour, (?:sections? )?" + r"[0-9]",
            r"\bbehaviour, Schema " + "lookup",
            r"sections? [0-9.]+ of the " + "behaviour",
            r"\(sections? " + r"[0-9]",
        )
    )
)


def files() -> list[Path]:
    """The files of the code that may hold a reference."""
    found = (path for folder in CODE for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES)
    return sorted(path for path in found if path.is_file() and "__pycache__" not in path.parts)


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading: lower case, punctuation dropped, spaces to hyphens."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip()).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page; a heading that occurs again gets a number."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    found: dict[str, int] = {}
    out = set()
    for heading in re.findall(r"^#{1,6} +(.+?)(?: +#+)?$", text, flags=re.MULTILINE):
        name = anchor(heading)
        times = found[name] = found.get(name, -1) + 1
        out.add(f"{name}-{times}" if times else name)
    return frozenset(out)


def broken(page: Path, name: str | None) -> str:
    """Why a reference leads nowhere; empty where it leads somewhere."""
    if not page.is_file():
        return "no such page"
    return "" if not name or name in anchors(page) else "no such heading"


def lines_with(pattern: re.Pattern[str], paths: list[Path]) -> list[tuple[str, re.Match[str]]]:
    """`path:line` and match of every occurrence."""
    found = []
    for path in paths:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            found += [(f"{path.relative_to(ROOT).as_posix()}:{number}", match) for match in pattern.finditer(line)]
    return found


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Pairing", "pairing"),
        ("Transcription and CER", "transcription-and-cer"),
        ("Of a workspace: `adjudicate.toml`", "of-a-workspace-adjudicatetoml"),
        ("With git, and without", "with-git-and-without"),
        ("`score` & [report](outputs.md)", "score--report"),
        ("near_miss", "near_miss"),
    ],
)
def test_anchors_are_made_as_github_makes_them(heading: str, expected: str) -> None:
    assert anchor(heading) == expected


def test_headings_in_code_blocks_have_no_anchor_and_repeated_ones_a_number(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A\n\n```\n# B\n```\n\n## C\n\n## C\n", encoding="utf-8")
    assert anchors(page) == {"a", "c", "c-1"}


@pytest.mark.parametrize(
    ("text", "is_outside"),
    [
        ("(`1-" + "tables`, Step 2)", True),
        ("([BUG " + "19])", True),
        ("(`hipe-" + "behaviour`, sections 8 to 10)", True),
        ("Accuracy; behaviour, " + "section 3", True),
        ("has two (section " + "15.2)", True),
        ("`docs/hipe-behaviour.md#bug-19`", False),
        ("A row of section 1: `token`", False),
        ("`docs/ecoextract-behaviour.md#accuracy`", False),
        ("r`1-9`", False),
    ],
)
def test_what_counts_as_a_page_outside(text: str, is_outside: bool) -> None:
    assert (OUTSIDE.search(text) is not None) == is_outside


def test_every_reference_leads_to_a_page_and_a_heading() -> None:
    found = lines_with(REFERENCE, [*(path for path in files() if path != Path(__file__)), *PAGES])
    assert found
    wrong = [f"{where}: {match.group()} ({why})" for where, match in found if (why := broken(ROOT / "docs" / match[1], match[2]))]
    assert wrong == []


def test_every_link_between_pages_leads_to_a_heading() -> None:
    found = [(where, match) for where, match in lines_with(LINK, list(PAGES)) if "://" not in match.group() and (match[1] or match[2])]
    wrong = []
    for where, match in found:
        source = ROOT / where.rpartition(":")[0]
        target = (source.parent / match[1]).resolve() if match[1] else source
        if target.suffix == ".md" and (why := broken(target, match[2])):
            wrong.append(f"{where}: {match.group()} ({why})")
    assert found
    assert wrong == []


def test_no_code_cites_a_page_that_is_not_in_the_repository() -> None:
    found = lines_with(OUTSIDE, [path for path in files() if path != Path(__file__)])
    assert [f"{where}: {match.group()}" for where, match in found] == []
