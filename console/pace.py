"""When a key may decide (design section 6). Pure: a clock goes in, a reason comes out.

A decision is taken only when what it is about has been painted for ``PAUSE`` seconds, when no other key event came in
those seconds, and when no other key follows within ``SETTLE`` (several characters in one read: a paste without
brackets, an input method's commit, words meant for another window).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

PAUSE: Final = 0.150
SETTLE: Final = 0.020
TOO_QUICK: Final = "too quick: nothing done, press it again"
JUST_SHOWN: Final = "too quick: it has only just appeared, nothing done; press it again"
CHANGED: Final = "it has changed this very moment: nothing done; look, then press it again"


class Pace:
    """The rhythm of a person's keys. ``clock`` gives seconds that only grow; tests bring their own."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.serial = 0
        """How many key events have come so far."""
        self._last = float("-inf")
        self._before = float("inf")

    def key(self) -> None:
        """A key event came in, whatever it means."""
        now = self.clock()
        self.serial += 1
        self._before = now - self._last
        self._last = now

    def refusal(self, painted: float | None, *, by_key: bool = True) -> str | None:
        """Why the present key (or click) may not decide on what was painted at ``painted``, or None where it may."""
        if by_key and self._before < PAUSE:
            return TOO_QUICK
        if painted is None or self.clock() - painted < PAUSE:
            return JUST_SHOWN
        return None

    @property
    def hurried(self) -> bool:
        """Whether the present key came right behind another: one that is held down, or fingers on their way."""
        return self._before < PAUSE

    @property
    def in_a_breath(self) -> bool:
        """Whether the present key came so close behind another as no finger does: both were sent at once."""
        return self._before < SETTLE
