"""Errors for people: what happened, what was kept, what to do.

Every error that leaves the store is one of these. ``exit_code`` is the process exit code of design section 8.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing costs a hook 9 ms
if TYPE_CHECKING:
    from store.facts import Memory, Operation


class MeminboxError(Exception):
    """The root of every error that a person may be shown."""

    exit_code = 1

    def __init__(self, what: str, *, kept: str = "", todo: str = "") -> None:
        """``what`` happened, what was ``kept`` in spite of it, what ``todo`` next; the last two may be empty."""
        super().__init__(what)
        self.what = what
        self.kept = kept
        self.todo = todo

    def __str__(self) -> str:
        return " ".join(part for part in (self.what, self.kept, self.todo) if part)


class UsageError(MeminboxError):
    """The call itself is wrong, or needs a terminal that is not there."""

    exit_code = 2


class Fenced(UsageError):
    """A decision was asked for from a place where only an agent, not a person, can be."""


class AmbiguousId(UsageError):
    """More than one thing ends with the suffix that was typed."""


class NotFound(MeminboxError):
    """Nothing has this id, suffix or key."""

    exit_code = 3


class Conflict(MeminboxError):
    """What was to be changed is not what was on the screen. Nothing was changed."""

    exit_code = 4


class Stale(Conflict):
    """A decision was taken on a state that has moved on: the loser sees base, mine and theirs.

    ``base`` is the content that was painted, ``mine`` what the loser wanted, ``theirs`` what stands now;
    ``by`` is the operation that changed it, where one did.
    """

    def __init__(
        self, what: str, *, base: str | None, mine: str | None, theirs: str | None, by: Operation | None = None
    ) -> None:
        super().__init__(what, kept="Nothing was changed.", todo="Look at it again and decide.")
        self.base = base
        self.mine = mine
        self.theirs = theirs
        self.by = by


class AlreadyDecided(Conflict):
    """The proposal has been decided before; the second decision changes nothing."""


class AlreadyKnown(Conflict):
    """An active memory in the same scope says exactly this."""


class KeyTaken(Conflict):
    """Another active memory holds the key. ``holder`` is that memory, ``mine`` the text that wanted the key."""

    def __init__(self, what: str, *, holder: Memory, mine: str | None = None) -> None:
        super().__init__(what, kept="Nothing was replaced.", todo="Choose another key, or change that memory instead.")
        self.holder = holder
        self.mine = mine


class SecretOpen(Conflict):
    """What was to be approved may hold a secret, and nobody has said a word on it yet.

    ``spans`` tell where: the field, which of its texts, start and end in code points, and why; never the text. All of
    one field stands at (0, 0, 0) where an older set of rules let in what the present ones mask.
    """

    def __init__(self, what: str, *, spans: tuple[tuple[str, int, int, int, str], ...] = ()) -> None:
        todo = "Mask it, edit the text, or say that it is not a secret."
        super().__init__(what, kept="Nothing was changed.", todo=todo)
        self.spans = spans


class NoneQualified(Conflict):
    """A batch found nothing that it could do. ``left`` names each item with its reason."""

    def __init__(self, what: str, *, left: tuple[tuple[str, str], ...]) -> None:
        super().__init__(what, kept="Nothing was changed.")
        self.left = left


class LaterOperation(Conflict):
    """An undo was refused because something later stands on part of it.

    ``blocked`` are the ids that something later stands on, ``free`` the ids that could still be undone.
    """

    def __init__(self, what: str, *, blocked: tuple[str, ...], free: tuple[str, ...]) -> None:
        todo = f"Undo the other {len(free):,}?" if free else ""
        super().__init__(what, kept="Nothing was undone.", todo=todo)
        self.blocked = blocked
        self.free = free


class NothingToUndo(MeminboxError):
    """The log has no step of this person's that could be undone or redone."""


class StoreTrouble(MeminboxError):
    """The store cannot be used as asked."""

    exit_code = 5


class StoreBusy(StoreTrouble):
    """Another process holds the write lock longer than we may wait."""


class StoreReadOnly(StoreTrouble):
    """The file or its folder cannot be written."""


class StoreFull(StoreTrouble):
    """The disk is full, or a size limit was reached; the transaction was rolled back."""


class StoreDamaged(StoreTrouble):
    """The file is empty, truncated, corrupt, or not ours. It is never written."""


class ValueDamaged(StoreDamaged):
    """One stored value cannot be read as what it was written as; what stands beside it can."""


class StoreNewer(StoreTrouble):
    """The file was written by a newer Meminbox. It is never written."""


class StoreLost(StoreTrouble):
    """The file was replaced or deleted under us, or the connection broke; whether the last act was kept is unknown."""
