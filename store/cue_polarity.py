"""Whether one of two statements says the opposite of the other: negations, contrary words, words of change. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from store.cue_reading import ALIKE, OF_WHAT, Hint, Reading, alike, kept, stem
from store.cue_words import BOUNDS, CHANGE, NEGATION, NOT_CHANGE, PREFIXED, SOFT, opposites, pattern

PLACES: Final = frozenset(("above", "over", "below", "under", "within", "up to"))
"""Words that bound a number, and say no more than where anything else is: "within this repository"."""
_NUMBER_AHEAD: Final = r".{0,16}?(?:\d|\bv\d|\ban? )"


def opposites_of(before: Reading, after: Reading) -> list[Hint]:
    """Contrary words, one in each: "on" and "off", "draft" and "final", "at least" and "at most"."""
    one, other = _held(before), _held(after)
    both = _negates(before) and _negates(after)
    found = []
    for place in sorted(one.keys() & other.keys()):
        a, b = one[place], other[place]
        if len(a) != 1 or len(b) != 1 or {*a} == {*b}:
            continue  # a text that holds both says nothing by either
        (old,), (new,) = a.values(), b.values()
        # "never pip" and "always uv, not pip": where one of the two is a negation, and the other text has one as well.
        if not (both and any(pattern(NEGATION).search(said) for said in (old, new))):
            found.append(Hint("opposite", old, new, f"{old} -> {new}"))
    return found + _bounds(before, after)


@kept
def _held(text: Reading) -> dict[int, dict[int, str]]:
    """By place in ``OPPOSITES``, which of the two a text holds (0 or 1, or both), as it spells it."""
    held: dict[int, dict[int, str]] = {}
    for place, pair in enumerate(opposites()):
        for side, said in enumerate(pair):
            if found := said.search(text.folded):
                held.setdefault(place, {})[side] = found.group()
    return held


def same_side(one: str, other: str) -> bool:
    """Whether two words are one of a pair of contraries in two spellings: "short" and "brief"."""
    return any(side.said.fullmatch(one) and side.said.fullmatch(other) for pair in opposites() for side in pair)


@kept
def _negates(text: Reading) -> bool:
    return pattern(NEGATION).search(text.main) is not None


def _bounds(before: Reading, after: Reading) -> list[Hint]:
    """At least against at most."""
    one, other = (bound_of(text) for text in (before, after))
    if not one or not other or {*one} & {*other}:
        return []
    (old,), (new,) = list(one.values())[:1], list(other.values())[:1]
    return [Hint("opposite", old, new, f"{old} -> {new}")]


@kept
def bound_of(text: Reading) -> dict[str, str]:
    """The bounds that a text sets: "least" or "most", each as it is spelled."""
    sides = {"ge": "least", "more": "least", "le": "most", "less": "most"}
    return {
        sides[str(found.lastgroup)]: found.group()
        for found in pattern(BOUNDS).finditer(text.folded)
        if found.group() not in PLACES or pattern(_NUMBER_AHEAD).match(text.folded, found.end())
    }


def negated(before: Reading, after: Reading, found: list[Hint]) -> list[Hint]:
    """A negation in one of them. Beside an opposite it takes the opposite back: "not disabled" is "enabled"."""
    one, other = _negations(before, after), _negations(after, before)
    if (one and not other and _is_soft(after)) or (other and not one and _is_soft(before)):
        return []
    if bool(one) == bool(other):
        if not one or len(one) == len(other) or alike(before, after) < ALIKE:
            return []
        one, other = _only(one, other), _only(other, one)
        if bool(one) == bool(other):
            return []
    opposite = [hint for hint in found if hint.kind == "opposite"]
    word = (one or other)[0]
    inside = [hint for hint in opposite if word in hint.old or word in hint.new]
    if inside or (word.isascii() and any(hint.kind == "change_word" and word in hint.new for hint in found)):
        return []
    if opposite:
        for hint in opposite:
            found.remove(hint)
        return []
    if any(hint.kind in OF_WHAT for hint in found) and alike(before, after) < ALIKE:
        return []  # the value says it better, and freely worded texts negate by the way
    negated = _around(word, before if one else after)
    if one:
        return [Hint("negation", negated, "", f"- {negated}")]
    return [Hint("negation", "", negated, f"+ {negated}")]


def _around(word: str, text: Reading) -> str:
    """A negation with what it negates, where that is Chinese and the negation a character or two."""
    if word < "\u3400":
        return word
    at = text.main.find(word)
    return re.split(r"[\W_]", text.main[at : at + len(word) + 2])[0]


@kept
def _is_soft(text: Reading) -> bool:
    return pattern(SOFT).search(text.main) is not None


def _only(some: Sequence[str], others: Sequence[str]) -> list[str]:
    left = list(others)
    return [one for one in some if one not in left or left.remove(one)]  # type: ignore[func-returns-value]


def _negations(one: Reading, other: Reading) -> list[str]:
    """The negations of the statement; of a text without any but in its conditions, none."""
    found = [word for word in _negating(one) if not _by_chance(one, other, word)]
    contrary = _contraries(one)
    return found + [word for word, inside in contrary if inside in other.words and word not in other.folded]


@kept
def _negating(text: Reading) -> tuple[str, ...]:
    return tuple(found.group() for found in pattern(NEGATION).finditer(text.main))


@kept
def _contraries(text: Reading) -> tuple[tuple[str, str], ...]:
    """Words that are the contrary of the one inside them ("unencrypted"), if they are words like that at all; both."""
    found = pattern(PREFIXED).finditer(text.main)
    return tuple((word.group(), stem(word.group(1) or word.group(2))) for word in found)


def _by_chance(one: Reading, other: Reading, word: str) -> bool:
    """A negation that both texts hold somewhere, be it in a condition in one of them, tells nothing."""
    return word in other.folded and word not in other.main and one.main != one.folded


def change(before: Reading, after: Reading) -> list[Hint]:
    """A word in the new text, and none in the old, that says that something was otherwise before."""
    word = _change_word(after)
    return [Hint("change_word", "", word, word)] if word and not _change_word(before) else []


@kept
def _change_word(text: Reading) -> str:
    """The first word that says that something was otherwise before; empty where there is none."""
    found = pattern(CHANGE).search(pattern(NOT_CHANGE).sub(" ", text.folded))
    return found.group() if found else ""
