"""The spool into the store, exactly once each line (``desk.drain``).

How: each transaction that takes lines of a file also writes how far it came (setting ``spool:<file id>``) and what
became of them (``spool:<file id>:<first line>``). A file is discarded only after the mark that ends it is committed,
and a mark is purged only after its file is gone. So, under the write lock, a file that is there without a mark was
never touched, whoever died where; and a proposer whose file someone else took reads its outcomes from the marks.
"""

from __future__ import annotations

import hashlib
import platform
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Connection, Select, delete, insert, select, update
from sqlalchemy.exc import DataError, IntegrityError

from store import config, spool
from store.engine import Store
from store.facts import Outcome
from store.intake import take
from store.models import SettingRow
from store.reading import chunks
from store.spooled import Batch, Unreadable, unpack

SETTING = SettingRow.__table__  # type: ignore[attr-defined]
MOST_LINES: Final = 1000
"""Lines of one transaction: the write lock is given back between."""
MOST_FILES: Final = 50
"""Files of one transaction, for the same reason: each costs its own look-ups."""
KEPT: Final = timedelta(days=1)
"""How long a mark outlives its file: a proposer reads its outcomes at once, or never."""
PURGED: Final = "spool-purged"
_MARK: Final = "spool:"


@dataclass(frozen=True, slots=True)
class _Piece:
    """The lines ``start`` to ``end`` of one file, and whether it is the first piece of it."""

    file: spool.SpoolFile
    batch: Batch
    start: int
    end: int
    first: bool


class Draining:
    """One pass over a spool folder, oldest file first."""

    def __init__(self, store: Store, *, wait: float | None, seconds: float | None, own: str | None = None) -> None:
        """``own`` is the id of a file that is taken whole once its turn has come, whatever ``seconds`` says."""
        self._store = store
        self._wait = wait
        self._until = None if seconds is None else time.monotonic() + seconds
        self._own = own
        self._limits = config.load().limits
        self._place = _place(store)
        self._batches: dict[str, Batch] = {}
        self._careful = 0
        """How many lines are still to be taken one by one, after one of them was refused by the engine."""

    def run(self) -> int:
        """Take what there is; lines taken. Raises StoreTrouble; what was taken before that stays taken."""
        waiting = list(spool.files(self._store.location.spool))
        lines = 0
        while waiting and (not self._late() or waiting[0].id == self._own):
            self._load(waiting)
            try:
                lines += self._transaction(waiting)
            except (IntegrityError, DataError):
                # No line may keep those behind it from the queue: find the one, and refuse it in words.
                if self._careful:
                    lines += self._transaction(waiting, refusing="the store cannot hold this line")
                else:
                    self._careful = MOST_LINES
        return lines

    def _late(self) -> bool:
        return self._until is not None and time.monotonic() >= self._until

    def _load(self, waiting: list[spool.SpoolFile]) -> None:
        """Read the next files before the lock is taken. What is gone was taken by another; what is not ours is kept."""
        lines = 0
        for file in waiting[:MOST_FILES]:
            if lines >= MOST_LINES:
                return
            try:
                if file.id not in self._batches:
                    self._batches[file.id] = unpack(spool.read(file))
                lines += len(self._batches[file.id].proposals)
            except FileNotFoundError:
                waiting.remove(file)
            except Unreadable as error:
                waiting.remove(file)
                spool.set_aside(file, str(error))

    def _transaction(self, waiting: list[spool.SpoolFile], *, refusing: str | None = None) -> int:
        """One transaction's worth of lines; files that are done with leave ``waiting`` and, after it, the disk."""
        finished: list[spool.SpoolFile] = []
        taken = 0
        with self._store.write(wait=self._wait) as connection:
            for piece in self._pieces(connection, waiting, finished):
                self._take(connection, piece, refusing)
                taken += piece.end - piece.start
            self._purge(connection)
        for file in finished:
            waiting.remove(file)
            self._batches.pop(file.id, None)
            spool.discard(file)
        self._careful = max(0, self._careful - taken)
        return taken

    def _pieces(
        self, connection: Connection, waiting: list[spool.SpoolFile], finished: list[spool.SpoolFile]
    ) -> Iterator[_Piece]:
        """What this transaction takes, oldest first. Under the write lock a mark, or its absence, is final."""
        room = 1 if self._careful else MOST_LINES
        ready = [file for file in waiting if file.id in self._batches]
        marks = _values(connection, self._store.tenant, [_MARK + file.id for file in ready])
        for file in ready:
            mark, batch = marks.get(_MARK + file.id), self._batches[file.id]
            start = int(mark["taken"]) if mark is not None else 0
            if start >= len(batch.proposals) or (mark is None and not file.path.exists()):
                finished.append(file)
                continue
            piece = _Piece(file, batch, start, min(start + room, len(batch.proposals)), mark is None)
            room -= piece.end - piece.start
            yield piece
            if piece.end == len(batch.proposals):
                finished.append(file)
            if room <= 0:
                return

    def _take(self, connection: Connection, piece: _Piece, refusing: str | None) -> None:
        lines = piece.batch.proposals[piece.start : piece.end]
        if refusing is not None:
            outcomes = [Outcome(line=raw.line, status="refused", reason=refusing) for raw in lines]
        else:
            outcomes = take(self._store, connection, lines, context=piece.batch.context, limits=self._limits)
        name = _MARK + piece.file.id
        told = {"outcomes": [asdict(outcome) for outcome in outcomes]}
        self._set(connection, f"{name}:{piece.start}", told, fresh=True)
        reached = {"taken": piece.end, "lines": len(piece.batch.proposals), "place": self._place}
        self._set(connection, name, reached, fresh=piece.first)

    def _set(self, connection: Connection, name: str, value: dict[str, Any], *, fresh: bool) -> None:
        tenant, at = self._store.tenant, self._store.now()
        if fresh:
            connection.execute(insert(SETTING), [{"tenant_id": tenant, "name": name, "value": value, "at": at}])
        else:
            named = update(SETTING).where(SETTING.c.tenant_id == tenant, SETTING.c.name == name)
            connection.execute(named.values(value=value, at=at))

    def _purge(self, connection: Connection) -> None:
        """Once a day, forget the marks of this folder whose files are long gone."""
        tenant, now = self._store.tenant, self._store.now()
        last = connection.execute(
            select(SETTING.c.at).where(SETTING.c.tenant_id == tenant, SETTING.c.name == PURGED)
        ).scalar()
        if last is not None and abs(now - last) < KEPT:
            return
        self._set(connection, PURGED, {}, fresh=last is None)
        there = {file.id for file in spool.files(self._store.location.spool)}
        old = select(SETTING.c.name, SETTING.c.value).where(
            SETTING.c.tenant_id == tenant, SETTING.c.name.startswith(_MARK), SETTING.c.at < now - KEPT
        )
        ours, parts = [], []
        for row in connection.execute(old):
            _, _, rest = row.name.partition(":")
            file_id, _, first = rest.partition(":")
            if first:
                parts.append((file_id, row.name))
            elif row.value.get("place") == self._place and file_id not in there:
                ours.append(file_id)
        names = [_MARK + one for one in ours] + [name for one, name in parts if one in set(ours)]
        for part in chunks(names):
            connection.execute(delete(SETTING).where(SETTING.c.tenant_id == tenant, SETTING.c.name.in_(part)))


def outcomes(store: Store, file_id: str) -> list[Outcome]:
    """What became of the lines of a spool file that were taken so far, in order, whoever took them."""
    with store.read() as connection:
        mark = _values(connection, store.tenant, [_MARK + file_id]).get(_MARK + file_id)
        told: list[Outcome] = []
        while mark is not None and len(told) < mark["taken"]:
            name = f"{_MARK}{file_id}:{len(told)}"
            part = _values(connection, store.tenant, [name]).get(name)
            if part is None:
                break
            told += [Outcome(**values) for values in part["outcomes"]]
        return told


def _values(connection: Connection, tenant: str, names: list[str]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for part in chunks(names):
        chosen: Select[Any] = select(SETTING.c.name, SETTING.c.value).where(
            SETTING.c.tenant_id == tenant, SETTING.c.name.in_(part)
        )
        found |= {row.name: row.value for row in connection.execute(chosen)}
    return found


def _place(store: Store) -> str:
    """This machine's spool folder, for marks: many machines may share one PostgreSQL."""
    return hashlib.sha256(f"{platform.node()}\x00{store.location.spool}".encode("utf-8", "replace")).hexdigest()[:16]
