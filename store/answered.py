"""Which proposals wait with the flag ``maybe_secret`` although a person has said of all of it "not a secret".

The flag stands in the row as intake wrote it; readers drop it (``secrecy.without_answered_flags``). A filter by flag
must count what the reader shows. Asked only where such a word was ever given; what a text marks is kept by its id and
revision, as HMACs, so that a key stroke in a filter does not weigh the same texts again.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from store import secrecy
from store.conditions import unindexed
from store.dialects.expressions import flagged
from store.filters import ANY, Filter
from store.reading import PROPOSAL, UNDECIDED, chunks, entry_of

MOST_WEIGHED: Final = 2_000
"""Flagged proposals that are looked at, the newest; older ones keep the flag of their row in a filter."""
_marks: dict[tuple[bytes, str, int], frozenset[str]] = {}


class Answered(NamedTuple):
    """Ids: all whose doubts were answered, and those among them that have no other flag."""

    all: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()


NONE: Final = Answered()


def answered(connection: Connection, tenant: str, flt: Filter) -> Answered:
    """What a filter must not take for ``maybe_secret``; empty, and nothing read, where it asks for no such flag."""
    if not any(term.field == "flag" and term.value in (None, ANY, secrecy.MAYBE) for term in flt.terms):
        return NONE
    known = secrecy.remembered(connection, tenant)
    key = secrecy.stored_key(connection, tenant)
    if not known or key is None:
        return NONE
    doubtful = flagged(PROPOSAL.c.flags, secrecy.MAYBE)
    chosen = select(PROPOSAL.c.id, PROPOSAL.c.revision).where(PROPOSAL.c.tenant_id == tenant, UNDECIDED, doubtful)
    rows = connection.execute(chosen.order_by(unindexed(PROPOSAL.c.id).desc()).limit(MOST_WEIGHED)).all()
    marks = _weighed(connection, tenant, key, [(row.id, row.revision) for row in rows])
    met = [row.id for row in rows if marks[row.id] and marks[row.id] <= known]
    return Answered(tuple(met), tuple(_bare(connection, tenant, met)))


def _weighed(
    connection: Connection, tenant: str, key: bytes, wanted: list[tuple[str, int]]
) -> dict[str, frozenset[str]]:
    """What each of these texts marks, by id. What nobody asked for this time is let go."""
    kept = {(key, *one): _marks[key, *one] for one in wanted if (key, *one) in _marks}
    fresh = [one for one, revision in wanted if (key, one, revision) not in kept]
    for part in chunks(fresh):
        rows = connection.execute(select(PROPOSAL).where(PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.id.in_(part)))
        for row in rows:
            texts = {one.text for one in secrecy.doubts(entry_of(row))}
            kept[key, row.id, row.revision] = frozenset(secrecy.mark(key, text) for text in texts)
    _marks.clear()
    _marks.update(kept)
    return {one: marks for (_, one, _), marks in kept.items()}


def _bare(connection: Connection, tenant: str, ids: list[str]) -> list[str]:
    found: list[str] = []
    for part in chunks(ids):
        chosen = select(PROPOSAL.c.id, PROPOSAL.c.flags).where(PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.id.in_(part))
        found += [row.id for row in connection.execute(chosen) if len(row.flags) == 1]
    return found
