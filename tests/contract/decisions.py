"""A small desk for tests of decisions: proposals laid straight into the queue, a clock that is set by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import insert, select

from store import review
from store.engine import Store
from store.entry import Entry, content_hash, fingerprint, group_id
from store.expiry import flip_due
from store.facts import Actor, Done, Memory, Operation, Proposal, Seen, Version
from store.ids import new_id
from store.models import (
    DecisionRow,
    MemoryRow,
    OperationRow,
    ProposalRow,
    SupportRow,
    TombstoneRow,
    UsageRow,
    VersionRow,
)
from store.reading import active_with_key, memory, operation_of, proposals, versions
from store.redact import REDACTION_VERSION

ANN = Actor("ann", "console")
BOB = Actor("bob", "cli")
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
TABLES: dict[str, Any] = {
    row.__tablename__: row.__table__  # type: ignore[attr-defined]
    for row in (MemoryRow, VersionRow, ProposalRow, DecisionRow, OperationRow, TombstoneRow, SupportRow, UsageRow)
}


def _own(table: Any, store: Store) -> Any:
    return select(table).where(table.c.tenant_id == store.tenant)


class Clock:
    """A time that moves only when told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def jump(self, **by: float) -> None:
        """Move by a timedelta, back or forth."""
        self.now += timedelta(**by)


class Desk:
    """A store with what the tests of decisions do to it again and again."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = Clock()
        store.now = self.clock  # type: ignore[method-assign, assignment]

    def lay(self, content: str, **said: Any) -> str:
        """Lay one proposal into the queue; its id."""
        return self.lay_many([{"content": content, **said}])[0]

    def lay_many(self, said: Sequence[dict[str, Any]]) -> list[str]:
        """Lay proposals into the queue as intake would; their ids."""
        with self.store.write() as connection:
            flip_due(self.store, connection)
            rows = [self._row(connection, **one) for one in said]
            connection.execute(insert(TABLES["proposal"]), rows)
            backed = [row for row in rows if row["session_id"] is not None]
            if backed:
                connection.execute(insert(TABLES["support"]), [self._support(row) for row in backed])
        return [row["id"] for row in rows]

    def _row(
        self,
        connection: Any,
        *,
        content: str,
        op: str = "add",
        scope: str = "shop",
        key: str | None = None,
        target: str | None = None,
        status: str = "pending",
        flags: Sequence[dict[str, str]] = (),
        session_id: str | None = "s1",
        **rest: Any,
    ) -> dict[str, Any]:
        found: Memory | None = None
        if target is not None:
            found = memory(connection, self.store.tenant, target)
        elif key is not None:
            found = active_with_key(connection, self.store.tenant, scope, key)
        own = new_id()
        entry = Entry(scope=scope, content=content, key=key, session_id=session_id, source_agent="codex", **rest)
        op = op if op == "remove" else ("update" if found else "add")
        return {
            **{name: value for name, value in entry.as_dict().items() if name != "valid_until"},
            "valid_until": entry.valid_until,
            "tenant_id": self.store.tenant,
            "id": own,
            "op": op,
            "target_id": found.id if found else None,
            "base_revision": found.revision if found else None,
            "content_hash": content_hash(content),
            "fingerprint": fingerprint(scope, op, content),
            "group_id": group_id(scope, key, found.id if found else None, own),
            "flags": list(flags),
            "redaction_version": REDACTION_VERSION,
            "idempotency_key": None,
            "status": status,
            "mentions": 1,
            "branch": None,
            "session_rank": own,
            "deferred_at": None,
            "revision": 1,
            "created_at": self.clock.now,
        }

    def _support(self, row: dict[str, Any]) -> dict[str, Any]:
        return {
            "tenant_id": self.store.tenant,
            "owner_id": row["id"],
            "kind": "session",
            "ref": row["session_id"],
            "claimed": False,
            "at": self.clock.now,
        }

    def proposal(self, proposal_id: str) -> Proposal:
        """A proposal as it stands now."""
        with self.store.read() as connection:
            return proposals(connection, self.store.tenant, [proposal_id])[0]

    def see(self, proposal_id: str) -> Seen:
        """What a screen would hold of a proposal now."""
        return self.proposal(proposal_id).seen()

    def approve(self, proposal_id: str, **how: Any) -> Done:
        """Approve what stands now."""
        return review.approve(self.store, self.see(proposal_id), by=how.pop("by", ANN), **how)

    def hold(self, content: str, **said: Any) -> Memory:
        """Propose and approve; the memory."""
        done = self.approve(self.lay(content, **said))
        return self.memory(done.memory_ids[0])

    def hold_many(self, *said: str | dict[str, Any]) -> list[Memory]:
        """Propose and approve many at once, in one act; the memories, in the same order."""
        asked = self.lay_many([{"content": one} if isinstance(one, str) else one for one in said])
        with self.store.read() as connection:
            seens = [one.seen() for one in proposals(connection, self.store.tenant, asked)]
        done = review.approve_many(self.store, seens, by=ANN)
        held = {one.entry.content: one for one in map(self.memory, done.memory_ids)}
        return [held[one if isinstance(one, str) else one["content"]] for one in said]

    def memory(self, memory_id: str) -> Memory:
        """A memory in whatever status."""
        with self.store.read() as connection:
            found = memory(connection, self.store.tenant, memory_id)
        assert found is not None
        return found

    def versions(self, memory_id: str) -> list[Version]:
        """A memory's history, oldest first."""
        with self.store.read() as connection:
            return versions(connection, self.store.tenant, memory_id)[::-1]

    def operations(self) -> list[Operation]:
        """The log, oldest first."""
        table = TABLES["operation"]
        with self.store.read() as connection:
            return [operation_of(row) for row in connection.execute(_own(table, self.store).order_by(table.c.seq))]

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Every row of a table, in the order of its primary key."""
        table = TABLES[name]
        with self.store.read() as connection:
            rows = connection.execute(_own(table, self.store).order_by(*table.primary_key.columns)).mappings()
            return [dict(row) for row in rows]

    def live_stones(self) -> set[str]:
        """The fingerprints that bind agents now."""
        return {row["fingerprint"] for row in self.rows("tombstone") if row["lifted_by"] is None}

    def served(self) -> dict[str, str]:
        """What an agent could be given now, by memory id."""
        return {
            row["id"]: row["content"]
            for row in self.rows("memory")
            if row["status"] == "active" and (row["valid_until"] is None or row["valid_until"] > self.clock.now)
        }

    def queue(self) -> list[tuple[Any, ...]]:
        """All that the queue shows of every proposal; its row's revision aside, which only counts."""
        return [
            tuple(str(value) for name, value in row.items() if name not in ("revision", "deferred_at"))
            for row in self.rows("proposal")
        ]
