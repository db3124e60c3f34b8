"""The queue as its list sees it: the ids with what was said once folded below them, and a row as a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from console import words
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.paged_list import UNREADABLE, Ids, missing
from console.widgets.shown import Part, own, said
from store.facts import Proposal
from store.packed import PackedIds

FOLD: Final = "fold"
"""Stands among the ids for the row of what was said once."""
TEXT_AT: Final = 16
"""The column where a row's text begins."""


@dataclass(frozen=True, slots=True)
class QueueIds:
    """What waits, then the folded row, then (once opened) what was said once."""

    main: PackedIds
    drafts: PackedIds
    opened: bool = False

    def __len__(self) -> int:
        return len(self.main) + (1 + (len(self.drafts) if self.opened else 0) if len(self.drafts) else 0)

    def __getitem__(self, at: int) -> str:
        below = at - len(self.main)
        if below < 0:
            return self.main[at]
        return FOLD if below == 0 else self.drafts[below - 1]

    def index(self, value: object) -> int | None:
        """The position of an id, or None."""
        if value == FOLD:
            return len(self.main) if len(self.drafts) else None
        place = self.main.index(value)
        if place is not None or not self.opened:
            return place
        place = self.drafts.index(value)
        return None if place is None else len(self.main) + 1 + place

    def decidable(self) -> PackedIds:
        """The ids that are rows of their own now."""
        return self.main + self.drafts if self.opened else self.main


@dataclass(frozen=True, slots=True)
class Row:
    """A proposal, and how many open proposals its group holds (itself included)."""

    proposal: Proposal
    group: int = 1


class RowPainter:
    """Makes a line out of a proposal. ``now`` gives the time ages are counted from."""

    def __init__(self, ids: Callable[[], Ids], now: Callable[[], datetime]) -> None:
        self._ids = ids
        self._now = now
        self.fates: dict[str, str] = {}
        """What has just become of an item that is still in the list (``approved``), by id."""

    def __call__(self, id_: str, row: Any, room: int, here: bool, marked: bool) -> list[Part]:
        """The line of an id in ``room`` cells; its first part is one blank, where the cursor's bar goes."""
        if id_ == FOLD:
            return self._fold()
        mark = own("● " if marked else "  ", "$accent")
        if row is None or row is UNREADABLE:
            return [own(" "), mark, missing(row)]
        assert isinstance(row, Row)
        proposal = row.proposal
        fate = self.fates.get(id_)
        line = [own(" "), mark, *_columns(proposal)]
        right = [own(f"  {fate}", "$quiet")] if fate else self._right(row, room)
        text = shown.pad(_text(proposal, here, room), max(room - TEXT_AT - shown.width(right), 0))
        return [*line, *text, *right]

    def _fold(self) -> list[Part]:
        ids = self._ids()
        assert isinstance(ids, QueueIds)
        drafts = words.count(len(ids.drafts), "said once", "said once")
        sign = "▾" if ids.opened else "▸"
        return [own(" "), own(f"  {sign}".ljust(TEXT_AT - 1), "$quiet"), own(f"{drafts}, waiting for a second session")]

    def _right(self, row: Row, room: int) -> list[Part]:
        proposal = row.proposal
        parts: list[Part] = []
        if row.group > 1:
            parts.append(own(f" 1 of {row.group:,}", "$key"))
        stale = words.stale(proposal, self._now())
        for word in (_one_word(proposal), own("stale", "$warn") if stale else None):
            if word is not None and (room >= 58 or not parts):
                parts += [own(" ▪ ", word.style), word]
        if room >= 58:
            parts += [own("  "), *shown.pad([said(words.agent(proposal.entry.source_agent), "$quiet")], 7, right=True)]
        age = own(words.age(proposal.created_at, self._now()), "$warn" if stale else "$quiet")
        return [*parts, own(" "), *shown.pad([age], 4, right=True), own(" ")]


def _columns(proposal: Proposal) -> list[Part]:
    value = proposal.entry.confidence
    doubtful = value is not None and value < words.LOW
    style = "$quiet" if value is None else ("$warn" if doubtful else "$foreground")
    kind = words.KIND.get(proposal.entry.kind, (proposal.entry.kind, ""))[0]
    return [
        own(words.SIGN[proposal.op], words.OP_STYLE[proposal.op]),
        own(f"  {words.confidence(value)}  ", style),
        *shown.pad([own(kind, "$quiet")], 4),
        own(" "),
    ]


def _text(proposal: Proposal, here: bool, room: int) -> list[Part]:
    parts: list[Part] = []
    if proposal.entry.key:
        parts += [said(visible(proposal.entry.key, multiline=False), "bold $key"), own("  ")]
    if proposal.op == "remove":
        parts.append(own("(remove) ", "$quiet"))
    # What cannot fit is not looked at: a row costs the same whatever the length of its text.
    head = words.content_of(proposal)[: room * 2].lstrip("\n")
    return [*parts, said(visible(head, multiline=False), "bold" if here else "")]


def _one_word(proposal: Proposal) -> Part | None:
    """The gravest flag, else how many sessions said it, else that it was put off."""
    flags = words.gravest_first(proposal.flags)
    if flags:
        more = f" +{len(flags) - 1}" if len(flags) > 1 else ""
        word = visible(words.flag_word(flags[0], proposal.entry.content), multiline=False)
        return Part(Shown(word + more), f"bold {words.flag_style(flags[0])}")
    if proposal.mentions > 1:
        return own(f"said {proposal.mentions:,}x", "bold $key")
    if proposal.status == "deferred":
        return own("skipped", "$quiet")
    return None
