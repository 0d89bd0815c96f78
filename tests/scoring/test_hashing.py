"""The fingerprint of a long list is that of the list, whichever way it is worked out."""

from __future__ import annotations

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from scoring.foundations.hashing import content_hash, list_hash

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters()), lambda part: st.lists(part) | st.dictionaries(st.text(), part)
)


@given(st.lists(VALUES, max_size=5))
def test_a_list_hashed_piece_by_piece_is_the_list_hashed_whole(items: list[object]):
    canonical = json.dumps(items, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    whole = hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    assert list_hash(iter(items)) == content_hash(items) == whole
