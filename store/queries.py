"""What the console and the command line read: the queue, one proposal whole, the library, the numbers.

Lists are ids first (``PackedIds``), rows by page after, so that nothing costs O(rows) a key. Every function opens one
read transaction of its own; call them from a worker.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, Literal

from sqlalchemy import Connection, Select, and_, bindparam, func, literal_column, not_, or_, select, union_all

from store import reading
from store.conditions import Condition, in_scopes, on_memories, on_proposals, unindexed
from store.engine import Store
from store.facts import Counts, Detail, Memory, Proposal, Refusal, Version
from store.filters import EVERYTHING, Filter
from store.listing import Page, list_page
from store.models import SupportRow, TombstoneRow
from store.packed import PackedIds
from store.reading import MEMORY, OPERATION, PROPOSAL, UNDECIDED
from store.resolve import resolve
from store.search_index import matching

__all__ = [
    "PackedIds",
    "Page",
    "counts",
    "detail",
    "draft_ids",
    "group_sizes",
    "list_page",
    "memory_ids",
    "memory_rows",
    "memory_versions",
    "queue_first",
    "queue_ids",
    "queue_rows",
    "resolve",
]

SUPPORT = SupportRow.__table__  # type: ignore[attr-defined]
TOMBSTONE = TombstoneRow.__table__  # type: ignore[attr-defined]
LONGEST_GROUP: Final = 200
"""Proposals of one group that a detail carries at most, the newest; versions likewise."""

LOOKED_THROUGH: Final = 10_000
"""Rows that the first page of a filter looks through, the newest; what a rarer word finds comes with all the ids."""

MOST_BRANCHES: Final = 4
"""Scopes of a view that are read in the order of their index and merged; a wider view is sorted."""

_ONE_PUT_OFF: Final = (
    select(PROPOSAL.c.id)
    .where(PROPOSAL.c.tenant_id == bindparam("tenant"), PROPOSAL.c.status == "deferred", UNDECIDED)
    .limit(1)
)
QueueOrder = Literal["queue", "oldest", "newest"]
MemoryOrder = Literal["updated", "key"]


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
    wanted = on_proposals(flt, store.tenant, store.now())
    later = PROPOSAL.c.deferred_at >= since if since is not None else None
    with store.read() as connection:
        statuses = _statuses(connection, store.tenant)
        ids = _ids(connection, _waiting(store.tenant, statuses, scopes, wanted, later, order))
        if later is None or "deferred" not in statuses:
            return ids
        return ids + _ids(connection, _put_off(store.tenant, [*in_scopes(PROPOSAL, scopes), *wanted, later]))


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
    a filter finds them only beyond the newest ``LOOKED_THROUGH``.
    """
    wanted = on_proposals(flt, store.tenant, store.now())
    later = PROPOSAL.c.deferred_at >= since if since is not None else None
    with store.read() as connection:
        statuses = _statuses(connection, store.tenant)
        if not wanted:
            return _fetched(connection, _top(store.tenant, statuses, scopes, since, order, size))
        if order == "queue":
            wanted += _newest(connection, store.tenant, statuses, scopes)
        return _ids(connection, _waiting(store.tenant, statuses, scopes, wanted, later, order).limit(size))


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
    later = PROPOSAL.c.deferred_at >= since if since is not None else None
    return _joined(_waiting(tenant, statuses, scopes, (), later, order).limit(size))


def draft_ids(
    store: Store, flt: Filter = EVERYTHING, *, scopes: tuple[str, ...] | None, order: QueueOrder = "queue"
) -> PackedIds:
    """The proposals said once, which the queue folds into one row, in the order of ``queue_ids``."""
    wanted = on_proposals(flt, store.tenant, store.now())
    with store.read() as connection:
        return _ids(connection, _in_order(_branches(store.tenant, "draft", scopes, wanted, order), order))


def queue_rows(store: Store, ids: Sequence[str]) -> list[Proposal]:
    """The proposals with these ids, re-based on the present, in the order asked for; a page of them at a time.

    An id that does not exist is left out; one that was decided meanwhile comes with its new status.
    """
    with store.read() as connection:
        return reading.proposals(connection, store.tenant, list(ids))


def group_sizes(store: Store, group_ids: Sequence[str]) -> dict[str, int]:
    """How many open proposals each of these groups holds; a page of groups at a time."""
    chosen = (
        select(PROPOSAL.c.group_id, func.count())
        .where(
            PROPOSAL.c.tenant_id == store.tenant,
            PROPOSAL.c.group_id.in_(list(group_ids)),
            PROPOSAL.c.status.in_(("draft", "pending", "deferred")),
        )
        .group_by(PROPOSAL.c.group_id)
    )
    with store.read() as connection:
        return {row[0]: row[1] for row in connection.execute(chosen)}


def detail(store: Store, proposal_id: str) -> Detail | None:
    """Everything about one proposal, read in one transaction; None where no such proposal exists.

    ``group`` holds the open proposals of its group, itself included, newest first. ``versions`` is the history of the
    memory it would change now, newest first. Both are cut at ``LONGEST_GROUP``.
    """
    tenant = store.tenant
    with store.read() as connection:
        row = connection.execute(
            select(PROPOSAL).where(PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.id == proposal_id)
        ).first()
        if row is None:
            return None
        proposal = reading.present(connection, tenant, [row])[0]
        target = proposal.target
        return Detail(
            proposal=proposal,
            group=tuple(_group(connection, tenant, row.group_id)),
            versions=tuple(reading.versions(connection, tenant, target.id, limit=LONGEST_GROUP)) if target else (),
            sessions=_sessions(connection, tenant, proposal),
            refused_before=_refused_before(connection, tenant, row.fingerprint),
        )


def memory_ids(
    store: Store,
    flt: Filter = EVERYTHING,
    *,
    scopes: tuple[str, ...] | None,
    order: MemoryOrder = "updated",
) -> PackedIds:
    """The active memories of a view that pass a filter; its texts are looked up in the gram index.

    ``order`` "updated" is the newest change first, "key" by key, those without one last.
    """
    now = store.now()
    alive = or_(MEMORY.c.valid_until.is_(None), MEMORY.c.valid_until > now)
    wanted: list[Condition] = [MEMORY.c.tenant_id == store.tenant, alive, *on_memories(flt, store.tenant, now)]
    if flt.texts:
        # The words lead: through the primary key to what they hit, not through all that a scope has.
        wanted.append(MEMORY.c.id.in_(matching(store.tenant, " ".join(flt.texts), scopes)))
        wanted.append(unindexed(MEMORY.c.status) == "active")
        wanted += [] if scopes is None else [unindexed(MEMORY.c.scope).in_(list(scopes))]
    else:
        wanted += [MEMORY.c.status == "active", *in_scopes(MEMORY, scopes)]
    by: tuple[Any, ...] = (MEMORY.c.updated_at.desc(), MEMORY.c.id.desc())
    if order == "key":
        by = (MEMORY.c.key.is_(None), MEMORY.c.key, MEMORY.c.scope, MEMORY.c.id)
    with store.read() as connection:
        return _ids(connection, select(MEMORY.c.id).where(*wanted).order_by(*by))


def memory_rows(store: Store, ids: Sequence[str]) -> list[Memory]:
    """The memories with these ids in whatever status, in the order asked for; ids that do not exist are left out."""
    with store.read() as connection:
        return reading.memories(connection, store.tenant, list(ids))


def memory_versions(store: Store, memory_id: str, *, limit: int | None = None) -> list[Version]:
    """A memory's history, newest first: whole, or its newest ``limit``; empty where there is no such memory."""
    with store.read() as connection:
        return reading.versions(connection, store.tenant, memory_id, limit=limit)


def counts(store: Store, scopes: tuple[str, ...] | None) -> Counts:
    """The numbers of the header in one round trip. ``elsewhere`` is what waits, drafts apart, outside the view."""
    here = [UNDECIDED, *in_scopes(PROPOSAL, scopes)]

    def number(table: Any, *conditions: Condition) -> Any:
        chosen = select(func.count()).select_from(table).where(table.c.tenant_id == store.tenant, *conditions)
        return chosen.scalar_subquery()

    waiting = PROPOSAL.c.status.in_(("pending", "deferred"))
    everywhere = number(PROPOSAL, waiting, UNDECIDED)
    held = in_scopes(MEMORY, scopes)
    active = number(MEMORY, MEMORY.c.status == "active", *held)
    # Those past their date are few and have an index of their own: counted apart, no row of the others is read.
    past = number(MEMORY, *reading.DATED, MEMORY.c.valid_until <= store.now(), *held)
    numbers = {
        "pending": number(PROPOSAL, PROPOSAL.c.status == "pending", *here),
        "drafts": number(PROPOSAL, PROPOSAL.c.status == "draft", *here),
        "deferred": number(PROPOSAL, PROPOSAL.c.status == "deferred", *here),
        "everywhere": literal_column("0") if scopes is None else everywhere,
        "memories": active - past,
    }
    with store.read() as connection:
        row = connection.execute(select(*(column.label(name) for name, column in numbers.items()))).one()
    elsewhere = 0 if scopes is None else row.everywhere - row.pending - row.deferred
    return Counts(row.pending, row.drafts, row.deferred, elsewhere, row.memories)


def _statuses(connection: Connection, tenant: str) -> tuple[str, ...]:
    """The statuses of what waits. Nothing put off, which is the rule, saves a merge of every row with none."""
    return ("pending", "deferred") if connection.execute(_ONE_PUT_OFF, {"tenant": tenant}).first() else ("pending",)


def _waiting(
    tenant: str,
    statuses: Sequence[str],
    scopes: tuple[str, ...] | None,
    wanted: Sequence[Condition],
    later: Condition | None,
    order: QueueOrder,
) -> Any:
    back = [] if later is None else [or_(PROPOSAL.c.deferred_at.is_(None), not_(later))]
    conditions = {"pending": wanted, "deferred": [*wanted, *back]}
    return _in_order(
        [branch for status in statuses for branch in _branches(tenant, status, scopes, conditions[status], order)],
        order,
    )


def _newest(
    connection: Connection, tenant: str, statuses: Sequence[str], scopes: tuple[str, ...] | None
) -> list[Condition]:
    """That a row is among the newest ``LOOKED_THROUGH`` of a view; no condition where it holds no more than these.

    Without it a word that nothing says would look at every row before the first page is there.
    """
    if scopes is not None and not 0 < len(scopes) <= MOST_BRANCHES:
        return []  # nothing stands in the order of an index, so all is looked at anyway
    branches = [branch for status in statuses for branch in _branches(tenant, status, scopes, (), "queue")]
    place = LOOKED_THROUGH // len(branches)
    by = (PROPOSAL.c.session_rank.desc(), PROPOSAL.c.id.desc())
    ranks = [branch.with_only_columns(PROPOSAL.c.session_rank) for branch in branches]
    last = [rank.order_by(*by).limit(1).offset(place).scalar_subquery() for rank in ranks]
    known = [one for one in connection.execute(select(*last)).one() if one is not None]
    return [PROPOSAL.c.session_rank >= max(known)] if known else []


def _branches(
    tenant: str, status: str, scopes: tuple[str, ...] | None, wanted: Sequence[Condition], order: QueueOrder
) -> list[Select[Any]]:
    """One statement a status and scope.

    Each stands in the order of its index, so that for "queue" the engine merges and never sorts; ages are sorted.
    """
    by = PROPOSAL.c.session_rank if order == "queue" else PROPOSAL.c.created_at
    chosen = select(by, PROPOSAL.c.id).where(
        PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.status == status, UNDECIDED, *wanted
    )
    if scopes is not None and 0 < len(scopes) <= MOST_BRANCHES:
        return [chosen.where(PROPOSAL.c.scope == scope) for scope in dict.fromkeys(scopes)]
    return [chosen.where(*in_scopes(PROPOSAL, scopes))]


def _in_order(branches: Sequence[Select[Any]], order: QueueOrder) -> Any:
    names = {
        "queue": ("session_rank DESC", "id DESC"),
        "oldest": ("created_at", "id"),
        "newest": ("created_at DESC", "id DESC"),
    }
    merged: Any = union_all(*branches) if len(branches) > 1 else branches[0]
    return merged.order_by(*(literal_column(name) for name in names[order]))


def _put_off(tenant: str, wanted: Sequence[Condition]) -> Select[Any]:
    chosen = select(PROPOSAL.c.id).where(
        PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.status == "deferred", UNDECIDED, *wanted
    )
    return chosen.order_by(PROPOSAL.c.deferred_at, PROPOSAL.c.id)


def _ids(connection: Connection, ordered: Any) -> PackedIds:
    """The ids of an ordered statement with a column ``id``, joined by the engine into one string.

    100,000 rows of one string each cost several times as much to fetch. Both engines keep a sub-select's order in a
    string aggregate (PostgreSQL documents it; a test holds SQLite to it).
    """
    return _fetched(connection, _joined(ordered))


def _joined(ordered: Any) -> Select[Any]:
    return select(func.aggregate_strings(ordered.subquery().c.id, ""))


def _fetched(connection: Connection, joined: Select[Any]) -> PackedIds:
    return PackedIds.stored(connection.execute(joined).scalar())


def _group(connection: Connection, tenant: str, group_id: str) -> list[Proposal]:
    chosen = (
        select(PROPOSAL)
        .where(
            PROPOSAL.c.tenant_id == tenant,
            PROPOSAL.c.group_id == group_id,
            PROPOSAL.c.status.in_(("draft", "pending", "deferred")),
        )
        .order_by(unindexed(PROPOSAL.c.id).desc())
        .limit(LONGEST_GROUP)
    )
    return reading.present(connection, tenant, connection.execute(chosen).all())


def _sessions(connection: Connection, tenant: str, proposal: Proposal) -> int:
    chosen = (
        select(func.count())
        .select_from(SUPPORT)
        .where(SUPPORT.c.tenant_id == tenant, SUPPORT.c.owner_id == proposal.id, SUPPORT.c.kind == "session")
    )
    known = connection.execute(chosen).scalar_one()
    return max(known, 1 if proposal.entry.session_id else 0)


def _refused_before(connection: Connection, tenant: str, mark: str) -> Refusal | None:
    """The newest decision against the same text, lifted or not: a person is shown it, and may go on."""
    joined = and_(OPERATION.c.tenant_id == TOMBSTONE.c.tenant_id, OPERATION.c.id == TOMBSTONE.c.operation_id)
    chosen = (
        select(TOMBSTONE.c.cause, OPERATION.c.at, OPERATION.c.reason, OPERATION.c.actor)
        .join(OPERATION, joined)
        .where(TOMBSTONE.c.tenant_id == tenant, TOMBSTONE.c.fingerprint == mark)
        .order_by((OPERATION.c.seq + 0).desc())  # as unindexed: the log would be walked for the newest
        .limit(1)
    )
    row = connection.execute(chosen).first()
    return Refusal(row.cause, row.at, row.reason, row.actor) if row else None
