"""What is like a query in meaning, whatever its words: the half of finding that needs an encoder.

A memory's likeness by meaning is what its cosine has beyond that of unrelated texts, halved: on the question sets of
tests/quality the better of that and the likeness by words finds more than either alone. Without an encoder, or before
anything has a vector, words alone judge, and every answer says which it was.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Final
from weakref import WeakSet

from sqlalchemy import select

from store import config, encoders, ranking
from store.candidates import View
from store.encoders import Encoder, EncoderMissing
from store.engine import Store
from store.models import EmbeddingRow

EMBEDDING = EmbeddingRow.__table__  # type: ignore[attr-defined]
WORDS: Final = "words"
"""What judges likeness where there is no encoder."""
FLOOR: Final = 0.3
"""What is less like than this (``vectors.sim``, 0 to 1) answers nothing by its meaning."""
WEIGHT: Final = 0.5
"""What likeness by meaning counts for beside likeness by words."""
MOST: Final = 50
"""Memories that are looked at for their meaning."""
_LOADING: Final = threading.Lock()
_ASKS_ONCE: Final[WeakSet[Store]] = WeakSet()
"""Stores of which the next query is likely the only one: no vectors are kept in memory for it."""


class Meant(dict[str, float]):
    """By memory id the cosine with a query. ``scorer`` names what judged it; ``m`` is the model's baseline."""

    def __init__(self, found: Mapping[str, float], encoder: Encoder | None, asked: str) -> None:
        super().__init__(found)
        self._encoder = encoder
        self._asked = asked
        self.scorer = WORDS if encoder is None else f"{encoder.title} + {WORDS}"

    def likeness(self, memory_id: str, said: str) -> float:
        """How like a memory is, 0 to ``WEIGHT``; 0 where it is not like enough. ``said`` tells its language."""
        cos = self.get(memory_id)
        if cos is None or self._encoder is None:
            return 0.0
        m = self._encoder.baseline(encoders.together(self._asked, said))
        sim = (cos - m) / (1 - m)
        return WEIGHT * sim if sim >= FLOOR else 0.0


def meant(view: View, asked: str, encoder: Encoder | None) -> Meant:
    """The memories of a view that are nearest to a query, for ``encoder`` or else the one at hand.

    Empty where there is none, where nothing has a vector of it yet, and for a query that is meant to the letter.
    """
    chosen = encoder or encoders.at_hand()
    if chosen is None or _to_the_letter(asked):
        return Meant({}, None, asked)
    from store import vectors  # numpy: only where there is something to compare

    statuses = [one for one in view.statuses if one in vectors.STATUSES["memory"]]
    try:
        query = chosen.encode([asked], query=True)[0]
    except EncoderMissing:
        encoders.lost(chosen)
        return Meant({}, None, asked)
    once = view.store in _ASKS_ONCE
    _ASKS_ONCE.discard(view.store)
    found = vectors.nearest(
        view.store, chosen, query, scopes=view.scopes, statuses=statuses, kinds=view.kinds, limit=MOST, once=once
    )
    return Meant(dict(found), chosen if found else None, asked)


def ready(store: Store, query: str) -> None:
    """Have the person's encoder at hand for the one query of a command, if any memory has a vector; takes a second."""
    _ASKS_ONCE.add(store)
    if not _to_the_letter(query) and encoders.at_hand() is None and _any(store):
        encoders.load(encoders.chosen(config.load()))


def soon(store: Store) -> None:
    """The same for whoever must answer at once: loaded aside, for the next query."""
    if encoders.at_hand() is None and _any(store) and _LOADING.acquire(blocking=False):
        threading.Thread(target=_load, name="encoder", daemon=True).start()


def _to_the_letter(asked: str) -> bool:
    """Whether a query is a name, a path or the like; a Chinese sentence with a full stop in it is none."""
    return asked.isascii() and ranking.only_literal(asked)


def _load() -> None:
    try:
        encoders.load(encoders.chosen(config.load()))
    finally:
        _LOADING.release()


def _any(store: Store) -> bool:
    with store.read() as connection:
        of_memories = (EMBEDDING.c.tenant_id == store.tenant, EMBEDDING.c.owner == "memory")
        held = select(EMBEDDING.c.owner_id).where(*of_memories).limit(1)
        return connection.execute(held).first() is not None
