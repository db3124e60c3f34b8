"""A row of the queue as a line."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from console import words
from console.screens.queue_model import FOLD, FOLDED, QueueIds, Row
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.detail_beside import otherwise
from console.widgets.paged_list import UNREADABLE, missing
from console.widgets.shown import Part, own, said
from store.entry import GLOBAL
from store.facts import Proposal

TEXT_AT: Final = 16
"""The column where a row's text begins."""
LEAD: Final = 12
"""Cells of unchanged text that are left before the first difference of a near-copy."""


class RowPainter:
    """Makes a line out of a proposal.

    ``now`` gives the time ages are counted from, ``plain`` tells whether there is no colour to say anything.
    """

    def __init__(self, ids: Callable[[], QueueIds], now: Callable[[], datetime], plain: Callable[[], bool]) -> None:
        self._ids = ids
        self._now = now
        self._plain = plain
        self.fates: dict[str, str] = {}
        """What has just become of an item that is still in the list (``approved``), by id."""

    def __call__(self, id_: str, row: Any, room: int, here: bool, marked: bool) -> list[Part]:
        """The line of an id in ``room`` cells; its first part is one blank, where the cursor's bar goes."""
        if id_ in FOLDED:
            return self._fold(id_)
        mark = own("● " if marked else "  ", "$accent")
        if row is None or row is UNREADABLE:
            return [own(" "), mark, missing(row)]
        assert isinstance(row, Row)
        proposal = row.proposal
        fate = self.fates.get(id_)
        line = [own(" "), mark, *_columns(proposal)]
        right = [own(f"  {fate}", "$quiet")] if fate else self._right(row, room)
        free = max(room - TEXT_AT - shown.width(right), 0)
        behind = id_ in self._ids().copies.head_of
        text = _text(proposal, here, room)
        if behind and row.against is not None:
            text = otherwise(row.against, brackets=self._plain(), lead=LEAD if free > LEAD * 2 else 0)
        return [*line, *shown.pad([*([own("╰ ", "$quiet")] if behind else []), *text], free), *right]

    def _fold(self, name: str) -> list[Part]:
        ids = self._ids()
        number = len(ids.below(name))
        said_once = f"{number:,} said once, or over a session's limit"
        what = said_once if name == FOLD else f"{number:,} older than {words.STALE.days} days"
        sign = "▾" if name in ids.opened else "▸"
        return [own(" "), own(f"  {sign}".ljust(TEXT_AT - 1), "$quiet"), own(what)]

    def _right(self, row: Row, room: int) -> list[Part]:
        proposal = row.proposal
        parts: list[Part] = []
        if row.group > 1:
            parts.append(own(f" 1 of {row.group:,}", "$key"))
        copies = self._ids().copies.others.get(proposal.id)
        if copies:
            parts += [own(" ▪ ", "$key"), own(f"x{len(copies) + 1:,}", "bold $key")]
        stale = words.stale(proposal, self._now())
        wide = own("everywhere", "bold $accent") if proposal.entry.scope == GLOBAL else None
        for word in (_one_word(proposal), wide, own("stale", "$warn") if stale else None):
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
