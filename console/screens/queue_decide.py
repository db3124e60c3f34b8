"""What the keys decide on one proposal: approve, reject, edit, defer, place, roll back. See ``queue_approve``."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from console import words
from console.screens.queue_approve import QueueApprove, Wanted
from console.visible import Shown, hidden_count, visible
from console.widgets.paged_list import PagedList
from console.widgets.prompt import Prompt
from store.entry import GLOBAL, KEY_GRAMMAR
from store.facts import Actor, Detail, Done, Proposal, Seen

if TYPE_CHECKING:
    from store.engine import Store

DAYS: Final = 7
"""How long "temporary" is unless the person says otherwise."""
LONGEST: Final = 3650


class QueueDecide(QueueApprove):
    """What the keys decide on the item under the cursor."""

    def __init__(self) -> None:
        super().__init__()
        self._warned: Seen | None = None
        """The state on which the next approval is the second press."""
        self._warned_to_save: Seen | None = None
        """The same for what the editor holds."""

    def painted_anew(self, detail: Detail) -> None:
        """After a conflict that was shown, the editor is about what stands now; before, it stays refused."""
        super().painted_anew(detail)
        if self._told_stale and self._edited is not None and self._edited.id == detail.proposal.id:
            self._edited, self._asked, self._told_stale = detail.proposal, detail.seen(), False

    def _one(self) -> tuple[Proposal, Seen] | None:
        """The item under the cursor with what was painted of it, where a decision may be taken."""
        proposal, painted = self.proposal(), self.painted
        if proposal is None or painted is None or painted.seen.proposal_id != proposal.id:
            self.say(Shown("still being painted: nothing done, press it again"), bad=True)
            return None
        return proposal, painted.seen

    # ---- the keys

    def approve_one(self) -> None:
        """Approve the item; text not seen or hidden characters need a second press. Its near-copies are closed."""
        one = self._one()
        if one is None:
            return
        proposal, seen = one
        read = (proposal.id, proposal.content_hash) in self.read
        doubt = self.doubt(proposal, None if read else self.detail.unseen())
        if doubt is not None and self._warned != seen:
            self._warned = seen
            self.say(visible(f"{doubt}: once more approves it all the same", multiline=False), bad=True)
            return
        self._warned = None
        assert self.painted is not None
        self.approve_seen(proposal, seen, self.painted.copies)

    def on_paged_list_moved(self, message: PagedList.Moved) -> None:  # noqa: ARG002  (Textual calls the base's too)
        """A warning is about the item it was given for: elsewhere the first press is the first again."""
        self._warned = None

    def doubt(self, proposal: Proposal, unseen: str | None) -> str | None:
        """Why an approval of this needs a second press, or None. ``unseen`` says what was not on the screen yet."""
        reasons = [unseen] if unseen and (proposal.id, proposal.content_hash) not in self.read else []
        entry = proposal.entry
        texts = (words.content_of(proposal), *entry.aliases, *entry.paths, entry.evidence, entry.source_ref)
        hidden = sum(hidden_count(text) for text in texts if text)
        if hidden:
            reasons.append(words.count(hidden, "hidden character", "hidden characters"))
        return ", ".join(reasons) or None

    # ---- side by side

    def do_sides_open(self) -> None:
        """Beside the memory that it would replace, or those that are like it."""
        if self._one() is not None and (detail := self.detail.thing) is not None:
            self.desk.show("sides.open", detail, self.detail.beside, self)

    def sides_answered(self, answer: str, detail: Detail) -> None:
        """An answer was given there, on what was painted there."""
        proposal, seen = detail.proposal, detail.seen()
        if answer == "take":
            self.approve_seen(proposal, seen)
        elif answer == "keep":
            self.reject_one(None, seen)
        elif answer == "edit":
            self._edited, self._asked, self._copies = proposal, seen, ()
            self.begin_edit(proposal.entry.content)
        else:
            key = proposal.target.entry.key if proposal.target else None
            self._edited, self._asked = proposal, seen
            self.prompt.ask("key", Shown("Its own key"), f"{key}.2" if key else "")
            self.refresh_footer()

    def reject_one(self, reason: str | None = None, seen: Seen | None = None) -> None:
        """Reject the item, or the one that ``seen`` is about."""
        if seen is None:
            one = self._one()
            if one is None:
                return
            seen = one[1]
        guard = seen

        def act(store: Store, by: Actor) -> Done:
            from store import review

            return review.reject(store, guard, by=by, reason=reason)

        self.decide({guard.proposal_id}, act)

    def defer_one(self) -> None:
        """To the end of the queue."""
        one = self._one()
        if one is None:
            return
        seen = one[1]

        def act(store: Store, by: Actor) -> Done:
            from store import review

            return review.defer(store, seen, by=by)

        self.decide({seen.proposal_id}, act)

    def do_history_rollback(self) -> None:
        """Bring back what is painted after "r brings back"."""
        one = self._one()
        if one is None or one[0].target is None:
            return
        proposal, seen = one
        target = one[0].target

        def act(store: Store, by: Actor) -> Done:
            from store import history

            return history.rollback(store, target.id, target.revision, by=by)

        self.decide(set(), act, mine=proposal.target.previous_value if proposal.target else None)
        del seen

    def do_queue_place(self) -> None:
        """Ask where it belongs."""
        one = self._one()
        if one is None:
            return
        proposal, seen = one
        project = self.desk.project
        label = visible(project.label, multiline=False) if project else Shown("")
        choices = [
            ("p", Shown(f"this project  {label}"), "project"),
            ("g", Shown("everywhere"), "global"),
            ("t", Shown(f"for {DAYS} days only (the number can be changed)"), "days"),
            *([("k", Shown("for good (no end date)"), "good")] if proposal.entry.valid_until else []),
        ]

        def chosen(where: str) -> None:
            if where == "days":
                self._asked = seen
                self.prompt.ask("days", Shown("For how many days?"), str(DAYS))
                self.refresh_footer()
            elif where == "good":
                self._place(seen, valid_until=None)
            else:
                self._place(seen, scope=GLOBAL if where == "global" or project is None else project.identity)

        self.choose(Shown("Where does it belong?"), choices, chosen)

    def _place(self, seen: Seen, **where: Any) -> None:
        def act(store: Store, by: Actor) -> Done:
            from store import review

            return review.place(store, seen, by=by, **where)

        self.decide(set(), act)

    def do_queue_edit(self) -> None:
        """Open the inline editor on the item's text."""
        one = self._one()
        if one is not None:
            self._edited, self._asked = one
            self._copies = self.painted.copies if self.painted else ()
            self.begin_edit(one[0].entry.content)

    def do_editor_save(self) -> None:
        """Save the edited text and approve it; where that fails the editor stays, with the text."""
        proposal, seen, text = self._edited, self._asked, self.edited_text()
        if proposal is None or seen is None or text is None or proposal.id in self.saving:
            return
        if self._warned_to_save != seen and not self._read_to_its_end(proposal):
            self._warned_to_save = seen
            self.say(Shown("the end of the text was not seen yet: once more saves and approves it"), bad=True)
            return
        self.approve_edited(proposal, seen, text, then=self.leave_editor)

    def _read_to_its_end(self, proposal: Proposal) -> bool:
        """Whether all of the proposal's text was on the screen, in the detail or in the editor."""
        return (proposal.id, proposal.content_hash) in self.read or self.editor_end_seen()

    def do_queue_edit_external(self) -> None:
        """Change the text in $EDITOR; what is saved there is approved."""
        one = self._one()
        if one is not None:
            proposal, seen = one
            self._copies = self.painted.copies if self.painted else ()
            text = self.edited_outside(proposal.entry.content)
            if text is None:
                return

            def clean() -> None:
                self._edited, self._asked = one
                self.begin_edit(text)

            self.unless_hidden(text, lambda: self.approve_edited(proposal, seen, text, then=lambda: None), clean)

    def approve_edited(self, proposal: Proposal, seen: Seen, text: str, *, then: Callable[[], None]) -> None:
        """Approve a proposal with the person's own text; the near-copies that were painted with it are closed."""
        self.approve(Wanted(proposal, seen, self._copies, proposal.entry.with_(content=text), then=then))

    def leave_editor(self) -> None:
        """Close the inline editor."""
        self._edited = self._warned_to_save = None
        self._copies = ()
        super().leave_editor()

    # ---- the line of input

    def on_prompt_entered(self, message: Prompt.Entered) -> None:
        """A line was entered: what it was for decides."""
        message.stop()
        self.entered(message.purpose, message.text)

    def entered(self, purpose: str, text: str) -> None:
        """A line was entered."""
        seen = self._asked
        if purpose == "reason" and seen is not None:
            self.close_prompt()
            self.reject_one(text.strip() or None, seen)
        elif purpose == "key" and seen is not None:
            if not KEY_GRAMMAR.fullmatch(text.strip()):
                self.prompt.remark(Shown("a key such as style.report_voice"))
                return
            self.close_prompt()
            if self._edited is not None:
                self.approve(Wanted(self._edited, seen, key=text.strip()))
        elif purpose == "days" and seen is not None:
            days = int(text) if text.strip().isascii() and text.strip().isdigit() else 0
            if not 1 <= days <= LONGEST:
                self.prompt.remark(Shown(f"a number of days, 1 to {LONGEST:,}"))
                return
            self.close_prompt()
            self._place(seen, valid_until=self.now() + timedelta(days=days))
