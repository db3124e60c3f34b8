"""What 1,000,000 versions cost: a page of one long history against raw sqlite3, the history screen and its keys.

Run from the project's root: ``python -m tests.bench.bench_history [VERSIONS]``. Half of the versions are one memory's,
the rest are ten to a memory. CPU time; the budgets are those of design section 11. What ``verify`` costs is apart.
"""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy import select, update

from console.screens.history import HistoryScreen
from store import queries
from store.engine import Store, open_store
from store.entry import Entry
from store.location import locate
from store.models import OperationRow, VersionRow
from store.reading import MEMORY
from tests.bench.bench_console import SCOPES, Painting, _resident, _until, running_console
from tests.bench.harness import least, say
from tests.bench.seed import START, fill

PAGE = 50
EACH = 10
KEYS = 60
OPERATION = "0198c0de-0000-7000-8000-000000000001"


def main() -> None:
    """Print one line a measure."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "versions.db"
        store = open_store(locate(str(path)))
        long, short = _filled(store, path, number)
        _pages(store, path, long, number // 2)
        store.close()
        asyncio.run(_screen(path, long, short, number))


def _filled(store: Store, path: Path, number: int) -> tuple[str, str]:
    """Write the versions; the ids of the memory with half of them, and of one with ten."""
    fill(store, memories_=number // 2 // EACH, scopes=SCOPES)
    with store.write() as connection:
        ids = list(connection.execute(select(MEMORY.c.id).order_by(MEMORY.c.id)).scalars())
        long = ids[-1]
        connection.execute(update(MEMORY).values(revision=EACH))
        connection.execute(update(MEMORY).where(MEMORY.c.id == long).values(revision=number // 2))
    raw = sqlite3.connect(str(path), isolation_level=None)
    raw.execute("PRAGMA synchronous=OFF")
    raw.execute("BEGIN")
    _insert(raw, OperationRow, [_operation(store.tenant)])
    lengths = [(own, EACH) for own in ids[:-1]] + [(long, number // 2)]
    rows = _versions(store.tenant, lengths)
    while part := list(islice(rows, 20_000)):
        _insert(raw, VersionRow, part)
    raw.execute("COMMIT")
    raw.close()
    return long, ids[-2]


def _operation(tenant: str) -> dict[str, Any]:
    return {
        "tenant_id": tenant,
        "id": OPERATION,
        "seq": 1,
        "action": "edit",
        "actor": "mia",
        "surface": "cli",
        "selection": "{}",
        "count": 0,
        "at": "2026-01-01 00:00:00.000000",
        "digest": "0" * 64,
    }


def _versions(tenant: str, lengths: list[tuple[str, int]]) -> Iterator[dict[str, Any]]:
    for own, length in lengths:
        for revision in range(1, length + 1):
            text = f"Run the tests with pytest -q before every commit, and read what they print: round {revision}."
            entry = Entry(scope=SCOPES[0], kind="fact", key=f"bench.{own[-6:]}", content=text, source="manual")
            yield {
                "tenant_id": tenant,
                "memory_id": own,
                "revision": revision,
                "status": "active",
                "entry": entry.canonical_json(),
                "previous_value": None,
                "action": "edit",
                "operation_id": OPERATION,
                "proposal_id": None,
                "at": (START + timedelta(seconds=revision)).strftime("%Y-%m-%d %H:%M:%S.000000"),
                "salt": "0",
                "commitment": "0",
            }


def _insert(raw: sqlite3.Connection, table: Any, rows: list[dict[str, Any]]) -> None:
    names = list(rows[0])
    marks = ", ".join(f":{name}" for name in names)
    raw.executemany(f"INSERT INTO {table.__tablename__} ({', '.join(names)}) VALUES ({marks})", rows)


def _pages(store: Store, path: Path, long: str, number: int) -> None:
    raw = sqlite3.connect(str(path), isolation_level=None)
    for name, newest in (("first", number), ("middle", number // 2), ("last", PAGE)):
        page = list(range(newest, newest - PAGE, -1))
        ours = least(partial(queries.memory_versions, store, long, revisions=page), 100)
        theirs = least(partial(_raw_page, raw, long, page), 100)
        shown = f"{ours * 1000:6.2f} ms, {ours / theirs:4.1f} x raw sqlite3"
        say(f"{name} page of {PAGE} versions of {number:,}", shown, "at most 3 x")
    raw.close()


def _raw_page(raw: sqlite3.Connection, memory_id: str, page: list[int]) -> list[Any]:
    """The same rows, with their entries and times read as Python's values."""
    marks = ", ".join("?" * len(page))
    found = raw.execute(
        "SELECT version.*, operation.actor, operation.surface FROM version JOIN operation "
        "ON operation.tenant_id = version.tenant_id AND operation.id = version.operation_id "
        f"WHERE version.tenant_id = 'local' AND version.memory_id = ? AND version.revision IN ({marks}) "
        "ORDER BY version.revision DESC",
        [memory_id, *page],
    )
    names = [column[0] for column in found.description]
    rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    for row in rows:
        row["entry"] = Entry.from_json(row["entry"])
        row["at"] = datetime.fromisoformat(row["at"])
    return rows


async def _screen(path: Path, long: str, short: str, number: int) -> None:
    """Open both histories and move in them, in turns."""
    costs: dict[str, dict[str, list[float]]] = {long: {}, short: {}}
    async with running_console(path) as app:
        gc.collect()
        before = _resident()
        for _ in range(3):
            for own, kept in costs.items():
                await _history(app, own, number // 2 if own == long else EACH, kept)
        gc.collect()
        say("memory of the history screen", f"{(_resident() - before) / 2**20:5.1f} MB over the queue", "")
    for what in ("open", "down", "G", "g"):
        ours, few = (median(costs[own][what]) * 1000 for own in (long, short))
        budget = "at most 1.3 x" if what == "down" else ""
        say(f"history of {number // 2:,}: {what}", f"{ours:6.1f} ms, {ours / few:4.2f} x one of {EACH}", budget)


async def _history(app: Painting, own: str, length: int, kept: dict[str, list[float]]) -> None:
    screen = HistoryScreen(own)

    def there() -> bool:
        return screen.ready and len(screen.listing.ids) == length and screen.painted_at() is not None

    began = time.process_time()
    await app.app.push_screen(screen)
    await _until(there)
    kept.setdefault("open", []).append(time.process_time() - began)
    for key, times in (("down", min(KEYS, length - 1)), ("g", 1), ("G", 1)):
        for _ in range(times):
            kept.setdefault(key, []).append((await app.key(key))[1])
            await _until(there)
    app.app.pop_screen()
    await app.settled()


if __name__ == "__main__":
    main()
