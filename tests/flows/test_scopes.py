"""The Scopes screen: orphans first, re-attached, moved, named and confirmed; one step and one undo for each."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.widgets import Input

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
    review.approve(desk.store, queries.queue_rows(desk.store, [laid(desk, project, content, key)])[0].seen(), by=ADA)


def laid(desk: Desk, project: Project, content: str, key: str | None = None) -> str:
    """A proposal in another project."""
    said = f'{{"content": "{content}"' + (f', "key": "{key}"' if key else "") + "}"
    context = Context(scope=project.identity, label=project.label, root=os.fspath(project.root))
    with desk.store.write() as connection:
        lines = [redact(one) for one in admit(said.encode()).proposals]
        (outcome,) = take(desk.store, connection, lines, context=context)
    return outcome.id or ""


def there(tmp_path: Path, name: str) -> Project:
    (tmp_path / name).mkdir()
    return identify(tmp_path / name, git=None)


def repository(tmp_path: Path, name: str) -> Project:
    """A git repository without a remote."""
    (tmp_path / name / ".git" / "objects").mkdir(parents=True)
    (tmp_path / name / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
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


def joined(text: str) -> str:
    """The screen's words, whatever row they stand on."""
    return " ".join(text.split())


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


@pytest.mark.long
async def test_all_of_a_scope_goes_where_it_is_told_and_a_misspelt_name_moves_nothing(
    desk: Desk, console: Opener, tmp_path: Path
) -> None:
    other = there(tmp_path, "web")
    held(desk, other, "Write in British English")
    async with console() as c:
        screen = await into(c)
        await on(c, screen, other.identity)
        await typed(c, "m", "shop-apo")
        await c.until(lambda: "Did you mean shop-api?" in screen_words(screen), "answered")
        await typed(c, "m", "global")
        await c.shows("to everywhere? One step, one undo.")
        await c.press("n")
        await c.until(lambda: "left as it was" in screen_words(screen), "left")
        assert of(desk, other.identity) == 1
        await typed(c, "m", "global")
        await c.shows("to everywhere? One step, one undo.")
        await c.press("y")
        await c.until(lambda: of(desk, "global") == 1, "moved")
        await c.until(lambda: not screen.saving and not screen.busy("scopes"), "counted")
        await c.press("o")
        await c.until(lambda: isinstance(c.app.screen, LibraryScreen), "the library")


@pytest.mark.long
async def test_a_project_is_called_otherwise_in_the_list_and_on_top(desk: Desk, console: Opener) -> None:
    desk.known("Tests run with pytest")
    async with console(size=(140, 40)) as c:
        screen = await into(c)
        await typed(c, "e", "The shop")
        await c.until(lambda: c.app.project is not None and c.app.project.label == "The shop", "renamed")
        await c.until(lambda: any(one.label == "The shop" for one in screen.scopes), "listed")
        await c.until(lambda: c.app.undo is not None and c.app.undo.title == "renamed shop-api to The shop", "undo")
        await c.press("u")
        await c.until(lambda: c.app.project is not None and c.app.project.label == "shop-api", "called as before")
        await typed(c, "e", "global")
        await c.until(lambda: "means something else" in screen_words(screen), "refused")
        assert not Path("The shop").exists(), "a label is no name of a file"


@pytest.mark.long
async def test_a_claim_is_confirmed_here_and_another_scope_is_in_view(
    desk: Desk, console: Opener, tmp_path: Path
) -> None:
    wanted = there(tmp_path, "shop")
    held(desk, wanted, "The deploy key is rotated on Mondays")
    clone = there(tmp_path, "clone")
    (clone.root / ".meminbox.toml").write_text(f'scope = "{wanted.identity}"\n')
    asking = identify(clone.root, git=None)
    async with console(project=asking) as c:
        screen = await into(c)
        await c.shows("asks to be")
        await c.press("c")
        await c.shows("Let it, in this folder")
        assert os.fspath(clone.root).rpartition("/")[2] in c.text()
        await c.press("y")
        await c.until(lambda: c.app.scopes[0] == wanted.identity, "in view")
        await c.until(lambda: c.app.counts is not None and c.app.counts.memories == 1, "counted")
        await c.until(lambda: c.app.undo is not None and not screen.saving, "undo")
        await c.press("c")
        await c.until(lambda: "asks for another scope" in screen_words(screen), "nothing asked for any more")
        await c.press("u")
        await c.until(lambda: c.app.scopes[0] == asking.identity, "as before")


async def test_D062_an_agents_console_shows_this_project_alone_and_moves_nothing(
    desk: Desk, console: Opener, tmp_path: Path
) -> None:
    other = there(tmp_path, "web")
    held(desk, other, "The web shop is in Vue")
    async with console(fenced="this is an agent's environment") as c:
        screen = await into(c)
        assert [one.standing for one in screen.scopes] == ["here", "everywhere"]
        await c.press("e")
        await c.until(lambda: "agent's environment" in screen_words(screen), "refused")


async def test_V14_hostile_labels_and_identities_are_seen_and_do_nothing(desk: Desk, console: Opener) -> None:
    evil = "git:[@click=app.quit]x[/]"
    desk.propose("Tests run with pytest", scope=evil)
    with desk.store.write() as connection:
        scopes.set_label(connection, "local", evil, "a\u202e\x1b]52;c;eA==\x07b")
    async with console(size=(140, 40)) as c:
        screen = await into(c)
        await on(c, screen, evil)
        await c.shows(evil)
        assert not {"\u202e", "\x1b", "\x07"} & set(c.text())
        await c.press("e")
        assert screen.prompt.purpose == "label"
        await c.press("escape")


async def test_where_nothing_is_held_the_screen_says_what_scopes_are(desk: Desk, console: Opener) -> None:
    async with console() as c:
        screen = await into(c)
        await c.shows("Nothing is held anywhere yet.")
        assert "1 shows what waits" in c.text().replace("\n", " ")
        await c.press("a")
        await c.until(lambda: "Re-attach:" in screen_words(screen), "why not")


async def typed(c: Console, key: str, text: str) -> None:
    """A key that asks for a line, and the line."""
    await c.press(key)
    await c.until(lambda: c.app.focused is not None, "the line of input")
    line = c.app.focused
    assert isinstance(line, Input)
    line.value = text
    await c.press("enter")


def screen_words(screen: ScopesScreen) -> str:
    from console.widgets.footer import DeskFooter

    return screen.query_one(DeskFooter).words


async def test_D078_a_preference_of_a_second_project_offers_itself_for_all_and_waits_for_the_persons_key(
    desk: Desk, console: Opener, tmp_path: Path
) -> None:
    other = there(tmp_path, "web")
    told = "From now on write in British English"
    with desk.store.write() as connection:
        scopes.set_label(connection, "local", other.identity, "web")
    first = desk.propose(told, kind="preference", scope=other.identity)
    review.approve(desk.store, desk.proposal(first).seen(), by=ADA)
    waits = desk.propose(told, kind="preference")
    async with console() as c:
        await c.shows("holds in web")
        assert desk.proposal(waits).entry.scope == "shop-api"
        await c.press("p")
        await c.shows("Where does it belong?")
        await c.press("g")
        await c.until(lambda: desk.proposal(waits).entry.scope == "global", "placed")
    async with console(fenced="this is an agent's environment") as c:
        assert "holds in" not in c.text()


async def test_D074_a_renamed_repository_without_a_remote_is_asked_about_beside_what_waits_in_it(
    desk: Desk, console: Opener, tmp_path: Path
) -> None:
    old = repository(tmp_path, "old-shop")
    held(desk, old, "Deploys run on Mondays")
    new = identify(old.root.rename(tmp_path / "shop"), git=None)
    assert new.identity != old.identity
    laid(desk, new, "The till speaks JSON")  # an agent goes on as before
    async with console(project=new) as c:
        assert "The till speaks JSON" in c.text()
        assert "old-shop lost its folder. Was it this one? 6 takes what it held into this project" in joined(c.text())
        screen = await into(c)
        await on(c, screen, old.identity)
        await c.press("a")
        await c.shows("Move 1 memory to shop")
        await c.press("y")
        await c.until(lambda: of(desk, new.identity) == 1, "moved")
    async with console(project=new) as c:
        assert "lost its folder" not in c.text()


async def test_D074_an_empty_console_asks_whether_the_folder_was_an_orphan(
    desk: Desk, console: Opener, tmp_path: Path
) -> None:
    old = gone(tmp_path, "old-shop")
    held(desk, old, "Deploys run on Mondays")
    async with console() as c:
        await c.shows("old-shop lost its folder")
        await c.press("2")
        await c.until(lambda: isinstance(c.app.screen, LibraryScreen), "the library")
        await c.shows("old-shop lost its folder")
        screen = await into(c)
        await on(c, screen, old.identity)
        await c.press("a")
        await c.shows("Move 1 memory to")
        await c.press("y")
        await c.until(lambda: c.app.counts is not None and c.app.counts.memories == 1, "moved")
        await c.press("1")
        await c.until(lambda: "lost its folder" not in c.text(), "no longer asked")
    async with console(fenced="this is an agent's environment", project=there(tmp_path, "new")) as c:
        await c.shows("Nothing")
        assert "old-shop" not in c.text()
