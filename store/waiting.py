"""The ids of the proposals that wait, in the order they are reviewed: a first page at once, and all of them.

100,000 ids come out of a walk along an index, in strings of some thousands, and are packed. The walk goes upwards, in
which an engine finds each row beside the last one for less, and is turned round where the newest stand first.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, Literal

from sqlalchemy import (
    Connection,
    Select,
    bindparam,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
    tuple_,
    union_all,
)

from store.answered import answered
from store.conditions import Condition, in_scopes, on_proposals, unindexed
from store.engine import Store
from store.filters import EVERYTHING, Filter
from store.packed import PackedIds
from store.reading import PROPOSAL, UNDECIDED

LOOKED_THROUGH: Final = 10_000
"""Rows that the first page of a filter looks through, from its top; what a rarer word finds comes with all the ids."""

AT_ONCE: Final = 10_000
"""Ids that the engine joins into one string: 100,000 in one take megabytes for a moment, and the process keeps them."""

MOST_BRANCHES: Final = 4
"""Scopes of a view that are read in the order of their index and merged; a wider view is sorted."""

_ONE_PUT_OFF: Final = (
    select(PROPOSAL.c.id)
    .where(PROPOSAL.c.tenant_id == bindparam("tenant"), PROPOSAL.c.status == "deferred", UNDECIDED)
    .limit(1)
)
_IN_THE_ROW: Final = frozenset({"text", "flag", "op", "session", "scope"})
"""Terms of a filter for which no index that is parted by scope saves reading a row."""

QueueOrder = Literal["queue", "oldest", "newest"]


def queue_ids(
    store: Store,
    flt: Filter = EVERYTHING,
    *,
    scopes: tuple[str, ...] | None,
    since: datetime | None,
    order: QueueOrder = "queue",
) -> PackedIds:
    """The proposals that wait, pending and deferred, in the order they are reviewed. Drafts are apart (``draft_ids``).

    ``scopes`` is the view (None: everywhere). ``since`` is when the console opened: what was deferred from then on
    stands at the end, in the order it was put off; what was deferred before is back in its place. ``order`` "queue" is
    newest session first and newest first within it; "oldest" and "newest" go by age alone, as it is shown.
    """
    with store.read() as connection:
        wanted = _wanted(connection, store, flt)
        statuses = _statuses(connection, store.tenant)
        at_once = _at_once(flt)
        branches = _waiting(store.tenant, statuses, scopes, wanted, since, order, at_once)
        ids = _all_ids(connection, branches, order, by_steps=at_once or _merged(scopes, order))
        if since is None or "deferred" not in statuses:
            return ids
        put_off = [*in_scopes(PROPOSAL, scopes), *wanted, PROPOSAL.c.deferred_at >= since]
        return ids + packed(connection, _put_off(store.tenant, put_off))


def draft_ids(
    store: Store, flt: Filter = EVERYTHING, *, scopes: tuple[str, ...] | None, order: QueueOrder = "queue"
) -> PackedIds:
    """The proposals said once, which the queue folds into one row, in the order of ``queue_ids``."""
    with store.read() as connection:
        wanted = _wanted(connection, store, flt)
        at_once = _at_once(flt)
        branches = _branches(store.tenant, "draft", scopes, wanted, order, at_once)
        return _all_ids(connection, branches, order, by_steps=at_once or _merged(scopes, order))


def queue_number(store: Store, flt: Filter, *, scopes: tuple[str, ...] | None) -> int:
    """How many proposals ``queue_ids`` and ``draft_ids`` hold together; quick where ``flt.counted``."""
    wanted = [*in_scopes(PROPOSAL, scopes), *on_proposals(flt, store.tenant, store.now())]
    chosen = select(func.count()).select_from(PROPOSAL).where(PROPOSAL.c.tenant_id == store.tenant, UNDECIDED, *wanted)
    with store.read() as connection:
        return connection.execute(chosen).scalar_one()


def queue_first(
    store: Store,
    flt: Filter = EVERYTHING,
    *,
    scopes: tuple[str, ...] | None,
    since: datetime | None,
    order: QueueOrder = "queue",
    size: int = 50,
) -> PackedIds:
    """The first ids of ``queue_ids``, at most ``size``: for the screen while all come.

    Fewer than ``size`` may stand here though more wait: where the rest was deferred since the console opened, or where
    a filter finds them only beyond the first ``LOOKED_THROUGH``.
    """
    with store.read() as connection:
        wanted = _wanted(connection, store, flt)
        statuses = _statuses(connection, store.tenant)
        if not wanted:
            return _fetched(connection, _top(store.tenant, statuses, scopes, since, order, size))
        near = _near_the_top(connection, store.tenant, statuses, scopes, order)
        at_once = bool(near) and order != "queue"
        branches = _waiting(store.tenant, statuses, scopes, [*wanted, *near], since, order, at_once)
        return packed(connection, _in_order(branches, order).limit(size))


def _wanted(connection: Connection, store: Store, flt: Filter) -> list[Condition]:
    if flt.empty:
        return []
    return on_proposals(flt, store.tenant, store.now(), answered=answered(connection, store.tenant, flt))


def packed(connection: Connection, ordered: Any) -> PackedIds:
    """The ids of an ordered statement with a column ``id``, joined by the engine into one string.

    100,000 rows of one string each cost several times as much to fetch. Both engines keep a sub-select's order in a
    string aggregate (PostgreSQL documents it; a test holds SQLite to it).
    """
    return _fetched(connection, _joined(ordered))


@lru_cache(maxsize=64)
def _top(
    tenant: str,
    statuses: tuple[str, ...],
    scopes: tuple[str, ...] | None,
    since: datetime | None,
    order: QueueOrder,
    size: int,
) -> Select[Any]:
    """The statement of a first page without a filter: kept, as building it costs more than running it."""
    branches = _waiting(tenant, statuses, scopes, (), since, order, order != "queue")
    return _joined(_in_order(branches, order).limit(size))


def _all_ids(
    connection: Connection, branches: Sequence[Select[Any]], order: QueueOrder, *, by_steps: bool
) -> PackedIds:
    """All ids of these branches. ``by_steps`` where each stands in the order of an index, so that going on is cheap."""
    if not by_steps:
        ids = packed(connection, _in_order(branches, order, upwards=True))
        return ids if order == "oldest" else ids.backwards()
    parts: list[PackedIds] = []
    by = PROPOSAL.c.session_rank if order == "queue" else PROPOSAL.c.created_at
    rest = branches
    while True:
        some = _in_order(rest, order, upwards=True).limit(AT_ONCE).subquery()
        joined = select(func.aggregate_strings(some.c.id, ""), func.max(some.c[by.name]))
        said, last = connection.execute(joined).one()
        parts.append(PackedIds.stored(said))
        if len(parts[-1]) < AT_ONCE:
            break
        there = tuple_(literal(last, by.type), literal(parts[-1][-1], PROPOSAL.c.id.type))
        rest = [branch.where(tuple_(by, PROPOSAL.c.id) > there) for branch in branches]
    if order != "oldest":
        parts = [part.backwards() for part in reversed(parts)]
    return parts[0] if len(parts) == 1 else PackedIds(b"".join(part.raw for part in parts))


def _statuses(connection: Connection, tenant: str) -> tuple[str, ...]:
    """The statuses of what waits. Nothing put off, which is the rule, saves a merge of every row with none."""
    return ("pending", "deferred") if connection.execute(_ONE_PUT_OFF, {"tenant": tenant}).first() else ("pending",)


def _at_once(flt: Filter) -> bool:
    """Whether all ids of a view are sooner there by one walk through all that wait than scope by scope."""
    return all(term.field in _IN_THE_ROW for term in flt.terms)


def _merged(scopes: tuple[str, ...] | None, order: QueueOrder) -> bool:
    """Whether the branches of a view each stand in the order of an index by scope."""
    return order == "queue" and scopes is not None and 0 < len(scopes) <= MOST_BRANCHES


def _near_the_top(
    connection: Connection, tenant: str, statuses: Sequence[str], scopes: tuple[str, ...] | None, order: QueueOrder
) -> list[Condition]:
    """That a row stands near the top of a view; no condition where it holds no more than ``LOOKED_THROUGH``.

    Without it a word that nothing says would look at every row before the first page is there. Near is about
    ``LOOKED_THROUGH`` rows: for an order by age, those up to the age of the row that stands so deep by session, which
    is as old within a session's length.
    """
    if scopes is not None and not 0 < len(scopes) <= MOST_BRANCHES:
        return []  # nothing stands in the order of an index, so all is looked at anyway
    branches = [branch for status in statuses for branch in _branches(tenant, status, scopes, (), "queue", False)]
    place = LOOKED_THROUGH // len(branches)
    rank = PROPOSAL.c.session_rank
    by = (rank, PROPOSAL.c.id) if order == "oldest" else (rank.desc(), PROPOSAL.c.id.desc())
    told = rank if order == "queue" else PROPOSAL.c.created_at
    places = [branch.with_only_columns(told).order_by(*by).limit(1).offset(place) for branch in branches]
    last = connection.execute(select(*(one.scalar_subquery() for one in places))).one()
    known = [one for one in last if one is not None]
    if not known:
        return []
    return [told <= min(known)] if order == "oldest" else [told >= max(known)]


def _waiting(
    tenant: str,
    statuses: Sequence[str],
    scopes: tuple[str, ...] | None,
    wanted: Sequence[Condition],
    since: datetime | None,
    order: QueueOrder,
    at_once: bool,
) -> list[Select[Any]]:
    """What waits, without what was put off since: the branches of every status."""
    later = PROPOSAL.c.deferred_at >= since if since is not None else None
    back = [] if later is None else [or_(PROPOSAL.c.deferred_at.is_(None), not_(later))]
    conditions = {"pending": wanted, "deferred": [*wanted, *back]}
    branches = (_branches(tenant, status, scopes, conditions[status], order, at_once) for status in statuses)
    return [branch for of_one_status in branches for branch in of_one_status]


def _branches(
    tenant: str,
    status: str,
    scopes: tuple[str, ...] | None,
    wanted: Sequence[Condition],
    order: QueueOrder,
    at_once: bool,
) -> list[Select[Any]]:
    """One statement a status and scope, each in the order of its index, so that for "queue" the engine only merges.

    ``at_once`` leaves the scopes of a status together, for a walk along the index that has the order and then the
    scope: merging 100,000 rows, or sorting them by age, costs more than passing over those of other scopes.
    """
    by = PROPOSAL.c.session_rank if order == "queue" else PROPOSAL.c.created_at
    chosen = select(by, PROPOSAL.c.id).where(PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.status == status, *wanted)
    if not (at_once and order == "queue"):
        chosen = chosen.where(UNDECIDED)  # which names the indexes of what is open; the one of the queue has all
    if at_once:
        return [chosen if scopes is None else chosen.where(unindexed(PROPOSAL.c.scope).in_(list(scopes)))]
    if scopes is not None and 0 < len(scopes) <= MOST_BRANCHES:
        return [chosen.where(PROPOSAL.c.scope == scope) for scope in dict.fromkeys(scopes)]
    return [chosen.where(*in_scopes(PROPOSAL, scopes))]


def _in_order(branches: Sequence[Select[Any]], order: QueueOrder, *, upwards: bool = False) -> Any:
    """The branches as one, in an order; ``upwards``, the other way round where the newest stand first."""
    way = "" if upwards or order == "oldest" else " DESC"
    merged: Any = union_all(*branches) if len(branches) > 1 else branches[0]
    by = "session_rank" if order == "queue" else "created_at"
    return merged.order_by(literal_column(by + way), literal_column("id" + way))


def _put_off(tenant: str, wanted: Sequence[Condition]) -> Select[Any]:
    chosen = select(PROPOSAL.c.id).where(
        PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.status == "deferred", UNDECIDED, *wanted
    )
    return chosen.order_by(PROPOSAL.c.deferred_at, PROPOSAL.c.id)


def _joined(ordered: Any) -> Select[Any]:
    return select(func.aggregate_strings(ordered.subquery().c.id, ""))


def _fetched(connection: Connection, joined: Select[Any]) -> PackedIds:
    return PackedIds.stored(connection.execute(joined).scalar())
