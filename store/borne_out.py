"""What bears a memory out: a person's word that a commit or a test run did, and all the evidence there is of one.

A person's word counts as observed, unlike an agent's claim; it is one operation with one undo, and says that the memory
was true that day. Sessions that said the same are counted by intake, claims are taken in from notes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, update

from store.engine import Store
from store.entry import iso
from store.errors import AlreadyKnown, NotFound, UsageError
from store.expiry import deciding
from store.facts import Actor, Done, Operation
from store.guards import conflict, guarded_memory
from store.ledger import Act
from store.models import SupportRow, UsageRow
from store.reading import memory
from store.redact import redact_text
from store.wording import title

SUPPORT = SupportRow.__table__  # type: ignore[attr-defined]
USAGE = UsageRow.__table__  # type: ignore[attr-defined]
KINDS: Final = ("commit", "test")
BY_HAND: Final = "looked at by "
"""How the name of a test begins that was a person's look."""
MOST_REF: Final = 200
"""Characters of a test's name or a commit's."""
_COMMIT: Final = re.compile(r"[0-9a-f]{7,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that bore a memory out: ``kind`` is session, commit or test, ``ref`` its name.

    ``claimed`` is an agent's word that nobody saw; it is shown and ranks nothing.
    """

    kind: str
    ref: str
    claimed: bool
    at: datetime

    def named(self) -> str:
        """What it is and its name: "commit 1a2b3c4". Raw: whoever paints it goes through ``visible``."""
        return self.ref if self.ref.startswith(BY_HAND) else f"{self.kind} {self.ref}"

    def as_dict(self) -> dict[str, Any]:
        """The evidence as plain JSON values."""
        return {"kind": self.kind, "ref": self.ref, "claimed": self.claimed, "at": iso(self.at)}


def evidence(store: Store, owner: str, *, limit: int = 1_000) -> tuple[Evidence, ...]:
    """What bore a memory out, or said a proposal (its id), newest first."""
    chosen = (
        select(SUPPORT.c.kind, SUPPORT.c.ref, SUPPORT.c.claimed, SUPPORT.c.at)
        .where(SUPPORT.c.tenant_id == store.tenant, SUPPORT.c.owner_id == owner)
        .order_by(SUPPORT.c.at.desc(), SUPPORT.c.kind, SUPPORT.c.ref)
        .limit(limit)
    )
    with store.read() as connection:
        return tuple(Evidence(row.kind, row.ref, row.claimed, row.at) for row in connection.execute(chosen))


def bear_out(store: Store, memory_id: str, kind: str, ref: str, by: Actor) -> Done:
    """Note a person's word that a commit (its hash) or a test run (its name) bore a memory out.

    What an agent claimed before becomes observed by it. Raises NotFound, UsageError for what is no name of either,
    AlreadyKnown where it counts already, or Conflict where the memory is not in use.
    """
    name = _named(kind, ref)
    with deciding(store) as connection:
        held = memory(connection, store.tenant, memory_id)
        if held is None:
            raise NotFound(f"There is no memory {memory_id}.")
        if held.status != "active":
            words = {"retired": "turned down"}.get(held.status, held.status)
            raise conflict(f"It is {words}: nothing bears it out.", "Bring it back first.")
        before = connection.execute(select(SUPPORT).where(*_same(store.tenant, memory_id, kind, name))).first()
        if before is not None and not before.claimed:
            raise AlreadyKnown(f"That {kind} bears it out already.", kept="Nothing was changed.")
        said = {
            "memory": memory_id,
            "kind": kind,
            "ref": name,
            "claimed": iso(before.at) if before is not None else None,
            "verified": iso(_verified(connection, store.tenant, memory_id)),
        }
        operation = Act(store, connection, by, "support", selection=said).commit()
        give(connection, store.tenant, operation)
        return Done(operation, title(connection, store.tenant, operation))


def bear_out_by_hand(store: Store, memory_id: str, revision: int, by: Actor) -> Done:
    """Note that a person has looked at a memory, at this revision, and that it still holds; once a day each.

    It counts as observed. Raises as ``bear_out``, and Stale where the memory has moved on.
    """
    with deciding(store) as connection:
        held = guarded_memory(store, connection, memory_id, revision, None)
        if held.status != "active":
            raise conflict("It is not in use: nothing bears it out.", "Bring it back first.")
        ref = redact_text(f"{BY_HAND}{by.name}, {store.now():%Y-%m-%d}")[0][:MOST_REF]
        if connection.execute(select(SUPPORT).where(*_same(store.tenant, memory_id, "test", ref))).first() is not None:
            raise AlreadyKnown("You have said so today.", kept="Nothing was changed.")
        said = {
            "memory": memory_id,
            "kind": "test",
            "ref": ref,
            "claimed": None,
            "verified": iso(_verified(connection, store.tenant, memory_id)),
        }
        operation = Act(store, connection, by, "affirm", selection=said).commit()
        give(connection, store.tenant, operation)
        return Done(operation, title(connection, store.tenant, operation), memory_ids=(memory_id,))


def _named(kind: str, ref: str) -> str:
    name = redact_text(" ".join(ref.split()))[0]
    if kind not in KINDS:
        raise UsageError(f"Not a kind of evidence: {kind}.", todo="A commit or a test.")
    if not name or len(name) > MOST_REF or not name.isprintable():
        raise UsageError(f"The name of a {kind} is one line of at most {MOST_REF} characters.")
    if kind == "commit" and _COMMIT.fullmatch(name.lower()) is None:
        raise UsageError("A commit is named by its hash, of 7 characters or more.")
    return name.lower() if kind == "commit" else name


def give(connection: Connection, tenant: str, operation: Operation, *, through: str | None = None) -> None:  # noqa: ARG001
    """Write the evidence that an operation brought; ``through`` is a redo of it."""
    said = operation.selection
    same = _same(tenant, said["memory"], said["kind"], said["ref"])
    gone = connection.execute(update(SUPPORT).where(*same).values(claimed=False, at=operation.at)).rowcount == 0
    if gone:
        row = {"tenant_id": tenant, "owner_id": said["memory"], "kind": said["kind"], "ref": said["ref"]}
        connection.execute(insert(SUPPORT), [row | {"claimed": False, "at": operation.at}])
    _count(connection, tenant, said["memory"])
    verified = _verified(connection, tenant, said["memory"])
    _verify(connection, tenant, said["memory"], operation.at if verified is None else max(verified, operation.at))


def take_back(connection: Connection, tenant: str, operation: Operation, *, through: str) -> None:  # noqa: ARG001
    """Take away what ``give`` wrote: a claim is one again, and the day of the last proof is the one before."""
    said = operation.selection
    same = _same(tenant, said["memory"], said["kind"], said["ref"])
    if said["claimed"] is not None:
        again = {"claimed": True, "at": datetime.fromisoformat(said["claimed"])}
        connection.execute(update(SUPPORT).where(*same).values(**again))
    else:
        connection.execute(delete(SUPPORT).where(*same))
    _count(connection, tenant, said["memory"])
    if _verified(connection, tenant, said["memory"]) == operation.at:  # else something newer has borne it out since
        verified = datetime.fromisoformat(said["verified"]) if said["verified"] is not None else None
        _verify(connection, tenant, said["memory"], verified)


def _same(tenant: str, owner: str, kind: str, ref: str) -> tuple[Any, ...]:
    return (
        SUPPORT.c.tenant_id == tenant,
        SUPPORT.c.owner_id == owner,
        SUPPORT.c.kind == kind,
        SUPPORT.c.ref == ref,
    )


def _verified(connection: Connection, tenant: str, owner: str) -> datetime | None:
    found: datetime | None = connection.execute(select(USAGE.c.last_verified).where(*_of(tenant, owner))).scalar()
    return found


def _verify(connection: Connection, tenant: str, owner: str, at: datetime | None) -> None:
    connection.execute(update(USAGE).where(*_of(tenant, owner)).values(last_verified=at))


def _of(tenant: str, owner: str) -> tuple[Any, ...]:
    return (USAGE.c.tenant_id == tenant, USAGE.c.memory_id == owner)


def _count(connection: Connection, tenant: str, owner: str) -> None:
    mine = _of(tenant, owner)
    if connection.execute(select(USAGE.c.memory_id).where(*mine)).first() is None:
        fresh = {"tenant_id": tenant, "memory_id": owner, "uses": 0, "support": 0, "claimed_support": 0}
        connection.execute(insert(USAGE), [fresh])
    numbers = {
        name: select(func.count())
        .select_from(SUPPORT)
        .where(SUPPORT.c.tenant_id == tenant, SUPPORT.c.owner_id == owner, SUPPORT.c.claimed.is_(claimed))
        .scalar_subquery()
        for name, claimed in (("support", False), ("claimed_support", True))
    }
    connection.execute(update(USAGE).where(*mine).values(**numbers))
