"""A page of a run, from the answer or the records that the run holds for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.answers import Kind, parse_records
from scoring.foundations.problems import InputError, Severity
from scoring.tables.inputs.aliases import AliasFinder, UnknownKeys
from scoring.tables.inputs.rows import KeyUse, RowProblems, RowReader
from scoring.tables.inputs.rows_and_runs import RunPage
from scoring.texts.cells import Records
from scoring.texts.forms import visible

_SHOWN = 8


class PageReader:
    """Reads answers and records to pages. An answer that cannot be relied on is a failed page with its reason.

    Args:
        rows: turns records into rows.
        finder: proposes fields for unknown keys, in the reason of a page without a filled key field.
    """

    def __init__(self, rows: RowReader, finder: AliasFinder | None = None) -> None:
        self.rows = rows
        self._finder = finder

    def answer(self, text: str, kind: Kind, page: str, report: RowProblems, keys: KeyUse, where: str = "") -> RunPage:
        """Read a page from what the model returned for it."""
        if not text.strip(" \t\r\n\ufeff"):
            return failed(page, "the answer is empty")
        try:
            records = parse_records(text, kind, self.rows.keys, key=self.rows.key, page=page)
        except InputError as fault:
            return failed(page, fault.what)
        if records is None:
            return failed(page, "there is no readable list of records in the answer")
        return self.records(records, page, report, keys, where)

    def records(self, records: Records, page: str, report: RowProblems, keys: KeyUse, where: str = "", expected: str = "$") -> RunPage:
        """Read a page from records. `expected` is where they usually are; elsewhere is reported."""
        report.repairs(records.repairs, page=page, where=where)
        report.warnings(records.warnings, page=page, where=where)
        if records.found_at not in (expected, "table"):
            report.add(Severity.NOTE, f"records found at {records.found_at}", page=page, where=where)
        if records.truncated and not records.records:
            return failed(page, "the answer was cut off before its first complete record", records)
        rows = self.rows.rows(records.records, report, page=page, where=where, keys=keys)
        key = self.rows.key
        if records.records and key and not any(row.values[name] for row in rows for name in key):
            return failed(page, self._without_key(records.records), records)
        return RunPage(page, "truncated" if records.truncated else "ok", rows, usage=records.usage)

    def _without_key(self, records: Sequence[Mapping[str, object]]) -> str:
        """Say that no record has a filled key field, which keys there are, and which aliases would map them."""
        given = dict.fromkeys(key for record in records for key in record)
        meant = {self.rows.field_of(key) for key in given}
        wanted = " or ".join(f"`{visible(name)}`" for name in self.rows.key)
        shown = ", ".join(f"`{visible(key[:60])}`" for key in list(given)[:_SHOWN])
        more = f" and {len(given) - _SHOWN} more" if len(given) > _SHOWN else ""
        if not given:
            return f"no record has a {wanted}; the records are empty"
        keys = f"the key{'s are' if len(given) > 1 else ' is'} {shown}{more}"
        if not meant.isdisjoint(self.rows.key):
            return f"no record has a filled {wanted}; {keys}"
        unknown = UnknownKeys()
        for record in records:
            for key, value in record.items():
                if self.rows.field_of(key) is None:
                    unknown.add(key, value, record)
        found = self._finder.proposals(unknown) if self._finder is not None else ()
        lines = ", ".join(one.line for one in found)
        if lines:
            return f"no record has a {wanted}; {keys}; under [aliases] in adjudicate.toml this would map them: {visible(lines)}"
        return f"no record has a {wanted}; {keys}; a line under [aliases] in adjudicate.toml maps a key to a field"


def failed(page: str, reason: str, records: Records | None = None) -> RunPage:
    """A page that failed for a reason, with the usage that its records state."""
    return RunPage(page, "failed", (), reason, records.usage if records is not None else None)
