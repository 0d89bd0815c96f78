"""Small databases of our own for the tests of the records task."""

import json
import sqlite3
from datetime import datetime, timedelta

from scoring.records.database.creation import create, insert
from scoring.records.inputs.fields import schema_from
from scoring.records.review.review_session import Review

SCHEMA = {
    "type": "object",
    "properties": {
        "records": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "place": {"type": ["string", "null"]},
                    "count": {"type": ["integer", "null"], "minimum": 0},
                    "rate": {"type": ["number", "null"]},
                    "flag": {"type": ["boolean", "null"]},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "note": {"type": ["string", "null"]},
                },
                "required": ["name", "place", "count", "rate", "flag", "tags", "note"],
                "x-unique-fields": ["name", "place"],
            },
        }
    },
}


def make(folder, documents=1, records=3, author="Smith", year=2024, schema=SCHEMA, **document):
    """A database as EcoExtract would have made it, its schema beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "eco.db"
    (folder / "ecoextract_schema.json").write_text(json.dumps(schema))
    database = create(path, schema_from(schema, "test"))
    database.execute("BEGIN")
    for number in range(1, documents + 1):
        row = {
            "file_name": f"paper_{number}.pdf", "file_path": f"pdfs/paper_{number}.pdf", "file_hash": f"hash{number}",
            "upload_timestamp": "2026-01-05 09:00:00", "first_author_lastname": author, "publication_year": year,
            "document_content": "Some text.",
        }  # fmt: skip
        insert(database, "documents", row | document)
        for place in range(1, records + 1):
            insert(database, "records", record(number, place))
    database.execute("COMMIT")
    database.close()
    return path


def record(document, number, **values):
    identity = f"r{number}-uuid" if document == 1 else f"d{document}r{number}-uuid"
    row = {
        "id": identity, "document_id": document, "record_id": f"Smith_2024_1_r{number}", "name": f"name {number}",
        "place": f"place {number}", "count": number * 10, "rate": number + 0.5, "flag": number % 2,
        "tags": f'["tag {number}","b"]', "note": None if number == 3 else f"note {number}",
        "extraction_timestamp": "2026-01-05 09:00:00", "prompt_hash": "p1", "fields_changed_count": 0, "added_by_user": 0,
    }  # fmt: skip
    return row | values


class Clock:
    """Local time that moves on a minute at each look."""

    def __init__(self):
        self.now = datetime(2026, 3, 1, 10, 0)

    def __call__(self):
        self.now += timedelta(minutes=1)
        return self.now


def opened(path, verifier="ann", clock=None):
    return Review.open(path, path.parent / "adjudications", verifier, clock=clock or Clock())


def rows(path, table):
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    found = [dict(row) for row in database.execute(f"SELECT * FROM {table} ORDER BY rowid")]
    database.close()
    return found


def run(path, statement, *given):
    database = sqlite3.connect(path)
    database.execute(statement, given)
    database.commit()
    database.close()
