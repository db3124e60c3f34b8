"""Until when something holds, as typed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from store.errors import UsageError
from store.until import until

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "ahead"), [("14", 14), ("14d", 14), (" 6w ", 42), ("3m", 90), ("1y", 365), ("12h", 0.5)]
)
def test_a_time_ahead(said: str, ahead: float) -> None:
    assert until(said, NOW) == NOW + timedelta(days=ahead)


def test_a_day_is_included_whole() -> None:
    found = until("2027-01-31", NOW)
    assert found.astimezone().isoformat()[:19] == "2027-01-31T23:59:59"
    assert until("2026-11-30", NOW) > NOW


@pytest.mark.parametrize("said", ["", "0", "soon", "2026-11-28", "2027-02-30", "99999y", "9999-12-31", "２０", "-3"])
def test_what_is_no_time_ahead_is_refused(said: str) -> None:
    with pytest.raises(UsageError):
        until(said, NOW)
