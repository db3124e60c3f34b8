"""The newest proposals of some kind, held by their words by whoever looks for the like of a text among them.

No index of the store finds a proposal by its words: what is proposed is never retrieved. So what a reviewer is shown
beside it, and what intake does later, is looked for here, among a bounded number.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from sqlalchemy import select

from store.encoders import Encoder
from store.engine import Store
from store.likeness import WordIndex
from store.reading import PROPOSAL, chunks

if TYPE_CHECKING:
    from store.vectors import Vectors

NEWEST: Final = 5_000
"""Proposals that a pool holds unless it says otherwise; what is older is found through its vector only."""
LIKELY: Final = 12
"""What is given for one text at most, by words and by vectors each."""


@dataclass
class _Held:
    lock: threading.Lock = field(default_factory=threading.Lock)
    index: WordIndex = field(default_factory=WordIndex)


class Pool:
    """The newest proposals that ``which`` (conditions on their table) chooses, of every store this process has open."""

    def __init__(self, which: Callable[[], list[Any]], newest: int = NEWEST) -> None:
        self._which = which
        self._newest = newest
        self._held: WeakKeyDictionary[Store, _Held] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def like(self, store: Store, text: str) -> list[str]:
        """The ids of those that hold most of a text's words, the most alike first, in whatever scope."""
        held = self._of(store)
        with held.lock:
            self._refresh(store, held)
            return [one for one, _share in held.index.like(text, most=LIKELY)]

    def likely(
        self, store: Store, texts: Sequence[tuple[str, str]], encoder: Encoder | None
    ) -> dict[str, dict[str, float | None]]:
        """For each of these (id, text), those that may be like it: by id the cosine, None where there is no vector."""
        held = self._of(store)
        with held.lock:
            self._refresh(store, held)
            by_words = {one: [own for own, _ in held.index.like(text, most=LIKELY)] for one, text in texts}
            ids = sorted(held.index.ids())
        found: dict[str, dict[str, float | None]] = {
            one: {own: None for own in owns if own != one} for one, owns in by_words.items()
        }
        if encoder is not None and ids:
            _add_vectors(store, encoder, [one for one, _ in texts], ids, found)
        return found

    def _of(self, store: Store) -> _Held:
        with self._lock:
            return self._held.setdefault(store, _Held())

    def _refresh(self, store: Store, held: _Held) -> None:
        """Take in what has come since, and forget what no longer belongs."""
        with store.read() as connection:
            mine = [PROPOSAL.c.tenant_id == store.tenant, *self._which()]
            chosen = select(PROPOSAL.c.id).where(*mine).order_by(PROPOSAL.c.id.desc()).limit(self._newest)
            ids = set(connection.execute(chosen).scalars())
            for one in [one for one in held.index.ids() if one not in ids]:
                held.index.discard(one)
            for part in chunks([one for one in ids if one not in held.index]):
                texts = select(PROPOSAL.c.id, PROPOSAL.c.content).where(*mine, PROPOSAL.c.id.in_(list(part)))
                for row in connection.execute(texts):
                    if row.content is not None:
                        held.index.add(row.id, row.content)


def _add_vectors(
    store: Store, encoder: Encoder, asked: Sequence[str], ids: Sequence[str], found: dict[str, dict[str, float | None]]
) -> None:
    import numpy as np

    from store import vectors

    held: dict[str, Vectors] = vectors.vectors_of(store, encoder, list(dict.fromkeys([*ids, *asked])))
    there = [one for one in ids if one in held]
    if not there:
        return
    matrix = np.stack([held[one] for one in there])
    for one in asked:
        if one not in held:
            continue
        cosines = matrix @ held[one]
        best = np.argsort(-cosines)[: LIKELY + 1]
        wanted = {there[at]: float(cosines[at]) for at in best}
        wanted |= {own: float(held[own] @ held[one]) for own in found[one] if own in held}
        wanted.pop(one, None)
        found[one] |= wanted
