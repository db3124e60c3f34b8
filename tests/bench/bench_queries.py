"""What reading the queue costs: ids and filters at 100,000, a page from 1,000,000 against raw sqlite3, and memory.

Run from the project's root: ``python -m tests.bench.bench_queries [ROWS]``; ROWS (1,000,000) sizes the large store.
The budgets are those of design section 11. Raw sqlite3 runs the same statements on its own open connection and turns
the values into Python's (JSON lists, times), but makes no objects of ours.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from store import queries
from store.engine import Store, open_store
from store.filters import parse
from store.location import locate
from tests.bench.harness import least, memory, say
from tests.bench.seed import fill

VIEW = ("shop-api", "global")
PAGE = 50
FILTERS = (
    "conf<0.6",
    "agent:codex",
    "flag:conflict",
    "op:add",
    "pytest",
    "部署",
    "agent:codex conf>0.5 build",
    "nowhere",
)


def main() -> None:
    """Print one line a measure."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        _hundred_thousand(_filled(Path(folder), 100_000))
        _page(_filled(Path(folder), rows), rows)


def _filled(folder: Path, rows: int) -> Store:
    store = open_store(locate(str(folder / f"{rows}.db")))
    fill(store, proposals_=rows)
    return store


def _hundred_thousand(store: Store) -> None:
    since = store.now()

    def ids(typed: str, scopes: tuple[str, ...] | None = VIEW) -> queries.PackedIds:
        return queries.queue_ids(store, parse(typed), scopes=scopes, since=since)

    _say_ms("ids of 100,000, everywhere", lambda: ids("", None), "at most 100 ms")
    _say_ms("ids of 100,000, a view of two scopes", lambda: ids(""), "at most 100 ms")
    for typed in FILTERS:
        _say_ms(f"ids of 100,000, {typed}", lambda typed=typed: ids(typed), "at most 100 ms")
        top = lambda typed=typed: queries.queue_first(store, parse(typed), scopes=VIEW, since=since)  # noqa: E731
        _say_ms(f"first ids, {typed}", top, "at most 25 ms")
    _say_ms("counts of the header", lambda: queries.counts(store, VIEW), "")
    whole = ids("", None)
    _say_ms("the place of the last id", lambda: whole.index(whole[-1]), "")
    held, most = memory(lambda: ids("", None))
    say(
        "memory of 100,000 ids", f"{held / 1e6:.1f} MB kept, {most / 1e6:.1f} MB at most", "at most 15 MB with all else"
    )


def _say_ms(what: str, work: Callable[[], Any], budget: str) -> None:
    say(what, f"{least(work, 5) * 1000:7.1f} ms", budget)


def _page(store: Store, rows: int) -> None:
    ids = queries.queue_ids(store, scopes=None, since=None)
    raw = sqlite3.connect(str(store.location.path), isolation_level=None)
    for name, start in (("first", 0), ("middle", rows // 2), ("last", rows - PAGE)):
        page = list(ids[start : start + PAGE])
        ours = least(lambda page=page: queries.queue_rows(store, page), 200)
        theirs = least(lambda page=page: _raw_rows(raw, page), 200)
        shown = f"{ours * 1000:6.2f} ms, {ours / theirs:4.1f} x raw sqlite3"
        say(f"{name} page of {PAGE} from {rows:,}", shown, "at most 3 x")
    ours = least(lambda: queries.queue_rows(store, list(queries.queue_first(store, scopes=None, since=None))), 200)
    theirs = least(lambda: _raw_rows(raw, _raw_first(raw)), 200)
    shown = f"{ours * 1000:6.2f} ms, {ours / theirs:4.1f} x raw sqlite3"
    say(f"the same first page, found first, from {rows:,}", shown, "at most 3 x")
    after = ids[rows // 2]
    ours = least(lambda: queries.list_page(store, after=after), 5)
    theirs = least(lambda: _raw_page(raw, after), 5)
    shown = f"{ours * 1000:6.2f} ms, {ours / theirs:4.1f} x raw sqlite3"
    say(f"`list` after the middle, with the total of {rows:,}", shown, "at most 3 x")


def _raw_rows(raw: sqlite3.Connection, ids: list[str]) -> list[Any]:
    """The rows, and the memories that hold their keys, as the store reads them."""
    raw.execute("BEGIN")
    marks = ", ".join("?" * len(ids))
    cursor = raw.execute(f"SELECT * FROM proposal WHERE tenant_id = ? AND id IN ({marks})", ["local", *ids])
    rows = _converted(cursor)
    places = [(row["scope"], row["key"]) for row in rows if row["key"]]
    if places:
        pairs = ", ".join(["(?, ?)"] * len(places))
        statement = (
            f"WITH asked (scope, place) AS (VALUES {pairs}) SELECT memory.* FROM asked JOIN memory "
            "ON memory.scope = asked.scope AND memory.key = asked.place "
            "WHERE memory.tenant_id = 'local' AND memory.status = 'active' AND memory.key IS NOT NULL"
        )
        _converted(raw.execute(statement, [value for place in places for value in place]))
    raw.execute("COMMIT")
    return rows


def _raw_first(raw: sqlite3.Connection) -> list[str]:
    own = "FROM proposal WHERE tenant_id = 'local' AND status"
    waiting = f"SELECT session_rank, id {own} = 'pending' UNION ALL SELECT session_rank, id {own} = 'deferred'"
    return [row[1] for row in raw.execute(f"{waiting} ORDER BY 1 DESC, 2 DESC LIMIT {PAGE}")]


def _converted(cursor: sqlite3.Cursor) -> list[dict[str, Any]]:
    names = [column[0] for column in cursor.description]
    rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    for row in rows:
        for name in ("aliases", "paths", "flags"):
            row[name] = json.loads(row.get(name) or "[]")
        row["created_at"] = datetime.fromisoformat(row["created_at"])
    return rows


def _raw_page(raw: sqlite3.Connection, after: str) -> list[Any]:
    open_ = "('draft', 'pending', 'deferred')"
    raw.execute(f"SELECT count(*) FROM proposal WHERE tenant_id = 'local' AND status IN {open_}").fetchone()
    own = "FROM proposal WHERE tenant_id = 'local' AND"
    rank = raw.execute(f"SELECT session_rank {own} id = ?", [after]).fetchone()[0]
    branch = f"SELECT session_rank, id {own} status = '{{}}' AND (session_rank, id) < (?, ?)"
    branches = " UNION ALL ".join(branch.format(status) for status in ("draft", "pending", "deferred"))
    found = raw.execute(f"{branches} ORDER BY 1 DESC, 2 DESC LIMIT {PAGE + 1}", [rank, after] * 3).fetchall()
    return _raw_rows(raw, [row[1] for row in found[:PAGE]])


if __name__ == "__main__":
    main()
