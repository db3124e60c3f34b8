"""The bytes that reach a terminal: only colours that it has, none where none are wanted, and borders that stand."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.terminal.screen import Grid, Terminal

SGR = re.compile(rb"\x1b\[([0-9;]*)m")
SHAPE = {"", "0", "1", "2", "3", "4", "7", "9", "22", "23", "24", "27", "29", "39", "49"}
"""What is no colour: reset, bold, dim, italic, underline, reverse, strike, their ends, and the terminal's own two."""
EMOJI = "Family 👨\u200d👩\u200d👧 thumbs 👍🏽👍🏽👍🏽 heart ❤️ flags 🇩🇪🇫🇷 pile z\u0327\u0323\u0304"


def numbers(terminal: Terminal) -> set[str]:
    """Every number of every SGR sequence; colours of 256 and of 24 bits as "38;5" and "38;2"."""
    found: set[str] = set()
    for match in SGR.finditer(terminal.bytes):
        for long in re.finditer(r"([34]8;5);\d+|([34]8;2);\d+;\d+;\d+|(\d*)", match[1].decode()):
            found.add(long[1] or long[2] or long[3])
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("environ", "config", "allowed", "wanted"),
    [
        ({"COLORTERM": "truecolor"}, "", {"38;2", "48;2"}, {"38;2", "48;2"}),
        ({}, "", {"38;5", "48;5"}, {"38;5", "48;5"}),
        ({"TERM": "xterm"}, "", None, {"40", "93"}),
        ({"TERM": "xterm"}, '[console]\ntheme = "light"', None, {"107", "30"}),
        ({"COLORTERM": "truecolor", "NO_COLOR": "1"}, '[console]\ntheme = "light"', set(), set()),
        ({"COLORTERM": "truecolor"}, '[console]\ntheme = "none"', set(), set()),
    ],
)
def test_D126_only_colours_that_the_terminal_has(
    start: Callable[..., Terminal],
    propose: Callable[..., dict[str, Any]],
    env: dict[str, str],
    environ: dict[str, str],
    config: str,
    allowed: set[str] | None,
    wanted: set[str],
) -> None:
    folder = Path(env["MEMINBOX_HOME"])
    folder.mkdir(mode=0o700)
    (folder / "config.toml").write_text(config, encoding="utf-8")
    propose(content="Deploys on Fridays are fine.", key="deploy.day")
    console = start(**environ)
    console.wait_for("add deploy.day")
    console.wait_for("confidence")
    console.send("q")
    assert console.wait_end() == 0
    found = numbers(console) - SHAPE
    if allowed is None:  # sixteen: by name, and nothing else
        assert all(re.fullmatch(r"[34][0-7]|9[0-7]|10[0-7]", number) for number in found), found
    else:
        assert found <= allowed
    assert wanted <= found


class Wayward(Grid):
    """A terminal that gives every character of a cluster cells of its own, as tmux 3.3 does to some."""

    def _paint(self, char: str, width: int) -> None:
        super()._paint(char, max(width, 1))


@pytest.mark.long
def test_a_border_stands_however_wide_the_terminal_draws(
    start: Callable[..., Terminal], propose: Callable[..., dict[str, Any]]
) -> None:
    for number, text in enumerate((f"{EMOJI} हिन्दी में लिखो", EMOJI, f"{EMOJI} தமிழில் எழுது")):
        propose(content=f"{text} {number}", key=f"emoji.n{number}")
    console = start(columns=140, rows=24)
    console.grid = Wayward(140, 24)
    console.wait_for("add emoji.n2")
    console.send("j")
    console.wait_for("add emoji.n1")
    console.look(0.3)
    borders = {row.index("│") for row in console.grid.cells[1:-1] if "│" in row}
    assert borders == {74}
    assert sum("│" in row for row in console.grid.cells[1:-1]) == 22
    console.send("q")
    assert console.wait_end() == 0
