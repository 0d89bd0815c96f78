"""The short content hash by which inputs, rows and cases are recognised on every machine. Imports nothing of ours."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable


def content_hash(value: object) -> str:
    """8 hex digits of SHA-256 over the value's canonical JSON (keys sorted, no spaces, characters as they are)."""
    return hashlib.sha256(_canonical(value)).hexdigest()[:8]


def list_hash(items: Iterable[object]) -> str:
    """`content_hash` of the list of the items, of which one at a time is in memory."""
    digest = hashlib.sha256(b"[")
    for at, item in enumerate(items):
        digest.update(b"," + _canonical(item) if at else _canonical(item))
    digest.update(b"]")
    return digest.hexdigest()[:8]


def _canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogatepass")
