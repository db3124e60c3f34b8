"""What the characters of a text may hide: one judgement for the border, the screen and the exports. Pure and cheap.

Some questions are answered here, and nowhere else:

- ``first_refused(text) -> Refused | None``: the first character that no text may hold (controls other than LF and TAB,
  lone surrogates, tag characters outside the three flags that use them), with its offset in code points from 0.
- ``marks(text) -> tuple[Mark, ...]``: every character that a reader would not see, or not see as what it is, in order.
  Legitimate uses are left out (a joiner inside an emoji or a Persian word, one variation selector after an emoji, one
  after a Han ideograph, the tags of a flag). ``Mark.hides`` tells whether it counts as hidden, so that an approval
  waits for a second look; the others (odd spaces, blank letters, the fifth combining mark on a base) are only shown.
- ``hidden(text)``: the marks that hide, as (offset, character).
- ``is_blank(text)``: nothing of it would be seen.
- ``label(char)``: its name for people, ``U+200B ZERO WIDTH SPACE``; ``code(char)`` is ``U+200B`` alone.

``describe(marks)`` counts them in words, and ``quoted(text)`` puts a foreign text into a message so that nothing in it
is live or invisible.

A screen that draws the characters of ``marks`` and of ``first_refused`` as tokens (and escapes its own token bracket)
shows everything there is; every other character is assigned, visible and inert, LF and TAB aside.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

MOST_MARKS: Final = 4
"""Combining marks that a base may carry before the rest are shown as codes."""

_CONTROLS: Final = "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\U000e0000-\U000e007f]"
_FLAGS: Final = (
    "\U0001f3f4(?:\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073)\U000e007f)"
)
_TAGS: Final = "[\U000e0000-\U000e007f]+"
# Patterns stand here as text: `re` compiles and keeps one when it is first needed, and most runs need few of them.
# Assigned, visible, single: a text made of these alone (nearly every text) needs no second look. A test holds this
# class against the rule below, code point by code point.
_PLAIN: Final = (
    "\t\n\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038e-\u03a1\u03a3-\u0482\u048a-\u052f"
    "\u05d0-\u05ea\u0620-\u064a\u0660-\u066f\u0671-\u06d3\u06f0-\u06ff\u0904-\u0939\u0e01-\u0e30\u0e32-\u0e33\u0e40-\u0e46"
    "\u1e00-\u1f15\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u218b\u2190-\u2426\u2460-\u27ff\u2900-\u2b73"
    "\u3000-\u3029\u3030-\u303f\u3041-\u3096\u309b-\u30ff\u3105-\u312f\u3131-\u3163\u3165-\u318e\u3200-\u321e\u3220-\u9fff"
    "\uac00-\ud7a3\uff01-\uff9f\uffe0-\uffe6\U0001f300-\U0001f6d7\U0001f900-\U0001fa53\U00020000-\U0002a6df"
)
_SPECIAL: Final = f"[^{_PLAIN}]"
_SELECTORS: Final = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]+"

# What may stand before U+FE0E or U+FE0F, and on both sides of a joiner inside an emoji.
_EMOJI: Final = (
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2934\u2935\u2b00-\u2bff\u3030\u303d"
    "\u3297\u3299\U0001f000-\U0001faff]"
)
_HAN: Final = "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
# Scripts whose spelling needs U+200C and U+200D: Arabic, Syriac, N'Ko, the Indic ones, Tibetan, Myanmar, Khmer, Mongol.
_JOINING: Final = (
    "[\u0620-\u065f\u066e-\u06dc\u06df-\u06ff\u0710-\u074f\u0750-\u077f\u07ca-\u07f5\u08a0-\u08e1\u08e3-\u08ff"
    "\u0900-\u0dff\u0f00-\u0fbc\u1000-\u109f\u1780-\u17b3\u17b6-\u17d3\u1820-\u18aa\ua8e0-\ua8ff\ufb50-\ufdfb\ufe70-\ufefc]"
)
_MONGOL: Final = "[\u1820-\u18aa]"
_INVISIBLE: Final = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f")
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
# Format characters that are drawn: the number signs of Arabic, Syriac and Kaithi.
_DRAWN: Final = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
_BIDI: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_CONTROL_NAMES: Final = {
    0x00: "NULL",
    0x07: "BELL",
    0x08: "BACKSPACE",
    0x09: "TAB",
    0x0A: "LINE FEED",
    0x0B: "VERTICAL TAB",
    0x0C: "FORM FEED",
    0x0D: "CARRIAGE RETURN",
    0x1B: "ESCAPE",
    0x7F: "DELETE",
    0x85: "NEXT LINE",
    0x9B: "CONTROL SEQUENCE INTRODUCER",
    0x9D: "OPERATING SYSTEM COMMAND",
}
_KINDS: Final = {"Cc": "control", "Cs": "surrogate", "Co": "private", "Cn": "unassigned", "Zl": "break", "Zp": "break"}
# Letters of other alphabets that look like ASCII ones, for messages about keys.
_LOOK_ALIKE: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u043a\u043c\u0442\u0432"
    "\u03bf\u03b1\u03bd\u03b9\u03c1\u03ba\u03c4",
    "aeopcyxijshdqwkmtboavipkt",
)


class Mark(NamedTuple):
    """One character that is not seen as what it is. ``offset`` counts code points from 0.

    ``kind`` is control, surrogate, tag, bidi, invisible, selector, break, private, unassigned, space, blank or
    combining; ``hides`` is False for the last three and for code points kept for emoji of a later Unicode.
    """

    offset: int
    char: str
    kind: str
    hides: bool


class Refused(NamedTuple):
    """The first character that no text may hold. ``spelt`` is the ASCII text that a run of tags smuggles, or empty."""

    offset: int
    char: str
    kind: str
    spelt: str


def first_refused(text: str) -> Refused | None:
    """The first control other than LF and TAB, lone surrogate, or tag character outside a flag; None where all is well.

    CR is a control here: the border turns CRLF into LF before it asks.
    """
    if text.isprintable():
        return None
    for found in re.finditer(_CONTROLS, text):
        char, at = found.group(), found.start()
        if char < "\U000e0000":
            return Refused(at, char, "surrogate" if char >= "\ud800" else "control", "")
        if not _in_flag(text, at):
            return Refused(at, char, "tag", _spelt(text, at))
    return None


def _in_flag(text: str, at: int) -> bool:
    start = text.rfind("\U0001f3f4", max(0, at - 6), at)
    flag = re.match(_FLAGS, text[start : start + 7]) if start >= 0 else None
    return flag is not None and at < start + flag.end()


def _spelt(text: str, at: int) -> str:
    run = re.match(_TAGS, text[at:])
    assert run is not None
    return "".join(chr(ord(tag) - 0xE0000) for tag in run.group() if 0xE0020 <= ord(tag) <= 0xE007E)


def marks(text: str) -> tuple[Mark, ...]:
    """Every character a reader would not see, or not as what it is, in order; legitimate uses left out."""
    if text.isascii() and (text.isprintable() or re.search(_CONTROLS, text) is None):
        return ()
    return tuple(mark for found in re.finditer(_SPECIAL, text) if (mark := _judge(text, found.start())) is not None)


def hidden(text: str) -> list[tuple[int, str]]:
    """The characters that count as hidden, as (offset, character), in order: what the flag ``hidden`` reports."""
    return [(mark.offset, mark.char) for mark in marks(text) if mark.hides]


def _judge(text: str, at: int) -> Mark | None:
    char = text[at]
    point = ord(char)
    if 0xFE00 <= point <= 0xFE0F or 0xE0100 <= point <= 0xE01EF:
        return None if _selects(text, at) else Mark(at, char, "selector", True)
    if 0xE0000 <= point <= 0xE007F:
        return None if _in_flag(text, at) else Mark(at, char, "tag", True)
    if char in _BIDI:
        return Mark(at, char, "bidi", True)
    if char in "\u200c\u200d":
        return None if _joins(text, at) else Mark(at, char, "invisible", True)
    if char in _BLANK_LETTERS:
        return Mark(at, char, "blank", False)
    if char in _INVISIBLE:
        return None if _mongolian(text, at) else Mark(at, char, "invisible", True)
    return _by_category(text, at)


def _by_category(text: str, at: int) -> Mark | None:
    char = text[at]
    category = unicodedata.category(char)
    if category == "Cf":
        return None if char in _DRAWN else Mark(at, char, "invisible", True)
    if category == "Zs":
        return None if char in " \u3000" else Mark(at, char, "space", False)
    if category == "Cn" and 0x1F000 <= ord(char) <= 0x1FAFF:
        return Mark(at, char, "unassigned", False)
    if category in _KINDS:
        return None if char in "\t\n" else Mark(at, char, _KINDS[category], True)
    if category in ("Mn", "Me") and _piled(text, at):
        return Mark(at, char, "combining", False)
    return None


def _selects(text: str, at: int) -> bool:
    """One selector after an emoji, or one ideographic one after a Han ideograph; a run of two or more hides."""
    if at == 0 or re.match(_SELECTORS, text[at + 1 : at + 2]) or re.match(_SELECTORS, text[at - 1]):
        return False
    char, base = text[at], text[at - 1]
    if char in "\ufe0e\ufe0f":
        keycap = base in "#*0123456789" and text[at + 1 : at + 2] == "\u20e3"
        return keycap or re.match(_EMOJI, base) is not None
    return char >= "\U000e0100" and re.match(_HAN, base) is not None


def _joins(text: str, at: int) -> bool:
    """A joiner between two emoji, or inside a word of a script that spells with it."""
    if at == 0:
        return False
    before, after = text[at - 1], text[at + 1 : at + 2]
    if re.match(_JOINING, before):
        virama = unicodedata.combining(before) == 9
        return virama or (after != "" and re.match(_JOINING, after) is not None)
    if text[at] != "\u200d" or not after or not re.match(_EMOJI, after):
        return False
    return re.match(_EMOJI, before) is not None or (before == "\ufe0f" and _selects(text, at - 1))


def _mongolian(text: str, at: int) -> bool:
    if at == 0 or text[at] in "\u034f\u17b4\u17b5" or not re.match(_MONGOL, text[at - 1]):
        return False
    return text[at] != "\u180e" or re.match(_MONGOL, text[at + 1 : at + 2]) is not None


def _piled(text: str, at: int) -> bool:
    """Whether the ``MOST_MARKS`` characters before this combining mark are all combining marks too."""
    if at < MOST_MARKS:
        return False
    return _all_marks(text[at - MOST_MARKS : at])


@lru_cache(maxsize=1024)
def _all_marks(text: str) -> bool:
    """Whether all are combining marks. Remembered: where thousands are piled up it is the same few again and again."""
    return all(unicodedata.category(char) in ("Mn", "Me") for char in text)


def is_blank(text: str) -> bool:
    """Whether nothing of the text would be seen: white space, blank letters and invisible characters only."""
    return not any(_drawn(char) for char in text)


def _drawn(char: str) -> bool:
    if "!" <= char <= "~":
        return True
    if char.isspace() or char in _BLANK_LETTERS or char in _INVISIBLE or re.match(_SELECTORS, char):
        return False
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zs", "Zl", "Zp") or char in _DRAWN


def code(char: str) -> str:
    """``U+200B``: at least four digits, upper case."""
    return f"U+{ord(char):04X}"


def label(char: str) -> str:
    """A character's code and name for people: ``U+200B ZERO WIDTH SPACE``."""
    name = _CONTROL_NAMES.get(ord(char)) or unicodedata.name(char, "")
    return f"{code(char)} {name}".rstrip()


def describe(found: Iterable[Mark]) -> str:
    """Marks counted in words, the most frequent first: ``40 x U+200B ZERO WIDTH SPACE, U+00AD SOFT HYPHEN``."""
    counted = Counter(mark.char for mark in found).most_common()
    named = [label(char) if count == 1 else f"{count:,} x {label(char)}" for char, count in counted[:5]]
    more = len(counted) - len(named)
    return ", ".join(named) + (f" and {more:,} other kinds" if more else "")


def quoted(text: str, *, most: int = 60) -> str:
    """A foreign text for a message: in quotes, cut at ``most`` characters, what is not plainly visible as a code."""
    shown = text[:most]
    special = {mark.offset for mark in marks(shown)}
    safe = "".join(
        f"<{code(char)}>" if at in special or char in "\t\n" or not char.isprintable() else char
        for at, char in enumerate(shown)
    )
    return f'"{safe}"' if len(text) <= most else f'"{safe}..." ({len(text):,} characters)'


def looks_like(text: str) -> str:
    """The text as a reader may take it: letters that imitate ASCII ones replaced, what is invisible gone."""
    seen = {mark.offset for mark in marks(text)}
    kept = "".join(char for at, char in enumerate(text) if at not in seen)
    return unicodedata.normalize("NFKC", kept.translate(_LOOK_ALIKE))
