"""Memories that are what was approved, told from rows that something else has changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, select

from store import candidates, reading
from store.candidates import View
from store.entry import content_hash
from store.facts import Memory
from store.reading import AT_PRESENT, MEMORY, VERSION


def sound(connection: Connection, view: View, ids: Sequence[str]) -> list[Memory]:
    """The memories with these ids that are what was approved, in their order.

    The text has the hash that was bound, and the version of the revision says the same of everything else.
    """
    found = candidates.readable(view, ids, lambda part: reading.memories(connection, view.tenant, part))
    kept = [one for one in found if content_hash(one.entry.content) == one.content_hash]
    said = dict(
        candidates.readable(view, [one.id for one in kept], lambda part: _versions(connection, view.tenant, part))
    )
    return [one for one in kept if said.get(one.id) == (one.entry.canonical_json(), one.status)]


def _versions(connection: Connection, tenant: str, ids: Sequence[str]) -> list[tuple[str, tuple[str | None, str]]]:
    """By id, the entry and the status that the version of a memory's revision says."""
    found: list[tuple[str, tuple[str | None, str]]] = []
    for part in reading.chunks(ids):
        rows = connection.execute(_AS_APPROVED, {"tenant": tenant, "ids": part})
        found += [(row.id, (row.entry, row.status)) for row in rows]
    return found


_AS_APPROVED: Final = (
    select(MEMORY.c.id, VERSION.c.entry, VERSION.c.status)
    .join(
        VERSION,
        AT_PRESENT,
    )
    .where(MEMORY.c.tenant_id == bindparam("tenant"), MEMORY.c.id.in_(bindparam("ids", expanding=True)))
)
