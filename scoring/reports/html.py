"""The report and its compare pages as HTML: one file each, nothing fetched, nothing from data taken for markup."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from scoring.provenance import Provenance, provenance_line
from scoring.reports.compare import ComparePage
from scoring.reports.sections import Plot, Prose, Section
from scoring.reports.tables import is_numeric
from scoring.text import visible

_TEMPLATES = Path(__file__).resolve().parent / "templates"
_HEADING_COLUMNS = ("model", "page", "verifier", "case", "times")


@lru_cache(maxsize=1)
def _environment() -> Any:
    """Templates that escape everything, and fail on what is not there."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["visible"] = visible
    environment.globals["style"] = Markup((_TEMPLATES / "style.css").read_text(encoding="utf-8"))
    script = (_TEMPLATES / "compare.script.html").read_text(encoding="utf-8")
    environment.globals["script"] = Markup(script)
    digest = hashlib.sha256(script.encode()).digest()
    environment.globals["script_hash"] = f"sha256-{base64.b64encode(digest).decode()}"
    environment.tests["plot"] = lambda block: isinstance(block, Plot)
    environment.tests["prose"] = lambda block: isinstance(block, Prose)
    environment.tests["numeric"] = is_numeric
    environment.tests["text"] = lambda piece: isinstance(piece, str)
    environment.globals["markup"] = Markup
    environment.globals["heading_columns"] = _HEADING_COLUMNS
    return environment


def report(title: str, sections: Sequence[Section], provenance: Provenance, pages: Sequence[tuple[str, str]]) -> str:
    """The report; `pages` are page ids with the stems of their compare pages."""
    template = _environment().get_template("report.html")
    line = provenance_line(provenance)
    return str(template.render(title=title, sections=sections, provenance=provenance, line=line, pages=pages))


def compare(page: ComparePage, provenance: Provenance, neighbours: Sequence[tuple[str, str]]) -> str:
    """A compare page, sortable and filterable; `neighbours` are all compare pages."""
    template = _environment().get_template("compare.html")
    return str(template.render(page=page, provenance=provenance, line=provenance_line(provenance), neighbours=neighbours))
