"""Untrusted text -> ``Shown``: the only form in which a widget may be given what an agent wrote.

The result is safe to paint and tells the truth: what cannot be seen, or would move other text about, stands there as
a token such as ``⟨U+202E⟩``. The token bracket and the marks for TAB and LF are themselves escaped, so that equal
results come only from equal texts (I20). Natural writing stays as it is: Arabic, Hebrew, Thai and Indic words, emoji
sequences, a joiner where a script needs one; ``store.characters`` says which joiners and selectors those are, and the
same answer counts what the ``hidden`` flag reports.

Pure: no Textual here.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, NewType

from store.characters import MOST_MARKS, marks

Shown = NewType("Shown", str)
"""Text that has been through :func:`visible`, and pieces of it cut between clusters."""

TAB_MARK: Final = "⇥"
LF_MARK: Final = "⏎"
SPACE_MARK: Final = "␣"
"""Stands for a space only where nothing but white space changed; ``visible`` escapes it in the text itself."""
WIDE_SPACE_TOKEN: Final = "⟨U+3000⟩"
"""Stands for an ideographic space in the same place."""
TOKEN: Final = re.compile(r"⟨(?:U\+([0-9A-F]{4,6})|flag ([0-9a-z]{2,6}))⟩")
"""One token of a shown text: a code point, or the region of a flag that is written in tag characters."""

_ASCII: Final = re.compile(r"[ -~\n]*")
# Whole blocks that need no second look, so that a text in the usual scripts is copied in long runs.
_PLAIN: Final = re.compile(
    r"[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u05d0-\u05ea\u0620-\u064a"
    r"\u2010-\u2027\u2030-\u205e\u3001-\u3029\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    r"\uff01-\uff9d]+"
)
_FLAG: Final = re.compile("\U0001f3f4([\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6})\U000e007f")
_TAG_OFFSET: Final = 0xE0000
_BIDI: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Letters and symbols that draw nothing, or draw as an empty cell.
_BLANK: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159\u034f")
_OURS: Final = frozenset("⟨" + TAB_MARK + LF_MARK + SPACE_MARK)
_MARK_CATEGORIES: Final = frozenset({"Mn", "Mc", "Me"})
# Arabic and Kaithi number signs and the Syriac abbreviation mark are of category Cf, but they draw.
_DRAWN_FORMAT: Final = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
_JOINERS: Final = frozenset("\u200c\u200d")
_WIDE_SPACES: Final = re.compile("\u3000+")


def visible(text: str, *, multiline: bool = True) -> Shown:
    """``text`` as it may be painted: total, and equal only for equal texts.

    With ``multiline`` a line feed stays a line feed, otherwise it becomes ``⏎``. No result holds a control (but that
    line feed), a surrogate, an unassigned or private code point, a bidirectional control or a raw tag character.
    """
    if _ASCII.fullmatch(text):
        return Shown(text if multiline else text.replace("\n", LF_MARK))
    unseen = {mark.offset for mark in marks(text)}
    out: list[str] = []
    base, piled, at = "", 0, 0
    while at < len(text):
        char = text[at]
        # Marks first: nothing of what is painted as a whole begins with one, and thousands may stand on one letter.
        if char >= "\u0300" and leans(char):
            piled += 1
            kept = at not in unseen and piled <= MOST_MARKS and _may_lean(char, base, piled)
            out.append(char if kept else _token(char))
            # After a token the next mark would lean on the token's bracket, so it becomes one too.
            base = base if kept else ""
            at += 1
            continue
        if (run := _run(text, at, unseen)) is not None:
            piece, at = run
        else:
            piece = _single(char, at in unseen, multiline)
            at += 1
        out.append(piece)
        base, piled = _base(piece), 0
    return Shown("".join(out))


def tokens(shown: Shown) -> list[tuple[int, int]]:
    """Where the tokens of ``shown`` stand, as (start, end) offsets: for painting them apart from ordinary text."""
    return [match.span() for match in TOKEN.finditer(shown)]


def hidden_count(text: str) -> int:
    """How many characters of the raw ``text`` a reader would not have seen: the number in ``hidden 3``."""
    return sum(mark.hides for mark in marks(text))


def _run(text: str, at: int, unseen: set[int]) -> tuple[str, int] | None:
    """What is painted as a whole from ``at`` on, and where it ends: usual letters, a region's flag, wide spaces."""
    plain = _PLAIN.match(text, at)
    if plain:
        return plain[0], plain.end()
    flag = _FLAG.match(text, at)
    if flag and at + 1 not in unseen:
        return f"{text[at]}⟨flag {_region(flag[1])}⟩", flag.end()
    wide = _WIDE_SPACES.match(text, at)
    if wide:
        return wide[0] if _beside_wide(text, wide) else WIDE_SPACE_TOKEN * len(wide[0]), wide.end()
    return None


def _base(piece: str) -> str:
    """What a mark or joiner may lean on after ``piece``: its last character, unless it is ours or blank."""
    last = piece[-1]
    return "" if last.isspace() or last in _OURS or last == "⟩" else last


@lru_cache(maxsize=1024)
def _token(char: str) -> str:
    return f"⟨U+{ord(char):04X}⟩"


def _region(tags: str) -> str:
    """The letters that the tag characters of a flag stand for."""
    return "".join(chr(ord(tag) - _TAG_OFFSET) for tag in tags)


@lru_cache(maxsize=8192)
def leans(char: str) -> bool:
    """Whether this character takes no cell of its own, is drawn on the one before and must never be parted from it."""
    return (
        unicodedata.category(char) in _MARK_CATEGORIES
        or char in _JOINERS
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or _is_inner_jamo(char)
    )


def _is_inner_jamo(char: str) -> bool:
    """A conjoining Hangul vowel or final: drawn inside the syllable that its leading consonant begins."""
    return "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7fb"


def _may_lean(char: str, base: str, piled: int) -> bool:
    """Whether ``char`` may be drawn on ``base`` (empty where nothing stands), being the ``piled``-th to do so."""
    if not base or char in _BLANK or _TAG_OFFSET <= ord(char) <= 0xE0FFF:
        return False
    if _is_inner_jamo(char):
        return "\u1100" <= base <= "\u115e" or "\ua960" <= base <= "\ua97c" or "\uac00" <= base <= "\ud7a3"
    if "\U0001f3fb" <= char <= "\U0001f3ff":
        return piled == 1 and unicodedata.category(base) == "So"
    return True


def _single(char: str, unseen: bool, multiline: bool) -> str:
    """A character that stands in cells of its own, as it is painted."""
    if char == "\n":
        return char if multiline else LF_MARK
    if char == "\t":
        return TAB_MARK
    if unseen or char in _OURS or char in _BIDI or char in _BLANK:
        return _token(char)
    category = unicodedata.category(char)
    # A format character that ``marks`` let pass is one that is drawn (the number signs of Arabic).
    if category[0] == "Z" or (category[0] == "C" and category != "Cf"):
        return _token(char)
    return char


def _beside_wide(text: str, run: re.Match[str]) -> bool:
    """Whether ideographic spaces have a wide neighbour: there they are the script's own, elsewhere a disguise."""
    around = text[max(run.start() - 1, 0) : run.start()] + text[run.end() : run.end() + 1]
    return any(unicodedata.east_asian_width(char) in "WF" for char in around)
