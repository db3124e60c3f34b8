"""One step of the log in full: what `meminbox show ID` prints of an operation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from store.activity import Standing
    from store.engine import Store
    from store.log_changes import Change
    from store.packed import PackedIds
    from store.steps import Step

_PAGE: Final = 500


def print_step(store: Store, operation_id: str, *, as_json: bool) -> int:
    """Print what a step did, part by part, before and after. Raises NotFound; Fenced where it left this project."""
    from console import output
    from store import activity
    from store.entry import GLOBAL
    from store.log_changes import change_ids

    scopes = _scopes(GLOBAL)
    name = activity.find(store, operation_id)
    step = activity.rows(store, [name], scopes=scopes)[name]
    ids = change_ids(store, step.operation)
    parts = _parts(store, step, ids, scopes)
    if scopes is not None and len(ids) and next(_parts(store, step, ids, scopes), None) is None:
        raise _others()
    standing = activity.standing(store, step.operation, scopes=scopes)
    if as_json:
        told = {**output.operation_item(step.operation), "title": step.title, "undone": step.undone}
        told["blocked"] = [operation.id for operation, _ in standing.by]
        output.print_json({**told, "parts": [_item(one) for one in parts]})
        return 0
    for line in _head(step, standing):
        print(line)
    for part in parts:
        for line in _lines(part):
            print(line)
    return 0


def _scopes(everywhere: str) -> tuple[str, ...] | None:
    """What may be seen: everything by a person, this project and global in an agent's environment."""
    from console.commands import choices
    from console.terminal import agent_around

    return (choices.here().identity, everywhere) if agent_around() is not None else None


def _others() -> Exception:
    from store.errors import Fenced

    return Fenced("Other projects' memories are for people, and this is an agent's environment.")


def _parts(store: Store, step: Step, ids: PackedIds, scopes: tuple[str, ...] | None) -> Iterator[Change]:
    from store.log_changes import changes

    for start in range(0, len(ids), _PAGE):
        some = list(ids[start : start + _PAGE])
        found = changes(store, step.operation, some, scopes=scopes)
        yield from (found[one] for one in some if one in found)


def _head(step: Step, standing: Standing) -> Iterator[str]:
    from console import tables

    operation = step.operation
    yield f"step  {tables.short(operation.id)}  {tables.line(step.title)}"
    who = f"{operation.actor} ({operation.surface}), {tables.when(operation.at)}"
    yield from tables.labelled("by", who)
    if operation.reason:
        yield from tables.labelled("why", operation.reason)
    if standing.undone is not None:
        yield from tables.labelled("undone", f"by {standing.undone.actor}, {tables.when(standing.undone.at)}")
    for later, title in standing.by:
        yield from tables.labelled("later", f"{tables.short(later.id)} {title}, by {later.actor}")


def _lines(part: Change) -> Iterator[str]:
    from console import tables

    was = f"{part.was} -> {part.became}" if part.was != part.became else part.became
    state = f"{'new, ' if part.was is None else ''}{was if part.was is not None else part.became}"
    revision = f", revision {part.revision}" if part.revision is not None else ""
    what = "memory" if part.is_memory else "proposal"
    key = f"  {tables.line(part.entry.key)}" if part.entry is not None and part.entry.key else ""
    yield ""
    yield f"{what}  {tables.short(part.id)}  {tables.line(state)}{revision}{key}"
    before, after = part.before, part.after
    if part.erased or after is None:
        yield from tables.text_lines("(erased)")
    elif before is not None and before.content != after.content:
        yield from tables.diff_lines(before.content, after.content)
    else:
        yield from tables.text_lines(after.content)


def _item(part: Change) -> dict[str, Any]:
    return {
        "id": part.id,
        "what": "memory" if part.is_memory else "proposal",
        "revision": part.revision,
        "from_status": part.was,
        "to_status": part.became,
        "reason": part.reason,
        "before": part.before.as_dict() if part.before is not None else None,
        "after": part.after.as_dict() if part.after is not None and not part.erased else None,
    }
