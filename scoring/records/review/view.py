"""What a reviewer sees of an open database: documents, records, text, history, fields (`docs/records.md#review`)."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from scoring.foundations.problems import InputError
from scoring.records.cases.record_view import Sight, read_sight
from scoring.records.database.store import Store
from scoring.records.inputs.fields import Field, RecordSchema
from scoring.records.inputs.layout import Layout
from scoring.records.inputs.material import Change, DocumentLine, Record, document_content, document_lines, history, read_records


@dataclass(slots=True)
class Looking:
    """An open database, to be looked at."""

    store: Store

    @property
    def database(self) -> sqlite3.Connection:
        return self.store.database

    @property
    def layout(self) -> Layout:
        return self.store.layout

    @property
    def schema(self) -> RecordSchema | None:
        return self.store.schema

    def documents(self) -> list[DocumentLine]:
        """All documents, in id order."""
        return document_lines(self.database, self.layout)

    def document(self, document: int) -> DocumentLine:
        """One document.

        Raises:
            InputError: it is not in the database.
        """
        found = document_lines(self.database, self.layout, document)
        if not found:
            raise InputError(f"there is no document {document}", where=self.store.path, hint="`adjudicate records list` shows them")
        return found[0]

    def records(self, document: int) -> list[Record]:
        """The records of a document, deleted ones too."""
        return read_records(self.database, self.layout, document)

    def record(self, identity: str) -> Record:
        """A record as it stands now.

        Raises:
            InputError: it is not in the database.
        """
        found = read_records(self.database, self.layout, record=identity)
        if not found:
            raise InputError(f"there is no record {identity}", where=self.store.path)
        return found[0]

    def content(self, document: int) -> str | None:
        """The stored text of a document, undecoded (`scoring.records.inputs.text_pages` makes pages of it)."""
        return document_content(self.database, self.layout, document)

    def sight(self, document: int) -> Sight:
        """A document with its records and its text, ready to be searched. Errors as `document`."""
        return read_sight(self.database, self.layout, self.schema, self.document(document))

    def history(self, document: int | None = None, record: str | None = None, column: str | None = None) -> list[Change]:
        """What was done to a document, a record or a cell, oldest first."""
        return history(self.database, self.layout, document, record, column)

    def field(self, column: str) -> Field:
        """The schema's field of a column.

        Raises:
            InputError: there is no schema, or it does not declare the column: then nothing can be typed safely.
        """
        if self.schema is None:
            raise InputError(
                "no JSON Schema was found that fits this database, so values cannot be checked",
                where=self.store.path,
                hint="give it with --schema, or put it beside the database as ecoextract_schema.json",
            )
        if column not in self.schema.by_name or column not in self.layout.fields:
            raise InputError(f"{column} is not a field to edit", where=self.schema.source, hint=f"fields are {', '.join(self.fields())}")
        return self.schema.by_name[column]

    def fields(self) -> tuple[str, ...]:
        """The columns that can be edited, in table order."""
        return tuple(name for name in self.layout.fields if self.schema is not None and name in self.schema.by_name)
