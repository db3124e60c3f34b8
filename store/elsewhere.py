"""In which other projects a preference holds: what a person prefers in two of them may be meant for all.

Never done by itself: it is said beside a proposal that waits, and a key of the person places it everywhere.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import select

from store.engine import Store
from store.entry import GLOBAL, Entry, fingerprint
from store.facts import OPEN, Proposal
from store.models import ScopeRow
from store.reading import active_saying, active_with_keys
from store.text import fold

SCOPE = ScopeRow.__table__  # type: ignore[attr-defined]
MOST_SCOPES: Final = 500
"""Projects that are asked, by name: a person has fewer."""


def elsewhere(store: Store, proposal: Proposal) -> tuple[str, ...]:
    """The labels of other projects in which what an open proposal says holds as a preference; empty for other kinds.

    The same is the same text, or under the same key a text that differs in case, width and white space alone.
    """
    entry = proposal.entry
    if entry.kind != "preference" or entry.scope == GLOBAL or proposal.op == "remove" or proposal.status not in OPEN:
        return ()
    with store.read() as connection:
        chosen = select(SCOPE.c.identity, SCOPE.c.label).where(
            SCOPE.c.tenant_id == store.tenant, SCOPE.c.identity.not_in([GLOBAL, entry.scope])
        )
        labels = {row.identity: row.label for row in connection.execute(chosen.limit(MOST_SCOPES))}
        if not labels:
            return ()
        marks = [fingerprint(one, "add", entry.content) for one in labels]
        found = active_saying(connection, store.tenant, marks)
        if entry.key is not None:
            places = {(one, entry.key) for one in labels}
            found += active_with_keys(connection, store.tenant, places).values()
    now = store.now()
    alive = (one.entry for one in found if one.entry.valid_until is None or one.entry.valid_until > now)
    return tuple(sorted({labels[one.scope] for one in alive if _same(one, entry)}))


def _same(one: Entry, other: Entry) -> bool:
    return one.kind == "preference" and fold(" ".join(one.content.split())) == fold(" ".join(other.content.split()))
