"""What the queue asks the store, as jobs for a worker: the ids in their order, rows, one detail with what is beside it.

To be imported inside a job only: it brings SQLAlchemy, and the first paint must not wait for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from console import words
from console.diff_layout import Comparison
from console.screens.queue_copies import Copies
from console.screens.queue_model import NOTHING, Asked, QueueIds, Row
from console.widgets.detail import changed
from console.widgets.diff_view import compared
from store import queries
from store.elsewhere import elsewhere
from store.facts import OPEN, Detail, Proposal
from store.filters import EVERYTHING, Filter, Term
from store.packed import PackedIds

if TYPE_CHECKING:
    from store.engine import Store

OLD: Final = Filter(terms=(Term("age", ">", words.STALE),))
FRESH: Final = Filter(terms=(Term("age", "<=", words.STALE),))
MOST_COPIES: Final = 200
"""Near-copies that a detail reads and a decision is about at most."""


def first_ids(store: Store, asked: Asked) -> PackedIds:
    """The first ids, which come long before all do."""
    if asked.folds:
        fresh = queries.queue_first(store, FRESH, scopes=asked.scopes, since=asked.since, order=asked.order)
        if len(fresh):
            return fresh
    return queries.queue_first(store, asked.flt, scopes=asked.scopes, since=asked.since, order=asked.order)


def all_ids(store: Store, asked: Asked) -> QueueIds:
    """All ids, with what is old apart, unless nothing else waits, and near-copies behind their heads."""
    main, older = _waiting(store, asked)
    drafts = queries.draft_ids(store, asked.flt, scopes=asked.scopes, order=asked.order)
    if asked.alike is not None:
        main, drafts = _alike(main, asked.alike, standing(store, asked)), NOTHING
    return fold(QueueIds(main, drafts, older, asked.opened, asked.copies))


def fold(ids: QueueIds) -> QueueIds:
    """The same with the near-copies that are there now, each behind its head."""
    copies, rows = ids.copies.among(ids.main)
    return replace(ids, copies=copies, rows=rows)


def _waiting(store: Store, asked: Asked) -> tuple[PackedIds, PackedIds]:
    scopes, since, order = asked.scopes, asked.since, asked.order
    if not asked.folds:
        return queries.queue_ids(store, asked.flt, scopes=scopes, since=since, order=order), NOTHING
    older = queries.queue_ids(store, OLD, scopes=scopes, since=since, order=order)
    kept = FRESH if len(older) else EVERYTHING
    main = queries.queue_ids(store, kept, scopes=scopes, since=since, order=order)
    return (main, older) if len(main) else (older, NOTHING)


def standing(store: Store, asked: Asked) -> Copies:
    """The near-copies among all that waits now: one whose others were decided since is none any more."""
    everything = queries.queue_ids(store, EVERYTHING, scopes=asked.scopes, since=asked.since)
    return asked.copies.among(everything)[0]


def _alike(ids: PackedIds, wanted: bool, copies: Copies) -> PackedIds:
    return PackedIds.of(id_ for id_ in ids if bool(copies.whole(id_)) is wanted)


def rows(store: Store, ids: Sequence[str], copies: Copies) -> dict[str, Row | None]:
    """The rows of these ids; None for one that does not exist. A near-copy comes with what it says otherwise."""
    found = {row.id: row for row in queries.queue_rows(store, ids)}
    sizes = queries.group_sizes(store, list({row.group_id for row in found.values()}))
    behind = {id_: copies.head_of[id_] for id_ in found if id_ in copies.head_of}
    missing = list(dict.fromkeys(head for head in behind.values() if head not in found))
    heads = found | {row.id: row for row in queries.queue_rows(store, missing)} if missing else found
    against = {id_: _otherwise(heads[head], found[id_]) for id_, head in behind.items() if head in heads}
    made = {id_: Row(row, sizes.get(row.group_id, 1), against.get(id_)) for id_, row in found.items()}
    return {**dict.fromkeys(ids), **made}


def _otherwise(head: Proposal, other: Proposal) -> Comparison:
    return compared(words.content_of(head), words.content_of(other))


@dataclass(frozen=True, slots=True)
class Looked:
    """One proposal whole, its difference laid out, and its near-copies, each with what it says otherwise."""

    detail: Detail
    what: Comparison
    copies: tuple[tuple[Proposal, Comparison], ...] = ()


def look(store: Store, id_: str, copies: Copies, *, alone: bool = False) -> Looked | None:
    """Everything about one proposal that is there at once; None where there is no such proposal.

    ``alone``: other projects are nothing to whoever looks.
    """
    detail = queries.detail(store, id_)
    if detail is None:
        return None
    proposal = detail.proposal
    if not alone:
        detail = replace(detail, elsewhere=elsewhere(store, proposal))
    others = [other for other in copies.whole(id_) if other != id_][:MOST_COPIES]
    open_ = [row for row in queries.queue_rows(store, others) if row.status in OPEN] if others else []
    return Looked(detail, changed(proposal), tuple((one, _otherwise(proposal, one)) for one in open_))
