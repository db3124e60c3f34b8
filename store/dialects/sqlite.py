"""SQLite: connections, transactions, and its errors by our names."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event

from store.errors import StoreBusy, StoreDamaged, StoreFull, StoreReadOnly, StoreTrouble

APPLICATION_ID = 0x4D454D49  # "MEMI"


def make_engine(path: Path, wait: float) -> Engine:
    """An engine on one file. Writes begin IMMEDIATE after synchronous=FULL; reads are deferred. ``wait`` in seconds."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": wait, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _connect(raw: Any, _record: Any) -> None:
        raw.isolation_level = None
        for pragma in ("journal_mode=WAL", "foreign_keys=ON", "secure_delete=ON", "recursive_triggers=ON"):
            raw.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if connection.get_execution_options().get("writes"):
            connection.exec_driver_sql("PRAGMA synchronous=FULL")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql("BEGIN")

    return engine


def translate(error: BaseException, where: str) -> StoreTrouble | None:
    """The error of ours that an sqlite3 error means, or None where it means a fault in the program."""
    original = getattr(error, "orig", error)
    if not isinstance(original, sqlite3.Error):
        return None
    name = getattr(original, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreBusy(f"The store {where} is busy: another process holds it.", kept="Nothing was changed.")
    if name.startswith("SQLITE_READONLY"):
        return StoreReadOnly(f"The store {where} cannot be written.", kept="Nothing was changed.")
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return StoreFull(f"Not saved: the disk of {where} is full or failing.", kept="Nothing was changed.")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return StoreDamaged(f"The store {where} is damaged.", kept="It was not written.", todo="Restore a backup.")
    return None
