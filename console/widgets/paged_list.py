"""A list of any length at a constant price a key: ids in memory, rows by page, lines painted when asked for.

The list holds ids (``Ids``: packed, 16 bytes each) and a bounded cache of rows by id. What it has no row for is painted
as a placeholder and asked for with ``Wanted``; the screen has a worker fetch the rows and gives them to ``supply``.
Cursor and marks are ids, never positions: whatever arrives above, they stay on their item.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from console.widgets import shown
from console.widgets.marks import Marks
from console.widgets.shown import Line, Part, own
from store.packed import PackedIds

PAGE: Final = 64
"""Rows asked for at once, at least what is on the screen."""
KEPT: Final = 512
"""Rows kept in memory."""


UNREADABLE: Final = object()
"""Supplied in the place of a row whose values are damaged; the rows beside it can be read."""


class Ids(Protocol):
    """A sequence of ids that finds the place of one."""

    def __len__(self) -> int: ...

    def __getitem__(self, at: int, /) -> str: ...

    def index(self, value: object, /) -> int | None:
        """The position of an id, or None."""


Painter = Callable[[str, Any, int, bool, bool], Line]
"""(id, row or None, width, under the cursor, marked) -> the line."""


def missing(row: object) -> Part:
    """What stands in a line that has no row: that it is on its way, or that it cannot be read."""
    return own(" …", "$quiet") if row is None else own(" cannot be read: damaged in the store", "$alarm")


class PagedList(ScrollView, can_focus=False):
    """The list. ``paint`` makes a line out of a row; what the rows are, only it and the screen know."""

    class Wanted(Message):
        """Rows are missing or may have changed: these ids, as of this generation (give it back to ``supply``)."""

        def __init__(self, ids: tuple[str, ...], generation: int) -> None:
            super().__init__()
            self.ids = ids
            self.generation = generation

    class Moved(Message):
        """The cursor stands on another item, or on none."""

        def __init__(self, id_: str | None) -> None:
            super().__init__()
            self.item = id_

    class Opened(Message):
        """A row was clicked twice."""

    class Marked(Message):
        """A row was marked or unmarked by a click."""

    active: reactive[bool] = reactive(True, repaint=True)
    """Whether the keys move this pane; the cursor is painted quieter where they do not."""

    def __init__(self, paint: Painter, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._paint = paint
        self._ids: Ids = ()
        self._rows: OrderedDict[str, tuple[int, Any]] = OrderedDict()
        self._generation = 0
        self._cursor = 0
        self.cursor_id: str | None = None
        """The item under the cursor, or None in an empty list."""
        self.marks = Marks()
        """The marked items."""
        self._anchor: str | None = None

    @property
    def ids(self) -> Ids:
        """The ids, in order."""
        return self._ids

    @property
    def cursor(self) -> int:
        """The position of the cursor."""
        return self._cursor

    def row(self, id_: str) -> Any:
        """The row of an id as far as it is known, else None."""
        kept = self._rows.get(id_)
        return kept[1] if kept and kept[1] is not UNREADABLE else None

    def unreadable(self, id_: str | None) -> bool:
        """Whether the row of an id is known to be damaged."""
        kept = self._rows.get(id_ or "")
        return kept is not None and kept[1] is UNREADABLE

    def show(self, ids: Ids, *, cursor: str | None = None) -> None:
        """Show these ids. The cursor goes to ``cursor``, else stays on its item, else at its position."""
        self._ids = ids
        self.virtual_size = Size(0, len(ids))
        place = None
        for wanted in (cursor, self.cursor_id):
            place = ids.index(wanted) if place is None and wanted is not None else place
        self._put_cursor(min(self._cursor, len(ids) - 1) if place is None else place)
        self.refresh()
        self.want()

    def stale(self) -> None:
        """The rows may have changed: keep painting them, and ask again for those on the screen."""
        self._generation += 1
        self.want()

    def supply(self, rows: Mapping[str, Any], generation: int) -> None:
        """Rows came, asked for in ``generation``. An id that was asked for and has no row is supplied as None."""
        for id_, row in rows.items():
            self._rows[id_] = (generation, row)
            self._rows.move_to_end(id_)
        while len(self._rows) > KEPT:
            self._rows.popitem(last=False)
        self.refresh()
        self.want()

    def want(self) -> None:
        """Ask for the rows on the screen, and about it, that are missing or stale."""
        first = max(0, self.scroll_offset.y)
        height = max(self.size.height, 1)
        near = self._missing(first, first + height)
        if near:
            around = self._missing(first - PAGE // 2, first + height + PAGE // 2)
            self.post_message(self.Wanted(tuple(around), self._generation))

    def _missing(self, start: int, end: int) -> list[str]:
        wanted = []
        for at in range(max(start, 0), min(end, len(self._ids))):
            id_ = self._ids[at]
            kept = self._rows.get(id_)
            if kept is None or kept[0] < self._generation:
                wanted.append(id_)
        return wanted

    def move(self, rows: int) -> None:
        """Move the cursor by so many rows, as far as there are rows."""
        self._go(self._cursor + rows)

    def move_page(self, pages: int) -> None:
        """Move the cursor by so many pages."""
        self._go(self._cursor + pages * max(1, self.size.height - 1))

    def move_end(self, *, last: bool) -> None:
        """Move the cursor to the first or the last row."""
        self._go(len(self._ids) - 1 if last else 0)

    def go_to(self, id_: str) -> bool:
        """Put the cursor on an item; False where it is not in the list."""
        place = self._ids.index(id_)
        if place is None:
            return False
        self._go(place)
        return True

    def after(self, gone: set[str]) -> str | None:
        """The item the cursor should go to where ``gone`` leave: the next that stays, else the one before."""
        places = range(self._cursor, min(len(self._ids), self._cursor + len(gone) + 1))
        following = (self._ids[at] for at in places)
        before = (self._ids[at] for at in range(self._cursor - 1, max(-1, self._cursor - len(gone) - 2), -1))
        for candidates in (following, before):
            for id_ in candidates:
                if id_ not in gone:
                    return id_
        return None

    def _go(self, place: int) -> None:
        old = self._cursor
        self._put_cursor(max(0, min(len(self._ids) - 1, place)))
        if old != self._cursor:
            self.refresh_line(old)
            self.refresh_line(self._cursor)
            self.want()

    def _put_cursor(self, place: int) -> None:
        self._cursor = max(0, place)
        id_ = self._ids[self._cursor] if len(self._ids) else None
        self._keep_in_view()
        if id_ != self.cursor_id:
            self.cursor_id = id_
            self.post_message(self.Moved(id_))

    def _keep_in_view(self) -> None:
        top, height = self.scroll_offset.y, self.size.height
        if self._cursor < top:
            self.scroll_to(y=self._cursor, animate=False, force=True)
        elif height and self._cursor >= top + height:
            self.scroll_to(y=self._cursor - height + 1, animate=False, force=True)

    def toggle_mark(self) -> None:
        """Mark the item under the cursor, or unmark it."""
        if self.cursor_id is None:
            return
        self.marks.toggle(self.cursor_id)
        self._anchor = self.cursor_id
        self.refresh_line(self._cursor)

    def mark_range(self) -> None:
        """Mark all from the last mark to the cursor."""
        anchor = self._ids.index(self._anchor) if self._anchor else None
        first, last = sorted((self._cursor if anchor is None else anchor, self._cursor))
        self.marks.add(self._ids[at] for at in range(first, last + 1))
        self._anchor = self.cursor_id
        self.refresh()

    def mark_all(self, ids: Ids) -> None:
        """Mark all of these, and no others."""
        self.marks.take(ids if isinstance(ids, PackedIds) else PackedIds.of(ids[at] for at in range(len(ids))))
        self.refresh()

    def unmark(self, gone: set[str] | None = None) -> None:
        """Take away the marks of these, or all."""
        if gone is None:
            self.marks.clear()
            self._anchor = None
        else:
            self.marks.remove(gone)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line: a row, a placeholder, or blank below the last."""
        room = self.size.width
        at = self.scroll_offset.y + y
        if at >= len(self._ids):
            return shown.strip(self, [], room)
        id_ = self._ids[at]
        here = at == self._cursor
        kept = self._rows.get(id_)
        line = self._paint(id_, kept[1] if kept else None, room, here, id_ in self.marks)
        if not here:
            return shown.strip(self, line, room)
        bar = own("▌", "$accent" if self.active else "$quiet")
        ground = self.visual_style + self.app.stylesheet.parse_style("on $chosen")
        return shown.strip(self, [bar, *line[1:]], room, ground)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Other rows came into view."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.want()

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """More or fewer rows fit."""
        self._keep_in_view()
        self.want()

    def on_click(self, event: Click) -> None:
        """A click puts the cursor on a row, a double click opens it; left of the op it marks."""
        at = self.scroll_offset.y + event.y
        if at >= len(self._ids):
            return
        self._go(at)
        if event.chain == 2:
            self.post_message(self.Opened())
        elif event.x in (1, 2):
            self.toggle_mark()
            self.post_message(self.Marked())
