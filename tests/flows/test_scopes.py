"""The Scopes screen: orphans first, re-attached, moved, named and confirmed; one step and one undo for each."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from console.screens.library import LibraryScreen
from console.screens.scopes import ScopesScreen
from store import queries, review, scopes
from store.admit import admit
from store.context import Context
from store.intake import take
from store.project import Project, identify
from store.redact import redact
from tests.flows.conftest import ADA, Console, Desk, Opener

SIZES = [(80, 24), pytest.param((140, 40), marks=pytest.mark.long)]


def held(desk: Desk, project: Project, content: str, *, key: str | None = None) -> None:
    """A memory of another project."""
    said = f'{{"content": "{content}"' + (f', "key": "{key}"' if key else "") + "}"
    context = Context(scope=project.identity, label=project.label, root=os.fspath(project.root))
    with desk.store.write() as connection:
        lines = [redact(one) for one in admit(said.encode()).proposals]
        (outcome,) = take(desk.store, connection, lines, context=context)
    review.approve(desk.store, queries.queue_rows(desk.store, [outcome.id or ""])[0].seen(), by=ADA)


def there(tmp_path: Path, name: str) -> Project:
    (tmp_path / name).mkdir()
    return identify(tmp_path / name, git=None)


def gone(tmp_path: Path, name: str) -> Project:
    project = there(tmp_path, name)
    project.root.rmdir()
    return project


async def into(c: Console) -> ScopesScreen:
    await c.press("6")
    await c.until(lambda: isinstance(c.app.screen, ScopesScreen), "the scopes")
    screen = c.app.screen
    assert isinstance(screen, ScopesScreen)
    await c.until(lambda: screen.ready and not screen.busy("scopes") and "counting" not in c.text(), "counted")
    return screen


async def on(c: Console, screen: ScopesScreen, identity: str) -> None:
    """The cursor onto a scope."""
    for _ in range(10):
        if screen.scope is not None and screen.scope.identity == identity:
            return
        await c.press("j")
    raise AssertionError(c.text())


def of(desk: Desk, identity: str) -> int:
    found = [one.memories for one in scopes.scopes(desk.store, None) if one.identity == identity]
    return found[0] if found else 0


@pytest.mark.parametrize("size", SIZES)
async def test_D074_an_orphan_is_listed_first_and_re_attached_with_one_undo(
    desk: Desk, console: Opener, tmp_path: Path, size: tuple[int, int]
) -> None:
    desk.known("Tests run with pytest -q", key="build.test")
    old, other = gone(tmp_path, "old-shop"), there(tmp_path, "web")
    held(desk, old, "Deploys run on Mondays")
    held(desk, old, "Tests run with tox", key="build.test")
    held(desk, other, "The web shop is in Vue")
    async with console(size=size) as c:
        screen = await into(c)
        assert [one.standing for one in screen.scopes] == ["here", "everywhere", "gone", "there"]
        assert "orphan" in c.text()
        await on(c, screen, old.identity)
        await c.shows("An orphan")
        await c.press("a")
        await c.shows("Move 1 memory to")
        assert "Deploys run on Mondays" in c.text()
        assert "build.test is held there already" in c.text()
        await c.press("y")
        await c.until(lambda: of(desk, old.identity) == 1, "moved")
        await c.until(lambda: "1 was left" in screen_words(screen), "told")
        assert "Deploys run on Mondays" in desk.contents()
        await c.until(lambda: c.app.undo is not None and "moved 1 entry" in c.app.undo.title, "undo")
        await c.press("u")
        await c.until(lambda: of(desk, old.identity) == 2, "taken back")


def screen_words(screen: ScopesScreen) -> str:
    from console.widgets.footer import DeskFooter

    return screen.query_one(DeskFooter).words
