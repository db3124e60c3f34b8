"""The library on the screen: list and detail of the active memories, moving, finding and taking away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container
from textual.events import Resize
from textual.widgets import Static

from console import words
from console.actions import Situation
from console.screens.base import DeskScreen
from console.screens.library_row import MemoryRows
from console.screens.queue_view import NARROW, TINY, WIDE
from console.visible import Shown, visible
from console.widgets.memory_pane import MemoryPane
from console.widgets.paged_list import PagedList
from console.widgets.prompt import Prompt
from console.widgets.shown import own
from store.facts import Memory, Version
from store.filters import EVERYTHING, Filter, parse
from store.packed import PackedIds

if TYPE_CHECKING:
    from store.engine import Store

SHOWN_VERSIONS = 8


class LibraryView(DeskScreen):
    """List, detail and their upkeep."""

    NAME = "library"
    CSS_PATH = "library.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.flt: Filter = EVERYTHING
        self.saving: set[str] = set()
        """The memories with an act on its way."""
        self.pane = "list"
        self.zoomed = False
        self._painted: tuple[Memory, float] | None = None

    def compose_body(self) -> ComposeResult:
        """List and detail, the line of input, and the one line for a window that is too small."""
        with Container(id="panes"):
            yield PagedList(MemoryRows(self), id="list")
            yield MemoryPane()
        yield Prompt()
        yield Static("meminbox needs 40x10", id="tiny", markup=False)

    @property
    def listing(self) -> PagedList:
        """The list."""
        return self.query_one("#list", PagedList)

    @property
    def detail(self) -> MemoryPane:
        """The detail."""
        return self.query_one(MemoryPane)

    @property
    def prompt(self) -> Prompt:
        """The line of input."""
        return self.query_one(Prompt)

    # ---- what is possible

    def painted_memory(self) -> Memory | None:
        """The memory under the cursor as it stands on the screen, where an act may be about it."""
        if self._painted is None or self._painted[0].id != self.listing.cursor_id:
            self.say(Shown("not on the screen yet, nothing done"), bad=True)
            return None
        return self._painted[0]

    def situation(self) -> Situation:
        """What is possible now."""
        memory = self.detail.memory
        id_ = self.listing.cursor_id
        return Situation(
            locked=self.desk.locked,
            mode="edit" if self.detail.editing else ("prompt" if self.prompt.purpose else "browse"),
            item=id_ is not None,
            saving=id_ in self.saving,
            previous=memory is not None and memory.id == id_ and memory.previous_value is not None,
            history=memory is not None,
            marks=len(self.listing.marks),
            rows=len(self.listing.ids),
            filtered=not self.flt.empty,
            undo=self.desk.undo is not None,
            redo=self.desk.redo is not None,
        )

    def painted_at(self) -> float | None:
        """When the memory under the cursor was painted; None while its detail is not there."""
        if self._painted is None or self._painted[0].id != self.listing.cursor_id:
            return None
        return self._painted[1]

    def subject(self) -> object:
        """What a key would act on."""
        painted = (self._painted[0].id, self._painted[0].revision) if self._painted else None
        return painted, frozenset(self.listing.marks)

    def marked(self) -> int:
        """How many rows are marked."""
        return len(self.listing.marks)

    # ---- the store

    def store_opened(self) -> None:
        """Ask for the memories."""
        self.reload()

    def store_changed(self) -> None:
        """Ask again for ids, rows and detail."""
        self.reload()
        self.listing.stale()
        self._load_detail()

    def reload(self) -> None:
        """Ask for the ids again."""
        flt, scopes = self.flt, self.desk.scopes

        def job(store: Store) -> PackedIds:
            from store import queries

            return queries.memory_ids(store, flt, scopes=scopes)

        self.ask("ids", job, self._got_ids)

    def _got_ids(self, ids: PackedIds) -> None:
        self.listing.unmark({id_ for id_ in self.listing.marks if ids.index(id_) is None})
        self.listing.show(ids)
        if len(ids) == 0:
            self._show_empty()
        else:
            self._load_detail()
        if self.prompt.purpose == "filter" and not self.flt.errors and not self.flt.empty:
            self.prompt.remark(Shown(words.count(len(ids), "match", "matches")))
        self.lay_out()
        self.facts_changed()

    def _show_empty(self) -> None:
        self._painted = None
        if self.flt.empty:
            lines = [
                [own("Nothing has been approved here yet.", "bold")],
                [],
                [own("1", "bold $accent"), own(" shows what waits", "$quiet")],
            ]
        else:
            lines = [
                [own("Nothing matches this filter.", "bold")],
                [],
                [own("esc", "bold $accent"), own(" clears it", "$quiet")],
            ]
        self.detail.show_message([[], *lines])
        self.refresh_footer()

    def on_paged_list_wanted(self, message: PagedList.Wanted) -> None:
        """Fetch rows, one batch at a time; the list asks again for what is still missing."""
        message.stop()
        if self.busy("rows"):
            return
        ids, generation = message.ids, message.generation

        def job(store: Store) -> dict[str, Memory | None]:
            from store import queries

            return {**dict.fromkeys(ids), **{row.id: row for row in queries.memory_rows(store, ids)}}

        self.ask("rows", job, lambda rows: self.listing.supply(rows, generation))

    def on_paged_list_moved(self, message: PagedList.Moved) -> None:
        """The cursor stands elsewhere: its detail is wanted."""
        message.stop()
        self._load_detail()
        self.refresh_footer()

    def _load_detail(self) -> None:
        id_ = self.listing.cursor_id
        if id_ is None:
            return

        def job(store: Store) -> tuple[Memory, tuple[Version, ...]] | None:
            from store import queries

            found = queries.memory_rows(store, [id_])
            return (found[0], tuple(queries.memory_versions(store, id_)[:SHOWN_VERSIONS])) if found else None

        self.ask("detail", job, self._got_detail)

    def _got_detail(self, answer: tuple[Memory, tuple[Version, ...]] | None) -> None:
        if answer is None or answer[0].id != self.listing.cursor_id or self.detail.editing:
            return
        if self._painted is not None and self._painted[0].revision != answer[0].revision:
            self._painted = None
        self.detail.show(*answer, self.setting())

    def on_memory_pane_painted(self, message: MemoryPane.Painted) -> None:
        """From now on the memory may be acted on."""
        message.stop()
        memory = message.memory
        if memory.id != self.listing.cursor_id:
            return
        before = self._painted
        same = before is not None and (before[0].id, before[0].revision) == (memory.id, memory.revision)
        self._painted = (memory, before[1] if before and same else self.desk.pace.clock())
        self.refresh_footer()

    # ---- moving

    def _in_list(self) -> bool:
        return self.pane == "list"

    def do_move_down(self) -> None:
        """Next row, or scroll the text."""
        self.listing.move(1) if self._in_list() else self.detail.scroll(1)

    def do_move_up(self) -> None:
        """Row before, or scroll the text."""
        self.listing.move(-1) if self._in_list() else self.detail.scroll(-1)

    def do_move_page_down(self) -> None:
        """A page on."""
        self.listing.move_page(1) if self._in_list() else self.detail.scroll(self.detail.size.height - 2)

    def do_move_page_up(self) -> None:
        """A page back."""
        self.listing.move_page(-1) if self._in_list() else self.detail.scroll(2 - self.detail.size.height)

    def do_move_top(self) -> None:
        """The first."""
        self.listing.move_end(last=False)

    def do_move_bottom(self) -> None:
        """The last."""
        self.listing.move_end(last=True)

    def do_pane_next(self) -> None:
        """To the other pane."""
        self.pane = "detail" if self._in_list() else "list"
        self.lay_out()
        self.refresh_footer()

    def do_pane_zoom(self) -> None:
        """The whole window for this pane, and back."""
        self.zoomed = not self.zoomed
        self.lay_out()

    def do_item_open(self) -> None:
        """Go into the detail."""
        if self._in_list():
            self.do_pane_next()

    def do_diff_split(self) -> None:
        """Side by side, or one under the other."""
        self.detail.text.toggle_split()

    def do_diff_next(self) -> None:
        """To the next change."""
        self.detail.text.next_change()

    def do_diff_previous(self) -> None:
        """To the change before."""
        self.detail.text.previous_change()

    def do_view_invisibles(self) -> None:
        """Show spaces, tabs and line ends, or not."""
        self.detail.text.toggle_invisibles()

    def do_mark_toggle(self) -> None:
        """Mark or unmark."""
        self.listing.toggle_mark()
        self.facts_changed()

    def do_mark_range(self) -> None:
        """Mark from the last mark to here."""
        self.listing.mark_range()
        self.facts_changed()

    def do_mark_all(self) -> None:
        """Mark everything that matches."""
        self.listing.mark_all(self.listing.ids)
        self.facts_changed()

    def do_back(self) -> None:
        """One thing back: the line of input, the editor, the zoom, the detail, the marks, the filter, the screen."""
        if self.prompt.purpose:
            self.prompt.close()
            self._narrow(EVERYTHING)
        elif self.detail.editing:
            self.leave_editor()
            self.say(Shown("left as it was"))
        elif self.zoomed:
            self.do_pane_zoom()
        elif not self._in_list():
            self.do_pane_next()
        elif self.listing.marks:
            self.listing.unmark()
            self.facts_changed()
        elif not self.flt.empty:
            self._narrow(EVERYTHING)
        else:
            self.desk.do_leave()

    def leave_editor(self) -> None:
        """Close the inline editor."""
        self.detail.end_edit()

    # ---- finding and taking away

    def do_filter_open(self) -> None:
        """Type a filter; the list follows."""
        self.prompt.ask("filter", Shown("/"), self.flt.given)
        self.refresh_footer()

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        """The list follows what is typed."""
        message.stop()
        self._narrow(parse(message.text))

    def on_prompt_entered(self, message: Prompt.Entered) -> None:
        """The filter stands."""
        message.stop()
        self.prompt.close()
        self.refresh_footer()

    def _narrow(self, flt: Filter) -> None:
        self.flt = flt
        self.prompt.remark(visible(" ".join(flt.errors), multiline=False))
        self.reload()
        self.refresh_footer()

    def do_copy_text(self) -> None:
        """Send the text to the terminal's clipboard: what became of it, only the terminal knows."""
        memory = self.detail.memory
        if memory is not None:
            text = visible(memory.entry.content).rstrip("\n")
            self.desk.copy_to_clipboard(text)
            self.say(Shown(f"sent {len(text):,} characters to the terminal's clipboard"))

    # ---- room

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """Lay out anew."""
        self.lay_out()

    def lay_out(self) -> None:
        """Side by side, one above the other, or one pane at a time; which, follows from the size."""
        width, height = self.size
        single = self.zoomed or width < NARROW or (self.detail.editing and width < WIDE)
        for name, on in (
            ("-tiny", width < TINY[0] or height < TINY[1]),
            ("-wide", width >= WIDE and not single),
            ("-only-list", single and self._in_list()),
            ("-only-detail", single and not self._in_list()),
        ):
            self.set_class(on, name)
        stacked = not single and width < WIDE
        self.listing.styles.height = max(1, round((height - 2) * 0.4)) if stacked else None
        self.listing.active = self._in_list()
        self.detail.active = not self._in_list()
