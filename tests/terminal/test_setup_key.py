"""`C` on the first run: setup has the terminal, then the console has it back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.terminal.screen import Terminal


@pytest.mark.long
def test_setup_talks_in_the_terminal_and_the_console_comes_back(start: Callable[..., Terminal], tmp_path: Path) -> None:
    console = start(PATH=str(tmp_path))  # no agent of this machine is found there
    console.wait_for("C  connects an agent")
    console.send("C")
    screen = console.wait_for("enter goes back to the console")
    assert "No agent was found here." in screen
    console.send("\x03")  # meant for setup, which has ended: it is as good as enter
    console.wait_for("C  connects an agent")
    console.send("q")
    assert console.wait_end() == 0
    assert console.restored()
