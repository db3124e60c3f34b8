"""How often each agent was right where it was about as sure: beside the confidence of what waits. Counted aside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from store.errors import MeminboxError

if TYPE_CHECKING:
    from console.app import DeskApp
    from store.calibration import Trust
    from store.engine import Store

AFTER: Final = 3.0
"""Seconds after the opening: everything else comes first."""
AGAIN: Final = 60.0
"""Seconds between two counts: one decision more or less changes little."""
NEWEST: Final = 20_000
"""Proposals that are looked at, so that a count stays short."""
LEAST: Final = 5
"""Decisions below which a share says nothing."""

Shares = Mapping[tuple[str, float], tuple[int, int]]
"""By agent and bin of stated confidence: how many were right, of how many decisions."""


class Trusted:
    """The shares of one console. All but the count itself runs on the UI thread."""

    def __init__(self, app: DeskApp) -> None:
        self._app = app
        self._waiting = False
        self.shares: Shares = {}

    def begin(self) -> None:
        """The store is open."""
        self._later(AFTER)

    def changed(self) -> None:
        """Somebody committed something."""
        self._later(AGAIN)

    def _later(self, seconds: float) -> None:
        if not self._waiting:
            self._waiting = True
            self._app.set_timer(seconds, self._count)

    def _count(self) -> None:
        self._waiting = False

        def job(store: Store) -> Trust:
            from store.trust import trust

            return trust(store, limit=NEWEST)

        def fail(error: MeminboxError) -> None:
            """The next look at the store tells of it; here nothing depends on it."""
            del error

        self._app.ask("trust", job, self._got, fail=fail)

    def _got(self, told: Trust) -> None:
        self.shares = {
            (record.agent, one.low): (one.right, one.decided)
            for record in told.agents
            if record.kind is None and record.agent is not None
            for one in record.bins
            if one.low is not None and one.decided >= LEAST
        }
