"""The queue as its list sees it: what waits, then folded rows (older than a month; said once) with what is below them.

Near-copies are one row among what waits, see ``queue_copies``. Pure; ``queue_rows`` makes lines of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from console import words
from console.diff_layout import Comparison
from console.screens.queue_copies import NO_COPIES, Copies
from console.visible import Shown
from store.facts import Proposal, Seen
from store.filters import EVERYTHING, Filter
from store.packed import PackedIds

if TYPE_CHECKING:
    from store.queries import QueueOrder

FOLD: Final = "fold"
"""Stands among the ids for the row of what was said once."""
OLDER: Final = "older"
"""And for the row of what is older than ``words.STALE``."""
FOLDED: Final = (OLDER, FOLD)
"""The folded rows, in their order."""
NOTHING: Final = PackedIds()


@dataclass(frozen=True, slots=True)
class QueueIds:
    """What waits, then each folded row with (once opened) what is below it.

    ``main`` holds all of what waits, near-copies too; ``rows`` the same as it stands in the list.
    """

    main: PackedIds
    drafts: PackedIds
    older: PackedIds = NOTHING
    opened: frozenset[str] = frozenset()
    copies: Copies = NO_COPIES
    rows: PackedIds | None = None

    def _parts(self) -> Iterator[tuple[str | None, PackedIds]]:
        yield None, self.main if self.rows is None else self.rows
        for name, ids in ((OLDER, self.older), (FOLD, self.drafts)):
            if len(ids):
                yield name, ids if name in self.opened else NOTHING

    def __len__(self) -> int:
        return sum(len(ids) + (name is not None) for name, ids in self._parts())

    def __getitem__(self, at: int) -> str:
        for name, ids in self._parts():
            if name is not None:
                if at == 0:
                    return name
                at -= 1
            if at < len(ids):
                return ids[at]
            at -= len(ids)
        raise IndexError(at)

    def index(self, value: object) -> int | None:
        """The position of an id, or None."""
        before = 0
        for name, ids in self._parts():
            if name is not None:
                if value == name:
                    return before
                before += 1
            place = ids.index(value)
            if place is not None:
                return before + place
            before += len(ids)
        return None

    @property
    def everything(self) -> int:
        """How many proposals there are, whether their rows stand in the list or not."""
        return len(self.main) + len(self.older) + len(self.drafts)

    def below(self, fold: str) -> PackedIds:
        """What a folded row stands for."""
        return self.older if fold == OLDER else self.drafts

    def showing(self, id_: str) -> tuple[QueueIds, str]:
        """The list with the row of an id in it, and that row: what is folded is opened, near-copies have their head."""
        if self.index(id_) is not None:
            return self, id_
        for fold in FOLDED:
            if self.below(fold).index(id_) is not None:
                return replace(self, opened=self.opened | {fold}), id_
        return self, next((row for row in self.copies.whole(id_) if self.index(row) is not None), id_)

    def decidable(self) -> PackedIds:
        """What is meant by all: what waits with its near-copies, and what stands below a folded row that is open."""
        parts = (ids for name, ids in self._parts() if name is not None)
        return sum(parts, self.main)


@dataclass(frozen=True, slots=True)
class Row:
    """A proposal, how many open proposals its group holds (itself included), and what it says otherwise than its head.

    ``against`` is there for a near-copy behind a head.
    """

    proposal: Proposal
    group: int = 1
    against: Comparison | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What is in view, and in which order; ``copies`` are the near-copies as last known, with those that stand open.

    ``alike`` keeps only what has near-copies (True) or only what has none (False).
    """

    flt: Filter = EVERYTHING
    scopes: tuple[str, ...] | None = None
    since: datetime | None = None
    order: QueueOrder = "queue"
    opened: frozenset[str] = frozenset()
    copies: Copies = NO_COPIES
    alike: bool | None = None

    @property
    def folds(self) -> bool:
        """Whether what is old is folded: not where one asks by age, or for something in particular."""
        return self.flt.empty and self.order == "queue" and self.alike is None


@dataclass(frozen=True, slots=True)
class Matches:
    """How many proposals a filter lets through (None: not known yet); ``more``: so many at least."""

    flt: Filter = EVERYTHING
    number: int | None = None
    more: bool = False

    def told(self) -> Shown:
        """As it stands beside the filter: "1 match", "50+ matches"."""
        if self.number is None:
            return Shown("")
        return Shown(f"{self.number:,}+ matches" if self.more else words.count(self.number, "match", "matches"))


@dataclass(frozen=True, slots=True)
class Painted:
    """What stands on the screen: the guard of a decision on it, and since when (the app's clock).

    ``copies`` guard the near-copies that were painted with it.
    """

    seen: Seen
    at: float
    copies: tuple[Seen, ...] = ()
