"""The queue: what waits for a decision. Moving, looking, finding and taking away; the rest is in the modules beside it.

``queue_view`` lays out and keeps up with the store, ``queue_decide`` decides on one, ``queue_marks`` on many.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from console import words
from console.screens.base import bindings_for
from console.screens.queue_model import FOLDED, Matches, QueueIds
from console.screens.queue_work import QueueWork
from console.screens.taking import FILE, Taken
from console.visible import Shown, visible
from console.widgets.prompt import Prompt
from store.errors import MeminboxError
from store.filters import EVERYTHING, Filter, parse

if TYPE_CHECKING:
    from store.engine import Store
    from store.packed import PackedIds


class QueueScreen(QueueWork):
    """List, detail, decisions."""

    BINDINGS = bindings_for("queue")

    # ---- moving

    def do_item_open(self) -> None:
        """Go into the detail; on a folded row, open or fold it."""
        fold = self.listing.cursor_id
        if fold in FOLDED:
            self.model = replace(self.model, opened=self.model.opened ^ {fold})
            self.listing.show(self.model)
            self.lay_out()
        else:
            super().do_item_open()

    def do_back(self) -> None:
        """One thing back: the line of input, the editor, the zoom, the detail, the marks, the filter."""
        if self.prompt.purpose:
            self._leave_prompt()
        elif self.editing:
            self.leave_editor()
            self.say(Shown("left as it was"))
        elif self.zoomed:
            self.do_pane_zoom()
        elif self.pane == "detail":
            self.do_pane_next()
        elif self.listing.marks:
            self.listing.unmark()
            self.facts_changed()
        elif self.flt != EVERYTHING or self.kind is not None:
            self._show_kind(None)

    def _leave_prompt(self) -> None:
        purpose = self.prompt.purpose
        self.close_prompt()
        if purpose == "filter":
            self._narrow(EVERYTHING)

    # ---- looking

    def do_diff_full(self) -> None:
        """The whole difference on its own."""
        detail = self.detail.thing
        if detail is not None:
            self.desk.show("diff.full", detail)

    def do_evidence_open(self) -> None:
        """What was quoted for it, in its transcript."""
        proposal = self.proposal()
        if proposal is not None:
            self.desk.show("evidence.open", proposal)

    def do_history_open(self) -> None:
        """Every version of the memory behind this."""
        proposal = self.proposal()
        if proposal is not None and proposal.target is not None:
            self.desk.show("history.open", proposal.target.id)

    # ---- agents

    def do_agents_setup(self) -> None:
        """Lend the terminal to `meminbox setup`; afterwards an empty queue says how things stand then."""
        from console import external
        from meminbox import command

        try:
            with self.app.suspend():
                external.converse(command("setup", *self._this_store()), os.environ)
        except SuspendNotSupported:
            self.say(Shown("this terminal cannot be lent: run `meminbox setup` in another"), bad=True)
            return
        except MeminboxError as error:
            self.trouble(error)
        self.refresh()
        self.ask_reach()

    def _this_store(self) -> tuple[str, ...]:
        """What setup must be told so that agents are connected to this store; nothing where it is the usual one."""
        from store.location import locate

        here = self.desk.location
        try:
            usual = here == locate()
        except MeminboxError:
            usual = False
        return () if usual or not self.desk.lasting else ("--db", here.url or str(here.path))

    # ---- finding

    def do_queue_order(self) -> None:
        """The next order; the list begins anew at its first row."""
        orders = list(words.ORDER)
        self.order = orders[(orders.index(self.order) + 1) % len(orders)]  # type: ignore[assignment]
        self.reload(first=True)
        self.say(Shown(words.ORDER[self.order]))

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        """The list follows what is typed."""
        message.stop()
        if message.purpose == "filter":
            self._narrow(parse(message.text))

    def entered(self, purpose: str, text: str) -> None:
        """A line was entered."""
        if purpose == "filter":
            self.filter_stands()
        elif purpose == FILE:
            self.close_prompt()
            self.write_to(text)
        else:
            super().entered(purpose, text)

    def _narrow(self, flt: Filter) -> None:
        self.flt, self.kind, self.alike = flt, None, None
        if not flt.empty:
            self.last_filter = flt
        self.prompt.remark(visible(" ".join(flt.errors), multiline=False))
        self.ask_top()
        self.reload()

    def ids_came(self) -> None:
        """Say beside the filter how many match."""
        super().ids_came()
        self._tell(self.matches)

    def number_came(self, matches: Matches) -> None:
        """Say it before all have come."""
        super().number_came(matches)
        self._tell(matches)

    def _tell(self, matches: Matches) -> None:
        if self.prompt.purpose == "filter" and not self.flt.errors and not self.flt.empty and matches.flt == self.flt:
            self.prompt.remark(matches.told())

    def do_filter_next(self) -> None:
        """The next row that matches the last filter."""
        self._to_match(1)

    def do_filter_previous(self) -> None:
        """The row before that matches it."""
        self._to_match(-1)

    def _to_match(self, by: int) -> None:
        if not self.flt.empty or self.last_filter.empty:
            self.listing.move(by)
            return
        flt, scopes, since, here, model = (
            self.last_filter,
            self.desk.scopes,
            self.since,
            self.listing.cursor,
            self.model,
        )

        def job(store: Store) -> str | None:
            from store import queries

            return _nearest(model, queries.queue_ids(store, flt, scopes=scopes, since=since), here, by)

        def then(id_: str | None) -> None:
            if id_ is None or not self.listing.go_to(id_):
                self.say(Shown("no other row matches"), bad=True)

        self.ask("match", job, then)

    # ---- taking away

    def taken(self) -> Taken | None:
        """The text of the item under the cursor."""
        proposal = self.proposal()
        return Taken(words.content_of(proposal), f"memory-{proposal.id[-6:]}.txt") if proposal else None


def _nearest(model: QueueIds, matches: PackedIds, here: int, by: int) -> str | None:
    """The match whose row is next to ``here`` in the direction ``by``, or None."""
    places = sorted(place for place in (model.index(id_) for id_ in matches) if place is not None)
    beyond = [place for place in places if (place - here) * by > 0]
    return model[min(beyond, key=lambda place: abs(place - here))] if beyond else None
