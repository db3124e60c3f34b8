"""What comes after a cluster stands where it should, however wide the terminal draws the cluster.

Emoji of several characters, flags and stacks of marks are drawn in two cells by one terminal and in one or four by the
next (tmux among them), and everything to the right would shift: columns, borders, the other pane. So behind each such
cluster the cursor is put where our count says it is, and before it its cells are blanked: drawn too wide it is cut by
what follows, drawn too narrow a blank is left. Text in Latin, Greek, Cyrillic, Chinese, Japanese or Korean is left as
it is, and costs one search.

In the scripts of India vowels take cells of their own in most terminals, and letters join: such words are sent as they
are, and what follows them on the line drifts, as far as the next gap of two spaces, which takes the drift up, or the
next line of a frame. Behind it all stands where it should again; a letter is cut only where a row is full. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final, NamedTuple

from console.wrap import cells as width
from console.wrap import clusters

_EAST: Final = r"\u3000-\u3029\u3030-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9d"
_NARROW: Final = (
    r"\x80-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2423\u23ce\u2500-\u25fc\u27e8\u27e9"
)
_INDIA: Final = ("\u0900", "\u0dff")
"""Devanagari to Sinhala."""
FRAME: Final = "│"
"""The upright line between two panes, and at the side of a question."""
_ESCAPE: Final = re.compile(r"\x1b(?:\[([0-9;?<>=]*)[ -/]*([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[^\[\]])")


class Place(NamedTuple):
    """Where the cursor is by our count, from 1. ``drifted``: the terminal's own may be further to the right."""

    row: int
    column: int
    drifted: bool = False
    gap: int = 0
    """How many spaces have just been sent after something that drifted."""


def pinned(data: str, *, ambiguous_wide: bool = False) -> str:
    """``data`` as it is sent to the terminal, with the cursor put right behind every cluster of disputed width.

    Only what follows a cursor position in ``data`` itself can be put right; Textual sends one before each run.
    ``ambiguous_wide`` is for terminals that draw ambiguous characters wide.
    """
    disputed = _disputed(ambiguous_wide)
    if disputed.search(data) is None:
        return data
    out: list[str] = []
    place: Place | None = None
    at = 0
    for escape in _ESCAPE.finditer(data):
        place = _text(data[at : escape.start()], place, disputed, out)
        out.append(escape[0])
        place = _moved(escape, place)
        at = escape.end()
    _text(data[at:], place, disputed, out)
    return "".join(out)


def _moved(escape: re.Match[str], place: Place | None) -> Place | None:
    """Where the cursor is after a sequence, or None where that is not known."""
    numbers, final = escape[1], escape[2]
    if final == "H":
        row, _, column = numbers.partition(";")
        return Place(int(row or 1), int(column or 1))
    return place if final in ("m", "h", "l", "q", None) else None


@cache
def _disputed(ambiguous_wide: bool) -> re.Pattern[str]:
    """A character about whose width terminals do not agree; each pattern takes a while to compile, and one is used."""
    return re.compile(rf"[^\x00-\x7f{'' if ambiguous_wide else _NARROW}{_EAST}]")


def _text(text: str, place: Place | None, disputed: re.Pattern[str], out: list[str]) -> Place | None:
    """Send a run of text, and say where the cursor is behind it."""
    if place is None or not text:
        out.append(text)
        return place
    if any(char < " " for char in text):  # a line feed and the like: no longer known
        out.append(text)
        return None
    if not place.drifted and disputed.search(text) is None:
        out.append(text)
        return place._replace(column=place.column + width(text))
    for start, end, cells in clusters(text):
        place = _cluster(text[start:end], cells, place, disputed, out)
    return place


def _cluster(piece: str, cells: int, place: Place, disputed: re.Pattern[str], out: list[str]) -> Place:
    """Send one cluster, after the cursor was put right where that can be done without cutting a letter."""
    row, column, drifted, gap = place
    after = column + cells
    if drifted and piece == " ":
        out.append(piece)
        return Place(row, after, drifted, gap + 1)
    if drifted and (gap > 1 or piece == FRAME):
        out.append(f"\x1b[{row};{column}H")
        drifted = False
    if _INDIA[0] <= piece[0] <= _INDIA[1] or any(unicodedata.category(char) == "Mc" for char in piece):
        out.append(piece)
        return Place(row, after, drifted=True)
    if drifted or not disputed.search(piece):
        out.append(piece)
    else:
        blank = " " * cells
        out.append(f"{blank}\x1b[{row};{column}H{piece}\x1b[{row};{after}H")
    return Place(row, after, drifted)
