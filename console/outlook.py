"""How many memories of this project git has made false: beside the screen's name, looked for once all else is done.

It looks at a bounded number of memories, in a thread that yields to the keys between pages, and begins late. A look
that cannot be had (no repository) is nothing to be told here: the screen itself says why.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from store.errors import MeminboxError

if TYPE_CHECKING:
    from console.app import DeskApp
    from store.engine import Store
    from store.outdated import Preview

AFTER: Final = 1.5
"""Seconds after the opening."""
AGAIN: Final = 10.0
"""Seconds between two looks while others commit."""
MOST: Final = 5_000
"""Memories beyond which nobody is told before the screen is opened: that look takes seconds."""
YIELD: Final = 0.01
"""Seconds that are left to the keys after each page."""


class Outlook:
    """The number of one console, and the preview that it comes from. All but the look runs on the UI thread."""

    def __init__(self, app: DeskApp) -> None:
        self._app = app
        self._waiting = False
        self.preview: Preview | None = None

    @property
    def number(self) -> int | None:
        """How many are false and not kept; None where that is not known."""
        if self.preview is None:
            return None
        return sum(row.suggested is not None for row in self.preview.rows)

    @property
    def gone(self) -> dict[str, object]:
        """Those that are false and not kept, by id; empty where that is not known."""
        rows = self.preview.rows if self.preview is not None else ()
        return {row.id: row for row in rows if row.suggested is not None}

    def begin(self) -> None:
        """The store is open."""
        self._later(AFTER)

    def changed(self) -> None:
        """Somebody committed something."""
        self._later(AGAIN)

    def seen(self, preview: Preview) -> None:
        """The screen has looked itself."""
        self.preview = preview

    def _later(self, seconds: float) -> None:
        if not self._waiting:
            self._waiting = True
            self._app.set_timer(seconds, self._look)

    def _look(self) -> None:
        self._waiting = False
        project = self._app.project
        if project is None:
            return

        def job(store: Store) -> Preview | None:
            from store import queries, stopping
            from store.outdated import Stopped, preview
            from store.selecting import Rule

            scopes = (project.identity,)
            number = len(queries.memory_ids(store, scopes=scopes))
            if not 0 < number <= MOST:
                return None
            rule = Rule(scopes, judged=True)
            try:
                return preview(store, rule, project, progress=lambda *_: time.sleep(YIELD), stopped=stopping.asked)
            except Stopped:
                return None

        def fail(error: MeminboxError) -> None:
            del error

        self._app.ask("outlook", job, self._got, fail=fail)

    def _got(self, found: Preview | None) -> None:
        if found is not None:
            self.preview = found
            self._app.facts_told()
