"""Doctor in a real pty: it asks the terminal how wide it draws, and leaves nothing behind."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from rich.cells import cell_len

from tests.terminal.screen import Terminal


class Answering(Terminal):
    """A terminal that says where the cursor stands."""

    _answered = 0

    def pump(self, seconds: float = 0.05) -> None:
        super().pump(seconds)
        asked = self.bytes.split(b"\x1b[6n")
        for part in asked[self._answered : -1]:
            text = part.rpartition(b"\r")[2].decode()
            os.write(self.master, f"\x1b[1;{cell_len(text) + 1}R".encode())
        self._answered = len(asked) - 1


def test_the_terminal_is_asked_and_left_as_it_was(start: Callable[..., Terminal]) -> None:
    terminal = start("doctor", columns=100, rows=50, COLORTERM="truecolor")
    terminal.__class__ = Answering
    assert terminal.wait_end() == 1
    text = terminal.grid.text()
    assert "ok ambiguous width    one cell" in text
    assert "ok Chinese            two cells a character" in text
    assert "24 bits" in text
    assert text.startswith("agents"), text
    assert terminal.restored()


@pytest.mark.long
def test_a_terminal_that_never_answers_holds_nobody_up(start: Callable[..., Terminal]) -> None:
    terminal = start("doctor", columns=100, rows=50)
    assert terminal.wait_end() == 1
    assert "not measured" in terminal.grid.text()
    assert terminal.restored()
