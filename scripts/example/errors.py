"""How a historical hand is misread: keyed chance, letter confusions, and the forms a value is written in.

Every chance is drawn from a generator seeded with a text key, so that a draw does not depend on how many were made before it:
an error of one model recurs over its runs when the key names no run, and a milder phase repeats a subset of the errors of a
worse one when the keys are the same. Only `Random.random()` is used, whose sequence Python promises to keep.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

SEED = 1769

Option = TypeVar("Option")

# Look-alikes of the hand, longest first at a place. What a letter is taken for, likeliest first.
CONFUSIONS: dict[str, tuple[str, ...]] = {
    "rn": ("m",), "in": ("m", "ni"), "ll": ("tt", "l"), "ss": ("fs", "s"), "ch": ("d", "eh"), "tt": ("ll", "t"), "zz": ("rr", "z"),
    "a": ("o", "u"), "b": ("h", "l"), "c": ("e", "r"), "d": ("cl", "o"), "e": ("c", "i"), "f": ("s", "p"), "g": ("q", "y"),
    "h": ("b", "k"), "i": ("e", "r"), "k": ("h", "b"), "l": ("t", "b"), "m": ("rn", "ni"), "n": ("u", "r"), "o": ("a", "e"),
    "p": ("f", "y"), "q": ("g", "p"), "r": ("v", "s"), "s": ("f", "r"), "t": ("l", "r"), "u": ("n", "a"), "v": ("r", "u"),
    "w": ("iv", "vu"), "x": ("r", "y"), "y": ("g", "ij"), "z": ("r", "s"), "ò": ("o", "a"), "è": ("e", "c"),
    "A": ("H", "M"), "B": ("R", "P"), "C": ("G", "E"), "D": ("O", "P"), "E": ("C", "L"), "F": ("T", "P"), "G": ("C", "S"),
    "H": ("A", "K"), "I": ("J", "S"), "K": ("R", "H"), "L": ("S", "Z"), "M": ("N", "W"), "N": ("M", "V"), "O": ("Q", "D"),
    "P": ("B", "F"), "Q": ("O", "G"), "R": ("B", "K"), "S": ("L", "G"), "T": ("F", "C"), "U": ("V", "N"), "V": ("U", "N"),
    "W": ("M", "U"), "Z": ("L", "G"),
}  # fmt: skip
_LONGEST = max(map(len, CONFUSIONS))


def draw(*key: object) -> float:
    """A number in [0, 1) that depends on the key alone."""
    return random.Random("/".join(map(str, (SEED, *key)))).random()


def pick(options: Sequence[Option], *key: object) -> Option:
    """One of the options, by the key alone."""
    return options[int(draw(*key) * len(options))]


def misread(text: str, rate: float, *key: object) -> str:
    """`text` with letters taken for others. Each place errs when its draw is below `rate`, so a lower rate errs at a subset of places."""
    out: list[str] = []
    at = 0
    while at < len(text):
        size = next((size for size in range(_LONGEST, 0, -1) if text[at : at + size] in CONFUSIONS), 0)
        if size and draw(*key, "place", at) < rate:
            options = CONFUSIONS[text[at : at + size]]
            out.append(options[0] if draw(*key, "letter", at) < 0.7 else options[-1])
            at += size
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


# Lines in a clear hand (page, line): the cited worked cases among them stay recognisable in what models add to them.
CLEAR = frozenset({("28", 2), ("28", 3), ("28", 9), ("36", 1), ("36", 3), ("36", 7), ("36", 8), ("36", 22), ("39", 8), ("39", 9)})


def difficulty(page: str, row: int) -> float:
    """How hard a line is for every model, 0.15 to 1.75: what is hard for one reader is hard for all."""
    return 0.15 if (page, row) in CLEAR else 0.25 + 1.5 * draw("difficulty", page, row)


MONTHS = {"February": ("Feb.", "febraro"), "April": ("Apr.", "aprile"), "November": ("Nov.", "9bre")}


def dated(date: str, style: str) -> str:
    """A register date in the format a model writes it in: `asked`, `padded`, `day-first`, `short` or `raw`."""
    month, day, year = date.split()
    return {
        "asked": date,
        "padded": f"{month} {int(day):02d} {year}",
        "day-first": f"{day} {month} {year}",
        "short": f"{MONTHS[month][0]} {day}, {year}",
        "raw": f"{day} {MONTHS[month][1]} {year}",
    }[style]
