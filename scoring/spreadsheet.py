"""What a spreadsheet may be given: text that is no formula, and workbooks that state one fixed date."""

from __future__ import annotations

import io
import re
import zipfile

from scoring.text import visible

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LONGEST = 32_767  # characters a cell of a spreadsheet can hold
_CUT = " [cut; whole in the log]"
_STAMP = (1980, 1, 1, 0, 0, 0)


def safe_cell(text: str) -> str:
    """Text from data as a spreadsheet may be given it: never a formula, control characters drawn as visible marks."""
    shown = visible(text)
    if text.startswith(_FORMULA) or shown.startswith(_FORMULA):
        shown = "'" + shown
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - len(_CUT)] + _CUT


def dated_workbook(data: bytes, when: str) -> bytes:
    """Return the same XLSX file with every moment that its writer put in replaced by `when` (`2026-11-29T22:10:05Z`)."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == "docProps/core.xml":
                content = re.sub(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*", rb"\g<1>" + when.encode(), content)
            fixed = zipfile.ZipInfo(entry.filename, _STAMP)
            fixed.compress_type = zipfile.ZIP_DEFLATED
            fixed.external_attr = 0o600 << 16
            fixed.create_system = 3
            target.writestr(fixed, content)
    return out.getvalue()
