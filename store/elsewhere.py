"""In which other projects a preference holds: what a person prefers in two of them may be meant for all.

Never done by itself: it is said beside a proposal that waits, and a key of the person places it everywhere. What a
person has let hold everywhere then stands for its copies in projects.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, select

from store.engine import Store
from store.entry import GLOBAL, Entry, fingerprint
from store.facts import OPEN, Memory, Proposal
from store.models import ScopeRow
from store.reading import active_saying, active_with_keys
from store.text import fold

if TYPE_CHECKING:
    from store.ledger import Act

SCOPE = ScopeRow.__table__  # type: ignore[attr-defined]
MOST_SCOPES: Final = 500
"""Projects that are asked, by name: a person has fewer."""
MOST_TAKEN: Final = 50
"""Preferences of one act that are asked about: of more at once, each copy stays beside the one that is everywhere."""


def elsewhere(store: Store, proposal: Proposal) -> tuple[str, ...]:
    """The labels of other projects in which what an open proposal says holds as a preference; empty for other kinds.

    The same is the same text, or under the same key a text that differs in case, width and white space alone.
    """
    entry = proposal.entry
    if entry.kind != "preference" or entry.scope == GLOBAL or proposal.op == "remove" or proposal.status not in OPEN:
        return ()
    with store.read() as connection:
        labels = _labels(connection, store.tenant, entry.scope)
        found = _copies(connection, store.tenant, entry, labels)
    now = store.now()
    alive = (one.entry for one in found if one.entry.valid_until is None or one.entry.valid_until > now)
    return tuple(sorted({labels[one.scope] for one in alive}))


def take_over(act: Act, held: Sequence[Memory]) -> None:
    """Of these memories, those that are preferences and hold everywhere from this act on stand for their copies in
    projects: the copies expire, in the same act with its one undo.

    Left alone is what says anything else, what a person pinned, and what holds longer than the one that is everywhere.
    """
    everywhere = [
        one for one in held if one.entry.scope == GLOBAL and one.entry.kind == "preference" and one.status == "active"
    ]
    if not everywhere:
        return
    labels = _labels(act.connection, act.store.tenant, GLOBAL)
    ours = {one.id for one in held}
    gone: set[str] = set()
    for memory in everywhere[:MOST_TAKEN]:
        for copy in _copies(act.connection, act.store.tenant, memory.entry, labels):
            if copy.id not in ours | gone and not copy.pinned and not _outlasts(copy.entry, memory.entry):
                act.change(copy, copy.entry, "expired", action="expire")
                gone.add(copy.id)
    if gone:
        act.selection["taken_over"] = len(gone)


def _labels(connection: Connection, tenant: str, beside: str) -> dict[str, str]:
    """The projects there are, but for one: identity and label."""
    chosen = select(SCOPE.c.identity, SCOPE.c.label).where(
        SCOPE.c.tenant_id == tenant, SCOPE.c.identity.not_in([GLOBAL, beside])
    )
    return {row.identity: row.label for row in connection.execute(chosen.limit(MOST_SCOPES))}


def _copies(connection: Connection, tenant: str, entry: Entry, scopes: Collection[str]) -> list[Memory]:
    """The active preferences of these scopes that say the same."""
    if not scopes:
        return []
    found = active_saying(connection, tenant, [fingerprint(one, "add", entry.content) for one in scopes])
    if entry.key is not None:
        found += active_with_keys(connection, tenant, {(one, entry.key) for one in scopes}).values()
    return [one for one in {one.id: one for one in found}.values() if _same(one.entry, entry)]


def _outlasts(one: Entry, other: Entry) -> bool:
    return other.valid_until is not None and (one.valid_until is None or one.valid_until > other.valid_until)


def _same(one: Entry, other: Entry) -> bool:
    return one.kind == "preference" and fold(" ".join(one.content.split())) == fold(" ".join(other.content.split()))
