"""One line on its way through triage, and the words for what it meets."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from store.context import Context
from store.entry import Entry
from store.facts import Flag, Outcome
from store.known import Waiting
from store.policy import Limits
from store.raw import Raw

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass
class Case:
    """One line on its way through the steps.

    ``id`` is the proposal that it becomes if it is queued, ``at`` when it was proposed. ``target`` is the row of the
    active memory that it is about, ``kin`` the undecided proposal that it names as its target.
    """

    said: Raw
    context: Context
    limits: Limits
    id: str
    at: datetime
    op: str = "add"
    target: Any = None
    kin: Waiting | None = None
    entry: Entry = field(init=False)
    mark: str = ""
    flags: list[Flag] = field(default_factory=list)
    over_limit: bool = False

    @property
    def claimed(self) -> bool:
        """Whether the session is only the proposer's word."""
        return not self.context.witnessed

    @property
    def quoted(self) -> str | None:
        """The evidence that the proposer gives itself. What a transcript holds before it is only shown beside it."""
        return self.entry.evidence if self.entry.evidence != self.said.excerpt else self.said.evidence

    def answer(self, status: str, reason: str | None = None, of: str | None = None) -> Outcome:
        """This line's outcome; the count of pending ones is added when the batch is written."""
        return Outcome(line=self.said.line, status=status, id=of, reason=reason)


def named(memory: Any) -> str:
    """A memory row by its key, else by the end of its id."""
    return str(memory.key or f"…{memory.id[-6:]}")


def day(moment: datetime, now: datetime) -> str:
    """A date in words (UTC), with its year where that is not the present one. Not by the locale."""
    words = f"{moment.day} {MONTHS[moment.month - 1]}"
    return words if moment.year == now.year else f"{words} {moment.year}"
