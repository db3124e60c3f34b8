"""The guard of every decision: is what stands now what was on the screen? And, where it is not, who changed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, select

from store.admit import readmit
from store.engine import Store
from store.entry import Entry
from store.errors import AlreadyDecided, Conflict, MeminboxError, NotFound, Stale
from store.facts import OPEN, Memory, Operation, Proposal, Seen
from store.models import DecisionRow, OperationRow, ProposalRow, VersionRow
from store.reading import chunks, memory, operation_of, present, versions
from store.redact import redact_entry, redact_text

PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
DECISION = DecisionRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Item:
    """A proposal as it stands now, with its row."""

    proposal: Proposal
    row: Row[Any]

    @property
    def id(self) -> str:
        """The proposal's id."""
        return self.proposal.id


def load(connection: Connection, tenant: str, ids: Sequence[str]) -> dict[str, Item]:
    """The proposals with these ids; ids that do not exist are left out."""
    rows: list[Row[Any]] = []
    for part in chunks(ids, 1000):
        chosen = select(PROPOSAL).where(PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.id.in_(part))
        rows += connection.execute(chosen).all()
    return {row.id: Item(proposal, row) for row, proposal in zip(rows, present(connection, tenant, rows), strict=True)}


def why_not(item: Item | None, seen: Seen) -> str:
    """Why a decision on ``seen`` cannot stand, in words; empty where it can."""
    if item is None:
        return "there is no such proposal"
    proposal, target = item.proposal, item.proposal.target
    if proposal.status not in OPEN:
        return f"it is {proposal.status} already"
    if (proposal.revision, proposal.content_hash) != (seen.revision, seen.content_hash):
        return "the proposal has changed since it was shown"
    if (target.id if target else None) != seen.target_id:
        return "what it would change is gone" if seen.target_id else "its key has been given a value since"
    if target is not None and target.revision != seen.target_revision:
        return f"what it would change has moved from revision {seen.target_revision} to {target.revision}"
    return ""


def no_copy(head: Item, other: Item | None) -> str:
    """Why one may not be closed as a near-copy of the head, in words; empty where it may.

    Near-copies are gathered around their head: two of them may yet say different things when either is kept instead.
    """
    from store.cues import hints

    if other is None:
        return "there is no such proposal"
    one, own = head.proposal, other.proposal
    if own.op != "add":
        return f"it is {'an update' if own.op == 'update' else 'a removal'}"
    if own.entry.scope != one.entry.scope:
        return "it stands in another scope"
    if own.entry.key is not None and own.entry.key != one.entry.key:
        return "it has another key"
    if hints(one.entry.content, own.entry.content) or hints(own.entry.content, one.entry.content):
        return "it says something else"
    return ""


def guarded(store: Store, connection: Connection, seen: Seen, mine: str | None = None) -> Item:
    """The proposal, if it still is what was painted. ``mine`` is the text that the person wanted (None: as proposed).

    Raises NotFound, AlreadyDecided or Stale.
    """
    item = load(connection, store.tenant, [seen.proposal_id]).get(seen.proposal_id)
    why = why_not(item, seen)
    if item is None:
        raise NotFound(f"There is no proposal {seen.proposal_id}.")
    if why:
        raise _refusal(store, connection, item, seen, why, mine)
    return item


def _refusal(store: Store, connection: Connection, item: Item, seen: Seen, why: str, mine: str | None) -> MeminboxError:
    proposal = item.proposal
    if proposal.status not in OPEN:
        by = decided_by(connection, store.tenant, proposal.id)
        who = f" by {by.actor} ({by.surface}, {by.at:%Y-%m-%d %H:%M} UTC)" if by else ""
        return AlreadyDecided(f"This proposal was {proposal.status} already{who}.", kept="Nothing was changed.")
    if (proposal.revision, proposal.content_hash) != (seen.revision, seen.content_hash):
        theirs: str | None = proposal.entry.content
        by = decided_by(connection, store.tenant, proposal.id)
    else:
        theirs = proposal.target.entry.content if proposal.target else None
        changed = proposal.target.id if proposal.target else seen.target_id
        by = changed_by(connection, store.tenant, changed) if changed else None
    wanted = mine if mine is not None else proposal.entry.content
    return Stale(f"Not decided: {why}{_who(by)}.", base=seen.base, mine=wanted, theirs=theirs, by=by)


def guarded_memory(store: Store, connection: Connection, memory_id: str, revision: int, mine: str | None) -> Memory:
    """The memory, if it still stands at ``revision``. Raises NotFound or Stale; ``mine`` is what the person wanted."""
    found = memory(connection, store.tenant, memory_id)
    if found is None:
        raise NotFound(f"There is no memory {memory_id}.")
    if found.revision == revision:
        return found
    by = changed_by(connection, store.tenant, memory_id)
    history = {version.revision: version for version in versions(connection, store.tenant, memory_id)}
    painted = history.get(revision)
    raise Stale(
        f"Not done: revision {revision} has become {found.revision}{_who(by)}.",
        base=painted.entry.content if painted and painted.entry else None,
        mine=mine,
        theirs=found.entry.content if found.status == "active" else None,
        by=by,
    )


def _who(by: Operation | None) -> str:
    return f": {by.actor} ({by.surface}), {by.at:%Y-%m-%d %H:%M} UTC" if by else ""


def changed_by(connection: Connection, tenant: str, memory_id: str) -> Operation | None:
    """The operation that made a memory's newest version."""
    joined = and_(OPERATION.c.tenant_id == VERSION.c.tenant_id, OPERATION.c.id == VERSION.c.operation_id)
    chosen = (
        select(OPERATION)
        .join(VERSION, joined)
        .where(VERSION.c.tenant_id == tenant, VERSION.c.memory_id == memory_id)
        .order_by(VERSION.c.revision.desc())
        .limit(1)
    )
    row = connection.execute(chosen).first()
    return operation_of(row) if row else None


def decided_by(connection: Connection, tenant: str, proposal_id: str) -> Operation | None:
    """The newest operation that decided on a proposal, or placed it."""
    joined = and_(OPERATION.c.tenant_id == DECISION.c.tenant_id, OPERATION.c.id == DECISION.c.operation_id)
    chosen = (
        select(OPERATION)
        .join(DECISION, joined)
        .where(DECISION.c.tenant_id == tenant, DECISION.c.proposal_id == proposal_id)
        .order_by(OPERATION.c.seq.desc())
        .limit(1)
    )
    row = connection.execute(chosen).first()
    return operation_of(row) if row else None


def cleaned(entry: Entry) -> Entry:
    """What a person made of an entry, through admission and redaction again. Raises NotAdmitted."""
    admitted, _ = readmit(entry)
    return redact_entry(admitted)[0]


def cleaned_reason(reason: str | None) -> str | None:
    """A reason as it may be kept."""
    return redact_text(reason)[0] if reason else None


def conflict(what: str, todo: str = "") -> Conflict:
    """A refusal that changed nothing."""
    return Conflict(what, kept="Nothing was changed.", todo=todo)
