"""A set of statements, and whether one of them is said again: with the same words, or fewer of them. Pure.

Serves two flags: what repeats the project's own instructions, and what gives back a memory that was handed out. Both
ask the same: is everything that this text says said there, and does nothing tell the two apart? Where a value, a
negation or a word of change does (``store.cues``), it is another statement.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Final, Generic, TypeVar

from store.text import fold, grams

Label = TypeVar("Label", bound=Hashable)
MOST_GRAMS: Final = 80
"""Telling words of a text that is looked for; a longer one is no repeated line."""
MOST_PLACES: Final = 400
"""Statements that a word leads to; one that leads to more tells nothing."""
FEWEST: Final = 3
"""Telling words that must be shared, unless both texts are the same: two words meet by chance."""
SHARE: Final = 0.9
"""Of the telling words, how many the statement must hold."""
LOOSE: Final = 0.5
"""Of the statement's telling words, how many the text must hold: a word or two out of a long line do not repeat it."""
_EDGES: Final = re.compile(r"^[\W_]+|[\W_]+$")
_COMMON_WORDS: Final = (
    "a an and are as at be but by can do does for from had has have how i if in into is it its just of on one only or "
    "our please should so than that the their them then there they this to up us was we were what when which who will "
    "with would you your all any 的 了 在 是 和 与 请 都 会 用 要 有"
)
_COMMON: Final = frozenset(_COMMON_WORDS.split())


class Sayings(Generic[Label]):
    """Statements with their labels. The first of several that are alike is the one that is told."""

    def __init__(self, said: Iterable[tuple[Label, str]]) -> None:
        self._texts: list[str] = []
        self._labels: list[Label] = []
        self._sizes: list[int] = []
        self._whole: dict[str, int] = {}
        self._places: dict[str, list[int]] = {}
        for label, text in said:
            self._add(label, text)

    def _add(self, label: Label, text: str) -> None:
        place, telling = len(self._texts), _telling(text)
        self._texts.append(text)
        self._labels.append(label)
        self._sizes.append(len(telling))
        self._whole.setdefault(plain(text), place)
        for gram in telling:
            self._places.setdefault(gram, []).append(place)

    def __len__(self) -> int:
        return len(self._texts)

    def again(self, text: str) -> Label | None:
        """The label of the statement that ``text`` repeats; None where it says anything of its own."""
        if not self._texts:
            return None
        whole = self._whole.get(plain(text))
        if whole is not None:
            return self._labels[whole]
        from store.cues import hints  # reading cues is prepared only where something is compared

        telling = _telling(text)
        if not FEWEST <= len(telling) <= MOST_GRAMS:
            return None
        met: Counter[int] = Counter()
        for gram in telling:
            places = self._places.get(gram, ())
            if len(places) <= MOST_PLACES:
                met.update(places)
        needed = max(FEWEST, SHARE * len(telling))
        for place, number in met.most_common(3):
            if number < needed or number < LOOSE * self._sizes[place]:
                break
            if self._in_order(place, telling, needed) and not hints(self._texts[place], text):
                return self._labels[place]
        return None

    def _in_order(self, place: int, telling: list[str], needed: float) -> bool:
        """Whether the words come in the statement's order: "use pip, never uv" has all words of its opposite."""
        order = {gram: at for at, gram in enumerate(_telling(self._texts[place]))}
        ends: list[int] = []
        for at in (order[gram] for gram in telling if gram in order):
            reached = bisect_left(ends, at)
            ends[reached : reached + 1] = [at]
        return len(ends) >= needed


def plain(text: str) -> str:
    """A text by which two spellings of one statement meet: folded, white space and marks at the ends aside."""
    return _EDGES.sub("", " ".join(fold(text).split()))


def _telling(text: str) -> list[str]:
    return [gram for gram in grams(text[:4_000]) if gram not in _COMMON and "_" not in gram]
