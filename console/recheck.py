"""How many memories are due for another look: in the header once a week, until somebody has looked.

Counted late, in a thread, and once a day at most while the console stays open; it never delays a key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from store.errors import MeminboxError

if TYPE_CHECKING:
    from console.app import DeskApp
    from store.engine import Store

AFTER: Final = 4.0
"""Seconds after the opening: what git says is known by then."""
AGAIN: Final = 86_400.0
"""Seconds between two counts."""


class Recheck:
    """The number of one console. All but the count runs on the UI thread."""

    def __init__(self, app: DeskApp) -> None:
        self._app = app
        self.number = 0
        """How many are due; 0 where somebody has looked this week, or it is not known."""

    def begin(self) -> None:
        """The store is open."""
        self._app.set_timer(AFTER, self._count)
        self._app.set_interval(AGAIN, self._count)

    def seen(self) -> None:
        """Somebody looks at them now: the header need not ask."""
        if self.number:
            self.number = 0
            self._app.facts_told()

    def _count(self) -> None:
        project, scopes = self._app.project, self._app.scopes
        if project is None:
            return
        gone = self._app.outlook.gone

        def job(store: Store) -> int:
            from store import rechecking

            if rechecking.looked_this_week(store, project.identity):
                return 0
            return len(rechecking.due(store, scopes, gone=gone))

        def fail(error: MeminboxError) -> None:
            del error

        self._app.ask("recheck", job, self._got, fail=fail)

    def _got(self, number: int) -> None:
        if number != self.number:
            self.number = number
            self._app.facts_told()
