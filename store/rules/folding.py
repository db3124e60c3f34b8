"""A text as a reader would read it, with the way back to the text as it stands.

Dropped: what is not drawn at all. Replaced: compatibility forms (full-width letters and punctuation), digits of other
scripts, and letters of other alphabets that look like ASCII ones. ``unescaped`` also reads through percent, ``\\u0041``
and ``&#64;`` escapes. Only where something changes does it cost more than a search.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from typing import Final

# Default-ignorable code points of the Unicode character database, as far as the border lets them in.
_UNDRAWN: Final = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\U000e0000-\U000e0fff"
)
# Everything but ASCII, common Han and kana, and the CJK punctuation that stands for itself.
_ODD: Final = (
    f"[{_UNDRAWN}]+|[^\\x00-\\x7f\u2010-\u2014\u2018-\u201f\u3001-\u3020\u3041-\u309a\u30a1-\u30fa\u4e00-\u9fff]"
)
_ESCAPE: Final = r"%[0-9A-Fa-f]{2}|\\u00[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}|&#x?[0-9A-Fa-f]{2,3};"
# Letters that look like ASCII ones: Cyrillic, then Greek.
_LIKE: Final = dict(
    zip(
        "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u0410\u0412\u0415\u041a"
        "\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408\u03bf\u03bd\u0391\u0392\u0395\u0396\u0397\u0399"
        "\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7\u03a5",
        "aeopcyxijshdqwABEKMHOPCTXSIJovABEZHIKMNOPTXY",
        strict=True,
    )
)


class Folded:
    """A folded text and its map. ``text`` is what rules look at; ``span`` tells where a find stands in the original."""

    __slots__ = ("_at", "_from", "_lowered", "dropped", "text")

    def __init__(self, text: str, at: list[int], origin: list[int], *, dropped: bool = False) -> None:
        """``at`` are the folded offsets, ascending, from which on the original offset is that of ``origin``.

        ``dropped`` tells that characters which are not drawn were left out.
        """
        self.text = text
        self.dropped = dropped
        self._at = at
        self._from = origin
        self._lowered: str | None = None

    @property
    def lowered(self) -> str:
        """``text`` with ASCII letters in lower case, of the same length."""
        if self._lowered is None:
            low = self.text.lower()
            self._lowered = low if len(low) == len(self.text) else self.text.translate(_ASCII_LOWER)
        return self._lowered

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original offsets of a folded span, with whatever undrawn characters stand inside it."""
        return self._origin(start), self._origin(end - 1, last=True) if end > start else self._origin(start)

    def _origin(self, offset: int, *, last: bool = False) -> int:
        """Where a folded offset stands; with ``last``, where the original character that gave it ends."""
        if not self._at:
            return offset + last
        place = bisect_right(self._at, offset) - 1
        if place < 0:
            return offset + last
        start = self._from[place]
        if start < 0:  # one original character (or escape) gave several: -start - 1 is where it stands
            return self._from[place + 1] if last else -start - 1
        return start + offset - self._at[place] + last


_ASCII_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def fold(text: str) -> Folded:
    """The text as it is read, for looking for secrets in it."""
    if text.isascii():
        return Folded(text, [], [])
    return _replaced(text, _odd(), _read)


def parted(text: str) -> Folded:
    """``fold``, but with a space for what is not drawn: a word before it does not run into what stands after it."""
    return _replaced(text, _odd(), lambda found: _read(found) or " ")


def unescaped(folded: Folded) -> Folded | None:
    """A folded text read through its escapes; None where it has none."""
    text = folded.text
    if not ("%" in text or "\\" in text or "&#" in text) or _escape().search(text) is None:
        return None
    inner = _replaced(text, _escape(), lambda found: _character(found[0]))
    return _Nested(inner, folded)


class _Nested(Folded):
    """A view of a view."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, inner: Folded, outer: Folded) -> None:
        super().__init__(inner.text, [], [])
        self._inner = inner
        self._outer = outer

    def span(self, start: int, end: int) -> tuple[int, int]:
        return self._outer.span(*self._inner.span(start, end))


def _replaced(text: str, pattern: re.Pattern[str], become: Callable[[re.Match[str]], str]) -> Folded:
    """``text`` with every match replaced, and the map: one entry for each replacement and for what follows it."""
    parts: list[str] = []
    at: list[int] = []
    origin: list[int] = []
    length = done = 0
    dropped = False
    for found in pattern.finditer(text):
        new = become(found)
        start, end = found.span()
        if new == found[0]:
            continue
        parts.append(text[done:start])
        length += start - done
        dropped = dropped or not new
        if new:
            at.append(length)
            origin.append(-start - 1)
            parts.append(new)
            length += len(new)
        at.append(length)
        origin.append(end)
        done = end
    if not at:
        return Folded(text, [], [])
    parts.append(text[done:])
    return Folded("".join(parts), at, origin, dropped=dropped)


def _read(found: re.Match[str]) -> str:
    """What an odd character, or a run of undrawn ones, is read as."""
    said = found[0]
    return _plain(said) if len(said) == 1 else ""


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    """What one character is read as; nothing for what is not drawn."""
    if _undrawn().match(char):
        return ""
    if char in _LIKE:
        return _LIKE[char]
    digit = unicodedata.digit(char, None) if char.isdecimal() else None
    return str(digit) if digit is not None else unicodedata.normalize("NFKC", char)


def _character(escape: str) -> str:
    """The character that an escape stands for, where it is a visible ASCII one; else the escape."""
    digits = escape.strip("%\\ux&#;")
    base = 10 if escape.startswith("&#") and not escape.startswith("&#x") else 16
    try:
        code = int(digits, base)
    except ValueError:
        return escape
    return chr(code) if 0x20 < code < 0x7F else escape


@lru_cache(maxsize=1)
def _odd() -> re.Pattern[str]:
    return re.compile(_ODD)


@lru_cache(maxsize=1)
def _undrawn() -> re.Pattern[str]:
    return re.compile(f"[{_UNDRAWN}]")


@lru_cache(maxsize=1)
def _escape() -> re.Pattern[str]:
    return re.compile(_ESCAPE)
