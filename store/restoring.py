"""Bringing a backup back: copied aside, brought up to date and verified first; what stood is kept, then replaced whole.

What is poured into the file that is in use reaches others as a commit does. What was erased since the backup was made
is erased in it again, before it takes the store's place (``store.erased``).
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import func, select, update

from store import files, head
from store.engine import Store, open_store
from store.entry import iso
from store.errors import MeminboxError, NotFound, StoreDamaged, UsageError
from store.facts import Actor
from store.ledger import Act
from store.location import Location, locate
from store.models import EmbeddingRow
from store.verify import verify

EMBEDDING = EmbeddingRow.__table__  # type: ignore[attr-defined]
WAIT: Final = 10.0
"""Seconds at most for other writers."""
_STALE: Final = 3600
"""Seconds after which what a killed process left behind is cleaned away."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A backup that was found whole, in a copy beside the store. ``newest`` is the time of its last operation.

    ``gone`` tells how many operations the present store has that it has not, ``unseen`` how many proposals that wait;
    None where the present one cannot be read.
    """

    place: Location
    memories: int
    proposals: int
    operations: int
    newest: datetime | None
    gone: int | None
    unseen: int | None


@dataclass(frozen=True, slots=True)
class Restored:
    """``kept`` is where what stood before is now; None where nothing stood. ``erased`` were erased again."""

    kept: Path | None
    erased: int


@contextmanager
def prepared(location: Location, file: Path) -> Iterator[Prepared]:
    """A copy of ``file`` at the present schema, verified; it is removed afterwards.

    Raises NotFound, UsageError (PostgreSQL, or the store itself), StoreDamaged, StoreNewer, StoreFull. The store and
    the file are only read.
    """
    if location.path is None:
        raise UsageError("A store on PostgreSQL is restored by its server.", todo="Use pg_restore.")
    if not files.there(file):
        raise NotFound(f"There is no file {file}.", kept="Nothing was changed.")
    if files.there(location.path) and location.path.samefile(file):
        raise UsageError(f"{file} is the store itself.", kept="Nothing was changed.", todo="Name a backup.")
    from store.dialects import sqlite_copy

    files.make_folder(location.folder)
    for old in leftovers(location):
        with suppress(OSError):
            if abs(time.time() - old.stat().st_mtime) > _STALE:
                shutil.rmtree(old, ignore_errors=True)
    sqlite_copy.look(locate(str(file)), file)
    with files.told(location.folder):
        folder = Path(tempfile.mkdtemp(prefix=f".{location.stem}.restoring-", dir=location.folder))
    try:
        place = locate(str(folder / "meminbox.db"))
        assert place.path is not None
        os.close(files.make_file(place.path))
        sqlite_copy.take(locate(str(file)), file, place.path)
        _expect_whole(place, file)
        held = sqlite_copy.look(place, place.path)
        operations = sum(seq for seq, _ in held.heads.values())
        gone, unseen = _gone(location, place.path)
        yield Prepared(place, held.memories, held.proposals, operations, _newest(place), gone, unseen)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def restore(location: Location, backup: Prepared, *, by: Actor) -> Restored:
    """Put a prepared backup in the place of the store; what stood is kept in the backups folder first.

    Raises StoreBusy, StoreFull, StoreReadOnly; nothing was changed then. The act is an operation of the restored log.
    """
    assert location.path is not None
    assert backup.place.path is not None
    from store.dialects import sqlite_copy, sqlite_make

    made, path = backup.place.path, location.path.resolve()
    live = _usable(location)
    shared = sqlite_copy.look(backup.place, made).heads
    if live is not None:
        shared = sqlite_copy.shared(location, path, shared)
    again = _made_ready(location, backup, live, by)
    held = sqlite_copy.look(backup.place, made)
    # What both have seen is noted first: whichever of them stands after a kill is then found whole.
    noted = _noted(location)
    head.put_back(location, shared if live is not None else {})
    try:
        if live is None:
            kept = _replaced(location, made)
        else:
            live.close()
            kept = sqlite_copy.pour(
                location, made, path, lambda: sqlite_make.back_up(location, path, "before-restore"), WAIT
            )
    except BaseException:
        head.put_back(location, noted)
        raise
    head.put_back(location, held.heads)
    return Restored(kept, again)


def _noted(location: Location) -> dict[str, tuple[int, str]]:
    try:
        return head.read(location)
    except ValueError:
        return {}


def _expect_whole(place: Location, file: Path) -> None:
    """A file from anywhere may hold triggers of its own making, whatever its chain says."""
    if _schema(place) != _schema(locate(str(place.folder / "fresh.db"))):
        raise StoreDamaged(
            f"{file} has other tables or triggers than a store of ours.",
            kept="Nothing was changed.",
            todo="Try another one.",
        )
    store = open_store(place)
    try:
        broken = verify(store)
    finally:
        store.close()
    if broken is not None:
        raise StoreDamaged(f"{file} is not whole: {broken.what}", kept="Nothing was changed.", todo="Try another one.")


def _schema(place: Location) -> list[str]:
    store = open_store(place)
    try:
        with store.read() as connection:
            said = store.backend.schema_text(connection).splitlines()
            return sorted(line for line in said if "sqlite_stat" not in line)
    finally:
        store.close()


def _newest(place: Location) -> datetime | None:
    store = open_store(place)
    try:
        with store.read() as connection:
            from store.ledger import OPERATION

            at: datetime | None = connection.scalar(select(OPERATION.c.at).order_by(OPERATION.c.seq.desc()).limit(1))
            return at.astimezone(UTC) if at is not None else None
    finally:
        store.close()


def _gone(location: Location, made: Path) -> tuple[int, int] | tuple[None, None]:
    assert location.path is not None
    from store.dialects import sqlite_copy

    try:
        if not files.there(location.path):
            return None, None
        sqlite_copy.look(location, location.path)
        return sqlite_copy.beyond(location, location.path, made)
    except MeminboxError:
        return None, None


def _usable(location: Location) -> Store | None:
    """The store that stands, where it can be read whole; else it is moved aside, not written into."""
    assert location.path is not None
    if not files.there(location.path):
        return None
    store: Store | None = None
    try:
        store = open_store(location)
        with store.read() as connection:
            if store.backend.quick_check(connection) is None:
                return store
    except StoreDamaged:
        pass
    if store is not None:
        store.close()
    return None


def _made_ready(location: Location, backup: Prepared, live: Store | None, by: Actor) -> int:
    """In the copy: erase again what was erased since, and record the act; how many were erased again."""
    from store import erased

    made = open_store(backup.place)
    try:
        again = erased.again(made, erased.known(location, live), by)
        if again:
            made.backend.scrub()
        with made.write() as connection:
            # Who keeps vectors in memory asks for those with a higher serial than the last it saw.
            connection.execute(update(EMBEDDING).values(serial=EMBEDDING.c.serial + _highest_serial(live)))
            act = Act(made, connection, by, "restore", selection={"as_of": iso(backup.newest)})
            act.commit()
    finally:
        made.close()
    return again


def _highest_serial(live: Store | None) -> int:
    if live is None:
        return 0
    with live.read() as connection:
        return int(connection.scalar(select(func.max(EMBEDDING.c.serial))) or 0)


def _replaced(location: Location, made: Path) -> Path | None:
    """Put the copy where no usable store stands; what stood is moved to the backups folder as it is."""
    assert location.path is not None
    from store.dialects import sqlite_copy, sqlite_make

    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    path = location.path.resolve()
    kept: Path | None = None
    with files.locked(location.lock, WAIT, "making this store"):
        for old in sqlite_copy.companions(path):
            files.make_folder(location.backups)
            name = location.backups / f"{path.stem}.broken.{moment}.db-kept{old.name[len(path.name) :]}"
            with files.told(name):
                old.rename(name)
            kept = kept or name
        sqlite_make.keep_a_log(made)
        files.replace(made, path)
    return kept


def leftovers(location: Location) -> list[Path]:
    """The folders that a restoring or rewriting left behind when it was killed."""
    found: list[Path] = []
    for prefix in (".restoring-", ".rewriting-"):
        with suppress(OSError):
            found += [one for one in location.folder.iterdir() if one.name.startswith(f".{location.stem}{prefix}")]
    return found
