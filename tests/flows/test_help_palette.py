"""Help and palette say what the registry says, and the palette runs it."""

from __future__ import annotations

import pytest

from console import actions, keys
from console.screens.help import HelpScreen
from console.screens.library import LibraryScreen
from console.screens.palette import PaletteScreen
from tests.flows.conftest import Desk, Opener


@pytest.mark.parametrize("width", [40, 80, 140])
async def test_help_names_every_action_of_the_screen_and_cuts_nothing(console: Opener, width: int) -> None:
    async with console(size=(width, 30)) as c:
        await c.press("question_mark")
        await c.until(lambda: isinstance(c.app.screen, HelpScreen), "help")
        screen = c.app.screen
        assert isinstance(screen, HelpScreen)
        page = ["".join(part.text for part in line) for line in screen.page(width - 6)]
        flat = " ".join(" ".join(page).split())
        for action in actions.of_screen("queue"):
            assert action.title in flat
            assert keys.first(action.id) in flat
        assert "reset" in flat
        await c.press("q")
        await c.until(lambda: c.app.screen is c.queue, "back")


async def test_the_palette_finds_an_action_and_takes_it(desk: Desk, console: Opener) -> None:
    desk.known("Something")
    async with console() as c:
        await c.press("ctrl+p")
        await c.until(lambda: isinstance(c.app.screen, PaletteScreen), "palette")
        await c.press(*"library")
        await c.press("enter")
        await c.until(lambda: isinstance(c.app.screen, LibraryScreen), "the library")


@pytest.mark.long
async def test_the_palette_says_why_an_action_cannot_be_taken(console: Opener) -> None:
    async with console() as c:
        await c.press("ctrl+p", *"roll back")
        await c.shows("no previous value")
        await c.press("escape")
        await c.until(lambda: c.app.screen is c.queue, "back")
        assert c.app.undo is None


async def test_a_decision_from_the_palette_decides(desk: Desk, console: Opener) -> None:
    first = desk.propose("Use tabs")
    async with console() as c:
        await c.press("ctrl+p", *"reject", "enter")
        await c.until(lambda: desk.status(first) == "rejected", "rejected")
        await c.says("rejected")
        assert c.app.screen is c.queue
