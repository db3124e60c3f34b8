"""The library on the screen: list and detail of the active memories, moving, finding and taking away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from textual.widget import Widget

from console import keys, words
from console.actions import Situation
from console.diff_layout import Comparison
from console.screens import first_run
from console.screens.deciding import Deciding
from console.screens.library_row import MemoryRows
from console.screens.loading import Fetch
from console.screens.taking import FILE, Taken
from console.visible import Shown, visible
from console.widgets.marks import Marks
from console.widgets.memory_pane import Known, MemoryPane, against_before
from console.widgets.paged_list import PagedList
from console.widgets.prompt import Prompt
from console.widgets.shown import Line, Part, own
from console.widgets.text_pane import TextPane
from store.errors import MeminboxError
from store.facts import Memory
from store.filters import EVERYTHING, Filter, parse
from store.packed import PackedIds

if TYPE_CHECKING:
    from store.engine import Store
    from store.queries import MemoryOrder
    from store.rechecking import Due

SHOWN_VERSIONS = 8
ORDER: Final[dict[MemoryOrder, str]] = {
    "updated": "recently changed first",
    "used": "most used first",
    "age": "oldest first",
    "confidence": "least sure first",
    "stale": "longest not borne out first",
}
"""The orders, each followed by the next where the person asks for another."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What a list of memories holds: their ids in order, what is to be said of some, and of all of it in the header."""

    ids: PackedIds
    remarks: Mapping[str, Sequence[Part]] = field(default_factory=dict)
    told: str = ""
    due: Mapping[str, Due] = field(default_factory=dict)
    """Why each is due for another look, in the view of those."""
    groups: tuple[tuple[str, ...], ...] = ()
    """Of near-copies, each group with the one that says it most typically first."""
    left_out: int = 0
    """How many were not compared, of how many that were to be."""
    of: int = 0


class LibraryView(Deciding):
    """List, detail and their upkeep."""

    NAME = "library"
    LIST_SHARE = 0.4

    def __init__(self) -> None:
        super().__init__()
        self._painted: tuple[Memory, float] | None = None
        self._looked = Looked(PackedIds())
        self._listed: tuple[Filter, MemoryOrder, str] | None = None
        """What the list was asked for when it last came (``asked_for``)."""
        self.order: MemoryOrder = "updated"

    def panes(self) -> Iterable[Widget]:
        """The memories, and the text of the one under the cursor."""
        yield PagedList(MemoryRows(self), id="list")
        yield MemoryPane()

    @property
    def detail(self) -> MemoryPane:
        """The detail."""
        return self.query_one(MemoryPane)

    def remark(self, id_: str) -> Sequence[Part]:
        """What a view of the library has to say of a row, before its place and age."""
        return self._looked.remarks.get(id_, ())

    @staticmethod
    def comparison(memory: Memory) -> Comparison:
        """The text that the detail shows, worked out in a worker."""
        return against_before(memory)

    # ---- what is possible

    def painted_memory(self) -> Memory | None:
        """The memory under the cursor as it stands on the screen, where an act may be about it."""
        if self._painted is None or self._painted[0].id != self.listing.cursor_id:
            self.say(Shown("still being painted: nothing done, press it again"), bad=True)
            return None
        return self._painted[0]

    @property
    def memory(self) -> Memory | None:
        """The memory that the detail shows, or None."""
        known = self.detail.thing
        return known.memory if known else None

    def situation(self) -> Situation:
        """What is possible now."""
        memory, id_ = self.memory, self.listing.cursor_id
        return Situation(
            locked=self.desk.locked,
            mode=self.mode,
            item=id_ is not None and not self.listing.unreadable(id_),
            saving=id_ in self.saving,
            closed=self.has_class("-only-list"),
            previous=memory is not None and memory.id == id_ and memory.previous_value is not None,
            history=memory is not None,
            marks=len(self.listing.marks),
            rows=len(self.listing.ids),
            empty=self.nothing_listed and self.flt.empty,
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
        return painted, self.listing.marks.version

    @property
    def nothing_listed(self) -> bool:
        """No memory is in view."""
        return self.ready and not len(self.listing.ids)

    def narrowed(self) -> Shown | None:
        """The filter and how many it lets through."""
        return self.narrowed_to(len(self.listing.ids))

    # ---- the store

    def store_opened(self) -> None:
        """Ask for the memories."""
        self.reload()

    def store_changed(self) -> None:
        """Ask again for ids, rows and detail."""
        self.reload()
        self.listing.stale()
        self.load_detail()

    def reload(self) -> None:
        """Ask for the ids again."""
        look, asked = self.look_for(), self.asked_for()
        marks, version = self.listing.marks.copy(), self.listing.marks.version

        def job(store: Store) -> tuple[Looked, Marks | None]:
            looked = look(store)
            return looked, marks.among(looked.ids) if marks else None

        def then(answer: tuple[Looked, Marks | None]) -> None:
            looked, kept = answer
            if kept is not None and self.listing.marks.version == version:
                self.listing.marks = kept
            turned = self._listed is not None and self._listed[1] != asked[1] and len(looked.ids) > 0
            self._looked, self._listed = looked, asked
            self._got_ids(looked.ids, looked.ids[0] if turned else None)
            self.looked(looked)

        self.ask("ids", job, then, fail=self._not_looked, slow=self.looking)

    @property
    def looking(self) -> str:
        """What is being done while the list is looked for, where that takes long."""
        return "looking"

    def asked_for(self) -> tuple[Filter, MemoryOrder, str]:
        """What the list is to hold, and in which order."""
        return self.flt, self.order, ""

    def ask_for(self, flt: Filter, order: MemoryOrder, view: str) -> None:  # noqa: ARG002
        """The list is to hold this: what ``asked_for`` gave."""
        self.flt, self.order = flt, order

    def _not_looked(self, error: MeminboxError) -> None:
        """The list did not come: where the person stopped it, it is asked for as it stands."""
        from store.stopping import ActStopped

        if not isinstance(error, ActStopped):
            self.trouble(error)
        elif self._listed is not None:
            self.ask_for(*self._listed)
            self.prompt.remark(Shown("stopped"))
            self.facts_changed()
        else:
            self.detail.show_message([[], [own("Stopped before anything was listed.", "bold")]])

    def look_for(self) -> Callable[[Store], Looked]:
        """How to find what is to be listed, in a worker."""
        flt, scopes, order = self.flt, self.view, self.order

        def look(store: Store) -> Looked:
            from store import queries

            return Looked(queries.memory_ids(store, flt, scopes=scopes, order=order))

        return look

    def noted(self, store: Store, id_: str) -> Sequence[Line]:  # noqa: ARG002
        """What a view has to say of a memory above its text; asked in a worker."""
        return ()

    def looked(self, looked: Looked) -> None:
        """What is to be listed has come."""

    def leave_view(self) -> bool:
        """Back from a view of the library; False where all of it is shown."""
        return False

    @property
    def nothing_here(self) -> tuple[str, str] | None:
        """What a view says where it holds nothing, and what the key for back does there; None for the whole list."""
        return None

    def _got_ids(self, ids: PackedIds, cursor: str | None) -> None:
        self.prompt.prepare()
        self.listing.show(ids, cursor=cursor)
        if len(ids) == 0:
            self._show_empty()
        else:
            self.load_detail()
        if self.prompt.purpose == "filter" and not self.flt.errors and not self.flt.empty:
            self.prompt.remark(Shown(words.count(len(ids), "match", "matches")))
        self.lay_out()
        self.facts_changed()

    def _show_empty(self) -> None:
        self._painted = None
        lines: list[Line]
        if self.flt.empty and self.nothing_here is not None:
            what, back = self.nothing_here
            lines = [[own(what, "bold")], [], [own(keys.shown("back"), "bold $accent"), own(f" {back}", "$quiet")]]
        elif self.flt.empty:
            lines = [
                [own("Agents are given nothing here.", "bold")],
                [],
                [own("What you approve in the queue is given to agents from here, until you say otherwise.")],
                [own(keys.shown("screen.queue"), "bold $accent"), own(" shows what waits", "$quiet")],
                *first_run.lost(self.desk.lost or ()),
            ]
        else:
            lines = [
                [own("Nothing matches this filter.", "bold")],
                [],
                [own(keys.shown("back"), "bold $accent"), own(" clears it", "$quiet")],
            ]
        self.detail.show_message([[], *lines])
        self.refresh_footer()

    def fetch(self) -> Fetch:
        """Rows of memories."""

        def some(store: Store, ids: Sequence[str]) -> Mapping[str, Any]:
            from store import queries

            return {row.id: row for row in queries.memory_rows(store, ids)}

        return some

    def load_detail(self) -> None:
        """Ask for the memory under the cursor, and its newest versions."""
        id_ = self.listing.cursor_id
        if id_ is None:
            return
        comparison, noted = self.comparison, self.noted

        def job(store: Store) -> Known | None:
            from store import by_rule, queries

            found = queries.memory_rows(store, [id_])
            versions = queries.memory_versions(store, id_, limit=SHOWN_VERSIONS)
            if not found:
                return None
            rule = by_rule.rule_of(store, found[0])
            return Known(found[0], tuple(versions), comparison(found[0]), rule, tuple(noted(store, id_)))

        self.ask("detail", job, self._got_detail)

    def _got_detail(self, known: Known | None) -> None:
        if known is None or known.memory.id != self.listing.cursor_id or self.editing:
            return
        if self._painted is not None and self._painted[0].revision != known.memory.revision:
            self._painted = None
        self.detail.show(known, self.setting())

    def on_text_pane_painted(self, message: TextPane.Painted) -> None:
        """From now on the memory may be acted on."""
        message.stop()
        assert isinstance(message.thing, Known)
        memory = message.thing.memory
        if memory.id != self.listing.cursor_id:
            return
        before = self._painted
        same = before is not None and (before[0].id, before[0].revision) == (memory.id, memory.revision)
        self._painted = (memory, before[1] if before and same else self.desk.pace.clock())
        self.refresh_footer()

    def do_library_order(self) -> None:
        """The next order, from its first row on."""
        orders = list(ORDER)
        self.order = orders[(orders.index(self.order) + 1) % len(orders)]
        self.say(Shown(ORDER[self.order]))
        self.reload()

    # ---- marks and ways back

    def do_mark_toggle(self) -> None:
        """Mark the row and go on to the next."""
        self.listing.toggle_mark()
        self.listing.move(1)
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
            purpose = self.prompt.purpose
            self.close_prompt()
            if purpose == "filter":
                self._narrow(EVERYTHING)
            else:
                self.say(Shown("left as it was"))
        elif self.editing:
            self.leave_editor()
            self.say(Shown("left as it was"))
        elif self.zoomed:
            self.do_pane_zoom()
        elif not self.in_list:
            self.do_pane_next()
        elif self.listing.marks:
            self.listing.unmark()
            self.facts_changed()
        elif self.flt != EVERYTHING:
            self._narrow(EVERYTHING)
        elif not self.leave_view():
            self.desk.do_leave()

    # ---- finding and taking away

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        """The list follows what is typed."""
        message.stop()
        if message.purpose == "filter":
            self._narrow(parse(message.text))

    def on_prompt_entered(self, message: Prompt.Entered) -> None:
        """The filter stands, or the name of a file is there."""
        message.stop()
        if message.purpose == FILE:
            self.close_prompt()
            self.write_to(message.text)
        elif message.purpose == "filter":
            self.filter_stands()
        else:
            self.entered(message.purpose, message.text)

    def entered(self, purpose: str, text: str) -> None:
        """A line was entered that is no filter and no name."""

    def _narrow(self, flt: Filter) -> None:
        self.flt = flt
        self.prompt.remark(visible(" ".join(flt.errors), multiline=False))
        self.reload()
        self.refresh_footer()

    def taken(self) -> Taken | None:
        """The text of the memory that is shown."""
        memory = self.memory
        return Taken(memory.entry.content, f"memory-{memory.id[-6:]}.txt") if memory else None
