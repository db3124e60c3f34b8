"""Screen 3: what a refactor made false, chosen for by row or by verdict, settled in one step with one undo."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from console.screens.outdated import OutdatedScreen
from console.widgets.dialog import AnswerButton, Dialog
from console.widgets.footer import DeskFooter
from store import history
from store.project import Project
from tests.flows.conftest import ADA, SCOPE, Console, Desk, Opener
from tests.git_kit import Repository, body

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
PATHS = {f"services/{one}.py": body(one) for one in ("pay", "ship", "tax")}


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "shop")
    made.commit({**PATHS, "run.py": body("run")})
    return made


@pytest.fixture
def here(repo: Repository) -> Project:
    return Project(SCOPE, SCOPE, repo.folder)


def moved(repo: Repository) -> None:
    repo.move("services", "core")
    repo.commit({"core/tax.py": None})


async def into(c: Console) -> OutdatedScreen:
    """Go to the screen and wait for what it finds."""
    await c.press("3")
    await c.until(lambda: isinstance(c.app.screen, OutdatedScreen) and c.app.screen.ready, "screen 3")
    screen = c.app.screen
    assert isinstance(screen, OutdatedScreen)
    await settled(c, screen)
    return screen


async def settled(c: Console, screen: OutdatedScreen) -> None:
    """Wait until nothing is being asked and the row under the cursor is painted."""

    def still() -> bool:
        lanes = ("look", "rows", "detail", "decide", "keep")
        if screen.looking or any(screen.busy(lane) for lane in lanes) or c.app.busy("decide"):
            return False
        return not len(screen.found) or screen.painted_at() is not None

    await c.until(still, "screen 3 is settled")


async def says(c: Console, words: str) -> None:
    """Wait for the footer of the screen on top to say this."""
    await c.until(lambda: any(words in one.words for one in c.app.screen.query(DeskFooter)), words)


async def asked(c: Console) -> None:
    """Settle, and wait for the question."""
    await c.press("ctrl+s")
    await c.until(lambda: isinstance(c.app.screen, Dialog) and c.app.screen.is_running, "the question")


async def on(c: Console, screen: OutdatedScreen, id_: str) -> None:
    screen.listing.go_to(id_)
    await settled(c, screen)


@pytest.mark.parametrize("size", [(80, 24), pytest.param((140, 40), marks=pytest.mark.long)])
async def test_after_a_refactor_all_is_settled_in_five_keys_and_one_undo(
    desk: Desk, console: Opener, repo: Repository, here: Project, size: tuple[int, int]
) -> None:
    pay, ship, tax = (desk.known(f"{one} is in services/{one}.py", key=f"at.{one}") for one in ("pay", "ship", "tax"))
    desk.known("run.py starts it all")
    before = desk.contents()
    moved(repo)
    async with console(size=size, project=here) as c:
        screen = await into(c)
        assert "2 moved, 1 gone" in c.text()
        assert "core/pay.py" in c.text()
        await c.press("ctrl+s")
        await c.until(lambda: isinstance(c.app.screen, Dialog), "the question")
        assert "2 re-pointed, 1 expired" in c.text()
        await c.press("y")
        await c.shows("Type 1 to expire 1 memory")
        await c.press("1", "enter")
        await says(c, "settled 3")
        await settled(c, screen)
        assert desk.contents() == {"pay is in core/pay.py", "ship is in core/ship.py", "run.py starts it all"}
        assert desk.memory(tax.id).status == "expired"
        assert "Nothing of 3 memories" in c.text()
        await c.press("u")
        await says(c, "undid: settled 3")
        await settled(c, screen)
        assert desk.contents() == before
        assert [desk.memory(one.id).status for one in (pay, ship, tax)] == ["active"] * 3
        assert "2 moved, 1 gone" in c.text()


@pytest.mark.long
async def test_the_header_counts_what_is_false_before_the_screen_is_opened(
    desk: Desk, console: Opener, repo: Repository, here: Project
) -> None:
    desk.known("pay is in services/pay.py")
    desk.known("tax is in services/tax.py")
    moved(repo)
    async with console(size=(140, 40), project=here) as c:
        await c.shows("3 Outdated 2")
        assert c.app.screen is c.queue


async def test_each_row_each_verdict_and_marks_can_be_chosen_for(
    desk: Desk, console: Opener, repo: Repository, here: Project
) -> None:
    pay, ship, tax = (desk.known(f"{one} is in services/{one}.py") for one in ("pay", "ship", "tax"))
    moved(repo)
    async with console(size=(140, 40), project=here) as c:
        screen = await into(c)
        assert screen.found.choices == {pay.id: "repoint", ship.id: "repoint", tax.id: "expire"}
        await on(c, screen, pay.id)
        await c.press("t")
        assert screen.found.choices[pay.id] == "expire"
        await on(c, screen, tax.id)
        await c.press("m")
        await says(c, "git knows no new path for it")
        await on(c, screen, "verdict:moved")
        await c.press("t")
        await says(c, "2 memories to expire")
        await c.press("m")
        assert [screen.found.choices[one.id] for one in (pay, ship)] == ["repoint", "repoint"]
        await c.press("*", "t")
        assert set(screen.found.choices.values()) == {"expire"}
        assert desk.contents() == {f"{one} is in services/{one}.py" for one in ("pay", "ship", "tax")}


@pytest.mark.long
async def test_what_is_kept_stays_out_of_it_until_it_is_taken_up_again(
    desk: Desk, console: Opener, repo: Repository, here: Project
) -> None:
    pay = desk.known("pay is in services/pay.py")
    moved(repo)
    async with console(size=(140, 40), project=here) as c:
        screen = await into(c)
        await c.press(".")
        await says(c, "1 memory kept")
        await settled(c, screen)
        assert screen.found.choices == {}
        await c.press("ctrl+s")
        await says(c, "nothing is chosen")
    async with console(size=(140, 40), project=here) as c:
        screen = await into(c)
        assert screen.found.rows[pay.id].kept
        assert "keep 1" in c.text()
        await c.press(".")
        await says(c, "no longer kept")
        await settled(c, screen)
        assert not screen.found.rows[pay.id].kept


@pytest.mark.long
async def test_another_number_or_no_settles_nothing(
    desk: Desk, console: Opener, repo: Repository, here: Project
) -> None:
    for one in ("pay", "tax"):
        desk.known(f"{one} is in services/{one}.py")
    before = desk.contents()
    moved(repo)
    async with console(size=(140, 40), project=here) as c:
        await into(c)
        await asked(c)
        await c.press("n")
        await says(c, "left as it was")
        await asked(c)
        await c.press("y")
        await c.shows("Type 1 to expire")
        await c.press("2", "enter")
        await says(c, "nothing done")
        await asked(c)
        await c.press("y")
        await c.shows("Type 1 to expire")
        await c.press("escape")
        await says(c, "left as it was")
        assert desk.contents() == before


async def test_D063_what_came_or_changed_meanwhile_is_left_and_named(
    desk: Desk, console: Opener, repo: Repository, here: Project
) -> None:
    pay, ship = (desk.known(f"{one} is in services/{one}.py") for one in ("pay", "ship"))
    moved(repo)
    async with console(size=(140, 40), project=here) as c:
        screen = await into(c)
        await c.press("ctrl+s")
        await c.until(lambda: isinstance(c.app.screen, Dialog), "the question")
        entry = ship.entry.with_(content="ship is in services/ship.py, mostly")
        history.edit(desk.store, ship.id, ship.revision, entry, by=ADA)
        desk.known("tax is in services/tax.py")
        await c.press("y")
        await says(c, "1 (revision 1 has become 2), 1 (new since the preview)")
        await settled(c, screen)
        assert desk.memory(pay.id).entry.content == "pay is in core/pay.py"
        assert desk.memory(ship.id).entry.content == "ship is in services/ship.py, mostly"


async def test_D063_what_becomes_false_while_the_question_stands_is_not_what_was_asked(
    desk: Desk, console: Opener, repo: Repository, here: Project
) -> None:
    tax = desk.known("tax is in services/tax.py")
    moved(repo)
    async with console(size=(140, 40), project=here) as c:
        screen = await into(c)
        await c.press("ctrl+s")
        await c.shows("Type 1 to expire")
        late = desk.known("Rates stand in services/tax.py")
        await c.until(lambda: late.id in screen.found.rows, "found behind the question")
        await c.press("1", "enter")
        await says(c, "1 was left: new since the preview")
        await settled(c, screen)
    assert [desk.memory(one.id).status for one in (tax, late)] == ["expired", "active"]


@pytest.mark.long
async def test_a_rule_is_typed_and_a_wrong_one_says_what_is_wrong(desk: Desk, console: Opener, here: Project) -> None:
    pay = desk.known("pay is in services/pay.py")
    desk.known("Ask before you deploy")
    async with console(size=(140, 40), project=here) as c:
        screen = await into(c)
        assert "Nothing of 2 memories names" in c.text()
        await c.press("slash", *"path:serv*", "enter")
        await c.shows("looks like a pattern")
        await c.press("ctrl+a", "ctrl+k", *"path:services", "enter")
        await settled(c, screen)
        assert list(screen.found.rows) == [pay.id]
        assert screen.found.choices == {pay.id: "expire"}
        await c.press("slash", "ctrl+a", "ctrl+k", *"since:nowhere", "enter")
        await c.shows("There is no revision")
        await c.press("escape")
        await c.until(lambda: not screen.line, "no rule")


@pytest.mark.long
async def test_without_a_repository_it_says_so_and_rules_work_all_the_same(
    desk: Desk, console: Opener, tmp_path: Path
) -> None:
    desk.known("The old gateway is slow")
    (tmp_path / "plain").mkdir()
    async with console(size=(140, 40), project=Project(SCOPE, SCOPE, tmp_path / "plain")) as c:
        screen = await into(c)
        assert "no git repository" in c.text()
        await c.press("slash", *"gateway", "enter")
        await settled(c, screen)
        assert len(screen.found.rows) == 1


@pytest.mark.long
async def test_V11_V12_what_a_memory_says_is_inert_here_too(
    desk: Desk, console: Opener, repo: Repository, here: Project
) -> None:
    desk.known("[@click=app.quit]x[/] [/nope] services/tax.py [bold]y")
    moved(repo)
    async with console(size=(140, 40), project=here) as c:
        await into(c)
        assert "[@click=app.quit]x[/] [/nope]" in c.text()
        width = c.app.size.width
        for y in range(2, 8):
            for x in range(3, width, 23):
                await c.pilot.click(offset=(x, y))
        assert isinstance(c.app.screen, OutdatedScreen)
        assert c.app.is_running


@pytest.mark.long
async def test_by_mouse_alone(desk: Desk, console: Opener, repo: Repository, here: Project) -> None:
    desk.known("pay is in services/pay.py")
    moved(repo)
    async with console(size=(140, 40), project=here) as c:
        await _click(c, "Outdated")
        await c.until(lambda: isinstance(c.app.screen, OutdatedScreen) and c.app.screen.ready, "screen 3")
        screen = c.app.screen
        assert isinstance(screen, OutdatedScreen)
        await settled(c, screen)
        await _click(c, "Settle")
        await c.until(lambda: isinstance(c.app.screen, Dialog), "the question")
        c.clock.now += 1
        answer = next(one for one in c.app.screen.query(AnswerButton) if "Write the new" in str(one.render()))
        await c.pilot.click(answer)
        await says(c, "re-pointed")
        assert desk.contents() == {"pay is in core/pay.py"}


async def _click(c: Console, word: str) -> None:
    """Click the first place where a word stands, from the last line up for what the footer names."""
    await c.shows(word)
    rows = c.text().split("\n")
    y = next(place for place in reversed(range(len(rows))) if word in rows[place])
    c.clock.now += 1
    await c.pilot.click(offset=(rows[y].index(word) + 1, y))
