"""The agents: what became of their proposals, kind by kind, how far they can be trusted, and what rules approved.

Nothing is switched on here. A rule that past decisions support is shown as the lines of config.toml that would make
it, for the person to put there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.events import Resize
from textual.message import Message
from textual.widgets import Static

from console.actions import Situation
from console.screens import agents_lines
from console.screens.base import DeskScreen, bindings_for
from console.screens.list_detail import NARROW, WIDE
from console.screens.scrolling import Scrolling
from console.screens.taking import Taken, TakingAlone
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.paged_list import PagedList
from console.widgets.prompt import Prompt
from console.widgets.shown import Line, Part, own
from console.widgets.text_pane import Lines
from store.calibration import LOOKED_AT, Record, Trust
from store.filters import ANY_RULE, Filter, Term
from store.policy import Rules

if TYPE_CHECKING:
    from store.engine import Store

LIST_SHARE: Final = 0.32
"""The part of the height that the list gets where it stands above the page, at most."""
AGAIN: Final = 2.0
"""Seconds between two counts while others commit: each looks at everything."""


@dataclass(frozen=True, slots=True)
class Told:
    """What was asked for: the records, the rules of config.toml, and where that stands."""

    trust: Trust
    rules: Rules
    place: Shown
    messages: tuple[str, ...]


class Records:
    """The records as the list sees them, by agent and kind."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.by_name = {f"{one.agent is None}\x00{one.agent}\x00{one.kind}": one for one in records}
        self._names = list(self.by_name)
        self._places = {name: place for place, name in enumerate(self._names)}

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, at: int) -> str:
        return self._names[at]

    def index(self, value: object) -> int | None:
        """The position of a record, or None."""
        return self._places.get(value) if isinstance(value, str) else None


class Page(VerticalScroll, can_focus=False):
    """The page about one record; it tells when it has another size, since its lines are wrapped for it."""

    class Resized(Message):
        """There is more or less room."""

    def on_resize(self) -> None:
        """Tell."""
        self.post_message(self.Resized())


class AgentsScreen(TakingAlone, DeskScreen, Scrolling):
    """Agents and kinds on one side, the page about one of them on the other."""

    NAME = "agents"
    CSS_PATH = "agents.tcss"
    BINDINGS = bindings_for("agents")

    def __init__(self) -> None:
        super().__init__()
        self._told: Told | None = None
        self._records = Records(())
        self._in_list = True
        self._zoomed = False
        self._stale = False
        self._paused = False

    def compose_body(self) -> ComposeResult:
        """The records under their heading, the page, the line of input."""
        with Container(id="agents"):
            with Vertical(id="agents-left"):
                yield Lines(id="agents-head")
                yield PagedList(self._row, id="agents-list")
            with Page(id="agent"):
                yield Static(id="agent-page", markup=False)
        yield Prompt()

    @property
    def listing(self) -> PagedList:
        """The list."""
        return self.query_one(PagedList)

    def scrolled(self) -> VerticalScroll:
        """The page about one record."""
        return self.query_one("#agent", VerticalScroll)

    @property
    def record(self) -> Record | None:
        """The record under the cursor."""
        return self._records.by_name.get(self.listing.cursor_id or "")

    # ---- the store

    def store_opened(self) -> None:
        """Count."""
        self._count()

    def store_changed(self) -> None:
        """Count again, but not at every commit of a busy store, nor behind another screen."""
        self._stale = True
        if not self._paused and self.is_current:
            self._paused = True
            self.set_timer(AGAIN, self._count_again)

    def came_back(self, ids: tuple[str, ...]) -> None:  # noqa: ARG002
        """A step was taken back, or done again: that is to be seen at once."""
        self._count()

    def on_screen_resume(self) -> None:
        """What was decided meanwhile counts."""
        self._count_again()

    def _count_again(self) -> None:
        self._paused = False
        if self._stale and self.is_current:
            self._count()

    def _count(self) -> None:
        self._stale = False
        # One project is nothing to another's agents: in their environment they see what is theirs.
        scopes = None if self.desk.fenced is None else self.desk.scopes

        def job(store: Store) -> Told:
            from store import config
            from store.trust import trust

            read = config.load()
            place = visible(str(read.path), multiline=False)
            return Told(
                trust(store, scopes), read.rules, place, tuple(one for one in read.messages if "[approve" in one)
            )

        self.ask("trust", job, self._got)

    def _got(self, told: Told) -> None:
        self._told, self._records = told, Records(told.trust.agents)
        self.listing.show(self._records)
        self.listing.stale()
        self._paint()
        self.lay_out()
        if told.messages:
            self.say(visible(told.messages[0], multiline=False), bad=True)

    def on_paged_list_wanted(self, message: PagedList.Wanted) -> None:
        """Every record is there already."""
        message.stop()
        self.listing.supply({name: self._records.by_name.get(name) for name in message.ids}, message.generation)

    def on_paged_list_moved(self, message: PagedList.Moved) -> None:
        """Another record is under the cursor."""
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
        return agents_lines.row(row, room, here) if row is not None else [own(" …", "$quiet")]

    def _paint(self) -> None:
        self.query_one("#agents-head", Lines).show([agents_lines.heading(self.listing.size.width or self.size.width)])
        room = max(20, self.scrolled().size.width - 1)
        self.query_one("#agent-page", Static).update(shown.lines(self._page(room)))

    def _page(self, room: int) -> list[Line]:
        told, record = self._told, self.record
        if told is None:
            return [[own("counting …", "$quiet")]]
        if record is None:
            return agents_lines.nothing(room)
        page = agents_lines.page(record, told.rules, told.trust.rules, told.place, room)
        return [*page, *self._bounds(told.trust, room)]

    def _bounds(self, trust: Trust, room: int) -> list[Line]:
        """What was left out, where anything was."""
        parts = [f"Of the newest {LOOKED_AT:,} proposals."] if trust.older else []
        parts += [f"{trust.more:,} more agents and kinds are not shown."] if trust.more else []
        return [[], *shown.flow([own(" ".join(parts), "$quiet")], room)] if parts else []

    # ---- room

    def on_mount(self) -> None:
        """The keys are the screen's."""
        self.lay_out()

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
        single = self._zoomed or self.size.width < NARROW
        self.set_class(self.size.width >= WIDE and not single, "-wide")
        self.set_class(single and self._in_list, "-only-list")
        self.set_class(single and not self._in_list, "-only-detail")
        self.set_class(self._told is not None and not self._records.by_name, "-nobody")
        self.listing.active = self._in_list
        self.scrolled().set_class(not self._in_list, "-active")
        left = self.query_one("#agents-left")
        above = not single and self.size.width < WIDE
        most = max(4, round((self.size.height - 2) * LIST_SHARE))
        left.styles.height = min(most, len(self._records) + 1) if above else None

    # ---- what is possible

    def situation(self) -> Situation:
        """Nothing is decided here but undo and redo."""
        record = self.record
        return Situation(
            locked=self.desk.locked,
            mode=self.mode,
            item=record is not None,
            rows=len(self._records),
            empty=self._told is not None and not len(self._records),
            textless="" if self.taken() is not None else "no rule is suggested for it",
            undo=self.desk.undo is not None,
            redo=self.desk.redo is not None,
        )

    def taken(self) -> Taken | None:
        """The lines of config.toml that are suggested for the record under the cursor."""
        told, record = self._told, self.record
        if told is None or record is None:
            return None
        lines = agents_lines.lines_to_take(record, told.rules)
        return Taken(lines, "meminbox-rule.toml") if lines is not None else None

    # ---- the keys

    def do_move_down(self) -> None:
        """Next row, or scroll the page."""
        self.listing.move(1) if self._in_list else self.scrolled().scroll_down(animate=False)

    def do_move_up(self) -> None:
        """Row before, or scroll the page."""
        self.listing.move(-1) if self._in_list else self.scrolled().scroll_up(animate=False)

    def do_move_page_down(self) -> None:
        """A page of the text on: the list is short."""
        self.scrolled().scroll_page_down(animate=False)

    def do_move_page_up(self) -> None:
        """A page of the text back."""
        self.scrolled().scroll_page_up(animate=False)

    def do_move_top(self) -> None:
        """The first."""
        self.listing.move_end(last=False) if self._in_list else self.scrolled().scroll_home(animate=False)

    def do_move_bottom(self) -> None:
        """The last."""
        self.listing.move_end(last=True) if self._in_list else self.scrolled().scroll_end(animate=False)

    def do_pane_next(self) -> None:
        """To the other pane."""
        self._in_list = not self._in_list
        self.lay_out()

    def do_pane_zoom(self) -> None:
        """The whole window for this pane, and back."""
        self._zoomed = not self._zoomed
        self.lay_out()

    def do_item_open(self) -> None:
        """Go into the page."""
        if self.record is not None and self._in_list:
            self.do_pane_next()

    def do_agents_open(self) -> None:
        """The memories from these proposals in the library: those that a rule approved, where there are any."""
        record = self.record
        if record is not None:
            self.desk.show("screen.library", _memories_of(record), True)

    def do_back(self) -> None:
        """Leave the line of input, the zoom, the page, the screen."""
        if self.leave_prompt():
            return
        if self._zoomed:
            self.do_pane_zoom()
        elif not self._in_list:
            self.do_pane_next()
        else:
            self.desk.do_leave()


def _memories_of(record: Record) -> Filter:
    """The filter that shows what became of a record's proposals."""
    terms = [Term("auto", "=", ANY_RULE)] if record.by_rule else []
    terms.append(Term("agent", "=", record.agent))
    terms += [Term("kind", "=", record.kind)] if record.kind is not None else []
    return Filter(" ".join(f"{one.field}:{_quoted(one.value)}" for one in terms), tuple(terms))


def _quoted(value: object) -> str:
    spelled = "unknown" if value is None else str(value)
    return f'"{spelled}"' if any(char.isspace() for char in spelled) else spelled
