"""What one operation did, part by part: each memory and each proposal that it touched, before it and after it.

Reading only. However many parts an operation has, its ids come as one packed string and its parts by page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, select

from store.conditions import Condition, unindexed
from store.engine import Store
from store.entry import Entry
from store.facts import Operation
from store.models import DecisionRow
from store.packed import PackedIds
from store.reading import PROPOSAL, VERSION, chunks, entry_of
from store.waiting import packed

DECISION = DecisionRow.__table__  # type: ignore[attr-defined]
MOST_LOOKED_AT = 200
"""Parts of an operation that are read to know whether it stays within some scopes; one of more is said not to."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an operation did to one memory, or one proposal that became none.

    ``before`` and ``after`` are what it said (None: it was not there, or, where ``erased``, is not there any more),
    ``was`` and ``became`` its status, ``revision`` the memory's new one; a proposal has none. ``moved`` are the columns
    of a proposal that were changed otherwise: by name, before and after.
    """

    id: str
    before: Entry | None
    after: Entry | None
    was: str | None
    became: str
    revision: int | None = None
    reason: str | None = None
    erased: bool = False
    moved: tuple[tuple[str, Any, Any], ...] = ()

    @property
    def is_memory(self) -> bool:
        """Whether it is about a memory."""
        return self.revision is not None

    @property
    def entry(self) -> Entry | None:
        """What it is about, as it is known best."""
        return self.after or self.before


def change_ids(store: Store, operation: Operation) -> PackedIds:
    """The ids of all that an operation touched: memories first, then proposals that became none by it."""
    mine = and_(VERSION.c.tenant_id == store.tenant, VERSION.c.operation_id == operation.id)
    changed = select(VERSION.c.memory_id.label("id")).where(mine)
    became = select(VERSION.c.proposal_id).where(mine, VERSION.c.proposal_id.is_not(None))
    alone = select(DECISION.c.proposal_id.label("id")).where(
        DECISION.c.tenant_id == store.tenant,
        DECISION.c.operation_id == operation.id,
        DECISION.c.proposal_id.not_in(became),
    )
    with store.read() as connection:
        ids = packed(connection, changed.order_by(unindexed(VERSION.c.memory_id)))
        return ids + packed(connection, alone.order_by(unindexed(DECISION.c.proposal_id)))


def changes(
    store: Store, operation: Operation, ids: Sequence[str], *, scopes: tuple[str, ...] | None = None
) -> dict[str, Change]:
    """What the operation did to each of these. With ``scopes``, those that are or were in others are left out."""
    found: dict[str, Change] = {}
    with store.read() as connection:
        for part in chunks(ids):
            found |= _of_memories(connection, store.tenant, operation, part)
            rest = [one for one in part if one not in found]
            found |= _of_proposals(connection, store.tenant, operation, rest)
    return {id_: one for id_, one in found.items() if scopes is None or _within(one, scopes)}


def _within(change: Change, scopes: tuple[str, ...]) -> bool:
    places = {one.scope for one in (change.before, change.after) if one is not None}
    places |= {value for name, *pair in change.moved if name == "scope" for value in pair}
    return bool(places) and places <= set(scopes)


def outside(connection: Connection, tenant: str, operation_id: str, scopes: tuple[str, ...]) -> bool:
    """Whether an operation also touched, or may have touched, what is not in these scopes."""
    spelled = _version_pairs(tenant, operation_id).limit(MOST_LOOKED_AT + 1)
    rows = connection.execute(spelled).all()
    asked = (
        select(PROPOSAL.c.scope)
        .join(DECISION, and_(DECISION.c.tenant_id == PROPOSAL.c.tenant_id, DECISION.c.proposal_id == PROPOSAL.c.id))
        .where(DECISION.c.tenant_id == tenant, DECISION.c.operation_id == operation_id)
        .limit(MOST_LOOKED_AT + 1)
    )
    places = [row.scope for row in connection.execute(asked)]
    if len(rows) > MOST_LOOKED_AT or len(places) > MOST_LOOKED_AT or not (rows or places):
        return True
    entries = [one for row in rows for one in (row.entry, row.earlier) if one is not None]
    return not {*places, *(Entry.from_json(one).scope for one in entries)} <= set(scopes)


def parts_of(connection: Connection, tenant: str, operation_id: str) -> tuple[dict[str, int], list[str]]:
    """The memories that an operation changed, with the revisions it gave them; the proposals that it decided on."""
    versions = select(VERSION.c.memory_id, VERSION.c.revision).where(
        VERSION.c.tenant_id == tenant, VERSION.c.operation_id == operation_id
    )
    decisions = select(DECISION.c.proposal_id).where(
        DECISION.c.tenant_id == tenant, DECISION.c.operation_id == operation_id
    )
    revisions = {row.memory_id: row.revision for row in connection.execute(versions)}
    return revisions, list(connection.execute(decisions).scalars())


def _version_pairs(tenant: str, operation_id: str, ids: Sequence[str] | None = None) -> Any:
    """The versions that an operation made, of these memories or of all, each beside the one before it."""
    made: Condition = VERSION.c.operation_id == operation_id
    if ids is not None:  # of 50,000 that it made only these few are looked up
        made = and_(unindexed(VERSION.c.operation_id) == operation_id, VERSION.c.memory_id.in_(list(ids)))
    earlier = VERSION.alias("earlier")
    before = and_(
        earlier.c.tenant_id == VERSION.c.tenant_id,
        earlier.c.memory_id == VERSION.c.memory_id,
        earlier.c.revision == VERSION.c.revision - 1,
    )
    return (
        select(
            VERSION.c.memory_id,
            VERSION.c.revision,
            VERSION.c.status,
            VERSION.c.entry,
            earlier.c.status.label("was"),
            earlier.c.entry.label("earlier"),
        )
        .select_from(VERSION)
        .outerjoin(earlier, before)
        .where(VERSION.c.tenant_id == tenant, made)
    )


def _of_memories(connection: Connection, tenant: str, operation: Operation, ids: Sequence[str]) -> dict[str, Change]:
    chosen = _version_pairs(tenant, operation.id, ids)
    return {
        row.memory_id: Change(
            id=row.memory_id,
            before=Entry.from_json(row.earlier) if row.earlier is not None else None,
            after=Entry.from_json(row.entry) if row.entry is not None else None,
            was=row.was,
            became=row.status,
            revision=row.revision,
            erased=row.entry is None,
        )
        for row in connection.execute(chosen)
    }


def _of_proposals(connection: Connection, tenant: str, operation: Operation, ids: Sequence[str]) -> dict[str, Change]:
    if not ids:
        return {}
    joined = and_(PROPOSAL.c.tenant_id == DECISION.c.tenant_id, PROPOSAL.c.id == DECISION.c.proposal_id)
    chosen = (
        select(PROPOSAL, DECISION.c.from_status, DECISION.c.to_status, DECISION.c.reason.label("why"))
        .select_from(DECISION)
        .join(PROPOSAL, joined)
        .where(
            DECISION.c.tenant_id == tenant,
            DECISION.c.operation_id == operation.id,
            DECISION.c.proposal_id.in_(list(ids)),
        )
    )
    moved = operation.selection.get("moved", {})
    return {row.id: _proposal(row, moved.get(row.id, {})) for row in connection.execute(chosen)}


def _proposal(row: Any, moved: dict[str, Any]) -> Change:
    before, after = moved.get("before", {}), moved.get("after", {})
    entry = entry_of(row)
    return Change(
        id=row.id,
        before=entry,
        after=entry,
        was=row.from_status,
        became=row.to_status,
        reason=row.why,
        erased=row.content is None,
        moved=tuple((name, value, after.get(name)) for name, value in before.items()),
    )
