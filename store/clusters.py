"""Near-copies among what waits: one row for twenty ways of saying one rule, each with its difference from the head.

Near-copies stand in one scope and have one kind; never two different keys, and never a hint between them and the head:
another number, a negation or an opposite makes it another statement, however alike it looks. Only additions are
gathered: an update is told apart from what it changes, not from others like it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from store import reading
from store.encoders import Encoder
from store.engine import Store
from store.facts import OPEN, Proposal
from store.gathering import Cluster, Looks, One, gather, give_back
from store.prose_diff import Span, diff
from store.ranking import source_weight
from store.reading import PROPOSAL, chunks

if TYPE_CHECKING:
    from store.vectors import Vectors

MOST: Final = 4_000
"""Proposals that are compared in one call, the first ones given; the rest is told as ``left_out``."""
MANY: Final = 256
"""Texts compared at once from which on nothing that was drawn from them stays in memory."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """The clusters of two and more, in the order in which their first proposal was given.

    ``left_out`` proposals were not compared, since there were too many; ``scorer`` names what judged likeness.
    """

    items: tuple[Cluster, ...] = ()
    left_out: int = 0
    scorer: str = "words"


@dataclass(frozen=True, slots=True)
class Member:
    """A near-copy, and how to come from the head's text to its own (``prose_diff``)."""

    proposal: Proposal
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A cluster with its texts, as they stand now; what was decided meanwhile is left out."""

    head: Proposal
    members: tuple[Member, ...]


def clusters(
    store: Store,
    ids: Sequence[str],
    *,
    encoder: Encoder | None = None,
    wanted: Callable[[], bool] = lambda: True,
) -> Clusters:
    """The near-copies among these proposals. Bounded, for a worker thread: a second or two for the ``MOST``.

    ``encoder`` is one that is loaded; the vectors that are stored already are used, none is made. ``wanted`` is asked
    now and then whether anybody still waits for the answer; where not, what was found so far is returned.
    """
    chosen = list(dict.fromkeys(ids))[:MOST]
    return compared(store, additions(store, chosen), encoder, wanted, left_out=len(set(ids)) - len(chosen))


def compared(
    store: Store,
    ones: Sequence[One],
    encoder: Encoder | None,
    wanted: Callable[[], bool] = lambda: True,
    *,
    left_out: int = 0,
    looked_at: Callable[[Sequence[One]], None] = lambda some: None,  # noqa: ARG005
) -> Clusters:
    """The near-copies among these, as ``clusters``; of what was drawn from many texts nothing is kept.

    ``looked_at`` is given the ones of each scope and kind while what was drawn from their texts is still there.
    """
    vectors = _vectors(store, encoder, ones)
    by_place: dict[tuple[str, str], list[One]] = {}
    for one in ones:
        by_place.setdefault(one.place, []).append(one)
    found: list[Cluster] = []
    looks = Looks()
    for some in by_place.values():
        if len(some) > 1:
            gathered, left = gather(store, some, vectors, wanted, looks)
            found += gathered
            left_out += left
        looked_at(some)
        if len(ones) > MANY:
            give_back(store)  # place by place, so that it never is much at once
    place = {one.id: at for at, one in enumerate(ones)}
    found.sort(key=lambda one: min(place[own] for own in one.ids))
    return Clusters(tuple(found), left_out, encoder.title if encoder and vectors else "words")


def opened(store: Store, cluster: Cluster) -> Opened | None:
    """A cluster with its texts; None where its head no longer waits, or nothing beside it."""
    with store.read() as connection:
        found = reading.proposals(connection, store.tenant, cluster.ids)
    waiting = {one.id: one for one in found if one.status in OPEN}
    head = waiting.pop(cluster.head, None)
    if head is None or not waiting:
        return None
    return Opened(head, tuple(Member(one, difference(head, one)) for one in waiting.values()))


def difference(head: Proposal, member: Proposal) -> tuple[Span, ...]:
    """How to come from the head's text to a member's."""
    return tuple(diff(head.entry.content, member.entry.content))


def additions(store: Store, ids: Sequence[str]) -> list[One]:
    """Those of these ids that wait and add something, in their order, each with its text."""
    found: dict[str, One] = {}
    columns = [PROPOSAL.c[name] for name in ("id", "scope", "kind", "key", "content", "source", "evidence", "flags")]
    with store.read() as connection:
        for part in chunks(ids):
            chosen = select(*columns).where(
                PROPOSAL.c.tenant_id == store.tenant,
                PROPOSAL.c.id.in_(list(part)),
                PROPOSAL.c.op == "add",
                PROPOSAL.c.status.in_(OPEN),
                PROPOSAL.c.content.is_not(None),
            )
            found |= {row.id: _one(row) for row in connection.execute(chosen)}
    return [found[one] for one in ids if one in found]


def _one(row: Any) -> One:
    weight = source_weight(row.source or "unknown", evidence=bool(row.evidence), support=0)
    return One(row, flagged=bool(row.flags), weight=weight)


def _vectors(store: Store, encoder: Encoder | None, ones: Sequence[One]) -> dict[str, Vectors]:
    if encoder is None or len(ones) < 2:
        return {}
    from store import vectors

    return vectors.vectors_of(store, encoder, [one.id for one in ones])
