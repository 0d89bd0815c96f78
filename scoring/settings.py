"""`adjudicate.toml`: what changes figures, each with its default (`7-shapes`, Settings). An unknown key is an error with a suggestion."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Final

from scoring.files import read_bytes
from scoring.problems import InputError

_LIMIT: Final = 1024 * 1024
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
        majority: share of models that must agree on another reading for the queue "against the key".
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
    keys: Mapping[str, str] = field(default_factory=dict, compare=False)

    def parsed(self) -> dict[str, object]:
        """What changes figures, as plain values, for the fingerprint. What is left out of the log shows in the log's own."""
        values = asdict(self)
        del values["keys"], values["exclude_log_lines"]
        return values


def read_settings(path: Path) -> Settings:
    """Read a workspace's settings; an absent file means the defaults.

    Raises:
        InputError: not TOML, an unknown key (with a suggestion), or a value of the wrong type or range.
    """
    if not path.exists():
        return Settings()
    content = read_bytes(path, limit=_LIMIT)
    try:
        document = tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as fault:
        raise InputError(f"the settings are not readable TOML ({fault})", where=path, hint="mend the line named") from fault
    known = {entry.name: entry for entry in fields(Settings)}
    values: dict[str, object] = {}
    for key, value in document.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean `{near[0]}`" if near else f"known keys are {', '.join(known)}"
            raise InputError(f"unknown setting `{key}`", where=path, hint=hint)
        default = getattr(Settings(), key)
        if isinstance(default, float):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise InputError(f"`{key}` must be a number from 0 to 1, not {value!r}", where=path)
            values[key] = float(value)
        elif isinstance(default, tuple):
            if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
                raise InputError(f"`{key}` must be a list of texts, not {value!r}", where=path)
            values[key] = tuple(value)
        else:
            if not isinstance(value, dict) or not all(isinstance(word, str) for word in value.values()):
                raise InputError(f"`[{key}]` must map action names to keys, each a text", where=path)
            values[key] = dict(value)
    return Settings(**values)  # type: ignore[arg-type]
