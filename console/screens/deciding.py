"""The one way in which a list with a detail decides: queue, library and what is no longer true.

A decision is about what was painted. Its items are held while it is on its way (``saving``); it is done in the lane
``decide``, one after the other, and announced after the commit. On any error the items stay, and what changed meanwhile
is shown. That it takes long, and how to stop it, is told by ``console.work``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from console.screens.list_detail import ListDetail
from store.errors import MeminboxError, SecretOpen
from store.facts import Actor, Done

if TYPE_CHECKING:
    from store.engine import Store

Act = Callable[["Store", Actor], Done]
"""The step itself, in a worker."""


class Deciding(ListDetail):
    """Decisions on their way to the store, and what comes of them."""

    def decide(
        self,
        ids: set[str],
        act: Act,
        *,
        mine: str | None = None,
        then: Callable[[], None] | None = None,
        doubtful: Callable[[SecretOpen], None] | None = None,
    ) -> None:
        """Have ``act`` done for these items.

        ``mine`` is the text the person wanted, for a conflict to show; ``doubtful`` is told that a word is needed on
        what may be a secret.
        """
        by = self.desk.by
        self.saving |= ids
        following = self.listing.after(ids)

        def done(result: Done) -> None:
            self.saving -= ids
            self.decided(ids, following, result)
            if then is not None:
                then()
            self.announce(result)
            self.desk.store_changed()

        def failed(error: MeminboxError) -> None:
            self.saving -= ids
            if isinstance(error, SecretOpen) and doubtful is not None:
                doubtful(error)
                self.refresh_footer()
                return
            self.conflict(error, mine)
            self.store_changed()

        if not self.ask("decide", lambda store: act(store, by), done, fail=failed, keep=True):
            self.saving -= ids
        self.refresh_footer()

    def decided(self, ids: set[str], following: str | None, result: Done) -> None:  # noqa: ARG002
        """What was decided on is no longer marked; ``following`` is the next item that stays."""
        self.listing.unmark(ids)

    def conflict(self, error: MeminboxError, mine: str | None) -> None:
        """Tell of an error. Where texts stand against each other, show them."""
        self.trouble(error, mine=mine)
