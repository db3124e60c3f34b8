"""The view of what a decision changes: old against new, or one text alone, painted row by row.

Everything painted comes from ``console.diff_layout``. Texts from outside stand behind a gutter of ours, so that nothing
in them can pass for a part of the console, and the view knows whether its end has been on the screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from textual.events import Click, Resize
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from console import diff_layout, theme
from console.diff_blocks import Piece
from console.diff_layout import Cell, Comparison, Layout, Row
from console.visible import LF_MARK, SPACE_MARK, Shown, visible
from console.widgets import shown
from console.widgets.shown import Part, own, said_parts

SPLIT_SCREEN: Final = 120
"""From this many cells of screen on, old and new stand side by side unless somebody chose otherwise."""
SPLIT_ROOM: Final = 60
"""And only in a view of at least this many cells."""

_MARK_STYLES: Final = {"-": "bold $removed", "+": "bold $added", "~": "bold $updated", "=": "$quiet", "|": "$quiet"}
_TEXT_STYLES: Final = {"-": "$removed strike", "+": "bold $added underline", "[": "bold"}


def compared(old: str | None, new: str | None) -> Comparison:
    """Two raw texts compared; ``old`` alone is a removal, ``new`` alone an addition.

    Two texts of 16 KiB take up to a tenth of a second: to be run aside where a key waits for it.
    """
    if old is not None and new is not None:
        return diff_layout.compare(visible(old), visible(new))
    if new is not None:
        return diff_layout.addition(visible(new))
    return diff_layout.removal(visible(old or ""))


class Shape(NamedTuple):
    """What a layout depends on beside the texts."""

    width: int
    split: bool
    plain: bool


class Laid(NamedTuple):
    """A comparison laid out for a shape, with the unchanged stretches that stand open."""

    what: Comparison
    shape: Shape
    opened: frozenset[int]
    layout: Layout


def laid(what: Comparison, shape: Shape, *, unfolded: bool = False) -> Laid:
    """A comparison laid out, nothing of it folded where that is asked for; run aside, as ``compared`` is."""
    width, split, plain = shape
    layout = diff_layout.layout(what, width, split=split, brackets=plain)
    opened = frozenset(row.stretch for row in layout.rows if row.folded) if unfolded else frozenset[int]()
    if opened:
        layout = diff_layout.layout(what, width, split=split, brackets=plain, opened=opened)
    return Laid(what, shape, opened, layout)


class DiffView(ScrollView, can_focus=True):
    """Old and new, or one of them, in rows; opens at the first change, with long unchanged stretches folded."""

    DEFAULT_CSS = """
    DiffView {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size: 0 0;
    }
    """

    split: reactive[bool | None] = reactive(None)
    """Old and new side by side; None where the room decides."""

    invisibles: reactive[bool] = reactive(False)
    """Whether every space and line end is painted as a mark (tabs and hidden characters always are)."""

    class EndSeen(Message):
        """The last row has been on the screen."""

        def __init__(self, view: DiffView) -> None:
            super().__init__()
            self.view = view

        @property
        def control(self) -> DiffView:
            """The view."""
            return self.view

    def __init__(
        self,
        *,
        id: str | None = None,
        classes: str | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes, name=name)
        self._what = Comparison("read", ())
        self._layout = Layout((), ())
        self._made: dict[tuple[object, ...], Layout] = {}
        self._opened: set[int] = set()
        self._moved = False
        self._seen = False

    # What is shown

    def show(self, old: str | None, new: str | None) -> None:
        """Show raw texts, as ``compared`` sees them."""
        self.show_comparison(compared(old, new))

    def read(self, text: str) -> None:
        """Show one raw text to be read, compared with nothing."""
        self.show_comparison(diff_layout.reading(visible(text)))

    def show_comparison(self, what: Comparison) -> None:
        """Show a comparison that is already made (``compared`` may be run aside for long texts)."""
        self._what = what
        self._made.clear()
        self._opened.clear()
        self._moved = False
        self._seen = False
        self._arrange()

    def show_laid(self, one: Laid) -> None:
        """Show what has been laid out aside; where the shape is another by now, it is laid out anew."""
        self._what = one.what
        self._made = {(*one.shape, one.opened): one.layout}
        self._opened = set(one.opened)
        self._moved = False
        self._seen = False
        self._arrange()

    def shape(self) -> Shape:
        """What a layout would have to be made for now."""
        width = self.size.width
        return Shape(width, self._is_split(width), theme.is_plain(self.app))

    @property
    def seen_to_end(self) -> bool:
        """Whether the last row has been painted since this was shown. True where there is nothing to see."""
        return self._seen or not self._what.spans

    @property
    def more_below(self) -> int:
        """How many rows are below the last one that is on the screen."""
        rows, height = len(self._layout.rows), self.size.height
        hidden = rows - self.scroll_offset.y - height
        return hidden + 1 if hidden > 0 else 0

    def rows_unseen(self) -> int:
        """How many rows have still to be scrolled to; 0 once the end has been seen."""
        return 0 if self.seen_to_end else max(self.more_below, 1)

    def rows_needed(self, width: int) -> int:
        """How many rows the view would fill at a width, folded stretches closed."""
        return len(self._lay_out(width).rows)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """For ``height: auto``: every row."""
        return max(self.rows_needed(width), 1)

    # Moving about

    def next_change(self) -> bool:
        """Scroll to the next change; False where there is none below."""
        return self._go(at for at in self._layout.changes if self._top_for(at) > self.scroll_offset.y)

    def previous_change(self) -> bool:
        """Scroll to the change before; False where there is none above."""
        return self._go(at for at in reversed(self._layout.changes) if self._top_for(at) < self.scroll_offset.y)

    def open_fold(self) -> bool:
        """Open the first fold on the screen, else the first of all; False where nothing is folded."""
        rows = self._layout.rows
        top = self.scroll_offset.y
        folds = [at for at, row in enumerate(rows) if row.folded]
        on_screen = [at for at in folds if top <= at < top + self.size.height]
        for at in on_screen or folds:
            self._open(rows[at])
            return True
        return False

    def open_folds(self) -> None:
        """Open every fold."""
        self._opened = {row.stretch for row in self._layout.rows if row.folded} | self._opened
        self._arrange()

    def toggle_split(self) -> None:
        """Side by side, or one under the other."""
        self.split = not self._is_split(self.size.width)

    def toggle_invisibles(self) -> None:
        """Paint spaces and line ends as marks, or no longer."""
        self.invisibles = not self.invisibles

    def watch_split(self) -> None:
        """Lay out anew."""
        self._arrange()

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """Lay out anew, keeping the place."""
        self._arrange()

    def on_click(self, event: Click) -> None:
        """A click on a fold opens it."""
        at = self.scroll_offset.y + event.y
        rows = self._layout.rows
        if at < len(rows) and rows[at].folded and not self._is_note(event.y):
            self._open(rows[at])

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Remember that the reader has moved; the note on the last row changes with every step."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._moved = True

    def _open(self, row: Row) -> None:
        self._opened.add(row.stretch)
        self._moved = True
        self._arrange()

    def _top_for(self, at: int) -> int:
        """The scroll position that shows row ``at`` with the context before it, and the fold before that."""
        rows, start = self._layout.rows, at
        while start > 0 and at - start <= diff_layout.CONTEXT and rows[start - 1].stretch >= 0:
            start -= 1
            if rows[start].folded:
                break
        return max(min(start, len(rows) - self.size.height), 0)

    def _go(self, places: Iterator[int]) -> bool:
        at = next(places, None)
        if at is None:
            return False
        self.scroll_to(y=self._top_for(at), animate=False)
        return True

    # Laying out and painting

    def _is_split(self, width: int) -> bool:
        if self.split is not None:
            return self.split
        return width >= SPLIT_ROOM and self.app.size.width >= SPLIT_SCREEN

    def _lay_out(self, width: int) -> Layout:
        shape = Shape(width, self._is_split(width), theme.is_plain(self.app))
        wanted = (*shape, frozenset(self._opened))
        if wanted not in self._made:
            _, split, plain = shape
            self._made[wanted] = diff_layout.layout(self._what, width, split=split, brackets=plain, opened=self._opened)
        return self._made[wanted]

    def _arrange(self) -> None:
        """Lay out for the present width; a reader who has not moved yet is taken to the first change."""
        if not self.is_attached or not self.size:
            return
        place = self._place()
        self._layout = self._lay_out(self.size.width)
        rows = self._layout.rows
        self.virtual_size = Size(self.size.width, len(rows))
        if self._moved and place is not None:
            top = next((at for at, row in enumerate(rows) if row.at >= place), 0)
        else:
            top = self._top_for(self._layout.changes[0]) if self._layout.changes else 0
        moved = self._moved
        self.scroll_to(y=top, animate=False, force=True)
        self._moved = moved
        self.refresh(Region(0, 0, self.size.width, self.size.height))

    def _place(self) -> int | None:
        rows, top = self._layout.rows, self.scroll_offset.y
        return rows[top].at if top < len(rows) else None

    def _is_note(self, y: int) -> bool:
        return y == self.size.height - 1 and self.more_below > 0

    def render_line(self, y: int) -> Strip:
        """One row of the view; the last one says how much is below, until nothing is."""
        room = self.size.width
        rows = self._layout.rows
        at = self.scroll_offset.y + y
        if self._is_note(y):
            more = self.more_below
            return shown.strip(self, [own(f" ▾ {more:,} more {'line' if more == 1 else 'lines'}", "$accent")], room)
        if at >= len(rows):
            return Strip.blank(room, self.rich_style)
        if at == len(rows) - 1 and not self._seen:
            self._seen = True
            # Not posted from here: while painting, the screen counts as the sender, and would not be told.
            self.call_later(self._tell_end)
        return shown.strip(self, self._line(rows[at], room), room)

    def _tell_end(self) -> None:
        self.post_message(self.EndSeen(self))

    def _line(self, row: Row, room: int) -> list[Part]:
        if row.folded:
            return [own(f" ▸ {row.folded:,} unchanged lines", "$key")]
        if not self._is_split(room) or self._what.kind != "compare" or room < diff_layout.NARROWEST:
            return self._cell(row.left, room) if row.left else []
        left, right = diff_layout.column_widths(room)
        line = shown.pad(self._cell(row.left, left) if row.left else [], left)
        return [*line, own("│", "$rule"), *(self._cell(row.right, right) if row.right else [])]

    def _cell(self, cell: Cell, room: int) -> list[Part]:
        style = _MARK_STYLES[cell.mark]
        parts = [own(f" {'│' if cell.mark == '|' else cell.mark} ", style)]
        for piece in cell.pieces:
            parts += said_parts(self._text(piece), self._style(piece, cell))
        if self.invisibles and cell.ends and shown.width(parts) < room:
            parts.append(Part(Shown(LF_MARK), "$quiet"))
        return parts

    def _text(self, piece: Piece) -> Shown:
        return Shown(piece.text.replace(" ", SPACE_MARK)) if self.invisibles else piece.text

    def _style(self, piece: Piece, cell: Cell) -> str:
        if self._what.kind != "compare":
            return ""
        if cell.whole and piece.op in "-+":
            return "$removed" if piece.op == "-" else "$added"
        return _TEXT_STYLES.get(piece.op, "$quiet" if cell.mark == "=" else "")
