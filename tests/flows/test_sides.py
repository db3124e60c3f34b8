"""Side by side: a proposal beside the memory that it would replace, or one that is like it, and the four answers."""

from __future__ import annotations

import pytest

from console.screens.sides import SidesScreen
from tests.flows.conftest import Console, Desk, Opener


def conflict(desk: Desk) -> tuple[str, str]:
    """A live value of one agent, and another agent's value for the same key: (memory id, proposal id)."""
    live = desk.known(
        "Write reports in the active voice, in short sentences",
        key="style.voice",
        kind="procedure",
        source_agent="codex",
        source="user_feedback",
        session_id="s-old",
    )
    asked = desk.propose(
        "Write reports in the passive voice, in short sentences",
        key="style.voice",
        kind="procedure",
        source_agent="claude-code",
        source="user_feedback",
        session_id="s-new",
        evidence="could you write it more formally?",
        confidence=0.62,
    )
    return live.id, asked


async def opened(c: Console) -> SidesScreen:
    """Press the key, and wait until both sides are painted."""
    await c.press("equals_sign")
    await c.until(lambda: isinstance(c.app.screen, SidesScreen) and c.app.screen.painted_at() is not None, "both sides")
    screen = c.app.screen
    assert isinstance(screen, SidesScreen)
    return screen


@pytest.mark.parametrize("size", [(80, 24), pytest.param((140, 40), marks=pytest.mark.long)])
async def test_who_said_what_when_from_which_source_with_support(
    desk: Desk, console: Opener, size: tuple[int, int]
) -> None:
    conflict(desk)
    async with console(size=size) as c:
        await opened(c)
        text = c.text()
        for words in ("codex", "claude-code", "session s-old", "approved by you", "revision 1", "1 session claimed"):
            assert words in text, words
        for words in ("conflict", "active", "passive", "could you write it", "0.62", "the live one stays"):
            assert words in text, words
        for words in ("a Take new", "x Keep live", "e Edit", "b Keep both"):
            assert words in text, words


@pytest.mark.long
async def test_take_new_and_one_undo(desk: Desk, console: Opener) -> None:
    live, asked = conflict(desk)
    async with console(size=(140, 40)) as c:
        await opened(c)
        await c.press("a")
        await c.until(lambda: desk.status(asked) == "approved", "taken")
        assert "passive" in desk.memory(live).entry.content
        assert desk.memory(live).previous_value == "Write reports in the active voice, in short sentences"
        await c.until(lambda: c.app.undo is not None and "approved" in c.app.undo.title, "undo")
        await c.ready()
        await c.press("u")
        await c.until(lambda: desk.status(asked) == "pending", "undone")


@pytest.mark.long
async def test_keep_live_rejects_the_new_one(desk: Desk, console: Opener) -> None:
    live, asked = conflict(desk)
    async with console() as c:
        await opened(c)
        await c.press("x")
        await c.until(lambda: desk.status(asked) == "rejected", "kept")
        assert "active" in desk.memory(live).entry.content


@pytest.mark.long
async def test_edit_words_it_oneself(desk: Desk, console: Opener) -> None:
    live, asked = conflict(desk)
    async with console(size=(140, 40)) as c:
        await opened(c)
        await c.press("e")
        await c.until(lambda: c.queue.editing and c.app.focused is not None, "editor")
        await c.press(*"Mind: ", "ctrl+s")
        await c.until(lambda: desk.status(asked) == "approved", "saved")
        assert desk.memory(live).entry.content.startswith("Mind: ")


@pytest.mark.long
async def test_both_under_two_keys(desk: Desk, console: Opener) -> None:
    live, asked = conflict(desk)
    async with console(size=(140, 40)) as c:
        await opened(c)
        await c.press("b")
        await c.shows("Its own key")
        await c.until(lambda: c.queue.prompt.purpose == "key", "asked")
        line = c.queue.prompt.query_one("#prompt-input")
        assert line.value == "style.voice.2"
        line.value = "not a key"
        await c.press("enter")
        await c.shows("a key such as")
        line.value = "style.voice.customers"
        await c.press("enter")
        await c.until(lambda: desk.status(asked) == "approved", "both")
        assert "active" in desk.memory(live).entry.content
        assert len(desk.contents()) == 2


@pytest.mark.long
async def test_it_decides_nothing_before_both_sides_are_painted_nor_twice_in_a_breath(
    desk: Desk, console: Opener
) -> None:
    _, asked = conflict(desk)
    async with console() as c:
        screen = await opened(c)
        screen._painted = None
        await c.pilot.press("a")
        await c.pilot.pause()
        assert desk.status(asked) == "pending"


@pytest.mark.long
async def test_a_live_value_that_has_moved_on_is_shown_instead(desk: Desk, console: Opener) -> None:
    from store import history
    from tests.flows.conftest import ADA

    live, asked = conflict(desk)
    async with console(size=(140, 40)) as c:
        await opened(c)
        memory = desk.memory(live)
        history.edit(desk.store, live, 1, memory.entry.with_(content="Write reports in verse"), by=ADA)
        await c.press("a")
        await c.until(lambda: "it is now" in c.text(), "base, mine and theirs")
        assert desk.status(asked) == "pending"
        assert desk.memory(live).entry.content == "Write reports in verse"


async def test_what_is_like_it_is_named_with_its_hints_and_stands_beside_it(desk: Desk, console: Opener) -> None:
    desk.known("The staging database listens on port 5433", key="db.staging", session_id="s-old")
    desk.propose("The staging database listens on port 5440", session_id="s-new")
    async with console(size=(140, 40)) as c:
        await c.shows("similar")
        await c.until(lambda: c.queue.detail.beside is not None, "looked for")
        await c.shows("db.staging")
        assert "5433" in c.text() and "→ 5440" in c.text().replace("->", "→")
        assert "words" in c.text() or "encoder" in c.text()
        await opened(c)
        assert "lets it hold beside it" in c.text()
        await c.press("b")
        await c.until(lambda: "it replaces nothing" in c.text(), "both are kept anyway")


@pytest.mark.long
async def test_nothing_like_it_says_so(desk: Desk, console: Opener) -> None:
    desk.propose("Tests run with pytest -q")
    async with console() as c:
        await c.until(lambda: c.queue.detail.beside is not None, "looked for")
        await c.press("equals_sign")
        await c.says("no memory says anything like it")
        assert c.app.screen is c.queue


@pytest.mark.long
async def test_by_mouse(desk: Desk, console: Opener) -> None:
    memory, asked = conflict(desk)
    async with console() as c:
        await opened(c)
        footer = c.app.screen.query_one("DeskFooter")
        start = next(start for start, _, action in footer._spans if action.id == "sides.keep")
        c.clock.now += 1
        await c.pilot.click(footer, offset=(start, 0))
        await c.until(lambda: desk.status(asked) == "rejected", "clicked")
        assert set(desk.contents()) == {desk.memory(memory).entry.content}
