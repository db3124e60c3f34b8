"""``meminbox scopes``: the list, and each act with its preview, the question, and one operation."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from console import output, tables, words
from console.at_work import at_work
from console.commands import choices, decided, opening
from store import scope_acts, scope_move, scopes
from store.entry import GLOBAL, iso
from store.scopes_named import named_scope

if TYPE_CHECKING:
    from store.engine import Store
    from store.facts import Actor
    from store.project import Project
    from store.scopes import Scope

STANDING: Final = {
    "here": "this project",
    "everywhere": "holds everywhere",
    "there": "another project",
    "gone": "orphan: its folder is not there any more",
    "unknown": "not seen on this machine",
}
"""Where a scope's folder is, in words for people."""
_NOTHING: Final = "Nothing was changed."
_LEFT: Final = 10
"""How many that are left are named one by one."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed."""

    doing: str
    words: tuple[str, ...]
    dry_run: bool = False
    yes: bool = False
    quiet: bool = False


def listed(db: str | None, *, as_json: bool) -> int:
    """Print every scope: what it is called, how much it holds, when it was used last, where its folder is."""
    with opening.reading(db) as store:
        if store is None:
            if as_json:
                output.print_list(0, (), lines=False)
            return 0
        here = scopes.as_known(store, choices.here())
        found = [one for one in scopes.scopes(store, here) if _may_be_seen(one, here)]
    if as_json:
        output.print_list(len(found), map(item, found), lines=False)
        return 0
    tables.print_rows([_row(one) for one in found], wide=5)
    for line in hints(found, here):
        output.hint(line)
    return 0


def _may_be_seen(one: Scope, here: Project) -> bool:
    """One project is nothing to another's agents."""
    from console.terminal import agent_around

    return agent_around() is None or one.identity in (here.identity, GLOBAL)


def item(one: Scope) -> dict[str, Any]:
    """A scope as plain JSON values."""
    return {
        "scope": one.identity,
        "label": one.label,
        "memories": one.memories,
        "out_of_use": one.aside,
        "waiting": one.waiting,
        "last_used": iso(one.last_used),
        "last_changed": iso(one.last_changed),
        "standing": one.standing,
        "orphan": one.orphan,
        "root": one.root,
        "confirmed": list(one.confirmed),
    }


def _row(one: Scope) -> list[str]:
    last = one.last_used or one.last_changed
    return [
        tables.line("everywhere" if one.standing == "everywhere" else one.label),
        words.count(one.memories, "memory", "memories"),
        f"{one.waiting:,} {'waits' if one.waiting == 1 else 'wait'}" if one.waiting else "",
        tables.when(last) if last is not None else "",
        "orphan" if one.orphan else STANDING[one.standing],
        tables.line(one.identity),
    ]


def hints(found: list[Scope], here: Project) -> list[str]:
    """What can be done about what the list shows."""
    told = []
    if here.asks_for is not None:
        told.append(
            f"The .meminbox.toml here asks for the scope {tables.line(here.asks_for)}; "
            "`meminbox scopes confirm` lets it have that."
        )
    orphans = [one for one in found if one.orphan]
    if orphans:
        told.append(
            f"`meminbox scopes attach {tables.line(orphans[0].label)}` takes what an orphan holds into this project."
        )
    return told


def run(asked: Asked, *, db: str | None) -> int:
    """Do what was asked, after a preview and a yes; the exit code. A dry run changes nothing."""
    with opening.deciding(db) as (store, by):
        here = scopes.as_known(store, choices.here())
        if asked.doing == "rename":
            return _rename(store, asked, here, by)
        if asked.doing == "confirm":
            return _confirm(store, asked, here, by)
        return _move(store, asked, here, by)


def _rename(store: Store, asked: Asked, here: Project, by: Actor) -> int:
    identity = _named(store, asked.words[0], here)
    label = scope_acts.checked_label(asked.words[1])
    others = [one for one, known in scopes.labels(store).items() if known == label and one != identity]
    if others:
        output.say(f"Another scope is called {label} too: {', '.join(others)}.")
    if asked.dry_run:
        return decided.would("rename", [f"  {tables.line(identity)} to {tables.line(label)}"])
    return decided.tell(scope_acts.rename(store, identity, label, by=by), (), quiet=asked.quiet)


def _confirm(store: Store, asked: Asked, here: Project, by: Actor) -> int:
    """A repository is not believed: what it asks for is shown whole, and what follows from it."""
    if here.asks_for is not None and not asked.quiet:
        held = next((one.memories for one in scopes.scopes(store, here) if one.identity == here.asks_for), 0)
        for line in consequences(here.asks_for, os.fspath(here.root), held):
            output.say(line)
    if asked.dry_run:
        return 0
    if here.asks_for is not None and not asked.yes and not output.ask("Let it have that scope?"):
        output.say(_NOTHING)
        return 1
    return decided.tell(scope_acts.confirm(store, here, by=by), (), quiet=asked.quiet)


def consequences(wanted: str, folder: str, held: int) -> list[str]:
    """What it means to confirm a claim, in words."""
    return [
        f"The .meminbox.toml in {folder} asks to be {wanted}.",
        f"Agents in that folder are then given what this scope holds ({words.count(held, 'memory', 'memories')}),"
        " and what they propose goes there.",
    ]


def _move(store: Store, asked: Asked, here: Project, by: Actor) -> int:
    source = _named(store, asked.words[0], here)
    target = here.identity if asked.doing == "attach" else _named(store, asked.words[1], here)
    ids = [_entry(store, one, source) for one in asked.words[2:]] or None
    with at_work("looking", act=False):
        going = scope_move.preview(store, source, target, ids=ids)
    label = scopes.labels(store)
    whole = len(going.memories) + going.aside + len(going.proposals)
    many = f"{in_words(going)} from {label.get(source, source)} to {_called(target, here, label)}"
    if whole and not asked.quiet:
        output.say(f"To be moved: {many}.")
    _name_left(going)
    if asked.dry_run:
        return 0
    if whole and not asked.yes and not output.ask("Move them, in one step with one undo?"):
        output.say(_NOTHING)
        return 1
    there = scopes.Seen(here.identity, here.label, os.fspath(here.root)) if target == here.identity else None
    with at_work("moving them") as tell:

        def told(done: int, of: int) -> None:
            tell(f"{done:,} of {of:,}")

        done = scope_move.move(store, source, target, by=by, ids=ids, there=there, progress=told)
    return decided.tell(done, (), quiet=asked.quiet)


def in_words(going: scope_move.Going) -> str:
    """What a move takes along, in words."""
    parts = [words.count(len(going.memories), "memory", "memories")]
    parts += [f"{going.aside:,} out of use"] if going.aside else []
    parts += [words.count(len(going.proposals), "proposal", "proposals")] if going.proposals else []
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _called(identity: str, here: Project, label: dict[str, str]) -> str:
    if identity == GLOBAL:
        return "everywhere"
    return f"this project, {here.label}" if identity == here.identity else label.get(identity, identity)


def _name_left(going: scope_move.Going) -> None:
    for identity, why in going.left[:_LEFT]:
        output.say(f"To be left: {tables.short(identity)}, {why}")
    if len(going.left) > _LEFT:
        output.say(f"and {len(going.left) - _LEFT:,} more to be left")


def _named(store: Store, said: str, here: Project) -> str:
    return named_scope(store, said, here=(here.identity, here.label))


def _entry(store: Store, token: str, source: str) -> str:
    """A memory or an open proposal of the scope that is moved from."""
    from store import queries

    return queries.resolve(store, token, what="any", scopes=(source,))[1]
