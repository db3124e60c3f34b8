"""What a command says: data on stdout, messages on stderr, JSON shapes that scripts may rely on (design section 8).

Whatever an agent wrote passes through ``visible`` on its way to a person; in JSON the same characters leave as
escapes, so that neither form can move a terminal.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import Any, Final

from console import prose
from console.visible import visible
from store.entry import iso
from store.facts import Memory, Operation, Outcome, Proposal, Version

SCHEMA_VERSION: Final = 1


def say(message: str) -> None:
    """A message for a person, on stderr; on a terminal its rows end between words."""
    cells = prose.room(sys.stderr)
    shown = visible(message)
    print(shown if cells is None else "\n".join(prose.wrapped(shown, cells)), file=sys.stderr)


def say_line(line: str) -> None:
    """A line that a person may have to copy, on stderr, as it is."""
    print(visible(line, multiline=False), file=sys.stderr)


def complain(what: str, *, kept: str = "", todo: str = "") -> None:
    """An error in three parts, on stderr: what happened, what was kept in spite of it, what to do."""
    say(f"meminbox: {what}")
    for part in (kept, todo):
        if part:
            say(f"  {part}")


_UNSAFE: Final = re.compile(
    "[\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\uffff\U000e0000-\U0010ffff]"
)


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": "), allow_nan=False)


def json_text(value: Any) -> str:
    """``value`` as one line of JSON in UTF-8, with everything that could move or hide in a terminal escaped."""
    text = _ENCODER.encode(value)
    return text if text.isascii() and "\x7f" not in text else _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def print_json(value: Any) -> None:
    """One JSON value on stdout, on one line."""
    print(json_text(value))


def print_list(total: int, items: Iterable[dict[str, Any]], *, lines: bool) -> None:
    """A list in the shape of design section 8: one object, or with ``lines`` one item a line."""
    if lines:
        for item in items:
            print_json(item)
        return
    # Item by item, so that a list of any length takes no more memory than its longest item.
    print(f'{{"schema_version": {SCHEMA_VERSION}, "total": {total}, "items": [', end="")
    for place, item in enumerate(items):
        print(", " if place else "", json_text(item), sep="", end="")
    print("]}")


def proposal_item(proposal: Proposal) -> dict[str, Any]:
    """A proposal by the column names of design section 3; ``op`` and ``target_id`` as approving now would have them."""
    return {
        "id": proposal.id,
        "op": proposal.op,
        "target_id": proposal.target.id if proposal.target else None,
        "base_revision": proposal.base_revision,
        **proposal.entry.as_dict(),
        "content_hash": proposal.content_hash,
        "flags": [flag.as_dict() for flag in proposal.flags],
        "redaction_version": proposal.redaction_version,
        "idempotency_key": proposal.idempotency_key,
        "status": proposal.status,
        "mentions": proposal.mentions,
        "branch": proposal.branch,
        "commit": proposal.commit,
        "created_at": iso(proposal.created_at),
    }


def memory_item(memory: Memory) -> dict[str, Any]:
    """A memory by the column names of design section 3."""
    return {
        "id": memory.id,
        **memory.entry.as_dict(),
        "content_hash": memory.content_hash,
        "previous_value": memory.previous_value,
        "status": memory.status,
        "pinned": memory.pinned,
        "revision": memory.revision,
        "created_at": iso(memory.created_at),
        "updated_at": iso(memory.updated_at),
    }


def version_item(version: Version) -> dict[str, Any]:
    """A version by the column names of design section 3, with who made it. ``entry`` is null once erased."""
    return {
        "memory_id": version.memory_id,
        "revision": version.revision,
        "status": version.status,
        "entry": version.entry.as_dict() if version.entry else None,
        "previous_value": version.previous_value,
        "action": version.action,
        "operation_id": version.operation_id,
        "proposal_id": version.proposal_id,
        "at": iso(version.at),
        "actor": version.actor,
        "surface": version.surface,
    }


def operation_item(operation: Operation) -> dict[str, Any]:
    """An operation by the column names of design section 3."""
    return {
        "id": operation.id,
        "seq": operation.seq,
        "action": operation.action,
        "actor": operation.actor,
        "surface": operation.surface,
        "reason": operation.reason,
        "selection": operation.selection,
        "count": operation.count,
        "undoes": operation.undoes,
        "at": iso(operation.at),
    }


def item(fact: Proposal | Memory) -> dict[str, Any]:
    """A proposal or a memory by its column names."""
    return proposal_item(fact) if isinstance(fact, Proposal) else memory_item(fact)


def hint(message: str, *, quiet: bool = False) -> None:
    """A remark for a person at a terminal: on stderr, and only where stderr and stdout are one."""
    if not quiet and sys.stderr.isatty() and sys.stdout.isatty():
        say(message)


def ask(question: str) -> bool:
    """A question to the person at the terminal; no is the answer unless they say yes."""
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def ask_for(question: str) -> str:
    """A question to the person at the terminal, answered with a line of text; empty where nothing was typed."""
    print(question, end=" ", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


_OUTCOME_WORDS: Final = {
    "pending": "waits for review",
    "draft": "said once; it waits for a second session",
    "known": "already known",
    "rejected_before": "turned down before",
    "spooled": "kept; it is queued as soon as the store can be opened",
    "refused": "refused",
}
_TOLD_BY_REASON: Final = ("draft", "known", "rejected_before")
"""Statuses whose reason says the same and more: "already known as build.test"."""


def outcome_words(outcome: Outcome) -> str:
    """One result of ``propose`` for a person."""
    words = _OUTCOME_WORDS.get(outcome.status, outcome.status)
    name = outcome.id[-6:] if outcome.id else f"line {outcome.line}"
    if outcome.reason and outcome.status in _TOLD_BY_REASON:
        return visible(f"{name}  {outcome.reason}", multiline=False)
    more = f": {outcome.reason}" if outcome.reason else ""
    waiting = f" ({outcome.pending:,} in the queue)" if outcome.pending and outcome.status == "pending" else ""
    return visible(f"{name}  {words}{waiting}{more}", multiline=False)
