"""Prose on a terminal: rows that end between words. To a pipe everything goes as it is, one line a line.

What may have to be copied (a path, a command, an address) is never broken: a word of ASCII that is wider than the row
stands on a row of its own, and the terminal does with it what it likes. Pure but for asking how wide a terminal is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TextIO

MOST: Final = 100
"""Cells beyond which a row of prose is hard to read."""
LEAST: Final = 30
_INDENT: Final = re.compile(" *")


def room(file: TextIO | None, *, most: int = MOST) -> int | None:
    """The cells of a row on ``file``; None where it is no terminal, does not say how wide it is, or is too narrow."""
    from console import terminal

    if not terminal.is_terminal(file):
        return None
    columns = terminal.size()[0]
    return min(most, columns) if columns >= LEAST else None


def wrapped(text: str, cells: int) -> Iterator[str]:
    """The rows of a shown text; each line's own indent stands before its further rows, too."""
    from console.wrap import wrap

    for line in text.split("\n"):
        indent = " " * min(len(_INDENT.match(line)[0]), cells // 2)  # type: ignore[index]
        width = cells - len(indent)
        parts = list(_parts(line[len(indent) :], width))
        for part, whole in parts:
            rows = [(0, len(part))] if whole else wrap(part, width)
            yield from (indent + part[start:end].rstrip() for start, end in rows)
        if not parts:
            yield ""


def _parts(line: str, width: int) -> Iterator[tuple[str, bool]]:
    """The line in parts that may be wrapped, and words between them that stand whole (True)."""
    at = 0
    for match in re.finditer(r"[!-~]+", line):
        if len(match[0]) > width and line[match.start() - 1 : match.start()] in ("", " "):
            before = line[at : match.start()].rstrip(" ")
            if before:
                yield before, False
            yield match[0], True
            at = match.end()
    rest = line[at:].lstrip(" ") if at else line
    if rest:
        yield rest, False
