"""``y`` and ``w`` wherever a text is shown: sent, never said to be copied; a file that was not there before."""

from __future__ import annotations

import pytest

from console.screens.diff import DiffScreen
from console.screens.evidence import EvidenceScreen
from console.screens.history import HistoryScreen
from console.screens.library import LibraryScreen
from tests.flows.conftest import Console, Desk, Opener

SENT = "characters to the terminal's clipboard"


async def to(c: Console, key: str, kind: type) -> None:
    await c.press(key)
    await c.until(lambda: isinstance(c.app.screen, kind) and c.app.screen.ready, kind.__name__)
    await c.until(lambda: c.app.screen.situation().item, "something to look at")


async def test_D122_every_screen_with_a_text_sends_it_and_offers_a_file(desk: Desk, console: Opener) -> None:
    desk.known("Write in the active voice", key="style.voice")
    desk.propose("Write pl\u200bainly", key="style.voice", evidence="plainly, please", source_ref="~/gone.jsonl:3")
    async with console(size=(100, 30)) as c:

        async def copied(text: str) -> None:
            c.app._clipboard = ""
            await c.press("y")
            await c.until(lambda: c.app.clipboard == text, text)
            await c.shows(f"sent {len(text):,} {SENT}")
            assert "writes a file" in " ".join(c.text().split())
            await c.press("f3")  # any key: what was said has been read

        shown = "Write pl⟨U+200B⟩ainly"
        await copied(shown)
        await to(c, "d", DiffScreen)
        footer = c.text().splitlines()[-1]
        assert all(name in footer for name in ("] Next", "\\ Split", "y Copy", "w Write", "esc Back", "? Help"))
        await copied(shown)
        await c.press("escape")
        await to(c, "o", EvidenceScreen)
        footer = c.text().splitlines()[-1]
        assert all(name in footer for name in ("y Copy", "w Write", "esc Back", "? Help"))
        await copied("plainly, please\n\n~/gone.jsonl:3")
        await c.press("escape")
        await to(c, "h", HistoryScreen)
        await copied("Write in the active voice")
        await c.press("escape")
        await to(c, "2", LibraryScreen)
        await copied("Write in the active voice")


async def test_D122_a_file_can_be_written_from_the_whole_difference(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk.folder)
    desk.propose("Write plainly")
    path = desk.folder / "k.txt"
    async with console() as c:
        await to(c, "d", DiffScreen)
        await c.press("w")
        await c.shows("Write to memory-")
        await c.press(*"q?", "escape")  # keys are letters now, and esc leaves the line alone
        await c.until(lambda: not c.app.screen.prompt.purpose, "left")
        assert isinstance(c.app.screen, DiffScreen)
        for told in ("written to", "File exists"):
            await c.press("w")
            await c.until(lambda: c.app.screen.prompt.purpose == "file", "asked")
            await c.press(*path.name, "enter")
            await c.until(lambda told=told: told in " ".join(c.text().split()), told)
        assert path.read_text(encoding="utf-8") == "Write plainly"
        await c.press("escape")
        await c.until(lambda: c.app.screen is c.queue, "back")
