"""Make a SQLite file, or bring an older one up to date: beside or in one transaction, under one lock, never half."""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from store import files
from store import migrate as revisions
from store.dialects import sqlite_engine, sqlite_file
from store.dialects.sqlite_file import uri
from store.dialects.sqlite_quick import APPLICATION_ID
from store.errors import StoreDamaged, StoreTrouble
from store.location import Location

_COMPANIONS = ("", "-journal", "-wal", "-shm")


def create(location: Location, wait: float) -> None:
    """Make a new store beside and rename it in. Whoever comes second under the lock finds it made.

    Raises StoreDamaged where an old store once stood here: it is never replaced by an empty one.
    """
    path = location.path
    assert path is not None
    files.make_folder(location.folder)
    with files.locked(location.lock, wait, "making this store"):
        if path.exists():
            return
        _refuse_over_remains(location, path)
        prefix = f".{path.name}.making-"
        for stale in location.folder.glob(f"{_literal(prefix)}*"):
            _drop(stale)
        made = location.folder / f"{prefix}{os.getpid()}-{secrets.token_hex(4)}"
        os.close(files.make_file(made))
        try:
            _fill(made, location)
            files.replace(made, path)
        finally:
            for companion in _COMPANIONS:
                _drop(made.with_name(made.name + companion))


def migrate(location: Location, path: Path, wait: float) -> None:
    """Bring an older file up to date in one transaction, after a backup; the lock keeps others from doing the same.

    Raises StoreTrouble where the backup or a revision fails; the file is then as it was.
    """
    with files.locked(location.lock, wait, "bringing this store up to date"):
        found = sqlite_file.peek(location, path)
        if found.schema >= revisions.SCHEMA:
            return
        engine = sqlite_engine.make_engine(path, wait, foreign_keys=False)
        try:
            with engine.begin() as connection:
                # The write lock is held: what is copied now is exactly what the revisions will change.
                back_up(location, path, f"schema-{found.schema}")
                _upgrade(connection, path)
        except DBAPIError as error:
            ours = sqlite_engine.translate(error, location)
            if ours is None:
                raise StoreTrouble(
                    f"The store {path} could not be brought up to date: {error.orig}",
                    kept="It is as it was.",
                    todo=f"A backup stands in {location.backups}.",
                ) from error
            raise ours from error
        finally:
            engine.dispose()


def back_up(location: Location, path: Path, label: str, *, target: Path | None = None) -> Path:
    """Copy the committed state of the file, checked, 0600, and return the copy; writers go on meanwhile.

    It goes into the backups folder, named by ``label`` and the time, or to ``target``, which must not be there. Raises
    StoreFull, StoreReadOnly, or StoreDamaged where the copy is bad.
    """
    if target is None:
        files.make_folder(location.backups)
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        target = location.backups / f"{path.stem}.{label}.{moment}.db"
    made = target.with_name(f".{target.name}.making")
    os.close(files.make_file(made))
    try:
        with (
            closing(sqlite3.connect(uri(path, "ro"), uri=True)) as source,
            closing(sqlite3.connect(uri(made, "rw"), uri=True)) as copy,
        ):
            source.backup(copy)
            _stand_alone(copy, path)
        files.replace(made, target)
    except sqlite3.Error as error:
        ours = sqlite_engine.translate(error, location)
        raise ours or StoreTrouble(f"The store {path} could not be backed up: {error}") from error
    finally:
        for companion in _COMPANIONS:
            _drop(made.with_name(made.name + companion))
    return target


def stand_alone(made: Path, path: Path) -> None:
    """Leave a copy that nobody else has open in one file, and check it. Raises as ``back_up`` does."""
    with closing(sqlite3.connect(uri(made, "rw"), uri=True)) as copy:
        _stand_alone(copy, path)


def _stand_alone(copy: sqlite3.Connection, path: Path) -> None:
    copy.execute("PRAGMA journal_mode=DELETE")
    said = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
    if said != "ok":
        raise StoreDamaged(f"The store {path} cannot be backed up: {said}", kept="It was not written.")


def keep_a_log(path: Path) -> None:
    """Put a file that has lost it (a restored copy) back to a write-ahead log, unless somebody is using it now."""
    with closing(sqlite3.connect(uri(path, "rw"), uri=True, timeout=0)) as raw, suppress(sqlite3.OperationalError):
        raw.execute("PRAGMA journal_mode=WAL")


def _fill(made: Path, location: Location) -> None:
    engine = sqlite_engine.make_engine(made, 0)
    try:
        with engine.begin() as connection:
            revisions.upgrade(connection)
            connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
            connection.exec_driver_sql(f"PRAGMA user_version={revisions.SCHEMA}")
    except DBAPIError as error:
        ours = sqlite_engine.translate(error, location)
        if ours is None:
            raise
        raise ours from error
    finally:
        engine.dispose()
    with closing(sqlite3.connect(uri(made, "rw"), uri=True)) as raw:
        raw.execute("PRAGMA journal_mode=WAL")
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _upgrade(connection: Connection, path: Path) -> None:
    revisions.upgrade(connection)
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        raise StoreDamaged(
            f"The store {path} was not brought up to date: a row of {broken[0]} refers to a row of {broken[2]} "
            "that is not there.",
            kept="It is as it was.",
        )
    connection.exec_driver_sql(f"PRAGMA user_version={revisions.SCHEMA}")


def _refuse_over_remains(location: Location, path: Path) -> None:
    remains = [location.head] + [path.with_name(path.name + companion) for companion in _COMPANIONS[1:3]]
    left = next((one for one in remains if one.exists()), None) or sqlite_file.newest_backup(location)
    if left is not None:
        raise sqlite_file.damaged(
            location,
            f"{path} is gone, but {left.name} shows that a store stood here; a new one would hide the loss.",
            otherwise=f"To begin a new one all the same, move {left} away.",
        )


def _drop(path: Path) -> None:
    with suppress(FileNotFoundError):
        path.unlink()


def _literal(prefix: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in prefix)
