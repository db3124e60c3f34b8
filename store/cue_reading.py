"""A text as it is compared with another, and what a comparison finds. Pure, bounded."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, Literal, NamedTuple, TypeVar

from store.cue_values import LONGEST_TEXT, Value, numerals, values
from store.cue_words import BOUNDS, CONDITION, DOUBLE, group_of, pattern, stop_words
from store.text import fold

_T = TypeVar("_T")
_DRAWN: Final[list[Any]] = []
MOST_TOKENS: Final = 400
"""Words of a text that are compared."""
MOST_STEPS: Final = 40_000
"""Pairs of equal words that one comparison looks at: texts that people write need a few thousand."""
KEPT: Final = 4_096
"""Texts whose readings are kept, and what was drawn from them; ``forget`` gives the memory back."""
ARTICLES: Final = frozenset(("a", "an", "the", "please", "also", "just", "very", "here"))

_HAN: Final = "\u3400-\u9fff"
_WORD: Final = rf"[{_HAN}]|[^\W{_HAN}]+(?:[-.'/][^\W{_HAN}]+)*"
_EMPHASIS: Final = re.compile(r"(?<!\w)_([^\W_](?:[^_\n]{0,80}[^\W_])?)_(?!\w)")
"""Words that Markdown leans: ``_so_`` says what ``*so*`` says."""
ALIKE: Final = 0.6
"""Share of the words in common from which on two texts are compared word by word."""
OF_WHAT: Final = ("number", "version", "time", "path", "value", "name")
"""The kinds of hints that name the thing that differs."""


Kind = Literal["number", "version", "path", "value", "time", "name", "word", "negation", "opposite", "change_word"]


class Hint(NamedTuple):
    """One difference that matters. ``old`` and ``new`` are as the texts spell it, empty where one has nothing there.

    ``reason`` is what is painted. All three may hold the texts' own characters: whoever paints them goes through
    ``console.visible``.
    """

    kind: Kind
    old: str
    new: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A text as it is compared: its values, its tokens, and the text of its statement without conditions.

    One text is read once (``read``), so that each reading is equal to itself only, and what is drawn from it is kept.
    """

    said: str
    folded: str
    main: str
    values: tuple[Value, ...]
    tokens: tuple[str, ...]
    words: frozenset[str]
    names: tuple[str, ...]


@lru_cache(maxsize=KEPT)
def read(text: str) -> Reading:
    """A text's reading; the texts on the screen and their likes are read again and again."""
    said = _EMPHASIS.sub(r"\1", unicodedata.normalize("NFKC", text[:LONGEST_TEXT]).replace("’", "'"))
    folded = " ".join(fold(numerals(said)).replace("’", "'").split())
    said_twice = pattern(DOUBLE).sub(" ", folded)
    main = pattern(BOUNDS).sub(" ", pattern(CONDITION).sub(" ", said_twice))
    if not main.strip():
        main = pattern(BOUNDS).sub(" ", said_twice)
    return Reading(said, folded, main, tuple(values(said)), tuple(tokens(folded)), _stems(folded), tuple(_proper(said)))


def forget() -> None:
    """Give back the memory of the readings, after many texts were compared once."""
    read.cache_clear()
    alike.cache_clear()
    for drawn in _DRAWN:
        drawn.cache_clear()


def kept(drawn: Callable[[Reading], _T]) -> Callable[[Reading], _T]:
    """Keep what a function draws from a reading, as long as the reading."""
    cached = lru_cache(maxsize=KEPT)(drawn)
    _DRAWN.append(cached)
    return cached


def _stems(folded: str) -> frozenset[str]:
    return frozenset(stem(word) for word in pattern(r"[a-z]+").findall(folded))


def _proper(said: str) -> Iterator[str]:
    """Capitalised words inside a sentence, with those that follow on ("VS Code")."""
    for found in re.finditer(r"(?<=[a-z,;:)\]'\"`] )(?:[A-Z][\w+#-]*)(?: [A-Z][\w+#-]*)*", said):
        name = found.group()
        if name not in ("I", "OK") and not name.isdigit():
            yield name


def tokens(folded: str, *, every: bool = False) -> Iterator[str]:
    """The words of a folded text, each as the first of its group of synonyms; Chinese by characters.

    Without the stop words; with ``every``, without the articles only.
    """
    stop, group = stop_words(), group_of()
    for at, found in enumerate(pattern(_WORD).finditer(folded)):
        if at > MOST_TOKENS:
            return
        word = found.group()
        if word not in (ARTICLES if every else stop):
            yield group.get(word, word)


def stem(word: str) -> str:
    """An English word without its ending."""
    return re.sub(r"(?:ments?|ations?|ings?|ers?|ed|es|s|e|y)$", "", word) if word.isascii() and len(word) > 4 else word


class Change(NamedTuple):
    """Words of one text, from ``start`` to ``end``, in whose place the other has those from ``new_start``."""

    start: int
    end: int
    new_start: int
    new_end: int


class Aligned(NamedTuple):
    """Two texts word by word: the share of words in common, 0 to 1, and where they differ, in order."""

    share: float
    changes: tuple[Change, ...]


def aligned(one: Sequence[str], other: Sequence[str]) -> Aligned:
    """Two sequences of words held against each other, the longest stretch in common first, as ``difflib`` does.

    Words said hundreds of times would cost seconds so. Past ``MOST_STEPS`` what is left between two stretches counts as
    one change, and to the share by the words that both have there in any order.
    """
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    places = matcher.b2j  # type: ignore[attr-defined]  # where each word stands in the other; no stub has it
    steps = list(accumulate((1 + len(places.get(word, ())) for word in one), initial=0))
    left, common = MOST_STEPS, 0
    blocks: list[tuple[int, int, int]] = []
    waiting = [(0, len(one), 0, len(other))]
    while waiting:
        start, end, low, high = waiting.pop()
        if start == end or low == high:
            continue
        left -= steps[end] - steps[start]
        if left < 0:
            common += sum((Counter(one[start:end]) & Counter(other[low:high])).values())
            continue
        at, there, size = matcher.find_longest_match(start, end, low, high)
        if size:
            common += size
            blocks.append((at, there, size))
            waiting += ((start, at, low, there), (at + size, end, there + size, high))
    share = 2 * common / (len(one) + len(other)) if one or other else 1.0
    return Aligned(share, tuple(_between(blocks, len(one), len(other))))


def _between(blocks: list[tuple[int, int, int]], length: int, other: int) -> Iterator[Change]:
    """What stands between the stretches in common, in order."""
    at = there = 0
    for start, low, size in (*sorted(blocks), (length, other, 0)):
        if start > at or low > there:
            yield Change(at, start, there, low)
        at, there = start + size, low + size


@lru_cache(maxsize=KEPT)
def alike(before: Reading, after: Reading) -> float:
    """The share of words that both have in the same order, 0 to 1."""
    return aligned(before.tokens, after.tokens).share


@kept
def trigrams(text: Reading) -> frozenset[str]:
    """The pieces of three characters of a text."""
    said = f" {text.folded} "
    return frozenset(said[at : at + 3] for at in range(max(1, len(said) - 2)))


@kept
def telling(text: Reading) -> frozenset[str]:
    """The words of a text without stop words and endings."""
    return frozenset(stem(word) for word in text.tokens)
