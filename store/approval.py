"""What approving does, staged on one act: for one proposal or fifty thousand, by the same rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, select

from store import secrecy
from store.entry import Entry, fingerprint
from store.errors import AlreadyKnown, KeyTaken
from store.facts import OPEN, Memory, Proposal
from store.guards import Item, conflict
from store.ledger import Act
from store.models import MemoryRow, OperationRow, ProposalRow, VersionRow
from store.reading import AT_PRESENT, active_saying, active_with_keys, chunks, memory_of

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
OUT = ("expired", "retired")
"""The statuses of a memory that says the same text again when that is approved: it is the same memory."""
Wanted = tuple[Item, Entry | None]
"""A proposal to approve, and the entry that a person made of it (None: as proposed)."""


def resulting_entry(proposal: Proposal, edited: Entry | None = None) -> Entry:
    """The entry that approving makes. An update that names no key or aliases keeps those of its target."""
    entry = edited or proposal.entry
    target = proposal.target
    if target is None:
        return entry
    if entry.key is None and proposal.entry.key is None:
        entry = entry.with_(key=target.entry.key)
    if not entry.aliases and not proposal.entry.aliases:
        entry = entry.with_(aliases=target.entry.aliases)
    return entry


class Approval:
    """Stages approvals on ``act``, each against the store and against what this act has staged before it."""

    def __init__(self, act: Act, wanted: Sequence[Wanted]) -> None:
        """Looks up, in a bounded number of statements, all that the ``wanted`` approvals could meet."""
        self._act = act
        connection, tenant = act.connection, act.store.tenant
        self._wary = secrecy.is_wary(connection, tenant)
        entries = [resulting_entry(item.proposal, edited) for item, edited in wanted]
        marks = {fingerprint(entry.scope, "add", entry.content) for entry in entries}
        self._saying: dict[str, dict[str, Memory]] = {}
        for memory in active_saying(connection, tenant, sorted(marks)):
            self._saying.setdefault(_mark(memory.entry), {})[memory.id] = memory
        self._expired = _expired(connection, tenant, marks)
        self._looked_up = {(entry.scope, entry.key) for entry in entries if entry.key is not None}
        self._holders = active_with_keys(connection, tenant, self._looked_up)
        groups = {item.proposal.group_id for item, _ in wanted}
        self._groups: dict[str, list[Row[Any]]] = {}
        for row in _open_in_groups(connection, tenant, groups):
            self._groups.setdefault(row.group_id, []).append(row)
        self._freed: set[tuple[str, str]] = set()
        self._closed: set[str] = set()
        self._touched: set[str] = set()
        self.superseded: list[str] = []
        """The other proposals of the groups, closed by the approvals."""

    def stage(self, item: Item, edited: Entry | None = None, *, settled: bool = False, masked: bool = False) -> Memory:
        """Stage one approval with all that follows from it; the memory as it will be.

        ``settled``: a person has said a word on what may be a secret in it; ``masked``: to mask it. Raises SecretOpen
        where none has, AlreadyKnown, KeyTaken or Conflict, and then has staged nothing.
        """
        proposal = item.proposal
        if not settled:
            connection, tenant = self._act.connection, self._act.store.tenant
            secrecy.settled_before(connection, tenant, proposal, edited, wary=self._wary)
        if proposal.id in self._closed:
            raise conflict("a newer one of its group is approved with it")
        if proposal.target is not None and proposal.target.id in self._touched:
            raise conflict("another one changes the same memory")
        after = self._remove(proposal, edited) if proposal.op == "remove" else self._hold(proposal, edited)
        self._touched.add(after.id)
        cleaned = secrecy.row_without(self._act, proposal, after.entry, "mask" if masked else None) if settled else {}
        self._act.decide(proposal.id, proposal.status, "approved", revision=proposal.revision, **cleaned)
        self._supersede(proposal)
        return after

    def _remove(self, proposal: Proposal, edited: Entry | None) -> Memory:
        target = proposal.target
        if target is None:
            raise conflict("What it would remove is gone already.", "Reject it, or withdraw it.")
        if edited is not None:
            raise conflict("A removal has no text to edit.", "Approve it as it is, or reject it.")
        after = self._act.change(target, target.entry, "deleted", proposal_id=proposal.id)
        self._act.turn_down(target.entry.scope, _mark(target.entry), "deleted")
        self._leaves(target)
        return after

    def _hold(self, proposal: Proposal, edited: Entry | None) -> Memory:
        entry, target = resulting_entry(proposal, edited), proposal.target
        if entry.valid_until is not None and entry.valid_until <= self._act.at:
            raise conflict(
                f"It was to hold until {entry.valid_until:%Y-%m-%d %H:%M} UTC, which has passed.",
                "Give it another date, or reject it.",
            )
        self._not_known(entry, target)
        before = target
        if target is None:
            before = self._expired.get(_mark(entry))
            if before is not None and before.id in self._touched:
                before = None
            if before is not None and entry.key is None and self._holder(before.entry.scope, before.entry.key) is None:
                entry = entry.with_(key=before.entry.key)
        self._key_free(entry, before)
        after = self._act.change(before, entry, proposal_id=proposal.id)
        if target is not None:
            self._leaves(target)
        self._saying.setdefault(_mark(entry), {})[after.id] = after
        if entry.key is not None:
            self._holders[entry.scope, entry.key] = after
            self._freed.discard((entry.scope, entry.key))
        return after

    def _not_known(self, entry: Entry, target: Memory | None) -> None:
        others = [m for m in self._saying.get(_mark(entry), {}).values() if target is None or m.id != target.id]
        if others:
            raise already_known(others[0])

    def _key_free(self, entry: Entry, before: Memory | None) -> None:
        holder = self._holder(entry.scope, entry.key)
        if holder is not None and (before is None or holder.id != before.id):
            raise key_taken(holder, entry)

    def _holder(self, scope: str, key: str | None) -> Memory | None:
        if key is None or (scope, key) in self._freed:
            return None
        if (scope, key) not in self._looked_up:
            self._looked_up.add((scope, key))
            self._holders |= active_with_keys(self._act.connection, self._act.store.tenant, {(scope, key)})
        return self._holders.get((scope, key))

    def _leaves(self, target: Memory) -> None:
        """The target no longer says what it said, nor holds what it held."""
        self._saying.get(_mark(target.entry), {}).pop(target.id, None)
        key = target.entry.key
        if key is not None:
            holder = self._holder(target.entry.scope, key)
            if holder is not None and holder.id == target.id:
                self._freed.add((target.entry.scope, key))
                del self._holders[target.entry.scope, key]

    def _supersede(self, proposal: Proposal) -> None:
        for row in self._groups.get(proposal.group_id, ()):
            if row.id == proposal.id or row.id in self._closed:
                continue
            self._act.decide(row.id, row.status, "superseded", revision=row.revision)
            self._closed.add(row.id)
            self.superseded.append(row.id)
        self._closed.add(proposal.id)


def already_known(memory: Memory) -> AlreadyKnown:
    """The refusal of a text that an active memory says exactly."""
    name = f" ({memory.entry.key})" if memory.entry.key else ""
    return AlreadyKnown(f"An active memory{name} says exactly this already.", kept="Nothing was changed.")


def key_taken(holder: Memory, entry: Entry) -> KeyTaken:
    """The refusal of a key that another active memory holds."""
    return KeyTaken(f"The key {entry.key} is held by another memory.", holder=holder, mine=entry.content)


def _mark(entry: Entry) -> str:
    return fingerprint(entry.scope, "add", entry.content)


def _expired(connection: Connection, tenant: str, marks: Iterable[str]) -> dict[str, Memory]:
    """By fingerprint, the memory out of use that said this last (by the order of operations, never by time)."""
    found: dict[str, Memory] = {}
    made = and_(OPERATION.c.tenant_id == VERSION.c.tenant_id, OPERATION.c.id == VERSION.c.operation_id)
    for part in chunks(sorted(marks), 1000):
        chosen = (
            select(MEMORY)
            .join(VERSION, AT_PRESENT)
            .join(OPERATION, made)
            .where(MEMORY.c.tenant_id == tenant, MEMORY.c.fingerprint.in_(part), MEMORY.c.status.in_(OUT))
            .order_by(OPERATION.c.seq, MEMORY.c.id)
        )
        found |= {row.fingerprint: memory_of(row) for row in connection.execute(chosen)}
    return found


def _open_in_groups(connection: Connection, tenant: str, groups: Iterable[str]) -> Iterable[Row[Any]]:
    columns = (PROPOSAL.c.id, PROPOSAL.c.group_id, PROPOSAL.c.status, PROPOSAL.c.revision)
    for part in chunks(sorted(groups), 1000):
        chosen = select(*columns).where(
            PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.group_id.in_(part), PROPOSAL.c.status.in_(OPEN)
        )
        yield from connection.execute(chosen)
