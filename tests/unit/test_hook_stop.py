"""Whether an agent is asked what to remember: after real work, once a session, and never without end."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from store.agents import hook_sessions, hook_stop
from store.agents.hook_input import Said, understood
from store.location import Location, locate
from tests import hook_kit
from tests.hook_kit import AGENTS, CLAUDE, CODEX, GEMINI, SESSION


@pytest.fixture
def location(tmp_path: Path) -> Location:
    return locate(str(tmp_path / "home" / "meminbox.db"), {})


def stopping(agent: str, path: Path, env: dict[str, str] | None = None, **more: Any) -> Said:
    return understood(hook_kit.said(agent, "stop", path.parent, path, **more), None, agent, env or {})


@pytest.mark.parametrize("agent", AGENTS)
def test_calls_of_tools_are_counted_as_each_agent_writes_them(agent: str, tmp_path: Path) -> None:
    path = hook_kit.worked(tmp_path, agent, 11)
    assert hook_stop.calls(agent, str(path)) == 11
    assert hook_stop.calls(None, str(path)) == (11 if agent != GEMINI else 0)


@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_said_about_calls_is_no_call(agent: str, tmp_path: Path) -> None:
    path = hook_kit.transcript(tmp_path, agent)
    marks = '"type":"tool_use" "type":"function_call" "toolCalls":[{"id":"x"}] ' * 50
    path.write_text(hook_kit.call(agent, 1, text=marks), encoding="utf-8")
    assert hook_stop.calls(agent, str(path)) == 1


def test_a_message_that_gemini_writes_again_is_one_call(tmp_path: Path) -> None:
    path = hook_kit.transcript(tmp_path, GEMINI)
    path.write_text(hook_kit.call(GEMINI, 1) * 30 + '{"toolCalls":[3,null]}\n{"toolCalls":', encoding="utf-8")
    assert hook_stop.calls(GEMINI, str(path)) == 1


def test_only_the_end_of_a_transcript_is_read(tmp_path: Path) -> None:
    path = hook_kit.worked(tmp_path, CLAUDE, 20)
    with path.open("ab") as out:
        out.truncate(len(path.read_bytes()) + 64 * 1024 * 1024)
    assert hook_stop.calls(CLAUDE, str(path)) == 0


def test_what_is_no_file_counts_nothing_and_never_hangs(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(hook_kit.worked(tmp_path, CLAUDE))
    for place in (tmp_path / "pipe", tmp_path / "link", tmp_path, tmp_path / "none", Path(os.devnull)):
        assert hook_stop.calls(CLAUDE, str(place)) == 0


@pytest.mark.parametrize("agent", AGENTS)
def test_a_session_that_worked_is_asked_once(agent: str, location: Location, tmp_path: Path) -> None:
    said = stopping(agent, hook_kit.worked(tmp_path, agent))
    assert [hook_stop.wanted(location, said) for _ in range(3)] == [True, False, False]
    assert hook_sessions.was(location, said, "asked")
    again = stopping(agent, hook_kit.worked(tmp_path, agent, session="another"), session_id="another")
    assert hook_stop.wanted(location, again)


def test_nobody_is_asked_who_should_not_be(location: Location, tmp_path: Path) -> None:
    path = hook_kit.worked(tmp_path, CLAUDE)
    assert not hook_stop.wanted(location, stopping(CLAUDE, path, stop_hook_active=True))
    assert not hook_stop.wanted(location, stopping(CLAUDE, path, agent_id="inner"))
    assert not hook_stop.wanted(location, stopping(CLAUDE, path, session_id=None))
    assert not hook_stop.wanted(location, stopping(CLAUDE, path, transcript_path=None))
    assert not hook_stop.wanted(location, stopping(CLAUDE, path, {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}))
    assert not hook_stop.wanted(location, stopping(CLAUDE, hook_kit.worked(tmp_path, CLAUDE, 7, "x"), session_id="x"))
    assert hook_stop.wanted(location, stopping(CLAUDE, path, {"CLAUDE_CODE_ENTRYPOINT": "cli"}))


def test_a_run_of_codex_whose_answer_a_program_reads_is_not_asked(location: Location, tmp_path: Path) -> None:
    path = hook_kit.worked(tmp_path, CODEX)
    head = '{"type":"session_meta","payload":{"id":"x","originator":"codex_exec","source":"exec"}}\n'
    path.write_text(head + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert not hook_stop.wanted(location, stopping(CODEX, path))


def test_of_many_hooks_at_once_one_asks(location: Location, tmp_path: Path) -> None:
    said = stopping(CODEX, hook_kit.worked(tmp_path, CODEX))
    with ThreadPoolExecutor(8) as pool:
        asked = list(pool.map(lambda _: hook_stop.wanted(location, said), range(16)))
    assert sum(asked) == 1


def test_where_it_cannot_be_kept_that_a_session_was_asked_nobody_is(location: Location, tmp_path: Path) -> None:
    said = stopping(CODEX, hook_kit.worked(tmp_path, CODEX))
    location.folder.mkdir()
    (location.folder / f"{location.stem}.sessions").write_text("no folder", encoding="utf-8")
    assert not hook_stop.wanted(location, said)


def test_sessions_of_long_ago_are_forgotten_and_all_is_private(location: Location, tmp_path: Path) -> None:
    said = stopping(CLAUDE, hook_kit.worked(tmp_path, CLAUDE))
    assert hook_sessions.once(location, said, "asked")
    (place,) = (location.folder / f"{location.stem}.sessions").iterdir()
    assert (place.stat().st_mode & 0o777, place.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert SESSION not in place.name
    hook_sessions.sweep(location, time.time())
    assert place.exists()
    hook_sessions.sweep(location, time.time() + 61 * 24 * 3600)
    assert not place.exists()


def test_what_another_hook_does_at_this_moment_is_not_done_twice(location: Location, tmp_path: Path) -> None:
    said, now = stopping(CLAUDE, tmp_path / "none"), time.time()
    seen = [hook_sessions.just_now(location, said, "given-startup", now + after) for after in (0, 1, 9, 3600, 3601)]
    assert seen == [False, True, True, False, True]
    assert not hook_sessions.just_now(location, said, "given-compact", now)
    assert not hook_sessions.just_now(location, said, "given-startup", now - 3600)  # the clock was set back
    assert not hook_sessions.just_now(location, said._replace(session_id=None), "given-startup", now)


def test_the_question_is_for_ten_at_most_and_says_what_not_to_store() -> None:
    for word in ("at most ten", "none is a good answer", "Not: secrets", "A person reviews each"):
        assert word in hook_stop.QUESTION.replace("\n", " ")
    assert len(hook_stop.QUESTION) < 900
