"""What a SQLite store holds ready for a hook, read with the standard library alone: within a few milliseconds of CPU.

Nothing here creates a file, writes, or waits for a writer. Wherever anything is not as expected the answer is None, and
whoever asked goes the slow way, which opens the store properly and tells what is wrong.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from collections import namedtuple
from itertools import pairwise

from store.block import FORM, MOST_COUNTED, unpacked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from typing import NamedTuple, TypeVar

    from store.block import Item

    T = TypeVar("T")

APPLICATION_ID = 0x4D454D49  # "MEMI"
SCHEMA = 4
"""The schema that these statements know: ``store.migrate.SCHEMA``, which costs SQLAlchemy to import."""
MOST_WAITING = 1_000
"""How far those that wait are counted."""
_PATIENCE = 0.1
"""Seconds to wait where a file is being recovered, the only moment when a reader cannot read."""
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~/")
_ACTIVE = "SELECT 1 FROM memory WHERE tenant_id = ? AND status = 'active' AND scope IN ({})"
_PAST = (
    "SELECT count(*) FROM memory WHERE tenant_id = ? AND status = 'active' AND valid_until IS NOT NULL"
    " AND valid_until <= ? AND scope IN ({})"
)
_WAITING = "SELECT 1 FROM proposal WHERE tenant_id = ? AND status IN ('draft', 'pending', 'deferred')"
"""With the condition of the index of what waits spelled out, so that it is taken."""

if TYPE_CHECKING:

    class Held(NamedTuple):
        """What agents are given of some scopes: a list of items for each, and how many memories there are in all."""

        items: list[list[Item]]
        total: int

else:
    Held = namedtuple("Held", "items total")


def held(path: str, tenant: str, scopes: Sequence[str], now: datetime) -> Held | None:
    """The items of these scopes, in their order, and how many of their memories are active at ``now``."""
    return _asked(path, lambda raw: _held(raw, tenant, scopes, now))


def waiting(path: str, tenant: str, scopes: Sequence[str]) -> tuple[int, int] | None:
    """How many proposals wait in these scopes, and how many in all others; each counted to ``MOST_WAITING``."""
    return _asked(path, lambda raw: _waiting(raw, tenant, scopes))


def confirmed(path: str, tenant: str, scope: str) -> tuple[str, ...] | None:
    """The folders for which a person confirmed that they have this scope."""
    return _asked(path, lambda raw: _confirmed(raw, tenant, scope))


def _confirmed(raw: sqlite3.Connection, tenant: str, scope: str) -> tuple[str, ...]:
    row = raw.execute("SELECT paths FROM scope WHERE tenant_id = ? AND identity = ?", (tenant, scope)).fetchone()
    return tuple(json.loads(row[0])) if row is not None else ()


def _asked(path: str, ask: Callable[[sqlite3.Connection], T | None]) -> T | None:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 (opening a pipe would wait for its writer for ever)
            return None
        raw = sqlite3.connect(_uri(path), uri=True, timeout=_PATIENCE, isolation_level=None)
    except (sqlite3.Error, OSError):
        return None
    try:
        raw.execute("BEGIN")
        marks = (raw.execute("PRAGMA application_id").fetchone(), raw.execute("PRAGMA user_version").fetchone())
        return ask(raw) if marks == ((APPLICATION_ID,), (SCHEMA,)) else None
    except (sqlite3.Error, ValueError, TypeError):
        return None
    finally:
        raw.close()


def _uri(path: str) -> str:
    spelled = "".join(chr(one) if chr(one) in _PLAIN else f"%{one:02X}" for one in os.fsencode(path))
    return f"file:{spelled}?mode=ro"


def _held(raw: sqlite3.Connection, tenant: str, scopes: Sequence[str], now: datetime) -> Held | None:
    places, moment = ", ".join("?" * len(scopes)), now.strftime("%Y-%m-%d %H:%M:%S.%f")
    chosen = f"SELECT scope, form, items FROM block WHERE tenant_id = ? AND scope IN ('', {places})"
    rows = {scope: (form, said) for scope, form, said in raw.execute(chosen, (tenant, *scopes))}
    if "" not in rows and raw.execute("SELECT 1 FROM memory LIMIT 1").fetchone() is None:
        return Held([[] for _ in scopes], 0)  # nothing was ever approved here
    if rows.get("", (None,))[0] != FORM:
        return None
    kept = {scope: unpacked(json.loads(said)) if form == FORM else None for scope, (form, said) in rows.items()}
    items = [kept.get(scope, []) for scope in scopes]
    whole = [one for one in items if one is not None]
    if len(whole) < len(items):
        return None
    active = f"SELECT count(*) FROM ({_ACTIVE.format(places)} LIMIT {MOST_COUNTED})"
    total = raw.execute(active, (tenant, *scopes)).fetchone()[0]
    past = raw.execute(_PAST.format(places), (tenant, moment, *scopes)).fetchone()[0]
    return Held(whole, total - past)


def _waiting(raw: sqlite3.Connection, tenant: str, scopes: Sequence[str]) -> tuple[int, int]:
    ours = [("scope = ?", (scope,)) for scope in scopes]
    return _counted(raw, tenant, ours), _counted(raw, tenant, _between(sorted(set(scopes))))


def _between(scopes: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Every other scope, as ranges of the index: ``NOT IN`` would walk over all that waits in these."""
    edges = [("scope > ? AND scope < ?", pair) for pair in pairwise(scopes)]
    return [("scope < ?", (scopes[0],)), *edges, ("scope > ?", (scopes[-1],))]


def _counted(raw: sqlite3.Connection, tenant: str, places: Sequence[tuple[str, tuple[str, ...]]]) -> int:
    """How many proposals wait in these places; no further than ``MOST_WAITING``."""
    parts, bound = [], []
    for status in ("pending", "deferred"):
        for place, values in places:
            parts.append(f"SELECT * FROM ({_WAITING} AND status = '{status}' AND {place} LIMIT {MOST_WAITING})")
            bound += [tenant, *values]
    (number,) = raw.execute(f"SELECT count(*) FROM ({' UNION ALL '.join(parts)})", bound).fetchone()
    return min(int(number), MOST_WAITING)
