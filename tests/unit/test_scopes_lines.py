"""The row of a scope: what stands under a heading is what the heading says."""

from __future__ import annotations

from datetime import UTC, datetime

from console.screens import scopes_lines
from store.scopes import Scope

NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def test_a_scope_that_was_changed_and_never_told_is_not_said_to_be_used() -> None:
    def last(used: datetime | None) -> str:
        one = Scope("shop", "shop", 1, 0, 0, used, NOW, None, "there")
        return "".join(str(part.text) for part in scopes_lines.row(one, 70, False, NOW, twins=False)).split()[-1]

    assert last(None) == "·"
    assert last(NOW) == "now"
