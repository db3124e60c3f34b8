"""Near-copies kept up while what waits comes and goes: only what is like the new ones is compared again.

A queue of 100,000 loses a row with every decision, and another one comes into sight at its end. Comparing thousands of
texts anew for that would cost a second each time; here a new one is held against the words of the others, and then
closely against a dozen.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from store.clusters import MANY, MOST, additions, compared
from store.encoders import Encoder
from store.engine import Store
from store.gathering import LEAST_ALIKE, Cluster, One
from store.likeness import marks

LIKELY: Final = 12
"""What is compared closely with one that is new, at most, and the near-copies of each."""
FEW: Final = 64
"""New ones up to which they alone are compared; for more of them all are."""
_Words = Mapping[str, "array[int]"]


@dataclass(frozen=True, slots=True)
class Kept:
    """The near-copies among some proposals, and by what words each of these is found: 4 bytes a word.

    ``words`` has every id that was looked at; what is no addition has none. ``encoder`` is the key of what judged
    likeness (None: words alone), ``whole`` whether all had their vectors by then.
    """

    items: tuple[Cluster, ...]
    words: _Words
    encoder: str | None
    whole: bool
    looked_at: int = 0
    """How many texts were compared closely to come to this: all, or what was like the new ones."""


def kept_up(
    store: Store,
    ids: Sequence[str],
    before: Kept | None,
    *,
    encoder: Encoder | None = None,
    wanted: Callable[[], bool] = lambda: True,
) -> Kept | None:
    """The near-copies among the first ``MOST`` of these; None where that says nothing else than ``before``.

    All are compared where there is no ``before``, where another encoder judges or the last vectors have come, where
    there are few, and where more than ``FEW`` are new. For a worker thread.
    """
    chosen = list(dict.fromkeys(ids))[:MOST]
    key = encoder.key if encoder is not None else None
    if before is not None and before.encoder == key:
        new = [one for one in chosen if one not in before.words]
        whole = before.whole or _all_encoded(store, key, chosen)
        if whole == before.whole:
            if not new:
                return None
            if len(chosen) > MANY and len(new) <= FEW:
                return _taken_in(store, chosen, new, before, encoder, wanted)
    ones = additions(store, chosen)
    words = dict.fromkeys(chosen, _NOTHING)
    found = compared(store, ones, encoder, wanted, looked_at=lambda some: words.update(_words_of(some)))
    return Kept(found.items, words, key, _all_encoded(store, key, chosen), len(ones))


def _taken_in(
    store: Store,
    chosen: Sequence[str],
    new: Sequence[str],
    before: Kept,
    encoder: Encoder | None,
    wanted: Callable[[], bool],
) -> Kept:
    """Compare the new ones with each other and with what is like them, whole clusters at a time."""
    come = dict.fromkeys(new, _NOTHING) | _words_of(additions(store, new))
    there = frozenset(chosen)
    known = {one: before.words[one] for one in chosen if one in before.words}
    like = _like(come, known) | come.keys()
    touched = [cluster for cluster in before.items if not like.isdisjoint(cluster.ids)]
    like = like.union(*(cluster.ids for cluster in touched))
    some = [one for one in chosen if one in like]
    found = compared(store, additions(store, some), encoder, wanted)
    untouched = [one for one in before.items if one not in touched and not there.isdisjoint(one.ids)]
    return Kept((*untouched, *found.items), known | come, before.encoder, before.whole, len(some))


def _words_of(ones: Sequence[One]) -> dict[str, array[int]]:
    """The words of each, with its scope and kind, which near-copies share, as the first."""
    found = {}
    for one in ones:
        place = crc32("\0".join(one.place).encode())
        found[one.id] = array("I", (place, *(crc32(mark.encode()) for mark in sorted(marks(one.content)))))
    return found


_NOTHING: Final = array("I")


def _like(new: _Words, known: _Words) -> set[str]:
    """Of those known the most alike for each new one: one walk through all their words, however many are new."""
    asked: dict[int, list[str]] = {}
    places: dict[int, None] = {}
    for one, own in new.items():
        if own:
            places[own[0]] = None
            for mark in own[1:]:
                asked.setdefault(mark, []).append(one)
    shares: dict[str, list[tuple[float, str]]] = {}
    for one, own in known.items():
        if not own or own[0] not in places:
            continue
        shared: dict[str, int] = {}
        for mark in own[1:]:
            for other in asked.get(mark, ()):
                shared[other] = shared.get(other, 0) + 1
        for other, number in shared.items():
            theirs = new[other]
            share = 2 * number / (len(own) + len(theirs) - 2)
            if share >= LEAST_ALIKE and theirs[0] == own[0]:
                shares.setdefault(other, []).append((share, one))
    return {one for found in shares.values() for _, one in sorted(found, reverse=True)[:LIKELY]}


def _all_encoded(store: Store, key: str | None, ids: Sequence[str]) -> bool:
    """Whether there is a vector for each of these."""
    if key is None:
        return False
    from store import vector_rows  # which brings numpy

    with store.read() as connection:
        return len(vector_rows.text_hashes(connection, store.tenant, key, ids)) >= len(ids)
