"""The form in which each agent takes an answer from its hook: one JSON object, or nothing at all. Pure, quick.

All three take ``systemMessage`` for the person and ``hookSpecificOutput.additionalContext`` for the model where a
session starts, and ``decision`` with ``reason`` where an agent is about to stop; Codex refuses what it does not know.
"""

from __future__ import annotations

from store.agents.hook_input import CLAUDE, CODEX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from store.agents.hook_input import Said

MOST_BYTES = {CODEX: 9_500}
"""Bytes of a block, at most, where an agent counts bytes: Codex cuts the middle out of what is over 10,000."""
_MOST_SPOKEN = 600
SILENT_ENDS = (CLAUDE, CODEX)
"""Agents that show nothing of what is answered when a session ends; Codex takes no answer there at all."""
_GENTLE = (2, 1, 197)
"""The version of Claude Code from which on a stop is answered by context; ``block`` is shown as an error there."""


def start(block: str, told: str) -> dict[str, Any]:
    """A session's start: the block for the model, and a word for the person; both may be empty."""
    answer = spoken(told)
    if block:
        answer["hookSpecificOutput"] = {"hookEventName": "SessionStart", "additionalContext": block}
    return answer


def spoken(told: str) -> dict[str, Any]:
    """A word for the person, or nothing; agents write it to the terminal as it is, so that it holds plain text only."""
    plain = "".join(char if char.isprintable() or char == "\n" else "?" for char in told)
    return {"systemMessage": plain[:_MOST_SPOKEN]} if plain else {}


def ask(said: Said, words: str) -> dict[str, Any]:
    """Ask the agent, which is about to stop, to go on with ``words``."""
    if said.agent == CLAUDE and _parts(said.version) >= _GENTLE:
        return {"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": words}}
    return {"decision": "block", "reason": words}


def _parts(version: str | None) -> tuple[int, ...]:
    parts = (version or "").split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() and len(part) < 6 for part in parts) else ()
