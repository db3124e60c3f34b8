"""One whole run by keys alone, and the same by mouse alone: review, undo, history, rollback, library, the end."""

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
OTHER = "Tests run with pytest -q."
PATIENT = 0.7
"""Seconds between two clicks, so that they are two and not a double one."""

Propose = Callable[..., dict[str, Any]]


class Mouse:
    """A hand that has nothing but a mouse: it clicks on words that are on the screen."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal

    def on(self, words: str, *, row: int | None = None) -> None:
        """Click on the first place where these words stand, in one row (negative: from below) or anywhere."""
        self.terminal.wait_for(words)
        self.terminal.look(PATIENT)
        column, line = self._where(words, row)
        self.terminal.click(column, line)

    def down_to(self, words: str, *, over: str) -> None:
        """Turn the wheel above some words until others come on the screen."""
        for _ in range(40):
            if words in self.terminal.grid.text():
                return
            column, line = self._where(over, None)
            self.terminal.send(f"\x1b[<65;{column + 1};{line + 3}M", settle=0.1)
            self.terminal.look(0.1)

    def _where(self, words: str, row: int | None) -> tuple[int, int]:
        grid = self.terminal.grid
        lines = ["".join(char or "\0" for char in cells) for cells in grid.cells]
        for number, line in enumerate(lines):
            if (row is None or number == row % grid.rows) and words in line:
                return line.index(words), number
        raise AssertionError(f"{words!r} is nowhere to be clicked on:\n{grid.text()}")

    def footer(self, words: str) -> None:
        """Click on a button of the last line."""
        self.on(words, row=-1)

    def header(self, words: str) -> None:
        """Click on the first line."""
        self.on(words, row=0)


@pytest.mark.long
def test_by_keys_alone(start: Callable[..., Terminal], propose: Propose, tmp_path: Path) -> None:
    propose(content=FIRST, key="deploy.day")
    console = start(columns=100, rows=30)
    console.wait_for("add deploy.day")
    console.wait_for("confidence")
    console.send("a")
    console.wait_for("approved deploy.day")
    propose(content=SECOND, key="deploy.day")
    console.wait_for("update deploy.day")
    console.send("a")
    console.wait_for("u approved deploy.day")
    propose(content=OTHER, key="build.test")
    console.wait_for("add build.test")
    console.send("x")
    console.wait_for("u rejected build.test")
    console.send("u")
    console.wait_for("undid: rejected build.test")
    console.send("U")
    console.wait_for("u redid: rejected build.test")
    console.send("u")
    console.wait_for("add build.test")
    console.send("a")
    console.wait_for("u approved build.test")

    console.send("2")
    console.wait_for(". Still true")
    console.send("/")
    console.send("friday")
    console.send("\r")
    console.wait_for("/friday 1")
    console.send("h")
    console.wait_for("1 → 2")
    console.send("j")
    console.wait_for("r brings this one back")
    console.send("r")
    console.wait_for("u takes it back")
    console.wait_for("brought back")
    console.send("u")
    console.wait_for("undid: rolled back deploy.day")
    console.send("q")
    console.wait_for(". Still true")
    console.send("\x1b")
    console.wait_for("/friday 1", gone=True)
    console.send("r")
    console.wait_for("u takes it back")

    console.send("?")
    console.wait_for("Roll back")
    console.send("q")
    console.wait_for(". Still true")
    console.send("\x10")  # ctrl+p
    console.wait_for("what do you want to do?")
    console.send("what waits")
    console.send("\r")
    console.wait_for("Nothing waits")
    console.send("q")
    assert console.wait_end() == 0
    assert console.restored()
    _as_it_should_stand(tmp_path / "data" / "meminbox.db")


@pytest.mark.long
def test_by_mouse_alone(start: Callable[..., Terminal], propose: Propose, tmp_path: Path) -> None:
    propose(content=FIRST, key="deploy.day")
    console = start(columns=100, rows=30)
    mouse = Mouse(console)
    console.wait_for("confidence")
    mouse.footer("Approve")
    console.wait_for("approved deploy.day")
    propose(content=SECOND, key="deploy.day")
    console.wait_for("update deploy.day")
    mouse.footer("Approve")
    console.wait_for("u approved deploy.day")
    propose(content=OTHER, key="build.test")
    console.wait_for("add build.test")
    mouse.footer("Reject")
    console.wait_for("u rejected build.test")
    mouse.footer("Undo")
    console.wait_for("undid: rejected build.test")
    mouse.header("meminbox")
    console.wait_for("what do you want")
    mouse.down_to("Do the step again", over="what do you want")
    mouse.on("Do the step again")
    console.wait_for("u redid: rejected build.test")
    mouse.footer("Undo")
    console.wait_for("add build.test")
    mouse.footer("Place")
    console.wait_for("Where does it belong?")
    mouse.header("Queue")  # beside the question: it is left
    console.wait_for("Where does it belong?", gone=True)
    mouse.footer("Approve")
    console.wait_for("u approved build.test")

    mouse.header("Library")
    console.wait_for(". Still true")
    mouse.on("deploy.day  ")
    console.wait_for("brings back")
    mouse.footer("History")
    console.wait_for("1 → 2")
    mouse.on(f"{FIRST}", row=2)
    console.wait_for("brings this one back")
    mouse.footer("Roll back")
    console.wait_for("brought back")
    mouse.footer("Undo")
    console.wait_for("undid: rolled back deploy.day")
    mouse.header("Library")
    console.wait_for(". Still true")
    mouse.footer("Revert")
    console.wait_for("u takes it back")

    mouse.footer("?")  # its word has no room here
    console.wait_for("Next row; in the detail")
    mouse.header("Queue")
    console.wait_for("Nothing waits")
    mouse.header("meminbox")
    console.wait_for("what do you want to do?")
    mouse.down_to("Quit now", over="what do you want")
    mouse.on("Quit now")
    assert console.wait_end() == 0
    assert console.restored()
    _as_it_should_stand(tmp_path / "data" / "meminbox.db")


def _as_it_should_stand(path: Path) -> None:
    """What both runs leave behind."""
    with sqlite3.connect(path) as raw:
        held = dict(raw.execute("SELECT key, content FROM memory WHERE status = 'active'").fetchall())
        steps = [row[0] for row in raw.execute("SELECT action FROM operation ORDER BY seq")]
        open_ = raw.execute("SELECT count(*) FROM proposal WHERE status IN ('pending', 'deferred')").fetchone()[0]
    assert held == {"deploy.day": FIRST, "build.test": OTHER}
    assert open_ == 0
    review = ["approve", "approve", "reject", "undo", "redo", "undo", "approve"]
    assert steps == [*review, "rollback", "undo", "rollback"]
    store = open_desk(locate(str(path)))
    try:
        assert verify(store) is None
    finally:
        store.close()
