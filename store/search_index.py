"""The gram index of memories: written as their texts change, asked with literal words. It holds no status."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Select, delete, false, insert, select

from store import stopping
from store.conditions import unindexed
from store.dialects.expressions import has_grams
from store.entry import Entry
from store.models import SearchDocRow
from store.reading import chunks
from store.text import document, entry_grams, scope_gram, terms

DOC = SearchDocRow.__table__  # type: ignore[attr-defined]
BATCH: Final = 500


def index_anew(connection: Connection, tenant: str, changed: Iterable[tuple[str, Entry | None, Entry]]) -> None:
    """Make memories findable by what they say now: ids, each with the entry before (None: it is new) and after.

    What says the same in another scope keeps its grams under that scope's: to make them is the most that it costs.
    """
    fresh: list[tuple[str, Entry]] = []
    moved: dict[tuple[str, str], list[str]] = {}
    for one, before, after in changed:
        if before is None or document(before) != document(after):
            fresh.append((one, after))
        elif before.scope != after.scope:
            moved.setdefault((before.scope, after.scope), []).append(one)
    for (old, new), ids in moved.items():
        _move(connection, tenant, ids, scope_gram(old), scope_gram(new))
    if fresh:
        index(connection, tenant, fresh)


def _move(connection: Connection, tenant: str, ids: Sequence[str], old: str, new: str) -> None:
    for part in chunks(ids, BATCH):
        mine = (DOC.c.tenant_id == tenant, DOC.c.memory_id.in_(list(part)))
        held = connection.execute(select(DOC.c.memory_id, DOC.c.grams).where(*mine)).all()
        connection.execute(delete(DOC).where(*mine))
        rows = [{"tenant_id": tenant, "memory_id": one, "grams": new + grams.removeprefix(old)} for one, grams in held]
        if rows:
            connection.execute(insert(DOC), rows)


def index(connection: Connection, tenant: str, pairs: Iterable[tuple[str, Entry]]) -> None:
    """Make memories findable by the words of these entries, and no longer by those they had, in the caller's write.

    ``pairs`` are memory ids with the entry each now holds; the last one of an id counts. Two statements a batch of 500,
    whatever the engine.
    """
    fresh = dict(pairs)
    for part in chunks(list(fresh), BATCH):
        stopping.check()
        connection.execute(delete(DOC).where(DOC.c.tenant_id == tenant, DOC.c.memory_id.in_(list(part))))
        rows = [{"tenant_id": tenant, "memory_id": one, "grams": entry_grams(fresh[one])} for one in part]
        connection.execute(insert(DOC), rows)


def forget(connection: Connection, tenant: str, memory_ids: Iterable[str]) -> None:
    """Take memories out of the index, in the caller's write."""
    for part in chunks(list(memory_ids), BATCH):
        connection.execute(delete(DOC).where(DOC.c.tenant_id == tenant, DOC.c.memory_id.in_(list(part))))


def matching(tenant: str, query: str, scopes: Sequence[str] | None) -> Select[Any]:
    """A statement with one column, the ids of the memories in whatever status that hold every word of ``query``.

    The scopes (None: everywhere) are looked up inside the index. A query of nothing finds nothing. Never raises,
    whatever the query holds.
    """
    asked = [gram for part in terms(query) for gram in part]
    found = select(DOC.c.memory_id).where(unindexed(DOC.c.tenant_id) == tenant)
    if not asked or (scopes is not None and not scopes):
        return found.where(false())
    within = [] if scopes is None else [scope_gram(scope) for scope in scopes]
    return found.where(has_grams(DOC, asked, within))
