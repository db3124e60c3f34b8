"""Screen 4 in a real terminal: an approval of long ago is found, read, taken back and done again, by keys alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store import history, queries, review
from store.desk import open_desk
from store.facts import Actor
from store.location import locate
from tests.terminal.screen import Terminal

ADA = Actor("ada", "cli")


def contents(path: Path) -> set[str]:
    """What agents would be given."""
    store = open_desk(locate(str(path)))
    held = queries.memory_rows(store, list(queries.memory_ids(store, scopes=None)))
    store.close()
    return {one.entry.content for one in held}


@pytest.mark.long
@pytest.mark.parametrize(("columns", "rows"), [(80, 24)])
def test_yesterdays_wrong_approval_is_found_and_taken_back(
    start: Callable[..., Terminal], propose: Callable[..., dict[str, Any]], tmp_path: Path, columns: int, rows: int
) -> None:
    path = tmp_path / "data" / "meminbox.db"
    for n in range(3):
        propose(content=f"Step {n} is in services/step_{n}.py", key=f"step.{n}")
    propose(content="Deploy on Fridays \u202etoo", key="deploy.day")
    store = open_desk(locate(str(path)))
    waiting = queries.queue_rows(store, list(queries.queue_ids(store, scopes=None, since=None)))
    for one in sorted(waiting, key=lambda row: row.entry.key == "step.2"):
        review.approve(store, one.seen(), by=ADA)
    (held,) = (one for one in queries.memory_rows(store, list(queries.memory_ids(store, scopes=None)))
               if one.entry.key == "step.2")  # fmt: skip
    history.edit(store, held.id, 1, held.entry.with_(content="Step 2 is gone"), by=ADA, reason="refactored")
    store.close()

    console = start(columns=columns, rows=rows)
    console.wait_for("Act" if columns < 100 else "Activity")
    console.send("4")
    console.wait_for("edited step.2")
    console.wait_for("refactored")
    console.send("/")
    console.send("friday")
    console.wait_for("1 match")
    console.send("\r")
    console.wait_for("takes it back")
    assert "\u202e" not in console.grid.text()
    console.send("b", settle=1.0)
    console.wait_for("Take this step back?")
    console.send("y", settle=1.0)
    console.wait_for("undid: approved deploy.day")
    console.wait_for("does it again")
    assert not any("Fridays" in one for one in contents(path))
    console.send("b", settle=1.0)
    console.wait_for("Do this step again?")
    console.send("y", settle=1.0)
    console.wait_for("redid: approved deploy.day")
    assert any("Fridays" in one for one in contents(path))
    console.send("\r", settle=1.0)
    console.wait_for("new")
    console.send("\x1b", settle=1.0)
    console.send("\x11")
    console.wait_end()
