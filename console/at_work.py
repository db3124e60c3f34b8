"""What takes long on the command line says so, on one line of the terminal that is gone at the end, and can be stopped.

An act hears ctrl+c itself (``store.stopping``): it stops where nothing of it is kept yet, and what is kept is told as
done. A second ctrl+c ends the program wherever it is. What only reads, or cleans up behind itself, stops at once.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import FrameType
from typing import Final

from store import stopping

AFTER: Final = 0.5
"""Seconds after which it is spoken of."""
NOTHING: Final = "Nothing was changed."
Tell = Callable[[str], None]


@contextmanager
def at_work(words: str, *, act: bool = True, kept: str = NOTHING) -> Iterator[Tell]:
    """Within it, the terminal says ``words`` and for how long already; what is given changes the words.

    ``act`` is a decision that hears of ctrl+c; else ``kept`` says what is left where it was stopped. Raises ActStopped.
    """
    line = _Line(words)
    try:
        with line, _heard(line) if act else nullcontext():
            yield line.tell
    except KeyboardInterrupt:
        if act:  # the second one: whether it was kept by then, the log knows
            raise stopping.ActStopped("`meminbox history` says whether it was kept.") from None
        raise stopping.ActStopped(kept) from None


@contextmanager
def _heard(line: _Line) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = threading.Event()

    def press(_number: int, _frame: FrameType | None) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()
        line.tell("stopping")

    before = signal.signal(signal.SIGINT, press)
    try:
        with stopping.heard(pressed.is_set):
            yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Line:
    """One line on stderr, where that is a terminal; elsewhere nothing is said."""

    def __init__(self, words: str) -> None:
        self._words = words
        self._began = time.monotonic()
        self._over = threading.Event()
        self._ticks: threading.Thread | None = None

    def tell(self, words: str) -> None:
        """It does something else by now, or is further."""
        self._words = words

    def __enter__(self) -> None:
        if sys.stderr.isatty():
            self._ticks = threading.Thread(target=self._tick, daemon=True)
            self._ticks.start()

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        if self._ticks is not None:
            self._ticks.join()

    def _tick(self) -> None:
        shown = 0
        while not self._over.wait(AFTER):
            stops = "" if self._words == "stopping" else ", ctrl+c stops it"
            line = f"{self._words} … {time.monotonic() - self._began:.0f} s{stops}"
            print(f"\r{line:<{shown}}", end="", file=sys.stderr, flush=True)
            shown = len(line)
        if shown:
            print(f"\r{'':{shown}}\r", end="", file=sys.stderr, flush=True)
