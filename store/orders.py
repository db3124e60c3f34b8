"""Standing orders in somebody's words ("from now on", 以后), and whether an order is about what is proposed. Pure."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from store.text import grams

_ENGLISH: Final = (
    r"\b(?:from now on|from here on|henceforth|going forward|in future,? please|whenever you"
    r"|always|never|every ?time|each time)\b"
)
_CHINESE: Final = "以后|以後|每次|总是|總是|从现在起|從現在起|从今以后|從今以後|一律|不要再|别再|別再|今后|今後"
DIRECTIVE: Final = re.compile(f"{_ENGLISH}|{_CHINESE}")
"""A standing order rather than a mood: it need not be said twice. Matched on NFKC, lower case, single spaces."""
_SENTENCE: Final = r"[.!?。！？；;…]+\s+|[。！？；\n]"
_COMMON_WORDS: Final = (
    "a an and are as at be but by can do does for from had has have here how i if in into is it its just like me my no "
    "not now of on one only or our please should so than that the their them then there they this time to up us use "
    "used using want was we were what when which who why will with would you your always never every each"
)
_COMMON: Final = frozenset(_COMMON_WORDS.split())


def is_directive(text: str) -> bool:
    """Whether a text is, or holds, a standing order."""
    return DIRECTIVE.search(_plain(text)) is not None


def orders(words: str, content: str) -> bool:
    """Whether somebody's words hold a standing order that is about ``content``.

    The words before a proposal may be about anything ("it always fails on my machine"): the sentence of the order, or
    one beside it, must name something that the content names.
    """
    said = [sentence for sentence in re.split(_SENTENCE, words) if sentence.strip()]
    for place, sentence in enumerate(said):
        if is_directive(sentence) and concerns(" ".join(said[max(0, place - 1) : place + 2]), content):
            return True
    return False


def concerns(words: str, content: str) -> bool:
    """Whether somebody's words name something that the content names: a word that tells, or two Chinese characters."""
    return not _telling(words).isdisjoint(_telling(content))


def _telling(text: str) -> set[str]:
    found = grams(text[:20_000])
    return {one for one in found if len(one) > 1 and one not in _COMMON and one[0] != "_"} - _CHINESE_CUES


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


_CHINESE_CUES: Final = frozenset(gram for cue in _CHINESE.split("|") for gram in grams(cue))
