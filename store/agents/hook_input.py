"""What an agent tells its hook: one JSON object on standard input, and a few variables. Hostile, and not waited for.

Claude Code 2.1, Codex 0.171 and Gemini CLI 0.61 were seen to send ``session_id``, ``transcript_path``, ``cwd`` and
``hook_event_name`` always (a transcript may be null), ``source`` where a session starts, ``stop_hook_active`` where an
agent is about to stop. What is not said, or not as it should be, is unknown. Quick.
"""

from __future__ import annotations

import json
import os
import sys
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple

CLAUDE, CODEX, GEMINI = "claude-code", "codex", "gemini-cli"
START, STOP, END = "session-start", "stop", "session-end"
MOST_BYTES = 4 * 1024 * 1024
"""Bytes that are looked into; more are read and let go, so that no agent trips over a pipe that was closed on it."""
PATIENCE = 2.0
"""Seconds until what has not arrived is not waited for."""
_EVENTS = {"sessionstart": START, "stop": STOP, "afteragent": STOP, "sessionend": END}
_MOST_NAME = 128
_SHORTEST_KEY = 16
_IN_KEYS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_MOST_PATH = 4096

if TYPE_CHECKING:

    class Said(NamedTuple):
        """What an agent said. None is unknown.

        ``folder`` is the project's, absolute. ``source`` is why a session starts ("startup", "resume", "clear",
        "compact"). ``active`` says that the agent goes on because a hook asked it to; ``scripted`` that nobody but a
        program reads the answer; ``inner`` that it is an agent's agent. ``version`` is the agent's.
        """

        event: str | None
        agent: str | None
        session_id: str | None
        transcript: str | None
        folder: str | None
        source: str | None
        active: bool
        scripted: bool
        inner: bool
        version: str | None

else:
    Said = namedtuple("Said", "event agent session_id transcript folder source active scripted inner version")


def hear(event: str | None, agent: str | None, environ: Mapping[str, str]) -> Said:
    """Read standard input. ``event`` and ``agent`` are what the command line says; they win over what is heard."""
    return understood(_decoded(_read()), event, agent, environ)


def understood(told: Mapping[str, Any], event: str | None, agent: str | None, environ: Mapping[str, str]) -> Said:
    """What the object ``told`` says, in our words; values of the wrong kind say nothing."""
    transcript = _path(told.get("transcript_path"))
    who = _name(agent) or _agent(told, transcript, environ)
    session = _name(told.get("session_id")) or _name(environ.get(_SESSIONS.get(who or "", "")))
    entry = environ.get("CLAUDE_CODE_ENTRYPOINT", "")
    return Said(
        event=event_of(event) if event is not None else event_of(told.get("hook_event_name")),
        agent=who,
        session_id=session,
        transcript=transcript,
        folder=_folder(told, who, environ),
        source=_name(told.get("source")),
        active=bool(told.get("stop_hook_active")),
        scripted=who == CLAUDE and entry.startswith("sdk"),
        inner=bool(told.get("agent_id")),
        version=_version(who, environ),
    )


_SESSIONS = {CLAUDE: "CLAUDE_CODE_SESSION_ID", GEMINI: "GEMINI_SESSION_ID"}


def event_of(said: object) -> str | None:
    """Our name of an event, by ours or by the agent's ("AfterAgent"); None for one that is not ours."""
    if not isinstance(said, str):
        return None
    return _EVENTS.get(said.lower().replace("-", "").replace("_", ""))


def _read() -> bytes:
    """What stands on standard input, as far as it arrives in time; nothing where a person sits there."""
    try:
        handle = sys.stdin.fileno()
    except (OSError, ValueError, AttributeError):  # no file at all, as where this runs inside another program
        buffer = getattr(sys.stdin, "buffer", None)
        return buffer.read(MOST_BYTES + 1) if buffer is not None else b""
    if os.isatty(handle):
        return b""
    import select
    import time

    deadline, parts, size = time.monotonic() + PATIENCE, list[bytes](), 0
    while (left := deadline - time.monotonic()) > 0 and select.select([handle], [], [], left)[0]:
        data = os.read(handle, 65536)
        if not data:
            break
        size += len(data)
        if size <= MOST_BYTES:
            parts.append(data)
    return b"".join(parts)


def _decoded(data: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(data.decode("utf-8", "replace")) if data.strip() else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _name(value: object) -> str | None:
    """A name of an agent or a session: it becomes part of file names and of rows, so it is never taken as it comes."""
    if not isinstance(value, str) or not 0 < len(value) <= _MOST_NAME or not value[0].isalnum():
        return None
    if not value.isascii() or not all(char.isalnum() or char in "._-" for char in value):
        return None
    return None if _may_be_a_key(value) else value


def _may_be_a_key(value: str) -> bool:
    """Whether a name is what redaction masks.

    Names in small letters, digits and dashes, as all agents give, are not asked
    about: the rules take longer to load than a hook may.
    """
    if len(value) < _SHORTEST_KEY or not set(value) & _IN_KEYS:
        return False
    from store.redact import redact_text

    return redact_text(value)[0] != value


def _path(value: object) -> str | None:
    if not isinstance(value, str) or not value.isprintable() or not 0 < len(value) <= _MOST_PATH:
        return None
    return value if os.path.isabs(value) else None  # noqa: PTH117


def _folder(told: Mapping[str, Any], agent: str | None, environ: Mapping[str, str]) -> str | None:
    """The project's folder: where the session was opened, not where the agent has wandered since."""
    opened = _path(environ.get("CLAUDE_PROJECT_DIR")) if agent == CLAUDE else None
    for one in (opened, _path(told.get("cwd"))):
        if one is not None and os.path.isdir(one):  # noqa: PTH112
            return one
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:
        return None


def _agent(told: Mapping[str, Any], transcript: str | None, environ: Mapping[str, str]) -> str | None:
    """Who this is, where the command line does not say: by what only one of them sends, then by the environment."""
    if (transcript or "").rpartition("/")[2].startswith("rollout-") or "turn_id" in told:
        return CODEX
    if "timestamp" in told and environ.get("GEMINI_SESSION_ID"):
        return GEMINI
    return CLAUDE if environ.get("CLAUDE_CODE_SESSION_ID") or environ.get("CLAUDE_PROJECT_DIR") else None


def _version(agent: str | None, environ: Mapping[str, str]) -> str | None:
    """Claude Code says its version to those it starts: AI_AGENT=claude-code_2-1-197_harness."""
    name, _, rest = environ.get("AI_AGENT", "").partition("_")
    if agent != CLAUDE or name != CLAUDE:
        return None
    return _name(rest.partition("_")[0].replace("-", "."))
