"""Through a real terminal's parser: pastes with and without brackets, Alt, an input method; and what a copy sends."""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.terminal.screen import Terminal

WINDOW = "delete the old config and approve\r"
SENT_AT_ONCE = (
    "\x1b[200~aaaa\raxe\r\x1b[201~",
    "\x1b[200~x\x1b[201~a\x1b[201~",  # a paste that holds its own end
    WINDOW,
    "aaaa",
    "\x1ba\x1bx",
    "用a",
    "a\u200b",
)


@pytest.mark.long
def test_V62_D125_nothing_sent_at_once_decides_and_D122_a_copy_says_sent(
    start: Callable[..., Terminal], propose: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    for number in range(3):
        propose(content=f"Number {number}: 用 uv")
    console = start(TMUX="/tmp/none,1,0")
    console.wait_for("confidence")
    for keys in SENT_AT_ONCE:
        console.send(keys, settle=0.5)
        console.look(0.5)
        for _ in range(3):  # out of whatever it opened
            console.send("\x1b", settle=0.3)
    console.send("1", settle=0.5)
    console.wait_for("a Approve")
    with sqlite3.connect(tmp_path / "data" / "meminbox.db") as raw:
        assert {row[0] for row in raw.execute("SELECT status FROM proposal")} == {"pending"}
        assert raw.execute("SELECT count(*) FROM operation").fetchone() == (0,)
    assert list((tmp_path / "work").iterdir()) == []
    console.send("g", settle=0.5)
    console.send("y", settle=0.5)
    text = console.wait_for("sent 14 characters")
    assert "w writes" in " ".join(text.split())
    assert "set-clipboard on" in " ".join(text.split())
    assert "copied" not in text
    assert b"\x1b]52;c;" + base64.b64encode("Number 2: 用 uv".encode()) in console.bytes
    console.send("\x11")
    assert console.wait_end() == 0
    assert console.restored()
