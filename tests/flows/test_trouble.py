"""What a person is told when something could not be done: whole, and with the texts where some met."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from store import history, review
from store.facts import Actor
from tests.flows.conftest import ADA, Desk, Opener

BOB = Actor("bob", "cli")


async def test_D010_an_undo_whose_key_was_taken_shows_both_texts_and_replaces_nothing(
    desk: Desk, console: Opener
) -> None:
    old = desk.known("Database is PostgreSQL 14", key="db.engine")
    history.delete(desk.store, old.id, old.revision, by=ADA)
    newer = desk.propose("Database is MySQL 8", key="db.engine")
    review.approve(desk.store, desk.proposal(newer).seen(), by=BOB)
    async with console(size=(80, 24)) as c:
        await c.until(lambda: c.app.undo is not None and "deleted db.engine" in c.app.undo.title, "undo")
        await c.press("u")
        await c.shows("is held by another memory")
        for words in ("Choose another key", "Database is MySQL 8", "Database is PostgreSQL 14"):
            await c.shows(words)
        assert desk.contents() == {"Database is MySQL 8"}
        assert desk.memory(old.id).status == "deleted"


async def test_D010_a_version_whose_key_was_taken_shows_both_texts(desk: Desk, console: Opener) -> None:
    from console.screens.history import HistoryScreen

    old = desk.known("Database is PostgreSQL 14", key="db.engine")
    history.delete(desk.store, old.id, old.revision, by=ADA)
    desk.known("Database is MySQL 8", key="db.engine")
    async with console(size=(80, 24)) as c:
        c.app.push_screen(HistoryScreen(old.id))
        await c.shows("Database is PostgreSQL 14")
        await c.until(lambda: c.app.screen.painted_at() is not None, "painted")
        await c.press("j")
        await c.until(lambda: c.app.screen.painted_at() is not None, "painted")
        await c.press("r")
        await c.shows("is held by another memory")
        await c.shows("Database is MySQL 8")
        assert desk.memory(old.id).status == "deleted"


async def test_an_error_longer_than_the_line_takes_more_lines_until_the_next_key(desk: Desk, console: Opener) -> None:
    soon = datetime.now(UTC) + timedelta(days=30)
    id_ = desk.propose("Frozen for a while", valid_until=soon.isoformat())
    desk.propose("Something else")
    async with console(size=(80, 24)) as c:
        await c.on(id_)
        later = soon + timedelta(days=1)
        c.app.store.now = lambda: later  # type: ignore[method-assign, union-attr]
        await c.press("a")
        await c.shows("which has passed")
        await c.shows("Give it another date, or reject it.")
        assert "Approve" not in c.text()
        await c.press("i")
        await c.until(lambda: "Approve" in c.text().splitlines()[-1], "the keys are back on one line")
