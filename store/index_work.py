"""What of a store has no vector yet, as one process knows it: listed whole once, then only what has changed since."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Select, and_, func, select

from store import ledger
from store.engine import Store
from store.models import DecisionRow, OperationRow
from store.reading import VERSION, chunks
from store.vector_rows import EMBEDDING, STATUSES, Owner, table_of

DECISION = DecisionRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
OWNERS: Final[tuple[Owner, ...]] = ("proposal", "memory")
LISTED: Final = 4_000
"""Things without a vector that are listed at once, of each kind."""
MOST_CHANGES: Final = 2_000
"""Changes beyond which everything is looked at again."""
REST: Final = 2.0
"""Seconds between two looks while there is work, however often the store changes."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The state of a store when it was looked at: its newest operation, and how many proposals it held."""

    seq: int
    proposals: int


@dataclass
class Work:
    """What is left to do for one model in one store. Whoever holds ``lock`` may change it.

    ``left`` are the next ones, ``missing`` how many there are in all. ``touched`` are the ids that were acted on since
    the last sweep; None where that is not known.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    left: OrderedDict[str, Owner] = field(default_factory=OrderedDict)
    total: int = 0
    missing: int = 0
    seen: Seen | None = None
    touched: set[str] | None = None
    at: float = 0.0
    settled: dict[str, None] = field(default_factory=dict)
    """Memories that got a vector since it was last looked at what they say together."""

    def look(self, connection: Connection, tenant: str, model_key: str) -> None:
        """Find what is left to do, where something has changed."""
        now = _seen(connection, tenant)
        if self.left and (now == self.seen or time.monotonic() - self.at < REST):
            return
        if now == self.seen and self.missing <= 0:
            return
        before = self.seen if self.missing <= 0 else None
        changed = None if before is None else changed_since(connection, tenant, before.seq, "memory")
        decided = None if before is None else changed_since(connection, tenant, before.seq, "proposal")
        if before is None or changed is None or decided is None:
            self._list(connection, tenant, model_key, OWNERS)
            self.touched = None
        else:
            anew: tuple[Owner, ...] = () if now.proposals == before.proposals else ("proposal",)
            self._list(connection, tenant, model_key, anew, acted=(*changed, *decided))
            self.touched = None if self.touched is None else {*self.touched, *changed, *decided}
        self.total = sum(_count(connection, having(tenant, owner)) for owner in OWNERS)
        self.seen, self.at = now, time.monotonic()

    def _list(
        self,
        connection: Connection,
        tenant: str,
        model_key: str,
        whole: Sequence[Owner],
        acted: Sequence[str] = (),
    ) -> None:
        self.left = OrderedDict()
        self.missing = 0
        for owner in whole:
            chosen = missing(tenant, model_key, owner)
            newest_first = chosen.order_by(table_of(owner).c.id.desc()).limit(LISTED)
            found = connection.execute(newest_first).scalars().all()
            self.left.update(dict.fromkeys(found, owner))
            self.missing += len(found) if len(found) < LISTED else _count(connection, chosen)
        for owner in OWNERS if acted else ():
            for part in chunks(acted):
                of_them = missing(tenant, model_key, owner).where(table_of(owner).c.id.in_(list(part)))
                found = [one for one in connection.execute(of_them).scalars() if one not in self.left]
                self.left.update(dict.fromkeys(found, owner))
                self.missing += len(found)

    def done(self, ids: Sequence[str]) -> None:
        """These have their vectors now."""
        for one in ids:
            if self.left.pop(one, None) is not None:
                self.missing -= 1


_WORK: WeakKeyDictionary[Store, dict[str, Work]] = WeakKeyDictionary()
_LOCK: Final = threading.Lock()


def work_of(store: Store, model_key: str) -> Work:
    """What this process knows of the work for one model in one store."""
    with _LOCK:
        return _WORK.setdefault(store, {}).setdefault(model_key, Work())


def forget(store: Store) -> None:
    """Know nothing of a store any more: all of it is looked at again."""
    with _LOCK:
        _WORK.pop(store, None)


def state(store: Store) -> tuple[int, int]:
    """What changes with every operation and every new proposal, and with nothing that is only a vector."""
    with store.read() as connection:
        now = _seen(connection, store.tenant)
    return now.seq, now.proposals


def _seen(connection: Connection, tenant: str) -> Seen:
    table = table_of("proposal")
    counted = connection.execute(select(func.count()).where(table.c.tenant_id == tenant)).scalar_one()
    return Seen(ledger.head(connection, tenant)[0], counted)


def counts(connection: Connection, tenant: str, model_key: str) -> tuple[int, int]:
    """How many should have a vector of this model, and how many of them have none; counted one by one."""
    return (
        sum(_count(connection, having(tenant, owner)) for owner in OWNERS),
        sum(_count(connection, missing(tenant, model_key, owner)) for owner in OWNERS),
    )


def having(tenant: str, owner: Owner) -> Select[Any]:
    """All that should have a vector."""
    table = table_of(owner)
    return select(table.c.id).where(table.c.tenant_id == tenant, table.c.status.in_(STATUSES[owner]))


def missing(tenant: str, model_key: str, owner: Owner) -> Select[Any]:
    """Those of them that have none of this model, or one of another text; what was erased has no text."""
    table = table_of(owner)
    made_of = and_(
        EMBEDDING.c.tenant_id == table.c.tenant_id,
        EMBEDDING.c.model_key == model_key,
        EMBEDDING.c.owner_id == table.c.id,
        EMBEDDING.c.text_hash == table.c.content_hash,
    )
    lacking = having(tenant, owner).outerjoin(EMBEDDING, made_of)
    return lacking.where(EMBEDDING.c.owner_id.is_(None), table.c.content.is_not(None))


def changed_since(connection: Connection, tenant: str, seq: int, owner: Owner) -> list[str] | None:
    """The memories or proposals that operations after ``seq`` acted on; None where they are too many to follow."""
    acted = VERSION if owner == "memory" else DECISION
    which = acted.c.memory_id if owner == "memory" else acted.c.proposal_id
    same = and_(acted.c.tenant_id == OPERATION.c.tenant_id, acted.c.operation_id == OPERATION.c.id)
    chosen = select(which).select_from(OPERATION).join(acted, same)
    of_later = chosen.where(OPERATION.c.tenant_id == tenant, OPERATION.c.seq > seq).limit(MOST_CHANGES + 1)
    found = connection.execute(of_later).scalars().all()
    return None if len(found) > MOST_CHANGES else list(dict.fromkeys(found))


def _count(connection: Connection, chosen: Select[Any]) -> int:
    return connection.execute(select(func.count()).select_from(chosen.subquery())).scalar_one()
