"""What the console costs: its first paint, a key, a letter of a filter and the memory, at 100,000 waiting.

Run from the project's root: ``python -m tests.bench.bench_console [ROWS]``. CPU time, the least or the median of many,
compared within one run. Keys are events sent to the app, never a pilot's ``press``, which costs more than what is
measured. The budgets are those of design section 11.
"""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy import select, update
from textual.events import Key
from textual.keys import _character_to_key

from console.app import DeskApp
from console.looks import Look
from console.screens.queue import QueueScreen
from console.terminal import AGENT_VARIABLES
from console.work import Asks
from store import queries
from store.engine import open_store
from store.facts import Actor
from store.location import locate
from store.models import ProposalRow
from store.project import Project
from tests.bench import until_painted
from tests.bench.harness import say
from tests.bench.seed import fill
from tests.terminal.screen import Terminal

SMALL = 1_000
PILED = 400
SCOPES = ("shop-api", "global")
ROUNDS = 9
KEYS = 60
HANG = 60.0
LANES = ("top", "number", "ids", "rows", "detail", "facts", "watch", "open", "versions", "compare", "copies", "similar")


def main() -> None:
    """Print one line a measure."""
    if sys.argv[1:2] == ["--memory"]:
        print(asyncio.run(_memory(Path(sys.argv[2]), mark=sys.argv[3] == "mark")))
        return
    large = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        empty, few, many = (_filled(Path(folder), rows) for rows in (0, SMALL, large))
        _first_paint(few)
        _piled_up(_filled(Path(folder), PILED))
        asyncio.run(_keys(few, many, large))
        asyncio.run(_filter(many, large))
        base = _measured(empty, "none")
        for words, mark in (("", "none"), (" all marked", "mark")):
            more = (_measured(many, mark) - base) / 2**20
            say(f"memory of {large:,}{words}", f"{more:5.1f} MB over an empty console", "at most 15 MB")


def _filled(folder: Path, rows: int) -> Path:
    path = folder / f"{rows}.db"
    store = open_store(locate(str(path)))
    fill(store, proposals_=rows, scopes=SCOPES)
    store.close()
    return path


# ---- the first paint, in a pty


def _first_paint(db: Path) -> None:
    console = ("console", "--db", str(db))
    programs = (("one line of text", "minimal"), ("Approve", *console), ("bench.key_", *console))
    rounds = [[_painted(*program, folder=db.parent) for program in programs] for _ in range(ROUNDS)]
    minimal, frame, queue = (min(costs) for costs in zip(*rounds, strict=True))
    say("first paint", f"{frame:5.2f} s, {frame / minimal:4.2f} x a minimal app's", "at most 1.5 x")
    say(f"{SMALL:,} are in the list", f"{queue:5.2f} s, {queue / minimal:4.2f} x", "")


def _piled_up(db: Path) -> None:
    """D026: 400 that nobody has looked at for 60 days."""
    store = open_store(locate(str(db)))
    table = ProposalRow.__table__  # type: ignore[attr-defined]
    with store.write() as connection:
        for place, (id_,) in enumerate(connection.execute(select(table.c.id)).all()):
            then = store.now() - timedelta(days=60 * (place * 7 % PILED) / PILED)
            connection.execute(update(table).where(table.c.id == id_).values(created_at=then))
    store.close()
    walls = []
    for _ in range(ROUNDS):
        began = time.monotonic()
        _painted("What first?", "console", "--db", str(db), folder=db.parent)
        walls.append(time.monotonic() - began)
    say(f"{PILED} aged 0 to 60 days: asked what first", f"{min(walls):5.2f} s from start to the paint", "about 1 s")


def _painted(text: str, *program: str, folder: Path) -> float:
    """CPU time in seconds of a program started as a person starts it, until ``text`` has been painted."""
    kept = {name: value for name, value in os.environ.items() if name not in AGENT_VARIABLES}
    root = Path(__file__).parents[2]
    env = kept | {"MEMINBOX_HOME": str(folder), "TERM": "xterm-256color", "PYTHONPATH": str(root)}
    note = folder / "note"
    note.unlink(missing_ok=True)
    command = [sys.executable, "-P", until_painted.__file__, str(note), text, *program]
    terminal = Terminal(command, env=env, columns=140, rows=40, cwd=folder)
    try:
        terminal.wait_end()
        if not note.exists():
            raise SystemExit(f"{text!r} was never painted:\n{terminal.grid.text()}")
    finally:
        terminal.close()
    return float(note.read_text())


# ---- inside: a running app that counts what it paints


class Painting:
    """A running console, and how often it has painted what a terminal would get."""

    def __init__(self, app: DeskApp) -> None:
        self.app = app
        self.painted = 0
        self._paint = asyncio.Event()
        self._plain = app._display
        app._display = self._display  # type: ignore[method-assign]
        app._poll = lambda: None  # type: ignore[method-assign]  # it looks for no commits of others meanwhile

    def _display(self, screen: Any, renderable: Any) -> None:
        self._plain(screen, renderable)
        if hasattr(renderable, "render_segments"):
            renderable.render_segments(self.app.console)
        self.painted += 1
        self._paint.set()

    @property
    def queue(self) -> QueueScreen:
        """The screen that comes first."""
        assert isinstance(self.app.screen, QueueScreen)
        return self.app.screen

    @property
    def quiet(self) -> bool:
        """Whether nothing is being asked of the store."""
        if getattr(self.app.screen, "held", False):
            return False
        asking = [one for one in (self.app, *self.app.screen_stack) if isinstance(one, Asks)]
        return not any(one.busy(lane) for one in asking for lane in LANES)

    async def key(self, key: str) -> tuple[float, float]:
        """Press a key. CPU time until the next paint, and until all that it asked for has come, in seconds."""
        self._paint.clear()
        began = time.process_time()
        self.app.post_message(Key(_character_to_key(key), key) if len(key) == 1 else Key(key, None))
        await asyncio.wait_for(self._paint.wait(), HANG)
        painted = time.process_time() - began
        await self.settled()
        return painted, time.process_time() - began

    async def settled(self) -> None:
        """Wait until nothing is asked and nothing is painted any more."""
        seen = -1
        while seen != self.painted or not self.quiet:
            seen = self.painted
            await asyncio.sleep(0.02)


@asynccontextmanager
async def running_console(db: Path) -> AsyncIterator[Painting]:
    """The console on a store, its queue on the screen."""
    project = Project(identity=SCOPES[0], label=SCOPES[0], root=db.parent, branch="main")
    look = Look(summary=0)  # whose keys would not be the queue's
    running = Painting(DeskApp(locate(str(db)), by=Actor("ada", "console"), project=project, look=look))
    async with running.app.run_test(size=(140, 40)):
        await _until(lambda: running.app.store is not None and running.queue.loaded)
        await running.settled()
        yield running


async def _until(there: Callable[[], bool]) -> None:
    end = time.monotonic() + HANG
    while not there():
        if time.monotonic() > end:
            raise SystemExit("never came")
        await asyncio.sleep(0.005)


# ---- keys


async def _keys(few: Path, many: Path, large: int) -> None:
    """The cursor at both sizes, in turns, so that a busy machine is as busy for both."""
    costs: dict[Path, dict[str, list[tuple[float, float]]]] = {few: {}, many: {}}
    for _ in range(3):
        for db, kept in costs.items():
            began, cpu = time.monotonic(), time.process_time()
            async with running_console(db) as app:
                assert len(app.queue.model) == (SMALL if db is few else large), len(app.queue.model)
                kept.setdefault("open", []).append((time.process_time() - cpu, time.monotonic() - began))
                for key, times in (("down", KEYS), ("pagedown", KEYS // 3), ("G", 1), ("up", KEYS), ("g", 1), ("O", 3)):
                    kept.setdefault(key, []).extend([await app.key(key) for _ in range(times)])
    cpu, wall = (min(costs[many]["open"], key=lambda one: one[part])[part] for part in (0, 1))
    say(f"{large:,} are in the list, in a warm process", f"{cpu:5.2f} s of CPU, {wall:5.2f} s", "")
    budget = {"down": "at most 1.3 x", "up": "at most 1.3 x"}
    for key in ("down", "up", "pagedown", "G", "g", "O"):
        for part, words in enumerate(("until painted", "with detail and rows")):
            small, big = (median(one[part] for one in costs[db][key]) for db in (few, many))
            shown = f"{big * 1000:6.1f} ms, {big / small:4.2f} x at {SMALL:,}"
            say(f"key {key} at {large:,}, {words}", shown, budget.get(key, ""))


# ---- the filter


_PAGE = ("queue_first", "queue_rows", "group_sizes")
_PARTS = {"page": _PAGE, "page and count": (*_PAGE, "queue_number"), "ids": ("queue_ids", "draft_ids")}


async def _filter(db: Path, large: int) -> None:
    """One letter after the other, and the CPU time of each part in the thread where it is spent."""
    spent: dict[str, dict[str, float]] = {}
    drawn: list[float] = []
    async with running_console(db) as app:
        await app.key("/")
        with _watched(app, spent, *sum(_PARTS.values(), ())):
            for typed in ("pytest", "agent:codex") * 3:
                for letter in typed:
                    began = time.thread_time()
                    await app.key(letter)
                    drawn.append(time.thread_time() - began)
                for _ in typed:
                    await app.key("backspace")
    for what, typed, parts, budget in (
        ("first page and count, agent:", "agent:", "page and count", "at most 25 ms"),
        ("first page, words", "", "page", "at most 25 ms"),
        ("ids", "agent:", "ids", "at most 100 ms"),
        ("ids, with the count, words", "", "ids", "at most 100 ms"),
    ):
        texts = [text for text in spent["queue_ids"] if text.startswith("agent:") is bool(typed)]
        total = {text: sum(spent[part].get(text, 0.0) for part in _PARTS[parts]) for text in texts}
        worst = max(total, key=total.__getitem__)
        shown = f"{median(total.values()) * 1000:5.1f} ms; {total[worst] * 1000:5.1f} ms for {worst!r}"
        say(f"a letter of a filter at {large:,}: {what}", shown, budget)
    say("a letter of a filter: the UI thread", f"{median(drawn) * 1000:5.1f} ms", "")


@contextmanager
def _watched(app: Painting, spent: dict[str, dict[str, float]], *names: str) -> Iterator[None]:
    """Note the least CPU time of a call of these functions of ``store.queries``, by the filter that was typed."""
    plain = {name: getattr(queries, name) for name in names}

    def timed(name: str) -> Callable[..., Any]:
        def run(*given: Any, **more: Any) -> Any:
            typed, began = app.queue.flt.given, time.thread_time()
            try:
                return plain[name](*given, **more)
            finally:
                took, least = time.thread_time() - began, spent.setdefault(name, {})
                least[typed] = min(took, least.get(typed, took))

        return run

    for name in names:
        setattr(queries, name, timed(name))
    try:
        yield
    finally:
        for name in names:
            setattr(queries, name, plain[name])


# ---- memory, each in a process of its own


def _measured(db: Path, mark: str) -> int:
    """Bytes that a console on this store holds: the least of three."""
    command = [sys.executable, "-m", "tests.bench.bench_console", "--memory", str(db), mark]
    return min(int(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(3))


async def _memory(db: Path, *, mark: bool) -> int:
    async with running_console(db) as app:
        for key in ("down", "up") * 3 if len(app.queue.model) else ():
            await app.key(key)
        if mark:
            await app.key("*")
            assert app.queue.marked() == len(app.queue.model)
        gc.collect()
        return _resident()


def _resident() -> int:
    """Bytes of memory of its own that this process holds now, as Linux counts them."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) * 1024


if __name__ == "__main__":
    main()
