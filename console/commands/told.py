"""Who was told a memory: what `meminbox history --who ID` lists, newest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from store.engine import Store
    from store.packed import PackedIds
    from store.told import Telling, Told

_PAGE: Final = 500


def print_told(identity: str | None, limit: int | None, db: str | None, *, as_json: bool, as_lines: bool) -> int:
    """Print the hand-outs of a memory. Raises UsageError where no memory is named, NotFound, AmbiguousId, Fenced."""
    from console import output, tables, words
    from console.commands import choices
    from console.commands.opening import standing
    from store import told
    from store.errors import UsageError
    from store.queries import resolve

    if identity is None:
        raise UsageError("Whose?", todo="`meminbox history --who KEY` tells who was told that memory.")
    with standing(db) as store:
        what, found = resolve(store, identity, what="any", scopes=(choices.here().identity,))
        if what != "memory":
            raise UsageError(f"That is a{'n' if what == 'operation' else ''} {what}: nobody is told that.")
        telling = told.telling(store, found)
        choices.seen_from_here(telling.memory.entry.scope)
        ids = told.told_ids(store, found)
        rows = _rows(store, found, ids if limit is None else ids[:limit])
        if as_json or as_lines:
            output.print_list(len(ids), map(_item, rows), lines=as_lines)
            return 0
        tables.print_rows(map(_columns, rows), wide=2)
        output.hint(_summed_up(telling, words.count))
    return 0


def _rows(store: Store, memory_id: str, ids: PackedIds) -> Iterator[Told]:
    from store import told

    for start in range(0, len(ids), _PAGE):
        part = list(ids[start : start + _PAGE])
        found = told.told_rows(store, memory_id, part)
        yield from (found[one] for one in part if one in found)


def _item(one: Told) -> dict[str, Any]:
    from store.entry import iso

    return {
        "at": iso(one.at),
        "agent": one.agent,
        "session_id": one.session_id,
        "surface": one.surface,
        "revision": one.revision,
        "content": one.said,
        "still_said": one.holds,
    }


def _columns(one: Told) -> list[str]:
    """When, to which agent and session, through which door, at which revision, and whether it is still said."""
    from console import tables

    return [
        tables.moment(one.at),
        tables.line(one.agent),
        tables.line(one.session_id),
        tables.line(one.surface),
        f"revision {one.revision}",
        "still said" if one.holds else "no longer said",
    ]


def _summed_up(telling: Telling, count: Any) -> str:
    if not telling.times:
        return "Nobody was told it, as far as is on record: 90 days."
    past = f" {count(telling.past, 'time', 'times')} of that it said what it no longer says." if telling.past else ""
    return f"Told {count(telling.times, 'time', 'times')} to {count(telling.sessions, 'session', 'sessions')}.{past}"
