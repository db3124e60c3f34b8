"""The log as a person looks through it: the last steps, and which of them are undone. Reading only."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from store.engine import Store
from store.errors import NotFound
from store.facts import Operation
from store.models import OperationRow
from store.reading import operation_of
from store.wording import title

OPERATION = OperationRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Step:
    """One operation. ``title`` names it in words that may hold agents' text; ``undone``: an undo of it is in effect."""

    operation: Operation
    title: str
    undone: bool


def newest(store: Store, limit: int) -> list[Step]:
    """The last ``limit`` operations, newest first.

    Whether one is undone depends on later ones only, so one pass from the newest down knows.
    """
    chosen = (
        select(OPERATION).where(OPERATION.c.tenant_id == store.tenant).order_by(OPERATION.c.seq.desc()).limit(limit)
    )
    undone: set[str] = set()
    with store.read() as connection:
        found = []
        for operation in map(operation_of, connection.execute(chosen).all()):
            if operation.undoes is not None and operation.id not in undone:
                undone.add(operation.undoes)
            found.append(Step(operation, title(connection, store.tenant, operation), operation.id in undone))
    return found


def one(store: Store, operation_id: str) -> tuple[Operation, str]:
    """An operation and its title. Raises NotFound."""
    chosen = select(OPERATION).where(OPERATION.c.tenant_id == store.tenant, OPERATION.c.id == operation_id)
    with store.read() as connection:
        row = connection.execute(chosen).first()
        if row is None:
            raise NotFound(f"There is no operation {operation_id}.")
        operation = operation_of(row)
        return operation, title(connection, store.tenant, operation)
