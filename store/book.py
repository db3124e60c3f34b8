"""What one batch does to the store, noted line by line and written in bulk at its end.

A line also meets what earlier lines of its own batch did: what is noted is known at once. Nothing is written before
``write``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, func, insert, select, update

from store.facts import Actor, Outcome
from store.known import PROPOSAL, SETTING, SUPPORT, TOMBSTONE, Grave, Known, Waiting
from store.ledger import Act
from store.models import UsageRow

USAGE = UsageRow.__table__  # type: ignore[attr-defined]


@dataclass
class Book(Known):
    """The notes of one batch, on top of what is known."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._rows: list[dict[str, Any]] = []
        self._mentions: Counter[str] = Counter()
        self._support: list[dict[str, Any]] = []
        self._gained: Counter[tuple[str, bool]] = Counter()
        self._refusals: Counter[tuple[str, str]] = Counter()
        self._settings: list[dict[str, Any]] = []
        self._promoted: dict[str, list[Waiting]] = {}

    def queue(self, row: dict[str, Any]) -> Waiting:
        """Note a new proposal; ``row`` holds all its columns."""
        key = row["idempotency_key"]
        if key in self.keys_used:
            row["idempotency_key"] = None  # another project's or agent's row has it; the answer is kept by place
        elif key is not None:
            self.keys_used.add(key)
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
        if place in self.quota:
            self.quota[place] += 1
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

    @property
    def promoted(self) -> list[str]:
        """The drafts that this batch has brought into the queue."""
        return [one.id for drafts in self._promoted.values() for one in drafts]

    def remember(self, name: str, value: dict[str, Any]) -> None:
        """Note the answer to an idempotency key."""
        self.answers[name] = value
        self._settings.append({"tenant_id": self.store.tenant, "name": name, "value": value, "at": self.now})

    def tell_anew(self, told: Iterable[tuple[str, Outcome]]) -> None:
        """Change answers, remembered by this batch and written, to what has become of their lines since."""
        named = update(SETTING).where(SETTING.c.tenant_id == self.store.tenant)
        for name, outcome in told:
            if name in self.answers:
                self.answers[name] |= {"status": outcome.status, "reason": outcome.reason, "id": outcome.id}
                self.connection.execute(named.where(SETTING.c.name == name).values(value=self.answers[name]))

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
