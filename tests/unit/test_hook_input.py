"""What an agent tells its hook, and the form of the answer: no value of it is trusted, and none is needed."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.agents import hook_answer, hook_input
from store.agents.hook_input import Said, understood
from tests import hook_kit
from tests.hook_kit import AGENTS, CLAUDE, CODEX, GEMINI, SESSION

MARKS = {
    CLAUDE: {"CLAUDE_CODE_SESSION_ID": SESSION, "AI_AGENT": "claude-code_2-1-197_harness"},
    CODEX: {},
    GEMINI: {"GEMINI_SESSION_ID": SESSION, "CLAUDE_PROJECT_DIR": "/elsewhere"},
}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("event", ["session-start", "stop", "session-end"])
def test_an_agent_and_its_event_are_known_by_what_it_sends(agent: str, event: str, tmp_path: Path) -> None:
    told = hook_kit.said(agent, event, tmp_path)
    heard = understood(told, None, None, MARKS[agent])
    assert (heard.agent, heard.event, heard.session_id) == (agent, event, SESSION)
    assert (heard.folder, heard.transcript) == (str(tmp_path), told["transcript_path"])
    assert not (heard.active or heard.scripted or heard.inner)


def test_the_command_line_wins_over_what_is_heard(tmp_path: Path) -> None:
    heard = understood(hook_kit.said(CODEX, "stop", tmp_path), "session-end", "gemini-cli", {})
    assert (heard.agent, heard.event) == (GEMINI, "session-end")


@pytest.mark.parametrize("name", ["SessionStart", "session-start", "session_start", "sessionStart"])
def test_an_event_is_known_by_our_name_and_by_the_agents(name: str) -> None:
    assert hook_input.event_of(name) == "session-start"


def test_events_that_are_not_ours_are_none() -> None:
    assert [hook_input.event_of(one) for one in ("SubagentStop", "PreToolUse", "", None, 3, [])] == [None] * 6


def test_the_project_is_where_claude_was_opened_not_where_it_went(tmp_path: Path) -> None:
    inner = tmp_path / "packages" / "api"
    inner.mkdir(parents=True)
    told = hook_kit.said(CLAUDE, "session-start", inner)
    assert understood(told, None, CLAUDE, {"CLAUDE_PROJECT_DIR": str(tmp_path)}).folder == str(tmp_path)
    assert understood(told, None, CLAUDE, {"CLAUDE_PROJECT_DIR": "/no/such"}).folder == str(inner)
    assert understood(told, None, CODEX, {"CLAUDE_PROJECT_DIR": str(tmp_path)}).folder == str(inner)


def test_what_is_not_as_it_should_be_says_nothing() -> None:
    wrong: list[Any] = [None, 1, [], {}, "", "a\nb", "\ud800", "../../etc", "x" * 5000, "\x1b]52;c;x", "a/b", ".hidden"]
    for value in wrong:
        heard = understood({"session_id": value, "transcript_path": value, "cwd": value}, "stop", None, {})
        assert (heard.session_id, heard.transcript, heard.folder) == (None, None, str(Path.cwd())), value


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
fields = ["session_id", "transcript_path", "cwd", "hook_event_name", "source", "stop_hook_active", "agent_id"]


@settings(max_examples=50)
@given(st.dictionaries(st.sampled_from(fields), json_values), st.none() | st.text(), st.none() | st.text())
def test_any_object_is_understood_and_names_are_safe(
    told: dict[str, Any], event: str | None, agent: str | None
) -> None:
    heard = understood(told, event, agent, {})
    for name in (heard.agent, heard.session_id, heard.source):
        assert name is None or (name.isascii() and "/" not in name and 0 < len(name) <= 128)
    assert heard.event in (None, "session-start", "stop", "session-end")


# -- standard input


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of standard input."""
    ours, theirs = os.pipe()
    with os.fdopen(ours, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(hook_input, "PATIENCE", 5.0)
        yield theirs


def test_an_agent_that_never_closes_the_pipe_is_heard_and_not_waited_for(
    pipe: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook_input, "PATIENCE", 0.05)
    os.write(pipe, b'{"session_id": "s1"}')
    assert hook_input.hear("stop", CODEX, {}).session_id == "s1"
    assert hook_input.hear("stop", CODEX, {}).session_id is None
    os.close(pipe)


def test_what_is_too_long_is_read_to_its_end_and_says_nothing(pipe: int) -> None:
    """An agent whose pipe is closed on it may call the hook a failure."""
    written: list[int] = []

    def write() -> None:
        with os.fdopen(pipe, "wb") as out:
            written.append(out.write(b'{"session_id": "s1", "x": "' + b"x" * 2 * hook_input.MOST_BYTES + b'"}'))

    writer = threading.Thread(target=write)
    writer.start()
    assert hook_input.hear("stop", CODEX, {}).session_id is None
    writer.join()
    assert written[0] > 2 * hook_input.MOST_BYTES


def test_at_a_terminal_nothing_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    with os.fdopen(theirs, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert hook_input.hear("session-start", CODEX, {}).agent == CODEX
    os.close(ours)


# -- the answer


def heard(agent: str, **more: Any) -> Said:
    return understood({}, "stop", agent, {})._replace(**more)


CODEX_TAKES = {"continue", "decision", "reason", "stopReason", "suppressOutput", "systemMessage", "hookSpecificOutput"}


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_takes_the_block_and_the_word_for_the_person(agent: str) -> None:
    answer = hook_answer.start("the block", "3 wait")
    assert answer == {
        "systemMessage": "3 wait",
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "the block"},
    }
    assert answer.keys() <= CODEX_TAKES
    assert hook_answer.start("", "") == {}
    assert "hookSpecificOutput" not in hook_answer.start("", "3 wait")


@pytest.mark.parametrize(
    ("agent", "version", "gentle"),
    [
        (CLAUDE, "2.1.197", True),
        (CLAUDE, "2.2", True),
        (CLAUDE, "2.1.9", False),
        (CLAUDE, None, False),
        (CLAUDE, "new", False),
        (CODEX, "9.9.9", False),
        (GEMINI, None, False),
        ("other", None, False),
    ],
)
def test_an_agent_is_asked_in_a_form_it_was_seen_to_take(agent: str, version: str | None, gentle: bool) -> None:
    answer = hook_answer.ask(heard(agent, version=version), "What to remember?")
    if gentle:
        assert answer == {"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "What to remember?"}}
    else:
        assert answer == {"decision": "block", "reason": "What to remember?"}


def test_a_word_for_the_person_moves_no_terminal() -> None:
    assert hook_answer.spoken("a\x1b]52;c;x\x07\nb\u202e") == {"systemMessage": "a?]52;c;x?\nb?"}
    assert len(hook_answer.spoken("x" * 10_000)["systemMessage"]) == 600
