"""Who calls: what each agent really sends, and what is believed of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from store.agents.provenance import Caller, Excerpt, agent_name, attach, caller, session_name
from store.raw import Raw
from store.source_ref import Place, below_home, call_name, parse

SESSION = "fc1abbb2-58fb-4987-9d00-f6579bb0d53b"
OTHER = "aa57a29c-6b21-4fa7-952e-823e2f9a7f27"
THREAD = "01a22d06-454e-7e92-ae34-cbb38f67d440"
CLAUDE_META = {"claudecode/toolUseId": "toolu_00000001", "progressToken": 2}
CLAUDE_SERVER = {"HOME": "/home/mia", "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": SESSION, "CLAUDE_PROJECT_DIR": "/w"}
CODEX_META = {
    "callId": "call_1",
    "x-codex-turn-metadata": {"session_id": THREAD, "thread_id": THREAD, "turn_id": "01a2"},
    "threadId": THREAD,
    "sessionId": THREAD,
    "itemId": "fc_1",
    "progressToken": 1,
}
CODEX_SHELL = {"CODEX_SESSION_ID": THREAD, "CODEX_THREAD_ID": THREAD, "CODEX_TOOL_CALL_ID": "call_7", "CODEX_CI": "1"}


class TestServers:
    def test_claude_code_names_the_call_and_its_environment_the_session(self) -> None:
        found = caller(CLAUDE_META, CLAUDE_SERVER, "claude-code", cwd="/elsewhere", process=0)
        assert found == Caller("claude-code", SESSION, "toolu_00000001", None, True, "/w", "/home/mia")

    def test_codex_names_both(self) -> None:
        found = caller(CODEX_META, {"HOME": "/h"}, "codex-mcp-client", cwd="/w")
        assert (found.agent, found.session_id, found.call_id, found.witnessed) == ("codex", THREAD, "call_1", True)

    def test_gemini_names_neither_and_nothing_is_made_up(self) -> None:
        environ = {"GEMINI_CLI": "1", "HOME": "/h"}
        found = caller({"progressToken": "a34c"}, environ, "gemini-cli-mcp-client", cwd="/w")
        assert found == Caller("gemini-cli", None, None, None, False, "/w", "/h")

    def test_another_agents_environment_is_not_believed(self) -> None:
        """Gemini CLI, started in a shell of Claude Code, hands on what it was given."""
        environ = CLAUDE_SERVER | CODEX_SHELL | {"GEMINI_CLI": "1"}
        found = caller({}, environ, "gemini-cli-mcp-client", cwd="/w")
        assert (found.agent, found.session_id, found.call_id, found.cwd) == ("gemini-cli", None, None, "/w")

    def test_a_chat_of_vs_code_is_its_session(self) -> None:
        found = caller({"vscode.conversationId": SESSION}, {}, "Visual Studio Code", cwd="/w")
        assert found[:5] == ("Visual Studio Code", SESSION, None, None, True)

    def test_an_unknown_client_is_called_as_it_says(self) -> None:
        found = caller(None, CLAUDE_SERVER, "Cursor", cwd="/w")
        assert found[:5] == ("Cursor", None, None, None, False)

    @pytest.mark.parametrize(
        "value", ["../../etc", "a/b", "", "x" * 200, 7, None, ["a"], "a\nb", "a\u200bb", ".hidden"]
    )
    def test_a_hostile_session_or_call_is_unknown(self, value: object) -> None:
        assert session_name(value) is None
        meta: dict[str, object] = {"sessionId": value, "callId": value if value != ".hidden" else "a b"}
        found = caller(meta, {}, "codex", cwd=None)
        assert (found.session_id, found.call_id, found.witnessed) == (None, None, False)

    @pytest.mark.parametrize("meta", [None, [], "text", {"x-codex-turn-metadata": "text"}, {"callId": {}}])
    def test_meta_of_another_shape_is_nothing(self, meta: object) -> None:
        assert caller(meta, {}, "codex-mcp-client", cwd=None).session_id is None  # type: ignore[arg-type]


class TestClear:
    """``/clear`` begins another session; the server of the first lives on with the first one's environment."""

    def _said(self, home: Path, process: int, **said: object) -> None:
        folder = home / ".claude" / "sessions"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{process}.json").write_text(json.dumps({"pid": process, "sessionId": OTHER} | said))

    def test_the_session_after_clear_is_told_from_the_one_that_started_the_server(self, tmp_path: Path) -> None:
        process = 4_194_301  # above what Linux gives out: no such process
        self._said(tmp_path, process)
        environ = CLAUDE_SERVER | {"HOME": str(tmp_path)}
        assert caller(CLAUDE_META, environ, "claude-code", cwd=None, process=process).session_id == OTHER

    def test_a_file_of_another_process_of_that_number_is_not_believed(self, tmp_path: Path) -> None:
        if not Path("/proc/self/stat").exists():
            pytest.skip("no /proc here")
        self._said(tmp_path, os.getpid(), procStart="1")
        environ = CLAUDE_SERVER | {"HOME": str(tmp_path)}
        assert caller(CLAUDE_META, environ, "claude-code", cwd=None, process=os.getpid()).session_id == SESSION

    @pytest.mark.parametrize("said", [{"pid": 1}, {"sessionId": "../x"}, {"sessionId": None}])
    def test_a_file_that_does_not_agree_leaves_the_environments_word(self, tmp_path: Path, said: dict) -> None:
        self._said(tmp_path, 4_194_301, **said)
        environ = CLAUDE_SERVER | {"HOME": str(tmp_path)}
        assert caller(CLAUDE_META, environ, "claude-code", cwd=None, process=4_194_301).session_id == SESSION

    def test_a_pipe_in_its_place_is_not_waited_for(self, tmp_path: Path) -> None:
        (tmp_path / ".claude" / "sessions").mkdir(parents=True)
        os.mkfifo(tmp_path / ".claude" / "sessions" / "4194301.json")
        environ = CLAUDE_SERVER | {"HOME": str(tmp_path)}
        assert caller(CLAUDE_META, environ, "claude-code", cwd=None, process=4_194_301).session_id == SESSION


class TestShells:
    def test_a_shell_command_of_claude_code(self) -> None:
        found = caller(None, CLAUDE_SERVER, None, cwd="/w")
        assert (found.agent, found.session_id, found.call_id, found.witnessed) == ("claude-code", SESSION, None, False)

    def test_a_shell_command_of_codex(self) -> None:
        found = caller(None, CODEX_SHELL, None, cwd="/w")
        assert (found.agent, found.session_id, found.call_id, found.witnessed) == ("codex", THREAD, "call_7", False)

    def test_one_agent_inside_another_is_neither(self) -> None:
        assert caller(None, CLAUDE_SERVER | CODEX_SHELL, None, cwd="/w")[:3] == (None, None, None)

    def test_a_person_is_no_agent(self) -> None:
        assert caller(None, {"HOME": "/h"}, None, cwd="/w")[:3] == (None, None, None)


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("claude-code", "claude-code"),
        ("Claude Code", "claude-code"),
        ("codex-mcp-client", "codex"),
        ("gemini-cli-mcp-client", "gemini-cli"),
        ("gemini-cli-mcp-client-meminbox", "gemini-cli"),
        ("Visual Studio Code", "Visual Studio Code"),
        ("  cursor-vscode ", "cursor-vscode"),
        ("codexia", "codexia"),
        ("", None),
        ("\x1b[2J", None),
        ("cla\u200bude", None),
        ("x" * 200, "x" * 64),
    ],
)
def test_agents_go_by_one_name(said: str, known: str | None) -> None:
    assert agent_name(said) == known


class TestAttach:
    CALLER = Caller("claude-code", SESSION, "toolu_1", None, True, "/w", "/home/mia")
    EXCERPT = Excerpt("/home/mia/.claude/projects/-w/s.jsonl", 12, "From now on use uv")

    def test_what_a_server_saw_replaces_what_was_said(self) -> None:
        made = attach(Raw(content="Use uv", source_agent="me", session_id="mine"), self.CALLER, self.EXCERPT)
        assert (made.source_agent, made.session_id) == ("claude-code", SESSION)
        assert made.source_ref == "~/.claude/projects/-w/s.jsonl:12#toolu_1"
        assert (made.excerpt, made.evidence) == ("From now on use uv", None)

    def test_a_place_that_was_named_stays(self) -> None:
        assert attach(Raw(content="a", source_ref="docs/x.md:3"), self.CALLER, self.EXCERPT).source_ref == "docs/x.md:3"

    def test_in_a_shell_what_was_said_stands_and_another_session_is_left_alone(self) -> None:
        shell = self.CALLER._replace(witnessed=False)
        other = Raw(content="a", session_id="of last week", source_agent="codex")
        assert attach(other, shell, self.EXCERPT) == other
        made = attach(Raw(content="a", source_agent="my-bot"), shell, self.EXCERPT)
        assert (made.source_agent, made.session_id, made.excerpt) == ("my-bot", SESSION, "From now on use uv")

    def test_nothing_known_is_nothing_added(self) -> None:
        raw = Raw(content="a")
        assert attach(raw, Caller(), None) == raw

    @pytest.mark.parametrize("path", ["/tmp/a\nb.jsonl", "/tmp/\u202ea.jsonl", "/tmp/" + "a" * 2000, "/tmp/\udcff"])
    def test_a_path_that_no_line_can_say_is_left_out(self, path: str) -> None:
        assert attach(Raw(content="a"), self.CALLER, Excerpt(path, 1, "")).source_ref is None


class TestPlaces:
    @pytest.mark.parametrize(
        "place",
        [
            Place("~/a/b.jsonl", 3, "toolu_1"),
            Place("~/a/b.jsonl", 3),
            Place("/a/b.jsonl", None, "c.1:2"),
            Place("a.md"),
        ],
    )
    def test_what_is_spelled_is_read_back(self, place: Place) -> None:
        assert parse(place.spelled()) == place

    @pytest.mark.parametrize("text", ["https://example.org/a:3", "turn 4", "msg-3", "", "a/b\n/etc", "a/\x00"])
    def test_what_is_no_path_is_none(self, text: str) -> None:
        assert parse(text) is None

    def test_home_is_spelled_short(self) -> None:
        assert below_home("/home/mia/x", "/home/mia/") == "~/x"
        assert below_home("/home/miami/x", "/home/mia") == "/home/miami/x"
        assert below_home("/x", "") == "/x"
        assert call_name("toolu_01AbC") == "toolu_01AbC"
