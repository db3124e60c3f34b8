"""An excerpt: a few hundred characters of what a user typed, made safe to store. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from store.characters import code, first_refused, is_blank, marks

MOST: Final = 600
"""Characters of an excerpt, what stands for left-out parts aside."""
SHORT: Final = 40
"""A message below this ("yes, do that") is shown with what was said before it."""
_HEAD: Final = 400
_LOOKED_AT: Final = 64 * 1024


def folded(text: str) -> str:
    """A text for comparison: a quote may differ from its source in white space, case and width."""
    return " ".join(unicodedata.normalize("NFKC", text[:_LOOKED_AT]).casefold().split())


def enough(last: str, before: Sequence[str]) -> bool:
    """Whether these messages, the last and those before it, make an excerpt that can be understood."""
    return len(last) >= SHORT or len(before) >= 2 or any(len(one) >= SHORT for one in before)


def last_words(last: str, before: Sequence[str]) -> str:
    """The excerpt of a message; a short one behind what was said before it (``before`` has the nearest first)."""
    said = [last]
    for one in before if len(last) < SHORT else ():
        if len(said) > 1 and len(said[-1]) >= SHORT:
            break
        said.append(one)
    room = MOST
    parts: list[str] = []
    for one in said:
        if room < SHORT:
            break
        parts.append(_cut(one, room))
        room -= len(parts[-1])
    return harmless("\n".join(reversed(parts)))


def around(text: str, quote: str) -> str:
    """The excerpt of a message that holds a quote: all of it, or what stands around the quote."""
    at = text.find(quote)
    if len(text) <= MOST or at < 0:
        return harmless(_cut(text, MOST))
    start = max(0, min(at - (MOST - min(len(quote), MOST)) // 2, len(text) - MOST))
    part = text[start : start + MOST].strip()
    before, behind = "… " if start > 0 else "", " …" if start + MOST < len(text) else ""
    return harmless(f"{before}{part}{behind}")


def _cut(text: str, most: int) -> str:
    """A long message by its beginning and its end: what is asked for stands in one of them."""
    text = text.strip()
    if len(text) <= most:
        return text
    head = most * _HEAD // MOST
    return f"{text[:head].rstrip()} … {text[head - most :].lstrip()}"


def harmless(text: str) -> str:
    """A text that admission takes: what is refused there, or would not be seen, is spelled out as ``<U+001B>``."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    hides = {mark.offset for mark in marks(text) if mark.hides}
    if hides or first_refused(text) is not None:
        text = "".join(_spelled(char) if place in hides or _refused(char) else char for place, char in enumerate(text))
    return "" if is_blank(text) else text


def _refused(char: str) -> bool:
    return first_refused(char) is not None


def _spelled(char: str) -> str:
    return f"<{code(char)}>"
