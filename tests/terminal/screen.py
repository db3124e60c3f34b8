"""A small terminal for tests: a real pty, the bytes that came out of it, and the screen they paint.

It understands what Textual writes (cursor moves, erasing, SGR, modes); anything else is kept in ``bytes`` and painted
as nothing, so that tests can assert on the bytes themselves.
"""

from __future__ import annotations

import codecs
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

from rich.cells import cell_len

HANG = 60.0
"""Seconds after which a wait is given up: a guard against hanging, not a measure."""

_ESCAPE = re.compile(
    r"\x1b\[(?P<args>[0-9;:<=>?]*)(?P<inter>[ -/]*)(?P<final>[@-~])"
    r"|\x1b\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|\x1bP[^\x1b]*\x1b\\"
    r"|\x1b[()][0-9A-B]"
    r"|\x1b[^\[\]P]"
)


class Grid:
    """The cells that a stream of text and escape sequences paints."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self._rest = ""

    def feed(self, text: str) -> None:
        text, self._rest = self._rest + text, ""
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                match = _ESCAPE.match(text, at)
                if match is None:
                    self._rest = text[at:]
                    return
                self._escape(match)
                at = match.end()
                continue
            self._put(text[at])
            at += 1

    def _put(self, char: str) -> None:
        if char == "\r":
            self.column = 0
        elif char == "\n":
            self.row = min(self.row + 1, self.rows - 1)
        elif char == "\b":
            self.column = max(0, self.column - 1)
        elif ord(char) >= 32:
            self._paint(char, cell_len(char))

    def _paint(self, char: str, width: int) -> None:
        if not 0 <= self.row < self.rows:
            return
        line = self.cells[self.row]
        if width == 0:
            if 0 < self.column <= self.columns:
                line[self.column - 1] += char
            return
        for offset in range(width):
            if self.column + offset < self.columns:
                line[self.column + offset] = char if offset == 0 else ""
        self.column += width

    def _escape(self, match: re.Match[str]) -> None:
        final, args = match["final"], match["args"] or ""
        if final is None or args[:1] in ("?", ">", "<", "="):
            if final == "h" and args == "?1049":
                self._erase(0, self.rows)
            return
        numbers = [int(part) if part.isdigit() else 0 for part in args.split(";")]
        first = numbers[0]
        if final in "Hf":
            self.row = max(first, 1) - 1
            self.column = max(numbers[1] if len(numbers) > 1 else 1, 1) - 1
        elif final == "J" and first in (2, 3):
            self._erase(0, self.rows)
        elif final == "K":
            self.cells[self.row][self.column :] = [" "] * (self.columns - self.column)
        elif final == "A":
            self.row = max(0, self.row - max(first, 1))
        elif final == "B":
            self.row = min(self.rows - 1, self.row + max(first, 1))
        elif final == "C":
            self.column += max(first, 1)
        elif final == "D":
            self.column = max(0, self.column - max(first, 1))

    def _erase(self, start: int, end: int) -> None:
        for row in range(start, end):
            self.cells[row] = [" "] * self.columns

    def text(self) -> str:
        return "\n".join("".join(line).rstrip() for line in self.cells)


class Terminal:
    """A program in a pty of its own. ``bytes`` is all it has written so far."""

    def __init__(
        self, command: list[str], *, env: dict[str, str], columns: int = 80, rows: int = 24, cwd: Path | None = None
    ) -> None:
        self.master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.grid = Grid(columns, rows)
        self.bytes = b""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

        def own_terminal() -> None:
            # As a shell starts a program, also where the tests run in the background, with these two ignored.
            for one in (signal.SIGINT, signal.SIGQUIT):
                signal.signal(one, signal.SIG_DFL)
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=env, cwd=cwd, preexec_fn=own_terminal, close_fds=True
        )
        self.slave = slave

    def pump(self, seconds: float = 0.05) -> None:
        """Read what has come, waiting at most ``seconds`` for the first of it."""
        end = time.monotonic() + HANG
        while time.monotonic() < end and select.select([self.master], [], [], seconds)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            self.bytes += data
            self.grid.feed(self._decoder.decode(data))
            seconds = 0.0

    def send(self, keys: str | bytes, *, settle: float = 0.3) -> None:
        """Look for ``settle`` seconds, then type ``keys`` in one write: people do not type faster than they see."""
        self.look(settle)
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def look(self, seconds: float) -> None:
        """Read for so long what comes."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.pump(0.02)

    def rest(self, seconds: float = 1.0) -> None:
        """Read until nothing has come for so long: a console that is behind with what was sent goes on painting."""
        end, had = time.monotonic() + HANG, -1
        while len(self.bytes) != had and time.monotonic() < end:
            had = len(self.bytes)
            self.look(seconds)

    def click(self, column: int, row: int) -> None:
        """Press and release the left button at a cell (from 0), in SGR mouse mode."""
        self.send(f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m")

    def wait_for(self, needle: str, *, gone: bool = False) -> str:
        """Wait until ``needle`` is on the screen (or is no longer), and return the screen."""
        end = time.monotonic() + HANG
        while time.monotonic() < end:
            self.pump()
            if (needle in self.grid.text()) != gone:
                return self.grid.text()
            if self.process.poll() is not None:
                self.pump()
                break
        verb = "is still" if gone else "never came"
        raise AssertionError(f"{needle!r} {verb} on the screen:\n{self.grid.text()}")

    def wait_end(self) -> int:
        """Wait for the program to end, and return its exit code."""
        end = time.monotonic() + HANG
        while self.process.poll() is None and time.monotonic() < end:
            self.pump()
        self.pump()
        code = self.process.poll()
        assert code is not None, f"still running:\n{self.grid.text()}"
        return code

    def resize(self, columns: int, rows: int) -> None:
        self.grid = Grid(columns, rows)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self.process.pid, signal.SIGWINCH)

    def restored(self) -> bool:
        """Whether the line discipline is what it was before the program started."""
        return termios.tcgetattr(self.slave)[:4] == self.before[:4]

    def hang_up(self) -> None:
        """Close the terminal under the program."""
        for number in (self.slave, self.master):
            if number >= 0:
                os.close(number)
        self.slave = self.master = -1

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.hang_up()
