"""The console's background work on meanings: load the encoder, then encode what has no vector, a little at a time.

It begins a second after the first paint, in a child process at low priority, and only where there is something to
encode. The item on the screen goes first; while keys come in it waits. Nothing is shown of it but how far it is, and
where it cannot go on, words alone judge likeness as before.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final

from console.widgets.header import DeskHeader
from store.errors import MeminboxError

if TYPE_CHECKING:
    from console.app import DeskApp
    from store.encoders import Encoder
    from store.engine import Store
    from store.indexing import Progress

AFTER: Final = 1.0
"""Seconds between the first paint and the beginning."""
SOON: Final = 0.05
"""Seconds between two batches."""
KEYS: Final = 0.3
"""Seconds without a key before a batch begins."""
LOOK: Final = 0.2
"""Seconds between two looks at whether the encoder is loaded."""
REST: Final = 2.0
"""Seconds at least between two looks for new things."""
PATIENCE: Final = 10.0
"""Seconds at least between two refreshes of the screens for nothing but vectors."""
SMALLEST: Final = 16
LARGEST: Final = 128
USUAL: Final = 0.2
"""Seconds that a batch should take; its size follows."""
WORTH_TELLING: Final = 200
"""How much must be left before the header tells of it."""
MOST_TRIES: Final = 3


class Indexer:
    """One console's background encoding. All but the jobs runs on the UI thread."""

    def __init__(self, app: DeskApp, *, wanted: bool) -> None:
        self._app = app
        self._wanted = wanted
        self._encoder: Encoder | None = None
        self._loading: threading.Thread | None = None
        self._size = SMALLEST
        self._tries = 0
        self._waiting = False
        self._running = False
        self._keys = -1
        self._looked = float("-inf")
        self._news = False
        self._others = True
        self._state: tuple[int, int] | None = None
        self._told = float("-inf")
        self.progress: Progress | None = None
        """How far it is; None before the first batch."""

    @property
    def words(self) -> str | None:
        """How far it is, for the header, or None where that is not worth telling."""
        now = self.progress
        if now is None or now.total - now.done < WORTH_TELLING:
            return None
        return f"encoding {100 * now.done // now.total} %"

    def begin(self) -> None:
        """The store is open."""
        store = self._app.store
        if self._wanted and store is not None and store.read_only is None and self._app.fenced is None:
            self._later(AFTER)

    def look(self, store: Store) -> None:
        """Something was committed: was it more than vectors? In the thread that noticed it."""
        if not self._behind:
            return
        from store import index_work

        state = index_work.state(store)
        self._others |= state != self._state
        self._state = state

    @property
    def _behind(self) -> bool:
        return self.progress is not None and not self.progress.complete

    def lets_through(self, changed: bool) -> bool:
        """Whether to tell the screens now that something was committed: our own writes must not do so all the time."""
        self._news |= changed
        now = time.monotonic()
        if not self._news or (self._behind and not self._others and now - self._told < PATIENCE):
            return False
        self._news, self._others, self._told = False, not self._behind, now
        if self._wanted and (self._encoder is not None or self._tries < MOST_TRIES):
            self._later(max(SOON, REST - (now - self._looked)))
        return True

    def _later(self, seconds: float) -> None:
        if not self._waiting and not self._running:
            self._waiting = True
            self._app.set_timer(seconds, self._go_on)

    def _go_on(self) -> None:
        """The next thing to do, unless keys come in."""
        self._waiting = False
        if self._app.store is None or self._app.broken is not None:
            return
        if self._keys != self._app.pace.serial:
            self._keys = self._app.pace.serial
            self._later(KEYS)
        elif self._encoder is None:
            self._load()
        else:
            self._step(self._encoder)

    def _load(self) -> None:
        """Load the encoder in a thread that nobody waits for at the end."""
        counts = self._app.counts
        if counts is None or not (counts.pending + counts.deferred + counts.memories + counts.elsewhere):
            return  # nothing to encode: the first proposal brings us back
        if self._loading is None:
            self._loading = threading.Thread(target=_load, name="encoder", daemon=True)
            self._loading.start()
        if self._loading.is_alive():
            self._later(LOOK)
            return
        from store import encoders

        self._loading = None
        self._tries += 1
        self._encoder = encoders.at_hand()
        if self._encoder is not None:
            self._later(SOON)
        else:
            self._tries = MOST_TRIES  # the person wants words alone, or nothing else is to be had here

    def _step(self, encoder: Encoder) -> None:
        self._running = True
        self._looked = time.monotonic()
        first, size = self._on_screen(), self._size

        def job() -> tuple[Progress, float]:
            return _stepped(self._app.the_store(), encoder, first, size)

        self._app.run_aside("index", job, self._done, fail=self._failed)

    def _on_screen(self) -> tuple[str, ...]:
        """What the person looks at."""
        shown = getattr(self._app.screen, "listing", None)
        cursor = getattr(shown, "cursor_id", None)
        return (cursor,) if cursor else ()

    def _done(self, answer: tuple[Progress, float]) -> None:
        before, (self.progress, spent) = self.words, answer
        self._running = False
        self._tries = 0
        if self.words != before:
            for header in self._app.screen.query(DeskHeader):
                header.refresh()
        if self.progress.encoded:
            self._size = min(self._size * 2, LARGEST) if spent < USUAL else max(self._size // 2, SMALLEST)
            self._later(SOON)
        elif self._news:
            self._later(REST)

    def _failed(self, error: MeminboxError) -> None:
        """The store was busy, or the model's process has ended: words until the next change, and then once more."""
        from store import encoders

        self._running = False
        if isinstance(error, encoders.EncoderMissing) and self._encoder is not None:
            encoders.lost(self._encoder)
            self._encoder = None
        self._tries += 1
        if self._tries < MOST_TRIES:
            self._later(REST)

    def end(self) -> None:
        """The console closes: the child has nothing more to do."""
        if self._encoder is not None:
            self._encoder.close()


def _load() -> None:
    from store import config, encoders

    encoders.load(encoders.chosen(config.load()), aside=True)


def _stepped(store: Store | None, encoder: Encoder, first: tuple[str, ...], size: int) -> tuple[Progress, float]:
    """One batch, and how long it took."""
    from store import encoders, indexing

    began = time.monotonic()
    if store is None:
        return indexing.Progress(0, 0), 0.0
    told = indexing.step(store, encoder, first=first, limit=size)
    if told.complete and not told.encoded and encoders.trouble() is None:
        while indexing.forget_others(store, encoder.key):
            pass
    return told, time.monotonic() - began
