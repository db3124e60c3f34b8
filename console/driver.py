"""How the console holds the terminal: taken, lent, given back when stopped, and noticed when it is gone.

Textual's driver for Linux and macOS does the work. Added is what a long life needs:

- a stop (ctrl+z, SIGTSTP) and the way back are done between two turns of the loop, never in the middle of a write;
- SIGCONT to a console that runs, or one that was stopped without being asked (SIGSTOP), takes the terminal anew and
  never a second time beside itself;
- whatever an editor or a shell did to the line discipline, the one that stood at the start is given back;
- a terminal that is gone (its window closed, the line cut) ends the console, whether or not a signal says so.
"""

from __future__ import annotations

import asyncio
import codecs
import errno
import os
import selectors
import signal
import termios
import tty
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize
from textual.message import Message

from console import crash, theme
from console.pinned import pinned

if TYPE_CHECKING:
    from textual.app import App

LOOK: Final = 0.5
"""Seconds between two looks at whether the terminal is still there."""
WIDEST: Final = 2_000
"""Columns, or lines, beyond which a size is not believed: painting it would take minutes."""
PATIENCE: Final = 0.1
"""Seconds after which an escape that nothing followed is the escape key."""
NO_KEY: Final = (ParseError, ArithmeticError, LookupError, ValueError)
"""What the parser of keys fails with on a sequence that no terminal sends: a number too large for a character, say."""
GONE: Final = 128 + int(signal.SIGHUP)
"""The exit code after the terminal is gone, whether it was told by a signal or found."""


class _Output:
    """Standard error as the driver writes it; once the terminal is gone, nothing is written and nobody fails."""

    def __init__(self, file: Any, driver: DeskDriver) -> None:
        self._file = file
        self._driver = driver

    def fileno(self) -> int:
        return int(self._file.fileno())

    def write(self, text: str) -> int:
        try:
            if not self._driver.gone:
                self._file.write(text)
            return len(text)
        except OSError:
            self._driver.lost()
            return 0

    def flush(self) -> None:
        try:
            if not self._driver.gone:
                self._file.flush()
        except OSError:
            self._driver.lost()


class DeskDriver(LinuxDriver):
    """The terminal, for as long as it is there."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self.gone = False
        self._loop = asyncio.get_running_loop()
        self._first = crash.attributes(self.fileno)
        self._file: Any = _Output(self._file, self)
        self._looking = False

    @property
    def up(self) -> bool:
        """Whether the console has the terminal."""
        return self._writer_thread is not None and self._writer_thread.is_alive()

    def write(self, data: str) -> None:
        """Write, while the console has the terminal; what follows an emoji stands where it should."""
        if self.up:
            super().write(pinned(data, ambiguous_wide=theme.ascii_in_use()))

    def start_application_mode(self) -> None:
        """Take the terminal, unless the console has it already."""
        if self.up or self.gone:
            return
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if not self.up:  # stopped again, or gone
            self._look_once()
            return
        self._make_raw()
        self.attrs_before = self._first
        if not self._looking:
            self._looking = True
            self._look()

    def stop_application_mode(self) -> None:
        """Give the terminal back, with every mode that was switched on."""
        if not self.up:
            return
        super().stop_application_mode()
        self.write(crash.MODES)
        self._in_band_window_resize = self._mouse_pixels = False

    def close(self) -> None:
        """Let the last bytes out."""
        if self.up:
            super().close()

    def _get_terminal_size(self) -> tuple[int, int]:
        width, height = super()._get_terminal_size()
        return min(width, WIDEST), min(height, WIDEST)

    def process_message(self, message: Message) -> None:
        """Take what the terminal sent, unless it claims a size that no window has."""
        if not (isinstance(message, Resize) and max(message.size) > WIDEST):
            super().process_message(message)

    # ---- stopped, and back

    def _sigtstp_application(self, *_: object) -> None:
        """Stop; where the terminal is lent, as its borrower does."""
        if self._auto_restart:
            self._loop.call_soon_threadsafe(self._stop)
        else:
            os.kill(os.getpid(), signal.SIGSTOP)

    def _stop(self) -> None:
        if self.up:
            self.suspend_application_mode()
            self._must_signal_resume = True
        os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *_: object) -> None:
        """Go on."""
        if self._auto_restart:
            self._loop.call_soon_threadsafe(self._go_on)

    def _go_on(self) -> None:
        """Take the terminal again, or anew: a shell has had it."""
        if self.gone or not self._auto_restart:
            return
        if self.up:
            self.suspend_application_mode()
        self.start_application_mode()
        self._app.call_later(self._app.refresh, layout=True)

    def _make_raw(self) -> None:
        """What is typed comes key by key, whatever was done to the line discipline since the start."""
        if self._first is None:
            return
        raw = [*self._first[:6], list(self._first[6])]
        raw[tty.LFLAG] = self._patch_lflag(raw[tty.LFLAG])
        raw[tty.IFLAG] = self._patch_iflag(raw[tty.IFLAG])
        raw[tty.CC][termios.VMIN] = 1
        try:
            termios.tcsetattr(self.fileno, termios.TCSANOW, raw)
        except termios.error:
            self._look_once()

    # ---- gone

    def lost(self) -> None:
        """The terminal is gone: leave. From any thread; only the first call counts."""
        if self.gone:
            return
        self.gone = True
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (1, 2):  # what Python still has to flush at its end must find somebody
            os.dup2(nowhere, number)
        os.close(nowhere)
        self._loop.call_soon_threadsafe(crash.leave_with, self._app, GONE)

    def _look(self) -> None:
        """Look, and look again a little later."""
        self._look_once()
        if not self.gone and self._app._running:
            self._loop.call_later(LOOK, self._look)
        else:
            self._looking = False

    def _look_once(self) -> None:
        if crash.attributes(self.fileno) is None:
            self.lost()

    # ---- what is typed

    def run_input_thread(self) -> None:
        """Read keys until told to stop. Bytes that are no UTF-8, or no key, mean nothing, and are no end either."""
        feed = self._parser()
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                data = os.read(self.fileno, 4096) if waiting.select(PATIENCE) else None
                if data == b"":
                    raise OSError(errno.EIO, "the terminal has hung up")
                try:
                    feed(decoder.decode(data) if data else None)
                except NO_KEY:
                    feed = self._parser()  # the old one stands in the middle of what it did not understand

    def _parser(self) -> Callable[[str | None], None]:
        """What makes keys of text, and of a time in which no text came (None)."""
        parser = XTermParser(self._debug)

        def feed(text: str | None) -> None:
            for message in (*(parser.feed(text) if text else ()), *parser.tick()):
                self.process_message(message)

        return feed

    def _run_input_thread(self) -> None:
        """As above; a terminal that cannot be read is gone."""
        try:
            self.run_input_thread()
        except OSError:
            self.lost()
        except Exception as error:  # the last resort of this thread: the app tells it as any fault of ours
            self._app.call_later(self._app._handle_exception, error)
