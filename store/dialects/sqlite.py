"""SQLite: connections, transactions, change watch, and its errors by our names."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event

from store import files
from store.dialects import sqlite_file, sqlite_make
from store.dialects.expressions import json_text
from store.dialects.sqlite_file import damaged, log_size, uri
from store.errors import (
    NotFound,
    StoreBusy,
    StoreFull,
    StoreLost,
    StoreNewer,
    StoreReadOnly,
    StoreTrouble,
)
from store.location import Location
from store.migrate import SCHEMA
from store.watch import ChangeWatch

_CONNECTION = ("foreign_keys=ON", "secure_delete=ON", "recursive_triggers=ON")
_UNKNOWN = "Whether the last act was kept is unknown: look before doing it again."


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

    def translate(self, error: BaseException, *, committing: bool) -> StoreTrouble | None:
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
    if not location.path.exists():
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
        return SqliteBackend(location, path, wait, mode=_viewing_mode(path), read_only=reason)
    if not found.wal:
        sqlite_make.keep_a_log(path)
    return SqliteBackend(location, path, wait, mode="rw", read_only=None)


def make_engine(path: Path, wait: float, *, mode: str = "rw", foreign_keys: bool = True) -> Engine:
    """An engine on one file that is there. Transactions begin IMMEDIATE, or deferred where ``reads`` is set.

    ``wait`` in seconds. ``foreign_keys`` are off only in a migration, so that no cascade can touch history.
    """

    def connect() -> sqlite3.Connection:
        raw = sqlite3.connect(uri(path, mode), uri=True, timeout=wait, isolation_level=None, check_same_thread=False)
        for pragma in _CONNECTION if foreign_keys else _CONNECTION[1:]:
            raw.execute(f"PRAGMA {pragma}")
        return raw

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, json_serializer=json_text)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        _begin_as_asked(connection, wait)

    return engine


def _begin_as_asked(connection: Connection, wait: float) -> None:
    options = connection.get_execution_options()
    run = connection.exec_driver_sql
    if options.get("reads"):
        run("PRAGMA query_only=ON")
        run("BEGIN")
        return
    run("PRAGMA query_only=OFF")
    run("PRAGMA synchronous=FULL")
    own_wait: Any = options.get("wait")
    run(f"PRAGMA busy_timeout={_milliseconds(wait if own_wait is None else own_wait)}")
    run("BEGIN IMMEDIATE")
    if own_wait is not None:
        run(f"PRAGMA busy_timeout={_milliseconds(wait)}")


def translate(error: BaseException, location: Location, *, committing: bool = False) -> StoreTrouble | None:
    """The error of ours that an sqlite3 error means, or None where it means a fault in the program.

    SQLite rolls back whatever it could not commit, so nothing was changed, also where ``committing``.
    """
    original = getattr(error, "orig", error)
    if not isinstance(original, sqlite3.Error):
        return None
    name = getattr(original, "sqlite_errorname", "") or ""
    where, kept = location.described(), "Nothing was changed."
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreBusy(f"The store {where} is busy: another process holds it.", kept=kept, todo="Try again.")
    if name == "SQLITE_READONLY_DBMOVED":
        return StoreLost(f"The store {where} was moved or deleted while it was open.", kept=kept)
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")):
        return StoreReadOnly(f"Not saved: the store {where} cannot be written.", kept=kept)
    if name.startswith("SQLITE_FULL"):
        return StoreFull(f"Not saved: the disk of {where} is full.", kept=kept, todo="Free some space.")
    if name.startswith("SQLITE_IOERR"):
        said = "Not saved: the disk of {} is full or failing ({})."
        return StoreFull(said.format(where, name), kept="" if committing else kept, todo=_UNKNOWN if committing else "")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT")):
        return damaged(location, f"{where} is damaged ({original}).")
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_NOTFOUND")):
        return StoreLost(f"The store {where} cannot be opened: it is gone, or its folder may not be used.", kept=kept)
    return None


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


def _viewing_mode(path: Path) -> str:
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


def _milliseconds(seconds: float) -> int:
    return max(0, round(seconds * 1000))
