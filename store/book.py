"""What intake knows while it takes one batch: looked up in bulk before, written in bulk after.

A ``Book`` mirrors the store for one write transaction. ``triage`` reads it and notes in it what each line does, so a
line also meets what earlier lines of its own batch did. Nothing is written before ``write``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, func, insert, literal_column, select, update

from store.engine import Store
from store.facts import OPEN, Actor
from store.ledger import Act
from store.models import MemoryRow, OperationRow, ProposalRow, SettingRow, SupportRow, TombstoneRow, UsageRow
from store.reading import chunks

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
TOMBSTONE = TombstoneRow.__table__  # type: ignore[attr-defined]
SUPPORT = SupportRow.__table__  # type: ignore[attr-defined]
USAGE = UsageRow.__table__  # type: ignore[attr-defined]
SETTING = SettingRow.__table__  # type: ignore[attr-defined]

ID_LENGTH = 36
ACTIVE: ColumnElement[str] = literal_column("'active'")
"""As a literal, not a parameter: only so can an engine see that its partial index of active keys will do."""


@dataclass
class Waiting:
    """An undecided proposal, in the store or about to be. ``sessions`` are the known ones that said it."""

    id: str
    status: str
    fingerprint: str
    scope: str
    key: str | None
    group_id: str
    revision: int
    mentions: int
    sessions: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Grave:
    """A live tombstone, with the words of the decision that laid it."""

    fingerprint: str
    operation_id: str
    cause: str
    at: Any
    actor: str
    reason: str | None


@dataclass
class Book:
    """One batch against one store. ``connection`` is the caller's write transaction."""

    store: Store
    connection: Connection
    memories: dict[str, Row[Any]] = field(default_factory=dict)
    by_key: dict[tuple[str, str], Row[Any]] = field(default_factory=dict)
    by_suffix: dict[str, list[str]] = field(default_factory=dict)
    by_print: dict[str, Row[Any]] = field(default_factory=dict)
    waiting: dict[str, Waiting] = field(default_factory=dict)
    waiting_by_id: dict[str, Waiting] = field(default_factory=dict)
    graves: dict[str, Grave] = field(default_factory=dict)
    refused_ids: dict[str, str] = field(default_factory=dict)
    ranks: dict[str, str] = field(default_factory=dict)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    supported: set[tuple[str, str]] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.now = self.store.now()
        self._rows: list[dict[str, Any]] = []
        self._mentions: Counter[str] = Counter()
        self._support: list[dict[str, Any]] = []
        self._gained: Counter[tuple[str, bool]] = Counter()
        self._refusals: Counter[tuple[str, str]] = Counter()
        self._settings: list[dict[str, Any]] = []
        self._promoted: dict[str, list[Waiting]] = {}
        self._quota: dict[tuple[str | None, str | None], int] = {}

    # -- looking up, in bulk

    def _each(self, values: Iterable[str], query: Callable[[Sequence[str]], Select[Any]]) -> Iterable[Row[Any]]:
        for part in chunks(sorted(set(values))):
            yield from self.connection.execute(query(part))

    def learn_answers(self, names: Iterable[str]) -> None:
        """Look up what was answered to idempotency keys, by the names of their settings."""
        tenant = self.store.tenant
        found = self._each(
            names,
            lambda part: select(SETTING.c.name, SETTING.c.value).where(
                SETTING.c.tenant_id == tenant, SETTING.c.name.in_(part)
            ),
        )
        self.answers.update((row.name, row.value) for row in found)

    def learn_taken(self, ids: Iterable[str]) -> None:
        """Look up which of these lines became proposals before: a copied spool file must not double them."""
        tenant = self.store.tenant
        found = self._each(
            ids, lambda part: select(PROPOSAL.c.id).where(PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.id.in_(part))
        )
        self.taken.update(row.id for row in found)

    def learn_keys(self, places: Iterable[tuple[str, str]]) -> None:
        """Look up the active memories that hold these (scope, key)."""
        by_scope: dict[str, set[str]] = {}
        for scope, key in places:
            by_scope.setdefault(scope, set()).add(key)
        tenant = self.store.tenant
        for scope, keys in by_scope.items():
            for part in chunks(sorted(keys)):
                chosen = select(MEMORY).where(
                    MEMORY.c.tenant_id == tenant,
                    MEMORY.c.scope == scope,
                    MEMORY.c.key.in_(part),
                    MEMORY.c.key.is_not(None),
                    MEMORY.c.status == ACTIVE,
                )
                for row in self.connection.execute(chosen):
                    self.by_key[row.scope, row.key] = row
                    self.memories[row.id] = row

    def learn_ids(self, ids: Iterable[str]) -> None:
        """Look up memories, in whatever status, and undecided proposals by whole ids."""
        wanted = set(ids)
        tenant = self.store.tenant
        for row in self._each(
            wanted, lambda part: select(MEMORY).where(MEMORY.c.tenant_id == tenant, MEMORY.c.id.in_(part))
        ):
            self.memories[row.id] = row
        for row in self._each(
            wanted,
            lambda part: select(PROPOSAL).where(
                PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.id.in_(part), PROPOSAL.c.status.in_(OPEN)
            ),
        ):
            self._note_waiting(row)

    def learn_suffixes(self, suffixes: Iterable[str], scopes: Sequence[str]) -> None:
        """Look up which active memories and undecided proposals of these scopes end so, and learn those."""
        by_length: dict[int, set[str]] = {}
        for suffix in suffixes:
            by_length.setdefault(len(suffix), set()).add(suffix)
        for table, open_ones in ((MEMORY, ("active",)), (PROPOSAL, OPEN)):
            for length, some in by_length.items():
                tail = func.substr(table.c.id, ID_LENGTH + 1 - length)
                for part in chunks(sorted(some)):
                    chosen = select(table.c.id).where(
                        table.c.tenant_id == self.store.tenant,
                        table.c.status.in_(open_ones),
                        table.c.scope.in_(scopes),
                        tail.in_(part),
                    )
                    for row in self.connection.execute(chosen):
                        self.by_suffix.setdefault(row.id[-length:], []).append(row.id)
        self.learn_ids(one for ids in self.by_suffix.values() for one in ids)

    def learn_prints(self, prints: Iterable[str]) -> None:
        """Look up what already says these texts, waits to say them, or was decided against."""
        wanted = set(prints)
        tenant = self.store.tenant
        for row in self._each(
            wanted,
            lambda part: select(MEMORY).where(
                MEMORY.c.tenant_id == tenant, MEMORY.c.fingerprint.in_(part), MEMORY.c.status == "active"
            ),
        ):
            self.by_print[row.fingerprint] = row
        for row in self._each(
            wanted,
            lambda part: (
                select(PROPOSAL)
                .where(
                    PROPOSAL.c.tenant_id == tenant,
                    PROPOSAL.c.fingerprint.in_(part),
                    PROPOSAL.c.status.in_((*OPEN, "rejected")),
                )
                .order_by(PROPOSAL.c.id)
            ),
        ):
            if row.status == "rejected":
                self.refused_ids[row.fingerprint] = row.id
            else:
                self._note_waiting(row)
        self._learn_graves(wanted)

    def _learn_graves(self, prints: set[str]) -> None:
        tenant = self.store.tenant
        columns = (TOMBSTONE, OPERATION.c.at, OPERATION.c.actor, OPERATION.c.reason, OPERATION.c.seq)
        same = (OPERATION.c.tenant_id == TOMBSTONE.c.tenant_id) & (OPERATION.c.id == TOMBSTONE.c.operation_id)
        for row in self._each(
            prints,
            lambda part: (
                select(*columns)
                .join(OPERATION, same)
                .where(
                    TOMBSTONE.c.tenant_id == tenant, TOMBSTONE.c.fingerprint.in_(part), TOMBSTONE.c.lifted_by.is_(None)
                )
                .order_by(OPERATION.c.seq)
            ),
        ):
            self.graves[row.fingerprint] = Grave(
                row.fingerprint, row.operation_id, row.cause, row.at, row.actor, row.reason
            )

    def learn_sessions(self, sessions: Iterable[str]) -> None:
        """Look up where these sessions stand in the queue, and which of them have said what was found already."""
        wanted = set(sessions)
        tenant = self.store.tenant
        # Every proposal of a session has the same rank: one row tells it, however many there are.
        for session in wanted:
            chosen = select(PROPOSAL.c.session_rank).where(
                PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.session_id == session
            )
            rank = self.connection.execute(chosen.limit(1)).scalar()
            if rank is not None:
                self.ranks[session] = rank
        spoken = {one.id for one in self.waiting.values()}
        for row in self._each(spoken, lambda part: _sessions_of(tenant, part)):
            self.waiting_by_id[row.owner_id].sessions.add(row.ref)
        owners = {row.id for row in self.by_print.values()}
        for part in chunks(sorted(wanted)):
            for row in self._each(owners, lambda some, part=part: _sessions_of(tenant, some, part)):  # type: ignore[misc]
                self.supported.add((row.owner_id, row.ref))

    def _note_waiting(self, row: Row[Any]) -> None:
        if row.id in self.waiting_by_id:
            return
        one = Waiting(
            id=row.id,
            status=row.status,
            fingerprint=row.fingerprint,
            scope=row.scope,
            key=row.key,
            group_id=row.group_id,
            revision=row.revision,
            mentions=row.mentions,
        )
        self.waiting[one.fingerprint] = self.waiting_by_id[one.id] = one

    def queued_before(self, agent: str | None, session: str | None) -> int:
        """How many proposals an agent has queued in a session, this batch included; the last day's where it names none.

        An agent must not escape its limit by leaving the session out.
        """
        place = (agent, session)
        if place not in self._quota:
            chosen = (
                select(func.count())
                .select_from(PROPOSAL)
                .where(PROPOSAL.c.tenant_id == self.store.tenant, PROPOSAL.c.source_agent == agent)
            )
            if session is None:
                since = self.now - timedelta(days=1)
                chosen = chosen.where(PROPOSAL.c.session_id.is_(None), PROPOSAL.c.created_at > since)
            else:
                chosen = chosen.where(PROPOSAL.c.session_id == session)
            self._quota[place] = self.connection.execute(chosen).scalar_one()
        return self._quota[place]

    # -- noting what a line does

    def queue(self, row: dict[str, Any]) -> Waiting:
        """Note a new proposal; ``row`` holds all its columns."""
        self._rows.append(row)
        one = Waiting(
            id=row["id"],
            status=row["status"],
            fingerprint=row["fingerprint"],
            scope=row["scope"],
            key=row["key"],
            group_id=row["group_id"],
            revision=row["revision"],
            mentions=1,
        )
        self.waiting[one.fingerprint] = self.waiting_by_id[one.id] = one
        place = (row["source_agent"], row["session_id"])
        if place in self._quota:
            self._quota[place] += 1
        return one

    def mention(self, one: Waiting) -> None:
        """Note that an undecided proposal was said once more."""
        one.mentions += 1
        self._mentions[one.id] += 1

    def say(self, one: Waiting, session: str | None, *, claimed: bool) -> None:
        """Note which known session said a proposal."""
        if session is not None and session not in one.sessions:
            one.sessions.add(session)
            self._support.append(self._support_row(one.id, session, claimed))

    def support(self, memory_id: str, session: str | None, *, claimed: bool) -> None:
        """Note that a known session bore a memory out; a session counts once."""
        if session is not None and (memory_id, session) not in self.supported:
            self.supported.add((memory_id, session))
            self._support.append(self._support_row(memory_id, session, claimed))
            self._gained[memory_id, claimed] += 1

    def _support_row(self, owner: str, session: str, claimed: bool) -> dict[str, Any]:
        row = {"owner_id": owner, "kind": "session", "ref": session, "claimed": claimed, "at": self.now}
        return row | {"tenant_id": self.store.tenant}

    def refuse(self, grave: Grave) -> None:
        """Count a refusal on the tombstone that caused it."""
        self._refusals[grave.fingerprint, grave.operation_id] += 1

    def promote(self, one: Waiting, agent: str) -> None:
        """Note that a draft goes to the queue, on this agent's word."""
        one.status = "pending"
        self._promoted.setdefault(agent, []).append(one)

    def remember(self, name: str, value: dict[str, Any]) -> None:
        """Note the answer to an idempotency key."""
        self.answers[name] = value
        self._settings.append({"tenant_id": self.store.tenant, "name": name, "value": value, "at": self.now})

    # -- writing, in bulk

    def write(self) -> None:
        """Write all that was noted, in the caller's transaction."""
        tenant = self.store.tenant
        if self._rows:
            self.connection.execute(insert(PROPOSAL), self._rows)
        if self._mentions:
            said = update(PROPOSAL).where(PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.id == bindparam("b_id"))
            said = said.values(mentions=PROPOSAL.c.mentions + bindparam("b_more"))
            self.connection.execute(said, [{"b_id": one, "b_more": n} for one, n in self._mentions.items()])
        if self._support:
            self.connection.execute(insert(SUPPORT), self._support)
        self._write_usage()
        if self._refusals:
            counted = update(TOMBSTONE).where(
                TOMBSTONE.c.tenant_id == tenant,
                TOMBSTONE.c.fingerprint == bindparam("b_print"),
                TOMBSTONE.c.operation_id == bindparam("b_operation"),
            )
            counted = counted.values(refusals=TOMBSTONE.c.refusals + bindparam("b_more"))
            rows = [{"b_print": mark, "b_operation": by, "b_more": n} for (mark, by), n in self._refusals.items()]
            self.connection.execute(counted, rows)
        if self._settings:
            self.connection.execute(insert(SETTING), self._settings)
        for agent, drafts in self._promoted.items():
            self._write_promotion(agent, drafts)

    def _write_usage(self) -> None:
        if not self._gained:
            return
        tenant = self.store.tenant
        owners = sorted({owner for owner, _claimed in self._gained})
        there = {
            row.memory_id
            for row in self._each(
                owners,
                lambda part: select(USAGE.c.memory_id).where(USAGE.c.tenant_id == tenant, USAGE.c.memory_id.in_(part)),
            )
        }
        fresh = [
            {"tenant_id": tenant, "memory_id": one, "uses": 0, "support": 0, "claimed_support": 0}
            for one in owners
            if one not in there
        ]
        if fresh:
            self.connection.execute(insert(USAGE), fresh)
        more = update(USAGE).where(USAGE.c.tenant_id == tenant, USAGE.c.memory_id == bindparam("b_id"))
        more = more.values(
            support=USAGE.c.support + bindparam("b_seen"),
            claimed_support=USAGE.c.claimed_support + bindparam("b_claimed"),
        )
        rows = [
            {"b_id": one, "b_seen": self._gained[one, False], "b_claimed": self._gained[one, True]} for one in owners
        ]
        self.connection.execute(more, rows)

    def _write_promotion(self, agent: str, drafts: list[Waiting]) -> None:
        """A promotion is an operation: it shows in the log, and can be undone."""
        act = Act(
            self.store,
            self.connection,
            Actor(agent, "intake"),
            "promote",
            selection={"proposals": [one.id for one in drafts]},
        )
        for one in drafts:
            act.decide(one.id, "draft", "pending", revision=one.revision, reason="said again")
        act.commit()

    def count_pending(self) -> int:
        """How many proposals wait for a person, after what was written."""
        waiting = select(func.count()).select_from(PROPOSAL)
        waiting = waiting.where(
            PROPOSAL.c.tenant_id == self.store.tenant, PROPOSAL.c.status.in_(("pending", "deferred"))
        )
        return int(self.connection.execute(waiting).scalar_one())


def _sessions_of(tenant: str, owners: Sequence[str], refs: Sequence[str] | None = None) -> Select[Any]:
    chosen = select(SUPPORT.c.owner_id, SUPPORT.c.ref).where(
        SUPPORT.c.tenant_id == tenant, SUPPORT.c.owner_id.in_(owners), SUPPORT.c.kind == "session"
    )
    return chosen if refs is None else chosen.where(SUPPORT.c.ref.in_(refs))
