"""Wrapping and cutting by terminal cells, so that no character is split, lost or pushed out of its pane.

Works on shown text (``console.visible``). Words stay whole in scripts that put spaces between them; Chinese, Japanese
and Korean text may break between any two characters, but no line begins with closing punctuation or ends with an
opening bracket where that can be avoided. A cluster (a base with its marks, an emoji sequence, a token) is never cut
while it fits on a line. Linear in the length of the text. Pure: widths are Rich's, which is what is painted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rich.cells import cell_len

from console.visible import TOKEN, Shown, leans

ELLIPSIS: Final = "…"

NO_START: Final = frozenset(
    "、。，．，,.：；:;！？!?）)］]｝}」』】〉》〕〗〙”’…‥・ー々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ％%°"
    "ะาำๅๆฯ"
)
"""A line does not begin with one of these while another break is at hand."""

NO_END: Final = frozenset("（(［[｛{「『【〈《〔〖〘“‘เแโใไ")
"""A line does not end with one of these while another break is at hand."""

_PARTS: Final = re.compile(r" |⟨[^⟩\n]*⟩|[^ \n⟨]+|.")
_ZWJ: Final = "\u200d"
# Wide characters that stand alone unless a mark or a joiner follows: what most CJK text is made of, two cells each.
_WIDE: Final = re.compile(
    "(?<!\u200d)[\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]{2,}"
)
# Scripts written without spaces, of narrow characters: Thai, Lao, Myanmar, Khmer, Tibetan.
_UNSPACED: Final = ((0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0xFF61, 0xFF9F))


class Cluster(NamedTuple):
    """What a reader takes for one character: its offsets in the text, and the cells it takes."""

    start: int
    end: int
    cells: int


class _Unit(NamedTuple):
    """What is kept together: a word, one wide character, one space, a token."""

    start: int
    end: int
    cells: int
    kind: str  # "w" word, "c" breakable on both sides, " " space


def clusters(text: str, start: int = 0, end: int | None = None) -> Iterator[Cluster]:
    """The clusters of ``text[start:end]`` in order, without gaps; a token of ``visible`` is one cluster."""
    end = len(text) if end is None else end
    at = start
    while at < end:
        stop = _cluster_end(text, at, end)
        piece = text[at:stop]
        yield Cluster(at, stop, 1 if len(piece) == 1 and piece.isascii() else cell_len(piece))
        at = stop


def cells(text: str) -> int:
    """How many terminal cells ``text`` takes on one line."""
    return cell_len(text)


def cut(text: str, width: int, *, end: str = ELLIPSIS) -> str:
    """``text`` in at most ``width`` cells; where something was left out the result ends in ``end``."""
    if cell_len(text) <= width:
        return text
    room = width - cell_len(end)
    if room < 0:
        return ""
    kept = used = 0
    for cluster in clusters(text):
        if used + cluster.cells > room:
            break
        used += cluster.cells
        kept = cluster.end
    return text[:kept] + end


def wrap(text: str, width: int) -> list[tuple[int, int]]:
    """The rows of ``text`` in a column of ``width`` cells, as (start, end) offsets; only line feeds are left out.

    Spaces are kept: the first one after a word stands behind it, in the column that is kept free for it. A text that
    ends in a line feed has no empty row after it. A single cluster wider than ``width`` gets a row of its own.
    """
    rows: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        found = text.find("\n", start)
        end = len(text) if found < 0 else found
        line = text[start:end]
        if line.isascii() and len(max(line.split(" "), key=len)) <= width > 0:
            rows.extend(_plain_rows(text, start, end, width))
        else:
            rows.extend(_fill(text, list(_units(text, start, end)), start, width))
        start = end + 1
    return rows


def _plain_rows(text: str, start: int, end: int, width: int) -> Iterator[tuple[int, int]]:
    """As ``_fill``, for a line of ASCII no word of which is wider than the column: it can break after spaces only."""
    while end - start > width:
        full = start + width
        stop = text.rfind(" ", start, full) + 1 or full
        yield start, stop
        start = stop
    yield start, end


def rows(text: Shown, width: int) -> list[Shown]:
    """The rows of ``text`` themselves, without the spaces at their ends; an empty line is an empty row."""
    return [Shown(text[start:end].rstrip(" ")) for start, end in wrap(text, width)]


def _fill(text: str, units: list[_Unit], line_start: int, width: int) -> Iterator[tuple[int, int]]:
    """The rows of one line of the text, greedily."""
    if not units:
        yield line_start, line_start
        return
    units = _splinter(text, units, width)
    first, at, used, last_break = 0, 0, 0, 0
    while at < len(units):
        unit = units[at]
        if unit.cells > width > used and unit.kind == "w":
            cut_at = unit.start + width - used
            units[at : at + 1] = [_Unit(unit.start, cut_at, width - used, "c"), _part(unit, cut_at)]
            unit = units[at]
        if at > first and _may_break(text, units[at - 1], unit):
            last_break = at
        if used + unit.cells > width and at > first:
            stop = last_break if last_break > first else at
            yield units[first].start, units[stop].start
            first = at = last_break = stop
            used = 0
            continue
        used += unit.cells
        at += 1
    yield units[first].start, units[-1].end


def _part(unit: _Unit, start: int) -> _Unit:
    """What is left of a word of ASCII from ``start`` on: a word again while it is too long for a row."""
    return _Unit(start, unit.end, unit.end - start, unit.kind)


def _splinter(text: str, units: list[_Unit], width: int) -> list[_Unit]:
    """The units, with those that no row could hold taken apart; words of ASCII are left for ``_fill`` to cut."""
    if all(unit.cells <= width for unit in units):
        return units
    out: list[_Unit] = []
    for unit in units:
        if unit.cells <= width or (unit.kind == "w" and text[unit.start : unit.end].isascii()):
            out.append(unit)
        elif text[unit.start] == "⟨":
            out.extend(_Unit(at, at + 1, 1, "c") for at in range(unit.start, unit.end))
        else:
            out.extend(_Unit(*cluster, "c") for cluster in clusters(text, unit.start, unit.end))
    return out


def _may_break(text: str, left: _Unit, right: _Unit) -> bool:
    """Whether a row may end after ``left`` and the next begin with ``right``."""
    if left.kind == " ":
        return True
    if right.kind == " " or "c" not in (left.kind, right.kind):
        return False
    return text[right.start] not in NO_START and text[left.end - 1] not in NO_END


def _units(text: str, start: int, end: int) -> Iterator[_Unit]:
    """The units of one line of the text, which stands from ``start`` to ``end``."""
    for match in _PARTS.finditer(text, start, end):
        start, end = match.span()
        first = text[start]
        if first == " ":
            yield _Unit(start, end, 1, " ")
        elif first == "⟨":
            inside = text[start + 1 : end - 1]
            plain = inside.isascii() and inside.isprintable()
            yield _Unit(start, end, end - start if plain else cell_len(match[0]), "c")
        elif match[0].isascii():
            yield _Unit(start, end, end - start, "w")
        else:
            yield from _mixed_units(text, start, end)


def _mixed_units(text: str, start: int, end: int) -> Iterator[_Unit]:
    """A run without spaces: wide characters one by one, the rest gathered into words."""
    word = cells_of_word = 0
    word_at = -1
    for cluster in _quick_clusters(text, start, end):
        if _breakable(text[cluster.start], cluster.cells):
            if word_at >= 0:
                yield _Unit(word_at, word, cells_of_word, "w")
                word_at = -1
            yield _Unit(*cluster, "c")
        elif word_at < 0:
            word_at, word, cells_of_word = cluster
        else:
            word = cluster.end
            cells_of_word += cluster.cells
    if word_at >= 0:
        yield _Unit(word_at, word, cells_of_word, "w")


def _quick_clusters(text: str, start: int, end: int) -> Iterator[Cluster]:
    """As ``clusters``; runs of plain wide characters, the longest texts there are, without looking at each."""
    at = start
    for run in _WIDE.finditer(text, start, end):
        first, stop = run.start(), run.end() if run.end() == end else run.end() - 1
        yield from clusters(text, at, first)
        yield from (Cluster(place, place + 1, 2) for place in range(first, stop))
        at = stop
    yield from clusters(text, at, end)


def _breakable(first: str, width: int) -> bool:
    return width > 1 or any(low <= ord(first) <= high for low, high in _UNSPACED)


def _cluster_end(text: str, at: int, end: int) -> int:
    """Where the cluster that begins at ``at`` stops."""
    first = text[at]
    if first == "⟨":
        token = TOKEN.match(text, at, end)
        return token.end() if token else at + 1
    stop = at + 1
    if "\U0001f1e6" <= first <= "\U0001f1ff":
        return stop + 1 if stop < end and "\U0001f1e6" <= text[stop] <= "\U0001f1ff" else stop
    while stop < end:
        char = text[stop]
        if char < "\u0300":
            break
        if char == _ZWJ:
            # What a joiner joins belongs together, and Rich counts no cells for it.
            stop = min(stop + 2, end) if text[stop + 1 : stop + 2] not in ("", "\n", " ", "⟨") else stop + 1
        elif leans(char):
            stop += 1
        else:
            break
    return stop
