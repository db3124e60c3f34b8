"""Which memories and proposals were erased: their ids alone, in a file beside the store, so that no backup brings a
text back. The file outlives the store: a backup that is restored over a lost one is cleared all the same."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from store import files
from store.engine import Store
from store.errors import StoreTrouble
from store.facts import Actor
from store.location import Location
from store.models import MemoryRow, ProposalRow

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
_WAIT = 5.0
_PARTS = ("memories", "proposals", "scopes")


@dataclass(frozen=True, slots=True)
class Ids:
    """Whole ids of memories and of proposals; ``scopes`` are those of which the label and the folder went, too."""

    memories: frozenset[str] = field(default_factory=frozenset)
    proposals: frozenset[str] = field(default_factory=frozenset)
    scopes: frozenset[str] = field(default_factory=frozenset)

    def __or__(self, other: Ids) -> Ids:
        return Ids(self.memories | other.memories, self.proposals | other.proposals, self.scopes | other.scopes)

    def __bool__(self) -> bool:
        return bool(self.memories or self.proposals or self.scopes)

    @classmethod
    def read(cls, said: Any) -> Ids:
        """What ``as_json`` has written, now or before there were scopes in it. Raises KeyError, TypeError and so on."""
        parts = (said["memories"], said["proposals"], said.get("scopes", ()))
        memories, proposals, scopes = (frozenset(map(str, one)) for one in parts)
        return cls(memories, proposals, scopes)

    def as_json(self) -> dict[str, list[str]]:
        """As plain values."""
        return {name: sorted(getattr(self, name)) for name in _PARTS}

    @property
    def all(self) -> list[str]:
        """Memories and proposals, in order."""
        return sorted(self.memories | self.proposals)


def noted(location: Location) -> Ids:
    """What the file says; nothing where there is none. Raises StoreTrouble where it cannot be read as ours."""
    path = location.erased
    try:
        return Ids.read(json.loads(path.read_bytes().decode("utf-8")))
    except FileNotFoundError:
        return Ids()
    except (OSError, ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise StoreTrouble(
            f"{path} cannot be read: what was erased cannot be kept out of a backup.",
            kept="Nothing was changed.",
            todo="Mend it, or move it away to go on without it.",
        ) from error


def note(location: Location, ids: Ids) -> None:
    """Add to the file. Raises StoreTrouble."""
    files.make_folder(location.folder)
    with files.locked(location.lock, _WAIT, "noting what was erased"):
        said = (noted(location) | ids).as_json()
        files.write_whole(location.erased, (json.dumps(said) + "\n").encode("ascii"))


def known(location: Location, live: Store | None) -> Ids:
    """All that is known to be erased: by the file, and by the store that stands, if there is one."""
    found = noted(location)
    return found if live is None else found | in_store(live)


def in_store(store: Store) -> Ids:
    """The memories and proposals of a store that have no text any more."""
    with store.read() as connection:
        ids: Iterable[frozenset[str]] = (
            frozenset(
                connection.scalars(select(one.c.id).where(one.c.tenant_id == store.tenant, one.c.content.is_(None)))
            )
            for one in (MEMORY, PROPOSAL)
        )
        return Ids(*ids)


def again(store: Store, ids: Ids, by: Actor) -> int:
    """Erase in a copy of a store what was erased in the store since; how many memories and proposals had a text.

    The file of the copy is cleaned by whoever asked.
    """
    from store import erase

    if not ids:
        return 0
    extent = erase.extent_of(store, ids)
    if not extent.ids:
        return 0
    erase.blank(store, extent, by=by)
    return len(extent.ids.all)
