"""Screen 4: what was done, by whom; each step part by part; taken back from there; and who was told what."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert

from console import keys
from console.screens.activity import ActivityScreen
from console.screens.activity_pairs import PairsScreen
from console.screens.activity_parts import ActivityPartsScreen
from console.screens.activity_told import ToldScreen
from console.widgets.dialog import Dialog
from console.widgets.footer import DeskFooter
from store import history, review
from store.facts import Actor, Memory
from store.ids import new_id
from store.models import HandoutRow
from tests.flows.conftest import ADA, Console, Desk, Opener

BOB = Actor("bob", "cli")


async def settled(c: Console, screen: ActivityScreen | PairsScreen) -> None:
    """Wait until nothing is being asked and what is under the cursor is painted."""

    def still() -> bool:
        lanes = ("ids", "rows", "detail", "look", "step")
        if not screen.ready or any(screen.busy(lane) for lane in lanes) or c.app.busy("decide"):
            return False
        return not len(screen.listing.ids) or screen.painted_at() is not None

    await c.until(still, "settled")


async def into(c: Console) -> ActivityScreen:
    """Go to the screen and wait for what it lists."""
    await c.press("4")
    await c.until(lambda: isinstance(c.app.screen, ActivityScreen), "screen 4")
    screen = c.app.screen
    assert isinstance(screen, ActivityScreen)
    await settled(c, screen)
    return screen


async def opened(c: Console, kind: type[PairsScreen], *keys: str) -> Any:
    """Press keys that open another screen, and wait for it."""
    await c.press(*keys)
    await c.until(lambda: isinstance(c.app.screen, kind), kind.__name__)
    await settled(c, c.app.screen)  # type: ignore[arg-type]
    return c.app.screen


async def says(c: Console, words: str) -> None:
    """Wait for the footer of the screen on top to say this; a dialog, which has none, may still be closing."""
    await c.until(lambda: any(words in one.words for one in c.app.screen.query(DeskFooter)), words)


async def on(c: Console, screen: ActivityScreen, seq: int) -> None:
    screen.listing.go_to(str(seq))
    await settled(c, screen)


def hand_out(desk: Desk, memory: Memory, session: str, agent: str = "codex") -> None:
    """Note that a memory was given at its start, as the hook's note does once it is taken in."""
    row = {"memory_id": memory.id, "revision": memory.revision, "session_id": session, "agent": agent}
    own = {"tenant_id": desk.store.tenant, "id": new_id(), "at": desk.store.now(), "surface": "hook"}
    with desk.store.write() as connection:
        connection.execute(insert(HandoutRow.__table__), [{**row, **own}])  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [(80, 24), pytest.param((140, 40), marks=pytest.mark.long)])
async def test_any_step_is_found_read_and_taken_back_and_done_again(
    desk: Desk, console: Opener, size: tuple[int, int]
) -> None:
    held = desk.known("Write reports in the active voice.", key="style.voice")
    desk.known("Run tests with pytest -q", key="build.test")
    history.edit(
        desk.store, held.id, 1, held.entry.with_(content="Write reports in the passive voice."), by=BOB, reason="asked"
    )
    desk.known("Use uv, never pip")
    async with console(size=size) as c:
        screen = await into(c)
        assert len(screen.listing.ids) == 4
        text = c.text()
        assert text.index("approved “Use uv, never pip”") < text.index("edited style.voice")
        await on(c, screen, 3)
        for words in ("by bob", "from the shell", "asked", "passive", "takes it back"):
            assert words in c.text(), words
        await c.press("b")
        await c.until(lambda: isinstance(c.app.screen, Dialog), "the question")
        assert "Take this step back?" in c.text()
        await c.press("y")
        await says(c, "undid: edited style.voice")
        await settled(c, screen)
        assert desk.memory(held.id).entry.content == "Write reports in the active voice."
        assert screen.listing.cursor_id == "3"
        assert "undone" in c.text() and "does it again" in c.text()
        await c.press("b")
        await c.until(lambda: isinstance(c.app.screen, Dialog), "the question")
        assert "Do this step again?" in c.text()
        await c.press("y")
        await says(c, "redid: edited style.voice")
        assert desk.memory(held.id).entry.content == "Write reports in the passive voice."


@pytest.mark.long
async def test_what_stands_in_the_way_is_said_and_the_others_are_offered(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(f"Step {n} is in services/step_{n}.py", key=f"step.{n}") for n in range(3)]
    done = review.approve_many(desk.store, [desk.proposal(one).seen() for one in ids], by=ADA)
    held = desk.memory(done.memory_ids[0])
    history.edit(desk.store, held.id, 1, held.entry.with_(content="Moved"), by=BOB)
    async with console(size=(140, 40)) as c:
        screen = await into(c)
        await on(c, screen, 1)
        assert "something later stands on 1 of the 3: edited" in c.text()
        assert "the other 2 alone" in c.text()
        await c.press("b")
        await c.until(lambda: isinstance(c.app.screen, Dialog), "the question")
        await c.press("y")
        await c.shows("Undo the other 2?")
        await c.press("y")
        await says(c, "undid: approved")
        await settled(c, screen)
        assert desk.contents() == {"Moved"}
        await on(c, screen, 1)
        history.delete(desk.store, held.id, 2, by=BOB)
        await c.until(lambda: len(screen.listing.ids) == 4, "the commit of another process")


@pytest.mark.long
async def test_a_step_wholly_stood_on_gives_its_reason_at_once(desk: Desk, console: Opener) -> None:
    held = desk.known("active voice", key="style.voice")
    history.delete(desk.store, held.id, 1, by=BOB)
    async with console() as c:
        screen = await into(c)
        await on(c, screen, 1)
        await c.press("b")
        await says(c, "something later stands on it: deleted style.voice")
        assert c.app.screen is screen


@pytest.mark.long
async def test_every_part_of_a_step_is_listed_before_and_after(desk: Desk, console: Opener) -> None:
    old = desk.known("The port is 5433", key="db.port")
    new, rival = (desk.propose(f"The port is {port}", key="db.port") for port in (5440, 5441))
    review.approve(desk.store, desk.proposal(new).seen(), by=ADA)
    async with console(size=(140, 40)) as c:
        screen = await into(c)
        assert screen.listing.cursor_id == "2"
        parts = await opened(c, ActivityPartsScreen, "enter")
        assert list(parts.listing.ids) == [old.id, rival]
        for words in ("5433", "5440", "active, revision 2", "waits → set aside", "The port is 5441", "2 parts"):
            assert words in c.text(), words
        await c.press("b")
        await c.until(lambda: isinstance(c.app.screen, Dialog), "the question")
        await c.press("y")
        await says(c, "undid: approved")
        assert desk.contents() == {"The port is 5433"}
        await c.press("h")
        await c.shows("2 → 3")


async def test_who_was_told_this_also_after_a_rollback(desk: Desk, console: Opener) -> None:
    held = desk.known("Deploy from main", key="deploy.branch")
    desk.known("Deploy from release", key="deploy.branch")
    told = desk.memory(held.id)
    hand_out(desk, told, "s-7f3a")
    hand_out(desk, told, "s-9b21", "claude-code")
    history.rollback(desk.store, held.id, 2, by=ADA)
    hand_out(desk, desk.memory(held.id), "s-new")
    async with console(size=(140, 40)) as c:
        await into(c)
        assert "what stood before was told 2 times" in c.text()
        await opened(c, ToldScreen, "W")
        for words in ("3 times to 3 sessions", "2 times to 2 sessions what is no longer said", "session s-9b21"):
            assert words in c.text(), words
        assert c.text().count("no longer said") >= 3
        await c.press("j")
        await c.until(lambda: "release" in c.text(), "what was said then")
        await c.press("escape", "2")
        await c.until(lambda: type(c.app.screen).__name__ == "LibraryScreen", "the library")
        await c.until(lambda: getattr(c.app.screen, "memory", None) is not None, "its detail")
        await opened(c, ToldScreen, "W")


@pytest.mark.long
async def test_a_memory_that_nobody_was_told_says_so(desk: Desk, console: Opener) -> None:
    desk.known("Deploy from main")
    async with console() as c:
        await into(c)
        await c.press("W")
        await c.shows("Nobody was told it")
        assert isinstance(c.app.screen, ToldScreen)


@pytest.mark.long
async def test_filter_as_you_type(desk: Desk, console: Opener) -> None:
    desk.known("Deploy from main", key="deploy.branch")
    review.reject(desk.store, desk.proposal(desk.propose("Use yarn")).seen(), by=BOB, reason="we use pnpm")
    async with console() as c:
        screen = await into(c)
        await c.press("slash", *"by:bob")
        await c.until(lambda: len(screen.listing.ids) == 1 and not screen.busy("ids"), "one")
        await c.shows("1 match")
        await c.press("enter")
        await settled(c, screen)
        assert "/by:bob 1" in c.text() and "we use pnpm" in c.text()
        await c.press("escape")
        await c.until(lambda: len(screen.listing.ids) == 2, "all again")
        await c.press("slash", *"since:soon", "enter")
        await says(c, "since is a date or a time")
        await c.press("escape", "slash", *"zebra", "enter")
        await c.shows("No step matches this filter.")


@pytest.mark.long
async def test_an_empty_log_teaches_the_next_step(desk: Desk, console: Opener) -> None:
    del desk
    async with console(wait=False) as c:
        await c.until(lambda: c.app.store is not None, "open")
        await into(c)
        await c.shows("Nothing has been decided here yet.")
        assert keys.shown("screen.queue") in c.text().split("decided here yet.")[1]


async def test_in_an_agents_environment_other_projects_are_nothing(desk: Desk, console: Opener) -> None:
    desk.known("Deploy from main", key="deploy.branch")
    desk.known("A secret plan", key="other.plan", scope="other-project")
    async with console(fenced="this is an agent's environment") as c:
        screen = await into(c)
        assert len(screen.listing.ids) == 1
        assert "other.plan" not in c.text()
        await c.press("b")
        await says(c, "this is an agent's environment")


async def test_V04_V11_hostile_texts_are_shown_as_data(desk: Desk, console: Opener) -> None:
    evil = "[red]boo[/] \u202etxt.exe a\u200bb\n + approved by you\n"
    desk.known(evil, key="deploy.branch")
    held = desk.known("x \u202e y [b]")
    hand_out(desk, held, "s\u202e-1", "a[b]c")
    history.delete(desk.store, held.id, 1, by=Actor("bo\u202eb", "cli"), reason="[i]because\u202e[/i]")
    async with console(size=(140, 40)) as c:
        screen = await into(c)
        await opened(c, ActivityPartsScreen, "enter")
        seen = [c.text()]
        await opened(c, ToldScreen, "W")
        seen.append(c.text())
        await c.press("escape", "escape")
        await on(c, screen, 1)
        seen.append(c.text())
        assert not any("\u202e" in text or "\u200b" in text for text in seen)
        assert "[red]boo[/]" in seen[2]
        assert "a[b]c" in seen[1]
        assert "[i]because" in seen[0]
