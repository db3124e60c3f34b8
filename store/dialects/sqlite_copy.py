"""SQLite files as copies of a store: what one holds, and a copy poured back into the file that is in use."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from store.dialects import sqlite, sqlite_engine, sqlite_file
from store.dialects.sqlite_file import uri
from store.errors import MeminboxError, StoreBusy, StoreTrouble
from store.location import Location

_LOOKED_UP = 400


@dataclass(frozen=True, slots=True)
class Held:
    """What a file holds: its schema, rows of memories and proposals, and the newest seq and digest of each tenant."""

    schema: int
    memories: int
    proposals: int
    heads: dict[str, tuple[int, str]]


def look(location: Location, path: Path) -> Held:
    """What a file holds. Raises StoreDamaged, StoreTrouble; ``location`` is for the words of an error."""
    schema = sqlite_file.peek(location, path).schema
    try:
        with closing(_reading(path)) as raw:
            memories, proposals = (
                raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("memory", "proposal")
            )
            newest = raw.execute("SELECT tenant_id, max(seq), digest FROM operation GROUP BY tenant_id").fetchall()
    except sqlite3.Error as error:
        raise _told(error, location, path) from error
    return Held(schema, memories, proposals, {tenant: (seq, digest) for tenant, seq, digest in newest})


def holds_text_of(location: Location, path: Path, ids: list[str], scopes: list[str]) -> bool:
    """Whether a file holds a text of one of these memories or proposals, or what one of these scopes is called, or
    where its folder was. Raises as ``look`` does."""
    try:
        with closing(_reading(path)) as raw:
            for start in range(0, len(ids), _LOOKED_UP):
                part = ids[start : start + _LOOKED_UP]
                places = ", ".join("?" * len(part))
                for table in ("memory", "proposal"):
                    found = f"SELECT 1 FROM {table} WHERE content IS NOT NULL AND id IN ({places}) LIMIT 1"
                    if raw.execute(found, part).fetchone() is not None:
                        return True
            for one in scopes:
                called = "SELECT 1 FROM scope WHERE identity = ?1 AND label <> ?1"
                beside = "SELECT 1 FROM setting WHERE name IN ('place:' || ?1, 'label:' || ?1) LIMIT 1"
                if any(raw.execute(sought, (one,)).fetchone() is not None for sought in (called, beside)):
                    return True
    except sqlite3.Error as error:
        raise _told(error, location, path) from error
    return False


def beyond(location: Location, path: Path, made: Path) -> tuple[int, int]:
    """How many operations, and how many proposals that wait, of the file at ``path`` are not in ``made``.

    Raises as ``look`` does.
    """
    try:
        with closing(_reading(path)) as here, closing(_reading(made)) as there:
            steps = _missing(here, there, "operation")
            return steps, _missing(here, there, "proposal", " WHERE status IN ('draft', 'pending', 'deferred')")
    except sqlite3.Error as error:
        raise _told(error, location, path) from error


def _missing(here: sqlite3.Connection, there: sqlite3.Connection, table: str, which: str = "") -> int:
    known = {one for (one,) in there.execute(f"SELECT id FROM {table}")}
    return sum(one not in known for (one,) in here.execute(f"SELECT id FROM {table}{which}"))


def shared(location: Location, path: Path, heads: dict[str, tuple[int, str]]) -> dict[str, tuple[int, str]]:
    """Those of these operations (by tenant, seq and digest) that the file has as well. Raises as ``look`` does."""
    asked = "SELECT 1 FROM operation WHERE tenant_id = ? AND seq = ? AND digest = ?"
    try:
        with closing(_reading(path)) as raw:
            return {
                tenant: (seq, digest)
                for tenant, (seq, digest) in heads.items()
                if raw.execute(asked, (tenant, seq, digest)).fetchone() is not None
            }
    except sqlite3.Error as error:
        raise _told(error, location, path) from error


def take(location: Location, source: Path, target: Path) -> None:
    """Copy ``source``, wherever it comes from, to ``target``, an empty file of ours. Raises as ``look`` does."""
    try:
        with closing(_reading(source)) as there, closing(sqlite3.connect(uri(target, "rw"), uri=True)) as here:
            there.backup(here)
    except sqlite3.Error as error:
        raise _told(error, location, source) from error


def pour(location: Location, made: Path, path: Path, keep: Callable[[], Path], wait: float) -> Path:
    """Bring what ``made`` holds into the file at ``path`` in one transaction, as any commit reaches others.

    ``keep`` is called first, to copy what stands, and again where somebody commits meanwhile; its last answer is given
    back. The file stays the same file, so nobody who has it open writes past it. Raises StoreBusy after ``wait``
    seconds, and what ``keep`` raises; nothing was changed then.
    """
    until = time.monotonic() + wait

    def patient(status: int, _remaining: int, _total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > until:
            raise _busy(path)

    try:
        with (
            closing(_writing(path, wait)) as live,
            closing(_writing(path, wait)) as holder,
            closing(_reading(made)) as source,
        ):
            live.execute("PRAGMA secure_delete=ON")
            live.execute("PRAGMA synchronous=FULL")
            while True:
                # The one that is written into cannot hold the lock itself: another does, while what stands is copied.
                holder.execute("BEGIN IMMEDIATE")
                seen = live.execute("PRAGMA data_version").fetchone()
                kept = keep()
                holder.execute("ROLLBACK")
                if live.execute("PRAGMA data_version").fetchone() == seen:
                    break
                kept.unlink(missing_ok=True)
                if time.monotonic() > until:
                    raise _busy(path)
            source.backup(live, progress=patient, sleep=0.05)
            live.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise _told(error, location, path) from error
    return kept


def _writing(path: Path, wait: float) -> sqlite3.Connection:
    return sqlite3.connect(uri(path, "rw"), uri=True, timeout=wait, isolation_level=None)


def _busy(path: Path) -> StoreBusy:
    what = f"The store {path} is busy: other processes keep writing it."
    return StoreBusy(what, kept="Nothing was changed.", todo="Close them, and try again.")


def companions(path: Path) -> list[Path]:
    """The file itself and what SQLite keeps beside it, where they are there."""
    return [
        one for one in (path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal")) if one.exists()
    ]


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(uri(path, sqlite.viewing_mode(path)), uri=True, timeout=5.0)


def _told(error: sqlite3.Error, location: Location, path: Path) -> MeminboxError:
    ours = sqlite_engine.translate(error, location)
    return ours or StoreTrouble(f"{path} cannot be used: {error}.")
