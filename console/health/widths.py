"""How wide this terminal draws: asked of the terminal itself, by painting and asking where the cursor stands.

No library knows it: whether an ambiguous character takes one cell or two is a setting of the terminal and of tmux, and
a cluster of emoji is as wide as its makers thought. What is painted for the question is erased at once.
"""

from __future__ import annotations

import os
import re
import select
import termios
import time
from collections.abc import Sequence
from typing import Final

from console import looks
from console.health import Finding
from console.wrap import clusters

WAIT: Final = 1.0
"""Seconds within which a terminal answers, or never does."""
AMBIGUOUS: Final = "●▌│─━…·→←↑↓≈×“”’–"
"""The console's own marks of ambiguous width."""
WIDE: Final = "中文字"
EMOJI: Final = ("😀", "👍🏽", "👩‍💻", "🇫🇷", "❤️")
_REPLY: Final = re.compile(rb"\x1b\[\d+;(\d+)R")


def look() -> list[Finding]:
    """What the terminal says of its widths; one finding that says why not where it says nothing."""
    answers = measured((AMBIGUOUS, WIDE, *EMOJI)) if _in_front(0) and os.isatty(1) else None
    if answers is None:
        return [Finding("widths", "note", "not measured: that needs a terminal that answers", "")]
    return judged(answers[0], answers[1], answers[2:])


def judged(ambiguous: int, wide: int, emoji: Sequence[int]) -> list[Finding]:
    """Findings from widths in cells: of ``AMBIGUOUS`` as a whole, of ``WIDE``, and of each of ``EMOJI``."""
    return [_ambiguous(ambiguous), _wide(wide), _emoji(emoji)]


def _ambiguous(cells: int) -> Finding:
    name = "ambiguous width"
    if cells == len(AMBIGUOUS):
        return Finding(name, "ok", "one cell, as the console paints its marks")
    both = "two cells" if cells == 2 * len(AMBIGUOUS) else "one cell or two"
    if looks.load().ascii:
        return Finding(name, "ok", f"{both}; the console paints its marks in ASCII, as asked")
    return Finding(
        name,
        "todo",
        f"{both}: columns of the console would shift",
        "Set MEMINBOX_ASCII=1 (or console.ascii), or have the terminal draw ambiguous characters narrow.",
    )


def _wide(cells: int) -> Finding:
    if cells == 2 * len(WIDE):
        return Finding("Chinese", "ok", "two cells a character")
    return Finding(
        "Chinese",
        "todo",
        f"{WIDE} takes {cells} cells where {2 * len(WIDE)} are right: the terminal does not read UTF-8",
        "Have the terminal use UTF-8, and start tmux with -u.",
    )


def _emoji(cells: Sequence[int]) -> Finding:
    counted = [sum(one.cells for one in clusters(text)) for text in EMOJI]
    other = [
        f"{text} in {here} (not {ours})" for text, here, ours in zip(EMOJI, cells, counted, strict=True) if here != ours
    ]
    if not other:
        return Finding("emoji", "ok", "as wide as the console counts them")
    return Finding(
        "emoji", "note", f"draws {', '.join(other)}: one may be cut, or leave a blank; what follows stays in its place"
    )


def measured(texts: Sequence[str], *, read: int = 0, write: int = 1, wait: float = WAIT) -> tuple[int, ...] | None:
    """The width in cells of each text, or None where no answer came within ``wait`` seconds.

    ``read`` and ``write`` are descriptors of one terminal, which this process owns for the moment. What somebody has
    typed already is left alone: then nothing is asked.
    """
    before = termios.tcgetattr(read)
    asked = "".join(f"\r{text}\x1b[6n" for text in texts) + "\r\x1b[K"
    try:
        _answer_unseen(read, before)
        if select.select([read], [], [], 0)[0]:
            return None
        os.write(write, asked.encode())
        columns = _replies(read, len(texts), wait)
        if columns is None:
            termios.tcflush(read, termios.TCIFLUSH)  # half an answer is nothing that a shell should be given
    finally:
        termios.tcsetattr(read, termios.TCSANOW, before)
    return None if columns is None else tuple(column - 1 for column in columns)


def _answer_unseen(fd: int, before: list[object]) -> None:
    """What comes is read at once and not echoed; ctrl+c works as ever."""
    mode = list(before)
    local = mode[3]
    assert isinstance(local, int)
    mode[3] = local & ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(fd, termios.TCSANOW, mode)  # type: ignore[arg-type]


def _replies(fd: int, number: int, wait: float) -> list[int] | None:
    said, end = b"", time.monotonic() + wait
    while (left := end - time.monotonic()) > 0:
        if not select.select([fd], [], [], left)[0]:
            return None
        part = os.read(fd, 1024)
        if not part:
            return None
        said += part
        found = [int(column) for column in _REPLY.findall(said)]
        if len(found) >= number:
            return found[:number]
    return None


def _in_front(fd: int) -> bool:
    """Whether this process may talk to its terminal; one in the background would be stopped for it."""
    try:
        return os.isatty(fd) and os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:
        return False
