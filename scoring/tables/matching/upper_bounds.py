"""What the similarity of every GT name and every model name of a page cannot exceed, in one sweep (`docs/method.md#pairing-speed`).

Matched blocks are a common subsequence, so the longest common subsequence bounds them; put into the very expression of
difflib, where rounding is monotone, it bounds the ratio as a float. Each `?` of GT may match one character more. Token
overlap is counted from the tokens that GT and model share; a `?` token counts with every model token that it fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

Floats = NDArray[np.float64]
Indexes = NDArray[np.int64]

# Cells (GT name x reading) worked on at a time: keeps what is alive at once near 20 MB, whatever the size of the page.
BLOCK = 1 << 20


def _fitting(token: str) -> str:
    """A pattern for the lines that a `?` token fits: `?` stands for any one character, and no token holds a line break."""
    return "^" + re.escape(token).replace(r"\?", ".") + "$"


class Bounds:
    """Upper bounds of similarity to the GT names of one page.

    Args:
        forms: the GT names in name normal form. The bounds of an empty one are of no use.
    """

    def __init__(self, forms: Sequence[str]) -> None:
        self._forms = tuple(forms)
        self._bare = [form.replace("?", "") for form in forms]
        # Sums of lengths are exact as floats, and divide faster than integers do.
        self._lengths = np.array([len(form) for form in forms], dtype=np.float64)
        self._wild = np.array([form.count("?") for form in forms], dtype=np.int64)
        words = [set(form.split()) for form in forms]
        self._plain = [{word for word in some if "?" not in word} for some in words]
        self._patterns = {
            at: re.compile("|".join(_fitting(word) for word in sorted(some) if "?" in word), re.MULTILINE)
            for at, some in enumerate(words)
            if self._wild[at]
        }
        self._vocabulary = {word for some in self._plain for word in some}
        # One `?` token that stands twice may be resolved into two different ones.
        self._sizes = np.array([len(form.split()) for form in forms], dtype=np.int64)
        # Two tokens may become one when a `?` is resolved; those without `?` stay as many as they are.
        self._least_sizes = np.array([len(some) for some in self._plain], dtype=np.int64)

    def one(self, gt: int, text: str) -> float:
        """Bound of one GT name and one text."""
        size, length = len(self._forms[gt]), len(text)
        common = LCSseq.similarity(self._bare[gt], text)
        words = set(text.split())
        shared = self._plain[gt] & words
        if gt in self._patterns:
            common = min(common + int(self._wild[gt]), size, length)
            shared |= set(self._patterns[gt].findall("\n".join(words)))
        by_tokens = min(len(shared), int(self._sizes[gt])) / max(len(self._plain[gt]), len(words), 1)
        return max(2.0 * common / (size + length) if size + length else 1.0, by_tokens)

    def matrix(self, names: Sequence[Sequence[str]], only: int | None = None) -> tuple[Floats, list[int]]:
        """Bounds of GT x model names, each name a non-empty sequence of the texts it may be read as.

        Args:
            names: the model names.
            only: the one GT name that is asked for; else all.

        Returns:
            (number of GT names) x (number of names) floats, and for each column the index of its name.
        """
        first, last = (0, len(self._bare)) if only is None else (only, only + 1)
        # Names with most readings first: the k-th readings then lie beside each other, under the first columns.
        order = sorted(range(len(names)), key=lambda at: -len(names[at]))
        texts: list[str] = []
        widths: list[int] = []
        live = [names[at] for at in order]
        while live:
            rank = len(widths)
            texts.extend(name[rank] for name in live)
            widths.append(len(live))
            live = [name for name in live if len(name) > rank + 1]
        bounds = np.zeros((last - first, len(names)))
        if not bounds.size:
            return bounds, order
        lengths = np.array([len(text) for text in texts], dtype=np.float64)
        sizes, columns, lines = self._model_tokens(texts)
        longest = min(int(self._lengths.max()), int(lengths.max()))
        small = np.uint8 if longest < 1 << 8 else np.uint16 if longest < 1 << 16 else np.uint32
        step = max(1, BLOCK // len(texts))
        for start in range(first, last, step):
            stop = min(start + step, last)
            common = cdist(self._bare[start:stop], texts, scorer=LCSseq.similarity, dtype=small)
            values: Floats = common.astype(np.float64)
            ours = self._lengths[start:stop]
            for gt in np.flatnonzero(self._wild[start:stop]).tolist():
                row = values[gt]
                row += self._wild[start + gt]
                np.minimum(row, np.minimum(ours[gt], lengths), out=row)
            values *= 2.0
            values /= ours[:, None] + lengths
            self._raise_by_tokens(values, start, stop, sizes, columns, lines)
            part = bounds[start - first : stop - first]
            part[:] = values[:, : widths[0]]
            at = widths[0]
            for width in widths[1:]:
                np.maximum(part[:, :width], values[:, at : at + width], out=part[:, :width])
                at += width
        return bounds, order

    def _model_tokens(self, texts: Sequence[str]) -> tuple[Indexes, dict[str, Indexes], str]:
        """Token set sizes of the texts, where each token of interest stands, and all of them as lines if any GT name has a `?`."""
        of_interest = None if self._patterns else self._vocabulary
        sizes: list[int] = []
        where: dict[str, list[int]] = {}
        for column, text in enumerate(texts):
            words = set(text.split())
            sizes.append(len(words))
            for word in words if of_interest is None else words & of_interest:
                if word in where:
                    where[word].append(column)
                else:
                    where[word] = [column]
        columns = {word: np.array(some, dtype=np.int64) for word, some in where.items()}
        return np.array(sizes, dtype=np.int64), columns, "\n".join(where) if self._patterns else ""

    def _raise_by_tokens(self, values: Floats, start: int, stop: int, sizes: Indexes, columns: dict[str, Indexes], lines: str) -> None:
        """Lift the bounds of the GT names from `start` to `stop` to those of token overlap, in place."""
        width = values.shape[1]
        shared = np.zeros((stop - start, width), dtype=np.uint16)
        for gt, line in enumerate(shared, start):
            words: Iterable[str] = self._plain[gt]
            if gt in self._patterns:
                words = {*words, *self._patterns[gt].findall(lines)}
            for word in words:
                if word in columns:
                    line[columns[word]] += 1
        cells = np.flatnonzero(shared)
        rows, places = np.divmod(cells, width)
        counts = shared.reshape(-1)[cells]
        rows += start
        overlap = np.minimum(counts, self._sizes[rows]) / np.maximum(self._least_sizes[rows], sizes[places])
        flat = values.reshape(-1)
        flat[cells] = np.maximum(flat[cells], overlap)
