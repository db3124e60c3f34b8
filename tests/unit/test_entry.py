"""The entry's commitment is one spelling, whatever makes it quicker: what was committed once is verified for ever."""

from __future__ import annotations

import hashlib
import json

from hypothesis import example, given
from hypothesis import strategies as st

from store.entry import commitment

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXTS, TEXTS | st.none(), st.integers(1, 10**9))
@example('{"content":"\\u2028 部署 \\\\ \\" \\x00\\x7f"}', "null", 1)
def test_a_commitment_is_the_hash_of_compact_json(said: str, before: str | None, revision: int) -> None:
    spelled = json.dumps(["5a17", said, before, "active", revision], ensure_ascii=False, separators=(",", ":"))
    expected = hashlib.sha256(spelled.encode("utf-8")).hexdigest()
    assert commitment("5a17", said, before, "active", revision) == expected
