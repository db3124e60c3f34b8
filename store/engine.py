"""Open a store: transactions, the head file, the change watch. What differs between engines is in ``dialects``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from store import head
from store.dialects.backend import Backend
from store.errors import StoreBusy, StoreReadOnly, StoreTrouble
from store.location import Location
from store.watch import ChangeWatch

LOCAL_TENANT = "local"
HEAD = "meminbox_head"
"""Where an act leaves its seq and digest on the connection, for the head file after the commit."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Store:
    """An open store. Share it between threads; each ``read`` or ``write`` is one transaction on its own connection."""

    def __init__(
        self,
        location: Location,
        backend: Backend,
        *,
        tenant: str = LOCAL_TENANT,
        now: Callable[[], datetime] = _utc_now,
    ) -> None:
        self.location = location
        self.backend = backend
        self.tenant = tenant
        self.now = now
        self.warnings: tuple[str, ...] = backend.warnings
        """What a person should know about where this store stands; grows where the head file cannot be written."""

    @property
    def engine(self) -> Engine:
        """The engine whose transactions hold the write lock from their start."""
        return self.backend.engine

    @property
    def read_only(self) -> str | None:
        """Why decisions are impossible here, in words, or None where they are possible."""
        return self.backend.read_only

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A read transaction on one snapshot; it never waits for the write lock. Raises errors of ``store.errors``."""
        with self._transaction(self.backend.reading()) as connection:
            yield connection

    @contextmanager
    def write(self, *, wait: float | None = None) -> Iterator[Connection]:
        """A write transaction that holds the write lock from its start; committed on leaving, rolled back on error.

        ``wait`` seconds at most for the lock, as at opening where None. Raises StoreReadOnly before trying where the
        store is read-only, StoreNewer where a newer program has changed it meanwhile. It is never repeated: after
        StoreLost the caller looks before acting again.
        """
        if self.read_only is not None:
            raise StoreReadOnly(f"Not saved: {self.read_only}.", kept="Nothing was changed.")
        with self._transaction(self.backend.writing(self.tenant, wait)) as connection:
            self.backend.expect_schema(connection)
            connection.info.pop(HEAD, None)
            yield connection
            reached = connection.info.pop(HEAD, None)
        if reached is not None:
            self._advance_head(*reached)

    def check(self) -> None:
        """Raise StoreLost or StoreNewer where this is no longer the store that was opened."""
        with self.read() as connection:
            self.backend.expect_schema(connection)

    def watch(self) -> ChangeWatch:
        """A watch for commits by other connections; close it when done."""
        return self.backend.watch(self.tenant)

    def close(self) -> None:
        """Give back every connection."""
        self.backend.close()

    @contextmanager
    def _transaction(self, engine: Engine) -> Iterator[Connection]:
        committing = False
        self.backend.check()
        try:
            with engine.connect() as connection, connection.begin():
                yield connection
                committing = True
        except DBAPIError as error:
            ours = self.backend.translate(error, committing=committing)
            if ours is None:
                raise
            raise ours from error
        except PoolTimeout as error:
            raise StoreBusy("Too much is being asked of the store at once.", kept="Nothing was changed.") from error

    def _advance_head(self, seq: int, digest: str) -> None:
        try:
            head.advance(self.location, self.tenant, seq, digest)
        except StoreTrouble as error:
            # The commit stands, so this must not look like a failure; the next operation writes the file again.
            self.warnings = (*self.warnings, f"The newest operation could not be noted beside the store: {error}")


def open_store(location: Location, *, wait: float = 5.0, tenant: str = LOCAL_TENANT, read_only: bool = False) -> Store:
    """Open the store at ``location``, making it where nothing stands and bringing it up to date where it is older.

    ``wait`` seconds at most for a busy store. Where the file or folder may not be written the store opens for viewing,
    and ``Store.read_only`` says why. Raises StoreTrouble of one kind or another, always before anything is written;
    NotFound where nothing stands and ``read_only`` is asked for.
    """
    backend: Backend
    if location.path is not None:
        from store.dialects import sqlite

        backend = sqlite.open_backend(location, wait=wait, read_only=read_only)
    else:
        from store.dialects import postgres

        backend = postgres.open_backend(location, wait=wait, read_only=read_only)
    return Store(location, backend, tenant=tenant)
