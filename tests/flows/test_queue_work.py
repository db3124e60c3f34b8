"""Coming back to a long queue: it is summed up by kind of work, and a session of 50 takes few keys."""

from __future__ import annotations

import re

import pytest

from console.widgets.summary import Summary
from tests.flows.conftest import Console, Desk, Opener

RULES = (
    (
        "Use uv, never pip, in this repository",
        "Use uv and never pip in this repository",
        "In this repository use uv, never pip",
        "Always use uv, never pip, in this repository",
        "Use uv, never pip, within this repository",
    ),
    (
        "Write commit subjects in the imperative mood",
        "Commit subjects are written in the imperative mood",
        "Always write commit subjects in the imperative mood",
        "Write the subjects of commits in the imperative mood",
        "Write commit subjects in imperative mood",
    ),
    (
        "部署前先检查设备清单，再执行发布脚本",
        "部署前要先检查设备清单，再执行发布脚本",
        "部署前先检查设备清单，然后再执行发布脚本",
        "部署之前先检查设备清单，再执行发布脚本",
        "部署前先检查设备清单，再执行发布的脚本",
    ),
    (
        "Log errors as structured JSON with the request id",
        "Errors are logged as structured JSON with the request id",
        "Log errors in structured JSON with the request id",
        "Always log errors as structured JSON with the request id",
        "Log errors as structured JSON together with the request id",
    ),
)
LIVE = {
    "db.port": ("PostgreSQL listens on port 5433", "PostgreSQL listens on port 5440"),
    "node.version": ("The build needs Node 18", "The build needs Node 20"),
    "style.quotes": ("Use single quotes in TypeScript", "Use double quotes in TypeScript"),
    "deploy.day": ("Deploys go out on Tuesdays", "Deploys go out on Thursdays"),
    "lint.console": ("The no-console rule is on", "The no-console rule is off"),
}
HINTS = (
    "Staging password hint: QUJDREVGR0hJSktMTU5PUFFSU1RVVg==",
    "Preview password hint: Z2hpamtsbW5vcHFyc3R1dnd4eXowMQ==",
    "Webhook password hint: bW5vcHFyc3R1dnd4eXphYmNkZWZnaA==",
    "Wiki password hint: dnd4eXphYmNkZWZnaGlqa2xtbm9wcXI=",
    "Legacy password hint: c3R1dnd4eXphYmNkZWZnaGlqa2xtbg==",
)
"""What intake holds for a word, or masks: which of the two is a matter of the rules."""
GUESSES = (
    "The flaky login test fails because of a stale Redis key",
    "The image upload times out since nginx buffers it",
    "Webpack runs out of memory because of source maps",
    "The importer hangs when two workers share a lock",
    "Playwright crashes since the sandbox lacks a font",
)
GOOD = (
    "Tests run with pytest -q",
    "The API documentation is built by mkdocs",
    "Feature flags live in config/flags.toml",
    "Every migration has a down step",
    "Money is kept in cents as integers",
    "The staging site resets every night at two",
    "Only the release manager tags versions",
    "Translations come from Weblate every Friday",
    "The search index is rebuilt by a cron job",
    "Screenshots in the docs are made by a script",
    "Customers in Switzerland pay in francs",
    "Dates in the interface follow the locale",
    "The mobile app talks to the API through a gateway",
    "Support tickets are linked in the changelog",
    "Load tests run against a copy of production",
)


def session_of_50(desk: Desk) -> dict[str, list[str]]:
    """Fifty proposals of several sessions, shuffled as agents would; ids by what they are."""
    for key, (value, _) in LIVE.items():
        desk.known(value, key=key, source_agent="codex", session_id="before")
    ids: dict[str, list[str]] = {"copies": [], "conflicts": [], "secrets": [], "guesses": [], "good": []}
    for n in range(15):
        said = {"session_id": f"s-{n % 5}", "source_agent": "claude-code"}
        ids["good"].append(desk.propose(GOOD[n], **said))
        if n < 5:
            ids["copies"] += [desk.propose(rule[n], kind="procedure", **said) for rule in RULES]
            key = list(LIVE)[n]
            ids["conflicts"].append(desk.propose(LIVE[key][1], key=key, **said))
            ids["secrets"].append(desk.propose(HINTS[n], **said))
            ids["guesses"].append(desk.propose(GUESSES[n], kind="experience", source="task_failure", **said))
    return ids


class Hand:
    """A hand that counts what it presses, and presses only on what is painted."""

    def __init__(self, c: Console) -> None:
        self.c = c
        self.presses = 0

    async def press(self, key: str) -> None:
        self.presses += 1
        await self.c.press(key)

    async def summary(self) -> str:
        """Wait for the summary, and return it as text."""
        c = self.c
        await c.until(lambda: isinstance(c.app.screen, Summary) and c.app.screen.ready, "the summary")
        return c.text()

    async def digit(self, words: str) -> str:
        """The digit before a number and these words."""
        found = re.search(rf"(\d) +[\d,]+  {words}", await self.summary())
        assert found is not None, self.c.text()
        return found[1]

    async def kind(self, words: str) -> None:
        """Press the digit of the line with these words."""
        await self.press(await self.digit(words))
        await self.c.until(lambda: not isinstance(self.c.app.screen, Summary), "chosen")
        await self.c.until(lambda: not self.c.queue.busy("ids") and self.c.queue.kind is not None, "shown")
        await self.c.ready()

    async def dialog(self, key: str) -> None:
        """Answer the question that stands there."""
        c = self.c
        await c.until(lambda: len(c.app.screen_stack) > 1 and getattr(c.app.screen, "ready", False), "a question")
        await self.press(key)


async def one_by_one(hand: Hand, *, rows: int, word: str | None = None) -> None:
    """Approve row by row; ``word`` answers the question that each asks."""
    c = hand.c
    for left in range(rows - 1, -1, -1):
        await hand.press("a")
        if word is not None:
            await hand.dialog(word)

        def followed(left: int = left) -> bool:
            return len(c.queue.model) == left and not c.queue.busy("ids") and not c.queue.busy("decide")

        if left:
            await c.until(followed, f"{left} left")
            await c.ready()


async def clear(c: Console, desk: Desk, ids: dict[str, list[str]]) -> int:
    """Clear the fifty, kind by kind; how many keys that took."""
    hand = Hand(c)
    first = await hand.summary()
    assert "50 wait" in first and "20  near-copies in 4 rows" in first
    for words in ("5  conflicts", "5  guesses", "15  plain additions"):
        assert words in first, words
    held = [one for one in ids["secrets"] if any(flag.code == "maybe_secret" for flag in desk.proposal(one).flags)]
    masked = [one for one in ids["secrets"] if one not in held]
    assert f"{len(held)}  may hold a secret" in first

    await hand.kind("near-copies")
    await one_by_one(hand, rows=4)
    await hand.kind("may hold a secret")
    await one_by_one(hand, rows=len(held), word="m")
    await hand.kind("conflicts")
    await one_by_one(hand, rows=5)
    await hand.kind("guesses")
    await hand.press("*")
    await hand.press("x")
    await hand.dialog("y")
    if masked:
        await hand.kind("ha(s|ve) a warning")
        await one_by_one(hand, rows=len(masked))
    await hand.kind("plain additions")
    await hand.press("*")
    await hand.press("a")
    await hand.dialog("y")
    await c.until(lambda: c.queue.kind is None and not len(c.queue.model), "nothing waits")
    return hand.presses


@pytest.mark.long
async def test_a_session_of_50_is_cleared_in_at_most_35_keys(desk: Desk, console: Opener) -> None:
    ids = session_of_50(desk)
    assert sum(map(len, ids.values())) == 50
    async with console(size=(140, 40)) as c:
        presses = await clear(c, desk, ids)
        print(f"50 proposals cleared in {presses} keys")
        assert presses <= 35
    assert sorted(desk.statuses(*ids["copies"])) == ["approved"] * 4 + ["superseded"] * 16
    assert desk.statuses(*ids["secrets"], *ids["conflicts"], *ids["good"]) == ["approved"] * 25
    assert desk.statuses(*ids["guesses"]) == ["rejected"] * 5
    contents = desk.contents()
    assert len(contents) == 4 + 5 + 5 + 15
    assert not any(hint.rpartition(": ")[2] in content for hint in HINTS for content in contents)
    assert all(new in contents and old not in contents for old, new in LIVE.values())
    assert set(GOOD) <= contents and not set(GUESSES) & contents
    for rule in RULES:
        assert len(contents & set(rule)) == 1, "one wording of each rule"


async def many(desk: Desk, number: int = 32) -> list[str]:
    return [desk.propose(f"Station {n} of the line is called {n * 37}") for n in range(number)]


async def test_the_summary_covers_no_row_of_the_list_and_holds_nobody_up(desk: Desk, console: Opener) -> None:
    ids = await many(desk)
    async with console(size=(80, 24)) as c:
        await Hand(c).summary()
        rows = c.text().splitlines()
        assert "32 wait" in c.text()
        assert all("Station" in row for row in rows[1:7]), "the list is there to be read"
        await c.press("j")
        await c.until(lambda: len(c.app.screen_stack) == 1 and c.here == ids[-2], "any other key is the queue's")


@pytest.mark.long
async def test_a_key_that_would_decide_under_the_summary_decides_nothing(desk: Desk, console: Opener) -> None:
    ids = await many(desk)
    async with console() as c:
        await Hand(c).summary()
        await c.press("a")
        await c.says("the summary is closed")
        assert set(desk.statuses(*ids)) == {"pending"}


@pytest.mark.long
async def test_W_sums_up_any_queue_and_esc_leaves_the_kind(desk: Desk, console: Opener) -> None:
    plain = desk.propose("Tests run with pytest -q")
    guess = desk.propose("It fails because of the cache", kind="experience", source="task_failure")
    async with console() as c:
        assert not isinstance(c.app.screen, Summary), "two need no summary"
        await c.press("W")
        await Hand(c).kind("guess")
        assert list(c.queue.model.main) == [guess]
        assert "/flag:guess" in c.text()
        await c.press("escape")
        await c.until(lambda: set(c.queue.model.main) == {plain, guess}, "everything")


@pytest.mark.long
async def test_said_once_opens_the_fold(desk: Desk, console: Opener) -> None:
    desk.propose("Tests run with pytest -q")
    draft = desk.propose("Likes short sentences", kind="preference", source="unknown")
    assert desk.status(draft) == "draft"
    async with console() as c:
        await c.press("W")
        await c.press(await Hand(c).digit("said once"))
        await c.until(lambda: c.here == draft, "on what was said once")


@pytest.mark.long
async def test_a_person_can_do_without_the_summary(desk: Desk, console: Opener) -> None:
    from console.looks import Look

    await many(desk)
    async with console(look=Look(summary=0)) as c:
        await c.until(lambda: c.queue._summed and not c.queue.busy("work"), "the queue is known")
        assert not isinstance(c.app.screen, Summary)
