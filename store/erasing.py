"""After an erasure: the bytes go from the files too, from the backups and from what stands beside the store.

The order: first the ids are noted beside the store, so that no backup brings a text back; then what waits or was set
aside beside the store; then the database is cleaned; then every backup; last the files are searched for what went.
Each step may be repeated. Where one cannot be done now (another process reads), the store remembers that it is due.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select

from store import erase, erased, files, traces
from store.dialects.expressions import json_text
from store.engine import Store, open_store
from store.erased import Ids
from store.errors import MeminboxError
from store.facts import Actor, Operation
from store.location import Location, home, locate
from store.models import SettingRow
from store.restoring import leftovers

Tell = Callable[[str], None]
PROMISES: Final = (
    "What no program can promise: copies made elsewhere (backups that you put in another place, snapshots, exports, a "
    "synchronised folder), what agents were told already and keep in their own transcripts, blocks that a disk has "
    "remapped, and what stands in the scrollback of a terminal."
)
SERVER: Final = (
    "On PostgreSQL also: the server's write-ahead log, its archives, replicas and dumps keep what they hold until "
    "they are rotated."
)
KEPT: Final = (
    "Kept: that something was erased, when and by whom; what projects are compared by; names and reasons that people "
    "typed, and the folders that they confirmed a scope for, in the log; who was given it and when; and a fingerprint "
    "of each text, so that an agent that proposes it again is told no. Who guesses the exact text could check the "
    "guess."
)


@dataclass(frozen=True, slots=True)
class Proof:
    """How clean it is. ``due`` names what could not be done now, ``left`` where bytes were found that should be gone,
    ``elsewhere`` what still says the same and was not asked to be erased; all in words that may hold agents' text."""

    files: int
    pieces: int
    left_out: int
    due: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing is left that should be gone."""
        return not self.due and not self.left


def run(
    store: Store, extent: erase.Extent, *, by: Actor, everything: bool = False, tell: Tell | None = None
) -> tuple[Operation | None, Proof]:
    """Erase, clean every file, and search them. Without anything to erase only the cleaning is done again.

    What waits in the spool should have been taken in before. Raises StoreTrouble before anything was changed.
    """
    _told(tell, "erasing the texts")
    operation = erase.blank(store, extent, by=by) if extent.ids else None
    return operation, finish(store, by=by, texts=extent.texts, everything=everything, tell=tell)


def finish(
    store: Store,
    *,
    by: Actor,
    texts: frozenset[str] = frozenset(),
    everything: bool = False,
    tell: Tell | None = None,
) -> Proof:
    """Clean what erasures have left to do, and search for ``texts``; everything may be repeated, also by another run.

    ``everything`` removes the backups instead of clearing each; ``tell`` hears, in words, which step begins. Raises
    StoreTrouble where the ids cannot be noted.
    """
    pending = erase.unfinished(store)
    ids = Ids()
    for some in pending.values():
        ids |= some
    erased.note(store.location, ids)
    size = sum(one.stat().st_size for one in places(store.location))
    wanted = traces.sought(texts, traces.most_in(size))
    _told(tell, "cleaning the files")
    due = [*_beside(store.location, wanted, everything=everything), *_scrubbed(store)]
    known = erased.known(store.location, store)
    # Of an earlier erasure the names may be given anew by now: those of this one alone go from the backups.
    gone = Ids(known.memories, known.proposals, ids.scopes)
    due += _backups(store, gone, by, everything=everything, anew=not texts or wanted.left_out > 0, tell=tell)
    _told(tell, "searching the files")
    if not due:
        erase.finished(store, pending)
    return _searched(store, wanted, tuple(due))


def _told(tell: Tell | None, words: str) -> None:
    if tell is not None:
        tell(words)


def places(location: Location) -> list[Path]:
    """Every file that is ours at this place: the database, its companions, what stands beside it, and crash reports."""
    found: list[Path] = []
    with suppress(OSError):
        for one in sorted(location.folder.iterdir()):
            name = one.name.removeprefix(".")
            own = location.path is not None and name.startswith(location.path.stem)
            if own or name.startswith(location.stem):
                found += _files(one)
    return found + list(_files(home() / "reports"))


def _files(place: Path) -> Iterator[Path]:
    if place.is_symlink():
        place = place.resolve()
    if place.is_file():
        yield place
    elif place.is_dir():
        yield from (one for one in sorted(place.rglob("*")) if one.is_file() and not one.is_symlink())


def _scrubbed(store: Store) -> tuple[str, ...]:
    try:
        return store.backend.scrub()
    except MeminboxError as error:  # a full disk, most likely: no reader finds the texts, but their bytes are there
        return (f"the files could not be written anew ({error}); then `meminbox erase --finish`",)


def _beside(location: Location, wanted: traces.Sought, *, everything: bool) -> list[str]:
    """Remove what killed processes left, and the set-aside files and reports in which a text stands."""
    due: list[str] = []
    for folder in leftovers(location):
        shutil.rmtree(folder, ignore_errors=True)
    aside = [*_files(location.spool / "bad"), *_files(location.notes / "bad")]
    aside += [one for folder in (location.spool, location.notes) for one in _files(folder) if one.suffix == ".part"]
    aside += [one for one in _files(location.backups) if one.suffix == ".making" or ".db-kept" in one.name]
    needles, reports = (*wanted.pieces, *wanted.words), list(_files(home() / "reports"))
    searched = reports if everything else [*aside, *reports]
    gone = [*(aside if everything else ()), *traces.in_files(searched, needles)]
    for path in gone:
        try:
            path.unlink(missing_ok=True)
            path.with_suffix(".reason").unlink(missing_ok=True)
        except OSError as error:
            due.append(f"{path} could not be removed ({error.strerror})")
    return due


# -- the backups


def _backups(store: Store, ids: Ids, by: Actor, *, everything: bool, anew: bool, tell: Tell | None = None) -> list[str]:
    """Clear every backup beside the store of what was erased; what could not be, in words."""
    due: list[str] = []
    location = store.location
    if location.path is None or not location.backups.is_dir():
        return due
    found = sorted(location.backups.glob("*.db"))
    for number, path in enumerate(found, start=1):
        _told(tell, f"clearing backup {number:,} of {len(found):,}")
        try:
            if everything:
                path.unlink()
            else:
                _cleared(location, path, ids, by, anew=anew)
        except (MeminboxError, OSError) as error:
            due.append(f"the backup {path} could not be cleared and still holds it: remove it ({error})")
    return due


def _cleared(location: Location, path: Path, ids: Ids, by: Actor, *, anew: bool) -> None:
    """Erase in a copy of one backup, and put the copy in its place; one that holds nothing of it stays as it is.

    What was freed in a backup was overwritten, so it is written ``anew`` only where not every text can be looked for.
    """
    from store.dialects import sqlite_copy, sqlite_make

    if not sqlite_copy.holds_text_of(locate(str(path)), path, ids.all, sorted(ids.scopes)):
        return
    times = path.stat()
    folder = Path(tempfile.mkdtemp(prefix=f".{location.stem}.rewriting-", dir=location.folder))
    try:
        place = locate(str(folder / "meminbox.db"))
        assert place.path is not None
        os.close(files.make_file(place.path))
        sqlite_copy.take(locate(str(path)), path, place.path)
        copy = open_store(place)
        try:
            erased.again(copy, ids, by)
            erase.finished(copy, erase.unfinished(copy))
            due = copy.backend.scrub(anew=anew)
        finally:
            copy.close()
        if due:
            raise OSError("; ".join(due))
        sqlite_make.stand_alone(place.path, place.path)
        os.utime(place.path, ns=(times.st_atime_ns, times.st_mtime_ns))
        files.replace(place.path, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# -- the proof


def _searched(store: Store, wanted: traces.Sought, due: tuple[str, ...]) -> Proof:
    """Search every file. What a row that was not to be erased says as well is told apart."""
    needles = (*wanted.pieces, *wanted.words)
    found = traces.in_files(places(store.location), needles)
    # The rows of a store that is a file are in it: what is not found there need not be asked for.
    there = set().union(*found.values()) if store.location.path is not None else needles
    said = _said_elsewhere(store, [one for one in needles if one in there])
    left = [
        f"{path}: {len(pieces)} of what was erased"
        for path, all_of_it in sorted(found.items())
        if (pieces := [one for one in all_of_it if one not in said])
    ]
    told = {where: None for piece in wanted.pieces for where in said.get(piece, ())}
    return Proof(len(places(store.location)), len(needles), wanted.left_out, due, tuple(left), tuple(told)[:_MOST_TOLD])


_MOST_TOLD: Final = 8
_AT_ONCE: Final = 200
"""Rows searched together."""


def _said_elsewhere(store: Store, needles: Sequence[str]) -> dict[str, list[str]]:
    """By piece, some rows that still say it: others' texts, reasons in the log. What only the schema says has none."""
    found: dict[str, list[str]] = {}
    if not needles:
        return found
    tables = [table for table in SettingRow.metadata.sorted_tables if table.name not in ("embedding",)]
    with store.read() as connection:
        schema = store.backend.schema_text(connection)
        found |= {piece: [] for piece in needles if piece in schema}
        open_ = list(needles)
        for table in tables:
            ours = select(table).where(table.c.tenant_id == store.tenant).execution_options(yield_per=_AT_ONCE)
            for rows in connection.execute(ours).partitions(_AT_ONCE):
                said = [_spelled(row) for row in rows]
                together = "\n".join(said)
                for piece in open_:
                    if piece in together:
                        names = (_name(table.name, row) for row, one in zip(rows, said, strict=True) if piece in one)
                        found.setdefault(piece, []).extend(names)
                open_ = [piece for piece in open_ if len(found.get(piece, ())) < _MOST_TOLD]
                if not open_:
                    return found
    return found


def _spelled(row: Any) -> str:
    texts = [
        value if isinstance(value, str) else json_text(value) for value in row if isinstance(value, (str, dict, list))
    ]
    plain = "\n".join(texts)
    return f"{plain}\n{plain.casefold()}"


def _name(table: str, row: Any) -> str:
    values = row._mapping
    own = values.get("id") or values.get("memory_id") or values.get("owner_id") or values.get("name") or ""
    if table in ("operation", "decision"):
        own = values.get("operation_id") or own
        return f"the log, whose reasons stay as they were typed (step {str(own)[-6:]})"
    return f"{table.replace('_', ' ')} {str(own)[-6:] if table in ('memory', 'proposal') else own}"
