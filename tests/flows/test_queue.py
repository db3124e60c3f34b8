"""Every key of the queue: what it does to the store, and what the person is told."""

from __future__ import annotations

from datetime import timedelta

import pytest

from console import actions
from store import queries
from tests.flows.conftest import SCOPE, Desk, Opener


async def test_approve_makes_a_memory_and_goes_to_the_next(desk: Desk, console: Opener) -> None:
    older, newer = desk.propose("Deploys run on Tuesdays"), desk.propose("Tests run with pytest -q")
    async with console() as c:
        assert c.here == newer
        await c.press("a")
        await c.says("approved")
        assert c.here == older
        assert desk.contents() == {"Tests run with pytest -q"}
        await c.until(lambda: len(c.queue.model) == 1, "the list follows")
        await c.until(lambda: "u approved" in c.text(), "the header names the step")


async def test_reject_and_undo_and_redo(desk: Desk, console: Opener) -> None:
    first = desk.propose("Use tabs")
    async with console() as c:
        await c.press("x")
        await c.says("rejected")
        assert desk.status(first) == "rejected"
        await c.until(lambda: c.app.undo is not None, "undo")
        await c.press("u")
        await c.says("undid: rejected")
        assert desk.status(first) == "pending"
        await c.until(lambda: c.here == first and c.app.redo is not None, "back in the queue")
        await c.press("U")
        await c.says("redid: rejected")
        assert desk.status(first) == "rejected"


@pytest.mark.parametrize(("undo", "redo"), [("z", "Z")])
async def test_z_is_undo_too(desk: Desk, console: Opener, undo: str, redo: str) -> None:
    first = desk.propose("Use tabs")
    async with console() as c:
        await c.press("s")
        await c.says("skipped")
        await c.until(lambda: c.app.undo is not None, "undo")
        await c.press(undo)
        await c.until(lambda: desk.status(first) == "pending", "undone")
        await c.until(lambda: c.app.redo is not None, "redo")
        await c.press(redo)
        await c.until(lambda: desk.status(first) == "deferred", "redone")
        await c.says("redid: ")
        assert c.app.screen is c.queue


async def test_reject_with_a_reason(desk: Desk, console: Opener) -> None:
    first = desk.propose("Use tabs")
    async with console() as c:
        await c.press("X")
        await c.shows("No, because")
        await c.until(lambda: getattr(c.app.screen, "ready", False), "painted")
        await c.press("enter")
        await c.shows("Reject, because")
        await c.press(*"we do not", "enter")
        await c.says("rejected")
        assert desk.status(first) == "rejected"
    refused = queries.detail(desk.store, first)
    assert refused is not None and refused.refused_before is not None
    assert refused.refused_before.reason == "we do not"


async def test_esc_leaves_the_reason_and_nothing_is_rejected(desk: Desk, console: Opener) -> None:
    first = desk.propose("Use tabs")
    async with console() as c:
        await c.press("X")
        await c.until(lambda: getattr(c.app.screen, "ready", False), "painted")
        await c.press("x")
        await c.until(lambda: c.queue.prompt.purpose == "reason", "asked")
        await c.press("n", "o", "escape")
        assert not c.queue.prompt.purpose
        assert desk.status(first) == "pending"


async def test_defer_goes_to_the_end(desk: Desk, console: Opener) -> None:
    older, newer = desk.propose("One"), desk.propose("Two")
    async with console() as c:
        await c.press("s")
        await c.says("skipped")
        await c.until(lambda: list(c.queue.model.main) == [older, newer], "at the end")
        assert c.here == older


async def test_edit_saves_and_approves(desk: Desk, console: Opener) -> None:
    first = desk.propose("Tests run with unittest")
    async with console() as c:
        await c.press("e")
        await c.until(lambda: c.app.focused is not None, "editor")
        await c.press(*"pytest! ")
        await c.until(lambda: (c.queue.edited_text() or "").startswith("pytest! "), "typed")
        assert desk.status(first) == "pending"
        await c.press("ctrl+s")
        await c.says("approved")
        assert desk.contents() == {"pytest! Tests run with unittest"}
        assert not c.queue.editing


@pytest.mark.long
async def test_esc_leaves_the_editor_and_nothing_is_saved(desk: Desk, console: Opener) -> None:
    first = desk.propose("Tests run with unittest")
    async with console() as c:
        await c.press("e")
        await c.until(lambda: c.app.focused is not None, "editor")
        await c.press("a", "x", "escape")
        await c.says("left as it was")
        assert desk.status(first) == "pending"


async def test_an_edit_that_the_border_refuses_stays_in_the_editor(desk: Desk, console: Opener) -> None:
    first = desk.propose("x")
    async with console() as c:
        await c.press("e")
        await c.until(lambda: c.app.focused is not None, "editor")
        await c.press("delete")
        await c.until(lambda: c.queue.edited_text() == "", "empty")
        await c.press("ctrl+s")
        await c.until(lambda: c.words, "told")
        assert c.queue.editing
        assert desk.status(first) == "pending"


async def test_D039_what_would_hold_for_every_project_says_so_and_one_key_narrows_or_ends_it(
    desk: Desk, console: Opener
) -> None:
    ours = desk.propose("Tests run with pytest -q")
    joke = desk.propose("For this session, always answer like a pirate", kind="preference", scope="global")
    async with console() as c:
        assert c.here == joke
        rows = {word: row for row in c.text().splitlines()[1:3] for word in ("session", "pytest") if word in row}
        assert ["everywhere" in rows[word] for word in ("session", "pytest")] == [True, False], c.text()
        assert "preference · everywhere" in c.text()

        async def placed(key: str) -> None:
            await c.press("p")
            await c.shows("Where does it belong?")
            await c.until(lambda: c.app.screen.ready, "painted")
            await c.press(key)

        await placed("p")
        await c.until(lambda: desk.proposal(joke).entry.scope == SCOPE, "narrowed")
        await c.until(lambda: f"preference · {SCOPE}" in c.text() and "everywhere" not in c.text(), "and painted")
        await c.ready()
        await placed("t")
        await c.shows("For how many days?")
        await c.press("enter")
        await c.until(lambda: desk.proposal(joke).entry.valid_until is not None, "it ends")
        await c.until(lambda: f"{SCOPE} · until" in c.text(), "and painted")
        assert desk.statuses(joke, ours) == ["pending", "pending"]
        await c.ready()
        await placed("g")
        await c.until(lambda: desk.proposal(joke).entry.scope == "global", "everywhere")


@pytest.mark.long
async def test_place_for_some_days(desk: Desk, console: Opener) -> None:
    first = desk.propose("The freeze lasts this week")
    async with console() as c:
        await c.press("p")
        await c.shows("Where does it belong?")
        await c.until(lambda: c.app.screen.ready, "painted")
        await c.press("t")
        await c.shows("For how many days?")
        await c.press("backspace", "q", "enter")
        await c.shows("a number of days")
        await c.press("backspace", "3", "enter")
        await c.until(lambda: desk.proposal(first).entry.valid_until is not None, "placed")
        until = desk.proposal(first).entry.valid_until
        assert until is not None
        assert timedelta(days=2, hours=23) < until - desk.store.now() <= timedelta(days=3)


async def test_r_brings_back_what_is_painted(desk: Desk, console: Opener) -> None:
    desk.known("Write reports formally", key="style.voice")
    memory = desk.known("Write reports in the active voice", key="style.voice")
    waiting = desk.propose("Write reports in the passive voice", key="style.voice")
    async with console() as c:
        assert "r brings back: Write reports formally" in c.text()
        await c.press("r")
        await c.says("rolled back")
        assert desk.memory(memory.id).entry.content == "Write reports formally"
        assert desk.status(waiting) == "pending"
        await c.until(lambda: "r brings back: Write reports in the active voice" in c.text(), "the next value")
        await c.ready()
        await c.press("r")
        await c.until(lambda: desk.memory(memory.id).revision == 4, "the second undoes the first")
        assert desk.memory(memory.id).entry.content == "Write reports in the active voice"


async def test_r_says_why_not(desk: Desk, console: Opener) -> None:
    desk.propose("New", key="a.b")
    async with console() as c:
        assert "brings back" not in c.text()
        await c.press("r")
        await c.says("no previous value")


@pytest.mark.long
async def test_moving(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(f"Number {n}") for n in range(30)][::-1]
    async with console() as c:
        for key, place in [
            ("j", 1),
            ("down", 2),
            ("k", 1),
            ("up", 0),
            ("k", 0),
            ("G", 29),
            ("g", 0),
            ("ctrl+d", 5),
            ("pagedown", 10),
            ("ctrl+u", 5),
            ("pageup", 0),
            ("end", 29),
            ("home", 0),
        ]:
            await c.press(key)
            assert c.here == ids[place], key
        await c.press("tab")
        assert c.queue.pane == "detail"
        await c.press("j")
        assert c.here == ids[0], "the detail has the keys"
        await c.press("tab", "enter")
        assert c.queue.pane == "detail"
        await c.press("escape")
        assert c.queue.pane == "list"


async def test_zoom(desk: Desk, console: Opener) -> None:
    desk.propose("Number")
    async with console() as c:
        await c.press("+")
        assert c.queue.detail.display is False or not c.queue.detail.size
        await c.press("+")
        await c.until(lambda: c.queue.detail.size.height > 0, "both again")


async def test_copy_says_sent(desk: Desk, console: Opener) -> None:
    desk.propose("Copy me\n")
    async with console() as c:
        await c.press("y")
        await c.says("sent 7 characters")
        assert c.app.clipboard == "Copy me"


async def test_write_to_a_file(desk: Desk, console: Opener) -> None:
    desk.propose("Write me")
    path = desk.folder / "out.txt"
    async with console() as c:
        for words in ("written to", "File exists"):
            await c.press("w")
            await c.until(lambda: c.queue.prompt.purpose == "file", "asked")
            c.queue.prompt.query_one("#prompt-input").value = str(path)
            await c.press("enter")
            await c.says(words)
    assert path.read_text() == "Write me"
    assert path.stat().st_mode & 0o777 == 0o600


async def test_split_and_invisibles_change_the_view(desk: Desk, console: Opener) -> None:
    desk.known("one two three", key="a.b")
    desk.propose("one two four", key="a.b")
    async with console(size=(140, 40)) as c:
        before = c.text()
        await c.press("\\")
        await c.until(lambda: c.text() != before, "the other view")
        before = c.text()
        await c.press("i")
        await c.until(lambda: "one␣two" in c.text(), "spaces shown")
        await c.press("i")
        await c.until(lambda: "␣" not in c.text(), "and no longer")
        assert "one two" in c.text()


@pytest.mark.long
async def test_d_h_and_help_open_their_screens_and_q_comes_back(desk: Desk, console: Opener) -> None:
    desk.known("one two three", key="a.b")
    desk.propose("one two four", key="a.b")
    async with console() as c:
        for key in ("d", "h", "question_mark"):
            await c.press(key)
            await c.until(lambda: len(c.app.screen_stack) == 2, key)
            assert {"d": "diff", "h": "history"}.get(key, "help") == c.app.screen.NAME
            await c.press("q")
            await c.until(lambda: len(c.app.screen_stack) == 1, "back")


async def test_q_at_the_top_and_ctrl_q_leave(desk: Desk, console: Opener) -> None:
    for key in ("q", "ctrl+q"):
        async with console() as c:
            await c.press(key)
            await c.until(lambda: not c.app.is_running or c.app.return_code == 0, key)


async def test_said_once_is_folded_and_opens(desk: Desk, console: Opener) -> None:
    first = desk.propose("Likes short sentences", kind="preference", source="unknown")
    assert desk.status(first) == "draft"
    waiting = desk.propose("Tests run with pytest")
    async with console() as c:
        assert "▸" in c.text() and "1 said once" in c.text()
        assert "Likes short" not in c.text()
        await c.press("j")
        await c.press("a")
        await c.says("enter opens what is folded")
        await c.press("enter")
        await c.shows("Likes short")
        await c.press("j")
        await c.ready()
        await c.press("a")
        await c.until(lambda: desk.status(first) == "approved", "drafts can be decided on")
        assert desk.status(waiting) == "pending"


def test_every_action_of_the_queue_has_its_method() -> None:
    from console.app import DeskApp
    from console.screens.queue import QueueScreen

    for action in actions.of_screen("queue"):
        name = "do_" + action.id.replace(".", "_")
        assert hasattr(QueueScreen, name) or hasattr(DeskApp, name), action.id


async def test_undo_goes_to_what_came_back(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(f"Rule {number}") for number in range(5)]
    async with console() as c:
        await c.on(ids[2])
        await c.press("x")
        await c.says("rejected")
        await c.ready()
        await c.on(ids[0])
        await c.until(lambda: c.app.undo is not None, "undo")
        await c.press("u")
        await c.until(lambda: c.here == ids[2], "what came back is under the cursor")
        assert desk.statuses(*ids) == ["pending"] * 5
