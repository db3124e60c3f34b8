"""A window too small to read in: every screen and every question says so, alone, and decides nothing."""

from __future__ import annotations

import pytest

from console.room import Room
from store import history
from tests.flows.conftest import ADA, Console, Desk, Opener

WAYS: tuple[tuple[str, ...], ...] = (
    (),
    ("d",),
    ("escape", "h"),
    ("escape", "p"),
    ("escape", "question_mark"),
    ("escape", "ctrl+p"),
    ("escape", "*", "x"),
    ("escape", "5"),
    ("2",),
)
"""Queue, whole difference, history, a menu, help, palette, a question, agents, library."""


async def sized(c: Console, columns: int, rows: int) -> None:
    await c.pilot.resize_terminal(columns, rows)
    screen = c.app.screen
    assert isinstance(screen, Room), screen
    await c.until(lambda: screen.size == (columns, rows) and not screen.held, "in its place")


@pytest.mark.long
async def test_F12_every_screen_and_question_says_that_the_window_is_too_small(desk: Desk, console: Opener) -> None:
    memory = desk.known("Port 5431", key="db.port")
    history.edit(desk.store, memory.id, 1, memory.entry.with_(content="Port 5432"), by=ADA)
    ids = [desk.propose("Port 5433", key="db.port"), desk.propose("Write reports in the passive voice")]
    async with console() as c:
        seen = set()
        for keys in WAYS:
            await c.press(*keys)
            await c.pilot.pause()
            seen.add(type(c.app.screen).__name__)
            for columns, rows in ((39, 24), (80, 9)):
                await sized(c, columns, rows)
                assert c.text().split() == ["meminbox", "needs", "40x10"], (keys, c.text())
            await c.press("a", "x", "y", "enter")
            assert desk.statuses(*ids) == ["pending", "pending"], keys
            await sized(c, 40, 10)
            assert "needs 40x10" not in c.text()
            await sized(c, 80, 24)
        assert len(seen) >= len(WAYS) - 1, seen
