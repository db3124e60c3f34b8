"""A whole review in a real terminal, by keys only, with another process proposing meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store.desk import open_desk
from store.location import locate
from store.verify import verify
from tests.terminal.screen import Terminal

FIRST = "Deploys on Fridays are fine."
SECOND = "Never deploy on a Friday."
THIRD = "Deploy whenever the tests pass."


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), pytest.param(140, 40, marks=pytest.mark.long)])
def test_a_whole_review(
    start: Callable[..., Terminal],
    propose: Callable[..., dict[str, Any]],
    tmp_path: Path,
    columns: int,
    rows: int,
) -> None:
    console = start(columns=columns, rows=rows)
    console.wait_for("Nothing is remembered yet")

    assert propose(content=FIRST, key="deploy.day")["status"] == "pending"
    console.wait_for("deploy.day")
    console.wait_for("confidence")
    console.send("a")
    console.wait_for("approved deploy.day")

    propose(content=SECOND, key="deploy.day")
    console.wait_for("update deploy.day")
    console.send("e")
    console.wait_for("Save, approve")
    console.send("Please: ")
    console.send("\x13")  # ctrl+s
    console.wait_for("Nothing waits")

    third = propose(content=THIRD, key="deploy.day")
    console.wait_for("brings back: Deploys")
    console.send("r")
    console.wait_for("3 → 4")
    console.send("x")
    console.wait_for("u rejected")
    console.send("u")
    console.wait_for("update deploy.day")
    console.send("q")
    assert console.wait_end() == 0
    assert console.restored()
    assert b"\x1b[?1049l" in console.bytes
    assert b"\x1b[?25h" in console.bytes

    _read_back(tmp_path / "data" / "meminbox.db", third["id"])


def _read_back(path: Path, third: str) -> None:
    with sqlite3.connect(path) as raw:
        versions = raw.execute("SELECT revision, action, previous_value FROM version ORDER BY revision").fetchall()
        (content, previous) = raw.execute("SELECT content, previous_value FROM memory").fetchone()
        (status,) = raw.execute("SELECT status FROM proposal WHERE id = ?", (third,)).fetchone()
        actors = {row[0] for row in raw.execute("SELECT DISTINCT actor FROM operation")}
    assert [row[0] for row in versions] == [1, 2, 3]
    assert versions[2] == (3, "rollback", f"Please: {SECOND}")
    assert (content, previous) == (FIRST, f"Please: {SECOND}")
    assert status == "pending"
    assert actors == {"ada"}
    store = open_desk(locate(str(path)))
    try:
        assert verify(store) is None
    finally:
        store.close()
