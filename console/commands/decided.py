"""What a deciding command decides on, and what it says of it: before (``--dry-run``) and after."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from console import output, tables, words
from console.commands import choices
from console.visible import hidden_count
from store import history, queries
from store.engine import Store
from store.entry import GLOBAL, Entry
from store.errors import NotFound, UsageError
from store.facts import Detail, Done, Memory, Operation, Proposal


@dataclass(frozen=True, slots=True)
class Editable:
    """A proposal, or a memory at a revision. ``base`` is the text that an edit will be compared with."""

    entry: Entry
    base: str
    proposal: Proposal | None
    memory_id: str
    revision: int


def proposal(store: Store, token: str) -> Detail:
    """The proposal that a suffix or key means, with its group. Raises NotFound and AmbiguousId."""
    _, found = queries.resolve(store, token, what="proposal", scopes=(choices.here().identity,))
    return _detail(store, found)


def _detail(store: Store, proposal_id: str) -> Detail:
    found = queries.detail(store, proposal_id)
    if found is None:
        raise NotFound("That proposal is not there any more.")
    return found


def memory(store: Store, token: str) -> Memory:
    """The memory that a suffix, a whole id or a key means. Raises NotFound and AmbiguousId."""
    _, found = queries.resolve(store, token, what="memory", scopes=(choices.here().identity,))
    return one_memory(store, found)


def one_memory(store: Store, memory_id: str) -> Memory:
    """The memory with this id. Raises NotFound."""
    found = queries.memory_rows(store, [memory_id])
    if not found:
        raise NotFound("That memory is not there any more.")
    return found[0]


def editable(store: Store, token: str) -> Editable:
    """The open proposal or the memory that a suffix or key means; a key means the memory first."""
    what, found = queries.resolve(store, token, what="any", scopes=(choices.here().identity,))
    if what == "operation":
        raise UsageError("An operation cannot be edited.", todo="`meminbox undo` takes it back.")
    if what == "memory":
        held = one_memory(store, found)
        return Editable(held.entry, held.entry.content, None, held.id, held.revision)
    asked = _detail(store, found).proposal
    base = asked.target.entry.content if asked.target else asked.entry.content
    return Editable(asked.entry, base, asked, asked.id, asked.revision)


def operation(store: Store, token: str | None) -> str | None:
    """The whole id of the operation that a suffix means; None for None."""
    return None if token is None else queries.resolve(store, token, what="operation")[1]


def step(store: Store, wanted: str | None, following: Operation | None) -> list[str]:
    """The step that an undo or redo would take, in words."""
    if wanted is not None:
        return [f"  operation {tables.short(wanted)}"]
    if following is None:
        return ["  nothing: there is no such step of yours"]
    return [f"  {tables.line(history.describe(store, following))} ({tables.short(following.id)})"]


def earlier_content(store: Store, held: Memory, to: int | None) -> str:
    """The text that a rollback would bring back. Raises NotFound where there is none."""
    if to is None:
        if held.previous_value is None:
            raise NotFound("It has no earlier value.")
        return held.previous_value
    for version in queries.memory_versions(store, held.id):
        if version.revision == to and version.entry is not None:
            return version.entry.content
    raise NotFound(f"There is no version {to} to bring back.")


def effect(asked: Proposal) -> list[str]:
    """What approving changes: the words removed and added, or the text as it stands; warnings above it."""
    flags = ["  everywhere: agents of every project would be given it"] if _everywhere(asked) else []
    flags += [
        f"  {tables.line(f'{words.flag_word(flag, asked.entry.content)} {flag.detail}'.strip())}"
        for flag in asked.flags
    ]
    if asked.op == "update" and asked.target is not None:
        size = words.size_change(asked)
        flags += [f"  {size}"] if size else []
        return flags + difference(asked.target.entry.content, asked.entry.content)
    text = asked.target.entry.content if asked.op == "remove" and asked.target else asked.entry.content
    return flags + list(tables.text_lines(text))


def word(*, mask: bool, not_secret: bool) -> Literal["mask", "keep"] | None:
    """A person's word on what may be a secret; None where none was given. Raises UsageError for both at once."""
    if mask and not_secret:
        raise UsageError("--mask and --not-secret say two different things.", kept="Nothing was changed.")
    return "mask" if mask else "keep" if not_secret else None


def as_kept(store: Store, done: Done, asked: Entry, effect: Iterable[str], *, base: str | None = None) -> Iterable[str]:
    """What a decision changed, from what was kept: where that is not the text that was asked for, it was redacted."""
    held = queries.memory_rows(store, list(done.memory_ids[:1]))
    if not held or held[0].status != "active" or held[0].entry.content == asked.content:
        return effect
    return difference(held[0].entry.content if base is None else base, held[0].entry.content)


def _everywhere(asked: Proposal) -> bool:
    return asked.entry.scope == GLOBAL and asked.op != "remove"


def acknowledge_hidden(asked: Proposal, effect: Iterable[str]) -> None:
    """Where hidden characters stand in what would be approved, show it and ask; UsageError where the answer is no."""
    number = hidden_count(words.content_of(asked))
    if not number:
        return
    for one in effect:
        print(one)
    sys.stdout.flush()
    if not output.ask(f"{words.count(number, 'hidden character', 'hidden characters')}: approve it all the same?"):
        raise UsageError("It was not approved.", kept="Nothing was changed.", todo="`meminbox edit` changes the text.")


def difference(old: str, new: str) -> list[str]:
    """Two texts as one, changes marked; the text alone where nothing changed."""
    return list(tables.text_lines(new) if old == new else tables.diff_lines(old, new))


def op_word(asked: Proposal) -> str:
    """The op as a noun."""
    return {"add": "addition", "update": "change", "remove": "removal"}.get(asked.op, tables.line(asked.op))


def would(words: str, lines: Iterable[str]) -> int:
    """Say what a dry run would have done. Returns the exit code 0."""
    print(f"Would {words}:")
    for one in lines:
        print(one)
    return 0


def tell(done: Done, lines: Iterable[str], *, quiet: bool, back: str = "undo") -> int:
    """Say, after the commit, what was done and how to take it back. Returns the exit code 0."""
    if quiet:
        return 0
    title = tables.line(done.title)
    print(f"{title[:1].upper()}{title[1:]}.")
    for one in lines:
        print(one)
    for identity, why in done.left:
        output.say(f"Left as it was: {tables.short(identity)}, {why}")
    output.hint(f"`meminbox {back} {tables.short(done.operation.id)}` takes it back.")
    return 0
