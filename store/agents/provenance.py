"""Who calls: the agent, its session and the call, from what it sends along and from the environment it starts us in.

What each agent was seen to send (Claude Code 2.1, Codex 0.171, Gemini CLI 0.61):

- Claude Code: ``_meta`` ``claudecode/toolUseId``; ``CLAUDE_CODE_SESSION_ID`` and ``CLAUDE_PROJECT_DIR`` in the
  environment of a server, ``CLAUDE_CODE_SESSION_ID`` in that of a shell command. A server outlives ``/clear``, which
  begins another session: ``~/.claude/sessions/<process>.json`` names the present one.
- Codex: ``_meta`` ``callId``, ``sessionId``, ``threadId`` and ``x-codex-turn-metadata``; nothing in the environment of
  a server; ``CODEX_SESSION_ID``, ``CODEX_THREAD_ID`` and ``CODEX_TOOL_CALL_ID`` in that of a shell command.
- Gemini CLI: ``GEMINI_CLI`` in both environments, and no name for the session or the call anywhere.
- VS Code, by what its sources say: ``_meta`` ``vscode.conversationId``.

What an agent does not say stays unknown. Light: imports nothing slow.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from store.characters import is_blank, marks
from store.raw import Raw
from store.regular import first_bytes, json_object
from store.source_ref import MOST_BYTES, Place, below_home, call_name

CLAUDE: Final = "claude-code"
CODEX: Final = "codex"
GEMINI: Final = "gemini-cli"
_SESSION: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}"
"""What names a session: it becomes part of file names, so it is never taken as it comes."""
_MOST_NAME: Final = 64
_PARENTS: Final = 4
"""How many processes up an agent is looked for: a wrapper may stand between it and us."""
_NAMES: Final = ((r"claude[-_ ]?code\b.*", CLAUDE), (r"codex\b.*", CODEX), (r"gemini[-_ ]?cli\b.*", GEMINI))


class Caller(NamedTuple):
    """Who calls, as far as it is known; None is unknown.

    ``witnessed`` says that the session was told by the program that started us, not by the model or a shell command of
    its own. ``transcript`` is the file the session is known to be written to, where somebody named it (a hook);
    ``transcripts`` finds the others. ``home`` is the caller's home folder, ``settings`` its agent's own folder there
    where the environment moves it.
    """

    agent: str | None = None
    session_id: str | None = None
    call_id: str | None = None
    transcript: str | None = None
    witnessed: bool = False
    cwd: str | None = None
    home: str = ""
    settings: str | None = None


def caller(
    meta: Mapping[str, object] | None,
    environ: Mapping[str, str],
    client_name: str | None,
    *,
    cwd: str | None,
    transcript: str | None = None,
    process: int | None = None,
) -> Caller:
    """Who calls: by a server's ``_meta`` and client name, or (``client_name`` None) by a shell command's environment.

    A server believes the environment only of the agent that says it is the client: one agent may have started another.
    A command that finds the marks of two agents believes neither. ``process`` is the agent's, if not our parent.
    """
    served = client_name is not None
    agent = agent_name(client_name) if client_name is not None else _agent_around(environ)
    said = meta if isinstance(meta, Mapping) else {}
    session, call = _named(agent, said, environ)
    if served and agent == CLAUDE:
        session = _claude_session(environ, os.getppid() if process is None else process) or session
    settings = {CLAUDE: "CLAUDE_CONFIG_DIR", CODEX: "CODEX_HOME", GEMINI: "GEMINI_CLI_HOME"}.get(agent or "")
    place = environ.get("CLAUDE_PROJECT_DIR") if agent == CLAUDE else None
    return Caller(
        agent=agent,
        session_id=session,
        call_id=call,
        transcript=transcript,
        witnessed=served and session is not None,
        cwd=place or cwd,
        home=environ.get("HOME", ""),
        settings=(environ.get(settings) or None) if settings is not None else None,
    )


def agent_name(client_name: str) -> str | None:
    """The name that an agent goes by here, from the one that its client gives itself; one nobody knows as it is said.

    None where the name could not be shown for what it is.
    """
    name = " ".join(client_name.split())[:_MOST_NAME].strip()
    for pattern, known in _NAMES:
        if re.fullmatch(pattern, name, re.IGNORECASE | re.ASCII):
            return known
    fits = name and name.isprintable() and not is_blank(name) and not marks(name)
    return name if fits else None


def _agent_around(environ: Mapping[str, str]) -> str | None:
    """The agent whose shell command this is, or None: no agent's, or an agent's inside another's."""
    shown = {
        CLAUDE: environ.get("CLAUDECODE"),
        CODEX: environ.get("CODEX_THREAD_ID"),
        GEMINI: environ.get("GEMINI_CLI"),
    }
    there = [agent for agent, mark in shown.items() if mark and mark.lower() not in ("0", "false")]
    return there[0] if len(there) == 1 else None


def _named(agent: str | None, meta: Mapping[str, object], environ: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The session and the call by the names that this agent is known to give them."""
    if agent == CLAUDE:
        return session_name(environ.get("CLAUDE_CODE_SESSION_ID")), call_name(meta.get("claudecode/toolUseId"))
    if agent == CODEX:
        turn = meta.get("x-codex-turn-metadata")
        more = turn if isinstance(turn, Mapping) else {}
        sessions = (meta.get("sessionId"), more.get("session_id"), meta.get("threadId"))
        shell = (environ.get("CODEX_SESSION_ID"), environ.get("CODEX_THREAD_ID")) if not meta else ()
        session = next((name for one in (*sessions, *shell) if (name := session_name(one)) is not None), None)
        call = call_name(meta.get("callId") if meta else environ.get("CODEX_TOOL_CALL_ID"))
        return session, call
    # Another client: the plain names or those of VS Code, if it has any. They are the client's, not the model's.
    session = session_name(meta.get("sessionId")) or session_name(meta.get("vscode.conversationId"))
    return session, call_name(meta.get("callId") or meta.get("toolCallId"))


def _claude_session(environ: Mapping[str, str], process: int) -> str | None:
    """The session that Claude Code says to be in now, by the process that started us or one that started that."""
    base = environ.get("CLAUDE_CONFIG_DIR") or os.path.join(environ.get("HOME", ""), ".claude")
    for _ in range(_PARENTS):
        parent, began = _parent(process)
        said = json_object(first_bytes(os.path.join(base, "sessions", f"{process}.json"), 64 * 1024))
        # A number is given to many processes in time: where the system tells when this one began, both must agree.
        if said.get("pid") == process and (began is None or said.get("procStart") in (None, began)):
            return session_name(said.get("sessionId"))
        if parent is None or parent <= 1:
            return None
        process = parent
    return None


def _parent(process: int) -> tuple[int | None, str | None]:
    """The process that started another, and when that one began in the kernel's own words; None where not told."""
    fields = _proc_bytes(f"/proc/{process}/stat").rpartition(b")")[2].split()
    if len(fields) < 20 or not fields[1].isdigit():
        return None, None
    return int(fields[1]), fields[19].decode("ascii", "replace")


def _proc_bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (pathlib costs a shell command more than this whole module)
            return file.read(4096)
    except OSError:
        return b""


def session_name(value: object) -> str | None:
    """A session's name if it is one that may become part of a file name, else None."""
    return value if isinstance(value, str) and re.fullmatch(_SESSION, value, re.ASCII) is not None else None


class Excerpt(NamedTuple):
    """What a transcript holds of a call.

    ``path`` is the transcript's real place; ``line`` counts from 1, None where the file is too long to count. ``text``
    is the user's words before the call, short and safe to store; empty where none are near.
    """

    path: str
    line: int | None
    text: str
    session_id: str | None = None


def attach(raw: Raw, caller: Caller, excerpt: Excerpt | None) -> Raw:
    """The proposal with what is known of who made it: agent, session, the place in the transcript, the excerpt.

    What a server saw for itself replaces what was said; elsewhere what was said stands, and a proposal that names
    another session is left as it is. A place that the proposer named stays. Nothing that is unknown is filled in.
    """
    session = caller.session_id or (excerpt.session_id if excerpt is not None else None)
    if not caller.witnessed and raw.session_id not in (None, session):
        return raw
    said = {name: getattr(raw, name) for name in Raw.__slots__}
    agents = (caller.agent, raw.source_agent) if caller.witnessed else (raw.source_agent, caller.agent)
    said["source_agent"] = agents[0] or agents[1]
    said["session_id"] = session or raw.session_id
    said["source_ref"] = raw.source_ref or _place(caller, excerpt)
    if excerpt is not None and excerpt.text:
        said["excerpt"] = excerpt.text
    return Raw(**said)


def _place(caller: Caller, excerpt: Excerpt | None) -> str | None:
    """The place in one line, if it can be said in one: a path is any bytes, and a reference is text."""
    if excerpt is None:
        return None
    spelled = Place(below_home(excerpt.path, caller.home), excerpt.line, caller.call_id).spelled()
    fits = spelled.isprintable() and not marks(spelled) and len(spelled.encode("utf-8")) <= MOST_BYTES
    return spelled if fits else None
