"""One act, written whole: the operation, the versions and decisions it made, and its link in the chain of digests.

An ``Act`` gathers in memory and ``commit`` writes the operation first and its parts after, all in the caller's write
transaction. Nothing else appends to ``operation``, ``version`` or ``decision``, and nothing else changes a memory row.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from types import EllipsisType
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from store import blocks, search_index, stopping, turning
from store.engine import Store
from store.entry import Entry, commitment, content_hash, fingerprint, iso
from store.facts import Actor, Memory, Operation
from store.ids import new_id
from store.memory_rows import Change, expect_all, write_memories
from store.models import DecisionRow, MemoryRow, OperationRow, ProposalRow, VersionRow
from store.tombstones import Stone, lay, lift

OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]
DECISION = DecisionRow.__table__  # type: ignore[attr-defined]
MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
GENESIS = "0" * 64
"""What the first operation of a tenant chains to."""


@dataclass(frozen=True, slots=True)
class _Ruling:
    """A proposal's next state, and the decision that records it."""

    proposal_id: str
    revision: int
    from_status: str
    to_status: str
    reason: str | None
    columns: dict[str, Any]


@dataclass
class Act:
    """One operation in the making. Stage with ``change`` and ``decide``, then ``commit`` once.

    ``count`` of the operation is the number of versions plus the decisions that made none.
    """

    store: Store
    connection: Connection
    actor: Actor
    action: str
    reason: str | None = None
    selection: dict[str, Any] = field(default_factory=dict)
    undoes: str | None = None
    id: str = field(default_factory=new_id)
    at: datetime = field(init=False)

    def __post_init__(self) -> None:
        self.at = self.store.now()
        self._changes: dict[str, Change] = {}
        self._turned: dict[str, turning.Turned] = {}
        self._rulings: dict[str, _Ruling] = {}
        self._stones: list[Stone] = []

    def change(
        self,
        before: Memory | None,
        entry: Entry,
        status: str = "active",
        *,
        action: str | None = None,
        proposal_id: str | None = None,
        previous_value: str | EllipsisType | None = ...,
        pinned: bool | None = None,
    ) -> Memory:
        """Stage the next version of ``before``, or the first of a new memory, and return the state it will have.

        ``previous_value`` follows from the content: where it changes, the content before; else what it was.
        """
        stopping.check()
        if before is None:
            memory_id, revision, created, derived = new_id(), 1, self.at, None
        else:
            memory_id, revision, created = before.id, before.revision + 1, before.created_at
            derived = before.entry.content if before.entry.content != entry.content else before.previous_value
        previous = derived if previous_value is ... else previous_value
        after = Memory(
            id=memory_id,
            entry=entry,
            content_hash=content_hash(entry.content),
            previous_value=previous,
            status=status,
            pinned=before.pinned if pinned is None and before else bool(pinned),
            revision=revision,
            created_at=created,
            updated_at=self.at,
        )
        salt, entry_json = secrets.token_hex(16), entry.canonical_json()
        self._changes[memory_id] = Change(
            before=before,
            after=after,
            action=action or self.action,
            proposal_id=proposal_id,
            salt=salt,
            commitment=commitment(salt, entry_json, after.previous_value, status, revision),
            entry_json=entry_json,
        )
        return after

    def turn(self, before: turning.Standing, status: str, *, action: str | None = None) -> None:
        """Stage the next version of a memory that leaves use: the same entry, another status than active."""
        stopping.check()
        self._turned[before.id] = turning.turned(before, status, action or self.action)

    def decide(
        self,
        proposal_id: str,
        from_status: str,
        to_status: str,
        *,
        revision: int,
        reason: str | None = None,
        before: dict[str, Any] | None = None,
        **columns: Any,
    ) -> None:
        """Stage a proposal's change of status, guarded by its row ``revision``; ``columns`` change with it.

        ``before`` holds what some of these columns held; it is kept with the operation (before and after, times in
        ISO 8601), so that an undo can give it back. It must never hold text: what is logged cannot be erased.
        """
        stopping.check()
        if before:
            self.selection.setdefault("moved", {})[proposal_id] = {
                "before": {name: _spelled(value) for name, value in before.items()},
                "after": {name: _spelled(columns[name]) for name in before},
            }
        self._rulings[proposal_id] = _Ruling(proposal_id, revision, from_status, to_status, reason, columns)

    def turn_down(self, scope: str, fingerprint: str, cause: str) -> None:
        """Stage a tombstone: from the commit on, this text binds agents (``cause`` as in ``models.CAUSES``)."""
        self._stones.append(Stone(scope=scope, fingerprint=fingerprint, cause=cause))

    @property
    def empty(self) -> bool:
        """Whether nothing has been staged."""
        return not (self._changes or self._turned or self._rulings)

    def commit(self) -> Operation:
        """Write the operation and its parts in the caller's transaction. Raises Conflict where a guard fails."""
        stopping.check()
        seq, previous = head(self.connection, self.store.tenant)
        decided_alone = len(self._rulings) - len(
            {change.proposal_id for change in self._changes.values()} & set(self._rulings)
        )
        operation = Operation(
            id=self.id,
            seq=seq + 1,
            action=self.action,
            actor=self.actor.name,
            surface=self.actor.surface,
            reason=self.reason,
            selection=self.selection,
            count=len(self._changes) + len(self._turned) + decided_alone,
            undoes=self.undoes,
            at=self.at,
        )
        changed = [self._version_row(self._changes[key]) for key in sorted(self._changes)]
        turned = [self._turned[key] for key in sorted(self._turned)]
        versions = sorted([*changed, *turning.version_rows(turned, self._shared())], key=lambda row: row["memory_id"])
        decisions = [self._decision_row(self._rulings[key]) for key in sorted(self._rulings)]
        digest = digest_of(previous, operation, versions, decisions)
        self.connection.execute(insert(OPERATION), self._operation_row(operation, digest))
        write_memories(self.connection, self.store.tenant, list(self._changes.values()))
        if changed:
            self.connection.execute(insert(VERSION), changed)
        if turned:
            turning.write(self.connection, self.store.tenant, self.id, turned)
        self._write_rulings()
        if decisions:
            self.connection.execute(insert(DECISION), decisions)
        stopping.check()
        self._write_stones()
        self._write_index()
        stopping.check()  # nothing is kept before the caller's transaction is
        after = (change.after for change in self._changes.values())
        pinned = [one.id for one in after if one.pinned and one.status == "active"]
        blocks.render(self.store, self.connection, self._given_in(), pinned)
        self.connection.info["meminbox_head"] = (operation.seq, digest)
        return operation

    def _write_stones(self) -> None:
        """Texts that this operation makes hold are no longer turned down; those it turns down are remembered."""
        active = {
            fingerprint(c.after.entry.scope, "add", c.after.entry.content)
            for c in self._changes.values()
            if c.after.status == "active"
        }
        woken = {
            fingerprint(c.after.entry.scope, "add", c.after.entry.content)
            for c in self._changes.values()
            if c.after.status == "active" and _says_anew(c)
        }
        lift(self.connection, self.store.tenant, self.id, woken)
        lay(self.connection, self.store.tenant, self.id, [s for s in self._stones if s.fingerprint not in active])

    def _write_index(self) -> None:
        changed = [
            (c.after.id, c.before.entry if c.before else None, c.after.entry)
            for c in self._changes.values()
            if c.before is None or c.before.entry != c.after.entry
        ]
        search_index.index_anew(self.connection, self.store.tenant, changed)

    def _given_in(self) -> set[str]:
        """The scopes in which agents may be given something else from now on."""
        states = (state for c in self._changes.values() for state in (c.before, c.after))
        left = {one.before.scope for one in self._turned.values()}
        return left | {state.entry.scope for state in states if state is not None and state.status == "active"}

    def _operation_row(self, operation: Operation, digest: str) -> dict[str, Any]:
        return {
            "tenant_id": self.store.tenant,
            "id": operation.id,
            "seq": operation.seq,
            "action": operation.action,
            "actor": operation.actor,
            "surface": operation.surface,
            "reason": operation.reason,
            "selection": operation.selection,
            "count": operation.count,
            "undoes": operation.undoes,
            "at": operation.at,
            "digest": digest,
        }

    def _shared(self) -> dict[str, Any]:
        """What the versions that ``turn`` makes have in common for the digest."""
        return {"proposal_id": None, "at": self.at}

    def _version_row(self, change: Change) -> dict[str, Any]:
        return {
            "tenant_id": self.store.tenant,
            "memory_id": change.after.id,
            "revision": change.after.revision,
            "status": change.after.status,
            "entry": change.entry_json,
            "previous_value": change.after.previous_value,
            "action": change.action,
            "operation_id": self.id,
            "proposal_id": change.proposal_id,
            "at": self.at,
            "salt": change.salt,
            "commitment": change.commitment,
        }

    def _decision_row(self, ruling: _Ruling) -> dict[str, Any]:
        return {
            "tenant_id": self.store.tenant,
            "operation_id": self.id,
            "proposal_id": ruling.proposal_id,
            "from_status": ruling.from_status,
            "to_status": ruling.to_status,
            "reason": ruling.reason,
        }

    def _write_rulings(self) -> None:
        by_columns: dict[tuple[str, ...], list[_Ruling]] = {}
        for ruling in self._rulings.values():
            by_columns.setdefault(tuple(sorted(ruling.columns)), []).append(ruling)
        for names, rulings in by_columns.items():
            statement = (
                update(PROPOSAL)
                .where(
                    PROPOSAL.c.tenant_id == self.store.tenant,
                    PROPOSAL.c.id == bindparam("b_id"),
                    PROPOSAL.c.revision == bindparam("b_revision"),
                    PROPOSAL.c.status == bindparam("b_from"),
                )
                .values(
                    status=bindparam("b_to"),
                    revision=PROPOSAL.c.revision + 1,
                    **{name: bindparam(f"b_c_{name}") for name in names},
                )
            )
            rows = [
                {
                    "b_id": ruling.proposal_id,
                    "b_revision": ruling.revision,
                    "b_from": ruling.from_status,
                    "b_to": ruling.to_status,
                    **{f"b_c_{name}": ruling.columns[name] for name in names},
                }
                for ruling in rulings
            ]
            expect_all(self.connection, statement, rows)


def _says_anew(change: Change) -> bool:
    before, after = change.before, change.after
    if before is None or before.status != "active":
        return True
    return (before.entry.scope, before.entry.content) != (after.entry.scope, after.entry.content)


def _spelled(value: Any) -> Any:
    return iso(value) if isinstance(value, datetime) else value


def head(connection: Connection, tenant: str) -> tuple[int, str]:
    """The seq and digest of the tenant's newest operation; (0, GENESIS) where there is none."""
    row = connection.execute(
        select(OPERATION.c.seq, OPERATION.c.digest)
        .where(OPERATION.c.tenant_id == tenant)
        .order_by(OPERATION.c.seq.desc())
        .limit(1)
    ).first()
    return (row.seq, row.digest) if row else (0, GENESIS)


def digest_of(
    previous: str, operation: Operation, versions: list[dict[str, Any]], decisions: list[dict[str, Any]]
) -> str:
    """The chain's next link, as hex: the previous digest, the operation, and all it made, in the order of their ids.

    ``versions`` and ``decisions`` are rows by column name, sorted by memory id and by proposal id.
    """
    spelled = lru_cache(maxsize=16)(iso)  # the versions of one operation share their time
    said = [
        previous,
        [
            operation.id,
            operation.seq,
            operation.action,
            operation.actor,
            operation.surface,
            operation.reason,
            operation.selection,
            operation.count,
            operation.undoes,
            iso(operation.at),
        ],
        [
            [
                v["memory_id"],
                v["revision"],
                v["status"],
                v["action"],
                v["proposal_id"],
                spelled(v["at"]),
                v["commitment"],
            ]
            for v in versions
        ],
        [[d["proposal_id"], d["from_status"], d["to_status"], d["reason"]] for d in decisions],
    ]
    text = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
