"""What a SQLite file is, told from its first bytes: nothing is opened, and nothing written, before it is known."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from store.dialects.sqlite_quick import APPLICATION_ID
from store.errors import StoreDamaged, StoreReadOnly, StoreTrouble
from store.location import Location

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100


@dataclass(frozen=True, slots=True)
class Peeked:
    """The marks of a file that is ours: its schema number, and whether it keeps a write-ahead log."""

    schema: int
    wal: bool


def uri(path: Path, mode: str) -> str:
    """The SQLite URI of a file. ``mode`` is rw or ro, which never create, or ``ro&immutable=1``."""
    return f"file:{quote(os.fsencode(path))}?mode={mode}"


def peek(location: Location, path: Path) -> Peeked:
    """Tell what stands at ``path`` without writing a byte.

    Raises StoreDamaged, naming the file and the newest backup, where it is empty, truncated, or not ours.
    """
    try:
        wal_before = log_size(path)
        header, size = _first_bytes(path)
        pages_missing = _pages_missing(header, size)
        if pages_missing and not wal_before and not log_size(path):
            # A checkpoint that ended between the looks can only have made the file whole: look once more.
            header, size = _first_bytes(path)
            pages_missing = _pages_missing(header, size) and not log_size(path)
        else:
            pages_missing = False
    except PermissionError as error:
        raise StoreReadOnly(f"The store {path} may not be read.", todo="Ask its owner.") from error
    except OSError as error:
        raise StoreTrouble(f"The store {path} cannot be read: {error.strerror}.") from error
    fault = _fault(header, size, pages_missing)
    if fault is None:
        application, schema = _marks(path, header)
        if application != APPLICATION_ID:
            fault = "is a database of another program"
        elif schema < 1:
            fault = "holds no schema"
    if fault is not None:
        raise damaged(location, f"{path} {fault}.")
    return Peeked(schema=schema, wal=header[18] == 2)


def log_size(path: Path) -> int:
    """The bytes of the write-ahead log beside ``path``; 0 where there is none."""
    try:
        return path.with_name(path.name + "-wal").stat().st_size
    except FileNotFoundError:
        return 0


def damaged(location: Location, what: str, *, otherwise: str = "") -> StoreDamaged:
    """The refusal of a file that cannot be relied on, with the way back, and what one may do ``otherwise``."""
    backup = newest_backup(location)
    todo = f"Restore the newest backup: {backup}" if backup else "No backup stands beside it."
    todo = f"{todo} {otherwise}".rstrip()
    return StoreDamaged(f"The store cannot be used: {what}", kept="It was not written.", todo=todo)


def newest_backup(location: Location) -> Path | None:
    """The newest backup beside the store, or None."""
    try:
        found = [one for one in location.backups.iterdir() if one.suffix == ".db" and not one.name.startswith(".")]
    except OSError:
        return None
    return max(found, key=lambda one: (one.stat().st_mtime_ns, one.name), default=None)


def _first_bytes(path: Path) -> tuple[bytes, int]:
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        return b"", -1
    with path.open("rb") as stream:
        header = stream.read(_HEADER)
        return header, os.fstat(stream.fileno()).st_size


def _fault(header: bytes, size: int, pages_missing: bool) -> str | None:
    if size < 0:
        return "is not a file"
    if size == 0:
        return "is empty, zero bytes: something emptied it, or it was never a store"
    if header[: len(_MAGIC)] != _MAGIC[: len(header)]:
        return "is not a SQLite database"
    if pages_missing or len(header) < _HEADER:
        return f"is cut short: {size:,} bytes are fewer than its own first page promises"
    return None


def _pages_missing(header: bytes, size: int) -> bool:
    if len(header) < _HEADER or header[:16] != _MAGIC:
        return False
    page = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    counted = header[24:28] == header[92:96]  # else an old SQLite wrote last, and the number means nothing
    return counted and size < pages * (65536 if page == 1 else page)


def _marks(path: Path, header: bytes) -> tuple[int, int]:
    """The application id and schema number; from the log where one holds newer pages than the file."""
    if log_size(path):
        try:
            with closing(sqlite3.connect(uri(path, "ro"), uri=True, timeout=1.0)) as raw:
                application = raw.execute("PRAGMA application_id").fetchone()[0]
                return int(application), int(raw.execute("PRAGMA user_version").fetchone()[0])
        except sqlite3.Error:
            pass  # what is wrong will be told by the opening itself; the file's own marks must do
    return int.from_bytes(header[68:72], "big"), int.from_bytes(header[60:64], "big")
