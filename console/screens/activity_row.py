"""One line of the activity: who did what, whether it is undone, from where, how long ago. And what a part became."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from console import words
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.paged_list import UNREADABLE, missing
from console.widgets.shown import Line, Part, own, said

if TYPE_CHECKING:
    from store.facts import Operation
    from store.log_changes import Change
    from store.steps import Step

WHO: Final = 9
"""Cells of who did it."""
SURFACE: Final = {"console": "console", "cli": "shell", "intake": "intake", "clock": "clock"}
"""Where a step was taken from, in a word."""
STATUS: Final = {
    "retired": "turned down",
    "draft": "said once",
    "pending": "waits",
    "deferred": "put off",
    "superseded": "set aside",
}
"""What people call a status, where it is not its own name."""


class StepRows:
    """Makes a line out of a step."""

    def __init__(self, now: Callable[[], datetime], me: Callable[[], str]) -> None:
        self._now = now
        self._me = me

    def __call__(self, id_: str, row: Any, room: int, here: bool, marked: bool) -> list[Part]:
        """The line in ``room`` cells; its first part is one blank, where the cursor's bar goes."""
        del id_, marked
        if row is None or row is UNREADABLE:
            return [own(" "), own("  "), missing(row)]
        step: Step = row
        operation = step.operation
        who = said(words.who(operation.actor, self._me()), "$accent" if operation.actor == "policy" else "$foreground")
        right = self._right(step, room)
        title = said(visible(step.title, multiline=False), "strike $quiet" if step.undone else ("bold" if here else ""))
        why = [own("  "), said(visible(operation.reason, multiline=False), "$quiet")] if operation.reason else []
        left = [own(" "), own(" "), *shown.pad([who], WHO), own(" ")]
        text = shown.pad([title, *why], max(room - shown.width(left) - shown.width(right), 0))
        return [*left, *text, *right]

    def _right(self, step: Step, room: int) -> list[Part]:
        parts = [own(" undone", "bold $warn")] if step.undone else []
        if room >= 58:
            place = visible(SURFACE.get(step.operation.surface, step.operation.surface), multiline=False)
            parts += [own("  "), *shown.pad([said(place, "$quiet")], 7)]
        age = own(words.age(step.operation.at, self._now()), "$quiet")
        return [*parts, own(" "), *shown.pad([age], 4, right=True), own(" ")]


def part_row(change: Change | None, room: int, here: bool, *, column: int = 20) -> list[Part]:
    """One part of a step on one line: what it was and became, its key, its text. None: it is another project's.

    ``column`` is how many cells what it became takes at least.
    """
    if change is None:
        return [own("   "), own("of another project", "$quiet")]
    sign, style = part_sign(change)
    entry = change.entry
    told = became(change)
    told = shown.pad(told, max(column, shown.width(told)))
    line = [own(" "), own(" "), own(f"{sign} ", style), *told, own("  ")]
    if entry is None:
        return [*line, own("[erased]", "$quiet")]
    if entry.key:
        line += [said(visible(entry.key, multiline=False), "bold $key"), own("  ")]
    return [*line, said(visible(entry.content[: room * 2].lstrip("\n"), multiline=False), "bold" if here else "")]


def part_sign(change: Change) -> tuple[str, str]:
    """In one character what became of a part: agents are told more, less or otherwise; or a proposal was decided on."""
    if not change.is_memory:
        return "·", "$quiet"
    before, after = given(change)
    if before is None and after is None:
        return "=", "$quiet"
    if before is None or after is None:
        op = "add" if before is None else "remove"
        return words.SIGN[op], words.OP_STYLE[op]
    return (words.SIGN["update"], words.OP_STYLE["update"]) if before != after else ("=", "$quiet")


def given(change: Change) -> tuple[str | None, str | None]:
    """What agents were given of a memory before a step, and after it; None where it was not in use."""
    before = change.before.content if change.before is not None and change.was == "active" else None
    after = change.after.content if change.after is not None and change.became == "active" else None
    return before, after


def became(change: Change) -> list[Part]:
    """The status before and after, or what else was changed."""
    was, now = _status(change.was), _status(change.became)
    if change.was is None:
        return [own("new", "$added")] if change.became == "active" else [own(now, "$warn")]
    if was != now:
        return [own(f"{was} → ", "$quiet"), own(now, "$added" if change.became in ("active", "approved") else "$warn")]
    return [own(f"{was}, revision {change.revision}" if change.is_memory else was, "$quiet")]


def _status(status: str | None) -> str:
    return STATUS.get(status or "", status or "")


def fields_changed(change: Change) -> list[Line]:
    """What of an entry but its text a step has changed, a line each."""
    pairs = [(name, before, after) for name, before, after in change.moved if name not in ("status", "deferred_at")]
    if change.is_memory and change.before is not None and change.after is not None:
        old, new = change.before.as_dict(), change.after.as_dict()
        pairs += [(name, old[name], new[name]) for name in new if name != "content" and old[name] != new[name]]
    return [
        [own(f"{name.replace('_', ' '):<11}", "$quiet"), said(_spelled(old), "$removed"), own(" → "), _new(new)]
        for name, old, new in pairs
        if name in _TOLD
    ]


_TOLD: Final = ("scope", "key", "kind", "aliases", "paths", "valid_until", "confidence", "source")


def _new(value: Any) -> Part:
    return said(_spelled(value), "$added")


def _spelled(value: Any) -> Shown:
    if value is None or value == "" or value == []:
        return Shown("none")
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return visible(text, multiline=False)


def facts(operation: Operation, me: str | None, now: datetime) -> list[Part]:
    """Who took a step, from where, and when."""
    surface = visible(SURFACE.get(operation.surface, operation.surface), multiline=False)
    return [
        said(Shown("by " + words.who(operation.actor, me)), "$foreground"),
        said(Shown("from the " + surface), "$quiet"),
        own(words.day(operation.at, now), "$quiet"),
        own(f"step {operation.seq:,}", "$quiet"),
    ]
