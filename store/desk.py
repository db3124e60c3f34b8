"""The door to a store for everything that is not itself the store: open it, take in what waits in the spool, propose.

Light at import: what is proposed must be durable before anything slow (SQLAlchemy) is loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from store.context import Context
from store.errors import MeminboxError, StoreTrouble
from store.facts import Outcome
from store.location import Location

if TYPE_CHECKING:
    from store.engine import Store
    from store.raw import Raw
    from store.spool import Line, SpoolFile

PROPOSE_WAIT: Final = 0.3
"""Seconds that ``propose`` waits for a busy store before it leaves its lines to the spool."""
OPENING_BUDGET: Final = 1.0
"""Seconds that opening a store spends on what others left in the spool; the next to open it goes on."""
BACKLOG_BUDGET: Final = 0.5
"""Seconds that ``propose`` spends on what others left in the spool before its own lines have their turn."""

NOTES_BUDGET: Final = 0.1
"""Seconds that ``propose`` spends on the notes beside the store before its own lines have their turn."""


def open_desk(
    location: Location,
    *,
    wait: float = 5.0,
    drain: bool = True,
    read_only: bool = False,
    seconds: float | None = OPENING_BUDGET,
) -> Store:
    """Open the store at ``location`` and take in what waits in its spool, as ``engine.open_store`` opens it.

    Taking in never waits for another writer, takes about ``seconds`` at most (None: until the spool is empty) and never
    makes the opening fail: what is left stays in the spool for whoever comes next. ``Store.warnings`` names what was
    set aside, and what the configuration says that nobody understands.
    """
    from store import blocks
    from store.config import load
    from store.engine import open_store

    store = open_store(location, wait=wait, read_only=read_only)
    if drain and not read_only:
        take_in(store, wait=0.0, seconds=seconds)
        with suppress(MeminboxError):
            blocks.ensure(store, wait=0.0)
    store.warnings = (*store.warnings, *_aside_in_words(location), *load().messages)
    return store


def take_in(store: Store, *, wait: float | None = 0.0, seconds: float | None = None) -> int:
    """``drain`` for those who must not fail on it (opening, reading, a console's timer): lines taken, 0 on trouble.

    The notes that hooks and servers left beside the store are taken in as well.
    """
    from store.notes import take_notes

    taken = 0
    with suppress(MeminboxError, OSError):
        take_notes(store, wait=wait, seconds=seconds)
    with suppress(MeminboxError, OSError):
        taken = drain(store, wait=wait, seconds=seconds)
    return taken


def set_aside(location: Location) -> list[Path]:
    """The spool files that could not be read as ours, kept for a person to look at; none where nobody may look."""
    with suppress(OSError):
        return sorted((location.spool / "bad").glob("*.jsonl"))
    return []


def _aside_in_words(location: Location) -> tuple[str, ...]:
    files = set_aside(location)
    if not files:
        return _unread(location)
    many = "A file of proposals" if len(files) == 1 else f"{len(files):,} files of proposals"
    return (f"{many} could not be read; kept in {files[0].parent}, each with its reason beside it.",)


def _unread(location: Location) -> tuple[str, ...]:
    """What waits beside the store and cannot be taken in, because its folder may not be read."""
    from store.files import may_read

    closed = (folder for folder in (location.spool, location.notes) if folder.exists() and not may_read(folder))
    return tuple(f"{folder} may not be read: what waits there is not taken in." for folder in closed)


def drain(store: Store, *, wait: float | None = None, seconds: float | None = None) -> int:
    """Take the spool into the store, exactly once each line, and return how many lines this call took.

    ``wait`` seconds at most for the write lock (None: as the store was opened); ``seconds`` bounds the whole, between
    transactions. Files that cannot be read as ours are set aside (``set_aside`` names them). Raises StoreTrouble.
    """
    if store.read_only is not None or not store.location.spool.is_dir():
        return 0
    from store.draining import Draining

    return Draining(store, wait=wait, seconds=seconds).run()


def propose(
    location: Location,
    proposals: Sequence[Raw],
    *,
    context: Context,
    wait: float = PROPOSE_WAIT,
    store: Store | None = None,
) -> list[Outcome]:
    """Make admitted proposals durable, then take them into the store if it can be had; one outcome each, in order.

    They are on disk, redacted, before the store is touched. Where it stays busy for ``wait`` seconds, or cannot be
    opened, they are ``spooled``: safe, and taken in by whatever opens the store next. ``store`` is one that is open
    already. Raises StoreTrouble where not even the spool can be written: then nothing was kept.
    """
    if not proposals:
        return []
    from store import spool

    lines = _lines(redacted(proposals), context)
    file = spool.put(location.spool, lines)
    if store is not None:
        told, why = _drained(store, file.id, wait)
    else:
        told, why = _opened(location, file.id, wait)
    return told + _left(file, lines[len(told) :], f"safe on disk, and taken in later: {why}")


def _left(file: SpoolFile, lines: Sequence[Line], reason: str) -> list[Outcome]:
    """The outcomes of the lines of a file that are left to the spool."""
    if not lines:
        return []
    from store.retried import waiting_before

    before: dict[str, Outcome] = {}
    with suppress(MeminboxError, OSError):
        before = waiting_before(file, lines, reason)
    return [
        before.get(line.id) or Outcome(line=line.raw.line, status="spooled", id=line.id, reason=reason)
        for line in lines
    ]


def redacted(proposals: Sequence[Raw]) -> list[Raw]:
    """Admitted proposals through ``redact``: before the first write of any kind."""
    from store.redact import redact
    from store.rules.policy import current

    policy = current()
    return [redact(raw, policy) for raw in proposals]


def _lines(proposals: Sequence[Raw], context: Context) -> list[Line]:
    """Proposals as the spool keeps them. Their ids are given here, so that one that waits has its name already."""
    from store.ids import new_id
    from store.spool import Line

    now = datetime.now(UTC)
    return [Line(id=new_id(), raw=raw, context=context, at=now) for raw in proposals]


def _opened(location: Location, file_id: str, wait: float) -> tuple[list[Outcome], str]:
    """Open the store for as long as it takes to drain; the outcomes there are, and why there are no more."""
    from store.engine import open_store

    try:
        store = open_store(location, wait=wait)
    except StoreTrouble as error:
        return [], error.what
    try:
        return _drained(store, file_id, wait)
    finally:
        store.close()


def _drained(store: Store, file_id: str, wait: float) -> tuple[list[Outcome], str]:
    """Drain up to and with one file. Another process may be at it, too: what it did to our lines counts as well."""
    from store.draining import Draining, outcomes
    from store.notes import take_notes

    why = "many others wait before it"
    if store.read_only is not None:
        return [], store.read_only
    with suppress(MeminboxError, OSError):
        take_notes(store, seconds=NOTES_BUDGET)  # what a session was given tells an echo of it
    try:
        Draining(store, wait=wait, seconds=BACKLOG_BUDGET, own=file_id).run()
    except StoreTrouble as error:
        why = error.what
    try:
        told = outcomes(store, file_id)
    except StoreTrouble as error:
        return [], error.what
    return _settled(store, told), why


def _settled(store: Store, told: list[Outcome]) -> list[Outcome]:
    """The outcomes once a few drafts were compared with others: what another session said in similar words counts."""
    if not any(outcome.status == "draft" for outcome in told):
        return told
    from store.intake_later import settle_at_once

    try:
        return settle_at_once(store, told)
    except MeminboxError:
        return told  # they are in the store as they were told, and are settled later
