"""The console on a real store, driven by a pilot; the clock of the 150 ms rule is ours, so nothing sleeps or races."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.pilot import Pilot

from console.app import DeskApp
from console.keymap import KeyMap
from console.looks import Look
from console.screens.queue import QueueScreen
from console.terminal import AGENT_VARIABLES
from console.widgets.footer import DeskFooter
from store import queries, review
from store.admit import admit
from store.context import Context
from store.engine import Store, open_store
from store.facts import Actor, Memory, Outcome, Proposal
from store.intake import take
from store.location import Location, locate
from store.project import Project
from store.redact import redact

SCOPE = "shop-api"
ADA = Actor("ada", "console")


class Clock:
    """Seconds that only grow when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Desk:
    """A store beside the console's own connection: what other processes do."""

    location: Location
    store: Store
    folder: Path

    def propose(self, content: str = "", **said: Any) -> str:
        """Take one proposal in, as `meminbox propose` does, and return its id."""
        outcome = self.asked(content, **said)
        assert outcome.id is not None, outcome
        return outcome.id

    def asked(self, content: str = "", **said: Any) -> Outcome:
        """Take one proposal in, and return what became of it."""
        values = {"content": content, "session_id": "s-1", "source_agent": "codex", **said}
        values = {name: value for name, value in values.items() if value not in ("", None)}
        admitted = admit(json.dumps(values).encode())
        assert not admitted.refusals, admitted.refusals
        with self.store.write() as connection:
            context = Context(scope=SCOPE, label=SCOPE, branch="main")
            (outcome,) = take(self.store, connection, [redact(one) for one in admitted.proposals], context=context)
        return outcome

    def known(self, content: str, **said: Any) -> Memory:
        """Have something approved, and return the memory."""
        id_ = self.propose(content, **said)
        done = review.approve(self.store, self.proposal(id_).seen(), by=ADA)
        return queries.memory_rows(self.store, list(done.memory_ids))[0]

    def proposal(self, id_: str) -> Proposal:
        """A proposal as it stands now."""
        return queries.queue_rows(self.store, [id_])[0]

    def status(self, id_: str) -> str:
        """Its status now."""
        return self.proposal(id_).status

    def statuses(self, *ids: str) -> list[str]:
        """Their statuses now."""
        return [self.status(id_) for id_ in ids]

    def memory(self, id_: str) -> Memory:
        """A memory as it stands now."""
        return queries.memory_rows(self.store, [id_])[0]

    def contents(self) -> set[str]:
        """What agents would be given."""
        ids = queries.memory_ids(self.store, scopes=None)
        return {one.entry.content for one in queries.memory_rows(self.store, list(ids))}


class Console:
    """The running app, with a person's hands."""

    def __init__(self, app: DeskApp, pilot: Pilot[int], clock: Clock) -> None:
        self.app = app
        self.pilot = pilot
        self.clock = clock

    @property
    def queue(self) -> QueueScreen:
        """The queue, wherever one is."""
        return next(one for one in self.app.screen_stack if isinstance(one, QueueScreen))

    @property
    def words(self) -> str:
        """What the footer says."""
        return self.queue.query_one(DeskFooter).words

    @property
    def here(self) -> str | None:
        """The item under the cursor."""
        return self.queue.listing.cursor_id

    def text(self) -> str:
        """The screen as text."""
        return "\n".join(strip.text.rstrip() for strip in self.app.screen._compositor.render_strips())

    async def until(self, condition: Callable[[], object], what: str = "") -> None:
        """Wait for something to come true, by giving the app its turns; fails with the screen after ten seconds."""
        end = time.monotonic() + 10
        while not condition():
            await self.pilot.pause()
            if time.monotonic() > end:
                raise AssertionError(f"never came: {what}\nfooter: {self.words!r}\n{self.text()}")

    async def says(self, words: str) -> None:
        """Wait for the footer to say this."""
        await self.until(lambda: words in self.words, words)

    async def shows(self, words: str) -> None:
        """Wait for this to stand on the screen."""
        await self.until(lambda: words in self.text(), words)

    async def ready(self) -> None:
        """Wait until the item under the cursor is painted and nothing is being asked."""
        await self.until(self._is_ready, "painted")

    def _is_ready(self) -> bool:
        queue = self.queue
        lanes = ("ids", "rows", "detail", "decide", "batch", "match", "copies", "fold", "similar")
        if not queue.ready or not queue.loaded or any(queue.busy(lane) for lane in lanes) or self.app.busy("decide"):
            return False
        return queue.painted_at() is not None or self.here in (None, "fold") or queue.has_class("-only-list")

    async def press(self, *keys: str) -> None:
        """Press keys one by one, a second apart, each on a painted screen."""
        for key in keys:
            await self._painted()
            self.clock.now += 1
            await self.pilot.press(key)

    async def _painted(self) -> None:
        """What is on its way to the screen is painted, and told, before the second passes."""
        for _ in range(2):
            painted = asyncio.Event()
            self.app.screen.call_after_refresh(painted.set)
            with suppress(TimeoutError):  # a screen that is being taken away paints no more
                await asyncio.wait_for(painted.wait(), 1)

    async def on(self, id_: str) -> None:
        """Put the cursor on an item and wait until it is painted."""
        self.queue.listing.go_to(id_)
        await self.until(lambda: self.here == id_ and self.queue.painted_at() is not None, f"painted {id_}")
        await self.ready()

    async def together(self, *keys: str) -> None:
        """Keys that arrive in one read: a paste without brackets, an input method's commit."""
        self.clock.now += 1
        for key in keys:
            self.app.post_message(Key(key, key if len(key) == 1 else None))
        await self.pilot.pause()


Opener = Callable[..., Any]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, in which no agent is installed or set up, and the environment of a person's shell."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in (*AGENT_VARIABLES, "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return folder


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A fresh store."""
    location = locate(str(tmp_path / "desk" / "memory.db"))
    store = open_store(location)
    yield Desk(location, store, tmp_path)
    store.close()


@pytest.fixture
def console(desk: Desk) -> Opener:
    """Open the console: ``async with console(size=(140, 40)) as c``."""

    @asynccontextmanager
    async def opened(
        *,
        size: tuple[int, int] = (80, 24),
        fenced: str | None = None,
        wait: bool = True,
        location: Location | None = None,
        project: Project | None = None,
        keymap: KeyMap | None = None,
        look: Look | None = None,
    ) -> AsyncIterator[Console]:
        clock = Clock()
        here = project or Project(identity=SCOPE, label=SCOPE, root=desk.folder, branch="main")
        app = DeskApp(
            location or desk.location, by=ADA, fenced=fenced, project=here, clock=clock, keymap=keymap, look=look
        )
        async with app.run_test(size=size) as pilot:
            running = Console(app, pilot, clock)
            if wait:
                await running.ready()
                await running.until(lambda: app.counts is not None, "counts")
            yield running

    return opened
