"""What a new user is asked to do: clear a session, find and undo yesterday's wrong approval, roll back a preference.

Once with keys alone and once with a mouse alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from store import queries, review
from store.desk import open_desk
from store.facts import Actor
from store.location import locate
from store.verify import verify
from tests.terminal.screen import Terminal
from tests.terminal.test_whole_run import Mouse

WRONG = "Deploy whenever somebody feels like it."
ACTIVE, PASSIVE = "Write reports in the active voice.", "Write reports in the passive voice."
SESSION = (
    "Tests run with pytest -q.",
    "The database is PostgreSQL 16, on port 5433.",
    "Ask the person before a force push.",
)

Propose = Callable[..., dict[str, Any]]


@pytest.fixture
def db(propose: Propose, tmp_path: Path) -> Path:
    """A store in which three things were approved yesterday, and a session of three waits today."""
    path = tmp_path / "data" / "meminbox.db"
    for content, key in ((WRONG, "deploy.when"), (ACTIVE, "style.voice"), (PASSIVE, "style.voice")):
        id_ = propose(content=content, key=key, session_id="s-old")["id"]
        store = open_desk(locate(str(path)))
        yesterday = store.now() - timedelta(days=1)
        store.now = lambda yesterday=yesterday: yesterday  # type: ignore[misc]
        review.approve(store, queries.queue_rows(store, [id_])[0].seen(), by=Actor("ada", "console"))
        store.close()
    for content in SESSION:
        propose(content=content, session_id="s-new")
    return path


@pytest.mark.long
def test_a_new_user_by_keys_alone(start: Callable[..., Terminal], db: Path) -> None:
    console = start(columns=100, rows=30)
    console.wait_for("confidence")
    console.send("S", settle=0.5)
    console.wait_for("3 proposals")
    console.send("y", settle=0.5)
    console.wait_for("Nothing waits")

    console.send("2")
    console.wait_for(". Still true")
    console.send("/")
    console.send("deploy")
    console.send("\r")
    console.wait_for("/deploy 1")
    console.send("h")
    console.wait_for("version 1, the first")  # the footer names the key before there is anything to take back
    console.send("b", settle=0.5)
    console.wait_for("approved deploy.when, ")
    console.send("y", settle=0.5)
    console.wait_for("undid: approved deploy.when")

    console.send("q")
    console.send("\x1b")
    console.wait_for("style.voice")
    console.send("/")
    console.send("voice")
    console.send("\r")
    console.wait_for("/voice 1")
    console.wait_for("r brings back")
    console.send("r", settle=0.5)
    console.wait_for("u takes it back")
    console.send("\x11")
    assert console.wait_end() == 0
    assert console.restored()
    _as_asked(db)


@pytest.mark.long
def test_a_new_user_by_mouse_alone(start: Callable[..., Terminal], db: Path) -> None:
    console = start(columns=100, rows=30)
    mouse = Mouse(console)
    console.wait_for("confidence")
    mouse.header("meminbox")
    console.wait_for("what do you want")
    mouse.down_to("everything this session", over="what do you want")
    mouse.on("everything this session")
    console.wait_for("3 proposals")
    mouse.on("Approve all 3")
    console.wait_for("Nothing waits")

    mouse.header("Library")
    console.wait_for(". Still true")
    mouse.on("deploy.when  ")
    console.wait_for(WRONG)
    mouse.footer("History")
    console.wait_for("version 1, the first")
    mouse.footer("Take back")
    console.wait_for("approved deploy.when, ")
    mouse.on("Take it back")
    console.wait_for("undid: approved deploy.when")

    mouse.header("Library")
    console.wait_for(". Still true")
    mouse.on("style.voice  ")
    console.wait_for("r brings back")
    mouse.footer("Revert")
    console.wait_for("u takes it back")
    mouse.header("meminbox")
    console.wait_for("what do you want")
    mouse.down_to("Quit now", over="what do you want")
    mouse.on("Quit now")
    assert console.wait_end() == 0
    assert console.restored()
    _as_asked(db)


def _as_asked(path: Path) -> None:
    with sqlite3.connect(path) as raw:
        held = [row[0] for row in raw.execute("SELECT content FROM memory WHERE status = 'active'")]
        steps = [row[0] for row in raw.execute("SELECT action FROM operation ORDER BY seq")]
        waits = [row[0] for row in raw.execute("SELECT content FROM proposal WHERE status = 'pending'")]
    assert sorted(held) == sorted([*SESSION, ACTIVE])
    assert waits == [WRONG]  # an undone approval is to be decided again
    assert steps == ["approve"] * 4 + ["undo", "rollback"]
    store = open_desk(locate(str(path)))
    try:
        assert verify(store) is None
    finally:
        store.close()
