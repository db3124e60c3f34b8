"""What expiring many at once costs, beside raw sqlite3 doing the same work on a copy of the same file.

Run from the project's root: ``python -m tests.bench.bench_outdated [ROWS]`` (50,000 of twice as many memories expire).
The raw side reads the rows, makes the same salted commitments and one digest, appends the versions and the operation,
and changes the rows, each guarded by its revision. CPU time of this process, the least of three, both in one run.
"""

from __future__ import annotations

import gc
import hashlib
import json
import secrets
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from store import blocks, history, outdated, settling
from store.engine import Store, open_store
from store.facts import Actor
from store.filters import parse
from store.ids import new_id
from store.location import Location, locate
from store.project import Project
from store.selecting import Rule
from tests.bench.harness import say
from tests.bench.seed import approve, fill

ADA = Actor("ada", "cli")
ROUNDS = 3
SCOPE = "shop-api"
HERE = Project(SCOPE, SCOPE, Path("/"))


def main() -> None:
    """Print one line a measure."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    with tempfile.TemporaryDirectory() as folder:
        base = _filled(Path(folder), rows * 2)
        ours: dict[str, float] = {}
        raw = float("inf")
        for round_ in range(ROUNDS):
            for name, cost in _ours(_copy(base, Path(folder), f"ours{round_}"), rows).items():
                ours[name] = min(cost, ours.get(name, cost))
            raw = min(raw, _raw(_copy(base, Path(folder), f"raw{round_}"), rows))
        say(f"raw sqlite3: expire {rows:,} with history", f"{raw:6.2f} s", "")
        for name, cost in ours.items():
            say(name, f"{cost:6.2f} s, {cost / raw:4.2f} x raw", "1.5 x" if name.startswith("expire") else "")


def _filled(folder: Path, rows: int) -> Location:
    place = locate(str(folder / "base" / "meminbox.db"))
    store = open_store(place)
    fill(store, memories_=rows, scopes=(SCOPE,))
    approve(store)
    blocks.ensure(store)
    store.close()
    return place


def _copy(base: Location, folder: Path, name: str) -> Location:
    assert base.path is not None
    (folder / name).mkdir()
    shutil.copy(base.path, folder / name / "meminbox.db")
    return locate(str(folder / name / "meminbox.db"))


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    gc.collect()
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def _ours(place: Location, rows: int) -> dict[str, float]:
    store: Store = open_store(place)
    rule = Rule(scopes=(SCOPE,), flt=parse("age>1d"))
    preview_cost, found = _timed(lambda: outdated.preview(store, rule, HERE))
    chosen = {row.id: row.suggested for row in found.rows[:rows]}
    expire_cost, done = _timed(lambda: settling.settle(store, found, chosen, HERE, by=ADA))
    assert len(done.memory_ids) == rows
    undo_cost, undone = _timed(lambda: history.undo(store, by=ADA))
    assert len(undone.memory_ids) == rows
    store.close()
    return {
        f"expire {rows:,}": expire_cost,
        f"preview of {len(found.rows):,} (no git)": preview_cost,
        f"undo of {rows:,}": undo_cost,
    }


def _raw(place: Location, rows: int) -> float:
    connection = sqlite3.connect(str(place.path), isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")
    ids = [one for (one,) in connection.execute("SELECT id FROM memory ORDER BY id LIMIT ?", (rows,))]
    cost, _ = _timed(lambda: _expire(connection, ids))
    connection.close()
    return cost


def _expire(connection: sqlite3.Connection, ids: list[str]) -> None:
    operation, now = new_id(), "2026-11-30 00:00:00.000000"
    connection.execute("BEGIN IMMEDIATE")
    previous, seq = connection.execute("SELECT digest, seq FROM operation ORDER BY seq DESC LIMIT 1").fetchone()
    versions = []
    for one in ids:
        revision, entry = connection.execute(
            "SELECT m.revision, v.entry FROM memory m JOIN version v"
            " ON v.tenant_id = m.tenant_id AND v.memory_id = m.id AND v.revision = m.revision"
            " WHERE m.tenant_id = 'local' AND m.id = ?",
            (one,),
        ).fetchone()
        salt = secrets.token_hex(16)
        said = json.dumps([salt, entry, None, "expired", revision + 1])
        versions.append((one, revision + 1, entry, salt, hashlib.sha256(said.encode()).hexdigest()))
    made = [[one, revision, "expired", "expire", None, now, mark] for one, revision, _, _, mark in versions]
    digest = hashlib.sha256(json.dumps([previous, operation, made]).encode()).hexdigest()
    connection.execute(
        "INSERT INTO operation (tenant_id, id, seq, action, actor, surface, selection, count, at, digest)"
        " VALUES ('local', ?, ?, 'expire', 'ada', 'cli', '{}', ?, ?, ?)",
        (operation, seq + 1, len(ids), now, digest),
    )
    connection.executemany(
        "UPDATE memory SET status = 'expired', revision = ?, updated_at = ?"
        " WHERE tenant_id = 'local' AND id = ? AND revision = ?",
        ((revision, now, one, revision - 1) for one, revision, _, _, _ in versions),
    )
    connection.executemany(
        "INSERT INTO version"
        " (tenant_id, memory_id, revision, status, entry, action, operation_id, at, salt, commitment)"
        " VALUES ('local', ?, ?, 'expired', ?, 'expire', ?, ?, ?, ?)",
        ((one, revision, entry, operation, now, salt, mark) for one, revision, entry, salt, mark in versions),
    )
    connection.execute("COMMIT")


if __name__ == "__main__":
    main()
