"""Where tests find the real data that is not part of the project."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared(*parts: str) -> Path:
    """A path under `$ADJUDICATE_SHARED`, else `../shared`; the test is skipped where it is absent."""
    base = Path(os.environ.get("ADJUDICATE_SHARED") or ROOT.parent / "shared")
    path = base.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs the shared data at {base} (set ADJUDICATE_SHARED), which has no {Path(*parts)}")
    return path
