"""Near-copies among what waits: one row for twenty ways of saying one rule, each with its difference from the head.

Near-copies stand in one scope and have one kind; never two different keys, and never a hint between them and the head:
another number, a negation or an opposite makes it another statement, however alike it looks. Only additions are
gathered: an update is told apart from what it changes, not from others like it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from sqlalchemy import select

from store import reading
from store.encoders import Encoder
from store.engine import Store
from store.facts import OPEN, Proposal
from store.likeness import NEAR, WordIndex, is_near
from store.prose_diff import Span, diff
from store.reading import PROPOSAL, chunks

if TYPE_CHECKING:
    from store.vectors import Vectors

MOST: Final = 4_000
"""Proposals that are compared in one call, the first ones given; the rest is told as ``left_out``."""
LEAST_ALIKE: Final = 0.34
"""Share of words in common from which on two are looked at closely."""
MOST_LOOKED_AT: Final = 12
"""Heads that one proposal is compared with closely."""
CENTRAL: Final = 40
"""Members among which the most typical one is looked for."""
BLOCK: Final = 512
"""Vectors that are compared with all others at once."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Ids of near-copies: the ``head`` says it most typically, ``members`` are the others in the order given."""

    head: str
    members: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many there are, the head among them."""
        return len(self.members) + 1

    @property
    def ids(self) -> tuple[str, ...]:
        """All of them, the head first."""
        return (self.head, *self.members)


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


class _One:
    """An addition that waits."""

    __slots__ = ("content", "id", "key", "place")

    def __init__(self, row: Any) -> None:
        self.id: str = row.id
        self.place: tuple[str, str] = (row.scope, row.kind)
        self.key: str | None = row.key
        self.content: str = row.content


@dataclass
class _Judged:
    """What one process has judged of a store: whether two are near-copies, by ids (texts never change) and scorer."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    near: dict[tuple[str, str, bool], bool] = field(default_factory=dict)


_JUDGED: WeakKeyDictionary[Store, _Judged] = WeakKeyDictionary()
_LOCK: Final = threading.Lock()
MOST_JUDGED: Final = 100_000
"""Judgements that are kept."""


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
    left_out = len(set(ids)) - len(chosen)
    ones = _additions(store, chosen)
    vectors = _vectors(store, encoder, ones)
    with _LOCK:
        judged = _JUDGED.setdefault(store, _Judged())
    by_place: dict[tuple[str, str], list[_One]] = {}
    for one in ones:
        by_place.setdefault(one.place, []).append(one)
    found: list[Cluster] = []
    for some in by_place.values():
        if len(some) > 1 and wanted():
            found += _Gathering(some, vectors, judged, wanted).clusters()
    place = {one: at for at, one in enumerate(chosen)}
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


def _additions(store: Store, ids: Sequence[str]) -> list[_One]:
    found: dict[str, _One] = {}
    columns = (PROPOSAL.c.id, PROPOSAL.c.scope, PROPOSAL.c.kind, PROPOSAL.c.key, PROPOSAL.c.content)
    with store.read() as connection:
        for part in chunks(ids):
            chosen = select(*columns).where(
                PROPOSAL.c.tenant_id == store.tenant,
                PROPOSAL.c.id.in_(list(part)),
                PROPOSAL.c.op == "add",
                PROPOSAL.c.status.in_(OPEN),
                PROPOSAL.c.content.is_not(None),
            )
            found |= {row.id: _One(row) for row in connection.execute(chosen)}
    return [found[one] for one in ids if one in found]


def _vectors(store: Store, encoder: Encoder | None, ones: Sequence[_One]) -> dict[str, Vectors]:
    if encoder is None or len(ones) < 2:
        return {}
    from store import vectors

    return vectors.vectors_of(store, encoder, [one.id for one in ones])


class _Gathering:
    """The near-copies of one scope and kind. The first of each cluster leads: what is near to it joins it."""

    def __init__(
        self, ones: Sequence[_One], vectors: dict[str, Vectors], judged: _Judged, wanted: Callable[[], bool]
    ) -> None:
        self._ones = {one.id: one for one in ones}
        self._vectors = vectors
        self._judged = judged
        self._wanted = wanted
        self._led: dict[str, list[str]] = {}

    def clusters(self) -> list[Cluster]:
        """Those of two and more."""
        leaders = WordIndex()
        near = self._near_by_vectors()
        for at, one in enumerate(self._ones.values()):
            if at % 64 == 0 and not self._wanted():
                break
            likely = [*near.get(one.id, ()), *(own for own, _ in leaders.like(one.content, least=LEAST_ALIKE))]
            leader = self._leader(one, [own for own in dict.fromkeys(likely) if own in self._led])
            if leader is None:
                self._led[one.id] = [one.id]
                leaders.add(one.id, one.content)
            else:
                self._led[leader].append(one.id)
        return [one for one in self._joined([self._made(led) for led in self._led.values()]) if one.members]

    def _joined(self, found: Sequence[Cluster]) -> list[Cluster]:
        """Clusters of like heads as one: whichever text came first led, and it may be an odd one."""
        order = {one: at for at, one in enumerate(self._ones)}
        kept: dict[str, list[str]] = {}
        heads = WordIndex()
        for cluster in sorted(found, key=lambda one: (-one.size, order[one.head])):
            head = self._ones[cluster.head]
            likely = [own for own, _ in heads.like(head.content, least=LEAST_ALIKE)][:MOST_LOOKED_AT]
            into = next((own for own in likely if self._joins(kept[own], own, head)), None)
            left = []
            for one in cluster.ids:
                if into is not None and self._joins(kept[into], into, self._ones[one]):
                    kept[into].append(one)
                else:
                    left.append(one)
            if left:
                kept[left[0]] = left
                heads.add(left[0], self._ones[left[0]].content)
        return [self._made(sorted(led, key=lambda one: order[one])) for led in kept.values()]

    def _joins(self, led: Sequence[str], head: str, one: _One) -> bool:
        return self._is_near(self._ones[head], one) and self._same_key(led, one)

    def _near_by_vectors(self) -> dict[str, list[str]]:
        """For each, those before it whose vectors are near, the nearest first."""
        ids = [one for one in self._ones if one in self._vectors]
        if len(ids) < 2:
            return {}
        import numpy as np

        held = np.stack([self._vectors[one] for one in ids]).astype(np.float32)
        found: dict[str, list[str]] = {}
        for start in range(0, len(ids), BLOCK):
            cosines = held[start : start + BLOCK] @ held.T
            for row, cosine in enumerate(cosines):
                before = cosine[: start + row]
                close = np.flatnonzero(before >= NEAR)
                best = close[np.argsort(-before[close])][:MOST_LOOKED_AT]
                found[ids[start + row]] = [ids[at] for at in best]
            if not self._wanted():
                break
        return found

    def _leader(self, one: _One, likely: Sequence[str]) -> str | None:
        for own in likely[:MOST_LOOKED_AT]:
            if self._joins(self._led[own], own, one):
                return own
        return None

    def _same_key(self, led: Iterable[str], one: _One) -> bool:
        keys = {self._ones[own].key for own in led} | {one.key}
        return len(keys - {None}) <= 1

    def _is_near(self, one: _One, other: _One) -> bool:
        cosine = self._cosine(one.id, other.id)
        pair = (min(one.id, other.id), max(one.id, other.id), cosine is not None)
        with self._judged.lock:
            known = self._judged.near.get(pair)
        if known is None:
            known = is_near(one.content, other.content, cosine)
            with self._judged.lock:
                if len(self._judged.near) >= MOST_JUDGED:
                    self._judged.near.clear()
                self._judged.near[pair] = known
        return known

    def _cosine(self, one: str, other: str) -> float | None:
        if one not in self._vectors or other not in self._vectors:
            return None
        return float(self._vectors[one] @ self._vectors[other])

    def _made(self, led: Sequence[str]) -> Cluster:
        """The head is the one that has most words in common with the others, if nothing tells it apart from any."""
        index = WordIndex()
        some = led[:CENTRAL]
        for one in some:
            index.add(one, self._ones[one].content)
        typical = {one: self._typical(index, one, len(some)) for one in some}
        for head in sorted(some, key=lambda one: (-typical[one], led.index(one))):
            others = [one for one in led if one != head]
            if all(self._is_near(self._ones[head], self._ones[one]) for one in others):
                return Cluster(head, tuple(others))
        return Cluster(led[0], tuple(led[1:]))

    def _typical(self, index: WordIndex, one: str, number: int) -> float:
        return sum(share for _, share in index.like(self._ones[one].content, least=0.0, most=number))
