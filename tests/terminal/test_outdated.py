"""After ``git mv services core`` and a commit: from `meminbox` to everything settled, in a real terminal."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from store import queries, review
from store.desk import open_desk, propose
from store.facts import Actor
from store.location import locate
from store.project import identify
from store.redact import redact
from store.verify import verify
from tests.git_kit import Repository, body
from tests.terminal.screen import Terminal

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
MANY = 40
KEYS = ("3", "\x13", "y", "4", "\r")
"""Every key from the opening on: the screen, settle, yes, the number of what expires, enter."""


def fill(path: Path, folder: Path) -> None:
    """Forty approved memories that name forty files."""
    import json

    from store.admit import admit
    from store.context import Context

    lines = [
        {"content": f"Step {n} of the payment is in services/step_{n}.py", "key": f"step.{n}", "session_id": "s"}
        for n in range(MANY)
    ]
    here = identify(folder)
    asked = admit("\n".join(map(json.dumps, lines)).encode()).proposals
    location = locate(str(path))
    propose(location, [redact(one) for one in asked], context=Context(scope=here.identity, label=here.label), wait=5.0)
    store = open_desk(location)
    rows = queries.queue_rows(store, list(queries.queue_ids(store, scopes=None, since=None)))
    done = review.approve_many(store, [row.seen() for row in rows], by=Actor("ada", "cli"))
    assert len(done.memory_ids) == MANY
    store.close()


def memories(path: Path) -> list[tuple[object, ...]]:
    """What is known, without what an undo must change."""
    with sqlite3.connect(path) as raw:
        return raw.execute(
            "SELECT id, key, content, status, valid_until, created_at FROM memory ORDER BY id"
        ).fetchall()


@pytest.mark.long
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (140, 40)])
def test_forty_memories_are_settled_in_under_ten_keys_and_one_undo_brings_them_back(
    start: Callable[..., Terminal], env: dict[str, str], tmp_path: Path, columns: int, rows: int
) -> None:
    repo = Repository(tmp_path / "work")
    repo.commit({f"services/step_{n}.py": body(f"step {n}") for n in range(MANY)})
    path = tmp_path / "data" / "meminbox.db"
    path.parent.mkdir(mode=0o700)
    fill(path, repo.folder)
    before = memories(path)
    repo.move("services", "core")
    repo.commit({f"core/step_{n}.py": None for n in range(4)})

    console = start(columns=columns, rows=rows)
    console.wait_for("Out 40" if columns < 100 else "Outdated 40")
    assert len(KEYS) < 10
    console.send(KEYS[0])
    console.wait_for("36 moved, 4 gone")
    console.wait_for("core/step_")
    console.send(KEYS[1], settle=1.0)
    console.wait_for("36 re-pointed, 4 expired: one step")
    console.send(KEYS[2], settle=1.0)
    console.wait_for("Type 4 to expire 4 memories")
    console.send(KEYS[3], settle=1.0)
    console.send(KEYS[4], settle=1.0)
    console.wait_for("settled 40")
    console.wait_for("Nothing of 36 memories")
    told = [row[2:4] for row in memories(path)]
    assert sum(status == "expired" for _, status in told) == 4
    assert sum("in core/step_" in str(content) for content, _ in told) == 36

    console.send("u", settle=1.0)
    console.wait_for("undid: settled 40")
    console.wait_for("36 moved, 4 gone")
    console.send("\x11")
    assert console.wait_end() == 0
    assert console.restored()
    assert memories(path) == before
    with sqlite3.connect(path) as raw:
        assert {n for (n,) in raw.execute("SELECT count(*) FROM version GROUP BY memory_id")} == {3}
    store = open_desk(locate(str(path)))
    assert verify(store) is None
    store.close()
