"""``meminbox backup``, ``restore`` and ``sweep``: what they ask, do and say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console import output, tables, words
from console.at_work import at_work
from console.commands import choices, decided, opening
from console.visible import visible
from store.entry import GLOBAL, iso
from store.errors import UsageError
from store.location import locate

if TYPE_CHECKING:
    from store.engine import Store
    from store.restoring import Prepared
    from store.retention import Due

_NOTHING = "Nothing was changed."


def backup(file: Path | None, *, db: str | None, as_json: bool, quiet: bool) -> int:
    """Make a backup; the exit code."""
    choices.seen_from_here(None, todo="A backup holds every project's memories: a person makes it.")
    with opening.standing(db) as store:
        from store.backup import back_up

        with at_work("copying the store", act=False, kept="No backup was made."):
            made = back_up(store, target=None if file is None else _whole(file))
    if as_json:
        output.print_json({"backup": str(made), "bytes": made.stat().st_size})
    elif not quiet:
        print(visible(str(made), multiline=False))
        output.hint(f"{made.stat().st_size:,} bytes, checked. `meminbox restore` brings it back.")
    return 0


def restore(file: Path, *, db: str | None, dry_run: bool, yes: bool, quiet: bool) -> int:
    """Prepare a backup, ask, and put it in the place of the store; the exit code."""
    from console import terminal
    from store import restoring

    terminal.person()
    location = locate(db)
    with ExitStack() as held:
        with at_work("verifying it", act=False):
            found = held.enter_context(restoring.prepared(location, _whole(file)))
        for line in _holds(found):
            output.say(line)
        if dry_run:
            return 0
        if not yes and not output.ask("Put it in the place of the store?"):
            output.say(_NOTHING)
            return 0
        with at_work("putting it in place"):
            done = restoring.restore(location, found, by=terminal.actor("cli"))
    if not quiet:
        print(f"Restored from {visible(str(file), multiline=False)}.")
        if done.erased:
            output.say(f"{words.count(done.erased, 'text', 'texts')} that were erased since stay erased.")
        if done.kept is not None:
            output.say(f"What stood before is kept: {done.kept}")
    return 0


def _holds(found: Prepared) -> list[str]:
    when = f", the last of {tables_time(found.newest)}" if found.newest else ""
    lines = [
        f"The backup is whole: {words.count(found.memories, 'memory', 'memories')}, "
        f"{words.count(found.proposals, 'proposal', 'proposals')}, "
        f"{words.count(found.operations, 'step', 'steps')} in its log{when}."
    ]
    if found.gone is None:
        lines.append("There is no store that can be read in its place.")
    elif more := _more(found):
        lines.append(f"The store has {more} that the backup has not: gone with it, and kept aside in a backup of now.")
    return lines


def _more(found: Prepared) -> str:
    """What of the present store the backup has not; nothing for nothing."""
    steps = words.count(found.gone, "step", "steps") if found.gone else ""
    waiting = f"{words.count(found.unseen, 'proposal', 'proposals')} waiting for review" if found.unseen else ""
    return " and ".join(filter(None, (steps, waiting)))


def tables_time(moment: datetime) -> str:
    """A time as a person reads it here."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


def sweep(scope: str | None, *, db: str | None, dry_run: bool, yes: bool, as_json: bool, quiet: bool) -> int:
    """Show what is kept no longer, ask, archive it; the exit code."""
    if dry_run:
        with opening.reading(db) as store:
            if store is None:
                return 0
            chosen = _scope(store, scope)
            choices.seen_from_here(chosen, todo="Name this project: --scope .")
            _show(_due(store, chosen), as_json=as_json, quiet=quiet)
        return 0
    from store import retention

    with opening.deciding(db) as (store, by):
        found = _due(store, _scope(store, scope))
        first = not retention.swept_before(store)
        if as_json or not yes or first:
            _show(found, as_json=as_json, quiet=quiet)
        if not found:
            return 0
        if first and yes:
            output.say("The first sweep is looked at before it is done: --yes counts from the second on.")
        if (not yes or first) and not output.ask(f"Archive {words.count(len(found), 'memory', 'memories')}?"):
            output.say(_NOTHING)
            return 0
        with at_work("archiving"):
            done = retention.sweep(store, found, by=by)
        return decided.tell(done, (), quiet=quiet or as_json)


def _due(store: Store, scope: str | None) -> list[Due]:
    from store import config, retention

    with at_work("looking", act=False):
        return retention.due(store, config.load().retention, scope=scope)


def _scope(store: Store, said: str | None) -> str | None:
    from store.scopes_named import named_scope

    if said is None or said == GLOBAL:
        return said
    project = choices.here()
    return named_scope(store, said, here=(project.identity, project.label))


def _show(found: Sequence[Due], *, as_json: bool, quiet: bool) -> None:
    if as_json:
        output.print_list(len(found), (_item(one) for one in found), lines=False)
        return
    for one in found:
        used = words.count(one.uses, "use", "uses") if one.uses else "never used"
        head = f"{tables.short(one.id)}  {one.kind:11} {one.last.astimezone():%Y-%m-%d}  {used}"
        print(f"{head}  {tables.line(one.key or one.content)}")
    if not quiet:
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(Counter(one.kind for one in found).items()))
        output.say(f"Kept no longer: {kinds}." if found else "Everything is still to be kept.")


def _item(one: Due) -> dict[str, Any]:
    return {
        "id": one.id,
        "revision": one.revision,
        "kind": one.kind,
        "scope": one.scope,
        "key": one.key,
        "content": one.content,
        "last": iso(one.last),
        "uses": one.uses,
    }


def _whole(file: Path) -> Path:
    if "\x00" in str(file) or not str(file).strip():
        raise UsageError("That is not the name of a file.")
    return file.expanduser().absolute()
