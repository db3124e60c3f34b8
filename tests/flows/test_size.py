"""Any size: the longest and oddest texts, rows of long memories, answers that come too late, a window dragged about."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from rich.cells import cell_len
from textual._compositor import LayoutUpdate
from textual.events import Resize
from textual.geometry import Size

from console.screens.queue_model import QueueIds
from console.widgets.detail import changed
from store import queries
from store.filters import Filter
from tests.flows.conftest import Desk, Opener

CAP = 16 * 1024
AT_THE_CAP = {
    "one line": ("word " * (CAP // 5), "words " * (CAP // 6)),
    "one word": ("x" * CAP, "y" * CAP),
    "blank lines": ("begin" + "\n" * 300 + "end", "begin" + "\n" * 280 + "the end"),
    "combining marks": ("a" + "\u0301" * 5000, "b" + "\u0301" * 5000 + "c"),
    "tall": ("\n".join(f"line {n}" for n in range(1500)), "\n".join(f"line {n}" for n in range(0, 1500, 2))),
}


async def test_D115_V33_any_text_at_the_cap_is_shown_and_compared_away_from_the_keys(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = {}
    for number, (what, (old, new)) in enumerate(AT_THE_CAP.items()):
        desk.known(old, key=f"text.n{number}")
        ids[what] = desk.propose(new, key=f"text.n{number}")
    threads: set[threading.Thread] = set()

    def noted(proposal: Any) -> Any:
        threads.add(threading.current_thread())
        return changed(proposal)

    monkeypatch.setattr("console.screens.queue_reading.changed", noted)
    async with console() as c:
        for what, id_ in ids.items():
            await c.on(id_)
            view = c.queue.difference
            assert view.rows_unseen() > 0 or view.seen_to_end, what
            view.scroll_end(animate=False)
            await c.until(lambda view=view: view.seen_to_end, what)
            assert all(cell_len(line) <= 80 for line in c.text().splitlines()), what
    assert threads and threading.main_thread() not in threads


async def test_D116_a_row_is_one_line_made_of_the_head_of_its_text(desk: Desk, console: Opener) -> None:
    body = "\n\nThe first words of a long memory\n" + "and many more lines of it\n" * 160
    long = [desk.propose(f"{n} {body}") for n in range(3)]
    async with console() as c:
        await c.shows("2 ⏎⏎The first words of a long memory")
        rows = [line for line in c.text().splitlines() if "The first words" in line]
        assert len(rows) >= len(long)
        assert c.queue.listing.virtual_size.height == len(long)


async def test_an_answer_that_comes_after_a_newer_question_changes_nothing(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(3):
        desk.propose(f"apples {n}")
    pears = desk.propose("pears")
    go_on = threading.Event()
    asked: list[str] = []
    plain: Callable[..., Any] = queries.queue_ids

    def slow(store: Any, flt: Filter, **more: Any) -> Any:
        asked.append(flt.given)
        if flt.given == "a":
            assert go_on.wait(10)
        return plain(store, flt, **more)

    async with console() as c:
        monkeypatch.setattr(queries, "queue_ids", slow)
        await c.press("/", "a")
        await c.until(lambda: "a" in asked, "the first question is being asked")
        models: list[int] = []
        got_ids = c.queue._got_ids

        def noted(model: QueueIds) -> None:
            models.append(len(model))
            got_ids(model)

        monkeypatch.setattr(c.queue, "_got_ids", noted)
        # The keys are taken meanwhile: the store is asked away from them, and of what waits only the newest is asked.
        await c.press("backspace", "p", "e", "a", "r")
        assert c.queue.flt.given == "pear"
        go_on.set()
        await c.until(lambda: len(c.queue.model) == 1 and not c.queue.busy("ids"), "one match")
        assert c.queue.model[0] == pears
        assert models == [1]
        assert asked == ["a", "pear"]


async def test_how_many_match_is_said_before_all_have_come_and_never_too_few_as_if_it_were_all(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(5):
        desk.propose(f"Apples {n} are kept in the cellar of house {n}", confidence=0.9)
    desk.propose("Pears are sold on market day", confidence=0.2)
    monkeypatch.setattr(queries, "queue_first", partial(queries.queue_first, size=3))
    go_on = threading.Event()
    plain: Callable[..., Any] = queries.queue_ids

    def slow(store: Any, flt: Filter, **more: Any) -> Any:
        if flt.given in ("apples", "conf>0.5"):
            assert go_on.wait(10)
        return plain(store, flt, **more)

    monkeypatch.setattr(queries, "queue_ids", slow)
    async with console() as c:
        for typed, told in (("apples", "3+"), ("conf>0.5", "5")):
            go_on.clear()
            await c.press("/", *typed)
            await c.shows(f"{told} matches")
            await c.shows(f"/{typed} {told}")  # in the header
            assert c.queue.busy("ids"), typed
            await c.press("enter", "*")
            go_on.set()
            await c.until(lambda: c.queue.marked() == 5, "all that match are marked, once they are there")
            await c.shows(f"/{typed} 5")
            await c.press("escape", "escape")


async def test_a_window_of_another_size_is_painted_once_and_then_decided_on(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine the parts may take longer than a person is kept waiting; here they may take all they need.
    monkeypatch.setattr("console.room.LONGEST", 10_000)
    desk.propose("One of several, and long enough to be wrapped in any window there is, " * 6)
    id_ = desk.propose("Another, just as long, so that all of its parts find another place for each size, " * 6)
    async with console(size=(100, 30)) as c:
        plain, painted = c.app._display, list[Any]()

        def display(screen: Any, update: Any) -> None:
            painted.append(update)
            plain(screen, update)

        c.app._display = display
        painted.append(None)
        for size in (Size(80, 24), Size(140, 40), Size(60, 20), Size(100, 30)):
            while painted:  # what was found beside the item may still be on its way to the screen
                painted.clear()
                await c.pilot.pause()
            c.app.post_message(Resize(size, size))
            await c.until(lambda size=size: c.queue.size == size and not c.queue.held, "painted")
            c.queue._look()  # as a timer ticks that is behind, though it was stopped
            assert [type(one) for one in painted] == [LayoutUpdate], size
            await c.ready()
            painted.append(None)
        c.clock.now += 1
        size = Size(90, 30)
        c.app.post_message(Resize(size, size))
        await c.until(lambda: c.queue.size == size and not c.queue.held, "painted")
        await c.pilot.press("a")  # no time has passed since
        await c.says("only just appeared")
        assert desk.status(id_) == "pending"


async def test_a_window_that_is_dragged_is_laid_out_for_where_it_ends(desk: Desk, console: Opener) -> None:
    desk.propose("One of several, and long enough to be wrapped in any window there is, " * 6)
    async with console(size=(100, 30)) as c:
        plain, painted = c.app._display, list[Any]()

        def display(screen: Any, update: Any) -> None:
            painted.append(update)
            plain(screen, update)

        c.app._display = display
        for width in range(60, 121):
            c.app.post_message(Resize(Size(width, 30), Size(width, 30)))
        await asyncio.sleep(0)
        await c.until(lambda: c.queue.size.width == 120 and c.queue.has_class("-wide"), "wide")
        await c.ready()
        assert len(painted) < 20  # not once for each of the sixty sizes on the way
