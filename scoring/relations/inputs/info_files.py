"""The metadata files of runs, `*-info.json` (`docs/hipe-behaviour.md#info-files`)."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REQUIRED = ("hipe_parameter_count", "team_parameter_count", "hipe_model_size", "team_model_size")
RANKED = ("hipe_parameter_count", "hipe_model_size")
OPT_OUT = "team_efficiency_opt_out"

UNKNOWN_COUNT, UNKNOWN_SIZE = 999_999_999_999, 999_999
"""What the organisers of 2026 wrote for "unknown" (`docs/hipe-behaviour.md#bug-12`)."""

BITS_A_PARAMETER = (1.0, 70.0)
"""Beyond these a size in MiB and a parameter count do not belong together: 1-bit weights at least, 64-bit with overhead at most."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What an information file says of a run. Sizes are numbers as JSON gave them, `hipe_model_size` in MiB.

    `error` is the official sentence where the file is unsound; `doubts` are sentences on values that cannot be true.
    """

    hipe_parameter_count: int | float | None = None
    team_parameter_count: Any = None
    hipe_model_size: int | float | None = None
    team_model_size: Any = None
    opt_out: bool = False
    missing: bool = False
    error: str = ""
    error_names_file: bool = True
    doubts: tuple[str, ...] = ()

    def usable(self, key: str) -> int | float | None:
        """A size fit to be ranked by ours: finite and not negative, else None."""
        value: int | float | None = getattr(self, key)
        return value if value is not None and math.isfinite(value) and value >= 0 else None


def read_info(path: Path) -> RunInfo:
    """Read one information file; an absent one is missing, an unsound one carries its error. Never raises."""
    name = path.name
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return RunInfo(missing=True)
    except OSError as fault:
        return RunInfo(error=f"{name} cannot be read ({fault.strerror}).")
    try:
        value = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as fault:
        return RunInfo(error=str(fault), error_names_file=False)
    if not isinstance(value, dict):
        return RunInfo(error=f"{name} must contain a JSON object.")
    for key in REQUIRED:
        if key not in value:
            return RunInfo(error=f"{name} is missing required key '{key}'.")
    for key in RANKED:
        held = value[key]
        if held is not None and not _is_number(held):
            return RunInfo(error=f"{name} key '{key}' must be numeric or null.")
    opt_out = value.get(OPT_OUT, False)
    if not isinstance(opt_out, bool):
        return RunInfo(error=f"{name} key '{OPT_OUT}' must be boolean when provided.")
    return RunInfo(
        value["hipe_parameter_count"],
        value["team_parameter_count"],
        value["hipe_model_size"],
        value["team_model_size"],
        opt_out=opt_out,
        doubts=tuple(_doubts(value)),
    )


def _is_number(held: object) -> bool:
    """A number fit for arithmetic: no boolean, and no whole number beyond what a floating-point number can hold."""
    if isinstance(held, bool) or not isinstance(held, int | float):
        return False
    try:
        float(held)
    except OverflowError:
        return False
    return True


def _doubts(value: dict[str, Any]) -> list[str]:
    """Values that are numbers and yet cannot be true: not finite, negative, or a size that does not fit the count."""
    doubts = []
    for key in RANKED:
        held = value[key]
        if held is None:
            continue
        if not math.isfinite(held):
            doubts.append(f"`{key}` is {held}, which is no size")
        elif held < 0:
            doubts.append(f"`{key}` is negative ({held})")
    count, size = value["hipe_parameter_count"], value["hipe_model_size"]
    if doubts or count is None or size is None:
        return doubts
    if count >= UNKNOWN_COUNT or size >= UNKNOWN_SIZE:
        return [f"{count} parameters and {size} MiB look like placeholders for an unknown size; write null instead"]
    if (count == 0) != (size == 0):
        return [f"{count} parameters and {size} MiB cannot both be true"]
    if count and size:
        bits = size * 2**20 * 8 / count
        low, high = BITS_A_PARAMETER
        if not low <= bits <= high:
            return [f"{count} parameters in {size} MiB make {bits:.3g} bits a parameter; is the count or the unit (MiB) wrong?"]
    return doubts
