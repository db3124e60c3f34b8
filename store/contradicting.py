"""Memories in use that say two different things about one matter: another number, version, date, the opposite.

A bounded look for a person who re-checks, never a judgement: both stay as they are until somebody decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import select

from store.cues import hints, same_subject
from store.engine import Store
from store.likeness import NEAR_BY_WORDS, WordIndex
from store.reading import MEMORY, chunks

MOST: Final = 2_000
"""Memories that are compared, the first ones given: about a second."""
LOOKS: Final = 2_000
"""Pairs that are read closely in one call."""
LEAST_ALIKE: Final = 0.5
"""Share of words in common from which on two are read closely."""
BESIDE: Final = 3
"""Texts that one is compared with closely."""
SERIES: Final = 2
"""Others that one memory may be against; with more it is one of a series ("run 2: 39 ms", "run 3: 41 ms")."""
KINDS: Final = frozenset({"number", "version", "time", "value", "opposite", "negation", "change_word"})
"""Hints that say another thing of the same matter; another name, path or word is another matter."""


class Against(NamedTuple):
    """What a memory is against: the other's id, and its first hint (``cues.Hint.reason``; it may hold their texts)."""

    other: str
    reason: str


def against(store: Store, ids: Sequence[str], *, wanted: Callable[[], bool] = lambda: True) -> dict[str, Against]:
    """By memory, one that it is against, for those among ``ids`` that are. For a worker thread.

    Only within one scope, or with what holds everywhere; two with different keys are two matters.
    """
    chosen = list(dict.fromkeys(ids))[:MOST]
    texts = _texts(store, chosen)
    index = WordIndex()
    found: dict[str, list[Against]] = {}
    looks = LOOKS
    for at, (id_, (scope, key, content)) in enumerate(texts.items()):
        if looks <= 0 or (at % 64 == 0 and not wanted()):
            break
        for other, _share in index.like(content, least=LEAST_ALIKE, most=BESIDE):
            looks -= 1
            place, name, said = texts[other]
            apart = place != scope and "global" not in (place, scope)
            if apart or (key and name and key != name):
                continue
            reason = _why(content, said)
            if reason is not None:
                found.setdefault(id_, []).append(Against(other, reason))
                found.setdefault(other, []).append(Against(id_, reason))
        index.add(id_, content)
    series = {one for one, others in found.items() if len(others) > SERIES}
    alone = {one: [it for it in others if it.other not in series] for one, others in found.items() if one not in series}
    return {one: others[0] for one, others in alone.items() if others}


def _why(one: str, other: str) -> str | None:
    told = hints(one, other)
    if not told or any(hint.kind not in KINDS for hint in told):
        return None
    return told[0].reason if same_subject(one, other, None) >= NEAR_BY_WORDS else None


def _texts(store: Store, ids: Sequence[str]) -> dict[str, tuple[str, str | None, str]]:
    found: dict[str, tuple[str, str | None, str]] = {}
    columns = (MEMORY.c.id, MEMORY.c.scope, MEMORY.c.key, MEMORY.c.content)
    with store.read() as connection:
        for part in chunks(ids):
            asked = select(*columns).where(
                MEMORY.c.tenant_id == store.tenant, MEMORY.c.id.in_(list(part)), MEMORY.c.content.is_not(None)
            )
            found |= {row.id: (row.scope, row.key, row.content) for row in connection.execute(asked)}
    return {one: found[one] for one in ids if one in found}
