"""A fault of ours, told without a traceback: where it happened goes into a report file, what the values were does not.

Memories may hold what nobody but their owner should read, so a report names files, lines and kinds of errors, and
withholds every message and every local variable. Nothing that a value says reaches the terminal either, from whatever
thread it comes: bytes of an agent's making would act there.
"""

from __future__ import annotations

import gc
import logging
import os
import platform
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from console.visible import visible
from store.errors import UsageError
from store.files import make_private
from store.location import home

KEPT: Final = 20
"""Reports that are kept, the newest."""


def report(error: BaseException) -> Path | None:
    """Write what may be told of ``error`` to a new file, readable by its owner only. None where no file can be made.

    Of the reports in our own folder the newest ``KEPT`` stay.
    """
    text = described(error)
    with suppress(OSError, RuntimeError, UsageError):
        place = _reported_in(home() / "reports", text)
        _prune(place)
        return place
    with suppress(OSError):  # a full disk has no folder for what is temporary either
        return _reported_in(Path(tempfile.gettempdir()), text)
    return None


def _reported_in(folder: Path, text: str) -> Path:
    make_private(folder)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    handle, name = tempfile.mkstemp(prefix=f"meminbox-{stamp}-", suffix=".txt", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _prune(newest: Path) -> None:
    """Take away the oldest reports beside this one; their names begin with when they were written."""
    with suppress(OSError):
        others = sorted(one for one in newest.parent.glob("meminbox-*.txt") if one != newest)
        for one in others[: max(len(others) - KEPT + 1, 0)]:
            one.unlink(missing_ok=True)


def described(error: BaseException) -> str:
    """Kinds of errors and places in the code, from the first cause to the last error; no message and no value."""
    lines = [f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"]
    for one in reversed(_chain(error)):
        lines.append(f"{type(one).__module__}.{type(one).__qualname__} (message withheld)")
        frames = traceback.extract_tb(one.__traceback__)
        lines.extend(f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)
    return visible("\n".join(lines)) + "\n"


def told(error: BaseException) -> str:
    """What a person is told of a fault of ours, with the place of its report."""
    if os.environ.get("MEMINBOX_DEBUG"):
        print(visible("".join(traceback.format_exception(error))), file=sys.stderr)
    place = report(error)
    where = f"A report without any values is in {place}." if place else "No report could be written."
    return visible(f"meminbox: this is a fault in Meminbox ({_kind(error)}).\n{where}")


@contextmanager
def nothing_told_elsewhere() -> Iterator[None]:
    """Faults that no caller sees (in a thread, in a finaliser, in a task nobody waited for) are reported, not printed.

    Python would print them with their messages, in the middle of whatever stands on the terminal or after it.
    """
    hooks = threading.excepthook, sys.unraisablehook
    loops = logging.getLogger("asyncio")
    listener, before = _Tasks(), loops.propagate
    threading.excepthook, sys.unraisablehook = _reported, _reported
    loops.addHandler(listener)
    loops.propagate = False
    try:
        yield
        gc.collect()  # a task that nobody waited for tells of its error when it goes
    finally:
        threading.excepthook, sys.unraisablehook = hooks
        loops.removeHandler(listener)
        loops.propagate = before


def _reported(said: Any) -> None:
    """Threads and finalisers: both hooks are given the error as ``exc_value``, which may be None."""
    if isinstance(said.exc_value, Exception):
        report(said.exc_value)


class _Tasks(logging.Handler):
    """What an event loop says of tasks and callbacks that failed."""

    def emit(self, record: logging.LogRecord) -> None:
        """Report the error that the record is about."""
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if isinstance(error, Exception):
            report(error)


def _chain(error: BaseException) -> list[BaseException]:
    """The error and what it came from, the last error first. What a worker failed of hangs on ``error`` alone."""
    found: list[BaseException] = []
    waiting: list[Any] = [error]
    while waiting:
        link = waiting.pop(0)
        if isinstance(link, BaseException) and not any(link is one for one in found):
            found.append(link)
            several = link.exceptions if isinstance(link, BaseExceptionGroup) else ()
            waiting += [link.__cause__ or link.__context__, getattr(link, "error", None), *several]
    return found


def _kind(error: BaseException) -> str:
    """What kind of error it was, of one that only says that a worker failed, the kind of what it failed of."""
    inner = getattr(error, "error", None)
    return type(inner if isinstance(inner, BaseException) else error).__name__
