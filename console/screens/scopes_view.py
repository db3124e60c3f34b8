"""The Scopes screen on the screen: list, page, layout, and how they keep up with the store and the folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from threading import Event
from typing import TYPE_CHECKING, Any, Final

from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.events import Resize
from textual.widgets import Static

from console.actions import Situation
from console.screens import scopes_lines
from console.screens.agents import Page
from console.screens.base import DeskScreen
from console.screens.list_detail import NARROW, WIDE
from console.screens.scrolling import Scrolling
from console.screens.taking import Taken, Taking
from console.visible import visible
from console.widgets import shown
from console.widgets.paged_list import PagedList
from console.widgets.shown import Line, Part, own
from console.widgets.text_pane import Lines

if TYPE_CHECKING:
    from store.engine import Store
    from store.scopes import Scope

LIST_SHARE: Final = 0.4
"""The part of the height that the list gets where it stands above the page, at most."""
AGAIN: Final = 2.0
"""Seconds between two counts while others commit: each looks at everything, and at every folder."""


class Names:
    """The scopes as the list sees them."""

    def __init__(self, scopes: Sequence[Scope]) -> None:
        self.by_name = {one.identity: one for one in scopes}
        self._names = list(self.by_name)
        self._places = {name: place for place, name in enumerate(self._names)}

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, at: int) -> str:
        return self._names[at]

    def index(self, value: object) -> int | None:
        """The position of a scope, or None."""
        return self._places.get(value) if isinstance(value, str) else None


class ScopesView(Taking, DeskScreen, Scrolling):
    """List, page and their upkeep."""

    NAME = "scopes"

    def __init__(self) -> None:
        super().__init__()
        self.scopes: Sequence[Scope] = ()
        self._names = Names(())
        self._called: Counter[str] = Counter()
        self._told = False
        self._meant = ""
        """The scope that the line of input is about."""
        self.in_list = True
        self.zoomed = False
        self.saving = False
        self.stop: Event | None = None
        """Stops a move that is under way."""
        self._stale = False
        self._paused = False

    def compose_body(self) -> ComposeResult:
        """The scopes under their heading, the page, the line of input."""
        from console.widgets.prompt import Prompt

        with Container(id="scopes"):
            with Vertical(id="scopes-left"):
                yield Lines(id="scopes-head")
                yield PagedList(self._row, id="scopes-list")
            with Page(id="scope"):
                yield Static(id="scope-page", markup=False)
        yield Prompt()

    @property
    def listing(self) -> PagedList:
        """The list."""
        return self.query_one(PagedList)

    def scrolled(self) -> VerticalScroll:
        """The page about one scope."""
        return self.query_one("#scope", VerticalScroll)

    @property
    def scope(self) -> Scope | None:
        """The scope under the cursor."""
        return self._names.by_name.get(self.listing.cursor_id or "")

    # ---- the store

    def store_opened(self) -> None:
        """Count."""
        self._count()

    def store_changed(self) -> None:
        """Count again, but not at every commit of a busy store, nor behind another screen."""
        self._stale = True
        if not self._paused and self.is_current:
            self._paused = True
            self.set_timer(AGAIN if self._told and self.desk.indexer.words else 0.05, self._count_again)

    def came_back(self, ids: tuple[str, ...]) -> None:  # noqa: ARG002
        """A step was taken back, or done again: that is to be seen at once."""
        self._count()

    def on_screen_resume(self) -> None:
        """What was decided meanwhile counts."""
        self._count_again()

    def facts_changed(self) -> None:
        """The project may be called otherwise by now."""
        super().facts_changed()
        if self._told:
            self._count()

    def _count_again(self) -> None:
        self._paused = False
        if self._stale and self.is_current:
            self._count()

    def _count(self) -> None:
        self._stale = False
        here = self.desk.project
        # One project is nothing to another's agents: in their environment they see what is theirs.
        mine = None if self.desk.fenced is None else set(self.desk.scopes)

        def job(store: Store) -> list[Scope]:
            from store import scopes

            return [one for one in scopes.scopes(store, here) if mine is None or one.identity in mine]

        self.ask("scopes", job, self._got)

    def _got(self, found: list[Scope]) -> None:
        if self._told and found == list(self.scopes):
            return
        self._told, self.scopes, self._names = True, found, Names(found)
        self._called = Counter(one.label for one in found)
        self.listing.show(self._names)
        self.listing.stale()
        self._paint()
        self.lay_out()
        self.refresh_footer()

    def on_paged_list_wanted(self, message: PagedList.Wanted) -> None:
        """Every scope is there already."""
        message.stop()
        self.listing.supply({name: self._names.by_name.get(name) for name in message.ids}, message.generation)

    def on_paged_list_moved(self, message: PagedList.Moved) -> None:
        """Another scope is under the cursor."""
        message.stop()
        self.scrolled().scroll_home(animate=False)
        self._paint()
        self.refresh_footer()

    def on_paged_list_opened(self, message: PagedList.Opened) -> None:
        """A row was clicked twice."""
        message.stop()
        self.do_item_open()

    # ---- what is shown

    def _row(self, name: str, row: Any, room: int, here: bool, marked: bool) -> list[Part]:
        del name, marked
        if row is None:
            return [own(" …", "$quiet")]
        return scopes_lines.row(row, room, here, self.now(), self._called[row.label] > 1)

    def _paint(self) -> None:
        self.query_one("#scopes-head", Lines).show([scopes_lines.heading(self.listing.size.width or self.size.width)])
        room = max(20, self.scrolled().size.width - 1)
        self.query_one("#scope-page", Static).update(shown.lines(self._page(room)))

    def _page(self, room: int) -> list[Line]:
        project = self.desk.project
        asks_for = project.asks_for if project is not None else None
        if not self._told:
            return [[own("counting …", "$quiet")]]
        one = self.scope
        if self.nothing or one is None:
            return scopes_lines.alone(asks_for, room)
        here = next((each for each in self.scopes if each.standing == "here"), None)
        return scopes_lines.page(one, here, asks_for, self.now(), room)

    @property
    def nothing(self) -> bool:
        """Whether nothing is held in any scope."""
        return self._told and not any(one.holds or one.confirmed for one in self.scopes)

    def tell_how_far(self, stop: Event, done: int, of: int) -> None:
        """How far a move is."""
        if self.stop is stop and not stop.is_set():
            from console import keys

            self.say(visible(f"{done:,} of {of:,} moved; {keys.shown('back')} stops", multiline=False))

    # ---- room

    def on_mount(self) -> None:
        """Have the line of input ready once the first frame stands: a key that comes before it would be a command."""
        self.lay_out()
        self.call_after_refresh(self.prompt.prepare)

    def on_resize(self, event: Resize) -> None:
        """Lay out anew."""
        super().on_resize(event)
        self.lay_out()

    def on_page_resized(self, message: Page.Resized) -> None:
        """Wrap the page anew."""
        message.stop()
        self._paint()

    def lay_out(self) -> None:
        """Side by side, one above the other, or one pane at a time; which, follows from the size."""
        single = self.zoomed or self.size.width < NARROW
        self.set_class(self.size.width >= WIDE and not single, "-wide")
        self.set_class(single and self.in_list, "-only-list")
        self.set_class(single and not self.in_list, "-only-detail")
        self.set_class(self.nothing, "-nobody")
        self.listing.active = self.in_list
        self.scrolled().set_class(not self.in_list, "-active")
        left = self.query_one("#scopes-left")
        above = not single and self.size.width < WIDE
        most = max(4, round((self.size.height - 2) * LIST_SHARE))
        left.styles.height = min(most, len(self._names) + 1) if above else None

    # ---- what is possible

    def situation(self) -> Situation:
        """What is possible now."""
        one, project = self.scope, self.desk.project
        return Situation(
            locked=self.desk.locked,
            mode=self.mode,
            item=one is not None,
            rows=len(self._names),
            empty=self.nothing and not (project is not None and project.asks_for is not None),
            saving=self.saving,
            scope=one.standing if one is not None else "",
            holds=one.holds if one is not None else 0,
            asks=project is not None and project.asks_for is not None,
            undo=self.desk.undo is not None,
            redo=self.desk.redo is not None,
        )

    @property
    def mode(self) -> str:
        """Who has the keys (see ``console.situation``)."""
        return "prompt" if self.prompt.purpose else "browse"

    def leave_prompt(self) -> bool:
        """Take the line of input away; False where there was none."""
        if not self.prompt.purpose:
            return False
        self.prompt.close()
        self.refresh_footer()
        return True

    def subject(self) -> object:
        """What a key would act on."""
        return self.scope

    def taken(self) -> Taken | None:
        """The identity of the scope under the cursor, by which it is compared."""
        return Taken(self.scope.identity + "\n", "scope.txt") if self.scope is not None else None

    # ---- the keys

    def do_move_down(self) -> None:
        """Next row, or scroll the page."""
        self.listing.move(1) if self.in_list else self.scrolled().scroll_down(animate=False)

    def do_move_up(self) -> None:
        """Row before, or scroll the page."""
        self.listing.move(-1) if self.in_list else self.scrolled().scroll_up(animate=False)

    def do_move_top(self) -> None:
        """The first."""
        self.listing.move_end(last=False) if self.in_list else self.scrolled().scroll_home(animate=False)

    def do_move_bottom(self) -> None:
        """The last."""
        self.listing.move_end(last=True) if self.in_list else self.scrolled().scroll_end(animate=False)

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
        if self.scope is not None and self.in_list:
            self.do_pane_next()
