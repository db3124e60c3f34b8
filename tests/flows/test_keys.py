"""A person's key map in the running console: the keys do it, and every place names them."""

from __future__ import annotations

import re
import tomllib

import pytest

from console import keymap
from console.keymap import KeyMap
from console.screens.help import HelpScreen
from console.screens.library import LibraryScreen
from console.screens.palette import PaletteScreen
from console.widgets.confirm import Confirm
from tests.flows.conftest import Console, Desk, Opener

MINE = """[keys]
queue.approve = "f2"
queue.reject = ","
log.undo = "<"
history.rollback = "b"
history.take_back = "B"
item.open = "o"
evidence.open = []
agents.open = "e"
scopes.open = "O"
help = "f1"
back = "ctrl+g"
leave = "w"
copy.file = []
move.down = ["f7", "down"]
screen.library = "l"
filter.open = "f"
palette = "ctrl+o"
"""


def mine(text: str = MINE) -> KeyMap:
    read = keymap.read(tomllib.loads(text)["keys"])
    assert read.messages == ()
    return read


async def test_changed_keys_decide_and_the_built_in_ones_do_not(desk: Desk, console: Opener) -> None:
    first, second = desk.propose("Use tabs"), desk.propose("Use spaces")
    async with console(keymap=mine()) as c:
        await c.press("a", "x")
        assert desk.statuses(first, second) == ["pending", "pending"]
        here = c.here
        await c.press("f2")
        await c.until(lambda: desk.status(here) == "approved", "approved")
        await c.ready()
        other = second if here == first else first
        await c.press("comma")
        await c.until(lambda: desk.status(other) == "rejected", "rejected")
        await c.press("u")
        await c.pilot.pause()
        assert desk.status(other) == "rejected"
        await c.until(lambda: c.app.undo is not None, "undo")
        await c.press("less_than_sign")
        await c.until(lambda: desk.status(other) == "pending", "undone")


async def test_every_place_names_the_changed_keys(desk: Desk, console: Opener) -> None:
    desk.known("Write in the active voice", key="style.voice")
    desk.known("Write in the passive voice", key="style.voice")
    desk.propose("Write plainly", key="style.voice")
    async with console(keymap=mine(), size=(140, 40)) as c:
        await c.shows("brings back")
        screen = c.text()
        footer = screen.splitlines()[-1]
        assert "f2 Approve" in footer
        assert ", Reject" in footer
        assert "< Undo" in footer
        assert re.search(r"\bb brings back:", screen)
        assert re.search(r"1 Queue .* l Library", screen)
        assert "< approved" in screen.splitlines()[0]
        await c.press("w")  # the top level: nothing but the end is left
        await c.until(lambda: c.app._exit, "the end")


@pytest.mark.long
async def test_help_and_palette_name_the_changed_keys_and_close_with_them(desk: Desk, console: Opener) -> None:
    desk.known("Something")
    async with console(keymap=mine(), size=(100, 40)) as c:
        await c.press("f1")
        await c.until(lambda: isinstance(c.app.screen, HelpScreen), "help")
        page = "\n".join("".join(part.text for part in line) for line in c.app.screen.page(90))
        assert re.search(r"^  f2 +Approve", page, re.MULTILINE)
        assert re.search(r"^  +Write", page, re.MULTILINE)
        assert "{" not in page
        await c.press("ctrl+g")
        await c.until(lambda: c.app.screen is c.queue, "back")
        await c.press("ctrl+o", *"approve")
        await c.until(lambda: isinstance(c.app.screen, PaletteScreen), "palette")
        await c.shows("f2  Approve")
        await c.press("ctrl+o")
        await c.until(lambda: c.app.screen is c.queue, "closed")
        await c.press("l")
        await c.until(lambda: isinstance(c.app.screen, LibraryScreen), "library")
        await c.press("w")
        await c.until(lambda: c.app.screen is c.queue, "back")


async def test_a_question_moves_and_closes_with_the_changed_keys(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(f"Rule {number}") for number in range(3)]
    async with console(keymap=mine()) as c:
        await c.press("asterisk", "f2")
        await c.until(lambda: isinstance(c.app.screen, Confirm), "asked")
        await c.until(lambda: c.app.screen.ready, "painted")
        await c.press("f7")
        assert c.app.screen._focus == 1
        rows = [row.strip(" │▌") for row in c.text().splitlines()]
        for answer in c.app.screen._answers:  # its letters are no part of the key map: they are painted beside them
            assert f"{answer.key}  {answer.words}" in rows
        await c.press("w")
        await c.until(lambda: c.app.screen is c.queue, "left")
        assert set(desk.statuses(*ids)) == {"pending"}


@pytest.mark.long
async def test_refusals_and_empty_places_name_the_changed_keys(desk: Desk, console: Opener) -> None:
    first = desk.propose("Use tabs")
    async with console(keymap=mine(), size=(60, 20)) as c:
        await c.press("f2")
        await c.says("o opens it first")
        assert desk.status(first) == "pending"
        await c.press("f", *"zzzz", "enter")
        await c.shows("ctrl+g clears it")


async def test_what_is_wrong_with_the_key_map_is_said_at_the_start(desk: Desk, console: Opener) -> None:
    desk.propose("Use tabs")
    wrong = keymap.read(tomllib.loads('[keys]\nqueue.approve = "f2"\nqueue.reject = "f2"\nno.such = "a"')["keys"])
    async with console(keymap=wrong) as c:
        await c.says("Approve (queue.approve) and Reject (queue.reject)")
        assert "no.such" in c.words
        await c.press("f2")
        assert c.here is not None
        assert desk.status(c.here) == "pending"


@pytest.mark.parametrize("key", ["ctrl+q", pytest.param("f10", marks=pytest.mark.long)])
async def test_the_key_that_quits_quits_from_a_question(desk: Desk, console: Opener, key: str) -> None:
    first = desk.propose("Use tabs")
    async with console(keymap=mine(f'[keys]\nquit = "{key}"')) as c:
        await c.press("asterisk", "a")
        await c.until(lambda: isinstance(c.app.screen, Confirm), "asked")
        await c.press(key)
        await c.until(lambda: c.app._exit, "the end")
    assert desk.status(first) == "pending", "the question was not answered"


async def test_ctrl_c_stops_nothing_and_says_what_does(console: Opener) -> None:
    async with console() as c:
        await c.press("ctrl+c")
        await c.says("ctrl+q leaves the program")
        assert c.app.is_running and not c.app._exit


@pytest.mark.long
async def test_git_add_p_by_its_own_keys(desk: Desk, console: Opener) -> None:
    one, two = desk.propose("Use tabs"), desk.propose("Use spaces")
    async with console(keymap=mine('[keys]\npreset = "git"')) as c:
        await _decide(c, desk, "y", "approved")
        await _decide(c, desk, "n", "rejected")
        assert sorted(desk.statuses(one, two)) == ["approved", "rejected"]


async def _decide(c: Console, desk: Desk, key: str, status: str) -> None:
    await c.ready()
    here = c.here
    assert here is not None
    await c.press(key)
    await c.until(lambda: desk.status(here) == status, status)
