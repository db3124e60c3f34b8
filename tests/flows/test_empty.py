"""A screen with nothing on it says what would stand there and which key goes on; its footer has only keys that work."""

from __future__ import annotations

import pytest

from console import actions, keys
from tests.flows.conftest import Desk, Opener

TEACHES = {
    "1": ("Coding agents propose", "connects"),
    "2": ("What you approve in the queue is given", "1 shows what waits"),
    "3": ("no git repository", "/ asks otherwise"),
    "4": ("Every approval", "1 shows what waits"),
    "5": ("No agent has proposed anything yet.", "1 shows what waits"),
    "6": ("Each project has a scope", "1 shows what waits"),
}
"""By the key of a screen: what it is for, and the next step."""


async def test_every_empty_screen_teaches_the_next_step_and_offers_no_key_that_does_nothing(
    desk: Desk, console: Opener
) -> None:
    async with console() as c:
        for key, (what, step) in TEACHES.items():
            await c.press(key)
            await c.shows(what)
            await c.shows(step)
            screen = c.app.screen
            await c.until(lambda screen=screen: screen.situation().empty, f"{key} is known to be empty")
            offered = actions.footer(screen.NAME, screen.situation())
            assert [one.id for one, reason in offered if reason] == [], key
            assert {"palette", "help"} <= {one.id for one, _ in offered}, key


BEGINS = {
    "1": "Nothing is",
    "2": "Agents are given nothing",
    "4": "Nothing has been",
    "5": "No agent",
    "6": "Nothing is held",
}
"""By the key of a screen, how its words begin in the smallest window there is."""


@pytest.mark.long
async def test_every_empty_screen_says_so_in_the_smallest_window(desk: Desk, console: Opener) -> None:
    async with console(size=(40, 10)) as c:
        for key, words in BEGINS.items():
            await c.press(key)
            await c.shows(words)


@pytest.mark.long
@pytest.mark.parametrize("screen", ["2", "4"])
async def test_a_filter_that_lets_nothing_through_names_the_key_that_clears_it(
    desk: Desk, console: Opener, screen: str
) -> None:
    desk.known("Tests run with pytest")
    async with console() as c:
        await c.press(screen, "slash", *"zzzz", "enter")
        await c.shows("this filter")
        await c.shows(keys.shown("back"))
