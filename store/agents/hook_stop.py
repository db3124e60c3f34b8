"""Whether an agent that is about to stop is asked what to remember: once a session, and only after real work. Quick.

An agent asked at every stop would go on for ever (Codex does): it is asked only where that could be written down. Work
is counted in the end of the session's transcript: calls of tools, as each agent writes them.
"""

from __future__ import annotations

import json
import os

from store.agents import hook_sessions
from store.agents.hook_input import CLAUDE, CODEX, GEMINI
from store.regular import first_bytes, open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from store.agents.hook_input import Said
    from store.location import Location

REAL_WORK = 8
"""Calls of tools from which on a session has worked, and not only answered a question."""
TAIL = 512 * 1024
"""Bytes of a transcript's end that are looked into."""
_HEAD = 16 * 1024
_CALLS = {
    CLAUDE: (b'"type":"tool_use"',),
    CODEX: (
        b'"type":"function_call"',
        b'"type":"custom_tool_call"',
        b'"type":"local_shell_call"',
        b'"type":"web_search_call"',
    ),
}
"""What a call of a tool looks like in a transcript. Inside of a text the quotes would be escaped."""
_SCRIPTED = b'"originator":"codex_exec"'

QUESTION = """\
meminbox asks once a session: is there something here that a later session should know? Then propose it now, at most \
ten in one call of `propose_memories` (or `meminbox propose -`, one JSON object a line); none is a good answer. A \
person reviews each.
Worth it: what the user corrected or decided, with their own words as `evidence`; decisions and why; what was tried \
and works here, or fails and why. One thing each, understandable without this conversation.
Not: secrets or personal data; what the code or the project's instructions already say; what you were given as \
remembered; the state of this task; guesses. Then stop, without repeating your answer."""
"""What the agent is asked. Short: agents show it to the person, too."""


def wanted(location: Location, said: Said) -> bool:
    """Whether to ask now. A True is given once a session: where that cannot be kept, nobody is asked."""
    if said.active or said.scripted or said.inner or said.session_id is None or said.transcript is None:
        return False
    if calls(said.agent, said.transcript) < REAL_WORK or _is_scripted(said):
        return False
    return hook_sessions.once(location, said, "asked")


def calls(agent: str | None, transcript: str) -> int:
    """Calls of tools in the end of a transcript; 0 where it is no file, or not ours to read."""
    handle = open_regular(transcript)
    if handle is None:
        return 0
    try:
        size = os.fstat(handle).st_size
        data = os.pread(handle, TAIL, max(0, size - TAIL))
    except OSError:
        return 0
    finally:
        os.close(handle)
    if agent == GEMINI:
        return len(_gemini(data))
    marks = _CALLS.get(agent or "") or [mark for marks in _CALLS.values() for mark in marks]
    return sum(data.count(mark) for mark in marks)


def _gemini(data: bytes) -> set[str]:
    """The ids of Gemini's calls: it writes a message again and again while the call in it goes on."""
    found = set[str]()
    for line in data.split(b"\n"):
        if b'"toolCalls"' not in line:
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        made = value.get("toolCalls") if isinstance(value, dict) else None
        found |= {str(one.get("id")) for one in made if isinstance(one, dict)} if isinstance(made, list) else set()
    return found


def _is_scripted(said: Said) -> bool:
    """Whether a program reads what Codex answers last: an answer to our question would take its place."""
    return said.agent == CODEX and _SCRIPTED in first_bytes(said.transcript or "", _HEAD)
