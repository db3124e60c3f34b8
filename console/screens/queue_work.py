"""Coming back to a long queue: what waits by kind of work, each one key away.

The summary comes by itself where many wait and nobody has pressed a key yet, and again when a kind is done with; it
stands below the list and covers none of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from console import keys, words
from console.screens.queue_kinds import BY_ID, COPIES, FLAGGED, KINDS, SAID_ONCE
from console.screens.queue_marks import QueueMarks
from console.screens.queue_model import FOLD, Asked
from console.visible import Shown, visible
from console.widgets.summary import Summary
from store.filters import EVERYTHING, Filter
from store.packed import PackedIds

if TYPE_CHECKING:
    from store.engine import Store

SOME: Final = 10
"""From so many on what is left is summed up again once a kind is done with."""


@dataclass(frozen=True, slots=True)
class Work:
    """How many there are of each kind (by its id), near-copies also by row, and how many have waited long."""

    total: int
    numbers: tuple[tuple[str, int], ...]
    rows: int
    older: int


class QueueWork(QueueMarks):
    """The queue by kind of work."""

    def __init__(self) -> None:
        super().__init__()
        self.kind: str | None = None
        """The id of the kind of work that is shown, or None."""
        self._summed = False

    # ---- when it comes by itself

    def ids_came(self) -> None:
        """The ids are there: sum up a queue that is long, or what is left where a kind is done with."""
        super().ids_came()
        if self.kind is not None and not len(self.model.main) and self.prompt.purpose == "":
            self._done_with()

    def copies_came(self) -> None:
        """Near-copies are known, so all kinds are: the first time, sum up what waits where it is much."""
        super().copies_came()
        if self._summed:
            return
        self._summed = True
        least = self.desk.look.summary
        if least and self.model.everything >= least and self.flt.empty and self.kind is None and self.alike is None:
            if not self.touched and self.app.screen is self:
                self._sum_up()
            else:
                self.say(visible(f"{keys.shown('queue.work')} shows what waits by kind of work", multiline=False))

    def _done_with(self) -> None:
        self._show_kind(None)
        self._sum_up(least=SOME)

    # ---- the summary

    def do_queue_work(self) -> None:
        """What waits, by kind of work."""
        self._sum_up()

    def _sum_up(self, *, least: int = 1) -> None:
        asked = Asked(scopes=self.desk.scopes, since=self.since, copies=self.copies)
        serial = self.desk.pace.serial

        def then(work: Work) -> None:
            if work.total >= least and self.desk.pace.serial == serial and self.app.screen is self:
                self.desk.push_screen(Summary(*_told(work)), self._chosen)

        self.ask("work", lambda store: survey(store, asked), then)

    def _chosen(self, kind: str | None) -> None:
        if kind == SAID_ONCE:
            self.model = replace(self.model, opened=self.model.opened | {FOLD})
            self._show_kind(None, to=self.model.drafts[0] if len(self.model.drafts) else None)
        elif kind is not None:
            self._show_kind(kind)

    def _show_kind(self, id_: str | None, *, to: str | None = None) -> None:
        kind = BY_ID.get(id_ or "")
        self.kind = id_
        self.alike = kind.alike if kind else None
        self.flt = kind.flt if kind else EVERYTHING
        if kind is not None and not kind.flt.empty:
            self.last_filter = kind.flt
        self.listing.unmark()
        self.reload(first=to is None, to=to)
        self.facts_changed()


def survey(store: Store, asked: Asked) -> Work:
    """Count every kind, one after the other: for a worker. Kinds overlap, but for what is plain."""
    from console.screens.queue_reading import OLD
    from store import queries

    def waiting(flt: Filter) -> PackedIds:
        return queries.queue_ids(store, flt, scopes=asked.scopes, since=asked.since)

    everything = waiting(EVERYTHING)
    drafts = len(queries.draft_ids(store, scopes=asked.scopes))
    copies, _ = asked.copies.among(everything)
    numbers: list[tuple[str, int]] = []
    for kind in KINDS:
        if kind.id == COPIES:
            number = len(copies.others) + len(copies.head_of)
        elif kind.id == SAID_ONCE:
            number = drafts
        else:
            ids = waiting(kind.flt)
            alone = kind.alike is False and len(copies)
            number = len(ids) - (copies.number_in(ids) if alone else 0)
        if number and (kind.id != FLAGGED or number > sum(had for id_, had in numbers if id_ != COPIES)):
            numbers.append((kind.id, number))
    return Work(len(everything) + drafts, tuple(numbers), len(copies), len(waiting(OLD)))


def _told(work: Work) -> tuple[Shown, Sequence[tuple[Shown, str]]]:
    """The title, and each kind with its number."""
    older = f", {work.older:,} of them for more than {words.STALE.days} days" if work.older else ""
    size = max((len(f"{number:,}") for _, number in work.numbers), default=1)
    choices = []
    for id_, number in work.numbers:
        kind = BY_ID[id_]
        rows = f" in {words.count(work.rows, 'row', 'rows')}" if id_ == COPIES else ""
        name = kind.one if number == 1 else kind.many
        choices.append((visible(f"{number:>{size},}  {name}{rows}", multiline=False), id_))
    return visible(f"{work.total:,} wait{older}. What first?", multiline=False), choices
