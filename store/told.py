"""Who was told a memory: at which revision, by which session and agent, and whether it is still said. Reading only.

Hand-outs are noted when a memory is given (``store.notes``) and kept for ``taking_notes.KEPT``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, func, select

from store.engine import Store
from store.entry import Entry
from store.errors import NotFound
from store.facts import Memory
from store.models import HandoutRow
from store.packed import PackedIds
from store.reading import VERSION, chunks, memory
from store.waiting import packed

HANDOUT = HandoutRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Told:
    """One hand-out of a memory: to whom, from where, when, and what the memory said then.

    ``said`` is None where that was erased. ``holds``: it is what an agent would be told now.
    """

    id: str
    revision: int
    session_id: str | None
    agent: str | None
    surface: str
    at: datetime
    said: str | None
    holds: bool


@dataclass(frozen=True, slots=True)
class Telling:
    """How often a memory as it stands was told, to how many sessions; how often of that what is no longer said."""

    memory: Memory
    times: int
    sessions: int
    past: int
    past_sessions: int


def telling(store: Store, memory_id: str) -> Telling:
    """The numbers of a memory's hand-outs. Raises NotFound where there is no such memory."""
    mine = and_(HANDOUT.c.tenant_id == store.tenant, HANDOUT.c.memory_id == memory_id)
    numbers = select(func.count(), func.count(HANDOUT.c.session_id.distinct())).where(mine)
    with store.read() as connection:
        known = memory(connection, store.tenant, memory_id)
        if known is None:
            raise NotFound(f"There is no memory {memory_id}.", kept="Nothing was changed.")
        times, sessions = connection.execute(numbers).one()
        seen = connection.execute(select(HANDOUT.c.revision).where(mine).distinct()).scalars().all()
        held = _holding(connection, store, known, seen)
        past = [one for one in seen if one not in held]
        gone = (0, 0)
        for part in chunks(past):
            row = connection.execute(numbers.where(HANDOUT.c.revision.in_(list(part)))).one()
            gone = (gone[0] + row[0], gone[1] + row[1])
    return Telling(known, times, sessions, gone[0], min(gone[1], sessions))


def told_ids(store: Store, memory_id: str) -> PackedIds:
    """The ids of a memory's hand-outs, the newest first."""
    chosen = (
        select(HANDOUT.c.id)
        .where(HANDOUT.c.tenant_id == store.tenant, HANDOUT.c.memory_id == memory_id)
        .order_by(HANDOUT.c.at.desc(), HANDOUT.c.id.desc())
    )
    with store.read() as connection:
        return packed(connection, chosen)


def told_rows(store: Store, memory_id: str, ids: Sequence[str]) -> dict[str, Told]:
    """By id, these hand-outs of a memory."""
    found: dict[str, Told] = {}
    version = and_(
        VERSION.c.tenant_id == HANDOUT.c.tenant_id,
        VERSION.c.memory_id == HANDOUT.c.memory_id,
        VERSION.c.revision == HANDOUT.c.revision,
    )
    with store.read() as connection:
        known = memory(connection, store.tenant, memory_id)
        if known is None:
            return found
        for part in chunks(ids):
            chosen = (
                select(HANDOUT, VERSION.c.entry)
                .outerjoin(VERSION, version)
                .where(HANDOUT.c.tenant_id == store.tenant, HANDOUT.c.memory_id == memory_id)
                .where(HANDOUT.c.id.in_(list(part)))
            )
            for row in connection.execute(chosen):
                said = Entry.from_json(row.entry).content if row.entry is not None else None
                found[row.id] = Told(
                    id=row.id,
                    revision=row.revision,
                    session_id=row.session_id,
                    agent=row.agent,
                    surface=row.surface,
                    at=row.at,
                    said=said,
                    holds=_is_said(store, known) and said == known.entry.content,
                )
    return found


def told_before(store: Store, memory_id: str, revision: int) -> int:
    """How many hand-outs of a memory were of a revision before this one."""
    mine = and_(HANDOUT.c.tenant_id == store.tenant, HANDOUT.c.memory_id == memory_id)
    with store.read() as connection:
        chosen = select(func.count()).select_from(HANDOUT).where(mine, HANDOUT.c.revision < revision)
        number: int = connection.execute(chosen).scalar_one()
    return number


def _holding(connection: Connection, store: Store, known: Memory, revisions: Sequence[int]) -> set[int]:
    """Those of a memory's revisions that say what it says now; none where it says nothing to agents any more."""
    if not _is_said(store, known):
        return set()
    held: set[int] = set()
    for part in chunks(revisions):
        chosen = select(VERSION.c.revision, VERSION.c.entry).where(
            VERSION.c.tenant_id == store.tenant, VERSION.c.memory_id == known.id, VERSION.c.revision.in_(list(part))
        )
        for row in connection.execute(chosen):
            if row.entry is not None and Entry.from_json(row.entry).content == known.entry.content:
                held.add(row.revision)
    return held


def _is_said(store: Store, known: Memory) -> bool:
    until = known.entry.valid_until
    return known.status == "active" and (until is None or until > store.now())
