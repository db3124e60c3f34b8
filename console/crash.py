"""How the console ends when it does not end by itself.

The terminal is restored on every way out but SIGKILL.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from textual.app import App

RESET: Final = "\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[<u\x1b[0m"
"""Main screen, cursor shown, mouse off, paste unmarked, keyboard protocol back, plain style."""
SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP)


def on_signals(app: App[int]) -> None:
    """Leave in order on SIGTERM and SIGHUP, with the exit code that a shell expects (128 + number)."""
    if threading.current_thread() is not threading.main_thread() or app.is_headless:
        return
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, _leave, app, 128 + int(number))


def _leave(app: App[int], code: int) -> None:
    app.exit(code, return_code=code)


@contextmanager
def terminal_restored() -> Iterator[None]:
    """Whatever happens inside, the terminal is usable afterwards, as far as it still exists."""

    def last_resort(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, last_resort) for number in SIGNALS}
    try:
        yield
    except BaseException:
        _write_reset()
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _write_reset() -> None:
    try:
        os.write(sys.stderr.fileno(), RESET.encode())
    except (OSError, ValueError):
        return
