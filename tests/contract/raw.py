"""A hand inside the database, past triggers, foreign keys and CHECKs: what damage and intruders can do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, and_, create_engine, text

from store.engine import Store


@contextmanager
def hand(store: Store) -> Iterator[Connection]:
    """An autocommit connection that no guard of the schema stops."""
    if store.location.path is not None:
        engine = create_engine(f"sqlite:///{store.location.path}", isolation_level="AUTOCOMMIT")
        prepare = ["PRAGMA foreign_keys=OFF", "PRAGMA ignore_check_constraints=ON"]
        prepare += [
            f"DROP TRIGGER IF EXISTS tr_{table}_{act}"
            for table in ("operation", "version", "decision")
            for act in ("update", "delete")
        ]
    else:
        engine = create_engine(store.backend.engine.url, isolation_level="AUTOCOMMIT")
        prepare = ["SET session_replication_role = replica"]
    try:
        with engine.connect() as connection:
            for statement in prepare:
                connection.execute(text(statement))
            yield connection
    finally:
        engine.dispose()


def the_row(table: Any, row: Any) -> Any:
    """The condition that names one row by its primary key."""
    return and_(*(column == row._mapping[column.name] for column in table.primary_key))
