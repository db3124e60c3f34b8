"""Texts that say nearly the same: a judgement on two, and an index of many that finds the likely ones. Pure.

Only what no hint tells apart is a near-copy (``cues.hints``); likeness alone never merges anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import Final

from store.cue_reading import KEPT, read, stem
from store.cue_roles import scope_of
from store.cue_values import LONGEST_TEXT, Value, numerals, without
from store.cue_words import group_of, pattern, stop_words
from store.cues import hints, same_subject
from store.text import fold, words

NEAR: Final = 0.66
"""``same_subject`` with vectors from which on two statements without a hint are near-copies."""
NEAR_BY_WORDS: Final = 0.58
"""The same by words alone."""
COUNTED: Final = 2_000
"""Occurrences of a text's words that are counted in other texts, from the rarest word on: the rest are too common."""
LOOKED_AT: Final = 40
"""Texts that are looked at closely for one."""

_HEAD: Final = r"[\s>*+-]*?(\*\*|`|\")(.{1,80}?)\1"


def is_near(one: str, other: str, cos: float | None = None) -> bool:
    """Whether two texts say nearly the same, so that one may stand for both; ``cos`` is their vectors' cosine."""
    if len(one) > LONGEST_TEXT or len(other) > LONGEST_TEXT:
        return False  # nobody has looked at all of it
    if _head(one) != _head(other) and _head(one) and _head(other):
        return False  # what it is about stands in front: `make test`, **Cache**
    if not _same_values(one, other) or scope_of(read(one)) != scope_of(read(other)):
        return False
    alike = cos is not None and same_subject(one, other, cos) >= NEAR
    return (alike or same_subject(one, other, None) >= NEAR_BY_WORDS) and not (hints(one, other) or hints(other, one))


def _head(text: str) -> str:
    """What a text sets in bold, quotes or as code at its beginning, folded; empty where it does not."""
    found = pattern(_HEAD).match(text[:200])
    return fold(found.group(2)).strip("`* :") if found else ""


def _same_values(one: str, other: str) -> bool:
    """Whether both hold the same numbers, versions, dates, paths and switches: one of them alone is something more."""
    sides = [[value for value in read(text).values if _counts(value)] for text in (one, other)]
    return not without(sides[0], sides[1]) and not without(sides[1], sides[0])


def _counts(value: Value) -> bool:
    return value.kind != "value" or value.shown.startswith("-")


@lru_cache(maxsize=KEPT)
def marks(text: str) -> frozenset[str]:
    """What a text is found by: its words without endings and stop words, synonyms as one, Chinese in pairs."""
    stop, group = stop_words(), group_of()
    said = words(numerals(text[:LONGEST_TEXT]))
    return frozenset(stem(group.get(word, word)) for word in said if word not in stop)


class WordIndex:
    """Texts by the words they hold; what one is like costs the length of the lists of its rare words."""

    def __init__(self) -> None:
        self._marks: dict[str, frozenset[str]] = {}
        self._held_by: dict[str, dict[str, None]] = {}

    def __len__(self) -> int:
        return len(self._marks)

    def __contains__(self, one: object) -> bool:
        return one in self._marks

    def ids(self) -> Iterable[str]:
        """What it holds."""
        return self._marks.keys()

    def add(self, one: str, text: str) -> None:
        """Hold a text; the one of the same id before is forgotten."""
        self.discard(one)
        self._marks[one] = found = marks(text)
        for mark in found:
            self._held_by.setdefault(mark, {})[one] = None

    def discard(self, one: str) -> None:
        """Forget a text, if it is there."""
        for mark in self._marks.pop(one, ()):
            held = self._held_by[mark]
            held.pop(one, None)
            if not held:
                del self._held_by[mark]

    def like(self, text: str, *, least: float = 0.3, most: int = LOOKED_AT) -> list[tuple[str, float]]:
        """The ids of the texts most like this one, the most alike first, each with its share of words in common."""
        asked = marks(text)
        lists = sorted((held for mark in asked if (held := self._held_by.get(mark))), key=len)
        counts: Counter[str] = Counter()
        left = COUNTED
        for held in lists:
            if left <= 0 or (counts and len(held) > left):
                break
            counts.update(islice(held, left))
            left -= len(held)
        found = []
        for one, _shared in counts.most_common(most * 4):
            own = self._marks[one]
            share = 2 * len(own & asked) / (len(own) + len(asked))
            if share >= least:
                found.append((one, share))
        found.sort(key=lambda pair: (-pair[1], pair[0]))
        return found[:most]
