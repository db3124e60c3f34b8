"""What looking through the log costs: a page, a detail, a filter and a key, at 1,000 and at 100,000 operations.

Run from the project's root: ``python -m tests.bench.bench_activity [ROWS]``. Every operation of the log has a memory of
its own, but for the newest, which has half as many as there are operations. CPU time, the least or the median of many.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from datetime import timedelta
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy import insert, select, update

from console.screens.activity import ActivityScreen
from store import activity
from store.engine import Store, open_store
from store.entry import commitment
from store.facts import Operation
from store.ids import new_id
from store.location import locate
from store.log_changes import change_ids, changes
from store.log_filter import read_log
from store.models import HandoutRow, MemoryRow, OperationRow, VersionRow
from store.reading import chunks, memories
from store.told import telling, told_ids, told_rows
from tests.bench.bench_console import Painting, running_console
from tests.bench.harness import least, say
from tests.bench.seed import START, fill

SMALL = 1_000
KEYS = 60
PAGE = 96
FILTERS = ("by:mia", "by:nobody", "action:approve", "since:3d", "scope:shop", "pytest", "zebra")
HANDED = 10_000


def main() -> None:
    """Print one line a measure."""
    large = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        few, many = (_filled(Path(folder), rows) for rows in (SMALL, large))
        pages: dict[int, dict[str, float]] = {}
        for rows, db in ((SMALL, few), (large, many)):
            store = open_store(locate(str(db)))
            pages[rows] = _read(store)
            store.close()
        for what, cost in pages[large].items():
            small = pages[SMALL][what]
            say(f"{what} at {large:,}", f"{cost * 1000:6.1f} ms, {cost / small:4.2f} x at {SMALL:,}", "")
        asyncio.run(_keys(few, many, large))


def _read(store: Store) -> dict[str, float]:
    """What each question costs that the screens ask."""
    log = activity.log(store)
    names = list(islice(log, 1, 1 + PAGE))
    deep = list(log[len(log) // 2 : len(log) // 2 + PAGE])
    rows = activity.rows(store, [log[0], names[0]])
    batch, single = rows[log[0]].operation, rows[names[0]].operation
    ids = change_ids(store, batch)
    held = next(iter(change_ids(store, single)))
    handed = told_ids(store, held)
    costs = {
        "which steps there are": least(lambda: activity.log(store)),
        f"{PAGE} newest": least(lambda: activity.rows(store, names)),
        f"{PAGE} in the middle": least(lambda: activity.rows(store, deep)),
        "a step's parts": least(lambda: _detail(store, single)),
        "ids of a step with half as many parts": least(lambda: change_ids(store, batch), 3),
        f"{PAGE} of its parts": least(lambda: changes(store, batch, list(ids[:PAGE]))),
        "whether it can be taken back": least(lambda: activity.standing(store, batch), 3),
        f"{HANDED:,} hand-outs of a memory": least(lambda: told_ids(store, held), 3),
        "their numbers": least(lambda: telling(store, held), 3),
        f"{PAGE} of them": least(lambda: told_rows(store, held, list(handed[:PAGE]))),
    }
    for line in FILTERS:
        flt = read_log(line)
        costs[f"filter {line}"] = least(lambda flt=flt: activity.log(store, flt), 3)  # type: ignore[misc]
    return costs


def _detail(store: Store, operation: Operation) -> None:
    changes(store, operation, list(change_ids(store, operation)))
    activity.standing(store, operation)


async def _keys(few: Path, many: Path, large: int) -> None:
    """The cursor at both sizes."""
    costs: dict[Path, dict[str, list[tuple[float, float]]]] = {few: {}, many: {}}
    for _ in range(2):
        for db, kept in costs.items():
            async with running_console(db) as app:
                await app.key("4")
                assert isinstance(app.app.screen, ActivityScreen)
                assert len(app.app.screen.listing.ids) == (SMALL if db is few else large)
                for key, times in (("down", KEYS), ("pagedown", KEYS // 3), ("G", 1), ("up", KEYS), ("g", 1)):
                    kept.setdefault(key, []).extend([await _settled(app, key) for _ in range(times)])
    for key in ("down", "up", "pagedown", "G", "g"):
        for part, words in enumerate(("until painted", "with detail and rows")):
            small, big = (median(one[part] for one in costs[db][key]) for db in (few, many))
            shown = f"{big * 1000:6.1f} ms, {big / small:4.2f} x at {SMALL:,}"
            say(f"key {key} at {large:,}, {words}", shown, "at most 1.3 x" if key in ("down", "up") else "")


async def _settled(app: Painting, key: str) -> tuple[float, float]:
    return await app.key(key)


def _filled(folder: Path, rows: int) -> Path:
    """A store of ``rows`` operations, as many memories, and hand-outs of the newest of them."""
    path = folder / f"{rows}.db"
    store = open_store(locate(str(path)))
    fill(store, memories_=rows)
    own = {"tenant_id": store.tenant, "digest": "0" * 64, "action": "approve", "surface": "cli", "selection": {}}
    table: Any = MemoryRow.__table__  # type: ignore[attr-defined]
    with store.read() as connection:
        ids = list(connection.execute(select(table.c.id).order_by(table.c.id)).scalars())
    singles, batch, seq = ids[: rows - 1], ids[: rows // 2], 0
    for part in chunks(singles, 5_000):
        made = [new_id() for _ in part]
        with store.write() as connection:
            operations = []
            for operation in made:
                seq += 1
                at = START + timedelta(seconds=seq)
                operations.append({**own, "id": operation, "seq": seq, "actor": "mia", "count": 1, "at": at})
            connection.execute(insert(OperationRow.__table__), operations)  # type: ignore[attr-defined]
            held = memories(connection, store.tenant, part)
            versions = [_version(store, *pair, 1) for pair in zip(made, held, strict=True)]
            connection.execute(insert(VersionRow.__table__), versions)  # type: ignore[attr-defined]
    newest = new_id()
    with store.write() as connection:
        last = {"id": newest, "seq": seq + 1, "actor": "ada", "count": len(batch), "at": START + timedelta(days=9)}
        connection.execute(insert(OperationRow.__table__), [{**own, **last, "action": "expire"}])  # type: ignore[attr-defined]
    for part in chunks(batch, 5_000):
        with store.write() as connection:
            versions = [_version(store, newest, one, 2) for one in memories(connection, store.tenant, part)]
            connection.execute(insert(VersionRow.__table__), versions)  # type: ignore[attr-defined]
            connection.execute(update(table).where(table.c.id.in_(part)).values(revision=2, status="expired"))
    with store.write() as connection:
        handed = [
            {"tenant_id": store.tenant, "id": new_id(), "memory_id": singles[-1], "revision": 1, "agent": "codex"}
            | {"session_id": f"s-{n}", "surface": "hook", "at": START + timedelta(minutes=n)}
            for n in range(HANDED)
        ]
        connection.execute(insert(HandoutRow.__table__), handed)  # type: ignore[attr-defined]
    store.close()
    return path


def _version(store: Store, operation: str, memory: Any, revision: int) -> dict[str, Any]:
    spelled, status = memory.entry.canonical_json(), "active" if revision == 1 else "expired"
    return {
        "tenant_id": store.tenant,
        "memory_id": memory.id,
        "revision": revision,
        "status": status,
        "entry": spelled,
        "previous_value": None,
        "action": "approve" if revision == 1 else "expire",
        "operation_id": operation,
        "proposal_id": None,
        "at": memory.updated_at,
        "salt": "0",
        "commitment": commitment("0", spelled, None, status, revision),
    }


if __name__ == "__main__":
    main()
