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
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any, Final

from sqlalchemy import Connection, Select, delete, insert, select, update
from sqlalchemy.exc import DataError, IntegrityError

from store import config, spool
from store.engine import Store
from store.facts import Outcome
from store.intake import take_spooled
from store.models import SettingRow
from store.reading import chunks

SETTING = SettingRow.__table__  # type: ignore[attr-defined]
MOST_LINES: Final = 1000
"""Lines of one transaction: the write lock is given back between."""
MOST_FILES: Final = 50
"""Files of one transaction, for the same reason: each costs its own look-ups."""
KEPT: Final = timedelta(days=1)
"""How long a mark outlives its file: a proposer reads its outcomes at once, or never."""
PURGED: Final = "spool-purged"
_MARK: Final = "spool:"


class _Reader:
    """One spool file, read ahead a transaction's worth of lines at a time, never under the write lock.

    ``lines`` stand at ``start`` of the file; ``ends`` tells that nothing follows them.
    """

    def __init__(self, file: spool.SpoolFile) -> None:
        self.file = file
        self.start = 0
        self.lines: list[spool.Line] = []
        self.ends = False
        self._source: Iterator[spool.Line] | None = None

    def move(self, start: int) -> bool:
        """Leave aside the lines before ``start``; whether what is at hand goes on from there."""
        aside = start - self.start
        if not 0 <= aside <= len(self.lines):
            return False
        self.start, self.lines = start, self.lines[aside:]
        return bool(self.lines) or self.ends

    def load(self, start: int) -> None:
        """Have the lines from ``start`` at hand. Raises SpoolGone, SpoolDamaged."""
        goes_on = self._source is not None and start == self.start + len(self.lines)
        if self._source is not None and self.move(start):
            return
        if self._source is None or not goes_on:
            self._source = spool.read(self.file, skip=start)
        self.start, self.lines = start, list(islice(self._source, MOST_LINES))
        self.ends = len(self.lines) < MOST_LINES


@dataclass(frozen=True, slots=True)
class _Piece:
    """The lines of one file that a transaction takes, from ``start`` on; ``last`` where none follow."""

    file: spool.SpoolFile
    start: int
    lines: list[spool.Line]
    last: bool


class Draining:
    """One pass over a spool folder, oldest file first."""

    def __init__(self, store: Store, *, wait: float | None, seconds: float | None, own: str | None = None) -> None:
        """``own`` is the id of a file that is taken whole once its turn has come, whatever ``seconds`` says."""
        self._store = store
        self._wait = wait
        self._until = None if seconds is None else time.monotonic() + seconds
        self._own = own
        self._config = config.load()
        self._place = _place(store)
        self._readers: dict[str, _Reader] = {}
        self._reached: dict[str, int] = {}
        self._careful = 0
        """How many lines are still to be taken one by one, after one of them was refused by the engine."""

    def run(self) -> int:
        """Take what there is; lines taken. Raises StoreTrouble; what was taken before that stays taken."""
        waiting = spool.files(self._store.location.spool)
        lines = 0
        while waiting and (not self._late() or waiting[0].id == self._own):
            self._load(waiting)
            if not waiting:
                break
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
        """Read ahead in the next files. One that is gone was taken by another; one that is damaged is set aside."""
        lines = 0
        for file in waiting[:MOST_FILES]:
            reader = self._readers.setdefault(file.id, _Reader(file))
            try:
                reader.load(self._reached.get(file.id, 0))
            except (spool.SpoolGone, spool.SpoolDamaged):
                self._drop(waiting, file)
                continue
            lines += len(reader.lines)
            if lines >= MOST_LINES:
                return

    def _drop(self, waiting: list[spool.SpoolFile], file: spool.SpoolFile) -> None:
        waiting.remove(file)
        self._readers.pop(file.id, None)

    def _transaction(self, waiting: list[spool.SpoolFile], *, refusing: str | None = None) -> int:
        """One transaction's worth of lines; files that are done with leave ``waiting`` and, after it, the disk."""
        finished: list[spool.SpoolFile] = []
        with self._store.write(wait=self._wait) as connection:
            pieces = self._pieces(connection, waiting, finished)
            lines = [line for piece in pieces for line in piece.lines]
            if refusing is not None:
                outcomes = [Outcome(line=line.raw.line, status="refused", reason=refusing) for line in lines]
            else:
                limits, rules = self._config.limits, self._config.rules
                outcomes = take_spooled(self._store, connection, lines, limits=limits, rules=rules)
            self._mark(connection, pieces, outcomes)
            self._purge(connection)
        self._reached |= {piece.file.id: piece.start + len(piece.lines) for piece in pieces}
        for file in (*finished, *(piece.file for piece in pieces if piece.last)):
            self._drop(waiting, file)
            spool.discard(file)
        self._careful = max(0, self._careful - len(lines))
        return len(lines)

    def _pieces(
        self, connection: Connection, waiting: list[spool.SpoolFile], finished: list[spool.SpoolFile]
    ) -> list[_Piece]:
        """What this transaction takes, oldest first. Under the write lock a mark, or its absence, is final."""
        room = 1 if self._careful else MOST_LINES
        ready = [self._readers[file.id] for file in waiting if file.id in self._readers]
        marks = _values(connection, self._store.tenant, [_MARK + reader.file.id for reader in ready])
        pieces: list[_Piece] = []
        for reader in ready:
            mark = marks.get(_MARK + reader.file.id)
            if (mark is not None and mark["done"]) or (mark is None and not reader.file.path.exists()):
                finished.append(reader.file)
                continue
            start = int(mark["taken"]) if mark is not None else 0
            self._reached[reader.file.id] = start
            if not reader.move(start) or room <= 0:
                break
            lines = reader.lines[:room]
            last = reader.ends and len(lines) == len(reader.lines)
            pieces.append(_Piece(reader.file, start, lines, last))
            room -= len(lines)
            if not last:
                break
        return pieces

    def _mark(self, connection: Connection, pieces: list[_Piece], outcomes: list[Outcome]) -> None:
        """Write how far each file was taken, and what became of its lines."""
        told = iter(outcomes)
        for piece in pieces:
            name, reached = _MARK + piece.file.id, piece.start + len(piece.lines)
            if piece.lines:
                part = [outcome.as_dict() for outcome in islice(told, len(piece.lines))]
                self._set(connection, f"{name}:{piece.start}", {"outcomes": part}, fresh=True)
            mark = {"taken": reached, "done": piece.last, "place": self._place}
            self._set(connection, name, mark, fresh=piece.start == 0)

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
