"""The Agents screen: how often each agent was right, what rules approved, and the lines of a rule; by key and mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from console.screens.agents import AgentsScreen
from console.screens.library import LibraryScreen
from console.widgets.header import DeskHeader
from console.widgets.paged_list import PagedList
from store import config, history, queries, review
from store.context import Context
from store.intake import take
from store.policy import Rule, Rules, read_rules
from tests.contract.proposing import lines, unlike
from tests.flows.conftest import ADA, SCOPE, Console, Desk, Opener
from tests.flows.test_library import settled

RULE = Rule("codex-proc", frozenset({"codex"}), frozenset({"procedure"}))


def decided(desk: Desk, right: int, wrong: int = 0, *, agent: str = "codex", kind: str = "fact") -> None:
    """Have so many proposals of an agent approved as they are, and rejected."""
    said = [
        {"content": f"{agent} {kind} {unlike(n)}", "source_agent": agent, "kind": kind, "confidence": 0.9}
        for n in range(right + wrong)
    ]
    with desk.store.write() as connection:
        told = take(desk.store, connection, lines(*said), context=Context(scope=SCOPE))
    seens = [one.seen() for one in queries.queue_rows(desk.store, [one.id or "" for one in told])]
    if right:
        review.approve_many(desk.store, seens[:right], by=ADA)
    if wrong:
        review.reject_many(desk.store, seens[right:], by=ADA)


def ruled(desk: Desk, *said: str) -> None:
    """Propose procedures as codex, with a rule that approves them."""
    values = [{"content": one, "source_agent": "codex", "kind": "procedure", "session_id": "s-9"} for one in said]
    with desk.store.write() as connection:
        told = take(desk.store, connection, lines(*values), context=Context(scope=SCOPE), rules=Rules((RULE,)))
    assert {one.status for one in told} == {"known"}


async def into(c: Console) -> AgentsScreen:
    """Go to the agents and wait for the count."""
    await c.press("5")
    await c.until(lambda: isinstance(c.app.screen, AgentsScreen), "the agents")
    screen = c.app.screen
    assert isinstance(screen, AgentsScreen)
    await c.until(lambda: screen.ready and not screen.busy("trust") and "counting" not in c.text(), "counted")
    return screen


def page(screen: AgentsScreen) -> str:
    """The whole page about the record under the cursor, seen or not."""
    return str(screen.query_one("#page-text", Static).content).replace("\n", "")


async def test_it_tells_each_agent_and_kind_with_the_numbers_behind_every_share(desk: Desk, console: Opener) -> None:
    decided(desk, 12, 4)
    decided(desk, 3, agent="claude-code", kind="procedure")
    async with console() as c:
        screen = await into(c)
        rows = [line.replace("▌", " ").split() for line in c.text().splitlines()[1:6]]
        assert rows[0][:4] == ["agent", "kind", "proposed", "approved"]
        assert rows[1][:4] == ["codex", "all", "16", "12"]
        assert rows[2][:3] == ["fact", "16", "12"]
        assert rows[3][:4] == ["claude-code", "all", "3", "3"]
        await c.press("j")
        await c.shows("No rule suggested: 16 of the 30 decisions")
        assert "0.9 – 1.0" in c.text() and "12 of 16  51%–90%" in c.text()
        assert "It says 0.90 on average, and 0.75 of it was right: surer than it should be" in page(screen)
        await c.press("q")
        assert c.app.screen is c.queue


@pytest.mark.parametrize("size", [(80, 24), pytest.param((140, 40), marks=pytest.mark.long)])
async def test_a_supported_rule_is_shown_as_the_lines_to_add_and_never_switched_on(
    desk: Desk, console: Opener, size: tuple[int, int], tmp_path: Path
) -> None:
    decided(desk, 34)
    async with console(size=size) as c:
        screen = await into(c)
        assert "A rule is for one kind" in c.text()
        await c.press("y")
        await c.shows("no rule is suggested")
        await c.press("j")
        await c.shows("A rule is supported")
        assert "[[approve]]" in page(screen) and str(config.load().path) in page(screen)
        await c.press("y")
        await c.shows("to the terminal's clipboard")
        import tomllib

        rules, messages = read_rules(tomllib.loads(c.app.clipboard)["approve"])
        assert messages == ()
        assert rules.all == (Rule("codex-fact", frozenset({"codex"}), frozenset({"fact"}), scopes=frozenset({SCOPE})),)
        assert not config.load().rules


@pytest.mark.long
async def test_what_rules_approved_is_a_list_of_its_own_and_goes_back_by_one_key(desk: Desk, console: Opener) -> None:
    ruled(desk, unlike(1), unlike(2))
    desk.known("A person approved this")
    async with console() as c:
        await into(c)
        await c.press("j", "o")
        await c.until(lambda: isinstance(c.app.screen, LibraryScreen), "the library")
        library = c.app.screen
        assert isinstance(library, LibraryScreen)
        await settled(c, library)
        assert len(library.listing.ids) == 2
        await c.shows("by the rule codex-proc")
        newest = library.listing.cursor_id
        assert newest is not None
        await c.press("b")
        await c.shows("rule codex-proc approved")
        await c.press("y")
        await c.until(lambda: desk.memory(newest).status == "deleted", "taken back")
        await settled(c, library)
        assert len(library.listing.ids) == 1
        await c.press("q")
        await c.until(lambda: isinstance(c.app.screen, AgentsScreen), "the agents again")


@pytest.mark.long
async def test_u_names_what_a_rule_approved_and_takes_it_back(desk: Desk, console: Opener) -> None:
    ruled(desk, unlike(1))
    async with console(size=(140, 40)) as c:
        await c.shows("rule codex-proc approved")
        await c.press("u")
        await c.until(lambda: not desk.contents(), "taken back")
        await c.ready()
        assert history.next_undo(desk.store, ADA) is None
        assert len(c.queue.listing.ids) == 1  # it waits for the person now


@pytest.mark.long
async def test_by_mouse_and_in_a_narrow_window(desk: Desk, console: Opener) -> None:
    decided(desk, 3)
    async with console(size=(80, 24)) as c:
        header = c.queue.query_one(DeskHeader)
        (start,) = [start for start, _end, action in header._places if action == "screen.agents"]
        await c.pilot.click(DeskHeader, offset=(start + 4, 0))
        await c.until(lambda: isinstance(c.app.screen, AgentsScreen), "the agents")
    async with console(size=(70, 24)) as c:  # so narrow that its name has no room on top
        await c.press("5")
        await c.until(lambda: isinstance(c.app.screen, AgentsScreen), "the agents")
        screen = c.app.screen
        assert isinstance(screen, AgentsScreen)
        await c.shows("codex")
        assert "stated" not in c.text()
        await c.pilot.click(PagedList, offset=(8, 1), times=2)
        await c.shows("stated")
        await c.press("escape")
        await c.until(lambda: "stated" not in c.text(), "the list again")


@pytest.mark.long
async def test_with_nobody_to_tell_of_it_says_what_it_will_tell(desk: Desk, console: Opener) -> None:
    async with console() as c:
        await c.press("5")
        await c.shows("No agent has proposed anything yet.")
        await c.press("o")
        await c.shows("nothing is chosen")
        assert "No agent has proposed anything yet." in c.text()


@pytest.mark.long
async def test_a_strange_name_opens_its_own_memories(desk: Desk, console: Opener) -> None:
    desk.known("Tests run", source_agent='co"dex [bold]x[/] 从不')
    desk.known("Docs are built", source_agent="codex")
    async with console() as c:
        await into(c)
        await c.shows('co"dex [bold]x')
        await c.press("o")
        await c.until(lambda: isinstance(c.app.screen, LibraryScreen), "the library")
        library = c.app.screen
        assert isinstance(library, LibraryScreen)
        await settled(c, library)
        assert len(library.listing.ids) == 1


@pytest.mark.long
async def test_beside_its_confidence_stands_how_often_the_agent_was_right_there(desk: Desk, console: Opener) -> None:
    decided(desk, 12, 4)
    desk.propose("Tests run with pytest", confidence=0.95)
    desk.propose("Docs are built with make", confidence=0.4)
    async with console() as c:
        assert "right" not in c.text()
        c.app.trusted._count()
        await c.until(lambda: c.app.trusted.shares, "counted")
        await c.press("j")
        await c.shows("codex: 12 of 16 right at 0.9 and more")
        await c.press("k")
        await c.until(lambda: "0.40" in c.text() and "right" not in c.text(), "nothing where nothing is known")


@pytest.mark.long
async def test_in_an_agent_s_environment_only_this_project_is_told_of(desk: Desk, console: Opener) -> None:
    desk.propose("Tests run here", source_agent="codex")
    desk.propose("Tests run elsewhere", source_agent="gemini", scope="another/project")
    async with console(fenced="this is the environment of an agent") as c:
        await into(c)
        assert "codex" in c.text() and "gemini" not in c.text()
        await c.press("o")
        await c.until(lambda: isinstance(c.app.screen, LibraryScreen), "the library")
        library = c.app.screen
        assert isinstance(library, LibraryScreen)
        assert library.view == c.app.scopes
        await c.press("1", "/", *"scope:another")
        await c.until(lambda: not c.queue.flt.empty and not c.queue.busy("ids"), "narrowed")
        assert c.queue.view == c.app.scopes and "elsewhere" not in c.text()
