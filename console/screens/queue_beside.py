"""What the queue finds out after the item is on the screen: what else says nearly the same, waiting or known.

Both are asked for in lanes of their own and come when they come; the newest answer counts. Neither moves the cursor,
and no key waits for them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from textual.timer import Timer

from console.actions import Situation
from console.screens.queue_copies import Copies
from console.screens.queue_model import QueueIds
from console.screens.queue_top import QueueTop
from console.widgets.detail_beside import Beside
from store.facts import Detail, Proposal

if TYPE_CHECKING:
    from store.clusters_kept import Kept
    from store.engine import Store

REST: Final = 0.2
"""Seconds for which the cursor rests, after keys in haste, until what is like its item is looked for."""
LOOKED_AT: Final = 2_000
"""Proposals among which near-copies are looked for, the first in the usual order."""
KEYS: Final = 0.03
"""Seconds for which that stops, again and again, while keys come."""


class QueueBeside(QueueTop):
    """Near-copies, and the memories that are like the item."""

    def __init__(self) -> None:
        super().__init__()
        self._compared: Kept | None = None
        """What was compared for near-copies last."""
        self._stands_for: tuple[str, str] | None = None
        """(id, content hash) of the item that ``detail.beside`` is about."""
        self._resting: Timer | None = None

    def situation(self) -> Situation:
        """What is possible now: with the number of memories that stand beside the item."""
        shown = self.proposal()
        if shown is None:
            return super().situation()
        found = self.detail.beside if self._stands_for == _named(shown) else None
        number = len(found.likes) if found else None
        if shown.target is not None:
            number = max(number or 0, 1)
        return replace(super().situation(), beside=number)

    # ---- near-copies

    def ids_came(self) -> None:
        """What waits may have changed: its near-copies may have, too."""
        super().ids_came()
        if self.flt.empty and self.alike is None:
            self.ask_copies()

    def ask_copies(self) -> None:
        """Ask which of what waits are near-copies of each other; where nothing new has come, they are known.

        Another order of the list changes nothing in that: it is always about the first in the usual one.
        """
        asked, before, wanted = self.asked(), self._compared, self._giving_way()
        ids = self.model.main[:LOOKED_AT] if self.order == "queue" else None

        def job(store: Store) -> tuple[Kept, Copies] | None:
            from console.screens.queue_alike import copies
            from store import queries

            first = ids
            if first is None:
                first = queries.queue_first(store, scopes=asked.scopes, since=asked.since, size=LOOKED_AT)
            return copies(store, first, before, wanted)

        def then(found: tuple[Kept, Copies] | None) -> None:
            if found is not None:
                self._compared, known = found
                if (known.others, known.head_of) != (self.copies.others, self.copies.head_of):
                    self.copies = known
                    self.reload()
                    self.listing.stale()
            self.copies_came()

        self.ask("copies", job, then)

    def copies_came(self) -> None:
        """What is a near-copy of what is known: for parts that wait for it."""

    def _giving_way(self) -> Callable[[], bool]:
        """For the thread that compares: stops for a moment whenever a key has come. It holds back the UI otherwise."""
        pace = self.desk.pace
        seen = [pace.serial]

        def wanted() -> bool:
            if seen[0] != pace.serial:
                seen[0] = pace.serial
                time.sleep(KEYS)
            return self.ready

        return wanted

    def do_queue_copies(self) -> None:
        """Open the near-copies of this row, or fold them."""
        id_ = self.listing.cursor_id
        if id_ is None or not self.model.copies.whole(id_):
            return
        head = self.model.copies.whole(id_)[0]
        opens = head not in self.model.copies.opened
        self._set_open(head, opens)

    def _set_open(self, head: str, opens: bool) -> None:
        wanted = replace(self.model, copies=self.model.copies.toggled(head))

        def job() -> QueueIds:
            from console.screens.queue_reading import fold

            return fold(wanted)

        def then(model: QueueIds) -> None:
            if model.main == self.model.main:
                self.model = model
                self.listing.show(model, cursor=None if opens else head)
                self.listing.stale()
                self.lay_out()

        self.run_aside("fold", job, then)

    # ---- what is known already

    def painted_anew(self, detail: Detail) -> None:
        """The item is on the screen: now look for what is like it; while a key is held down, not for every row."""
        super().painted_anew(detail)
        if self._resting is not None:
            self._resting.stop()
        if self.desk.pace.hurried:
            self._resting = self.set_timer(REST, lambda: self._ask_beside(detail.proposal))
        else:
            self._ask_beside(detail.proposal)

    def _ask_beside(self, proposal: Proposal) -> None:
        about = _named(proposal)

        def job(store: Store) -> Beside:
            from console.screens.queue_alike import beside

            return beside(store, proposal)

        def then(found: Beside) -> None:
            shown = self.proposal()
            if shown is not None and _named(shown) == about:
                same = self._stands_for == about and found == self.detail.beside  # asked again after a resize
                self._stands_for = about
                if not same:
                    self.detail.stand_beside(found)
                    self.refresh_footer()

        self.ask("similar", job, then)


def _named(proposal: Proposal) -> tuple[str, str]:
    return proposal.id, proposal.content_hash
