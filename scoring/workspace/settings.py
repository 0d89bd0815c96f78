"""`adjudicate.toml`: what changes figures, each with its default (`docs/settings.md`). An unknown key is an error with a suggestion."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from scoring.foundations.problems import InputError
from scoring.foundations.toml_files import line_of, read_toml

BLANK_WORDS = ("null", "null.", "none", "nan", "n/a", "-", "unknown", "<unknown>")
JOINERS = ("e", "et", "und", "u.", "u", "&", ",")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a workspace that change figures.

    Attributes:
        gate: similarity at and above which a pair is a match (inclusive).
        width: half-width of the borderline queue around the gate.
        misread_floor: similarity from which a leftover row is suggested as a misreading.
        merge_token_ratio: how alike a token of a GT name and one of a model name must be for a merge.
        joiners: words and signs that join two names in one row.
        blank_words: whole cells that mean "nothing", compared without case.
        majority: share of models that must agree on another reading (of a name or a value) for the queue "against the key".
        aliases: keys of the answers, each with the field it means.
        encoding: the encoding of ground truth that is neither UTF-8 nor UTF-16; empty: cp1252, with a warning.
        exclude_log_lines: faulty lines of the log to leave out, each by its hash or as FILE:LINE.
    """

    gate: float = 0.70
    width: float = 0.10
    misread_floor: float = 0.45
    merge_token_ratio: float = 0.85
    joiners: tuple[str, ...] = JOINERS
    blank_words: tuple[str, ...] = BLANK_WORDS
    majority: float = 0.5
    exclude_log_lines: tuple[str, ...] = ()
    encoding: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict, compare=False)

    def parsed(self) -> dict[str, object]:
        """Return what changes figures, as plain values, for the fingerprint.

        Aliases and encoding change what is read, and lines left out change the log: their own fingerprints show them.
        """
        values = asdict(self)
        for name in ("keys", "exclude_log_lines", "aliases", "encoding"):
            del values[name]
        return values


def read_settings(path: Path) -> Settings:
    """Read a workspace's settings; an absent file means the defaults.

    Raises:
        InputError: not TOML, an unknown key (with a suggestion), or a value of the wrong type or range.
    """
    found = read_toml(path, "the settings are")
    if found is None:
        return Settings()
    document, text = found
    known = {entry.name: entry for entry in fields(Settings)}
    defaults = Settings()
    values: dict[str, object] = {}
    for key, value in document.items():
        line = line_of(text, key)
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean `{near[0]}`" if near else f"known keys are {', '.join(known)}"
            raise InputError(f"unknown setting `{key}`", where=path, line=line, hint=hint)
        wrong = _fault(key, value, getattr(defaults, key))
        if wrong:
            raise InputError(wrong, where=path, line=line)
        values[key] = _value(value)
    return Settings(**values)  # type: ignore[arg-type]


def _fault(key: str, value: object, default: object) -> str:
    """What is wrong with the value of a setting; nothing where it is of the kind of its default."""
    if isinstance(default, float):
        fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
        return "" if fits else f"`{key}` must be a number from 0 to 1, not {value!r}"
    if isinstance(default, tuple):
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            return f"`{key}` must be a list of texts, not {value!r}"
        return f"`{key}` holds a blank text, which every name would meet" if not all(word.strip() for word in value) else ""
    if isinstance(default, str):
        return "" if isinstance(value, str) else f"`{key}` must be a text, not {value!r}"
    if key == "aliases":
        fits = isinstance(value, dict) and all(isinstance(name, str) for name in value.values())
        return "" if fits else "`[aliases]` must map keys of the answers to fields, each a text"
    fits = isinstance(value, dict) and all(isinstance(word, str) for word in value.values())
    return "" if fits else f"`[{key}]` must map action names to keys, each a text"


def _value(value: object) -> object:
    if isinstance(value, list):
        return tuple(value)
    return float(value) if isinstance(value, int) else value
