"""Everything that an agent is told of a project, in its words and its order: for a person who asks what it knows.

First the block that every session is given, byte for byte; then, in the same words, what agents find by searching
alone. A generator of lines, read in pages: there may be a hundred thousand memories.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from store import block

if TYPE_CHECKING:
    from store.engine import Store
    from store.project import Project

PAGE: Final = 200
FOUND: Final = "Found by search alone:"
"""The line above what no block has room or a place for."""


def given_in(store: Store, project: Project | None) -> block.Block:
    """The block of a project; NOTHING where there is no project."""
    from store import given

    return block.NOTHING if project is None else given.profile_of(store, project)


def everything(store: Store, scopes: Sequence[str], project: Project | None) -> Iterator[str]:
    """All of it, line by line; a memory of several lines comes in one piece."""
    from store import retrieval

    told = given_in(store, project)
    yield from told.text.split("\n") if told.text else ()
    stands = frozenset(id_ for id_, _ in told.given)
    rest = [one for one in retrieval.everything_ids(store, scopes) if one not in stands]
    for start in range(0, len(rest), PAGE):
        lines = [block.line(one.memory) for one in retrieval.told(store, scopes, rest[start : start + PAGE])]
        if start == 0 and lines:
            yield from ("", FOUND) if told.text else (FOUND,)
        yield from lines
