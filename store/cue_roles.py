"""Who does what to whom, and of what it is said: roles that have changed places, and words that narrow. Pure.

"Use uv, never pip" and "use pip, never uv" hold the same words; "API tests run nightly" is said of fewer tests than
"tests run nightly".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from store.cue_reading import ALIKE, Hint, Reading, aligned, alike, kept, stem, tokens
from store.cue_words import EXCEPT, ONLY, QUALIFIERS, RULES_OUT, group_of, pattern, says_little, stop_words

LONGEST_SENTENCE: Final = 24
"""Words up to which one more word before a noun counts: in a long text it is a detail of the wording."""
LONGEST_ROLE: Final = 3
"""Words that may stand in one role."""
MOST_SHOWN: Final = 40
"""Characters of a word in a reason."""


def swapped(before: Reading, after: Reading) -> list[Hint]:
    """Two that have changed places: what is used and what is ruled out, who calls and who is called."""
    return _ruled_out(before, after) or _places(before, after)


def _ruled_out(before: Reading, after: Reading) -> list[Hint]:
    one, other = _rules_out(before), _rules_out(after)
    if not one or not other or {*one} & {*other} or alike(before, after) < ALIKE:
        return []
    old = next((word for word in other if word in before.tokens), None)
    new = next((word for word in one if word in after.tokens), None)
    return [_both_ways(old, new)] if old and new else []


@kept
def _rules_out(text: Reading) -> tuple[str, ...]:
    """The words that a text rules out: what stands behind "never", "not", "instead of"."""
    group = group_of()
    found = (match.group(1) for match in pattern(RULES_OUT).finditer(text.folded))
    return tuple(group.get(word, word) for word in found if word not in stop_words() | says_little())


def _places(before: Reading, after: Reading) -> list[Hint]:
    """The same words, of which two have changed places around what stands between them."""
    a, b = list(before.tokens), list(after.tokens)
    if a == b or sorted(a) != sorted(b):
        return []
    while a and a[0] == b[0]:
        del a[0], b[0]
    while a and a[-1] == b[-1]:
        del a[-1], b[-1]
    for one in range(1, min(LONGEST_ROLE, len(a)) + 1):
        for other in range(1, min(LONGEST_ROLE, len(a) - one - 1) + 1):
            between = a[one : len(a) - other]
            if a[:one] == b[-one:] and a[-other:] == b[:other] and between == b[other : len(b) - one]:
                return [_both_ways(_said(a[:one]), _said(a[-other:]))]
    return []


def _said(words: Sequence[str]) -> str:
    return ("" if words[0] >= "\u3400" else " ").join(words)


def _both_ways(one: str, other: str) -> Hint:
    return Hint("word", one, other, f"{one[:MOST_SHOWN]} <-> {other[:MOST_SHOWN]}")


def narrowed(before: Reading, after: Reading) -> list[Hint]:
    """An exception that only one of them makes, or a word before a noun that makes it mean fewer things."""
    return _excepted(before, after) or _qualified(before, after)


def _excepted(before: Reading, after: Reading) -> list[Hint]:
    one, other = _exception(before), _exception(after)
    if bool(one) == bool(other) or pattern(ONLY).search((after if one else before).folded):
        return []
    return [Hint("word", one, other, f"- {one}" if one else f"+ {other}")]


@kept
def _exception(text: Reading) -> str:
    found = pattern(EXCEPT).search(text.folded)
    return found.group()[:MOST_SHOWN] if found else ""


def _qualified(before: Reading, after: Reading) -> list[Hint]:
    """Where all else is the same, one more word right before a noun: "tests" against "API tests"."""
    a, b = (tuple(tokens(text.folded, every=True)) for text in (before, after))
    if abs(len(a) - len(b)) not in range(1, 5) or not 2 <= min(len(a), len(b)) <= LONGEST_SENTENCE:
        return []
    if 2 * min(len(a), len(b)) < ALIKE * (len(a) + len(b)):
        return []
    changed = aligned(a, b).changes
    if len(changed) != 1:
        return []
    i, i_end, j, j_end = changed[0]
    if i < i_end and j < j_end:
        return []
    come = i == i_end
    text, own, longer = (after, b[j:j_end], b[j_end:]) if come else (before, a[i:i_end], a[i_end:])
    if not longer or not _qualifies(own, longer[0], text):
        return []
    said = _said(own)
    return [Hint("word", "", said, f"+ {said}") if come else Hint("word", said, "", f"- {said}")]


def _qualifies(own: Sequence[str], noun: str, text: Reading) -> bool:
    if own[0] >= "\u3400":
        return "".join(own) in QUALIFIERS
    if len(own) > 1 or {own[0], noun} & (stop_words() | says_little()) or stem(own[0]) == stem(noun):
        return False
    group = group_of()
    spelled = pattern(r"[\w'-]+(?= +([\w'-]+))").finditer(text.folded)
    return any(
        group.get(one.group(), one.group()) == own[0] and group.get(one.group(1), one.group(1)) == noun
        for one in spelled
    )


def scope_of(text: Reading) -> frozenset[str]:
    """What bounds a statement: "only", "except", a least or a most; near-copies have the same."""
    return _scope(text)


@kept
def _scope(text: Reading) -> frozenset[str]:
    from store.cue_polarity import bound_of

    found = {"only"} if pattern(ONLY).search(text.folded) else set()
    found |= {"except"} if _exception(text) else set()
    return frozenset(found | bound_of(text).keys())
