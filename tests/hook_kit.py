"""What agents were seen to send to their hooks and to write into their transcripts, for tests of hooks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SESSION = "57bf5389-7921-472b-b827-13a593aaa6ee"
CLAUDE, CODEX, GEMINI = "claude-code", "codex", "gemini-cli"
AGENTS = (CLAUDE, CODEX, GEMINI)
EVENTS = {
    CLAUDE: {"session-start": "SessionStart", "stop": "Stop", "session-end": "SessionEnd"},
    CODEX: {"session-start": "SessionStart", "stop": "Stop", "session-end": "SessionEnd"},
    GEMINI: {"session-start": "SessionStart", "stop": "AfterAgent", "session-end": "SessionEnd"},
}
NOT_OURS = dict.fromkeys(
    ("CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID", "GEMINI_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"), ""
)
"""Variables of the agent that a developer may be running these tests in."""


def transcript(folder: Path, agent: str, session: str = SESSION) -> Path:
    """Where an agent would write its transcript, by the shape of the name."""
    name = {
        CLAUDE: f"{session}.jsonl",
        CODEX: f"rollout-2026-11-30T15-18-13-{session}.jsonl",
        GEMINI: f"session-2026-11-30T15-19-{session[:8]}.jsonl",
    }[agent]
    return folder / name


def said(agent: str, event: str, folder: Path, path: Path | None = None, **more: Any) -> dict[str, Any]:
    """The object that an agent sends with an event of ours."""
    told: dict[str, Any] = {
        "session_id": SESSION,
        "transcript_path": str(path or transcript(folder, agent)),
        "cwd": str(folder),
        "hook_event_name": EVENTS[agent][event],
    }
    if agent == GEMINI:
        told["timestamp"] = "2026-11-30T15:19:38.308Z"
    if event == "session-start":
        told["source"] = "startup"
    if event == "session-end":
        told["reason"] = "other"
    if event == "stop":
        told["stop_hook_active"] = False
        told |= {CODEX: {"turn_id": "01a22d0a-4e22"}, GEMINI: {"prompt_response": "Done."}}.get(agent, {})
    if agent == CODEX and event != "session-end":
        told |= {"model": "gpt", "permission_mode": "default"}
    return told | more


def call(agent: str, number: int, *, text: str = "true") -> str:
    """One line of a transcript in which the agent calls a tool."""
    if agent == CLAUDE:
        block = {"type": "tool_use", "id": f"toolu_{number:08d}", "name": "Bash", "input": {"command": text}}
        return _line({"isSidechain": False, "message": {"role": "assistant", "content": [block]}, "type": "assistant"})
    if agent == CODEX:
        payload = {"type": "function_call", "name": "exec_command", "arguments": text, "call_id": f"call_{number}"}
        return _line({"timestamp": "2026-11-30T15:32:52.875Z", "type": "response_item", "payload": payload})
    made = [{"id": f"list_directory_{number}", "name": "list_directory", "args": {"dir_path": text}}]
    return _line({"id": f"m{number}", "type": "gemini", "content": "", "toolCalls": made})


def worked(folder: Path, agent: str, calls: int = 20, session: str = SESSION) -> Path:
    """A transcript of a session with so many calls of tools."""
    path = transcript(folder, agent, session)
    path.write_text("".join(call(agent, number) for number in range(calls)), encoding="utf-8")
    return path


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n"
