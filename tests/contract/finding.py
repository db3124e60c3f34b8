"""What the tests of retrieval ask, and how they age and count a memory past the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import update

from store import retrieval
from store.retrieval import Found, Hit
from tests.contract.decisions import TABLES, Desk

HERE = ("shop", "global")
MEMORY, USAGE = TABLES["memory"], TABLES["usage"]


def search(desk: Desk, query: str, **how: Any) -> Found:
    """Search here, unless told where."""
    how.setdefault("scopes", HERE)
    return retrieval.search(desk.store, query, **how)


def said(hits: Sequence[Hit]) -> list[str]:
    """The texts of these, in their order."""
    return [hit.memory.entry.content for hit in hits]


def texts(desk: Desk, query: str, **how: Any) -> list[str]:
    """The texts of what a search finds."""
    return said(search(desk, query, **how).hits)


def needed(desk: Desk, task: str) -> list[str]:
    """The texts that a task here is given."""
    return said(retrieval.needed(desk.store, task, scopes=HERE))


def touch(desk: Desk, memory_id: str, **columns: Any) -> None:
    """Change a memory's row past the ledger."""
    with desk.store.write() as connection:
        connection.execute(update(MEMORY).where(MEMORY.c.id == memory_id).values(**columns))


def use(desk: Desk, memory_id: str, **columns: Any) -> None:
    """Set a memory's counters."""
    with desk.store.write() as connection:
        connection.execute(update(USAGE).where(USAGE.c.memory_id == memory_id).values(**columns))
