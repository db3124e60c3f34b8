"""The only door from ``Shown`` to a widget: lines are built from parts, and no markup is ever read.

A part is either our own words (``own``) or what somebody else wrote (``said``, which takes nothing but ``Shown``). A
line is a sequence of parts; it becomes a ``Content`` for ordinary widgets or a ``Strip`` for the line API, cut to a
width in terminal cells. Styles are written as Textual writes them, with the variables of ``console.theme``
("bold $key"), and resolved when painted, so that a change of theme reaches everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from rich.segment import Segment
from textual.content import Content, Span
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from console.theme import glyphs
from console.visible import LF_MARK, TOKEN, Shown, visible
from console.wrap import ELLIPSIS, cells, cut, wrap

BAR: Final = "│"


class Part(NamedTuple):
    """A piece of a line in one style."""

    text: Shown
    style: str = ""


Line = Sequence[Part]
DOT: Final = " · "
"""What stands between short facts on one line."""


def own(text: str, style: str = "") -> Part:
    """Our own words, marks and numbers. They go through ``visible`` all the same, so the door has no gap."""
    return Part(visible(glyphs(text), multiline=False), style)


def said(text: Shown, style: str = "") -> Part:
    """What somebody else wrote, on one line: made with ``visible(..., multiline=False)``."""
    return Part(text, style)


def one_line(text: str) -> Shown:
    """A stretch of a comparison, visible already, on one line: its line ends as marks."""
    return Shown(text.replace("\n", LF_MARK))


def said_parts(text: Shown, style: str = "", token_style: str = "$token") -> list[Part]:
    """What somebody else wrote, with the tokens of hidden characters in a style of their own."""
    parts: list[Part] = []
    at = 0
    for match in TOKEN.finditer(text):
        if match.start() > at:
            parts.append(Part(Shown(text[at : match.start()]), style))
        parts.append(Part(Shown(match[0]), f"{style} {token_style}".strip()))
        at = match.end()
    if at < len(text):
        parts.append(Part(Shown(text[at:]), style))
    return parts


def width(line: Iterable[Part]) -> int:
    """How many cells the line takes."""
    return sum(cells(part.text) for part in line)


def fit(line: Line, room: int, *, end: str = ELLIPSIS) -> list[Part]:
    """The line in at most ``room`` cells, ending in ``end`` where something was left out; no cluster is cut."""
    if width(line) <= room:
        return list(line)
    left = room
    kept: list[Part] = []
    for index, part in enumerate(line):
        taken = cells(part.text)
        rest = any(later.text for later in line[index + 1 :])
        if taken < left or (taken == left and not rest):
            kept.append(part)
            left -= taken
            continue
        kept.append(Part(Shown(_cut_short(part.text, left, glyphs(end))), part.style))
        break
    return kept


def pad(line: Line, room: int, *, end: str = ELLIPSIS, right: bool = False) -> list[Part]:
    """The line in exactly ``room`` cells: cut like ``fit``, or filled with spaces (before it with ``right``)."""
    parts = fit(line, room, end=end)
    blank = Part(Shown(" " * max(room - width(parts), 0)))
    if not blank.text:
        return parts
    return [blank, *parts] if right else [*parts, blank]


def content(*line: Part) -> Content:
    """The line as a Textual ``Content``."""
    spans: list[Span] = []
    at = 0
    for part in line:
        if part.style and part.text:
            spans.append(Span(at, at + len(part.text), part.style))
        at += len(part.text)
    return Content("".join(part.text for part in line), spans)


def rows(text: Shown, room: int, most: int) -> list[Shown]:
    """One text as at most ``most`` rows of ``room`` cells; what is left over stays in the last row, to be cut."""
    spans = wrap(text, room)[:most]
    ends = [*(end for _, end in spans[:-1]), len(text)]
    return [Shown(text[start:end].rstrip()) for (start, _), end in zip(spans, ends, strict=False)]


def gutter() -> Part:
    """What stands before every row of somebody's text in a dialog, so that none of it passes for a row of ours."""
    return own(f"  {BAR} ", "$quiet")


def flow(line: Line, room: int) -> list[Line]:
    """A line of several parts on as many rows as it takes; blanks or a gutter at its beginning stand before every row.

    An empty line is one empty row. No row is wider than ``room``, and none begins with closing punctuation.
    """
    indent = list(line[:1]) if line and not line[0].text.strip(" " + glyphs(BAR)) else []
    rest = list(line[len(indent) :])
    spans = breaks(rest, max(room - width(indent), 8))
    return [[*indent, *cut_out(rest, start, end)] for start, end in spans] or [indent]


def breaks(line: Line, room: int) -> list[tuple[int, int]]:
    """Where the rows of a line of several parts begin and end, as offsets into its text.

    Short facts with dots between them are kept whole, and no row begins with a dot.
    """
    dots = any(part.text == DOT for part in line)
    text = "".join(
        part.text.replace(" ", "\xa0") if dots and cells(part.text) + 2 <= room else part.text for part in line
    )
    return wrap(text.replace(DOT.replace(" ", "\xa0"), "\xa0· "), room)


def cut_out(line: Line, start: int, end: int) -> list[Part]:
    """The parts of a line between two offsets, which stand between clusters."""
    out: list[Part] = []
    at = 0
    for part in line:
        piece = part.text[max(start - at, 0) : max(end - at, 0)]
        if piece:
            out.append(Part(Shown(piece), part.style))
        at += len(part.text)
    return out


def lines(several: Iterable[Line]) -> Content:
    """Several lines as one ``Content``, one below the other."""
    joined: list[Part] = []
    for index, row in enumerate(several):
        if index:
            joined.append(Part(Shown("\n")))
        joined.extend(row)
    return content(*joined)


def strip(widget: Widget, line: Line, room: int, base: Style | None = None) -> Strip:
    """The line as a ``Strip`` of exactly ``room`` cells for the line API of ``widget``, over the style ``base``."""
    ground = widget.visual_style if base is None else base
    resolve = widget.app.stylesheet.parse_style
    segments = [
        Segment(part.text, (ground + resolve(part.style) if part.style else ground).rich_style)
        for part in pad(line, room)
        if part.text
    ]
    return Strip(segments, room)


def _cut_short(text: str, room: int, end: str) -> str:
    """``text`` cut so that ``end`` fits behind it, even where all of ``text`` alone would have fitted."""
    if cells(text) > room:
        return cut(text, room, end=end)
    space = room - cells(end)
    return cut(text, space, end="") + end if space >= 0 else ""
