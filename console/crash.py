"""How the console ends when it does not end by itself.

The terminal is restored on every way out but SIGKILL (after which ``reset`` does it). A signal is an orderly end: what
is being written is kept or rolled back, what was lent the terminal is ended with us, and the exit code is the one that
a shell expects, 128 + number. Where that takes longer than ``GRACE`` seconds (nobody reads the terminal any more, say)
the end comes without order; the store is whole then too, for it is never between two states.
"""

from __future__ import annotations

import os
import signal
import subprocess
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from textual.app import App

MODES: Final = (
    "\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?2004l\x1b[?2048l"
    "\x1b[?7h\x1b[0m"
)
"""Cursor shown; mouse, focus, paste and size reports off; lines wrap; plain style."""
RESET: Final = f"\x1b[<u\x1b[?1049l{MODES}"
"""The keyboard protocol back, the main screen, and the modes."""
SIGNALS: Final = tuple(
    getattr(signal, name)
    for name in ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGXCPU")
    if hasattr(signal, name)
)
"""What ends a program unless it sees to it, as far as it can. ctrl+c and ctrl+\\ are keys here, and send none."""
GRACE: Final = 8.0
"""Seconds for an orderly end: a writer waits five for a busy store."""

Handler = Callable[[int, FrameType | None], Any]


class _Lent:
    """The program that has the terminal at the moment, if one has."""

    process: subprocess.Popen[bytes] | None = None
    asking = False
    """Whether we wait for a person's enter meanwhile."""


def on_signals(app: App[int]) -> None:
    """Leave in order on ``SIGNALS``, with the exit code that a shell expects (128 + number)."""
    if threading.current_thread() is not threading.main_thread() or app.is_headless:
        return
    import asyncio  # an editor of the command line needs none

    loop = asyncio.get_running_loop()

    def leave(number: int, _frame: FrameType | None) -> None:
        _insist(number)
        if _Lent.process is not None:
            with suppress(OSError):
                _Lent.process.terminate()
        try:
            loop.call_soon_threadsafe(leave_with, app, 128 + number)
        except RuntimeError:  # the loop has ended, and so has the console
            raise SystemExit(128 + number) from None
        if _Lent.asking:
            raise KeyboardInterrupt

    for number in SIGNALS:
        signal.signal(number, leave)


def leave_with(app: App[int], code: int) -> None:
    """End the console with this exit code. To be called by its loop."""
    app.exit(code, return_code=code)


@contextmanager
def lending(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """While this program has the terminal, it ends where we are told to end."""
    _Lent.process = process
    try:
        yield
    finally:
        _Lent.process = None


@contextmanager
def asking() -> Iterator[None]:
    """While a person is waited for without the loop: where we are told to end, KeyboardInterrupt comes out of it."""
    if _By.told:
        raise KeyboardInterrupt
    _Lent.asking = True
    try:
        yield
    finally:
        _Lent.asking = False


@contextmanager
def terminal_restored() -> Iterator[None]:
    """Whatever happens inside, the terminal is usable afterwards, as far as it still exists."""

    def last_resort(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    said = attributes()
    _By.attributes, _By.told = said, False
    numbers = [number for number in SIGNALS if number != signal.SIGINT]  # Python's own does that one until we start
    before = {number: signal.signal(number, last_resort) for number in numbers}
    before |= {signal.SIGALRM: signal.signal(signal.SIGALRM, _by_force), signal.SIGINT: signal.getsignal(signal.SIGINT)}
    try:
        yield
    except BaseException:
        _write_reset()
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def attributes(number: int = 0) -> list[Any] | None:
    """How the terminal on a file number treats what is typed, or None where there is no terminal any more."""
    try:
        return termios.tcgetattr(number)
    except (termios.error, OSError, ValueError):
        return None


class _By:
    """What the end without order needs to know."""

    attributes: list[Any] | None = None
    code = 128 + int(signal.SIGALRM)
    told = False
    """Whether we were told to end."""


def _insist(number: int) -> None:
    _By.code, _By.told = 128 + number, True
    signal.setitimer(signal.ITIMER_REAL, GRACE)


def _by_force(_number: int, _frame: FrameType | None) -> None:
    """The end without order: nothing here waits for anybody."""
    _write_reset()
    os._exit(_By.code)


def _write_reset() -> None:
    """Write ``RESET`` and give the terminal its line discipline back, without waiting for one that nobody reads."""
    number = 2  # the file itself: Textual puts something of its own in the place of sys.stderr
    with suppress(OSError):
        blocking = os.get_blocking(number)
        os.set_blocking(number, False)
        try:
            os.write(number, RESET.encode())
        finally:
            os.set_blocking(number, blocking)
    if _By.attributes is not None:
        with suppress(termios.error, OSError):
            termios.tcsetattr(0, termios.TCSANOW, _By.attributes)
