"""SQLite as a store's engine: opening a file for writing or for viewing, and the change watch."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from sqlalchemy import Connection, Engine

from store import files
from store.dialects import sqlite_file, sqlite_make
from store.dialects.sqlite_engine import make_engine, translate
from store.dialects.sqlite_file import log_size, uri
from store.dialects.sqlite_scrub import scrub
from store.errors import (
    MeminboxError,
    NotFound,
    StoreLost,
    StoreNewer,
    StoreReadOnly,
)
from store.location import Location
from store.migrate import SCHEMA
from store.watch import ChangeWatch


class SqliteBackend:
    """One SQLite file, opened for reading and writing or for viewing (``read_only`` says why)."""

    def __init__(self, location: Location, path: Path, wait: float, *, mode: str, read_only: str | None) -> None:
        self.location = location
        self.path = path
        self.read_only = read_only
        self.warnings = _warnings(path)
        self.mode = mode
        self._wait = wait
        self._opened = _identity(path)
        self.engine = make_engine(path, wait, mode=mode)
        self._reading = self.engine.execution_options(reads=True)

    def reading(self) -> Engine:
        """Deferred transactions on a snapshot, in which a write is an error."""
        return self._reading

    def writing(self, tenant: str, wait: float | None = None) -> Engine:  # noqa: ARG002  (one lock for all tenants)
        """Transactions that begin IMMEDIATE."""
        return self.engine if wait is None else self.engine.execution_options(wait=wait)

    def check(self) -> None:
        """Raise StoreLost where the file was replaced or deleted, or, opened without a log, was given one."""
        if _identity(self.path) != self._opened:
            raise StoreLost(
                f"The store {self.path} was replaced or deleted while it was open.",
                kept="Nothing was changed.",
                todo="Close Meminbox and open it again.",
            )
        if self.mode.endswith("immutable=1") and log_size(self.path):
            raise StoreLost(f"Another process is writing {self.path}.", todo="Open it again to see what it wrote.")

    def expect_schema(self, connection: Connection) -> None:
        """Raise StoreNewer where a newer program has brought the file up to its own schema meanwhile."""
        schema = int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
        if schema > SCHEMA:
            raise _newer(self.path, schema)

    def translate(self, error: BaseException, *, committing: bool) -> MeminboxError | None:
        """The error of ours that an sqlite3 error means; see ``translate``."""
        return translate(error, self.location, committing=committing)

    def quick_check(self, connection: Connection) -> str | None:
        """The first line of SQLite's own quick check, unless it is "ok"."""
        said = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
        return None if said == "ok" else str(said)

    def reference_check(self, connection: Connection) -> str | None:
        """The first row that foreign_key_check names."""
        row = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        return f"a row of {row[0]} refers to a row of {row[2]} that is not there" if row else None

    def scrub(self, *, anew: bool = True) -> tuple[str, ...]:
        """Merge the index, empty the log, and write the file ``anew``: nothing of what was deleted is in it then."""
        return scrub(self.location, self.path, self._wait, anew=anew)

    def schema_text(self, connection: Connection) -> str:
        """Every statement that made the tables."""
        return "\n".join(connection.exec_driver_sql("SELECT coalesce(sql, name) FROM sqlite_master").scalars())

    def watch(self, tenant: str) -> ChangeWatch:  # noqa: ARG002  (one file for all tenants)
        """A watch by data_version, on a raw autocommit connection of its own."""
        return SqliteWatch(self.path, self.mode)

    def close(self) -> None:
        """Give back every connection."""
        self.engine.dispose()


class SqliteWatch:
    """Polls ``PRAGMA data_version``; a connection inside a transaction would see it frozen."""

    def __init__(self, path: Path, mode: str) -> None:
        self._path = path
        self._fixed = mode.endswith("immutable=1")
        self._lock = threading.Lock()
        self._raw = sqlite3.connect(uri(path, mode), uri=True, isolation_level=None, check_same_thread=False)
        self._seen = self._look()

    def changed(self) -> bool:
        """Whether anything was committed since the last call."""
        with self._lock:
            now = self._look()
            before, self._seen = self._seen, now
            return now != before

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._raw.close()

    def _look(self) -> object:
        try:
            version = self._raw.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.Error as error:
            return str(error)
        return (version, _identity(self._path), log_size(self._path) if self._fixed else 0)


def open_backend(location: Location, *, wait: float, read_only: bool) -> SqliteBackend:
    """Open the file of ``location``; make it where nothing stands, bring it up to date where it is older.

    Raises StoreDamaged, StoreNewer, StoreReadOnly, StoreBusy, StoreFull; NotFound where it was only to be read.
    """
    assert location.path is not None
    if not files.there(location.path):
        if read_only:
            raise NotFound(f"There is no store at {location.path} yet.")
        sqlite_make.create(location, wait)
    path = location.path.resolve()
    found = sqlite_file.peek(location, path)
    if found.schema > SCHEMA:
        raise _newer(path, found.schema)
    reason = _why_read_only(path, asked=read_only)
    if found.schema < SCHEMA:
        if reason is not None:
            raise StoreReadOnly(
                f"The store {path} has schema {found.schema}, this program needs {SCHEMA}, and {reason}.",
                todo="Open it once where it may be written, to bring it up to date.",
            )
        sqlite_make.migrate(location, path, wait)
    if reason is not None:
        return SqliteBackend(location, path, wait, mode=viewing_mode(path), read_only=reason)
    if not found.wal:
        sqlite_make.keep_a_log(path)
    return SqliteBackend(location, path, wait, mode="rw", read_only=None)


def _newer(path: Path, schema: int) -> StoreNewer:
    return StoreNewer(
        f"The store {path} has schema {schema}, and this program knows {SCHEMA} at most.",
        kept="It was not written.",
        todo="Use the newer Meminbox that wrote it.",
    )


def _why_read_only(path: Path, *, asked: bool) -> str | None:
    if not files.may_write(path):
        return f"the file {path} may not be written"
    if not files.may_write(path.parent):
        return f"the folder {path.parent} may not be written"
    return "it was opened for viewing only" if asked else None


def viewing_mode(path: Path) -> str:
    """How a file can be viewed: with its log where that works, else as a file that nobody changes."""
    raw = sqlite3.connect(uri(path, "ro"), uri=True)
    try:
        raw.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return "ro"
    except sqlite3.OperationalError as error:
        if log_size(path):
            raise StoreReadOnly(
                f"The store {path} has a log of newer changes that cannot be read here ({error}).",
                todo="Open it once where its folder may be written.",
            ) from error
        return "ro&immutable=1"
    except sqlite3.DatabaseError:
        return "ro"  # damaged: the first reading tells it by our name
    finally:
        raw.close()


def _warnings(path: Path) -> tuple[str, ...]:
    said = []
    if files.open_to_others(path):
        said.append(f"{path} can be read by others on this machine: chmod 600 it.")
    kind = files.network_kind(path)
    if kind is not None:
        said.append(f"{path} stands on a shared file system ({kind}), which can damage it: move it, or use PostgreSQL.")
    return tuple(said)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
