"""The documents of a database as a list to move over: found by words, sorted, the open ones alone. Plain Python, no Textual.

The cursor is a document's id, never a position: finding, sorting and reading anew leave it where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from scoring.records.inputs.material import DocumentLine
from scoring.records.review.review_session import Review

FUZZY = 75
# Shorter words than this must stand as they are typed: of three letters two agree by chance.
FORGIVING = 5
ORDERS: dict[str, Callable[[DocumentLine], tuple[object, ...]]] = {
    "id": lambda line: (line.id,),
    "title": lambda line: ((line.title or line.name).casefold(), line.id),
    "author": lambda line: (line.author.casefold(), line.year, line.id),
    "most records": lambda line: (-line.records, line.id),
    "most edits": lambda line: (-line.edits, line.id),
    "last reviewed": lambda line: (line.reviewed_at is None, _backwards(line.reviewed_at or ""), line.id),
}


def _backwards(text: str) -> tuple[int, ...]:
    """Sorts later times first."""
    return tuple(-ord(character) for character in text)


@dataclass(slots=True)
class DocumentList:
    """All documents, and those listed.

    Attributes:
        documents: all documents by id; `listed` the ids shown, in order.
        wanted: the words to find; `order` one of `ORDERS`; `only_open` whether reviewed documents are left out.
        document: id of the document of the cursor.
    """

    review: Review
    documents: dict[int, DocumentLine] = field(default_factory=dict)
    listed: list[int] = field(default_factory=list)
    wanted: str = ""
    order: str = "id"
    only_open: bool = False
    document: int | None = None

    def read(self) -> None:
        """Read the list anew; the cursor stays where it is."""
        self.documents = {line.id: line for line in self.review.documents()}
        self.arrange()

    def find(self, words: str) -> None:
        """List the documents that the words fit, spelling mistakes forgiven; all without words."""
        self.wanted = words.strip()
        self.arrange()

    def sort(self) -> str:
        """Take the next order; which."""
        names = tuple(ORDERS)
        self.order = names[(names.index(self.order) + 1) % len(names)]
        self.arrange()
        return self.order

    def switch_open(self) -> bool:
        """List the documents not reviewed alone, or all again; whether it is the open ones now."""
        self.only_open = not self.only_open
        self.arrange()
        return self.only_open

    def arrange(self) -> None:
        """Work out what is listed; the first open document gets the cursor where its own is not listed any more."""
        words = tuple(self.wanted.casefold().split())
        fitting = [line for line in self.documents.values() if not (self.only_open and line.reviewed) and fits(line, words)]
        self.listed = [line.id for line in sorted(fitting, key=ORDERS[self.order])]
        if self.document not in self.listed:
            open_ones = (one for one in self.listed if not self.documents[one].reviewed)
            self.document = next(open_ones, self.listed[0] if self.listed else None)

    def go_to(self, document: int) -> bool:
        """Put the cursor on a document; what hides it is lifted. Whether there is such a document."""
        if document not in self.documents:
            return False
        self.document = document
        if document not in self.listed:
            self.wanted, self.only_open = "", False
            self.arrange()
        return True

    @property
    def line(self) -> DocumentLine | None:
        """The document of the cursor."""
        return self.documents.get(self.document) if self.document is not None else None

    @property
    def place(self) -> int:
        """Where the cursor stands among those listed, from 0; -1 where it does not."""
        return self.listed.index(self.document) if self.document in self.listed else -1

    def move_document(self, by: int) -> None:
        """Move over the list."""
        if self.listed:
            self.document = self.listed[min(max(max(self.place, 0) + by, 0), len(self.listed) - 1)]

    def next_unreviewed(self) -> bool:
        """To the next document that is not reviewed, round to the beginning; whether there is one."""
        at = self.place + 1
        found = next((one for one in (*self.listed[at:], *self.listed[:at]) if not self.documents[one].reviewed), None)
        if found is not None:
            self.document = found
        return found is not None


def fits(line: DocumentLine, words: Sequence[str]) -> bool:
    """Whether every word (case folded) is in what the list says of a document, or nearly."""
    text = f"{line.id} {line.name} {line.title} {line.author} {line.year}".casefold()
    return all(word in text or (forgiven(word) and fuzz.partial_ratio(word, text) >= FUZZY) for word in words)


def forgiven(word: str) -> bool:
    """Whether a word may be misspelt: not a short one, nor one with digits, which name one thing and not its neighbour."""
    return len(word) >= FORGIVING and not any(character.isdecimal() for character in word)
