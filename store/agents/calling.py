"""A call on the agents' side: who calls, about which project, on which store; and the store opened for as long.

Each call opens the store for itself, which costs a few milliseconds: between calls nothing is held, neither a lock nor
a file that may have been replaced. Reading never takes the write lock, and never waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from store.agents.provenance import Caller
from store.context import Context
from store.entry import GLOBAL
from store.errors import NotFound, StoreReadOnly
from store.location import Location
from store.project import Project

if TYPE_CHECKING:
    from store.engine import Store

SURFACE: Final = "mcp"
PATIENCE: Final = 1.0
"""Seconds that a read waits for an older store to be brought up to date."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool."""

    location: Location
    project: Project
    caller: Caller

    @property
    def scopes(self) -> tuple[str, str]:
        """Where this caller may look: its project, and what holds everywhere. Nothing it says widens this."""
        return self.project.identity, GLOBAL

    def context(self) -> Context:
        """From where its proposals come."""
        project = self.project
        return Context(
            scope=project.identity,
            label=project.label,
            branch=project.branch,
            commit=project.commit,
            surface=SURFACE,
            witnessed=self.caller.witnessed,
            root=str(project.root),
        )

    @contextmanager
    def reading(self) -> Iterator[Store | None]:
        """The store, for reading only; None where there is none yet. Raises StoreTrouble."""
        from store.engine import open_store

        store: Store | None
        try:
            store = open_store(self.location, read_only=True)
        except NotFound:
            store = None
        except StoreReadOnly:
            # It is of an older schema: whoever may write it brings it up to date; else this says why it cannot be read.
            store = open_store(self.location, wait=PATIENCE)
        try:
            yield store
        finally:
            if store is not None:
                store.close()

    def scope_word(self, scope: str) -> str:
        """A scope as agents name it."""
        return "global" if scope == GLOBAL else "project"
