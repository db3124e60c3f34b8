"""The terminal, and who sits at it: what is checked before Textual is imported, and before a decision is taken.

The fence of design section 4: a decision needs a terminal on stdin and stdout, and none of the marks that coding
agents leave in the environment of what they start. It is a fence, not a wall: whoever may run programs as the person
can climb it. What it keeps out is the accident, and it names the actor.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Final

from store.errors import Fenced, UsageError
from store.facts import Actor

MIN_COLUMNS: Final = 40
MIN_LINES: Final = 10

NO_DRAWING: Final = ("", "dumb", "unknown")
"""Values of TERM that name a terminal without a cursor to move."""

AGENT_VARIABLES: Final[Mapping[str, str]] = {
    "CLAUDECODE": "Claude Code",
    "CLAUDE_CODE_ENTRYPOINT": "Claude Code",
    "CODEX_SANDBOX": "Codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "Codex",
    "CODEX_THREAD_ID": "Codex",
    "CODEX_CI": "Codex",
    "GEMINI_CLI": "Gemini CLI",
    "CURSOR_AGENT": "Cursor",
    "COPILOT_CLI": "Copilot CLI",
    "OPENCODE": "OpenCode",
    "OPENCODE_CLIENT": "OpenCode",
    "CLINE_ACTIVE": "Cline",
    "AUGMENT_AGENT": "Augment",
    "ANTIGRAVITY_AGENT": "Antigravity",
    "QWEN_CODE": "Qwen Code",
    "AI_AGENT": "an agent",
    "AGENT": "an agent",
}
"""The variables that agents set for the commands they run, and whose they are.

Only what an agent sets for its children: a person's own configuration (CODEX_HOME, ANTHROPIC_API_KEY) and what an
editor sets in every terminal of its own (CURSOR_TRACE_ID, TERM_PROGRAM) say nothing about who is typing.
"""


def agent_around(environ: Mapping[str, str] = os.environ) -> str | None:
    """Which agent's environment this is, with the variable that shows it ("Codex (CODEX_SANDBOX)"), or None."""
    for variable, agent in AGENT_VARIABLES.items():
        value = environ.get(variable, "")
        if value and value.lower() not in ("0", "false"):
            return f"{agent} ({variable} is set)"
    return None


def is_terminal(stream: object) -> bool:
    """Whether a standard stream is there, open, and a terminal."""
    try:
        return bool(stream is not None and stream.isatty())  # type: ignore[attr-defined]
    except ValueError:
        return False


def fenced(environ: Mapping[str, str] = os.environ) -> str | None:
    """Why no decision may be taken from here, in words, or None where a person sits."""
    agent = agent_around(environ)
    if agent is not None:
        return f"Decisions are for people, and this is the environment of {agent}."
    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        return "Decisions are for people: they need a terminal on standard input and output."
    return None


def person(environ: Mapping[str, str] = os.environ) -> None:
    """Let a person pass. Raises Fenced, with the reason, for everyone else."""
    reason = fenced(environ)
    if reason is not None:
        raise Fenced(reason, kept="Nothing was changed.", todo="Run `meminbox` in a terminal of your own.")


def actor(surface: str, environ: Mapping[str, str] = os.environ) -> Actor:
    """Who acts: MEMINBOX_ACTOR, else the login name, else the user's number."""
    said = environ.get("MEMINBOX_ACTOR", "").strip()
    return Actor(said or _login_name(), surface)


def _login_name() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"


def size() -> tuple[int, int]:
    """Columns and lines of the terminal as it says itself; COLUMNS and LINES where it says nothing; else 0."""
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        try:
            said = os.get_terminal_size(stream.fileno())
        except (AttributeError, OSError, ValueError):
            continue
        if said.columns > 0 and said.lines > 0:
            return said.columns, said.lines
    import shutil  # brings four compression libraries along; most commands never ask

    return shutil.get_terminal_size(fallback=(0, 0))


def unfit(environ: Mapping[str, str] = os.environ) -> str | None:
    """Why the console cannot be drawn here, in one line, or None where it can. Imports nothing heavy."""
    if not all(map(is_terminal, (sys.stdin, sys.stdout, sys.stderr))):
        return "The console needs a terminal on standard input, output and error."
    term = environ.get("TERM", "")
    if term in NO_DRAWING:
        return f"No console where TERM is {term or 'not set'}; `meminbox list` works anywhere."
    columns, lines = size()
    if columns < MIN_COLUMNS or lines < MIN_LINES:
        return f"The terminal is too small for the console: {columns}x{lines}, and it needs {MIN_COLUMNS}x{MIN_LINES}."
    return None


def expect_fit(environ: Mapping[str, str] = os.environ) -> None:
    """Raises UsageError, with the reason, where the console cannot be drawn."""
    reason = unfit(environ)
    if reason is not None:
        raise UsageError(reason)
