"""`campaign.toml`: what an organiser says of a campaign that its files do not (`docs/campaign.md#settings-of-a-campaign`)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scoring.foundations.problems import InputError
from scoring.foundations.toml_files import line_of, read_toml

FINAL, PROVISIONAL, EMBARGOED = "final", "provisional", "embargoed"
STATUSES = (FINAL, PROVISIONAL, EMBARGOED)
VOTER_CHOICES = ("official", "best-per-team", "above-baseline")


@dataclass(frozen=True, slots=True)
class ReferenceStatus:
    """How far a reference may be relied on and shown, and which version of the gold it is."""

    status: str = FINAL
    version: str = ""


@dataclass(frozen=True, slots=True)
class CampaignSettings:
    """The settings of a campaign.

    Attributes:
        references: status and version by reference stem; what is not named is final.
        accept_bom: read files that start with a UTF-8 byte order mark, which the official validator refuses.
        voters: which runs vote on the gold: `official` (first three rows), `best-per-team`, `above-baseline`.
        voter_teams: how many teams vote with `best-per-team`.
        resamples: bootstrap resamples over documents.
        seed: the seed of the bootstrap.
    """

    references: Mapping[str, ReferenceStatus] = field(default_factory=dict)
    accept_bom: bool = False
    voters: str = "official"
    voter_teams: int = 3
    resamples: int = 2000
    seed: int = 2026

    def status(self, reference_stem: str) -> ReferenceStatus:
        """What is said of a reference."""
        return self.references.get(reference_stem, ReferenceStatus())

    def restricted(self, stems: Iterable[str]) -> tuple[str, ...]:
        """Those of the references that are not final, each with its status, for the lines that must say so."""
        return tuple(f"{stem} ({self.status(stem).status})" for stem in sorted(set(stems)) if self.status(stem).status != FINAL)


def read_campaign_settings(path: Path) -> CampaignSettings:
    """Read `campaign.toml`; an absent file means the defaults.

    Raises:
        InputError: not TOML, an unknown key (with a suggestion), or a value of the wrong type or outside its choices; with the line.
    """
    found = read_toml(path, "the campaign's settings are")
    if found is None:
        return CampaignSettings()
    document, text = found
    types: dict[str, type] = {"references": dict, "accept_bom": bool, "voters": str, "voter_teams": int, "resamples": int, "seed": int}

    def refused(key: str, what: str) -> InputError:
        return InputError(what, where=path, line=line_of(text, key))

    for key, value in document.items():
        if key not in types:
            raise _unknown(key, types, path, line_of(text, key))
        if not isinstance(value, types[key]) or (types[key] is int and isinstance(value, bool)):
            raise refused(key, f"`{key}` must be {_kind(types[key])}, not {value!r}")
    if document.get("voters", "official") not in VOTER_CHOICES:
        raise refused("voters", f"`voters` must be one of {', '.join(VOTER_CHOICES)}, not {document['voters']!r}")
    for key, least in (("voter_teams", 1), ("resamples", 100), ("seed", 0)):
        if document.get(key, least) < least:
            raise refused(key, f"`{key}` must be at least {least}")
    references = {stem: _status(stem, value, path, text) for stem, value in document.pop("references", {}).items()}
    return CampaignSettings(references, **document)


def _status(stem: str, value: Any, path: Path, text: str) -> ReferenceStatus:
    inside = ("references", stem)
    if not isinstance(value, dict):
        what = f"`references.{stem}` must be a table with `status` and `version`"
        raise InputError(what, where=path, line=line_of(text, stem, inside[:1]))
    for key in value:
        if key not in ("status", "version"):
            raise _unknown(key, ("status", "version"), path, line_of(text, key, inside))
    status = value.get("status", FINAL)
    if status not in STATUSES:
        what = f"the status of {stem} must be one of {', '.join(STATUSES)}, not {status!r}"
        raise InputError(what, where=path, line=line_of(text, "status", inside))
    return ReferenceStatus(status, str(value.get("version", "")))


def _unknown(key: str, known: Iterable[str], path: Path, line: int | None) -> InputError:
    near = difflib.get_close_matches(key, list(known), n=1)
    hint = f"did you mean `{near[0]}`" if near else f"known keys are {', '.join(known)}"
    return InputError(f"unknown key `{key}`", where=path, line=line, hint=hint)


def _kind(kind: type) -> str:
    return {dict: "a table", bool: "true or false", str: "a text", int: "a whole number"}[kind]
