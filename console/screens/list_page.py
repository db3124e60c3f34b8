"""A screen of a short list and a page about what is under its cursor: agents and scopes are such.

What is listed is counted whole, in one question, so the list never waits for a row. While others commit it is counted
again, but not at every commit of a busy store, nor behind another screen. A subclass says how to ``count``, gives what
came of it to ``show_all``, and puts a row and a page into words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, Generic, TypeVar

from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.events import Resize
from textual.message import Message
from textual.widgets import Static

from console.screens.base import DeskScreen
from console.screens.list_detail import NARROW, WIDE
from console.screens.scrolling import Scrolling
from console.screens.taking import TakingLine
from console.widgets import shown
from console.widgets.paged_list import PagedList
from console.widgets.prompt import Prompt
from console.widgets.shown import Line, Part, own
from console.widgets.text_pane import Lines

T = TypeVar("T")
AGAIN: Final = 2.0
"""Seconds between two counts while others commit: each looks at everything."""


class Named(Generic[T]):
    """What was counted, as the list sees it: names in their order."""

    def __init__(self, by_name: Mapping[str, T]) -> None:
        self.by_name = by_name
        self._names = list(by_name)
        self._places = {name: place for place, name in enumerate(self._names)}

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, at: int) -> str:
        return self._names[at]

    def index(self, value: object) -> int | None:
        """The position of a name, or None."""
        return self._places.get(value) if isinstance(value, str) else None


class Page(VerticalScroll, can_focus=False):
    """The page; it tells when it has another size, since its lines are wrapped for it."""

    class Resized(Message):
        """There is more or less room."""

    def on_resize(self) -> None:
        """Tell."""
        self.post_message(self.Resized())


class ListPage(TakingLine, DeskScreen, Scrolling, Generic[T]):
    """List, page and their upkeep."""

    CSS_PATH = "list_page.tcss"
    LIST_SHARE: ClassVar[float] = 0.4
    """The part of the height that the list gets where it stands above the page, at most."""

    def __init__(self) -> None:
        super().__init__()
        self.listed: Named[T] = Named({})
        self.counted = False
        self.in_list = True
        self.zoomed = False
        self._stale = False
        self._paused = False

    # ---- what subclasses say

    def count(self) -> None:
        """Ask for everything anew."""
        raise NotImplementedError

    def heading(self, room: int) -> Line:
        """The line above the list."""
        raise NotImplementedError

    def row_line(self, row: T, room: int, here: bool) -> list[Part]:
        """One line of the list."""
        raise NotImplementedError

    def page_lines(self, room: int) -> list[Line]:
        """The page, once something was counted."""
        raise NotImplementedError

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to list, so that the page has all the room."""
        return self.counted and not len(self.listed)

    def pause(self) -> float:
        """Seconds until what was committed is counted."""
        return AGAIN

    # ---- the parts

    def compose_body(self) -> ComposeResult:
        """The list under its heading, the page, the line of input."""
        with Container(id="counted"):
            with Vertical(id="counted-left"):
                yield Lines(id="counted-head")
                yield PagedList(self._row, id="counted-list")
            with Page(id="page"):
                yield Static(id="page-text", markup=False)
        yield Prompt()

    @property
    def listing(self) -> PagedList:
        """The list."""
        return self.query_one(PagedList)

    def scrolled(self) -> VerticalScroll:
        """The page."""
        return self.query_one(Page)

    @property
    def chosen(self) -> T | None:
        """What is under the cursor."""
        return self.listed.by_name.get(self.listing.cursor_id or "")

    # ---- the store

    def store_opened(self) -> None:
        """Count."""
        self.count_now()

    def store_changed(self) -> None:
        """Count again soon."""
        self._stale = True
        if not self._paused and self.is_current:
            self._paused = True
            self.set_timer(self.pause(), self._count_again)

    def came_back(self, ids: tuple[str, ...]) -> None:  # noqa: ARG002
        """A step was taken back, or done again: that is to be seen at once."""
        self.count_now()

    def on_screen_resume(self) -> None:
        """What was decided meanwhile counts."""
        self._count_again()

    def _count_again(self) -> None:
        self._paused = False
        if self._stale and self.is_current:
            self.count_now()

    def count_now(self) -> None:
        """Count, whatever was counted a moment ago."""
        self._stale = False
        self.count()

    def show_all(self, by_name: Mapping[str, T]) -> None:
        """Show what was counted; the cursor stays on its name."""
        self.counted, self.listed = True, Named(by_name)
        self.listing.show(self.listed)
        self.listing.stale()
        self.paint()
        self.lay_out()
        self.refresh_footer()

    def on_paged_list_wanted(self, message: PagedList.Wanted) -> None:
        """Every row is there already."""
        message.stop()
        self.listing.supply({name: self.listed.by_name.get(name) for name in message.ids}, message.generation)

    def on_paged_list_moved(self, message: PagedList.Moved) -> None:
        """Something else is under the cursor."""
        message.stop()
        self.scrolled().scroll_home(animate=False)
        self.paint()
        self.refresh_footer()

    def on_paged_list_opened(self, message: PagedList.Opened) -> None:
        """A row was clicked twice."""
        message.stop()
        self.do_item_open()

    # ---- what is shown

    def _row(self, name: str, row: T | None, room: int, here: bool, marked: bool) -> list[Part]:
        del name, marked
        return [own(" …", "$quiet")] if row is None else self.row_line(row, room, here)

    def paint(self) -> None:
        """Heading and page anew."""
        self.query_one("#counted-head", Lines).show([self.heading(self.listing.size.width or self.size.width)])
        room = max(20, self.scrolled().size.width - 1)
        lines = self.page_lines(room) if self.counted else [[own("counting …", "$quiet")]]
        self.query_one("#page-text", Static).update(shown.lines(lines))

    # ---- room

    def on_mount(self) -> None:
        """Lay out at once."""
        self.lay_out()

    def on_resize(self, event: Resize) -> None:
        """Lay out anew."""
        super().on_resize(event)
        self.lay_out()

    def on_page_resized(self, message: Page.Resized) -> None:
        """Wrap the page anew."""
        message.stop()
        self.paint()

    def lay_out(self) -> None:
        """Side by side, one above the other, or one pane at a time; which, follows from the size."""
        single = self.zoomed or self.size.width < NARROW
        self.set_class(self.size.width >= WIDE and not single, "-wide")
        self.set_class(single and self.in_list and not self.nothing, "-only-list")
        self.set_class(single and not self.in_list, "-only-detail")
        self.set_class(self.nothing, "-nobody")
        self.listing.active = self.in_list
        self.scrolled().set_class(not self.in_list, "-active")
        above = not single and self.size.width < WIDE
        most = max(4, round((self.size.height - 2) * self.LIST_SHARE))
        self.query_one("#counted-left").styles.height = min(most, len(self.listed) + 1) if above else None

    # ---- the keys; a page of the list would be all of it, so those scroll the text

    def do_move_down(self) -> None:
        """Next row, or scroll the page."""
        self.listing.move(1) if self.in_list else super().do_move_down()

    def do_move_up(self) -> None:
        """Row before, or scroll the page."""
        self.listing.move(-1) if self.in_list else super().do_move_up()

    def do_move_top(self) -> None:
        """The first."""
        self.listing.move_end(last=False) if self.in_list else super().do_move_top()

    def do_move_bottom(self) -> None:
        """The last."""
        self.listing.move_end(last=True) if self.in_list else super().do_move_bottom()

    def do_pane_next(self) -> None:
        """To the other pane."""
        self.in_list = not self.in_list
        self.lay_out()

    def do_pane_zoom(self) -> None:
        """The whole window for this pane, and back."""
        self.zoomed = not self.zoomed
        self.lay_out()

    def do_item_open(self) -> None:
        """Go into the page."""
        if self.chosen is not None and self.in_list:
            self.do_pane_next()

    def do_back(self) -> None:
        """Leave the line of input, the zoom, the page, the screen."""
        if self.leave_prompt():
            return
        if self.zoomed:
            self.do_pane_zoom()
        elif not self.in_list:
            self.do_pane_next()
        else:
            self.desk.do_leave()
