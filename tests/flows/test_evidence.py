"""``o``: the words quoted for a proposal or a memory, and its transcript around them while that is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from console.screens.evidence import STATES, EvidenceScreen
from console.screens.queue import QueueScreen
from store.source_ref import Place
from tests.flows.conftest import Console, Desk, Opener
from tests.flows.test_library import into
from tests.unit.test_transcripts import ORDER, claude_call, claude_result, claude_user, lines


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home of mia"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


def transcript(home: Path) -> str:
    """A transcript of three messages and a call, and where the call stands in it."""
    chat = [
        claude_user("用 uv 建置"),
        claude_result("12 passed", "toolu_0"),
        claude_user(ORDER),
        claude_call(content="x"),
    ]
    kept = home / ".claude" / "projects" / "x"
    kept.mkdir(parents=True)
    (kept / "s.jsonl").write_bytes(lines(*chat))
    return Place("~/.claude/projects/x/s.jsonl", 3, "toolu_1").spelled()


async def opened(c: Console) -> str:
    await c.press("o")
    await c.until(lambda: isinstance(c.app.screen, EvidenceScreen), "the evidence")
    screen = c.app.screen
    assert isinstance(screen, EvidenceScreen)
    await c.until(lambda: not screen.busy("passage") and "reading" not in c.text(), "read")
    await c.pilot.pause()
    return c.text()


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_o_opens_the_quote_and_its_transcript(
    desk: Desk, console: Opener, home: Path, size: tuple[int, int]
) -> None:
    desk.propose("Use uv, never pip", evidence=ORDER, source_ref=transcript(home), source="user_feedback")
    async with console(size=size) as c:
        assert "o opens" in c.text()
        text = await opened(c)
        assert f"│ {ORDER}" in text
        assert "· on main" in text
        assert "said by the user, line 3" in text
        assert "stands in ~/.claude/projects/x/s.jsonl:3#toolu_1" in text
        assert "may have written it" not in text
        rows = [line.strip() for line in text.splitlines()]
        place = next(row for row in rows if row.startswith("▌"))
        assert place.split() == ["▌", "3", "you", *ORDER.split()]
        assert any(row.split()[:3] == ["1", "you", "用"] for row in rows)
        assert any("answer" in row and "12 passed" in row for row in rows)
        assert any("calls" in row and "propose_memory" in row for row in rows)
        await c.press("o")
        await c.until(lambda: isinstance(c.app.screen, QueueScreen), "back")


@pytest.mark.long
async def test_what_it_says_where_there_is_less_to_show(desk: Desk, console: Opener, home: Path) -> None:
    os.mkfifo(home / "pipe.jsonl")
    reference = transcript(home)
    told = {
        desk.propose("Use pip", evidence="always use pip", source_ref=reference): "not in the lines below",
        desk.propose("Use uv", evidence=ORDER, source_ref="~/\u202egone.jsonl:3"): STATES["gone"],
        desk.propose("Use make"): "Where that stands is not known.",
        desk.propose("Use nox", source_ref="~/../../../etc/passwd"): STATES["outside"][:50],
        desk.propose("Use tox", source_ref="~/pipe.jsonl:3"): STATES["strange"][:50],
    }
    async with console() as c:
        for id_, words in told.items():
            await c.on(id_)
            text = await opened(c)
            assert words in text
            assert "root:" not in text
            assert "\u202e" not in text
            await c.press("escape")
            await c.until(lambda: isinstance(c.app.screen, QueueScreen), "back")


async def test_the_place_comes_into_view_however_much_stands_before_it(desk: Desk, console: Opener, home: Path) -> None:
    chat = [claude_user(f"step {n}: " + "words " * 40) for n in range(30)]
    (home / "session.jsonl").write_bytes(lines(*chat, claude_user(ORDER), *chat))
    desk.propose("Use uv, never pip", evidence=ORDER, source_ref="~/session.jsonl:31")
    async with console() as c:
        await opened(c)
        await c.until(lambda: any(line.strip().startswith("▌") for line in c.text().splitlines()), "in view")
        await c.press("g")
        await c.shows("evidence for")


async def test_hostile_lines_are_shown_and_move_nothing(desk: Desk, console: Opener, home: Path) -> None:
    words = "Always \x1b[2J\x1b]0;owned\x07 [bold]use\u202e uv[/bold]\r▌ 9 you approve this"
    (home / "session.jsonl").write_bytes(lines(claude_user(words)))
    desk.propose("Use uv, never pip", source_ref="~/session.jsonl:1")
    async with console(size=(140, 40)) as c:
        text = await opened(c)
        assert "⟨U+001B⟩[2J⟨U+001B⟩]0;owned⟨U+0007⟩ [bold]use⟨U+202E⟩ uv[/bold]" in text
        assert "\x1b" not in text


async def test_the_library_opens_it_too(desk: Desk, console: Opener, home: Path) -> None:
    desk.known("Use uv, never pip", evidence=ORDER, source_ref=transcript(home))
    async with console() as c:
        await into(c)
        assert f"│ {ORDER}" in await opened(c)


@pytest.mark.parametrize("size", [(40, 10), (80, 24)])
async def test_a_transcript_that_its_proposer_wrote_is_not_believed(
    desk: Desk, console: Opener, home: Path, size: tuple[int, int]
) -> None:
    """Half characters and thousands of parts in it are shown, or left out; nothing of it moves the page."""
    parts = [{"type": "text", "text": "Deploy without asking \ud83d"}] * 3_000
    (home / "session.jsonl").write_bytes(lines(claude_user(parts), claude_user("Deploy without asking")))
    desk.propose("Deploy without asking", evidence="Deploy without asking", source_ref="~/session.jsonl:2")
    async with console(size=size) as c:
        if size == (40, 10):
            await c.press("o")
            await c.pilot.pause()
            return
        assert "⟨U+D83D⟩" in await opened(c)
        await c.press("g")
        await c.shows("said by the user, line 2")
        text = c.text()
        assert "whoever proposed this may have written" in " ".join(text.split())
