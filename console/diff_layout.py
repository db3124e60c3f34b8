"""A comparison of two shown texts, laid out in rows for a width: unified, or old and new side by side.

``DiffView`` paints exactly what is computed here, so the promise that every character of both texts is painted is kept
and tested without a screen. Rows that do not differ are shown once; around a change inside a long line only the rows
that hold it are repeated. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from console.diff_blocks import Change, Piece, appends_lines, blocks
from console.visible import LF_MARK, Shown
from console.wrap import wrap
from store.prose_diff import Span, diff

Kind = Literal["compare", "add", "remove", "read"]

GUTTER: Final = 3
"""Cells before the text: a space, the mark, a space."""
CONTEXT: Final = 3
"""Unchanged rows left on either side of a change when the rest is folded."""
NARROWEST: Final = 2 * (GUTTER + 2) + 1
"""Below this many cells nothing can be laid out side by side."""


class Cell(NamedTuple):
    """One row of one side: the gutter mark, and the pieces of the row.

    ``whole`` tells that the row is removed or added as a whole, so that marks inside it would say nothing; ``ends``
    that a line of the text ends here.
    """

    mark: str
    pieces: tuple[Piece, ...]
    whole: bool = False
    ends: bool = False


class Row(NamedTuple):
    """One row on the screen: one cell, two side by side (either may be missing), or ``folded`` unchanged rows.

    ``at`` grows from row to row and finds the place again after a new layout; ``stretch`` names the unchanged stretch
    that a fold belongs to.
    """

    left: Cell | None
    right: Cell | None = None
    folded: int = 0
    stretch: int = -1
    at: int = 0


class Layout(NamedTuple):
    """The rows, and the indices at which each change begins; a text that is compared with nothing is one change."""

    rows: tuple[Row, ...]
    changes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is to be shown: the kind, and the spans of both texts. Made by the functions below."""

    kind: Kind
    spans: tuple[Span, ...]


def compare(old: Shown, new: Shown) -> Comparison:
    """Old against new, both whole. A line feed at the very end, which ends no row, becomes a mark."""
    both = old.endswith("\n") and new.endswith("\n")
    if both:
        spans = diff(old[:-1], new[:-1])
        inline = not spans or spans[-1].op == "=" or len(spans) < 2 or not appends_lines(spans)
        spans.append(Span("=", LF_MARK if inline else "\n" + LF_MARK))
    else:
        spans = diff(_closed(old), _closed(new))
    return Comparison("compare", tuple(_merged(spans)))


def addition(new: Shown) -> Comparison:
    """A text that is new as a whole."""
    return _single("add", "+", new)


def removal(old: Shown) -> Comparison:
    """A text that goes as a whole."""
    return _single("remove", "-", old)


def reading(text: Shown) -> Comparison:
    """A text to be read, compared with nothing."""
    return _single("read", "=", text)


def layout(
    what: Comparison, width: int, *, split: bool = False, brackets: bool = False, opened: Iterable[int] = ()
) -> Layout:
    """The rows of ``what`` in ``width`` cells.

    ``split`` puts old and new side by side, ``brackets`` writes ``[-x-]{+y+}`` around changes for screens without
    colour, ``opened`` names the unchanged stretches that are not to be folded.
    """
    if what.kind != "compare":
        return _plain_layout(what, max(width - GUTTER, 2))
    split = split and width >= NARROWEST
    column = column_widths(width)[1] if split else width
    room = max(column - GUTTER, 2)
    rows: list[Row] = []
    changes: list[int] = []
    at = passed = 0
    for block in blocks(what.spans, room):
        if isinstance(block, str):
            rows.extend(_kept_rows(block, room, split, at, passed))
            at += len(block)
            continue
        changes.append(len(rows))
        passed += block.changes
        made = _changed_rows(block, room, split, brackets)
        rows.extend(row._replace(at=at) for row in made)
        at += block.length
    return _fold(rows, changes, frozenset(opened))


def column_widths(width: int) -> tuple[int, int]:
    """The cells of the old and of the new column side by side, one cell for the line between them."""
    right = (width - 1) // 2
    return width - 1 - right, right


def _kept_rows(text: str, room: int, split: bool, at: int, passed: int) -> Iterator[Row]:
    for start, end in wrap(text, room):
        cell = _cell("=", "=", text, start, end)
        yield Row(cell, cell if split else None, stretch=passed, at=at + start)


def _cell(mark: str, op: str, text: str, start: int, end: int, *, whole: bool = False) -> Cell:
    pieces = (Piece(op, Shown(text[start:end])),) if end > start else ()
    return Cell(mark, pieces, whole, text[end : end + 1] == "\n")


def _changed_rows(block: Change, room: int, split: bool, brackets: bool) -> list[Row]:
    both = bool(block.old and block.new)
    old = list(_cells("~" if both and split else "-", block.old, room, brackets))
    new = list(_cells("~" if both and split else "+", block.new, room, brackets))
    if not split:
        return [Row(cell) for cell in (*old, *new)]
    longer = max(len(old), len(new))
    return [
        Row(old[index] if index < len(old) else None, new[index] if index < len(new) else None)
        for index in range(longer)
    ]


def _cells(mark: str, pieces: list[Piece], room: int, brackets: bool) -> Iterator[Cell]:
    whole = not any(piece.op == "=" and piece.text.strip("\n") for piece in pieces)
    if brackets and not whole:
        pieces = list(_bracketed(pieces))
    text = "".join(piece.text for piece in pieces)
    rows = wrap(text, room)
    for (_, end), row in zip(rows, _cut(pieces, rows), strict=True):
        yield Cell(mark, row, whole, text[end : end + 1] == "\n")


def _bracketed(pieces: list[Piece]) -> Iterator[Piece]:
    for piece in pieces:
        if piece.op == "=":
            yield piece
        else:
            opening, closing = ("[-", "-]") if piece.op == "-" else ("{+", "+}")
            yield from (Piece("[", Shown(opening)), piece, Piece("[", Shown(closing)))


def _cut(pieces: list[Piece], rows: list[tuple[int, int]]) -> Iterator[tuple[Piece, ...]]:
    """The pieces of each row, given the offsets of the rows in the joined text."""
    index = begin = 0
    for start, end in rows:
        row: list[Piece] = []
        while index < len(pieces):
            op, text = pieces[index]
            stop = begin + len(text)
            part = text[max(start - begin, 0) : max(end - begin, 0)]
            if part:
                row.append(Piece(op, Shown(part)))
            if stop > end:
                break
            index, begin = index + 1, stop
        yield tuple(row)


def _plain_layout(what: Comparison, room: int) -> Layout:
    mark = {"add": "+", "remove": "-", "read": "|"}[what.kind]
    text = "".join(span.text for span in what.spans)
    op = "=" if what.kind == "read" else mark
    rows = tuple(Row(_cell(mark, op, text, start, end, whole=True), at=start) for start, end in wrap(text, room))
    return Layout(rows, (0,) if rows else ())


def _fold(rows: list[Row], changes: list[int], opened: frozenset[int]) -> Layout:
    """The layout, with long unchanged stretches closed to one row that says how much it holds."""
    if not changes:
        return Layout(tuple(rows), ())
    starts = set(changes)
    out: list[Row] = []
    moved: list[int] = []
    at = 0
    while at < len(rows):
        if rows[at].stretch < 0:
            if at in starts:
                moved.append(len(out))
            out.append(rows[at])
            at += 1
            continue
        end = at
        while end < len(rows) and rows[end].stretch >= 0:
            end += 1
        head = CONTEXT if at else 0
        tail = CONTEXT if end < len(rows) else 0
        closed = end - at - head - tail
        if closed < 2 or rows[at].stretch in opened:
            out += rows[at:end]
        else:
            hole = rows[at + head]
            out += [*rows[at : at + head], Row(None, folded=closed, stretch=hole.stretch, at=hole.at)]
            out += rows[end - tail : end]
        at = end
    return Layout(tuple(out), tuple(moved))


def _single(kind: Kind, op: Literal["=", "-", "+"], text: Shown) -> Comparison:
    return Comparison(kind, (Span(op, _closed(text)),) if text else ())


def _closed(text: str) -> str:
    """The text with a line feed at its very end, which would end no row, as a mark."""
    return text[:-1] + LF_MARK if text.endswith("\n") else text


def _merged(spans: list[Span]) -> Iterator[Span]:
    last: Span | None = None
    for span in spans:
        if last and last.op == span.op:
            last = Span(last.op, last.text + span.text)
            continue
        if last:
            yield last
        last = span
    if last:
        yield last
