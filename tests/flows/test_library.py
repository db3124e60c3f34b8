"""The library: what agents are given, found, edited, deleted and brought back, all of it undoable."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from console.screens.library import LibraryScreen
from console.widgets.footer import DeskFooter
from store import history, queries
from tests.flows.conftest import ADA, Console, Desk, Opener


async def into(c: Console) -> LibraryScreen:
    """Go to the library and wait for its first detail."""
    await c.press("2")
    await c.until(lambda: isinstance(c.app.screen, LibraryScreen), "the library")
    screen = c.app.screen
    assert isinstance(screen, LibraryScreen)
    await c.until(lambda: not screen.busy("ids"), "ids")
    await settled(c, screen)
    return screen


async def settled(c: Console, screen: LibraryScreen) -> None:
    """Wait until nothing is being asked and the detail of the row under the cursor stands there."""

    def still() -> bool:
        lanes = ("ids", "rows", "detail", "decide")
        if any(screen.busy(lane) for lane in lanes) or c.app.busy("decide"):
            return False
        return screen.listing.cursor_id is None or screen.painted_at() is not None

    await c.until(still, "the library is settled")


async def test_it_shows_what_is_active_and_what_was_overwritten(desk: Desk, console: Opener) -> None:
    desk.known("Reports are formal.", key="style.voice")
    desk.known("Reports are short.", key="style.voice")
    desk.known("用pnpm", key="build.tool")
    gone = desk.known("Old news")
    history.delete(desk.store, gone.id, gone.revision, by=ADA)
    async with console(size=(140, 40)) as c:
        await into(c)
        text = c.text().split("\n", 1)[1]  # the header names the last step
        assert "Reports are short." in text
        assert "用pnpm" in text
        assert "overwritten" in text
        assert "Old news" not in text


async def test_r_brings_the_overwritten_value_back_and_a_second_r_undoes_it(desk: Desk, console: Opener) -> None:
    memory = desk.known("Reports are formal.", key="style.voice")
    desk.known("Reports are short.", key="style.voice")
    async with console() as c:
        screen = await into(c)
        assert "brings back: Reports are formal." in c.text()
        await c.press("r")
        await c.until(lambda: desk.memory(memory.id).entry.content == "Reports are formal.", "brought back")
        await settled(c, screen)
        await c.shows("brings back: Reports are short.")
        await settled(c, screen)
        await c.press("r")
        await c.until(lambda: desk.memory(memory.id).entry.content == "Reports are short.", "and again")
        assert desk.memory(memory.id).revision == 4


async def test_r_is_refused_with_a_reason_where_nothing_stands_behind(desk: Desk, console: Opener) -> None:
    memory = desk.known("Only this")
    async with console() as c:
        await into(c)
        await c.press("r")
        await c.shows("no previous value stands behind it")
        assert desk.memory(memory.id).revision == 1


async def test_edit_in_place_makes_a_version_and_undo_takes_it_back(desk: Desk, console: Opener) -> None:
    memory = desk.known("Tabs, four wide")
    async with console() as c:
        screen = await into(c)
        await c.press("e")
        await c.until(lambda: screen.detail.editing, "the editor")
        await c.press(*"No: ", "ctrl+s")
        await c.until(lambda: desk.memory(memory.id).entry.content == "No: Tabs, four wide", "saved")
        await settled(c, screen)
        await c.until(lambda: c.app.undo is not None and "edited" in c.app.undo.title, "undo")
        await c.press("u")
        await c.until(lambda: desk.memory(memory.id).entry.content == "Tabs, four wide", "undone")
        assert desk.memory(memory.id).revision == 3, "forward, as one more version"


async def test_esc_leaves_the_editor_and_the_text_as_it_was(desk: Desk, console: Opener) -> None:
    memory = desk.known("As it was")
    async with console() as c:
        screen = await into(c)
        await c.press("e", "x", "escape")
        assert not screen.detail.editing
        assert desk.memory(memory.id).revision == 1


@pytest.mark.long
async def test_D045_a_stale_edit_is_refused_and_both_texts_are_shown(desk: Desk, console: Opener) -> None:
    memory = desk.known("Version one")
    async with console() as c:
        screen = await into(c)
        await c.press("e", *"Mine: ")
        history.edit(desk.store, memory.id, 1, memory.entry.with_(content="Theirs, meanwhile"), by=ADA)
        await c.press("ctrl+s")
        await c.shows("it is now")
        text = c.text()
        assert "Mine: Version one" in text
        assert "Theirs, meanwhile" in text
        assert desk.memory(memory.id).entry.content == "Theirs, meanwhile"
        await c.press("escape")
        assert screen.detail.editing, "the text one was writing is still there"
        await c.until(lambda: screen._edited is not None and screen._edited.revision == 2, "about what was shown")
        await c.press("ctrl+s")
        await c.until(lambda: desk.memory(memory.id).entry.content == "Mine: Version one", "decided again")
        told = [version.entry.content for version in queries.memory_versions(desk.store, memory.id) if version.entry]
        assert told == ["Mine: Version one", "Theirs, meanwhile", "Version one"]


async def asked(c: Console, screen: LibraryScreen, words: str) -> None:
    """Wait until a question with these words stands in front, painted."""
    await c.shows(words)
    await c.until(lambda: c.app.screen is not screen and c.app.screen.ready, "painted")  # type: ignore[attr-defined]


async def test_delete_says_what_it_is_with_no_in_focus_and_undo_brings_it_back(desk: Desk, console: Opener) -> None:
    memory = desk.known("Not any more", key="old.rule")
    async with console() as c:
        screen = await into(c)
        await c.press("t")
        await asked(c, screen, "old.rule: no longer true?")
        await c.press("enter")
        await c.until(lambda: c.app.screen is screen, "No was in focus")
        assert desk.memory(memory.id).status == "active"
        await settled(c, screen)
        await c.press("t")
        await asked(c, screen, "Not any more")
        await c.press("d")
        await asked(c, screen, "Delete old.rule?")
        assert "Delete keeps the history" in c.text()
        assert "Erase does not" in c.text()
        await c.press("y")
        await c.until(lambda: desk.memory(memory.id).status == "deleted", "deleted")
        await c.until(lambda: c.app.undo is not None and "deleted" in c.app.undo.title, "undo")
        await c.press("u")
        await c.until(lambda: desk.memory(memory.id).status == "active", "back")


@pytest.mark.long
async def test_D060_all_that_match_expire_in_one_step_after_the_exact_list(desk: Desk, console: Opener) -> None:
    memories = [desk.known(f"Rule {number} of the old service") for number in range(3)]
    stays = desk.known("Something else")
    async with console(size=(140, 40)) as c:
        screen = await into(c)
        await c.press("slash", *"service", "enter")
        await c.until(lambda: len(screen.listing.ids) == 3, "narrowed")
        await settled(c, screen)
        await c.press("*", "t")
        await asked(c, screen, "3 memories: no longer true?")
        assert all(f"Rule {number} of the old service" in c.text() for number in range(3))
        await c.press("e")
        await c.until(lambda: desk.contents() == {"Something else"}, "all expired, and nothing else")
        assert {desk.memory(one.id).status for one in memories} == {"expired"}
        await settled(c, screen)
        await c.until(lambda: c.app.undo is not None and "expired 3" in c.app.undo.title, "undo")
        await c.press("u")
        await c.until(lambda: len(desk.contents()) == 4, "one undo")
        assert desk.memory(stays.id).revision == 1


@pytest.mark.long
async def test_an_end_date_is_typed_and_what_is_no_date_keeps_the_line(desk: Desk, console: Opener) -> None:
    memory = desk.known("Freeze until the release", key="release.freeze")
    async with console() as c:
        screen = await into(c)
        await c.press("t")
        await asked(c, screen, "no longer true?")
        await c.press("u")
        await c.until(lambda: screen.prompt.purpose == "until", "a line")
        await c.press("ctrl+u", *"soon", "enter")
        await c.shows("is no date")
        await c.press("ctrl+u", *"2w", "enter")
        await c.until(lambda: desk.memory(memory.id).entry.valid_until is not None, "dated")
        until = desk.memory(memory.id).entry.valid_until
        assert until is not None and 13 <= (until - desk.store.now()).days <= 15
        await settled(c, screen)
        await c.shows("set the end of release.freeze")
        await c.press("u")
        await c.until(lambda: desk.memory(memory.id).entry.valid_until is None, "undone")


@pytest.mark.long
async def test_D030_turned_down_wants_a_reason_and_keeps_it(desk: Desk, console: Opener) -> None:
    memory = desk.known("Keep sessions in the cache", key="sessions")
    async with console() as c:
        screen = await into(c)
        await c.press("t")
        await asked(c, screen, "no longer true?")
        await c.press("t")
        await c.until(lambda: screen.prompt.purpose, "a line")
        await c.press("enter")
        await c.shows("a reason")
        await c.press(*"lost them twice", "enter")
        await c.until(lambda: desk.memory(memory.id).status == "retired", "turned down")
        assert history.why_retired(desk.store, [memory.id])[memory.id].reason == "lost them twice"
        assert desk.asked("Keep sessions in the cache").status == "rejected_before"


@pytest.mark.long
async def test_D074_where_it_holds_is_changed_for_the_marked_alone(desk: Desk, console: Opener) -> None:
    first, second, third = (desk.known(f"Rule {number}") for number in range(3))
    async with console() as c:
        screen = await into(c)
        await c.press("space", "space", "p")
        await asked(c, screen, "2 memories: where does it hold?")
        await c.press("g")
        await c.until(lambda: desk.memory(third.id).entry.scope == "global", "everywhere")
        assert desk.memory(second.id).entry.scope == "global"
        assert desk.memory(first.id).entry.scope != "global"
        await settled(c, screen)
        await c.press("u")
        await c.until(lambda: desk.memory(third.id).entry.scope != "global", "undone")


@pytest.mark.long
async def test_a_pin_is_seen_and_taken_off(desk: Desk, console: Opener) -> None:
    memory = desk.known("Never force-push")
    async with console() as c:
        screen = await into(c)
        await c.press("P")
        await c.until(lambda: desk.memory(memory.id).pinned, "pinned")
        await settled(c, screen)
        await c.shows("pinned")
        await c.press("P")
        await c.until(lambda: not desk.memory(memory.id).pinned, "unpinned")
        await settled(c, screen)
        await c.until(lambda: "  pinned" not in c.text().splitlines()[1], "nor in its row")
        assert desk.contents() == {"Never force-push"}


@pytest.mark.long
async def test_the_orders_go_round(desk: Desk, console: Opener) -> None:
    unsure = desk.known("Unsure", confidence=0.2)
    sure = desk.known("Sure", confidence=0.9)
    async with console() as c:
        screen = await into(c)
        assert list(screen.listing.ids) == [sure.id, unsure.id]
        for words, first in (
            ("most used", sure),
            ("oldest", unsure),
            ("least sure", unsure),
            ("longest not", unsure),
            ("recently", sure),
        ):
            await c.press("O")
            await c.until(lambda words=words: words in c.app.screen.query_one(DeskFooter).words, words)
            await c.until(lambda first=first: screen.listing.ids[0] == first.id, words)
            assert screen.listing.cursor == 0, "the cursor did not go down with the row it was on"
            usual = words == "recently"
            await c.until(lambda usual=usual: ("first" in (screen.narrowed() or "")) is not usual, "told in the header")


@pytest.mark.long
async def test_words_find_memories_while_one_types(desk: Desk, console: Opener) -> None:
    desk.known("部署前检查设备清单", key="deploy.check")
    desk.known("Use C++17, don't use C++20")
    async with console() as c:
        screen = await into(c)
        await c.press("slash", *"设备")
        await c.until(lambda: len(screen.listing.ids) == 1, "one match")
        await settled(c, screen)
        assert "deploy.check" in c.text()
        await c.press("enter", "escape")
        await c.until(lambda: len(screen.listing.ids) == 2, "everything again")
        await c.press("slash", *"C++17", "enter")
        await c.until(lambda: len(screen.listing.ids) == 1, "punctuation is literal")


async def test_a_memory_approved_elsewhere_appears_and_the_cursor_stays(desk: Desk, console: Opener) -> None:
    first = desk.known("First")
    async with console() as c:
        screen = await into(c)
        assert screen.listing.cursor_id == first.id
        desk.known("Second")
        await c.until(lambda: len(screen.listing.ids) == 2, "it appears")
        assert screen.listing.cursor_id == first.id


async def test_edit_outside_uses_the_persons_editor(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    memory = desk.known("By hand")
    script = tmp_path / "editor.py"
    script.write_text("import sys, pathlib\np = pathlib.Path(sys.argv[1])\np.write_text(p.read_text().upper())\n")
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
    monkeypatch.delenv("VISUAL", raising=False)
    async with console() as c:
        screen = await into(c)
        monkeypatch.setattr(type(c.app), "suspend", _no_terminal)
        await c.press("E")
        await c.until(lambda: desk.memory(memory.id).entry.content == "BY HAND", "saved")
        await settled(c, screen)
    assert os.environ["EDITOR"]


class _no_terminal:  # noqa: N801  (stands in for a method)
    """The pilot has no terminal to give away."""

    def __init__(self, *_: object) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


async def test_D011_an_old_version_is_read_without_restoring_and_any_two_are_compared(
    desk: Desk, console: Opener
) -> None:
    memory = desk.known("Port 5431", key="db.port")
    for port in (5432, 5433, 5434, 5435):
        now = desk.memory(memory.id)
        history.edit(desk.store, now.id, now.revision, now.entry.with_(content=f"Port {port}"), by=ADA)
    async with console(size=(100, 30)) as c:
        await into(c)
        await c.press("h")
        await c.shows("4 → 5")
        await c.press("j", "j", "j")
        await c.shows("1 → 2")
        await c.press("enter")
        await c.shows("version 2")
        assert "Port 5432" in c.text()
        await c.press("enter", "space", "g")
        await c.shows("2 → 5")
        assert desk.memory(memory.id).revision == 5
        await c.press("G")
        await c.shows("1 → 2")


@pytest.mark.long
async def test_D011_a_history_of_any_length_is_read_by_page(desk: Desk, console: Opener) -> None:
    memory = desk.known("Round 1", key="run.round")
    for number in range(2, 202):
        now = desk.memory(memory.id)
        history.edit(desk.store, now.id, now.revision, now.entry.with_(content=f"Round {number}"), by=ADA)
    asked: list[int] = []
    plain = queries.memory_versions

    def counted(*given: Any, revisions: Any = None, **more: Any) -> Any:
        asked.append(len(revisions or ()))
        return plain(*given, revisions=revisions, **more)

    async with console(size=(100, 30)) as c:
        await into(c)
        queries.memory_versions = counted  # type: ignore[assignment]
        try:
            await c.press("h")
            await c.shows("200 → 201")
            await c.press("G")
            await c.shows("version 1, the first")
            await c.shows("Round 1")
            await c.press("k", "space", "g")
            await c.shows("2 → 201")
        finally:
            queries.memory_versions = plain
        assert 0 < max(asked) < 120  # what stands on the screen, and about it


async def test_any_version_comes_back_from_the_history(desk: Desk, console: Opener) -> None:
    memory = desk.known("Port 5431", key="db.port")
    for port in (5432, 5433):
        now = desk.memory(memory.id)
        history.edit(desk.store, now.id, now.revision, now.entry.with_(content=f"Port {port}"), by=ADA)
    async with console() as c:
        await into(c)
        await c.press("h")
        await c.shows("2 → 3")
        await c.press("G")
        await c.shows("brings this one back")
        await c.until(lambda: c.app.screen.painted_at() is not None, "painted")  # type: ignore[attr-defined]
        await c.press("r")
        await c.until(lambda: desk.memory(memory.id).entry.content == "Port 5431", "back")
        assert [one.revision for one in queries.memory_versions(desk.store, memory.id)] == [4, 3, 2, 1]
        await c.until(lambda: "4" in c.text() and "brought back" in c.text(), "the new version is there")
