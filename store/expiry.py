"""The clock's part: at ``valid_until`` a memory leaves retrieval at once; the next writer records it here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, select

from store.engine import Store
from store.errors import MeminboxError
from store.facts import Actor
from store.ledger import Act
from store.models import MemoryRow
from store.reading import memory_of

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
CLOCK = Actor("clock", "clock")


def flip_due(store: Store, connection: Connection) -> int:
    """Append ``expired`` to every active memory past its ``valid_until``, as one operation; how many there were.

    This frees their keys. What has expired stays so whatever the clock does later, until an operation says otherwise.
    """
    due = select(MEMORY).where(
        MEMORY.c.tenant_id == store.tenant,
        MEMORY.c.status == "active",
        MEMORY.c.valid_until.is_not(None),
        MEMORY.c.valid_until <= store.now(),
    )
    rows = connection.execute(due).all()
    if not rows:
        return 0
    act = Act(store, connection, CLOCK, "expire")
    for row in rows:
        memory = memory_of(row)
        act.change(memory, memory.entry, "expired")
    act.commit()
    return len(rows)


@contextmanager
def deciding(store: Store) -> Iterator[Connection]:
    """The transaction of a person's decision: what is due expires first, and stays expired if the decision is refused.

    Were the flip rolled back with the decision, a screen that shows the memory as live would be refused for ever.
    """
    refused: MeminboxError | None = None
    with store.write() as connection:
        if not flip_due(store, connection):
            yield connection
            return
        try:
            with connection.begin_nested():
                yield connection
        except MeminboxError as error:
            refused = error
    if refused is not None:
        raise refused
