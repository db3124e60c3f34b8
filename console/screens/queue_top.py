"""What the queue shows before all ids have come: the first of them, and how many there are.

100,000 ids take a tenth of a second, the first fifty some milliseconds, and so does their number where an index alone
tells it. Where it does not, so many at least are said until all have come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.screens.queue_model import NOTHING, Asked, Matches, QueueIds
from console.screens.queue_view import QueueView
from store.packed import PackedIds

if TYPE_CHECKING:
    from store.engine import Store


class QueueTop(QueueView):
    """The first page and the number of matches."""

    def ask_top(self) -> None:
        """Ask for the first ids, and for their number."""
        asked = self.asked()

        def job(store: Store) -> PackedIds:
            from console.screens.queue_reading import first_ids

            return first_ids(store, asked)

        def then(top: PackedIds) -> None:
            here = self.listing.cursor_id
            if not self.busy("ids"):
                return
            if len(top) and (here is None or top.index(here) is not None):
                self.model = QueueIds(top, NOTHING, opened=asked.opened)
                self.listing.show(self.model)
                self.lay_out()
            if self.matches.flt != asked.flt:
                self.number_came(Matches(asked.flt, len(top) or None, more=True))

        if self.alike is None:
            self.ask("top", job, then)
            self._ask_number(asked)

    def _ask_number(self, asked: Asked) -> None:
        """Ask how many a filter lets through, where an index alone tells; else that is known when all have come."""
        if asked.flt.empty or not asked.flt.counted:
            return

        def job(store: Store) -> int:
            from store import queries

            return queries.queue_number(store, asked.flt, scopes=asked.scopes)

        def then(number: int) -> None:
            if self.busy("ids"):
                self.number_came(Matches(asked.flt, number))

        self.ask("number", job, then)

    def number_came(self, matches: Matches) -> None:
        """How many match is known, or how many at least: for parts that tell it."""
        self.matches = matches
        self.facts_changed()
