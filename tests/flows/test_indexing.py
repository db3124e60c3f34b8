"""Encoding in the background: it begins by itself, the item on the screen first, and hinders nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from console import indexing as background
from console.widgets.header import DeskHeader
from store import encoders, indexing
from store.encoders import EncoderMissing
from tests.contract.vector_kit import Letters
from tests.flows.conftest import Console, Desk, Opener

UNLIKE = (
    "Invoices start again every January",
    "Buttons use the rounded style",
    "Makefiles are indented with tabs",
    "The queue listens on port 5671",
    "Kim answers questions about payroll",
    "Never log customer addresses",
)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> Letters:
    """What ``load`` gives; the console's waits are short."""
    given = Letters()
    use(monkeypatch, given)
    return given


def use(monkeypatch: pytest.MonkeyPatch, given: Letters | None) -> None:
    monkeypatch.setattr(encoders, "load", lambda *_, **__: given)
    monkeypatch.setattr(encoders, "at_hand", lambda: given)
    for name in ("AFTER", "SOON", "KEYS", "LOOK", "REST"):
        monkeypatch.setattr(background, name, 0.01)


def begin(c: Console) -> None:
    c.app.indexer._wanted = True
    c.app.indexer.begin()


async def done(c: Console, total: int) -> None:
    def complete() -> bool:
        now = c.app.indexer.progress
        return now is not None and now.complete and now.total == total

    await c.until(complete, "everything encoded")


async def test_all_that_waits_is_encoded_and_what_comes_later_too(
    console: Opener, desk: Desk, encoder: Letters, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches: list[tuple[str, ...]] = []
    real = indexing.step

    def step(*given: Any, **how: Any) -> indexing.Progress:
        told = real(*given, **how)
        batches.append(told.encoded)
        return told

    monkeypatch.setattr(indexing, "step", step)
    ids = [desk.propose(f"Service {n} logs to stderr") for n in range(7)]
    async with console() as c:
        c.app.indexer._size = 2
        shown = c.app.screen.listing.cursor_id  # type: ignore[attr-defined]
        assert shown in ids
        begin(c)
        await done(c, 7)
        assert shown in batches[0]
        desk.propose("Deploys happen on Mondays")
        await done(c, 8)
    assert indexing.kept(desk.store) == {encoder.key: 8}


async def test_decisions_work_while_everything_is_still_to_be_encoded(
    console: Opener, desk: Desk, encoder: Letters
) -> None:
    for text in UNLIKE:
        desk.propose(text)
    async with console() as c:
        begin(c)
        c.clock.now += 10
        await c.pilot.press("a")
        await c.until(lambda: c.app.counts is not None and c.app.counts.memories == 1, "approved")
        await c.until(lambda: bool((now := c.app.indexer.progress) and now.complete), "everything encoded")
    assert indexing.kept(desk.store)[encoder.key] >= len(UNLIKE)


@pytest.mark.long
async def test_words_alone_or_no_model_leave_the_console_as_it_is(
    console: Opener, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, None)
    desk.propose("Service 1 logs to stderr")
    async with console() as c:
        begin(c)
        await c.until(lambda: c.app.indexer._tries == background.MOST_TRIES, "given up")
        desk.propose("Service 2 logs to stderr")
        await c.until(lambda: c.app.counts is not None and c.app.counts.pending == 2, "the second")
        assert c.app.indexer.progress is None


@pytest.mark.long
async def test_a_model_that_dies_is_tried_again_and_then_left(
    console: Opener, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Dying(Letters):
        asked = 0

        def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
            self.asked += 1
            raise EncoderMissing("its process has ended")

    dying = Dying()
    use(monkeypatch, dying)
    desk.propose("Service 1 logs to stderr")
    async with console() as c:
        begin(c)
        await c.until(lambda: c.app.indexer._tries >= background.MOST_TRIES, "given up")
        assert 1 <= dying.asked <= background.MOST_TRIES
        assert c.app.is_running


async def test_nothing_is_written_where_one_may_only_look(console: Opener, desk: Desk, encoder: Letters) -> None:
    desk.propose("Service 1 logs to stderr")
    async with console(fenced="an agent's shell") as c:
        begin(c)
        await c.pilot.pause()
        assert not c.app.indexer._waiting
    assert encoder.encoded == []


async def test_the_header_tells_of_much_to_do_and_of_nothing_else(console: Opener, desk: Desk) -> None:
    desk.propose("Service 1 logs to stderr")
    async with console(size=(140, 40)) as c:
        header = c.app.screen.query_one(DeskHeader)
        c.app.indexer.progress = indexing.Progress(990, 1000)
        assert "encoding" not in header.render_line(0).text
        c.app.indexer.progress = indexing.Progress(450, 1000)
        assert "encoding 45 %" in header.render_line(0).text
