"""The last steps taken: what `meminbox history` lists where it is not asked for one memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from store.steps import Step

USUAL: Final = 20


def print_steps(limit: int | None, db: str | None, *, as_json: bool, as_lines: bool) -> int:
    """Print the last steps, newest first; each can be taken back by its id."""
    from console import output, tables
    from console.commands.opening import reading

    with reading(db) as store:
        found: list[Step] = []
        if store is not None:
            from store.steps import newest

            found = newest(store, USUAL if limit is None else limit)
    if as_json or as_lines:
        output.print_list(len(found), map(_item, found), lines=as_lines)
        return 0
    tables.print_rows(map(_row, found), wide=2)
    if found:
        output.hint("`meminbox undo ID` takes a step back; `meminbox history KEY` lists a memory's versions.")
    else:
        output.hint("Nothing has been decided yet. Each approval and each other step is listed here.")
    return 0


def _item(step: Step) -> dict[str, Any]:
    from console import output

    return {**output.operation_item(step.operation), "title": step.title, "undone": step.undone}


def _row(step: Step) -> list[str]:
    """The columns of a step: id, when, what, who, from where, reason, whether it is undone."""
    from console import tables

    operation = step.operation
    return [
        tables.short(operation.id),
        tables.moment(operation.at),
        tables.line(step.title),
        tables.line(operation.actor),
        tables.line(operation.surface),
        tables.line(operation.reason),
        "undone" if step.undone else "",
    ]
