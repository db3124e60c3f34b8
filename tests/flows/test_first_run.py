"""An empty queue: the first run says what this is, until anything has happened at all; after that, one next step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from console import external
from store import notes
from store.agents import catalog
from tests.flows.conftest import Desk, Opener

WELCOME = "Nothing is remembered yet, and no agent is connected."
QUIET = "Nothing waits for a decision."


def connect(home: Path, agent: str = ".cursor") -> None:
    """Write our server into Cursor's settings, as setup does."""
    (home / agent).mkdir(exist_ok=True)
    server = {"command": "meminbox", "args": ["mcp"]}
    (home / agent / "mcp.json").write_text(json.dumps({"mcpServers": {"meminbox": server}}), encoding="utf-8")


@pytest.mark.parametrize("size", [(50, 16), (140, 40)])
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
        assert c.text().splitlines()[-1].split()[:3] == ["C", "Connect", "agents"]
        assert "…" not in c.text()


async def test_it_goes_when_an_agent_is_heard_of(desk: Desk, console: Opener) -> None:
    async with console() as c:
        await c.shows(WELCOME)
        notes.note_seen(desk.location, "codex", "session-start")
        await c.shows("2  shows what agents are given")
        assert WELCOME not in c.text() and QUIET in c.text()


@pytest.mark.long
async def test_something_elsewhere_ends_it_and_is_found(desk: Desk, console: Opener) -> None:
    async with console() as c:
        await c.shows(WELCOME)
        await c.press("/", "z")
        await c.shows("Nothing matches this filter.")
        assert WELCOME not in c.text()
        await c.press("escape")
        await c.shows(WELCOME)
        desk.propose("Over there", scope="billing")
        await c.shows("1 item waits in other projects")
        assert QUIET in c.text() and WELCOME not in c.text()
        await c.press("/", *"scope:bill", "enter")
        await c.shows("Over there")


async def test_where_something_is_kept_and_no_agent_is_connected_one_can_be(desk: Desk, console: Opener) -> None:
    first = desk.propose("Use tabs")
    async with console() as c:
        await c.press("a")
        await c.shows("C  connects an agent, so that it proposes by itself")
        assert desk.status(first) == "approved" and QUIET in c.text()


async def test_a_full_queue_never_looks_at_the_agents_settings(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(catalog, "states", lambda *given: asked.append(given))
    desk.propose("Use uv, never pip")
    async with console() as c:
        desk.propose("Reports are written in the passive voice")
        await c.until(lambda: len(c.queue.model) == 2, "both")
        await c.ready()
    assert asked == []


@contextmanager
def lent() -> Iterator[None]:
    yield


async def test_setup_is_run_for_this_store_and_the_screen_knows_of_it(
    desk: Desk, console: Opener, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, ...]] = []

    def converse(command: Any, environ: Any) -> int:
        started.append(tuple(command))
        connect(home)
        return 0

    monkeypatch.setattr(external, "converse", converse)
    async with console() as c:
        await c.shows(WELCOME)
        await c.press("C")
        await c.says("run `meminbox setup` in another")  # this pilot has no terminal to lend
        assert not started
        monkeypatch.setattr(c.app, "suspend", lent)
        await c.press("C")
        assert started.pop()[-3:] == ("setup", "--db", str(desk.location.path))
        await c.shows("Start Cursor: what it proposes appears here at once.")
        c.app.lasting = False  # the demo's store is nobody's to be connected to
        await c.press("C")
        assert started.pop()[-1] == "setup"
        c.app.lasting = True
        monkeypatch.setenv("MEMINBOX_DB", str(desk.location.path))
        await c.press("C")
        assert started.pop()[-1] == "setup"
