"""A few screens as they stand, as text, at the sizes that matter; and the same in every look, with no border broken.

The texts are the files in ``screens``, without what the clock changes. Where one is to change, ``SCREENS=write`` in the
environment writes what stands there now, to be read before it is committed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from console import theme
from console.looks import Look
from console.wrap import NO_START
from tests.flows.conftest import Console, Desk, Opener

SCREENS = Path(__file__).parent / "screens"
OLD = "请先阅读设备清单，（见下文）再执行 make deploy；测试库是 MySQL，不是 PostgreSQL。"
NEW = (
    "请先阅读清单，（见下文）再执行 make release；测试库是 PostgreSQL，"
    "不是 MySQL、更不是 SQLite，这一点很重要，请注意。"
)
EMOJI = "Family 👨\u200d👩\u200d👧 flags 🇩🇪🇫🇷 thumbs 👍🏽 heart ❤️ pile z\u0327\u0323\u0304 then a border"
STACK = "e" + "\u0301" * 5_000


def fill(desk: Desk) -> None:
    """Four proposals: an update in Chinese, emoji, a stack of marks, and a plain one."""
    desk.known(OLD, key="deploy.staging")
    desk.propose("Use uv, never pip, in this repository.", kind="preference", confidence=0.7)
    desk.propose(STACK, key="stack")
    desk.propose(EMOJI, key="emoji")
    desk.propose(NEW, key="deploy.staging", confidence=0.62, source="user_feedback")


def still(text: str) -> str:
    """The screen without what the clock changes."""
    return re.sub(r"\b\d\d:\d\d\b", "HH:MM", re.sub(r" \dm\b", "now", text)).rstrip()


def whole(c: Console) -> list[str]:
    """The rows of the screen with every blank."""
    return [strip.text for strip in c.app.screen._compositor.render_strips()]


async def at(c: Console, columns: int, rows: int, name: str) -> None:
    """Give the window this size: it looks like the text of that name, and no row is wider or narrower than it."""
    await c.pilot.resize_terminal(columns, rows)
    file = SCREENS / f"{name}-{columns}x{rows}.txt"
    if os.environ.get("SCREENS") == "write":
        await c.until(lambda: "looking …" not in c.text() and not c.queue.held, "found what is like it")
        for _ in range(5):
            await c.pilot.pause()
        file.write_text(still(c.text()) + "\n", encoding="utf-8")
    expected = file.read_text(encoding="utf-8").rstrip("\n")
    await c.until(lambda: still(c.text()) == expected, f"{file.name}:\n{expected}")
    assert {cell_len(row) for row in whole(c)} == {columns}


async def test_D126_the_queue_at_every_size(desk: Desk, console: Opener) -> None:
    fill(desk)
    async with console(size=(140, 40)) as c:
        await at(c, 140, 24, "queue")
        await at(c, 80, 24, "queue")
        await at(c, 60, 20, "queue")
        await at(c, 39, 9, "queue")
        await at(c, 40, 10, "queue")
        await c.press("enter")
        await at(c, 40, 10, "opened")


@pytest.mark.long
@pytest.mark.parametrize("look", [one.name for one in theme.ALL])
@pytest.mark.parametrize("ascii_only", [False, True])
async def test_D126_every_screen_in_every_look(desk: Desk, console: Opener, look: str, ascii_only: bool) -> None:
    """Queue, whole difference, history, library, help, palette and a question: every row ends where the window does."""
    fill(desk)
    ours = {chr(code) for code in theme._ASCII}
    try:
        async with console(size=(80, 24), look=Look(look, ascii_only)) as c:
            for keys in ((), ("d",), ("escape", "h"), ("escape", "2"), ("1", "question_mark"), ("escape", "*", "x")):
                await c.press(*keys)
                await c.pilot.pause()
                rows = whole(c)
                assert {cell_len(row) for row in rows} == {80}
                if not keys:
                    assert "  - 请先" in c.text() and "  + 请先" in c.text(), "signs, whatever the colours"
                    assert rows[-1].startswith(" a Approve x Reject "), "the keys"
                    assert f"再执行 m{theme.glyphs('…')} " in rows[1], "what is cut says so"
                ends = [row.strip("│ ╭╮╰╯▌|+-~=") for row in rows]
                assert not any(row[:1] in set(NO_START) - set(")]}.,:;!?°%") for row in ends), c.text()
                if ascii_only:
                    assert not ours & set("".join(rows[0] + rows[-1])), "our own marks"
            assert c.app.theme == look
    finally:
        theme.use_ascii(False)
