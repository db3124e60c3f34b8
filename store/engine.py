"""Open a store: dialect set-up, transactions, migration, change watch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel

from store import models  # noqa: F401  (registers the tables)
from store.dialects import sqlite
from store.location import Location

LOCAL_TENANT = "local"


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Store:
    """An open store. Share it between threads; each ``read`` or ``write`` is one transaction on its own connection."""

    def __init__(
        self,
        location: Location,
        engine: Engine,
        *,
        tenant: str = LOCAL_TENANT,
        now: Callable[[], datetime] = _utc_now,
        read_only: str | None = None,
    ) -> None:
        self.location = location
        self.engine = engine
        self.tenant = tenant
        self.now = now
        self.read_only = read_only
        """Why decisions are impossible here, or None where they are possible."""

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A deferred read transaction. Never waits for the write lock. Raises errors of ``store.errors`` only."""
        with self._transaction(self.engine) as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A write transaction that holds the write lock from its start; committed on leaving, rolled back on error."""
        with self._transaction(self.engine.execution_options(writes=True)) as connection:
            yield connection

    @contextmanager
    def _transaction(self, engine: Engine) -> Iterator[Connection]:
        try:
            with engine.begin() as connection:
                yield connection
        except DBAPIError as error:
            ours = sqlite.translate(error, self.location.described())
            if ours is None:
                raise
            raise ours from error

    def close(self) -> None:
        """Give back every connection."""
        self.engine.dispose()


def open_store(location: Location, *, wait: float = 5.0, tenant: str = LOCAL_TENANT) -> Store:
    """Open the store at ``location``, creating it where nothing stands. ``wait`` seconds at most for a busy store."""
    location.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    assert location.path is not None
    engine = sqlite.make_engine(location.path, wait)
    SQLModel.metadata.create_all(engine)
    return Store(location, engine, tenant=tenant)
