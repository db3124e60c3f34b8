"""What tells two statements apart that sound alike: the values that differ, a negation, an opposite, a word of change.

A hint is a reason to look, in the words that the reviewer sees ("5433 -> 5440", "no longer"). Hints bar any merging:
what looks like a copy but says another number is no copy. English and Chinese. Pure, and bounded for any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from store.cue_polarity import change, negated, opposites_of, same_side
from store.cue_reading import (
    ALIKE,
    OF_WHAT,
    Hint,
    Kind,
    Reading,
    aligned,
    alike,
    kept,
    read,
    stem,
    telling,
    tokens,
    trigrams,
)
from store.cue_roles import narrowed, swapped
from store.cue_values import Value, without
from store.cue_words import (
    ONLY,
    SOFT,
    group_of,
    pattern,
    stop_words,
)
from store.text import fold

__all__ = ["MOST_HINTS", "Hint", "Kind", "hints", "same_subject"]

MOST_HINTS: Final = 6
"""Hints of one pair."""
ONE_SLOT: Final = 3
ONE_SLOT_CHINESE: Final = 8
"""Words (Chinese: characters) of both texts that may stand in one another's place and be told as one change."""
MOST_SLOTS: Final = 2
"""Places in which two texts may differ so."""
ORDER_WORDS: Final = (
    r"\b(?:before|prior to)\b|之前",
    r"\b(?:after|once)\b|之后",
    r"\bthen\b|再|然后",
    r"\brather than\b|\bover\b|\binstead of\b|而不是|不用|优先于",
)
RULED_OUT: Final = (
    r"(?:instead of|rather than|no longer|not|never|而不是|而非|不再(?:用|是)?|不用|不要用?|别用)\s*[`'\"]?$"
)
_NOT: Final = frozenset(("not", "never", "no", "don't", "dont"))
"""Plain negations, which say no more than one another."""
LONGEST_SHOWN: Final = 40
"""Characters of a value in a reason."""


def hints(old: str, new: str) -> tuple[Hint, ...]:
    """What of ``new`` differs from ``old``, given that both are about the same thing; the most telling first.

    Empty where one says the other again in its own words, as far as cues can tell.
    """
    if fold(old) == fold(new):
        return ()
    before, after = read(old), read(new)
    found = [*_values_that_differ(before, after), *opposites_of(before, after), *change(before, after)]
    found += negated(before, after, found)
    if not any(hint.kind in OF_WHAT for hint in found):
        found += _names(before, after)
    if not any(hint.kind in (*OF_WHAT, "opposite", "negation") for hint in found):
        found += _slots(before, after)
    unique = {(hint.kind, hint.reason): hint for hint in found}
    return tuple(sorted(unique.values(), key=lambda hint: _ORDER.index(hint.kind)))[:MOST_HINTS]


_ORDER: Final[tuple[Kind, ...]] = (
    "number", "version", "time", "path", "value", "opposite", "negation", "name", "word", "change_word",
)  # fmt: skip


# -- values


def _values_that_differ(before: Reading, after: Reading) -> list[Hint]:
    gone = without(before.values, after.values)
    come = without(after.values, before.values)
    found = [_differs(one, other) for one, other in _pairs(gone, come)]
    if not found:
        found += _swapped(before, after)
    return found + _said_no_more(before, after) + _shut_out(gone, come, before, after)


def _shut_out(gone: Sequence[Value], come: Sequence[Value], before: Reading, after: Reading) -> list[Hint]:
    """A value beside one that was the only one before, or is the only one now ("amd64 only", "amd64 and arm64")."""
    only = pattern(ONLY)
    if come and not gone and only.search(before.folded) and not only.search(after.folded):
        return [Hint("value", "", come[0].shown, f"+ {_short(come[0].shown)}")]
    if gone and not come and only.search(after.folded) and not only.search(before.folded):
        return [Hint("value", gone[0].shown, "", f"- {_short(gone[0].shown)}")]
    return []


def _pairs(gone: Sequence[Value], come: Sequence[Value]) -> Iterator[tuple[Value, Value]]:
    """Each value that is gone with one that has come: of its own kind first, in the order they stand."""
    left = list(come)
    odd: list[Value] = []
    for one in gone:
        match = next((other for other in left if other.kind == one.kind), None)
        if match is None:
            odd.append(one)
            continue
        left.remove(match)
        yield one, match
    alike = ("value", "version", "path", "number")
    for one in odd:
        match = next((other for other in left if other.kind in alike and one.kind in alike), None)
        if match is not None:
            left.remove(match)
            yield one, match


def _differs(one: Value, other: Value) -> Hint:
    kinds: dict[str, Kind] = {"number": "number", "version": "version", "path": "path", "time": "time"}
    kind = kinds.get(other.kind if other.kind == one.kind else "value", "value")
    return Hint(kind, one.shown, other.shown, f"{_short(one.shown)} -> {_short(other.shown)}")


def _swapped(before: Reading, after: Reading) -> list[Hint]:
    """Values that have changed places: the same ones, each for another thing."""
    one = [value.same for value in before.values]
    other = [value.same for value in after.values]
    if len(one) < 2 or one == other or sorted(one) != sorted(other) or alike(before, after) < ALIKE:
        return []
    moved = [(a, b) for a, b in zip(before.values, after.values, strict=True) if a.same != b.same]
    frames = [_frame(before, after, a, b) for a, b in moved]
    return [_differs(*moved[0])] if all(frames) else []


def _frame(before: Reading, after: Reading, one: Value, other: Value) -> bool:
    """Whether both stand behind the same words: "web 8080, admin 9090" against "web 9090, admin 8080"."""
    left, right = _behind(before.said[: one.start]), _behind(after.said[: other.start])
    return bool(left) and left == right


def _behind(said: str) -> list[str]:
    return [word for word in tokens(fold(said[-80:])) if not word[0].isdigit()][-2:]


def _said_no_more(before: Reading, after: Reading) -> list[Hint]:
    """A value that the old text gives and the new one names only to rule it out ("instead of #triage")."""
    ruled_out = pattern(RULED_OUT)
    found = []
    for one in before.values:
        if one.kind == "number" or ruled_out.search(fold(before.said[: one.start])):
            continue
        again = next((other for other in after.values if other.same == one.same), None)
        if again is not None and ruled_out.search(fold(after.said[: again.start])):
            found.append(Hint("value", one.shown, "", f"no longer {_short(one.shown)}"))
    return found


# -- names, and words in one another's place


def _names(before: Reading, after: Reading) -> list[Hint]:
    one = [name for name in before.names if name.lower() not in after.folded]
    other = [name for name in after.names if name.lower() not in before.folded]
    one = [name for name in one if not _meant(name, after)]
    other = [name for name in other if not _meant(name, before)]
    return [Hint("name", a, b, f"{_short(a)} -> {_short(b)}") for a, b in zip(one, other, strict=False)]


def _meant(name: str, text: Reading) -> bool:
    """Whether a text says a name by another word of its group, or by its initials."""
    group = group_of().get(name.lower())
    if group is not None and any(group_of().get(word) == group for word in text.tokens):
        return True
    initials = "".join(word[0] for word in text.tokens)
    return name.isupper() and len(name) < 6 and name.lower() in initials


def _slots(before: Reading, after: Reading) -> list[Hint]:
    """Where all else is the same, the word that stands in another's place; or the same words the other way round."""
    a, b = before.tokens, after.tokens
    if min(len(a), len(b)) < 2:
        return []
    roles = (_order(before, after) if sorted(a) == sorted(b) else []) or swapped(before, after)
    if roles := roles or narrowed(before, after):
        return roles
    a, b = (tuple(tokens(text.folded, every=True)) for text in (before, after))
    if 2 * min(len(a), len(b)) < ALIKE * (len(a) + len(b)):
        return []
    share, changed = aligned(*(tuple("not" if word in _NOT else word for word in some) for some in (a, b)))
    if share < ALIKE or not changed or len(changed) > MOST_SLOTS:
        return []
    if any(one.start == one.end or one.new_start == one.new_end for one in changed):
        return []
    found = [_slot(a[one.start : one.end], b[one.new_start : one.new_end]) for one in changed]
    return [hint for hint in found if hint is not None] if all(found) else []


def _slot(one: Sequence[str], other: Sequence[str]) -> Hint | None:
    """The words of one place as a hint, if they are few and no form or synonym of each other."""
    chinese = any(word >= "\u3400" for word in (*one, *other))
    most = ONE_SLOT_CHINESE if chinese else ONE_SLOT
    if (
        len(one) + len(other) > most
        or {*map(stem, one)} & {*map(stem, other)}
        or not all({*some} - stop_words() for some in (one, other))
    ):
        return None
    if same_side(" ".join(one), " ".join(other)):
        return None  # "short" and "brief"
    glue = "" if chinese else " "
    left, right = glue.join(one), glue.join(other)
    if any(pattern(SOFT).search(said) for said in (left, right)):
        return None
    return Hint("word", left, right, f"{_short(left)} -> {_short(right)}")


def _order(before: Reading, after: Reading) -> list[Hint]:
    """What comes before what, or what is preferred to what, the other way round."""
    for word in ORDER_WORDS:
        between = pattern(word)
        a, b = between.search(before.folded), between.search(after.folded)
        if a is None or b is None:
            continue
        one, other = (_sides(text.folded, found) for text, found in ((before, a), (after, b)))
        if one[1] and other[1] and one[1][0] in other[0] and other[1][0] in one[0]:
            return [Hint("word", a.group(), b.group(), f"{other[1][0]} <-> {one[1][0]}")]
    return []


def _sides(folded: str, found: re.Match[str]) -> tuple[list[str], list[str]]:
    return [*tokens(folded[: found.start()])], [*tokens(folded[found.end() :])]


def _short(said: str) -> str:
    return said if len(said) <= LONGEST_SHOWN else said[: LONGEST_SHOWN - 1] + "…"


# -- the same subject


def same_subject(a: str, b: str, cos: float | None) -> float:
    """How likely two statements are about the same thing, 0 to 1, whether they agree or not.

    ``cos`` is the cosine of their vectors, None where there is no encoder: then the words alone tell. The weights were
    set by hand on two sets of pairs (``tests/quality/test_pairs.py``, ``test_updates.py`` print how well they do).
    """
    one, other = read(a), read(b)
    letters = _dice(trigrams(one), trigrams(other))
    likeness = (
        0.8 * cos + 0.2 * letters if cos is not None else 0.4 * letters + 0.6 * _dice(telling(one), telling(other))
    )
    likeness += 0.1 * _all_values_agree(one, other)
    likeness += 0.1 * bool(change(one, other) or change(other, one))
    likeness -= 0.15 * _other_subject(one, other)
    if cos is not None and _is_chinese(a) != _is_chinese(b):
        likeness += 0.1  # no letters in common between two languages
    return min(1.0, max(0.0, likeness))


def _all_values_agree(one: Reading, other: Reading) -> bool:
    """Whether both hold values or names, and the same ones."""
    if not (one.values or one.names) or not (other.values or other.names):
        return False
    if without(one.values, other.values) or without(other.values, one.values):
        return False
    names = (name.lower() in text.folded for said, text in ((one, other), (other, one)) for name in said.names)
    return all(names)


def _other_subject(one: Reading, other: Reading) -> bool:
    """Whether both begin with a name in code or a path, and not the same one: what comes first is what it is about."""
    first, second = _head(one), _head(other)
    return first is not None and second is not None and first.same != second.same


@kept
def _head(text: Reading) -> Value | None:
    begins = re.search(r"[^\W_]", text.said)
    first = text.values[0] if text.values else None
    if begins is None or first is None or first.kind not in ("path", "value"):
        return None
    return first if first.start <= begins.start() + 1 else None


def _words(one: Reading, other: Reading) -> float:
    return _dice(telling(one), telling(other))


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / max(1, len(one) + len(other))


def _is_chinese(text: str) -> bool:
    return any("\u3400" <= char <= "\u9fff" for char in text)
