"""The short content hash by which inputs, rows and cases are recognised on every machine. Imports nothing of ours."""

from __future__ import annotations

import hashlib
import json


def content_hash(value: object) -> str:
    """8 hex digits of SHA-256 over the value's canonical JSON (keys sorted, no spaces, characters as they are)."""
    canonical = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:8]
