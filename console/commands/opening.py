"""How a command gets at the store: readers never wait and create nothing, deciders pass the fence first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from store.errors import NotFound
from store.files import there
from store.location import Location, locate

if TYPE_CHECKING:
    from store.engine import Store
    from store.facts import Actor


_PLACE: ContextVar[Location | None] = ContextVar("place", default=None)


def place() -> Location:
    """The store that this command is about."""
    return _PLACE.get() or locate(None)


def stands(location: Location) -> bool:
    """Whether there is anything at this place: a database, or admitted lines and notes waiting for one.

    Raises StoreTrouble where that cannot be told.
    """
    if location.path is None or there(location.path):
        return True
    return any(folder.is_dir() and any(folder.iterdir()) for folder in (location.spool, location.notes))


@contextmanager
def reading(db: str | None) -> Iterator[Store | None]:
    """The store for a command that only reads, or None (said on stderr) where nothing stands yet."""
    from console.output import say

    location = locate(db)
    _PLACE.set(location)
    if not stands(location):
        say(f"There is no store at {location.described()} yet.")
        yield None
        return
    from store.desk import open_desk

    store = open_desk(location)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def standing(db: str | None) -> Iterator[Store]:
    """The store for a command that asks for one thing in it. Raises NotFound where nothing stands yet."""
    location = locate(db)
    if not stands(location):
        raise NotFound(f"There is no store at {location.described()} yet.")
    with reading(db) as store:
        assert store is not None
        yield store


@contextmanager
def deciding(db: str | None) -> Iterator[tuple[Store, Actor]]:
    """The store for a person's decision, and who decides. Raises Fenced before anything is opened."""
    from console import terminal

    terminal.person()
    location = locate(db)
    _PLACE.set(location)
    if not stands(location):
        raise NotFound(f"There is no store at {location.described()} yet.")
    from store.desk import open_desk

    store = open_desk(location)
    try:
        yield store, terminal.actor("cli")
    finally:
        store.close()
