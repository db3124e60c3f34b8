"""The notes beside a store into it (``store.notes``): hand-outs and uses, agents seen, claims.

Each transaction takes many notes and deletes their files only after its commit. Taking one twice does nothing more: a
hand-out is known by its note's id, a claim by what it claims, and what is seen only moves first and last apart.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, select, update

from store import notes
from store.engine import Store
from store.entry import iso
from store.files import make_private
from store.models import HandoutRow, SettingRow, SupportRow, UsageRow
from store.reading import MEMORY, chunks

HANDOUT = HandoutRow.__table__  # type: ignore[attr-defined]
SETTING = SettingRow.__table__  # type: ignore[attr-defined]
SUPPORT = SupportRow.__table__  # type: ignore[attr-defined]
USAGE = UsageRow.__table__  # type: ignore[attr-defined]
AGENT: Final = "agent:"
"""How the settings begin that tell of agents."""
FORGOTTEN: Final = "handouts-forgotten"
"""The setting whose time tells when old hand-outs were let go last."""
KEPT: Final = timedelta(days=90)
"""How long it stays on record which session was given what."""
MOST_NOTES: Final = 200
"""Notes of one transaction: the write lock is given back between."""
_MOST_BYTES: Final = 256 * 1024
_MOST_GIVEN: Final = 2_000
_PART_AGE: Final = 24 * 3600
_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Seen:
    """An agent as it was seen: ``event`` is the last one heard; the rest is what was known then, or None."""

    first: datetime
    last: datetime
    event: str
    version: str | None = None
    session_id: str | None = None
    transcript: str | None = None
    cwd: str | None = None


class _Wrong(Exception):
    """Why a file is no note, in words."""


@dataclass(frozen=True, slots=True)
class _Note:
    id: str
    path: Path
    what: str
    at: datetime
    said: dict[str, Any]


def take(store: Store, *, wait: float | None, seconds: float | None) -> int:
    """Take in what there is; how many notes. Raises StoreTrouble; what was taken before that stays taken."""
    folder = store.location.notes
    _clean(folder)
    taken, until = 0, None if seconds is None else time.monotonic() + seconds
    for part in chunks(notes.files(folder), MOST_NOTES):
        if taken and until is not None and time.monotonic() >= until:
            break
        found = [note for note in map(_read, part) if note is not None]
        if found:
            with store.write(wait=wait) as connection:
                _hand_out(store, connection, [note for note in found if note.what == "handout"])
                _see(store, connection, [note for note in found if note.what == "seen"])
                _claim(store, connection, [note for note in found if note.what == "claim"])
                _forget(store, connection)
        for note in found:
            note.path.unlink(missing_ok=True)
        taken += len(found)
    return taken


def last_seen(store: Store) -> dict[str, Seen]:
    """By agent, when it was seen first and last, and what is known of it."""
    with store.read() as connection:
        chosen = select(SETTING.c.name, SETTING.c.value).where(
            SETTING.c.tenant_id == store.tenant, SETTING.c.name.startswith(AGENT)
        )
        told = {row.name[len(AGENT) :]: _held(row.value) for row in connection.execute(chosen)}
        return {agent: _seen(value) for agent, value in told.items() if value}


def _held(value: Any) -> dict[str, Any]:
    """What a setting holds of an agent, or nothing, where it is not what is written there."""
    if not isinstance(value, dict):
        return {}
    try:
        times = [datetime.fromisoformat(value[name]).astimezone(UTC) for name in ("first", "last")]
    except (KeyError, TypeError, ValueError, OverflowError):
        return {}
    texts = {name: value.get(name) for name in ("event", *_KNOWN)}
    whole = all(one is None or isinstance(one, str) for one in texts.values()) and texts["event"] is not None
    return {"first": iso(times[0]), "last": iso(times[1]), **texts} if whole else {}


def _seen(value: dict[str, Any]) -> Seen:
    times = {name: datetime.fromisoformat(value[name]) for name in ("first", "last")}
    return Seen(**times, **{name: value.get(name) for name in ("event", *_KNOWN)})  # type: ignore[arg-type]


# -- reading a note


def _read(path: Path) -> _Note | None:
    """One note; None where another process took it, or where it is none and was set aside."""
    try:
        return _note(path)
    except FileNotFoundError:
        return None
    except (_Wrong, OSError) as why:
        _set_aside(path, str(why))
        return None


def _note(path: Path) -> _Note:
    note_id = path.name.removesuffix(".json")
    if _ID.fullmatch(note_id) is None:
        raise _Wrong("its name is not an id")
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as source:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise _Wrong("it is not a file")
        data = source.read(_MOST_BYTES + 1)
    try:
        said = json.loads(data.decode("utf-8"))
        if not isinstance(said, dict) or said.pop("meminbox_note") != notes.FORMAT:
            raise _Wrong(f"it is not a note of format {notes.FORMAT}")
        what, at = said.pop("what"), datetime.fromisoformat(said.pop("at")).astimezone(UTC)
        _SHAPES[what](**said)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise _Wrong(f"it cannot be read as a note ({type(error).__name__})") from None
    return _Note(note_id, path, what, at, said)


def _text(name: str, value: Any, *, needed: bool = False) -> None:
    if value is None and not needed:
        return
    if not isinstance(value, str) or not 0 < len(value) <= notes.LENGTHS[name] or not value.isprintable():
        raise ValueError(name)


def _known_id(value: Any) -> None:
    if not isinstance(value, str) or _ID.fullmatch(value) is None:
        raise ValueError("not an id")


def _is_handout(given: Any, session_id: Any, agent: Any, surface: Any) -> None:
    if not isinstance(given, list) or not 0 < len(given) <= _MOST_GIVEN:
        raise ValueError("given")
    for memory_id, revision in given:
        _known_id(memory_id)
        if type(revision) is not int or not 0 < revision < 1 << 31:
            raise ValueError("revision")
    _text("session_id", session_id)
    _text("agent", agent)
    _text("surface", surface, needed=True)


def _is_seen(agent: Any, event: Any, version: Any, session_id: Any, transcript: Any, cwd: Any) -> None:
    _text("agent", agent, needed=True)
    _text("event", event, needed=True)
    for name, value in (
        ("version", version),
        ("session_id", session_id),
        ("transcript", transcript),
        ("cwd", cwd),
    ):
        _text(name, value)


def _is_claim(memory_id: Any, kind: Any, ref: Any) -> None:
    _known_id(memory_id)
    _text("ref", ref, needed=True)
    if kind not in notes.CLAIMS:
        raise ValueError("kind")


_SHAPES: Final[dict[str, Callable[..., None]]] = {"handout": _is_handout, "seen": _is_seen, "claim": _is_claim}


def _set_aside(path: Path, reason: str) -> None:
    """Move a file to ``bad`` with its reason beside it; where that cannot be, it stays, and is in nobody's way."""
    bad = path.parent / "bad"
    with suppress(OSError):
        make_private(bad)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        with os.fdopen(os.open(bad / f"{path.name}.reason", flags, 0o600), "wb") as out:
            out.write(f"{reason}\n".encode("utf-8", "backslashreplace"))
        path.rename(bad / path.name)


def _clean(folder: Path) -> None:
    """Clean away what killed writers left more than a day ago."""
    with suppress(OSError):
        for path in folder.iterdir():
            if path.name.endswith(".part") and time.time() - path.lstat().st_mtime > _PART_AGE:
                path.unlink()


def _forget(store: Store, connection: Connection) -> None:
    """Once a day, let go of the hand-outs of a quarter ago: what was used how often stays counted in ``usage``."""
    now, place = store.now(), and_(SETTING.c.tenant_id == store.tenant, SETTING.c.name == FORGOTTEN)
    last = connection.execute(select(SETTING.c.at).where(place)).scalar()
    if last is not None and abs(now - last) < timedelta(days=1):
        return
    # Ids begin with the millisecond in which they were made, and the primary key with the id.
    milliseconds = f"{max(0, int((now - KEPT).timestamp() * 1000)):012x}"
    before = f"{milliseconds[:8]}-{milliseconds[8:]}-"
    connection.execute(delete(HANDOUT).where(HANDOUT.c.tenant_id == store.tenant, HANDOUT.c.id < before))
    if last is None:
        connection.execute(insert(SETTING), [{"tenant_id": store.tenant, "name": FORGOTTEN, "value": {}, "at": now}])
    else:
        connection.execute(update(SETTING).where(place).values(at=now))


# -- into the store, under the write lock


def _hand_out(store: Store, connection: Connection, found: Sequence[_Note]) -> None:
    there: set[str] = set()
    for part in chunks([note.id for note in found]):
        chosen = select(HANDOUT.c.id).distinct().where(HANDOUT.c.tenant_id == store.tenant, HANDOUT.c.id.in_(part))
        there |= {row.id for row in connection.execute(chosen)}
    rows, used = [], dict[str, tuple[int, datetime]]()
    for note in found:
        if note.id in there:
            continue
        who = {name: note.said[name] for name in ("session_id", "agent", "surface")}
        for memory_id, revision in dict(note.said["given"]).items():
            own = {"tenant_id": store.tenant, "id": note.id, "memory_id": memory_id, "revision": revision}
            rows.append(own | who | {"at": note.at})
            times, last = used.get(memory_id, (0, note.at))
            used[memory_id] = (times + 1, max(last, note.at))
    if rows:
        connection.execute(insert(HANDOUT), rows)
        _count_uses(store.tenant, connection, used)


def _count_uses(tenant: str, connection: Connection, used: dict[str, tuple[int, datetime]]) -> None:
    _have_usage(tenant, connection, used)
    before: dict[str, datetime | None] = {}
    for part in chunks(list(used)):
        chosen = select(USAGE.c.memory_id, USAGE.c.last_used).where(
            USAGE.c.tenant_id == tenant, USAGE.c.memory_id.in_(part)
        )
        before |= {row.memory_id: row.last_used for row in connection.execute(chosen)}
    counted = (
        update(USAGE)
        .where(USAGE.c.tenant_id == tenant, USAGE.c.memory_id == bindparam("b_id"))
        .values(uses=USAGE.c.uses + bindparam("b_times"), last_used=bindparam("b_last"))
    )
    rows = []
    for one, (times, last) in used.items():
        earlier = before.get(one)
        rows.append({"b_id": one, "b_times": times, "b_last": last if earlier is None else max(last, earlier)})
    connection.execute(counted, rows)


def _have_usage(tenant: str, connection: Connection, memory_ids: Iterable[str]) -> None:
    """Give those of these memories that have none their row of counters."""
    wanted, there = list(memory_ids), set[str]()
    for part in chunks(wanted):
        chosen = select(USAGE.c.memory_id).where(USAGE.c.tenant_id == tenant, USAGE.c.memory_id.in_(part))
        there |= {row.memory_id for row in connection.execute(chosen)}
    fresh = [
        {"tenant_id": tenant, "memory_id": one, "uses": 0, "support": 0, "claimed_support": 0}
        for one in wanted
        if one not in there
    ]
    if fresh:
        connection.execute(insert(USAGE), fresh)


_KNOWN: Final = ("version", "session_id", "transcript", "cwd")


def _see(store: Store, connection: Connection, found: Sequence[_Note]) -> None:
    for agent in sorted({note.said["agent"] for note in found}):
        name = AGENT + agent
        place = and_(SETTING.c.tenant_id == store.tenant, SETTING.c.name == name)
        before = connection.execute(select(SETTING.c.value).where(place)).first()
        value = _held(before.value) if before is not None else {}
        now = store.now()
        for note in sorted((note for note in found if note.said["agent"] == agent), key=lambda note: note.at):
            value = _seen_again(value, note, now)
        if before is None:
            row = {"tenant_id": store.tenant, "name": name, "value": value, "at": store.now()}
            connection.execute(insert(SETTING), [row])
        elif value != before.value:
            connection.execute(update(SETTING).where(place).values(value=value, at=store.now()))


def _seen_again(value: dict[str, Any], note: _Note, now: datetime) -> dict[str, Any]:
    """What is known of an agent after one more note. What a clock that was ahead wrote gives way to the present."""
    at, present = iso(min(note.at, now)), iso(now)
    assert at is not None
    assert present is not None
    first, last = min(value.get("first", at), at), value.get("last", at)
    last = at if last > present else max(last, at)
    if last != at:
        return value | {"first": first}
    # An event that does not tell the version or the place takes neither away.
    known = {name: note.said[name] for name in _KNOWN if note.said[name] is not None}
    return value | {"first": first, "last": last, "event": note.said["event"]} | known


def _claim(store: Store, connection: Connection, found: Sequence[_Note]) -> None:
    tenant, touched = store.tenant, set[str]()
    for note in found:
        own = {"owner_id": note.said["memory_id"], "kind": note.said["kind"], "ref": note.said["ref"]}
        stands = select(MEMORY.c.id).where(MEMORY.c.tenant_id == tenant, MEMORY.c.id == own["owner_id"])
        same = [SUPPORT.c.tenant_id == tenant, *(SUPPORT.c[name] == value for name, value in own.items())]
        if connection.execute(stands).first() is None or connection.execute(select(SUPPORT.c.at).where(*same)).first():
            continue
        connection.execute(insert(SUPPORT), [{"tenant_id": tenant, **own, "claimed": True, "at": note.at}])
        touched.add(note.said["memory_id"])
    if touched:
        _have_usage(tenant, connection, sorted(touched))
        number = (
            select(func.count())
            .select_from(SUPPORT)
            .where(SUPPORT.c.tenant_id == tenant, SUPPORT.c.owner_id == USAGE.c.memory_id, SUPPORT.c.claimed.is_(True))
            .scalar_subquery()
        )
        mine = and_(USAGE.c.tenant_id == tenant, USAGE.c.memory_id.in_(sorted(touched)))
        connection.execute(update(USAGE).where(mine).values(claimed_support=number))
