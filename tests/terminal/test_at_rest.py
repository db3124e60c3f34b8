"""A console that nobody touches paints nothing: no screen asks the store again because it has asked it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.terminal.screen import Terminal
from tests.terminal.test_library import fill

WATCHED = 0.7
"""Seconds."""
LOOKS = 15
"""How often at most a screen is looked at until it rests: it asks for this and that after its first painting."""
LOUD = 4_000
"""Bytes: less than one painting of the whole screen."""


def rests(console: Terminal) -> bool:
    """Whether the screen comes to rest."""
    for _ in range(LOOKS):
        before = len(console.bytes)
        console.look(WATCHED)
        if len(console.bytes) - before < LOUD:
            return True
    return False


@pytest.mark.long
def test_no_screen_goes_on_painting_by_itself(
    start: Callable[..., Terminal], propose: Callable[..., object], tmp_path: Path
) -> None:
    path = tmp_path / "data" / "meminbox.db"
    path.parent.mkdir(mode=0o700)
    (tmp_path / "work").mkdir(exist_ok=True)
    fill(path, tmp_path / "work")
    for number in range(3):
        propose(content=f"The {number} is what waits here", confidence=0.5)
    console = start(columns=140, rows=40)
    console.wait_for("confidence")
    for keys in ("", "c", "2", "R", "c", "m", "3", "4", "5", "6"):
        console.send(keys)
        console.look(WATCHED)
        assert rests(console), f"after {keys!r} it goes on painting:\n{console.grid.text()}"
    console.send("\x11")
    assert console.wait_end() == 0
