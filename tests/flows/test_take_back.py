"""A step of long ago is found in the history of what it made, and taken back whole."""

from __future__ import annotations

import pytest

from console.screens.history import HistoryScreen
from console.widgets.confirm import Confirm
from store import review
from tests.flows.conftest import ADA, Desk, Opener


@pytest.mark.long
async def test_a_wrong_approval_of_long_ago_is_taken_back_from_the_history(desk: Desk, console: Opener) -> None:
    wrong = desk.propose("Deploy whenever the tests pass", key="deploy.when")
    memory_id = review.approve(desk.store, desk.proposal(wrong).seen(), by=ADA).memory_ids[0]
    desk.known("Use tabs")
    async with console() as c:
        await c.press("2", "j")
        await c.shows("deploy.when  fact")
        await c.press("h")
        await c.until(lambda: isinstance(c.app.screen, HistoryScreen), "history")
        await c.until(lambda: c.app.screen.painted_at() is not None, "painted")
        painted = c.app.screen.painted_at()
        desk.propose("An agent goes on working")
        c.clock.now += 1
        c.app.store_changed()
        await c.until(lambda: not any(c.app.screen.busy(lane) for lane in ("versions", "compare")), "read again")
        await c.pilot.pause()
        assert c.app.screen.painted_at() == painted, "what others commit does not make it new"
        await c.shows("b Take back")
        await c.press("b")
        await c.until(lambda: isinstance(c.app.screen, Confirm), "asked")
        await c.shows("approved deploy.when, today")
        await c.until(lambda: c.app.screen.ready, "painted")
        await c.press("y")
        await c.until(lambda: desk.status(wrong) == "pending", "pending again")
        await c.until(
            lambda: "undid: approved deploy.when" in c.app.screen_stack[-1].query_one("DeskFooter").words, "told"
        )
        assert desk.memory(memory_id).status == "deleted"
        await c.press("U")
        await c.until(lambda: desk.status(wrong) == "approved", "done again")


@pytest.mark.long
async def test_what_later_steps_stand_on_is_not_taken_back_and_is_told(desk: Desk, console: Opener) -> None:
    desk.known("Deploy on Mondays", key="deploy.when")
    memory = desk.known("Deploy on Tuesdays", key="deploy.when")
    async with console() as c:
        await c.press("2")
        await c.shows("deploy.when  fact")
        await c.press("h")
        await c.until(lambda: isinstance(c.app.screen, HistoryScreen), "history")
        await c.press("G")
        await c.until(lambda: c.app.screen.painted_at() is not None, "painted")
        await c.press("b")
        await c.until(lambda: isinstance(c.app.screen, Confirm), "asked")
        await c.until(lambda: c.app.screen.ready, "painted")
        await c.press("y")
        await c.until(lambda: c.app.screen.query_one("DeskFooter").bad, "refused")
        assert desk.memory(memory.id).revision == 2
