"""Decisions on many: marks, and everything one session said. Each asks once, with the full texts, and has one undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console import words
from console.screens.queue_copies import NO_COPIES, Copies
from console.screens.queue_decide import QueueDecide
from console.screens.queue_model import FOLDED
from console.visible import Shown, visible
from console.widgets.confirm import Tell
from console.widgets.shown import Line, Part, gutter, own, said
from console.wrap import wrap
from store.facts import OPEN, Actor, Done, Proposal, Seen

if TYPE_CHECKING:
    from store.engine import Store

SHOWN: Final = 300
"""Full texts that a question shows at most; it says how many more there are."""
VERB: Final = {"approve": "Approve", "reject": "Reject", "defer": "Skip"}


@dataclass(frozen=True, slots=True)
class Batch:
    """What a question is about: the guards in order, the first proposals whole, and how many qualify for approval."""

    seens: tuple[Seen, ...]
    first: tuple[Proposal, ...]
    plain: int
    removals: int
    copies: Copies = NO_COPIES
    held: int = 0
    """How many may hold a secret, of those that are no near-copies of another: a batch leaves them to be decided."""

    def qualifies(self, one: Proposal) -> bool:
        """Whether it may be approved in bulk."""
        return is_plain(one) and not self.copies.whole(one.id)

    @property
    def behind(self) -> int:
        """How many are near-copies of another one here."""
        return sum(seen.proposal_id in self.copies.head_of for seen in self.seens)


def gather(store: Store, ids: Sequence[str], copies: Copies = NO_COPIES) -> Batch:
    """Look at these proposals, page by page. Those decided meanwhile are left out.

    What has near-copies among ``copies`` does not qualify for an approval in bulk.
    """
    from store import queries

    seens: list[Seen] = []
    first: list[Proposal] = []
    plain = removals = held = 0
    for start in range(0, len(ids), 500):
        for proposal in queries.queue_rows(store, ids[start : start + 500]):
            if proposal.status not in OPEN:
                continue
            seens.append(proposal.seen())
            plain += is_plain(proposal) and not copies.whole(proposal.id)
            removals += proposal.op == "remove"
            held += proposal.id not in copies.head_of and any(flag.code == "maybe_secret" for flag in proposal.flags)
            if len(first) < SHOWN:
                first.append(proposal)
    return Batch(tuple(seens), tuple(first), plain, removals, copies, held)


def alike(store: Store, ids: Sequence[str]) -> Copies:
    """The near-copies among these alone, whatever stands elsewhere: one of each is kept, and it is one of these."""
    from store import clusters
    from store.encoders import at_hand

    return Copies.of(one.ids for one in clusters.clusters(store, ids, encoder=at_hand()).items)


def is_plain(proposal: Proposal) -> bool:
    """Whether it qualifies for an approval in bulk: an addition without a flag."""
    return proposal.op == "add" and not proposal.flags


class QueueMarks(QueueDecide):
    """Marks, and what is decided on them."""

    def __init__(self) -> None:
        super().__init__()
        self._pending: tuple[str, Batch] | None = None
        """The batch for which a reason is being typed."""
        self._all_meant: int | None = None
        """The marks' version after all that match were marked while not all of them had come."""

    # ---- marks

    def do_mark_toggle(self) -> None:
        """Mark the row and go on to the next; a folded row with all the near-copies that it stands for."""
        id_ = self.listing.cursor_id
        self.listing.toggle_mark()
        if self.model.copies.folded(id_):
            behind = self.model.copies.whole(id_)[1:]
            (self.listing.marks.add if id_ in self.listing.marks else self.listing.marks.remove)(behind)
        self.listing.move(1)
        self.facts_changed()

    def do_mark_range(self) -> None:
        """Mark from the last mark to here."""
        self.listing.mark_range()
        self.listing.marks.remove(FOLDED)
        for id_ in self.model.copies.others:
            if id_ in self.listing.marks and self.model.copies.folded(id_):
                self.listing.marks.add(self.model.copies.whole(id_)[1:])
        self.facts_changed()

    def do_mark_all(self) -> None:
        """Mark all that match."""
        self.listing.mark_all(self.model.decidable())
        self._all_meant = self.listing.marks.version if self.busy("ids") else None
        self.facts_changed()

    def ids_came(self) -> None:
        """All that match are there: they are what was meant by all, unless a mark was changed since."""
        meant, self._all_meant = self._all_meant, None
        if meant == self.listing.marks.version:
            self.do_mark_all()
        super().ids_came()

    # ---- decisions that marks turn into a question

    def do_queue_approve(self) -> None:
        """The item, or the marked ones."""
        self._one_or_many("approve", self.approve_one)

    def do_queue_reject(self) -> None:
        """The item, or the marked ones."""
        self._one_or_many("reject", self._reject_row)

    def do_queue_defer(self) -> None:
        """The item, or the marked ones."""
        self._one_or_many("defer", self._defer_row)

    def _row_stands_for(self) -> list[str]:
        """The near-copies that the row under the cursor stands for, itself included; empty where it is one alone."""
        id_ = self.listing.cursor_id
        return list(self.model.copies.whole(id_)) if self.model.copies.folded(id_) else []

    def _reject_row(self) -> None:
        """The item; of a folded row, ask whether all of it is meant."""
        ids = self._row_stands_for()
        if not ids or self._one() is None:
            self.reject_one()
            return

        def ask(batch: Batch) -> None:
            number = len(batch.seens)
            title = Shown(f"Reject near-copies? {self._never_opened(batch)}")
            choices = [
                ("x", Shown(f"Reject all {number:,}"), "all"),
                ("o", Shown("Only this one"), "one"),
            ]

            def chosen(which: str) -> None:
                if which == "all":
                    self._decide_many("reject", batch, None)
                else:
                    self.reject_one(None, next(seen for seen in batch.seens if seen.proposal_id == ids[0]))

            self.choose(title, choices, chosen, self._listed(batch, "reject"))

        self.ask("batch", lambda store: gather(store, ids), ask)

    def _defer_row(self) -> None:
        """The item; a folded row with all that it stands for."""
        ids = self._row_stands_for()
        if not ids or self._one() is None:
            self.defer_one()
            return
        self.ask("batch", lambda store: gather(store, ids), lambda batch: self._decide_many("defer", batch, None))

    def do_queue_reject_reason(self) -> None:
        """Ask how it is meant, then why."""
        if self.listing.marks:
            self._gather(self._ask_reason_for)
            return
        one = self._one()
        if one is None:
            return
        self._asked = one[1]
        if one[0].op == "remove":
            self._ask_reason("reason")
            return
        choices = [
            ("x", Shown("Reject it: agents that say it again are told why"), "reason"),
            ("t", Shown("Turn it down: kept with its reason, and shown to reviewers"), "turned_down"),
        ]
        self.choose(Shown("No, because …"), choices, self._ask_reason)

    def _ask_reason(self, purpose: str) -> None:
        self.prompt.ask(purpose, Shown("Reject, because" if purpose == "reason" else "Turned down, because"))
        self.refresh_footer()

    def _ask_reason_for(self, batch: Batch) -> None:
        self._pending = ("reject", batch)
        self.prompt.ask("reason_many", Shown(f"Reject {len(batch.seens):,}, because"))
        self.refresh_footer()

    def entered(self, purpose: str, text: str) -> None:
        """A line was entered."""
        if purpose == "reason_many" and self._pending is not None:
            self.close_prompt()
            self._question("reject", self._pending[1], text.strip() or None)
            return
        if purpose == "turned_down" and self._asked is not None:
            self._turn_down(self._asked, text.strip())
            return
        super().entered(purpose, text)

    def _turn_down(self, seen: Seen, reason: str) -> None:
        if not reason:
            self.prompt.remark(Shown("a reason: it is what people are shown"))
            return
        self.close_prompt()

        def act(store: Store, by: Actor) -> Done:
            from store import retiring

            return retiring.turn_down(store, seen, reason, by)

        self.decide({seen.proposal_id}, act)

    def _one_or_many(self, verb: str, one: Callable[[], None]) -> None:
        if not self.listing.marks:
            one()
            return
        self._gather(lambda batch: self._question(verb, batch, None))

    def _gather(self, then: Callable[[Batch], None]) -> None:
        marks = self.listing.marks.copy()
        if len(marks) > SHOWN:
            self.say(Shown(f"reading {len(marks):,} …"))
        copies = self.model.copies
        self.ask("batch", lambda store: gather(store, list(marks), copies), then)

    def _question(self, verb: str, batch: Batch, reason: str | None) -> None:
        number = batch.plain if verb == "approve" else len(batch.seens)
        if not number:
            self.desk.push_screen(Tell(Shown("None of the marked can be approved together"), self._listed(batch, verb)))
            return
        title = Shown(f"{VERB[verb]} {words.count(number, 'proposal', 'proposals')}? {self._never_opened(batch)}")
        self._ask(verb, batch, title, Shown(f"{VERB[verb]} {number:,}"), reason)

    def _ask(self, verb: str, batch: Batch, title: Shown, question: Shown, reason: str | None = None) -> None:
        self.confirm(title, question, lambda: self._decide_many(verb, batch, reason), self._listed(batch, verb))

    def _never_opened(self, batch: Batch) -> str:
        unopened = sum(seen.proposal_id not in self.opened for seen in batch.seens)
        of = f" of the {len(batch.seens):,} marked" if batch.plain < len(batch.seens) else ""
        return f"{unopened:,}{of} never opened" if unopened else "All were opened"

    def _decide_many(self, verb: str, batch: Batch, reason: str | None, *, plain_only: bool = True) -> None:
        seens, copies = batch.seens, batch.copies.others
        if verb == "approve" and plain_only:
            seens = tuple(seen for seen in seens if not batch.copies.whole(seen.proposal_id))

        def act(store: Store, by: Actor) -> Done:
            from store import review

            if verb == "approve":
                return review.approve_many(store, seens, by=by, plain_only=plain_only, copies=copies)
            if verb == "reject":
                return review.reject_many(store, seens, by=by, reason=reason)
            return review.defer_many(store, seens, by=by)

        self.decide({seen.proposal_id for seen in seens}, act)

    # ---- a whole group

    def do_queue_reject_group(self) -> None:
        """Everything that waits for the same key or memory as this item, each as it stands now."""
        if self._one() is None or (detail := self.detail.thing) is None:
            return
        ids = [one.id for one in detail.group]
        waiting = max(self._group_size(), len(ids))

        def ask(batch: Batch) -> None:
            number = len(batch.seens)
            title = Shown(
                f"Reject the group, {words.count(number, 'proposal', 'proposals')}? {self._never_opened(batch)}"
            )
            if waiting > len(ids):
                title = Shown(f"{title}. These are the newest of {waiting:,}")
            self._ask("reject", batch, title, Shown(f"Reject {number:,}"))

        self.ask("batch", lambda store: gather(store, ids), ask)

    # ---- a whole session

    def do_queue_session(self) -> None:
        """Everything the session of this item said, wherever it stands."""
        one = self._one()
        if one is None or one[0].entry.session_id is None:
            return
        session = one[0].entry.session_id

        def job(store: Store) -> Batch:
            from store import queries
            from store.filters import Filter, Term

            flt = Filter(terms=(Term("session", "=", session),))
            ids = queries.queue_ids(store, flt, scopes=None, since=None)
            drafts = queries.draft_ids(store, flt, scopes=None)
            rows = [row.id for row in queries.queue_rows(store, [*ids, *drafts]) if row.entry.session_id == session]
            return gather(store, rows, alike(store, rows))

        self.ask("batch", job, lambda batch: self._session_question(session, batch))

    def _session_question(self, session: str, batch: Batch) -> None:
        number = len(batch.seens)
        removals = f", {words.count(batch.removals, 'removal', 'removals')}" if batch.removals else ""
        behind = batch.behind
        copies = f", {words.count(behind, 'near-copy', 'near-copies')}" if behind else ""
        flagged = sum(bool(one.flags) for one in batch.first)
        warned = f", {flagged:,} with a warning" if flagged else ""
        told = f"{words.count(number, 'proposal', 'proposals')}{removals}{copies}{warned}"
        title = Shown(f"Session {words.session(session)}: {told}. {self._never_opened(batch)}")
        choices = [
            ("y", Shown(_approve_all(number, behind, batch.held)), "approve"),
            ("x", Shown(f"Reject all {number:,}"), "reject"),
            ("s", Shown(f"Skip all {number:,}"), "defer"),
        ]

        def chosen(verb: str) -> None:
            self._decide_many(verb, batch, None, plain_only=False)

        self.choose(title, choices, chosen, self._listed(batch, "session"))

    # ---- the full texts

    def _listed(self, batch: Batch, verb: str) -> list[Line]:
        """Every text in full; for an approval first what does not qualify, with the reason."""
        lines: list[Line] = []
        room = max(20, min(96, self.size.width * 9 // 10) - 10)
        left = [one for one in batch.first if verb == "approve" and not batch.qualifies(one)]
        if left:
            lines.append(
                [own(f"{len(batch.seens) - batch.plain:,} left alone, to be decided one by one:", "bold $warn")]
            )
            lines += [[own("  "), *_named(one, plain=False), own(f"  {_why_left(one)}", "$warn")] for one in left]
            lines.append([])
        for one in batch.first:
            if one in left:
                continue
            copy = verb == "session" and one.id in batch.copies.head_of
            lines.append([*_named(one, plain=True), *([own("  near-copy, closed", "$quiet")] if copy else [])])
            text = visible(words.content_of(one))
            lines += [[gutter(), said(Shown(text[start:end]))] for start, end in wrap(text, room)]
        more = len(batch.seens) - len(batch.first)
        if more > 0:
            lines.append([own(f"and {more:,} more", "bold $warn")])
        return lines


def _approve_all(number: int, behind: int, held: int) -> str:
    """The answer's words: how many are approved, closed as near-copies, and left since they may hold a secret."""
    if not behind and not held:
        return f"Approve all {number:,}"
    closed = f", close {words.count(behind, 'near-copy', 'near-copies')}" if behind else ""
    return f"Approve {number - behind - held:,}{closed}{f', leave {held:,} that may hold a secret' if held else ''}"


def _named(one: Proposal, *, plain: bool) -> list[Part]:
    """Op, kind, key and flags; where no text follows (not ``plain``), its beginning."""
    kind = words.KIND.get(one.entry.kind, ("", one.entry.kind))[1]
    line = [own(f"{words.SIGN[one.op]} ", words.OP_STYLE[one.op]), own(kind, "$quiet")]
    if one.entry.key:
        line += [own("  "), said(visible(one.entry.key, multiline=False), "bold $key")]
    else:
        line += [own("  "), said(words.title(one))] if not plain else []
    return [
        *line,
        *(own(f"  {words.flag_word(flag, one.entry.content)}", words.flag_style(flag)) for flag in one.flags),
    ]


def _why_left(one: Proposal) -> str:
    """Why it does not qualify, where its flags do not say so already."""
    if is_plain(one):
        return "a near-copy: decide on its row"
    if one.op == "remove":
        return "removes"
    return "replaces what is there" if one.op == "update" else ""
