"""Until when something holds, as a person types it. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from typing import Final

from store.errors import UsageError

LONGEST: Final = timedelta(days=365 * 100)
_SPAN: Final = re.compile(r"(\d{1,5})\s*(h|d|w|m|mo|y)?", re.ASCII | re.IGNORECASE)
_UNITS: Final = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "mo": 30, "y": 365}


def until(said: str, now: datetime) -> datetime:
    """The end, in UTC: of a day (``2027-01-31``, that day included, in the person's zone), or ``14d``, ``6w``, ``3m``.

    A bare number is days. Raises UsageError for anything else, and for a date that has passed.
    """
    text = said.strip()
    span = _SPAN.fullmatch(text)
    if span is not None:
        ahead = timedelta(days=int(span[1]) * _UNITS[(span[2] or "d").lower()])
        if not timedelta() < ahead <= LONGEST:
            raise UsageError("That is no time ahead.", todo="Type days, such as 14, or a date such as 2027-01-31.")
        return now.astimezone(UTC) + ahead
    try:
        day = datetime.strptime(text, "%Y-%m-%d").date()
        # Its last second, not the midnight after: wherever the end is told as a day, it is the day that was typed.
        found = datetime.combine(day, time(23, 59, 59)).astimezone().astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        raise UsageError(f'"{text}" is no date.', todo="Type days, such as 14, or a date such as 2027-01-31.") from None
    if found <= now:
        raise UsageError(f"{text} has passed.", todo="Type a day to come.")
    if found - now > LONGEST:
        raise UsageError(f"{text} is too far away.", todo="Leave the date out for no end.")
    return found
