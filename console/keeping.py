"""The console looks after its store: a backup a day, and what an erasure has left to do. In a thread, after the start.

Nothing waits for it. Where it cannot be done the footer says so once; the next try is an hour later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from console.visible import Shown, visible
from store.errors import MeminboxError

if TYPE_CHECKING:
    from console.app import DeskApp
    from store.engine import Store
    from store.facts import Actor

AFTER: Final = 4.0
"""Seconds between the opening of the store and the first look."""
AGAIN: Final = 3600.0
"""Seconds between two looks of a console that stays open."""


class Keeper:
    """One console's care. ``wanted`` is false for a store that is thrown away."""

    def __init__(self, app: DeskApp, *, wanted: bool) -> None:
        self._app = app
        self._wanted = wanted
        self._told = False

    def begin(self) -> None:
        """The store is open."""
        store = self._app.store
        if self._wanted and store is not None and store.read_only is None and self._app.fenced is None:
            self._app.set_timer(AFTER, self._look)
            self._app.set_interval(AGAIN, self._look)

    def _look(self) -> None:
        store = self._app.store
        if store is None or self._app.broken is not None or self._app.busy("care"):
            return
        by = self._app.by
        self._app.run_aside("care", lambda: _cared(store, by), self._done, fail=self._failed)

    def _done(self, due: str) -> None:
        if due and not self._told:
            self._told = True
            self._app.say(visible(f"not all that was erased is gone: {due}", multiline=False), bad=True)

    def _failed(self, error: MeminboxError) -> None:
        if not self._told:
            self._told = True
            self._app.say(Shown(f"no backup today: {visible(str(error), multiline=False)}"), bad=True)


def _cared(store: Store, by: Actor) -> str:
    """Make today's backup; go on with an erasure that was cut short. What could not be done of it, in words."""
    from store import backup, config, erase

    due = ""
    if erase.unfinished(store):
        from store import erasing

        due = "; ".join(erasing.finish(store, by=by).due)
    backup.daily(store, config.load().copies)
    return due
