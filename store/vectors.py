"""Exact search among stored vectors, and the vectors of single things. Vectors of two models are never compared.

What comes back stands in the store as asked at that moment, with the text that its vector was made of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from sqlalchemy import Connection, select

from store import vector_rows
from store.candidates import View
from store.conditions import unindexed
from store.encoders import Encoder
from store.engine import Store
from store.entry import KINDS
from store.errors import UsageError
from store.facts import OPEN
from store.reading import chunks
from store.vector_cache import Place, drop, matrix, passed
from store.vector_rows import STATUSES, Owner, Vectors, is_whole, table_of, unpacked

__all__ = ["STATUSES", "Near", "Owner", "Vectors", "drop", "nearest", "sim", "vectors_of"]
ALIKE: Final = 4
"""Decimals of a cosine that tell: beyond them it depends on where in memory a vector happens to stand."""
_SPARE: Final = 16
_MORE: Final = 8


class Near(NamedTuple):
    """Something with a vector, and the cosine between that and the one asked with."""

    id: str
    cos: float


def sim(cos: float, m: float) -> float:
    """How alike, 0 for what has nothing in common: the cosine beyond ``m``, which unrelated texts have anyway."""
    return (cos - m) / (1 - m)


def nearest(
    store: Store,
    encoder: Encoder,
    vector: Vectors,
    *,
    owners: Owner = "memory",
    scopes: Sequence[str] | None,
    statuses: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    limit: int = 10,
    exclude: Collection[str] = (),
    least: float = -1.0,
    once: bool = False,
) -> list[Near]:
    """The memories or proposals of these scopes (None: everywhere) nearest to a vector, the nearest first; exact.

    ``statuses`` are by default ``active`` for memories, those that wait for proposals; an active memory whose date has
    passed counts as expired. ``exclude`` leaves out ids, ``least`` is the lowest cosine that counts. ``once`` is
    for a process that asks no second time: nothing is kept for it. Raises UsageError for a status that nothing with a
    vector has, an unknown kind, or a vector of another length.
    """
    wanted = tuple(statuses if statuses is not None else OPEN if owners == "proposal" else ("active",))
    _expect(encoder, vector, owners, wanted, kinds)
    if limit < 1 or not wanted or (scopes is not None and not scopes) or (kinds is not None and not kinds):
        return []
    place = Place(owners, encoder.key, encoder.dim, None if scopes is None else frozenset(scopes))
    view = View(
        store, None if scopes is None else tuple(scopes), wanted, None if kinds is None else tuple(kinds), store.now()
    )
    looked_at = ("active", *wanted) if "expired" in wanted else wanted
    with store.read() as connection:
        if once:
            ids, cosines = passed(connection, store.tenant, place, vector, looked_at, kinds)
        else:
            held = matrix(store, place)
            with held.lock:
                held.refresh(connection, store.tenant)
                cosines = held.cosines(vector, looked_at, kinds)
                ids = held.ids
        found: list[Near] = []
        for part in _best(ids, cosines, limit + len(exclude) + _SPARE, least):
            left = [one for one in part if one.id not in exclude]
            stands = _standing(connection, view, owners, encoder.key, [one.id for one in left])
            found += [one for one in left if one.id in stands]
            if len(found) >= limit:
                break
    return found[:limit]


def vectors_of(store: Store, encoder: Encoder, ids: Sequence[str]) -> dict[str, Vectors]:
    """By id, the vectors of these memories and proposals that are of their present texts; what has none is left out."""
    with store.read() as connection:
        rows = [
            row
            for row in vector_rows.of_owners(connection, store.tenant, encoder.key, ids)
            if is_whole(row.vector, encoder.dim)
        ]
        hashes: dict[str, str] = {}
        for owner in ("memory", "proposal"):
            table = table_of(owner)
            for part in chunks([row.owner_id for row in rows if row.owner == owner]):
                chosen = select(table.c.id, table.c.content_hash)
                told = connection.execute(chosen.where(table.c.tenant_id == store.tenant, table.c.id.in_(list(part))))
                hashes |= {row.id: row.content_hash for row in told}
    kept = [row for row in rows if hashes.get(row.owner_id) == row.text_hash]
    found = unpacked([row.vector for row in kept], encoder.dim)
    return {row.owner_id: found[at] for at, row in enumerate(kept)}


def _expect(
    encoder: Encoder, vector: Vectors, owners: Owner, statuses: Sequence[str], kinds: Sequence[str] | None
) -> None:
    for one in statuses:
        if one not in STATUSES[owners]:
            raise UsageError(f'No vector is kept of a {owners} with the status "{one}".')
    for one in kinds or ():
        if one not in KINDS:
            raise UsageError(f'There is no kind "{one}".')
    if vector.shape != (encoder.dim,):
        raise UsageError(f"A vector of {encoder.title} has {encoder.dim} numbers.")


def _best(ids: Sequence[str], cosines: Vectors, count: int, least: float) -> Iterator[list[Near]]:
    """The rows by falling cosine, in growing portions; those with a cosine below ``least`` are left out."""
    floor = max(least, -1.5)
    given: set[int] = set()
    while len(given) < len(cosines):
        count = min(count, len(cosines))
        top = np.argpartition(-cosines, count - 1)[:count] if count < len(cosines) else np.arange(len(cosines))
        order = sorted(top.tolist(), key=lambda at: (-round(float(cosines[at]), ALIKE), ids[at]))
        fresh = [at for at in order if at not in given]
        part = [Near(ids[at], float(cosines[at])) for at in fresh if cosines[at] >= floor]
        if part:
            yield part
        if len(part) < len(fresh):
            return
        given.update(fresh)
        count *= _MORE


def _standing(connection: Connection, view: View, owner: Owner, model_key: str, ids: Sequence[str]) -> set[str]:
    """Those of these that are in the view now, with the text that the vector was made of."""
    made_of = vector_rows.text_hashes(connection, view.tenant, model_key, ids)
    table = table_of(owner)
    held: list[Any] = view.conditions() if owner == "memory" else _waiting(table, view)
    found: set[str] = set()
    for part in chunks(ids):
        chosen = select(table.c.id, table.c.content_hash).where(table.c.id.in_(list(part)), *held)
        found |= {row.id for row in connection.execute(chosen) if made_of.get(row.id) == row.content_hash}
    return found


def _waiting(table: Any, view: View) -> list[Any]:
    held = [table.c.tenant_id == view.tenant, unindexed(table.c.status).in_(view.statuses)]
    held += [] if view.scopes is None else [unindexed(table.c.scope).in_(view.scopes)]
    return held if view.kinds is None else [*held, table.c.kind.in_(view.kinds)]
