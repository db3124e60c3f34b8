"""What a screen knows when it asks which actions are possible, and the rules that answer. Pure.

A rule gives the reason why an action cannot be taken, in words for people, or None where it can.
"""

from __future__ import annotations

from dataclasses import dataclass

from console import keys


@dataclass(frozen=True, slots=True)
class Situation:
    """What a screen knows when it asks which actions are possible. Only our own words stand in it, never agent text.

    ``locked`` is why nothing can be decided here (read-only, fenced, too small, not open), or None. ``mode`` is
    ``browse``, ``edit`` (the inline editor has the keys) or ``prompt`` (a line of input has them). ``item`` says that
    something decidable is under the cursor, ``fold`` that the folded row is. ``previous``: a previous value stands
    behind it, and it is painted. ``history``: a memory stands behind it. ``undo`` and ``redo`` say that the log has
    such a step. ``group`` is how many wait for the same key or memory, itself included, ``copies`` how many
    near-copies it has, itself included (0: none), ``beside`` how many memories stand beside it (None: still
    being looked for). ``saving``: a decision on it is on its way. ``closed``: its text is not on the screen (one
    pane at a time).
    """

    locked: str | None = None
    mode: str = "browse"
    item: bool = False
    fold: bool = False
    saving: bool = False
    closed: bool = False
    previous: bool = False
    history: bool = False
    removal: bool = False
    session: bool = False
    group: int = 1
    copies: int = 0
    beside: int | None = 0
    marks: int = 0
    rows: int = 0
    empty: bool = False
    """The list is known to hold nothing, and no filter hides anything."""
    scope: str = ""
    """How it stands with the scope under the cursor (``store.scopes.Standing``), and how much it holds."""
    holds: int = 0
    asks: bool = False
    """The present folder asks for another scope."""
    undo: bool = False
    redo: bool = False
    textless: str = ""
    """Why there is no text to take away, though something is chosen."""


def decidable(now: Situation) -> str | None:
    """Marks, or an item whose text is on the screen."""
    if now.locked:
        return now.locked
    if now.saving:
        return "the last decision on it is being saved"
    if now.marks:
        return None
    if now.item:
        return f"{keys.shown('item.open')} opens it first: one decides on what one sees" if now.closed else None
    return f"{keys.shown('item.open')} opens what is folded" if now.fold else "nothing here to decide"


def single(now: Situation) -> str | None:
    """One item, whatever is marked."""
    if now.locked or now.saving or not now.item:
        return decidable(Situation(now.locked, item=now.item, fold=now.fold, saving=now.saving))
    return decidable(Situation(item=True, closed=now.closed))


def editable(now: Situation) -> str | None:
    """One item that has a text."""
    return single(now) or ("a removal has no text to edit" if now.removal else None)


def whole_session(now: Situation) -> str | None:
    """One item whose session is known."""
    return single(now) or (None if now.session else "its session is not known")


def whole_group(now: Situation) -> str | None:
    """One item with others for the same key or memory."""
    return single(now) or (None if now.group > 1 else "nothing else waits for the same key or memory")


def copied(now: Situation) -> str | None:
    """One item with near-copies."""
    return item(now) or (None if now.copies else "nothing else that waits says nearly the same")


def compared(now: Situation) -> str | None:
    """One item with a memory to hold it against."""
    if now.beside is None:
        return item(now) or "what is like it is still being looked for"
    return item(now) or (None if now.beside else "no memory says anything like it")


def replaces(now: Situation) -> str | None:
    """A proposed value that would take the place of a live one."""
    return decidable(now) or (None if now.history and not now.removal else "it replaces nothing: both are kept anyway")


def undoable(now: Situation) -> str | None:
    """The log has a step to take back."""
    return now.locked or (None if now.undo else "nothing to undo")


def redoable(now: Situation) -> str | None:
    """The log has a step that was taken back."""
    return now.locked or (None if now.redo else "nothing to redo")


def returnable(now: Situation) -> str | None:
    """A previous value stands behind it."""
    if now.locked:
        return now.locked
    return None if now.previous else "no previous value stands behind it"


def item(now: Situation) -> str | None:
    """Something is under the cursor."""
    return None if now.item else "nothing is chosen"


def text(now: Situation) -> str | None:
    """Something that has a text is under the cursor."""
    return item(now) or now.textless or None


def known(now: Situation) -> str | None:
    """A memory stands behind it."""
    return None if now.history else "there is none yet: this would be the first version"


def of_memory(now: Situation) -> str | None:
    """It is about one memory."""
    return None if now.history else "no memory is chosen"


def rows(now: Situation) -> str | None:
    """The list holds something."""
    return None if now.rows else "the list is empty"


def choosable(now: Situation) -> str | None:
    """A row, the heading above several, or marks."""
    if now.locked or now.saving:
        return now.locked or "the last step is being saved"
    return None if now.item or now.fold or now.marks else "nothing is chosen"


def settled(now: Situation) -> str | None:
    """Something is listed, and nothing is on its way."""
    return now.locked or ("the last step is being saved" if now.saving else rows(now))
