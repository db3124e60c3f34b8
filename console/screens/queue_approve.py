"""The one way to decide, and approving: as proposed, as edited, with its near-copies, or beside a live value.

Every decision carries what was painted (``Painted.seen``), is done in the lane ``decide``, and is announced after the
commit. On any error the item stays; on a conflict what changed is shown as base, mine and theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console import words
from console.screens.queue_beside import QueueBeside
from console.visible import Shown, visible
from store.entry import Entry
from store.errors import AlreadyDecided, MeminboxError, SecretOpen, Stale
from store.facts import Actor, Done, Proposal, Seen

if TYPE_CHECKING:
    from store.engine import Store
    from store.secrecy import Word

PATIENCE: Final = 0.7
"""Seconds after which a decision that is still on its way is said to be."""

Act = Callable[["Store", Actor], Done]


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

    # ---- the one way to decide

    def decide(
        self,
        ids: set[str],
        act: Act,
        *,
        mine: str | None = None,
        then: Callable[[], None] | None = None,
        doubtful: Callable[[SecretOpen], None] | None = None,
    ) -> None:
        """Have ``act`` done for these proposals; afterwards the cursor is on the next one that stays.

        ``mine`` is the text the person wanted, for a conflict to show; ``doubtful`` is told that a word is needed.
        """
        by = self.desk.by
        self.saving |= ids
        following = self.listing.after(ids)

        def done(result: Done) -> None:
            self.saving -= ids
            self._take_away(ids, following, result)
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

        if self.ask("decide", lambda store: act(store, by), done, fail=failed, keep=True):
            self.set_timer(PATIENCE, self._still_saving)
        self.refresh_footer()

    def _still_saving(self) -> None:
        """Say that a decision takes its time (another process writes); it is not announced before it is kept."""
        if self.busy("decide"):
            self.say(Shown("waiting for the store, nothing is saved yet …"))

    def _take_away(self, ids: set[str], following: str | None, result: Done) -> None:
        """Move on at once; the list itself follows when its ids have come."""
        self.listing.unmark(ids)
        fate = {"defer": "skipped"}.get(result.operation.action, "")
        left = {id_ for id_, _ in result.left}
        self._row_painter.fates.update((id_, fate or "done") for id_ in ids if id_ not in left)
        if self.listing.cursor_id in ids and following is not None:
            self.listing.go_to(following)
        self.listing.refresh()

    def announce(self, done: Done) -> None:
        """Say what was done, after the commit; of what was left, how many, and why where that is the same for all."""
        left = f"; {words.count(len(done.left), 'was', 'were')} left" if done.left else ""
        why = {reason for _, reason in done.left}
        if len(why) == 1:
            left += f": {visible(why.pop(), multiline=False)}"
        self.say(Shown(visible(done.title, multiline=False) + left))

    def conflict(self, error: MeminboxError, mine: str | None) -> None:
        """Tell of an error. Where texts stand against each other, show them."""
        if isinstance(error, Stale):
            self._told_stale = self.editing
        self.trouble(error, mine=mine)
        if isinstance(error, AlreadyDecided):
            self.reload()

    def approve_seen(self, proposal: Proposal, seen: Seen, copies: tuple[Seen, ...] = ()) -> None:
        """Approve what was painted, and close its near-copies in the same step."""
        self.approve(Wanted(proposal, seen, copies))

    def approve(self, wanted: Wanted, secret: Word | None = None) -> None:
        """Approve as wanted. Where it may hold a secret, ask for a word on it, and go on with that."""
        seen, copies = wanted.seen, wanted.copies

        def act(store: Store, by: Actor) -> Done:
            from store import review, review_cluster, sides

            if wanted.key is not None:
                return sides.keep_both(store, seen, wanted.key, by=by, secret=secret)
            if copies:
                head = seen.proposal_id
                return review_cluster.approve(store, (seen, *copies), head, by=by, edited=wanted.edited, secret=secret)
            return review.approve(store, seen, by=by, edited=wanted.edited, secret=secret)

        ids = {seen.proposal_id, *(copy.proposal_id for copy in copies)}
        text = wanted.edited.content if wanted.edited else words.content_of(wanted.proposal)
        self.decide(ids, act, mine=text, then=wanted.then, doubtful=lambda error: self._ask_word(error, wanted))

    def _ask_word(self, error: SecretOpen, wanted: Wanted) -> None:
        from console.screens.secret import question
        from store.redact import redact_entry

        entry = redact_entry(wanted.edited)[0] if wanted.edited else wanted.proposal.entry

        def chosen(word: str | None) -> None:
            if word == "edit" and not self.editing:
                self._edited, self._asked = wanted.proposal, wanted.seen
                self._copies = wanted.copies
                self.begin_edit(entry.content)
            elif word == "mask" or word == "keep":
                self.approve(wanted, "mask" if word == "mask" else "keep")

        self.desk.push_screen(question(error, entry), chosen)
