"""What the console and the command line read: the queue, one proposal whole, the library, the numbers.

Lists are ids first (``PackedIds``), rows by page after, so that nothing costs O(rows) a key. Every function opens one
read transaction of its own; call them from a worker.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from sqlalchemy import Connection, and_, case, func, literal_column, or_, select

from store import reading
from store.conditions import Condition, in_scopes, on_memories, unindexed
from store.engine import Store
from store.facts import Counts, Detail, Memory, Proposal, Refusal, Version
from store.filters import EVERYTHING, Filter
from store.listing import Page, list_page
from store.models import SupportRow, TombstoneRow, UsageRow
from store.packed import PackedIds
from store.reading import MEMORY, OPERATION, PROPOSAL, UNDECIDED
from store.resolve import resolve
from store.search_index import matching
from store.waiting import QueueOrder, draft_ids, packed, queue_first, queue_ids, queue_number

__all__ = [
    "PackedIds",
    "Page",
    "QueueOrder",
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
    "queue_number",
    "queue_rows",
    "resolve",
]

SUPPORT = SupportRow.__table__  # type: ignore[attr-defined]
TOMBSTONE = TombstoneRow.__table__  # type: ignore[attr-defined]
USAGE = UsageRow.__table__  # type: ignore[attr-defined]
MOST_LIKE: Final = 200
"""Memories that ``like:`` finds at most."""
LONGEST_GROUP: Final = 200
"""Proposals of one group that a detail carries at most, the newest; versions likewise."""

MemoryOrder = Literal["updated", "key", "used", "age", "confidence", "stale"]


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

    With ``like:`` those that are near it, the nearest first, ``MOST_LIKE`` at most; whatever the ``order``.

    ``order`` "updated" is the newest change first, "key" by key, those without one last, "used" the most used first,
    "age" the oldest first, "confidence" the least sure first (unknown last), "stale" what has longest not been changed
    or borne out first.
    """
    now = store.now()
    alive = or_(MEMORY.c.valid_until.is_(None), MEMORY.c.valid_until > now)
    wanted: list[Condition] = [MEMORY.c.tenant_id == store.tenant, alive, *on_memories(flt, store.tenant, now)]
    near = _like(store, flt.like, scopes) if flt.like else []
    if flt.like:
        wanted.append(MEMORY.c.id.in_(near))
    if flt.texts:
        # The words lead: through the primary key to what they hit, not through all that a scope has.
        wanted.append(MEMORY.c.id.in_(matching(store.tenant, " ".join(flt.texts), scopes)))
        wanted.append(unindexed(MEMORY.c.status) == "active")
        wanted += [] if scopes is None else [unindexed(MEMORY.c.scope).in_(list(scopes))]
    else:
        wanted += [MEMORY.c.status == "active", *in_scopes(MEMORY, scopes)]
    chosen = select(MEMORY.c.id).where(*wanted).order_by(*_ORDERS[order])
    if order in ("used", "stale"):
        counted = and_(USAGE.c.tenant_id == MEMORY.c.tenant_id, USAGE.c.memory_id == MEMORY.c.id)
        chosen = chosen.join_from(MEMORY, USAGE, counted, isouter=True)
    with store.read() as connection:
        found = packed(connection, chosen)
    if flt.like:
        among = set(found)
        return PackedIds.of(one for one in near if one in among)
    return found


def _like(store: Store, asked: str, scopes: tuple[str, ...] | None) -> list[str]:
    """What is near a text, the nearest first; by the encoder that is at hand, which is not waited for."""
    from store.retrieval import search

    return [hit.memory.id for hit in search(store, asked, scopes=scopes, limit=MOST_LIKE).hits]


_VERIFIED: Final = case((USAGE.c.last_verified > MEMORY.c.updated_at, USAGE.c.last_verified), else_=MEMORY.c.updated_at)
"""When a memory was last changed or borne out."""
_ORDERS: Final[dict[MemoryOrder, tuple[Any, ...]]] = {
    "updated": (MEMORY.c.updated_at.desc(), MEMORY.c.id.desc()),
    "key": (MEMORY.c.key.is_(None), MEMORY.c.key, MEMORY.c.scope, MEMORY.c.id),
    "used": (func.coalesce(USAGE.c.uses, 0).desc(), MEMORY.c.updated_at.desc(), MEMORY.c.id.desc()),
    "age": (MEMORY.c.created_at, MEMORY.c.id),
    "confidence": (MEMORY.c.confidence.is_(None), MEMORY.c.confidence, MEMORY.c.id),
    "stale": (_VERIFIED, MEMORY.c.id),
}


def memory_rows(store: Store, ids: Sequence[str]) -> list[Memory]:
    """The memories with these ids in whatever status, in the order asked for; ids that do not exist are left out."""
    with store.read() as connection:
        return reading.memories(connection, store.tenant, list(ids))


def memories_in_use(store: Store, ids: Sequence[str]) -> list[tuple[str, int, bool]]:
    """Of these memories those that are active, without their texts: (id, revision, pinned), in the order asked for."""
    found: dict[str, tuple[str, int, bool]] = {}
    with store.read() as connection:
        for part in reading.chunks(ids, 1000):
            chosen = select(MEMORY.c.id, MEMORY.c.revision, MEMORY.c.pinned).where(
                MEMORY.c.tenant_id == store.tenant, MEMORY.c.id.in_(list(part)), MEMORY.c.status == "active"
            )
            found |= {row[0]: (row[0], row[1], row[2]) for row in connection.execute(chosen)}
    return [found[one] for one in ids if one in found]


def memory_versions(
    store: Store, memory_id: str, *, limit: int | None = None, revisions: Sequence[int] | None = None
) -> list[Version]:
    """A memory's history, newest first: whole, its newest ``limit``, or those with these numbers.

    Empty where there is no such memory. A memory has the versions 1 to its ``revision``, so pages are asked by number.
    """
    with store.read() as connection:
        return reading.versions(connection, store.tenant, memory_id, limit=limit, revisions=revisions)


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
