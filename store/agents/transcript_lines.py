"""What one line of an agent's transcript says: whose words, which call. Pure; the lines are hostile input.

Forms as Claude Code 2.1, Codex 0.171 and Gemini CLI 0.61 were seen to write them. Only what a person typed counts as
the user's words: not results of tools, not what the harness or a hook puts into the user's mouth, not a sub-agent's
orders. A line that is none of these forms says nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from store.agents.provenance import CLAUDE, CODEX, GEMINI

MOST_LINE: Final = 1024 * 1024
"""Bytes of a line that is still looked into; a longer one is a tool's output or an attack."""
USER_MARKS: Final = {
    CLAUDE: (b'"type":"user"', b'"type": "user"', b'"queued_command"'),
    CODEX: (b'"UserMessage"', b'"user_message"', b'"user.'),
    GEMINI: (b'"type":"user"', b'"type": "user"'),
}
"""What a line holds that may be the user's words: the others need not be taken apart."""
OUTCOMES: Final = (b'"tool_use_id":', b'"function_call_output"', b'"item_completed"')
"""What a line holds that tells what came of a call."""
_RESULT: Final = b'"type":"tool_result"'
"""What a tool put out, which Claude Code writes as the user's. In a text that was typed the quotes are escaped."""
_MACHINE: Final = (
    r"<(?:system-reminder|command-name|command-message|command-args|local-command-[a-z]+|bash-input|bash-stdout"
    r"|bash-stderr|user-prompt-submit-hook|task-notification|session_context|environment_context|user_instructions"
    r"|hook_context|hook_prompt|turn_aborted|permissions|INSTRUCTIONS)\b|\[Request interrupted"
    r"|# AGENTS\.md instructions|Caveat: The messages below|This session is being continued|Stop hook feedback"
)
_OURS: Final = r"meminbox asks once a session:|Look back over this session before it ends, and answer these three"
"""How our own questions begin: Gemini CLI writes what a hook asks, and all write a prompt, as if it had been typed."""
_REMINDERS: Final = ("system-reminder", "hook_context")
_LONGEST_REMINDER: Final = 20_000


def user_words(agent: str | None, line: bytes) -> str:
    """The words that a person typed, if this line holds such, else an empty text."""
    marks = USER_MARKS.get(agent or "", ())
    if len(line) > MOST_LINE or not any(mark in line for mark in marks) or _RESULT in line:
        return ""
    value = _decoded(line)
    if value is None:
        return ""
    said = {CLAUDE: _claude, CODEX: _codex, GEMINI: _gemini}[agent or CLAUDE](value)
    return _typed(said)


def words_of(line: bytes) -> Iterator[tuple[str, str]]:
    """Whose words a line holds, and the words, for showing a transcript: any of the three forms, in order.

    The first is one of ``you``, ``agent``, ``tool``, ``result``. A line that says nothing to a reader gives nothing.
    """
    value = _decoded(line) if len(line) <= MOST_LINE else None
    if value is None:
        return
    payload = value.get("payload")
    if isinstance(payload, dict):
        yield from _codex_words(str(value.get("type")), payload)
        return
    changed = value.get("$set")
    if isinstance(changed, dict):
        inner = changed.get("messages")
        for one in inner if isinstance(inner, list) else ():
            if isinstance(one, dict):
                yield from _plain_words(one)
        return
    yield from _plain_words(value)


def _decoded(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _typed(text: str) -> str:
    """What is left of a message without what a harness wraps into it; empty where all of it is the harness's."""
    for name in _REMINDERS:
        text = _without(text, f"<{name}>", f"</{name}>")
    rest = text.strip()
    return "" if re.match(f"{_MACHINE}|{_OURS}", rest) else rest


def _without(text: str, opening: str, closing: str) -> str:
    """A text without what stands between these marks. Each mark is looked for once: there may be very many."""
    kept, done, end = [], 0, 0
    start = text.find(opening)
    while start >= 0:
        if end < start + len(opening):
            end = text.find(closing, start + len(opening))
        if end < 0:
            break
        if end - start - len(opening) <= _LONGEST_REMINDER:
            kept.append(text[done:start])
            done = end + len(closing)
        start = text.find(opening, max(done, start + len(opening)))
    return "".join((*kept, text[done:]))


def _texts(content: object, *kinds: str | None) -> list[str]:
    """The texts of a message: it is one itself, or a list of parts of these types (None: parts that have none)."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    parts = [part for part in content if isinstance(part, dict) and part.get("type") in kinds]
    return [part["text"] for part in parts if isinstance(part.get("text"), str)]


def _claude(value: dict[str, Any]) -> str:
    if not _outside(value):
        return ""
    message = value.get("message")
    if value.get("type") == "user" and isinstance(message, dict) and message.get("role") == "user":
        # The harness's reminders stand as parts of their own beside what was typed.
        return "\n".join(text for text in _texts(message.get("content"), "text") if _typed(text))
    return _queued(value)


def _outside(value: dict[str, Any]) -> bool:
    """Whether a line of Claude Code came from outside it: no summary, no result, no orders to an agent of its own."""
    made = any(value.get(mark) for mark in ("isMeta", "isSidechain", "isCompactSummary", "toolUseResult"))
    return not made and value.get("userType") in ("external", None) and _by_a_person(value)


def _queued(value: dict[str, Any]) -> str:
    """What was typed while the agent was at work, often to correct it: Claude Code hands it on beside its result."""
    inner = value.get("attachment")
    if value.get("type") != "attachment" or not isinstance(inner, dict) or inner.get("type") != "queued_command":
        return ""
    ours = inner.get("commandMode") == "prompt" and _by_a_person(inner)
    return "\n".join(_texts(inner.get("prompt"), "text")) if ours else ""


def _by_a_person(value: dict[str, Any]) -> bool:
    origin = value.get("origin")
    return not isinstance(origin, dict) or origin.get("kind") in ("human", "user", None)


def _codex(value: dict[str, Any]) -> str:
    payload = value.get("payload")
    if not isinstance(payload, dict):
        return ""
    if value.get("type") == "event_msg":
        item = payload.get("item")
        if payload.get("type") == "item_completed" and isinstance(item, dict) and item.get("type") == "UserMessage":
            return "\n".join(_texts(item.get("content"), "text"))
        message = payload.get("message")
        return message if payload.get("type") == "user_message" and isinstance(message, str) else ""
    if payload.get("type") == "message" and payload.get("role") == "user" and _all_typed(payload):
        return "\n".join(_texts(payload.get("content"), "input_text"))
    return ""


def _all_typed(payload: dict[str, Any]) -> bool:
    """Whether Codex says of a message that all of it is the user's: it speaks to its model in the user's name, too."""
    more = payload.get("internal_chat_message_metadata_passthrough")
    kinds = more.get("content_item_kinds") if isinstance(more, dict) else None
    return (
        isinstance(kinds, list)
        and bool(kinds)
        and all(isinstance(one, str) and one.startswith("user.") for one in kinds)
    )


def _gemini(value: dict[str, Any]) -> str:
    changed = value.get("$set")
    if isinstance(changed, dict):
        inner = changed.get("messages")
        told = [_gemini(one) for one in inner if isinstance(one, dict)] if isinstance(inner, list) else []
        return next((text for text in reversed(told) if _typed(text)), "")
    if value.get("type") != "user":
        return ""
    return "\n".join(text for text in _texts(value.get("content"), None, "text") if _typed(text))


# For showing


def _plain_words(value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """A line of Claude Code or Gemini CLI."""
    ours = _outside(value)
    queued = _queued(value) if ours else ""
    if queued:
        yield "you", queued
    message = value.get("message")
    content = message.get("content") if isinstance(message, dict) else value.get("content")
    who = {"user": "you", "assistant": "agent", "gemini": "agent"}.get(str(value.get("type")))
    if who is None:
        return
    for text in _texts(content, "text", None):
        if text.strip():
            yield (who if who != "you" or (ours and _typed(text)) else "result"), text
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") == "tool_use":
            yield "tool", f"{part.get('name')} {_short(part.get('input'))}"
        elif isinstance(part, dict) and part.get("type") == "tool_result":
            yield "result", "\n".join(_texts(part.get("content"), "text"))
    calls = value.get("toolCalls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            yield "tool", f"{call.get('name')} {_short(call.get('args'))}"


def _codex_words(kind: str, payload: dict[str, Any]) -> Iterator[tuple[str, str]]:
    what = payload.get("type")
    if kind == "event_msg":
        message = payload.get("message")
        if what == "user_message" and isinstance(message, str):
            yield "you", message
        return
    if kind != "response_item":
        return
    if what == "message":
        who = {"user": "you", "assistant": "agent"}.get(str(payload.get("role")))
        for text in _texts(payload.get("content"), "input_text", "output_text") if who else ():
            yield (who or "") if who != "you" or (_all_typed(payload) and _typed(text)) else "result", text
    elif what == "function_call":
        yield "tool", f"{payload.get('name')} {payload.get('arguments')}"
    elif what == "function_call_output":
        output = payload.get("output")
        yield "result", "\n".join(_texts(output, "input_text")) if not isinstance(output, str) else output


def _short(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if value is not None else ""
