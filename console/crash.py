"""How the console ends when it does not end by itself: signals, and faults in the program.

The terminal is restored on every way out but SIGKILL. A report of a fault names places in our code and never a value:
what stood in a variable or in a message may be anyone's text.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Final

from rich.text import Text

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


def report(folder: Path, fault: BaseException | None) -> Text:
    """Write a fault to a file beside the store, and say in one line where."""
    name = type(fault).__name__
    trace = fault.__traceback__ if fault else None
    path = folder / f"meminbox-fault-{os.getpid()}.txt"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write("\n".join((name, *_places(trace))) + "\n")
    except OSError:
        return Text(f"Meminbox met a fault of its own ({name}) and closed. What was approved is kept.")
    return Text(f"Meminbox met a fault of its own ({name}) and closed. What was approved is kept. Report: {path}")


def _places(trace: TracebackType | None) -> list[str]:
    return [f"{place.filename}:{place.lineno} {place.name}" for place in traceback.extract_tb(trace)]
