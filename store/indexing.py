"""Vectors for what has none yet: a batch at a time, whoever calls, as often as there is something to do.

What is said once is encoded once: a memory takes over the vector of the proposal that it was. Texts are encoded
outside of any transaction, and written in short ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, and_, func, select

from store import vector_rows
from store.conditions import unindexed
from store.encoders import Encoder
from store.engine import Store
from store.index_work import OWNERS, Work, counts, forget, work_of
from store.reading import chunks
from store.vector_rows import EMBEDDING, STATUSES, Made, Owner, packed, table_of

MOST_SETTLED: Final = 2_000
"""Memories that are looked at together at most, the last ones."""
SWEPT: Final = 500
"""Vectors that are taken away in one write."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of all have a vector of this model. ``encoded`` are the ids that got theirs in this step."""

    done: int
    total: int
    encoded: tuple[str, ...] = field(default=(), compare=False)

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do."""
        return self.done >= self.total


class _Text(NamedTuple):
    owner: Owner
    id: str
    hash: str
    content: str


def step(store: Store, encoder: Encoder, *, first: Sequence[str] = (), limit: int = 64) -> Progress:
    """Encode up to ``limit`` texts that have no vector of this model; ``first`` goes before all, then the newest.

    What waits and what was refused is encoded, and every memory that is not deleted. Returns how far it is; with
    nothing to do it costs a look at whether anything changed. What the new vectors show is settled at once: a second
    mention in other words, a refusal of the like, cases that say the same. Raises errors of ``store.errors``,
    EncoderMissing among them; what was written stays.
    """
    work = work_of(store, encoder.key)
    with work.lock:
        with store.read() as connection:
            work.look(connection, store.tenant, encoder.key)
            chosen = _chosen(connection, store.tenant, encoder.key, work, first, limit)
        made = _made(store, encoder, chosen)
        if made:
            with store.write() as connection:
                vector_rows.write(connection, store.tenant, encoder.key, encoder.dim, made)
            work.done([one.owner_id for one in made])
        elif work.missing <= 0 and work.touched != set():
            _sweep(store, encoder.key, work)
        told = Progress(work.total - max(work.missing, 0), work.total, tuple(one.owner_id for one in made))
    _settle(store, encoder, made, work)
    return told


def progress(store: Store, model_key: str) -> Progress:
    """How many of all have a vector of a model, counted now; no model is needed for that."""
    with store.read() as connection:
        total, missing = counts(connection, store.tenant, model_key)
    return Progress(total - missing, total)


def kept(store: Store) -> dict[str, int]:
    """By model key, how many vectors are stored."""
    counted = select(EMBEDDING.c.model_key, func.count()).where(EMBEDDING.c.tenant_id == store.tenant)
    with store.read() as connection:
        return {row[0]: row[1] for row in connection.execute(counted.group_by(EMBEDDING.c.model_key))}


def some_texts(store: Store, model_key: str, count: int) -> dict[str, str]:
    """By id, the texts of the things that got a vector of this model last; at most so many."""
    chosen = select(EMBEDDING.c.owner_id).where(
        EMBEDDING.c.tenant_id == store.tenant, EMBEDDING.c.model_key == model_key
    )
    with store.read() as connection:
        ids = connection.execute(chosen.order_by(EMBEDDING.c.serial.desc()).limit(count)).scalars().all()
        return {one.id: one.content for one in _texts(connection, store.tenant, ids)}


def again(store: Store, model_key: str, ids: Sequence[str]) -> None:
    """Forget the vectors of these, and of all else that says the same: the next steps make them anew."""
    with store.write() as connection:
        hashes = list(vector_rows.text_hashes(connection, store.tenant, model_key, ids).values())
        vector_rows.forget_texts(connection, store.tenant, model_key, hashes)
    forget(store)


def forget_others(store: Store, model_key: str, *, most: int = SWEPT) -> int:
    """Take away vectors of other models, ``most`` at a time; how many went. For when this model's are complete."""
    chosen = select(EMBEDDING.c.owner_id, EMBEDDING.c.model_key).where(
        EMBEDDING.c.tenant_id == store.tenant, EMBEDDING.c.model_key != model_key
    )
    with store.read() as connection:
        rows = connection.execute(chosen.limit(most)).all()
    by_model: dict[str, list[str]] = {}
    for row in rows:
        by_model.setdefault(row.model_key, []).append(row.owner_id)
    if rows:
        with store.write() as connection:
            for key, ids in by_model.items():
                vector_rows.forget(connection, store.tenant, ids, key)
    return len(rows)


def _chosen(
    connection: Connection, tenant: str, model_key: str, work: Work, first: Sequence[str], limit: int
) -> list[_Text]:
    """The texts of the next batch. What another process has done meanwhile counts as done."""
    asked = list(dict.fromkeys(first))[:limit]
    while True:
        for one in work.left:
            if len(asked) >= limit:
                break
            asked.append(one)
        texts = _texts(connection, tenant, list(dict.fromkeys(asked)))
        rows = vector_rows.of_owners(connection, tenant, model_key, [one.id for one in texts])
        has = {row.owner_id: row.text_hash for row in rows}
        chosen = [one for one in texts if has.get(one.id) != one.hash]
        wanted = {one.id for one in chosen}
        work.done([one for one in asked if one not in wanted])
        if chosen or not work.left:
            return chosen
        asked = []


def _texts(connection: Connection, tenant: str, ids: Sequence[str]) -> list[_Text]:
    found: dict[str, _Text] = {}
    for owner in OWNERS:
        table = table_of(owner)
        for part in chunks(ids):
            chosen = select(table.c.id, table.c.content_hash, table.c.content).where(
                table.c.tenant_id == tenant,
                table.c.id.in_(list(part)),
                unindexed(table.c.status).in_(STATUSES[owner]),
                table.c.content.is_not(None),
            )
            found |= {row.id: _Text(owner, *row) for row in connection.execute(chosen)}
    return [found[one] for one in ids if one in found]


def _made(store: Store, encoder: Encoder, chosen: Sequence[_Text]) -> list[Made]:
    """Vectors for these texts: those that are stored already for the same text, and the others encoded."""
    if not chosen:
        return []
    with store.read() as connection:
        known = vector_rows.of_text(connection, store.tenant, encoder.key, list({one.hash for one in chosen}))
    known = {key: vector for key, vector in known.items() if vector_rows.is_whole(vector, encoder.dim)}
    fresh = {one.hash: one.content for one in chosen if one.hash not in known}
    vectors = encoder.encode(list(fresh.values()))
    known |= {key: packed(vectors[at]) for at, key in enumerate(fresh)}
    return [Made(one.owner, one.id, one.hash, known[one.hash]) for one in chosen]


def _settle(store: Store, encoder: Encoder, made: Sequence[Made], work: Work) -> None:
    """What new vectors show: of proposals at once; of memories when all have theirs, as it costs a look at many."""
    proposals = [one.owner_id for one in made if one.owner == "proposal"]
    work.settled |= dict.fromkeys([one.owner_id for one in made if one.owner == "memory"])
    if proposals:
        from store import intake_later

        intake_later.settle(store, proposals, encoder=encoder)
    if work.settled and work.missing <= 0:
        from store import episodes

        memories, work.settled = list(work.settled)[-MOST_SETTLED:], {}
        episodes.settle(store, memories, encoder=encoder)


def _sweep(store: Store, model_key: str, work: Work) -> None:
    """Take away vectors of what is decided or deleted: nothing looks for what a deleted text meant."""
    touched = None if work.touched is None else list(work.touched)
    gone: list[str] = []
    with store.read() as connection:
        for owner in OWNERS:
            for part in [None] if touched is None else chunks(touched):
                chosen = _idle(store.tenant, model_key, owner)
                chosen = chosen if part is None else chosen.where(EMBEDDING.c.owner_id.in_(list(part)))
                gone += connection.execute(chosen.limit(SWEPT)).scalars()
    if gone:
        with store.write() as connection:
            vector_rows.forget(connection, store.tenant, gone)
    work.touched = None if touched is None and len(gone) >= SWEPT else set()


def _idle(tenant: str, model_key: str, owner: Owner) -> Select[Any]:
    """The owners of vectors that are of no use any more."""
    table = table_of(owner)
    same = and_(
        table.c.tenant_id == EMBEDDING.c.tenant_id,
        table.c.id == EMBEDDING.c.owner_id,
        table.c.status.in_(STATUSES[owner]),
        table.c.content.is_not(None),
    )
    mine = (EMBEDDING.c.tenant_id == tenant, EMBEDDING.c.model_key == model_key, EMBEDDING.c.owner == owner)
    return select(EMBEDDING.c.owner_id).outerjoin(table, same).where(*mine, table.c.id.is_(None))
