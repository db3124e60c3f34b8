"""SQLite's connections and transactions, and its errors by our names."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, DateTime, Engine, QueuePool, create_engine, event
from sqlalchemy.dialects.sqlite import DATETIME

from store import stopping
from store.dialects.expressions import json_text, json_value, unreadable
from store.dialects.sqlite_file import damaged, uri
from store.errors import MeminboxError, StoreBusy, StoreFull, StoreLost, StoreReadOnly
from store.location import Location

_CONNECTION = ("foreign_keys=ON", "secure_delete=ON", "recursive_triggers=ON")
_READING, _WRITING = "cache_size=-256", "cache_size=-2000"
"""Kilobytes of the file that a connection keeps: a console has half a dozen of them, and the system keeps the file
itself. What is written stands there until it is kept, so a write has more."""
_ONLY_READS = "meminbox_only_reads"
_ASKED_EVERY = 100_000
"""Instructions of SQLite's machine, a few milliseconds, after which a reading asks whether it is still wanted."""
_UNKNOWN = "Whether the last act was kept is unknown: look before doing it again."


class _Moment(DATETIME):
    """A time as text. SQLite keeps whatever text is put there, so what is no time is damage, told as such."""

    cache_ok = True

    def result_processor(self, dialect: Any, coltype: Any) -> Any:
        read: Any = super().result_processor(dialect, coltype)

        def process(value: Any) -> Any:
            try:
                return read(value)
            except (ValueError, TypeError) as error:
                raise unreadable("a time", error) from error

        return process


def make_engine(path: Path, wait: float, *, mode: str = "rw", foreign_keys: bool = True) -> Engine:
    """An engine on one file that is there. Transactions begin IMMEDIATE, or deferred where ``reads`` is set.

    ``wait`` in seconds. ``foreign_keys`` are off only in a migration, so that no cascade can touch history.
    """

    def connect() -> sqlite3.Connection:
        raw = sqlite3.connect(uri(path, mode), uri=True, timeout=wait, isolation_level=None, check_same_thread=False)
        for pragma in (_READING, *(_CONNECTION if foreign_keys else _CONNECTION[1:])):
            raw.execute(f"PRAGMA {pragma}")
        return raw

    engine = create_engine(
        "sqlite://",
        creator=connect,
        poolclass=QueuePool,
        json_serializer=json_text,
        json_deserializer=json_value,
        hide_parameters=True,
    )

    engine.dialect.colspecs = {**engine.dialect.colspecs, DateTime: _Moment}

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        _begin_as_asked(connection, wait)

    return engine


def _begin_as_asked(connection: Connection, wait: float) -> None:
    options = connection.get_execution_options()
    run = connection.exec_driver_sql
    if options.get("reads"):
        if not connection.info.get(_ONLY_READS):  # kept by the connection: not asked for before every page
            run("PRAGMA query_only=ON")
            run(f"PRAGMA {_READING}")
            _raw(connection).set_progress_handler(stopping.asked, _ASKED_EVERY)
            connection.info[_ONLY_READS] = True
        run("BEGIN")
        return
    if connection.info.get(_ONLY_READS):
        _raw(connection).set_progress_handler(None, 0)  # what is being kept is stopped by the act itself, or not at all
    connection.info[_ONLY_READS] = False
    run("PRAGMA query_only=OFF")
    run(f"PRAGMA {_WRITING}")
    run("PRAGMA synchronous=FULL")
    own_wait: Any = options.get("wait")
    run(f"PRAGMA busy_timeout={_milliseconds(wait if own_wait is None else own_wait)}")
    try:
        run("BEGIN IMMEDIATE")
    finally:
        if own_wait is not None:
            run(f"PRAGMA busy_timeout={_milliseconds(wait)}")


def _raw(connection: Connection) -> sqlite3.Connection:
    raw: Any = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


def translate(error: BaseException, location: Location, *, committing: bool = False) -> MeminboxError | None:
    """The error of ours that an sqlite3 error means, or None where it means a fault in the program.

    SQLite rolls back whatever it could not commit, so nothing was changed, also where ``committing``.
    """
    original = getattr(error, "orig", error)
    if not isinstance(original, sqlite3.Error):
        return None
    name = getattr(original, "sqlite_errorname", "") or ""
    where, kept = location.described(), "Nothing was changed."
    if name == "SQLITE_INTERRUPT":
        return stopping.ActStopped()
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreBusy(f"The store {where} is busy: another process holds it.", kept=kept, todo="Try again.")
    if name == "SQLITE_READONLY_DBMOVED":
        return StoreLost(f"The store {where} was moved or deleted while it was open.", kept=kept)
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")):
        return StoreReadOnly(f"Not saved: the store {where} cannot be written.", kept=kept)
    if name.startswith("SQLITE_FULL"):
        return StoreFull(f"Not saved: the disk of {where} is full.", kept=kept, todo="Free some space.")
    if name.startswith("SQLITE_IOERR"):
        # A write that failed has put no end of the transaction into the log; only of a failed sync it cannot be told.
        doubt = committing and name != "SQLITE_IOERR_WRITE"
        said = f"{'' if doubt else 'Not saved: '}the disk of {where} is full or failing ({name})."
        return StoreFull(said[0].upper() + said[1:], kept="" if doubt else kept, todo=_UNKNOWN if doubt else "")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT")):
        return damaged(location, f"{where} is damaged ({original}).")
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_NOTFOUND")):
        return StoreLost(f"The store {where} cannot be opened: it is gone, or its folder may not be used.", kept=kept)
    if not name and str(original).startswith("Could not decode to UTF-8"):
        return unreadable("text", original)
    return None


def _milliseconds(seconds: float) -> int:
    return max(0, round(seconds * 1000))
