"""Where figures come from: the short hashes of everything that went into them (`docs/outputs.md#provenance`)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from scoring.foundations.problems import InputError

_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Provenance:
    """The inputs of a scoring, each 8 hex digits; the dates of the first and last run (YYYY-MM-DD, where given) and of generation."""

    ground_truth: str
    engine: str
    rules: str
    runs: str
    settings: str
    decisions: str
    runs_from: str | None = None
    runs_to: str | None = None
    generated: str = ""

    def as_dict(self) -> dict[str, str | None]:
        """Plain values, for JSON."""
        return asdict(self)


@lru_cache(maxsize=1)
def engine_fingerprint() -> str:
    """8 hex digits over the engine's own source: package-relative path and LF-normalised bytes of every `*.py` of `scoring/`.

    Worked out once in a process. The packaged example workspace is data, not engine.
    """
    return tree_fingerprint(_PACKAGE)


def tree_fingerprint(package: Path) -> str:
    """8 hex digits over the Python files of a folder, in the order of their paths."""
    digest = hashlib.sha256()
    files = {
        path.relative_to(package).as_posix(): path
        for path in package.rglob("*.py")
        if not {"example_workspace", "__pycache__"}.intersection(path.relative_to(package).parts)
    }
    for name in sorted(files):
        content = files[name].read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:8]


def run_dates(generated: Iterable[str | None]) -> tuple[str | None, str | None]:
    """The first and last day (YYYY-MM-DD, in UTC where a zone is given) on which runs say they were generated.

    Text that is no date is left out.
    """
    days: list[str] = []
    for text in generated:
        if not text:
            continue
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            continue
        days.append((moment.astimezone(UTC) if moment.tzinfo else moment).date().isoformat())
    return (min(days), max(days)) if days else (None, None)


def stated_date(date: str | None = None) -> str:
    """Return the moment of generation that the user states (`2026-11-29T00:00:00Z`); "" where nothing is stated.

    Args:
        date: a day (`2026-11-29`) or a moment, as `--date` gives it; else `SOURCE_DATE_EPOCH` counts.

    Raises:
        InputError: `date` is no date, or `SOURCE_DATE_EPOCH` is not a number of seconds.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if date:
        try:
            moment = datetime.fromisoformat(date.strip())
            moment = moment.astimezone(UTC) if moment.tzinfo else moment
        except (ValueError, OverflowError) as fault:
            raise InputError(f"--date is {date!r}, which is no date", hint="write it as 2026-11-29") from fault
    elif given:
        try:
            moment = datetime.fromtimestamp(int(given), UTC)
        except (ValueError, OverflowError, OSError) as fault:
            raise InputError(
                f"SOURCE_DATE_EPOCH is {given!r}, which is not a number of seconds", hint="unset it, or set it to seconds since 1970"
            ) from fault
    else:
        return ""
    return _written(moment)


def generation_date(date: str | None = None) -> str:
    """Return the moment that outputs state as their generation: the stated one (`stated_date`), else now, in UTC, to the second.

    Every date in an output file comes from here.
    """
    return stated_date(date) or _written(datetime.now(UTC))


def _written(moment: datetime) -> str:
    # `strftime` does not pad years below 1000.
    return moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def provenance_line(provenance: Provenance) -> str:
    """The sentence that stands on every output; without the date of generation, so that equal inputs give equal lines."""
    line = (
        f"Scoring inputs: ground truth {provenance.ground_truth}, engine {provenance.engine}, rules {provenance.rules}, "
        f"runs {provenance.runs}, settings {provenance.settings}, decisions {provenance.decisions}"
    )
    if provenance.runs_from is None:
        return line
    span = provenance.runs_from if provenance.runs_from == provenance.runs_to else f"{provenance.runs_from} to {provenance.runs_to}"
    return f"{line}; runs of {span}"
