"""The queue on the screen: list and detail, what is in view, and how both keep up with the store.

Ids, rows and the detail are asked for in lanes of their own (``console.work``); the cursor and the marks are ids. What
is painted of a proposal is kept as its ``Seen`` with the moment: nothing else is ever decided on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from textual.widget import Widget

from console import theme, words
from console.actions import Situation
from console.screens import first_run, queue_words
from console.screens.deciding import Deciding
from console.screens.loading import Fetch
from console.screens.queue_copies import NO_COPIES, Copies
from console.screens.queue_model import FOLD, FOLDED, NOTHING, Asked, Matches, Painted, QueueIds, Row
from console.screens.queue_rows import RowPainter
from console.visible import Shown, visible
from console.widgets.detail import DetailPane
from console.widgets.detail_lines import previous_value
from console.widgets.marks import Marks
from console.widgets.paged_list import PagedList
from console.widgets.shown import Line
from console.widgets.text_pane import TextPane
from store.errors import MeminboxError, StoreTrouble, ValueDamaged
from store.facts import OPEN, Detail, Proposal
from store.filters import EVERYTHING, Filter

if TYPE_CHECKING:
    from console.screens.queue_reading import Looked
    from store.engine import Store
    from store.queries import QueueOrder


class QueueView(Deciding):
    """List, detail and their upkeep."""

    NAME = "queue"

    def __init__(self) -> None:
        super().__init__()
        self.model = QueueIds(NOTHING, NOTHING)
        self.copies: Copies = NO_COPIES
        """What is a near-copy of what, as last known; ``model.copies`` are those that are in the list."""
        self.alike: bool | None = None
        """Only what has near-copies (True), only what has none (False), or all."""
        self.last_filter: Filter = EVERYTHING
        self.order: QueueOrder = "queue"
        self.since: datetime | None = None
        """When the console opened: what is put off from then on stands at the end."""
        self.painted: Painted | None = None
        self.read: set[tuple[str, str]] = set()
        """(id, content hash) of what was painted and scrolled through to its end."""
        self.opened: set[str] = set()
        """The proposals whose detail was painted."""
        self.loaded = False
        self.reach: first_run.Reach | None = None
        """How far agents reach this store, as far as an empty queue has asked."""
        self.matches = Matches()
        self._next: str | None = None
        self._keys_before = 0
        """The keys that had come when the queue was opened."""
        self._to_first = False
        """Whether the cursor goes to the first row when the ids come."""
        self._row_painter = RowPainter(lambda: self.model, self.now, lambda: theme.is_plain(self.app))

    def panes(self) -> Iterable[Widget]:
        """The proposals, and what the one under the cursor would change."""
        yield PagedList(self._row_painter, id="list")
        yield DetailPane()

    @property
    def detail(self) -> DetailPane:
        """The detail."""
        return self.query_one(DetailPane)

    # ---- what is possible

    def proposal(self) -> Proposal | None:
        """The proposal under the cursor as it is painted in the detail, or None."""
        detail = self.detail.thing
        if detail is None or detail.proposal.id != self.listing.cursor_id:
            return None
        return detail.proposal

    def situation(self) -> Situation:
        """What is possible now."""
        desk, shown = self.desk, self.proposal()
        known: Row | None = self.listing.row(self.listing.cursor_id or "")
        row = shown or (known.proposal if known else None)
        id_ = self.listing.cursor_id
        return Situation(
            locked=desk.locked,
            mode=self.mode,
            item=id_ not in (None, *FOLDED) and not self.listing.unreadable(id_),
            fold=id_ in FOLDED,
            copies=len(self.model.copies.whole(id_)),
            saving=id_ in self.saving,
            closed=self.has_class("-only-list"),
            previous=shown is not None and previous_value(shown) is not None,
            history=row is not None and row.target is not None,
            removal=row is not None and row.op == "remove",
            session=row is not None and row.entry.session_id is not None,
            group=self._group_size(),
            marks=len(self.listing.marks),
            rows=len(self.model),
            empty=self.alone,
            undo=desk.undo is not None,
            redo=desk.redo is not None,
        )

    def _group_size(self) -> int:
        """How many wait for the same key or memory as the item under the cursor, as far as its row is known."""
        row: Row | None = self.listing.row(self.listing.cursor_id or "")
        return row.group if row else 1

    def painted_at(self) -> float | None:
        """When the item under the cursor was painted; None while its detail is not there."""
        if self.painted is None or self.painted.seen.proposal_id != self.listing.cursor_id:
            return None
        return self.painted.at

    def subject(self) -> object:
        """What a key would decide on: the painted state of the item, or the marks."""
        return (self.painted, self.listing.marks.version)

    @property
    def alone(self) -> bool:
        """Nothing waits: the words that say so have the room."""
        return self.nothing_listed and self.flt.empty and self.alike is None

    @property
    def nothing_listed(self) -> bool:
        """Nothing waits, or the filter lets nothing through."""
        return self.loaded and not len(self.model)

    def narrowed(self) -> Shown | None:
        """The filter and how many it lets through; the order, where it is another than usual."""
        known = self.matches if self.matches.flt == self.flt else Matches()
        flt = self.narrowed_to(known.number, more=known.more)
        order = None if self.order == "queue" else Shown(words.ORDER[self.order])
        alike = Shown(f"near-copies {self.model.everything:,}") if self.alike else None
        return Shown(", ".join(part for part in (order, flt, alike) if part)) or None

    def facts_changed(self) -> None:
        """The header has news; what an empty queue says depends on it too."""
        super().facts_changed()
        if self.loaded and len(self.model) == 0 and self.desk.failed is None:
            self._show_empty()

    # ---- the store

    def store_opened(self) -> None:
        """Ask for the queue, or say why there is none."""
        if self.desk.failed is not None:
            self._show_failure(self.desk.failed)
        elif self.desk.store is not None:
            self.since = self.since or self.desk.store.now()
            self._keys_before = self.desk.pace.serial
            desk, warnings = self.desk, self.desk.store.warnings
            told = (desk.locked, *warnings, *desk.keymap.messages, *desk.look.messages)
            self._warn(tuple(filter(None, told)))
            self.ask_top()
            self.reload()

    def _warn(self, reasons: tuple[str, ...]) -> None:
        """Say what is wrong with the store and the configuration, the gravest first; the footer has room for two."""
        if reasons:
            more = len(reasons) - 2
            rest = f" {more:,} more: `meminbox doctor` names them." if more > 0 else ""
            self.say(visible(" ".join(reasons[:2]) + rest, multiline=False), bad=True)

    def store_changed(self) -> None:
        """Ask again for ids, rows and detail; nothing moves the cursor off its item."""
        self.reload()
        self.listing.stale()
        self.load_detail()

    def store_broke(self, error: StoreTrouble) -> None:
        """Where nothing could be read, say why in its place."""
        super().store_broke(error)
        if not self.loaded:
            self._show_failure(error)

    def asked(self) -> Asked:
        """What the list is to show."""
        copies = Copies(self.copies.others, self.copies.head_of, self.model.copies.opened)
        if self.touched:
            copies = copies.kept_open(self.listing.cursor_id)
        return Asked(self.flt, self.view, self.since, self.order, self.model.opened, copies, self.alike)

    @property
    def touched(self) -> bool:
        """Whether a key has come since the queue was opened: from then on the cursor's item does not go away."""
        return self.desk.pace.serial != self._keys_before

    def ask_top(self) -> None:
        """Ask for what comes before all ids do: see ``queue_top``."""

    def reload(self, *, to: str | None = None, first: bool = False) -> None:
        """Ask for the ids again. ``to``: the item the cursor should go to; ``first``: to the first row."""
        self._next = to or self._next
        self._to_first = first or self._to_first
        asked, marks, version = self.asked(), self.listing.marks.copy(), self.listing.marks.version

        def job(store: Store) -> tuple[QueueIds, Marks | None]:
            from console.screens.queue_reading import all_ids

            ids = all_ids(store, asked)
            return ids, marks.among(ids.main, ids.older, ids.drafts) if marks else None

        def then(answer: tuple[QueueIds, Marks | None]) -> None:
            model, kept = answer
            if kept is not None and self.listing.marks.version == version:
                self.listing.marks = kept
            self._got_ids(model)

        self.ask("ids", job, then)

    def _got_ids(self, model: QueueIds) -> None:
        first = not self.loaded
        alike = self.model.copies.whole(self.listing.cursor_id)
        self.loaded = True
        self.prompt.prepare()
        self.model = replace(model, opened=self.model.opened)
        wanted, self._next = self._next, None
        if self._to_first and len(self.model):
            wanted = self.model[0]
        self._to_first = False
        if wanted is None and self.listing.cursor_id in model.copies.head_of:
            wanted = self.listing.cursor_id
        if wanted is not None:
            self.model, wanted = self.model.showing(wanted)
        self._row_painter.fates.clear()
        self.matches = Matches(self.flt, self.model.everything)
        self.listing.show(self.model, cursor=wanted)
        if len(self.model) == 0:
            self._show_empty()
            self.ask_reach()
        elif first or alike != self.model.copies.whole(self.listing.cursor_id):
            self.load_detail()
        self.lay_out()
        self.facts_changed()
        self.ids_came()

    def ask_reach(self) -> None:
        """Ask how far agents reach this store, where nothing waits anywhere: what an empty queue says depends on it."""
        project = self.desk.project
        if project is not None and self.alone and not (self.desk.counts and self.desk.counts.elsewhere):
            root = project.root
            self.ask("reach", lambda store: first_run.look(store, root), self._got_reach)

    def _got_reach(self, reach: first_run.Reach) -> None:
        self.reach = reach
        self.facts_changed()

    def came_back(self, ids: tuple[str, ...]) -> None:
        """Go to what undo has brought back to the queue; where it is not there, the cursor stays."""
        self._next = next(iter(ids), None)

    def ids_came(self) -> None:
        """The ids are there: for parts that wait for them (the count beside the filter)."""

    def fetch(self) -> Fetch:
        """Rows of proposals; what folds others away has none."""
        copies = self.model.copies

        def some(store: Store, ids: Sequence[str]) -> Mapping[str, Any]:
            from console.screens import queue_reading

            return queue_reading.rows(store, [id_ for id_ in ids if id_ not in FOLDED], copies)

        return some

    def load_detail(self) -> None:
        """Ask for the detail of the item under the cursor."""
        id_ = self.listing.cursor_id
        if id_ is None or self.desk.store is None:
            return
        if id_ in FOLDED:
            self._show_fold(id_)
            return
        copies, alone = self.model.copies, self.desk.fenced is not None

        def job(store: Store) -> Looked | None:
            from console.screens.queue_reading import look

            return look(store, id_, copies, alone=alone)

        self.ask("detail", job, self._got_detail, fail=self._no_detail)

    def _no_detail(self, error: MeminboxError) -> None:
        """What cannot be read is said in its place, and nothing else is left standing there."""
        if isinstance(error, ValueDamaged):
            self._show_failure(error)
        else:
            self.trouble(error)

    def _got_detail(self, found: Looked | None) -> None:
        if found is None or found.detail.proposal.id != self.listing.cursor_id:
            return
        detail = found.detail
        if self.painted is not None and self.painted.seen != detail.seen():
            self.painted = None
        self.detail.roll_back = self.desk.locked is None
        self.detail.copies = found.copies
        self.detail.show(detail, found.what, self.setting())
        if detail.proposal.status not in OPEN:
            self.reload()

    def on_text_pane_painted(self, message: TextPane.Painted) -> None:
        """From now on the item may be decided on."""
        message.stop()
        assert isinstance(message.thing, Detail)
        proposal = message.thing.proposal
        if proposal.id != self.listing.cursor_id:
            return
        seen = message.thing.seen()
        copies = tuple(one.seen() for one, _ in self.detail.copies)
        if self.painted is None or (self.painted.seen, self.painted.copies) != (seen, copies):
            self.painted = Painted(seen, self.desk.pace.clock(), copies)
        self.opened.add(proposal.id)
        self.note_read()
        self.painted_anew(message.thing)
        self.refresh_footer()

    def painted_anew(self, detail: Detail) -> None:
        """The item under the cursor stands on the screen as it is now."""

    def on_diff_view_end_seen(self) -> None:
        """The last row of the text has been on the screen."""
        self.note_read()

    def note_read(self) -> None:
        """Remember what has been painted to its end."""
        proposal = self.proposal()
        if proposal is not None and self.detail.unseen() is None:
            self.read.add((proposal.id, proposal.content_hash))

    # ---- words instead of a proposal

    def _show_message(self, lines: list[Line]) -> None:
        self.painted = None
        self.detail.show_message([[], *lines])
        self.refresh_footer()

    def _show_empty(self) -> None:
        if not self.flt.empty or self.alike is not None:
            self._show_message(queue_words.nothing_matches())
            return
        counts, reach = self.desk.counts, self.reach
        elsewhere = counts.elsewhere if counts else 0
        self._show_message(first_run.lines(reach, elsewhere, counts.memories if counts else 0, self.desk.lost or ()))

    def _show_fold(self, name: str) -> None:
        number = len(self.model.below(name))
        self._show_message(queue_words.said_once(number) if name == FOLD else queue_words.older(number))

    def _show_failure(self, error: MeminboxError) -> None:
        self._show_message(queue_words.trouble(error, self.desk.location.described()))
