"""What intake must know of the store to triage one batch: looked up in bulk, whatever the number of lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, func, literal_column, select

from store.engine import Store
from store.facts import OPEN
from store.models import (
    HandoutRow,
    MemoryRow,
    OperationRow,
    ProposalRow,
    SettingRow,
    SupportRow,
    TombstoneRow,
    VersionRow,
)
from store.reading import chunks
from store.surroundings import Surroundings

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
TOMBSTONE = TombstoneRow.__table__  # type: ignore[attr-defined]
SUPPORT = SupportRow.__table__  # type: ignore[attr-defined]
SETTING = SettingRow.__table__  # type: ignore[attr-defined]
HANDOUT = HandoutRow.__table__  # type: ignore[attr-defined]
ID_LENGTH: Final = 36
ACTIVE: Final[ColumnElement[str]] = literal_column("'active'")
"""As a literal, not a parameter: only so can an engine see that its partial index of active keys will do."""


WAITING: Final = tuple(
    PROPOSAL.c[name]
    for name in ("id", "status", "fingerprint", "scope", "key", "group_id", "revision", "mentions", "valid_until")
)
"""The columns of a proposal that a ``Waiting`` holds."""


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
    at: datetime
    actor: str
    reason: str | None


@dataclass
class Known:
    """What the store holds of all that one batch can meet. ``connection`` is the caller's write transaction.

    Memories stand by id, by (scope, key) and by fingerprint; undecided proposals (``waiting``) by fingerprint and by
    id; ``became`` leads from an approved proposal to its memory, ``ranks`` from a session to its place in the queue.
    """

    store: Store
    connection: Connection
    memories: dict[str, Row[Any]] = field(default_factory=dict)
    by_key: dict[tuple[str, str], Row[Any]] = field(default_factory=dict)
    by_suffix: dict[str, list[str]] = field(default_factory=dict)
    by_print: dict[str, Row[Any]] = field(default_factory=dict)
    waiting: dict[str, Waiting] = field(default_factory=dict)
    waiting_by_id: dict[str, Waiting] = field(default_factory=dict)
    became: dict[str, str] = field(default_factory=dict)
    graves: dict[str, Grave] = field(default_factory=dict)
    refused_ids: dict[str, str] = field(default_factory=dict)
    ranks: dict[str, str] = field(default_factory=dict)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    supported: set[tuple[str, str]] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    keys_used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.now = self.store.now()
        self.around = Surroundings()
        self.quota: dict[tuple[str | None, str | None], int] = {}

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

    def learn_keys_used(self, keys: Iterable[str]) -> None:
        """Look up which idempotency keys stand on a proposal already, whoever's: on one row each is written once."""
        tenant = self.store.tenant
        column = PROPOSAL.c.idempotency_key
        found = self._each(keys, lambda part: select(column).where(PROPOSAL.c.tenant_id == tenant, column.in_(part)))
        self.keys_used.update(row.idempotency_key for row in found)

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
        """Look up memories, in whatever status, and proposals by whole ids; an approved one leads to its memory."""
        wanted = set(ids)
        tenant = self.store.tenant
        for row in self._each(
            wanted,
            lambda part: select(VERSION.c.proposal_id, VERSION.c.memory_id).where(
                VERSION.c.tenant_id == tenant, VERSION.c.proposal_id.in_(part)
            ),
        ):
            self.became[row.proposal_id] = row.memory_id
        wanted |= {self.became[one] for one in wanted & self.became.keys()}
        for row in self._each(
            wanted, lambda part: select(MEMORY).where(MEMORY.c.tenant_id == tenant, MEMORY.c.id.in_(part))
        ):
            self.memories[row.id] = row
        for row in self._each(
            wanted,
            lambda part: select(*WAITING).where(PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.id.in_(part)),
        ):
            if row.status in OPEN:
                self._note_waiting(row)

    def learn_suffixes(self, suffixes: Iterable[str], scopes: Sequence[str]) -> None:
        """Look up which active memories and undecided proposals of these scopes end so, and learn those."""
        by_length: dict[int, set[str]] = {}
        for suffix in suffixes:
            by_length.setdefault(len(suffix), set()).add(suffix)
        for table, statuses in ((MEMORY, ("active",)), (PROPOSAL, (*OPEN, "approved"))):
            for length, some in by_length.items():
                tail = func.substr(table.c.id, ID_LENGTH + 1 - length)
                for part in chunks(sorted(some)):
                    chosen = select(table.c.id).where(
                        table.c.tenant_id == self.store.tenant,
                        table.c.status.in_(statuses),
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
        # By fingerprint alone, and sorted here: asked for a status or an order, SQLite walks the whole queue instead.
        said = self._each(
            wanted,
            lambda part: select(*WAITING).where(PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.fingerprint.in_(part)),
        )
        for row in sorted(said, key=lambda row: str(row.id)):
            if row.status in OPEN:
                self._note_waiting(row)
            elif row.status == "rejected":
                self.refused_ids[row.fingerprint] = row.id
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
        self.waiting_by_id[one.id] = one
        # One whose date has passed can no longer be approved: saying it again is a proposal of its own.
        if row.valid_until is None or row.valid_until > self.store.now():
            self.waiting[one.fingerprint] = one

    def learn_handouts(self, sessions: Iterable[str]) -> None:
        """Look up what these sessions were given, as far as it still holds: what an echo gives back."""
        tenant = self.store.tenant
        same = (MEMORY.c.tenant_id == HANDOUT.c.tenant_id) & (MEMORY.c.id == HANDOUT.c.memory_id)
        found = self._each(
            sessions,
            lambda part: (
                select(HANDOUT.c.session_id, MEMORY.c.id, MEMORY.c.key, MEMORY.c.content)
                .distinct()
                .join(MEMORY, same)
                .where(HANDOUT.c.tenant_id == tenant, HANDOUT.c.session_id.in_(part), MEMORY.c.content.is_not(None))
            ),
        )
        given: dict[str, list[tuple[str, str]]] = {}
        for row in found:
            given.setdefault(row.session_id, []).append((row.key or f"…{row.id[-6:]}", row.content))
        for session, memories in given.items():
            self.around.hand_out(session, sorted(memories))

    def queued_before(self, agent: str | None, session: str | None) -> int:
        """How many proposals an agent has queued in a session, this batch included; the last day's where it names none.

        An agent must not escape its limit by leaving the session out.
        """
        place = (agent, session)
        if place not in self.quota:
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
            self.quota[place] = self.connection.execute(chosen).scalar_one()
        return self.quota[place]


def _sessions_of(tenant: str, owners: Sequence[str], refs: Sequence[str] | None = None) -> Select[Any]:
    chosen = select(SUPPORT.c.owner_id, SUPPORT.c.ref).where(
        SUPPORT.c.tenant_id == tenant, SUPPORT.c.owner_id.in_(owners), SUPPORT.c.kind == "session"
    )
    return chosen if refs is None else chosen.where(SUPPORT.c.ref.in_(refs))
