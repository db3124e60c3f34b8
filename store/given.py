"""What an agent is given, whoever asks: the block of a project, the few memories a task needs, the number that wait.

On SQLite without SQLAlchemy, because a hook has no time for it; everywhere else, and wherever anything is not as
expected, through the store itself.
"""

from __future__ import annotations

import os
from collections import namedtuple

from store import block
from store.block import Block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path
    from typing import Any, NamedTuple

    from store.block import Item
    from store.engine import Store
    from store.location import Location
    from store.project import Project

    class Waiting(NamedTuple):
        """How many proposals wait for a person: in the scopes asked for, and in all others.

        Each is counted to ``MOST_WAITING``, and that number says "so many, or more".
        """

        here: int
        elsewhere: int

else:
    Waiting = namedtuple("Waiting", "here elsewhere")

MOST_WAITING = 1_000
_WIDEST = 4
"""Bytes of a character in UTF-8, at most."""
_QUICKLY = 1.0
"""Seconds that a server is waited for, where a prompt or an agent waits for us."""
LOCAL_TENANT = "local"
"""``store.engine.LOCAL_TENANT``, which costs SQLAlchemy to import."""


def scopes_of(project: Project) -> tuple[str, ...]:
    """Whose memories are given in a project: its own and the global ones."""
    return (project.identity, "global") if project.identity != "global" else ("global",)


def profile(
    location: Location,
    project: Project,
    *,
    now: datetime | None = None,
    waiting: bool = False,
    most_bytes: int | None = None,
    wait: float = 5.0,
) -> Block:
    """The block of a project and global, as it was rendered at the last commit; NOTHING where no store stands.

    ``waiting`` counts and tells what waits for the person. ``most_bytes`` of UTF-8 are the limit, too, for an agent
    that counts bytes. A store that is busy is waited for ``wait`` seconds at a time. Raises StoreTrouble where the
    store cannot be read.
    """
    at = _moment(now)
    if location.path is not None:
        from store.dialects import sqlite_quick

        path = os.fspath(location.path)
        if not _stands(location.path):
            return block.NOTHING._replace(waiting=0) if waiting else block.NOTHING
        found = sqlite_quick.held(path, LOCAL_TENANT, scopes_of(project), at)
        if found is not None:
            number = _here(location, project) if waiting else None
            return _assembled(found.items, project, found.total, at, number, most_bytes)
    from store.engine import open_store

    store = open_store(location, wait=wait)
    try:
        return profile_of(store, project, now=at, waiting=waiting, most_bytes=most_bytes)
    finally:
        store.close()


def profile_of(
    store: Store,
    project: Project,
    *,
    now: datetime | None = None,
    waiting: bool = False,
    most_bytes: int | None = None,
) -> Block:
    """As ``profile``, from a store that is open."""
    from contextlib import suppress

    from store import blocks
    from store.errors import MeminboxError

    scopes = scopes_of(project)
    with suppress(MeminboxError):
        blocks.ensure(store, wait=0.0)
    items, total = blocks.read(store, scopes), blocks.number(store, scopes)
    number = _counted(store, scopes).here if waiting else None
    return _assembled(items, project, total, now or store.now(), number, most_bytes)


def _assembled(
    items: Sequence[Sequence[Item]], project: Project, total: int, now: datetime, number: int | None, most: int | None
) -> Block:
    """The block within ``block.LIMIT`` characters and ``most`` bytes: as many characters as those bytes hold."""
    known: dict[str, Any] = {"label": project.label, "total": total, "now": now, "waiting": number}
    found = block.assemble(items, **known)
    if most is None or len(found.text.encode("utf-8")) <= most:
        return found
    fits, too_many = most // _WIDEST, block.LIMIT
    while too_many - fits > _WIDEST:
        limit = (fits + too_many) // 2
        if len(block.assemble(items, **known, limit=limit).text.encode("utf-8")) <= most:
            fits = limit
        else:
            too_many = limit
    return block.assemble(items, **known, limit=fits)


def task(store: Store, project: Project, text: str) -> tuple[Block, str]:
    """The block of the three to five memories that a task needs, and what judged that; NOTHING where none fits."""
    from store.retrieval import found_for

    found = found_for(store, text, scopes=scopes_of(project))
    items = [block.found(hit.memory) for hit in found.hits]
    return block.assemble([items], label=project.label, total=len(items), now=store.now()), found.scorer


def waiting(location: Location, scopes: tuple[str, ...], *, slow: bool = True) -> Waiting:
    """How many proposals wait in these scopes, and in all others. Raises StoreTrouble.

    Without ``slow`` a SQLite file that cannot be read at once, or is of another schema, counts as one where nothing
    waits: it is neither waited for nor brought up to date; a server that does not answer is waited for a moment.
    """
    if location.path is not None:
        from store.dialects import sqlite_quick

        path = os.fspath(location.path)
        if not _stands(location.path):
            return Waiting(0, 0)
        found = sqlite_quick.waiting(path, LOCAL_TENANT, scopes)
        if found is not None or not slow:
            return Waiting(*(found or (0, 0)))
    from store.engine import open_store

    store = open_store(location, wait=5.0 if slow else _QUICKLY)
    try:
        return _counted(store, scopes)
    finally:
        store.close()


def in_words(waiting: Waiting) -> str:
    """What waits, for a person: "3 wait for review, 2 elsewhere"; "" where nothing does."""
    here, elsewhere = waiting
    if not here and not elsewhere:
        return ""
    verb = "waits" if (here or elsewhere) == 1 else "wait"
    if not here:
        return f"{counted(elsewhere)} {verb} for review in other projects"
    return f"{counted(here)} {verb} for review" + (f", {counted(elsewhere)} elsewhere" if elsewhere else "")


def counted(number: int) -> str:
    """A number that was counted to ``MOST_WAITING`` and no further."""
    return f"{number:,}" if number < MOST_WAITING else f"{MOST_WAITING:,}+"


def _counted(store: Store, scopes: tuple[str, ...]) -> Waiting:
    from store.queries import counts

    found = counts(store, scopes)
    return Waiting(min(found.pending + found.deferred, MOST_WAITING), min(found.elsewhere, MOST_WAITING))


def _here(location: Location, project: Project) -> int:
    return waiting(location, scopes_of(project)).here


def _stands(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return True  # whoever opens it tells why it cannot be


def _moment(now: datetime | None) -> datetime:
    from datetime import UTC, datetime

    return datetime.now(UTC) if now is None else now.astimezone(UTC)
