"""How the log names documents and records of a database, and the ids of their cases (`docs/log.md#fields`)."""

from __future__ import annotations

from scoring.adjudication.cases import case_id

PREFIX = "d"


def record_target(document: int, record: str | None) -> str:
    """`document:12` or `record:12:UUID`."""
    return f"document:{document}" if record is None else f"record:{document}:{record}"


def record_case(record: str) -> str:
    """The id of a record's case: the same whatever file the record travels in."""
    return case_id(PREFIX, "record", record)


def document_case(document: int, file_hash: object) -> str:
    """The id of a document's case: by what the document is, not by the file it is in."""
    return case_id(PREFIX, "document", str(file_hash) if file_hash is not None else document)
