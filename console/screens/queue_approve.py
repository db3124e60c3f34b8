"""What comes of a decision in the queue; approving: as proposed, as edited, with near-copies, beside a live value.

Every decision carries what was painted (``Painted.seen``). See ``deciding`` for how it is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from console import words
from console.screens import secret
from console.screens.queue_beside import QueueBeside
from store.entry import Entry
from store.errors import AlreadyDecided, MeminboxError, SecretOpen, Stale
from store.facts import Actor, Done, Proposal, Seen

if TYPE_CHECKING:
    from store.engine import Store
    from store.secrecy import Word


@dataclass(frozen=True, slots=True)
class Wanted:
    """An approval: of what was painted, with the near-copies that it closes, as ``edited`` or under a ``key``."""

    proposal: Proposal
    seen: Seen
    copies: tuple[Seen, ...] = ()
    edited: Entry | None = None
    key: str | None = None
    then: Callable[[], None] | None = None


class QueueApprove(QueueBeside):
    """Decisions on their way to the store, and what comes of them."""

    def __init__(self) -> None:
        super().__init__()
        self._edited: Proposal | None = None
        """What the editor, or the line of input, is about."""
        self._asked: Seen | None = None
        """The state of it that was painted."""
        self._copies: tuple[Seen, ...] = ()
        """The near-copies that are closed with what the editor holds."""
        self._told_stale = False
        """Whether the person has seen that what the editor is about had changed."""

    # ---- what comes of a decision

    def decided(self, ids: set[str], following: str | None, result: Done) -> None:
        """Move on at once, to the next one that stays; the list itself follows when its ids have come."""
        super().decided(ids, following, result)
        fate = {"defer": "skipped"}.get(result.operation.action, "done")
        left = {id_ for id_, _ in result.left}
        self._row_painter.fates.update((id_, fate) for id_ in ids if id_ not in left)
        if self.listing.cursor_id in ids and following is not None:
            self.listing.go_to(following)
        self.listing.refresh()

    def conflict(self, error: MeminboxError, mine: str | None) -> None:
        """Tell of an error. Where texts stand against each other, show them."""
        if isinstance(error, Stale):
            self._told_stale = self.editing
        super().conflict(error, mine)
        if isinstance(error, AlreadyDecided):
            self.reload()

    def approve_seen(self, proposal: Proposal, seen: Seen, copies: tuple[Seen, ...] = ()) -> None:
        """Approve what was painted, and close its near-copies in the same step."""
        self.approve(Wanted(proposal, seen, copies))

    def approve(self, wanted: Wanted, word: Word | None = None) -> None:
        """Approve as wanted. Where it may hold a secret, ask for a word on it, and go on with that."""
        seen, copies = wanted.seen, wanted.copies

        def act(store: Store, by: Actor) -> Done:
            from store import review, review_cluster, sides

            if wanted.key is not None:
                return sides.keep_both(store, seen, wanted.key, by=by, secret=word)
            if copies:
                head = seen.proposal_id
                return review_cluster.approve(store, (seen, *copies), head, by=by, edited=wanted.edited, secret=word)
            return review.approve(store, seen, by=by, edited=wanted.edited, secret=word)

        ids = {seen.proposal_id, *(copy.proposal_id for copy in copies)}
        text = wanted.edited.content if wanted.edited else words.content_of(wanted.proposal)
        self.decide(ids, act, mine=text, then=wanted.then, doubtful=lambda error: self._ask_word(error, wanted))

    def _ask_word(self, error: SecretOpen, wanted: Wanted) -> None:
        def edit(text: str) -> None:
            self._edited, self._asked = wanted.proposal, wanted.seen
            self._copies = wanted.copies
            self.begin_edit(text)

        secret.ask(self, error, wanted.edited or wanted.proposal.entry, lambda word: self.approve(wanted, word), edit)
