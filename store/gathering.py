"""Texts gathered into near-copies: each group with the one that says it most typically, unflagged before flagged.

Never two different keys in one group, and never a hint between its head and a member (``likeness.is_near``).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from store.cue_reading import forget
from store.engine import Store
from store.likeness import NEAR, WordIndex, is_near, marks

if TYPE_CHECKING:
    from store.vectors import Vectors

LEAST_ALIKE: Final = 0.34
"""Share of words in common from which on two are looked at closely."""
MOST_LOOKED_AT: Final = 6
"""Heads that one text is compared with closely."""
CENTRAL: Final = 40
"""Members among which the most typical one is looked for."""
ABOUT: Final = 10
"""Steps in which it is told how typical a text is: within one, its source tells."""
BLOCK: Final = 512
"""Vectors that are compared with all others at once."""
CLOSE_LOOKS: Final = 12_000
"""Pairs that are judged anew in one call: about two seconds. Thousands of texts that differ in a number cost most."""
MOST_JUDGED: Final = 20_000
"""Judgements that are kept."""
ASKED_EVERY: Final = 8
"""Texts after which it is asked whether to go on."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Ids of near-copies: the ``head`` says it most typically, ``members`` are the others in the order given.

    No flagged one is the head where one without a flag could be; of those about as typical the best sourced one is.
    """

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


class One:
    """A text that may be gathered: a proposal's or a memory's. ``row`` has its id, scope, kind, key and content.

    ``flagged`` tells that something about it should be looked at, ``weight`` (0 to 1) what its source is worth.
    """

    __slots__ = ("content", "flagged", "id", "key", "place", "weight")

    def __init__(self, row: Any, *, flagged: bool = False, weight: float = 0.0) -> None:
        self.id: str = row.id
        self.place: tuple[str, str] = (row.scope, row.kind)
        self.key: str | None = row.key
        self.content: str = row.content
        self.flagged = flagged
        self.weight = weight


@dataclass
class _Judged:
    """What one process has judged of a store: whether two are near-copies, by ids (texts never change) and scorer."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    near: dict[tuple[str, str, bool], bool] = field(default_factory=dict)


_JUDGED: WeakKeyDictionary[Store, _Judged] = WeakKeyDictionary()
_LOCK: Final = threading.Lock()


@dataclass
class Looks:
    """How many pairs may still be judged anew."""

    left: int = CLOSE_LOOKS


def gather(
    store: Store,
    ones: Sequence[One],
    vectors: dict[str, Vectors],
    wanted: Callable[[], bool] = lambda: True,
    looks: Looks | None = None,
) -> tuple[list[Cluster], int]:
    """The near-copies of one scope and kind, each group of two and more with its head; how many were not compared.

    ``vectors`` are those that are stored, by id; where one of two has none their words tell. ``wanted`` is asked now
    and then whether to go on.
    """
    with _LOCK:
        judged = _JUDGED.setdefault(store, _Judged())
    return _Gathering(ones, vectors, judged, wanted, looks or Looks()).clusters()


def give_back(store: Store) -> None:
    """Give back the memory of readings and judgements, some kilobytes a text, after many were compared once."""
    forget()
    marks.cache_clear()
    with _LOCK:
        judged = _JUDGED.get(store)
    if judged is not None:
        with judged.lock:
            judged.near.clear()


class _Gathering:
    """The near-copies of one scope and kind. The first of each cluster leads: what is near to it joins it."""

    def __init__(
        self,
        ones: Sequence[One],
        vectors: dict[str, Vectors],
        judged: _Judged,
        wanted: Callable[[], bool],
        looks: Looks,
    ) -> None:
        self._ones = {one.id: one for one in ones}
        self._vectors = vectors
        self._judged = judged
        self._wanted = wanted
        self._looks = looks
        self._led: dict[str, list[str]] = {}

    def clusters(self) -> tuple[list[Cluster], int]:
        """Those of two and more, and how many were not compared."""
        leaders = WordIndex()
        near = self._near_by_vectors()
        for at, one in enumerate(self._ones.values()):
            if self._looks.left <= 0 or (at % ASKED_EVERY == 0 and not self._wanted()):
                break
            likely = [
                *near.get(one.id, ()),
                *(own for own, _ in leaders.like(one.content, least=LEAST_ALIKE, most=MOST_LOOKED_AT)),
            ]
            leader = self._leader(one, [own for own in dict.fromkeys(likely) if own in self._led])
            if leader is None:
                self._led[one.id] = [one.id]
                leaders.add(one.id, one.content)
            else:
                self._led[leader].append(one.id)
        compared = sum(map(len, self._led.values()))
        found = self._joined([self._made(led) for led in self._led.values()])
        return [one for one in found if one.members], len(self._ones) - compared

    def _joined(self, found: Sequence[Cluster]) -> list[Cluster]:
        """Clusters of like heads as one: whichever text came first led, and it may be an odd one."""
        order = {one: at for at, one in enumerate(self._ones)}
        kept: dict[str, list[str]] = {}
        heads = WordIndex()
        for cluster in sorted(found, key=lambda one: (-one.size, order[one.head])):
            head = self._ones[cluster.head]
            likely = [own for own, _ in heads.like(head.content, least=LEAST_ALIKE, most=MOST_LOOKED_AT)]
            into = next((own for own in likely if self._joins(kept[own], own, head)), None)
            left = []
            for one in cluster.ids:
                if into is not None and self._joins(kept[into], into, self._ones[one]):
                    kept[into].append(one)
                else:
                    left.append(one)
            if left:
                kept[left[0]] = left
            if len(left) > 1:
                heads.add(left[0], self._ones[left[0]].content)
        return [self._made(sorted(led, key=lambda one: order[one])) for led in kept.values()]

    def _joins(self, led: Sequence[str], head: str, one: One) -> bool:
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

    def _leader(self, one: One, likely: Sequence[str]) -> str | None:
        for own in likely[:MOST_LOOKED_AT]:
            if self._joins(self._led[own], own, one):
                return own
        return None

    def _same_key(self, led: Iterable[str], one: One) -> bool:
        keys = {self._ones[own].key for own in led} | {one.key}
        return len(keys - {None}) <= 1

    def _is_near(self, one: One, other: One) -> bool:
        cosine = self._cosine(one.id, other.id)
        pair = (min(one.id, other.id), max(one.id, other.id), cosine is not None)
        with self._judged.lock:
            known = self._judged.near.get(pair)
        if known is None:
            self._looks.left -= 1
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
        if len(led) == 1:
            return Cluster(led[0], ())
        index = WordIndex()
        some = sorted(led, key=lambda one: self._ones[one].flagged)[:CENTRAL]
        for one in some:
            index.add(one, self._ones[one].content)
        typical = {one: self._typical(index, one, len(some)) / len(some) for one in some}
        place = {one: at for at, one in enumerate(led)}
        for head in sorted(some, key=lambda one: (*self._standing(one, typical[one]), place[one])):
            others = [one for one in led if one != head]
            if all(self._is_near(self._ones[head], self._ones[one]) for one in others):
                return Cluster(head, tuple(others))
        return Cluster(led[0], tuple(led[1:]))

    def _standing(self, one: str, typical: float) -> tuple[bool, int, float, float]:
        """What makes one the head before another. A source is only claimed: it tells among the equally typical."""
        text = self._ones[one]
        return text.flagged, -round(typical * ABOUT), -text.weight, -typical

    def _typical(self, index: WordIndex, one: str, number: int) -> float:
        return sum(share for _, share in index.like(self._ones[one].content, least=0.0, most=number))
