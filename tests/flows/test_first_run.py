"""An empty queue: the first run says what this is, until anything has happened at all; after that, one next step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from console import external
from store import notes, review
from store.agents import catalog
from tests.flows.conftest import ADA, Console, Desk, Opener

WELCOME = "Nothing is remembered yet, and no agent is connected."
QUIET = "Nothing waits for a decision."


def connect(home: Path, agent: str = ".cursor") -> None:
    """Write our server into Cursor's settings, as setup does."""
    (home / agent).mkdir()
    server = {"command": "meminbox", "args": ["mcp"]}
    (home / agent / "mcp.json").write_text(json.dumps({"mcpServers": {"meminbox": server}}), encoding="utf-8")


@pytest.mark.parametrize("size", [(50, 16), (80, 24), (140, 40)])
async def test_the_first_run_says_what_this_is_and_how_it_begins(
    console: Opener, home: Path, size: tuple[int, int]
) -> None:
    (home / ".codex").mkdir()
    async with console(size=size) as c:
        await c.shows("Nothing is remembered yet")
        text = " ".join(c.text().split())
        assert "only what you approved is given back to them" in text
        assert "C connects Codex" in text
        assert "meminbox demo" in text
        assert "…" not in c.text()


async def test_it_goes_the_moment_something_is_proposed(desk: Desk, console: Opener) -> None:
    async with console() as c:
        await c.shows(WELCOME)
        desk.propose("From an agent")
        await c.shows("From an agent")
        assert WELCOME not in c.text()


async def test_it_goes_when_an_agent_is_heard_of(desk: Desk, console: Opener) -> None:
    async with console() as c:
        await c.shows(WELCOME)
        notes.note_seen(desk.location, "codex", "session-start")
        await c.shows("2  shows what agents are given")
        assert WELCOME not in c.text()


async def test_something_elsewhere_ends_it_and_is_found(desk: Desk, console: Opener) -> None:
    async with console() as c:
        await c.shows(WELCOME)
        desk.propose("Over there", scope="billing")
        await c.shows("1 item waits in other projects")
        assert QUIET in c.text() and WELCOME not in c.text()
        await c.press("/", *"scope:bill", "enter")
        await c.shows("Over there")


async def test_an_agent_that_is_connected_has_to_be_started(console: Opener, home: Path) -> None:
    connect(home)
    async with console() as c:
        await c.shows("Start Cursor: what it proposes appears here at once.")
        assert QUIET in c.text()


async def test_where_something_is_kept_and_no_agent_is_connected_one_can_be(desk: Desk, console: Opener) -> None:
    first = desk.propose("Use tabs")
    async with console() as c:
        await c.press("a")
        await c.shows("C  connects an agent, so that it proposes by itself")
        assert desk.status(first) == "approved" and QUIET in c.text()


async def test_all_turned_away_is_no_first_run_while_an_agent_is_known(desk: Desk, console: Opener) -> None:
    review.reject(desk.store, desk.proposal(desk.propose("Use tabs")).seen(), by=ADA)
    notes.note_seen(desk.location, "codex", "initialize")
    notes.take_notes(desk.store)
    async with console() as c:
        await c.shows("2  shows what agents are given")


async def test_a_filter_that_lets_nothing_through_says_so_and_no_more(console: Opener) -> None:
    async with console() as c:
        await c.shows(WELCOME)
        await c.press("/", *"nowhere")
        await c.shows("Nothing matches this filter.")
        assert WELCOME not in c.text()
        await c.press("escape")
        await c.shows(WELCOME)


async def test_a_full_queue_never_looks_at_the_agents_settings(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(catalog, "states", lambda *given: asked.append(given))
    desk.propose("Something")
    async with console() as c:
        desk.propose("Something else")
        await c.until(lambda: len(c.queue.model) == 2, "both")
        await c.ready()
    assert asked == []


@contextmanager
def lent() -> Iterator[None]:
    yield


async def pressed(c: Console, monkeypatch: pytest.MonkeyPatch, then: Any) -> list[tuple[str, ...]]:
    """Press C where the terminal can be lent; what setup was started with."""
    started: list[tuple[str, ...]] = []

    def converse(command: Any, environ: Any) -> int:
        started.append(tuple(command))
        then()
        return 0

    monkeypatch.setattr(external, "converse", converse)
    monkeypatch.setattr(c.app, "suspend", lent)
    await c.press("C")
    return started


async def test_setup_is_run_for_this_store_and_the_screen_knows_of_it(
    desk: Desk, console: Opener, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with console() as c:
        await c.shows(WELCOME)
        started = await pressed(c, monkeypatch, lambda: connect(home))
        assert started[0][-3:] == ("setup", "--db", str(desk.location.path))
        await c.shows("Start Cursor")


async def test_setup_for_the_usual_store_or_from_the_demo_names_none(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with console() as c:
        c.app.lasting = False
        assert (await pressed(c, monkeypatch, lambda: None))[0][-1] == "setup"
        c.app.lasting = True
        monkeypatch.setenv("MEMINBOX_DB", str(desk.location.path))
        assert (await pressed(c, monkeypatch, lambda: None))[0][-1] == "setup"


async def test_a_terminal_that_cannot_be_lent_is_told(console: Opener) -> None:
    async with console() as c:
        await c.shows(WELCOME)
        await c.press("C")
        await c.says("run `meminbox setup` in another")
