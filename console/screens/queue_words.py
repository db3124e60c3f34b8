"""What the detail says where it has no proposal to show: nothing matches, what was said once, a store in trouble.

What an empty queue says stands in ``first_run``."""

from __future__ import annotations

from console import keys, words
from console.visible import visible
from console.widgets.shown import Line, own, said
from store.errors import MeminboxError


def nothing_matches() -> list[Line]:
    """The filter lets nothing through."""
    return [
        [own("Nothing matches this filter.", "bold")],
        [],
        [own(keys.shown("back"), "bold $accent"), own(" clears it", "$quiet")],
    ]


def older(number: int) -> list[Line]:
    """The folded row of what is old is under the cursor."""
    days = words.STALE.days
    return [
        [own(f"{words.count(number, 'proposal', 'proposals')} older than {days} days", "bold")],
        [],
        [own("Each has waited so long that it may no longer be true.", "$quiet")],
        [own(keys.shown("item.open"), "bold $accent"), own(" opens or folds them", "$quiet")],
    ]


def said_once(number: int) -> list[Line]:
    """The folded row of what was said once is under the cursor."""
    return [
        [own(f"{number:,} said once, or over a session's limit", "bold")],
        [],
        [own("A preference that an agent said in one session only waits for a second one.", "$quiet")],
        [own("What is over its agent's limit for one session waits here as well.", "$quiet")],
        [own("One may decide on them now.", "$quiet")],
        [own(keys.shown("item.open"), "bold $accent"), own(" opens or folds them", "$quiet")],
    ]


def trouble(error: MeminboxError, where: str) -> list[Line]:
    """The store could not be opened. ``where`` is its place in words, raw."""
    parts = [part for part in (error.kept, error.todo) if part]
    return [
        [own(" store ", "bold $ground on $alarm"), own(" "), said(visible(error.what, multiline=False), "bold")],
        *([said(visible(part, multiline=False))] for part in parts),
        [],
        [own("store  ", "$quiet"), said(visible(where, multiline=False))],
        [own(keys.shown("leave"), "bold $accent"), own(" leaves", "$quiet")],
    ]
