"""The vectors of a view held in memory: read once, then only what has changed since.

A matrix says what is likely to stand where; whoever uses it asks the store about the few rows it gives (``vectors``).
So a change that it has not heard of can hide something for a moment, and never show what should not be shown.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select, and_, func, select

from store import ledger
from store.conditions import in_scopes, unindexed
from store.engine import Store
from store.entry import KINDS
from store.facts import OPEN
from store.index_work import MOST_CHANGES, changed_since
from store.reading import chunks
from store.vector_rows import AT_ONCE, BYTES, EMBEDDING, STATUSES, Owner, Vectors, table_of, unpacked

KEPT: Final = 4
"""Views of one store whose vectors are held at once."""
MOST_BYTES: Final = 256 * 1024 * 1024
"""What they may take together before the one that was asked longest ago goes: 100,000 of 512 numbers take 200 MB."""
GONE: Final = -1
_GROUPS: Final[dict[str, int]] = {
    # What waits moves between its statuses without an operation: one group, told apart when it is looked at.
    **dict.fromkeys(OPEN, 0),
    **{status: at for at, status in enumerate(("rejected", *STATUSES["memory"]), 1)},
}
_KIND: Final = {kind: at for at, kind in enumerate(KINDS)}


@dataclass(frozen=True, slots=True)
class Place:
    """Which vectors: of what, of which model, in which scopes (None: everywhere)."""

    owner: Owner
    model_key: str
    dim: int
    scopes: frozenset[str] | None


@dataclass
class Matrix:
    """The vectors of one place, a row each. ``seq`` and ``serial`` say up to where the store has been read."""

    place: Place
    lock: threading.Lock = field(default_factory=threading.Lock)
    seq: int = -1
    serial: int = -1
    ids: list[str] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    vectors: Vectors = field(default_factory=lambda: np.empty((0, 0), dtype=np.float32))
    group: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, dtype=np.int8))
    kind: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, dtype=np.int8))

    def cosines(self, vector: Vectors, statuses: Sequence[str], kinds: Sequence[str] | None) -> Vectors:
        """The cosine of each row with ``vector``; -2 where a row is in none of these statuses and kinds."""
        wanted = np.isin(self.group, [_GROUPS[one] for one in statuses if one in _GROUPS])
        if kinds is not None:
            wanted &= np.isin(self.kind, [_KIND[one] for one in kinds])
        found: Vectors = np.where(wanted, self.vectors @ vector, np.float32(-2))
        return found

    def refresh(self, connection: Connection, tenant: str) -> None:
        """Take in what has changed since. The caller holds the lock."""
        seq, serial = ledger.head(connection, tenant)[0], _newest(connection, tenant, self.place)
        if self.seq < 0:
            self._take(_all(connection, tenant, self.place), anew=True)
        elif seq > self.seq or serial > self.serial:
            changed = _changed(connection, tenant, self)
            if changed is None:
                self._take(_all(connection, tenant, self.place), anew=True)
            elif changed:
                found = _some(connection, tenant, self.place, changed)
                self._leave(set(changed) - {row.owner_id for row in found})
                self._take(found, anew=False)
        self.seq, self.serial = max(self.seq, seq), max(self.serial, serial)

    def _leave(self, gone: set[str]) -> None:
        for one in gone & self.rows.keys():
            self.group[self.rows[one]] = GONE

    def _take(self, found: Sequence[Any], *, anew: bool) -> None:
        length = self.place.dim * BYTES
        whole = [(one, vector, status, kind) for one, vector, status, kind in found if len(vector) == length]
        vectors = unpacked([vector for _, vector, _, _ in whole], self.place.dim)
        group = np.array([_GROUPS.get(status, GONE) for _, _, status, _ in whole], dtype=np.int8)
        kind = np.array([_KIND.get(kind, GONE) for _, _, _, kind in whole], dtype=np.int8)
        ids = [one for one, _, _, _ in whole]
        if anew:
            self.ids = ids
            self.vectors, self.group, self.kind = vectors, group, kind
            self.rows = {one: at for at, one in enumerate(ids)}
            return
        known = [at for at, one in enumerate(ids) if one in self.rows]
        here = [self.rows[ids[at]] for at in known]
        self.vectors[here], self.group[here], self.kind[here] = vectors[known], group[known], kind[known]
        fresh = [at for at, one in enumerate(ids) if one not in self.rows]
        if fresh:
            self.rows |= {ids[at]: len(self.ids) + place for place, at in enumerate(fresh)}
            self.ids += [ids[at] for at in fresh]
            self.vectors = np.concatenate((self.vectors, vectors[fresh]))
            self.group = np.concatenate((self.group, group[fresh]))
            self.kind = np.concatenate((self.kind, kind[fresh]))


_HELD: WeakKeyDictionary[Store, OrderedDict[Place, Matrix]] = WeakKeyDictionary()
_LOCK: Final = threading.Lock()


def matrix(store: Store, place: Place) -> Matrix:
    """The matrix of a place, kept for the next time; still to be refreshed."""
    with _LOCK:
        held = _HELD.setdefault(store, OrderedDict())
        found = held.setdefault(place, Matrix(place))
        held.move_to_end(place)
        while len(held) > 1 and (len(held) > KEPT or sum(one.vectors.nbytes for one in held.values()) > MOST_BYTES):
            held.popitem(last=False)
        return found


def drop(store: Store) -> None:
    """Give back the memory of all that is held of a store."""
    with _LOCK:
        _HELD.pop(store, None)


def _newest(connection: Connection, tenant: str, place: Place) -> int:
    own = (EMBEDDING.c.tenant_id == tenant, EMBEDDING.c.model_key == place.model_key)
    return connection.execute(select(func.max(EMBEDDING.c.serial)).where(*own)).scalar() or 0


def _rows(tenant: str, place: Place) -> Select[Any]:
    table = table_of(place.owner)
    same = and_(EMBEDDING.c.tenant_id == table.c.tenant_id, EMBEDDING.c.owner_id == table.c.id)
    return (
        select(EMBEDDING.c.owner_id, EMBEDDING.c.vector, table.c.status, table.c.kind)
        .join_from(table, EMBEDDING, and_(same, EMBEDDING.c.model_key == place.model_key))
        .where(table.c.tenant_id == tenant)
    )


def _all(connection: Connection, tenant: str, place: Place) -> Sequence[Any]:
    table = table_of(place.owner)
    scopes = None if place.scopes is None else sorted(place.scopes)
    chosen = _rows(tenant, place).where(table.c.status.in_(STATUSES[place.owner]), *in_scopes(table, scopes))
    return connection.execute(chosen).all()


def passed(
    connection: Connection,
    tenant: str,
    place: Place,
    vector: Vectors,
    statuses: Sequence[str],
    kinds: Sequence[str] | None,
) -> tuple[list[str], Vectors]:
    """The ids of a place's rows in these statuses and kinds, and the cosine of each with ``vector``; nothing is kept.

    For whoever asks once: the vectors pass by a thousand at a time, in half the time that it takes to hold them all.
    """
    table = table_of(place.owner)
    scopes = None if place.scopes is None else sorted(place.scopes)
    wanted = [table.c.status.in_(statuses), *([] if kinds is None else [table.c.kind.in_(list(kinds))])]
    chosen = _rows(tenant, place).with_only_columns(EMBEDDING.c.owner_id, EMBEDDING.c.vector)
    ids: list[str] = []
    cosines: list[Vectors] = [np.empty(0, dtype=np.float32)]
    for rows in connection.execute(chosen.where(*wanted, *in_scopes(table, scopes))).partitions(AT_ONCE):
        whole = [(one, stored) for one, stored in rows if len(stored) == place.dim * BYTES]
        ids += [one for one, _ in whole]
        some = unpacked([stored for _, stored in whole], place.dim)
        cosines.append(np.einsum("ij,j->i", some, vector))  # in this thread: many small products wait on others
    return ids, np.concatenate(cosines)


def _some(connection: Connection, tenant: str, place: Place, ids: Sequence[str]) -> list[Any]:
    table = table_of(place.owner)
    found: list[Any] = []
    for part in chunks(ids):
        chosen = _rows(tenant, place).where(table.c.id.in_(list(part)), unindexed(table.c.status).in_(_GROUPS))
        if place.scopes is not None:
            chosen = chosen.where(unindexed(table.c.scope).in_(sorted(place.scopes)))
        found += connection.execute(chosen).all()
    return found


def _changed(connection: Connection, tenant: str, held: Matrix) -> list[str] | None:
    """The ids that have a newer vector or were acted on since; None where they are too many to follow."""
    made = select(EMBEDDING.c.owner_id).where(
        EMBEDDING.c.tenant_id == tenant,
        EMBEDDING.c.model_key == held.place.model_key,
        EMBEDDING.c.serial > held.serial,
        unindexed(EMBEDDING.c.owner) == held.place.owner,
    )
    fresh = connection.execute(made.limit(MOST_CHANGES + 1)).scalars().all()
    moved = changed_since(connection, tenant, held.seq, held.place.owner)
    return None if moved is None or len(fresh) > MOST_CHANGES else list(dict.fromkeys((*fresh, *moved)))
