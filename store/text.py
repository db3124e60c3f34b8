"""Texts for finding: folding, and the grams that both engines' indexes hold. Pure.

What is stored is never folded; folding serves hashes, grams and comparison only.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from store.entry import Entry

LONGEST_WORD: Final = 64
"""Characters of one gram at most; a longer run is cut into pieces, so that no engine refuses or truncates it."""
SHORT_PIECE: Final = 16
"""Characters of a piece whose grams are kept for the next text at most."""
MOST_GRAMS: Final = 200
"""Grams that a query is asked to hold at most; the rest of an overlong one is not looked for."""

# Characters that no reader sees: soft hyphen, zero widths, joiners, variation selectors, fillers, bidi marks, tags.
_IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
# Scripts written without spaces, or (Hangul) with endings glued to the word: Thai, Lao, Burmese, Khmer, kana, Han.
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b2ff"
    "\U00020000-\U0003ffff"
)
_UNIT: Final = re.compile(rf"(?P<unspaced>[{_UNSPACED}]+)|(?P<word>[^\W_{_UNSPACED}]+)|(?P<symbol>\S)")
# Letters and digits that every engine's tables have known for decades; all else is spelled out (``_encoded``).
_UNSAFE: Final = re.compile(
    "[^0-9a-z\u00df-\u00f6\u00f8-\u017f\u03ac-\u03ce\u0430-\u045f\u05d0-\u05ea\u0621-\u063a\u0641-\u064a"
    "\u3041-\u3094\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3]"
)

_Unit = tuple[str, str]
"""The kind ("unspaced", "word" or "symbol") and the folded text of a piece without white space."""


def fold(text: str) -> str:
    """The text as a reader compares it: NFKC, no case, no invisible characters. Diacritics stay: é is not e.

    Composed and decomposed, full-width and half-width forms meet. Folding twice changes nothing more.
    """
    if text.isascii():
        return text.lower()
    folded = _fold_once(text)
    while (again := _fold_once(folded)) != folded:
        folded = again
    return folded


def _fold_once(text: str) -> str:
    seen = _IGNORABLE.sub("", text)
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())


def document(entry: Entry) -> str:
    """What of an entry can be found by words: its key, aliases, content and paths, a line each."""
    return "\n".join((entry.key or "", *entry.aliases, entry.content, *entry.paths))


def grams(text: str) -> list[str]:
    """The index terms of a text, each once, in the order they first occur; empty where the text is.

    Words stand whole. A run of a script without spaces gives its bigrams and its last character, so that a word of two
    characters is found, and one character as a beginning. Punctuation and emoji are terms of their own, and beside them
    stands each pair of neighbours of which one is such a symbol (``c+`` and ``++`` of "C++"), so that punctuation is
    literal.

    Every gram is made of lower-case letters, digits and ``_`` only: a character outside the letters and digits that
    all engines know is spelled ``_hex_`` (``+`` is ``_2b_``, ``_`` is ``_5f_``). No engine's tokenizer cuts them.
    """
    found: dict[str, None] = {}
    for said in fold(text).split():
        if len(said) <= LONGEST_WORD and said.isascii() and said.isalnum():
            found[said] = None
        else:
            found.update(dict.fromkeys(_grams_of(said) if len(said) > SHORT_PIECE else _grams_of_short(said)))
    return list(found)


def entry_grams(entry: Entry) -> str:
    """What ``search_doc.grams`` holds: the scope's gram, then those of the document, parted by one space each."""
    return " ".join((scope_gram(entry.scope), *grams(document(entry))))


def scope_gram(scope: str) -> str:
    """The one gram that stands for a scope; no text can contain it."""
    return f"_s{hashlib.sha256(scope.encode('utf-8', 'surrogatepass')).hexdigest()[:20]}"


def terms(query: str) -> list[list[str]]:
    """What a query asks for: a list for each piece between white space, of grams that must all be there.

    A gram that ends in ``*`` is a beginning: the last word of a piece, or a single character of a script without
    spaces. Everything else of the query, operators of any search syntax included, is literal. Empty where nothing is
    asked for.
    """
    asked: list[list[str]] = []
    left = MOST_GRAMS
    for said in fold(query).split():
        part = list(dict.fromkeys(_asked_of(_units(said))))[:left]
        left -= len(part)
        if part:
            asked.append(part)
    return asked


def words(text: str) -> list[str]:
    """The grams of a text's words alone, each once: no punctuation, no emoji, no joints.

    A run of a script without spaces gives its bigrams; a single such character is a beginning (ends in ``*``).
    """
    found: dict[str, None] = {}
    for said in fold(text).split():
        for kind, part in _units(said):
            if kind == "word":
                found[_encoded(part)] = None
            elif kind == "unspaced":
                found.update(dict.fromkeys(_asked_run(part)))
    return list(found)


def _units(said: str) -> list[_Unit]:
    """A folded piece without white space, cut where the kind of its characters changes; symbols stand alone."""
    units: list[_Unit] = []
    for found in _UNIT.finditer(said):
        kind, part = str(found.lastgroup), found.group()
        if kind == "symbol" and part >= "\u0300" and unicodedata.category(part)[0] == "M":
            kind = units[-1][0] if units and units[-1][0] != "symbol" else "word"  # a vowel sign belongs to its letter
        if units and kind == units[-1][0] != "symbol":
            part = units.pop()[1] + part
        if kind == "word" and len(part) > LONGEST_WORD:
            whole = len(part) - len(part) % LONGEST_WORD
            units += (("word", part[at : at + LONGEST_WORD]) for at in range(0, whole, LONGEST_WORD))
            part = part[whole:]
        if part:
            units.append((kind, part))
    return units


def _grams_of(said: str) -> list[str]:
    units = _units(said)
    found: list[str] = []
    for kind, part in units:
        if kind != "unspaced":
            found.append(_encoded(part))
        elif _UNSAFE.search(part):
            found += (_encoded(part[at : at + 2]) for at in range(len(part)))
        else:
            found += [part[at : at + 2] for at in range(len(part))]
    found += [joint for _right, joint in _joints(units)]
    return found


@lru_cache(maxsize=4096)
def _grams_of_short(said: str) -> tuple[str, ...]:
    """The same, kept: words with a full stop or a comma behind them come again and again."""
    return tuple(_grams_of(said))


def _joints(units: list[_Unit]) -> Iterator[tuple[int, str]]:
    """Each pair of neighbours of which one is a symbol, with the place of the right one."""
    for at in range(1, len(units)):
        left, right = units[at - 1], units[at]
        if left[0] == "symbol" or right[0] == "symbol":
            before = left[1][-1:] if left[0] == "unspaced" else left[1]
            after = right[1][:1] if right[0] == "unspaced" else right[1]
            yield at, _encoded(before + after)


def _asked_of(units: list[_Unit]) -> Iterator[str]:
    last = len(units) - 1
    for at, (kind, part) in enumerate(units):
        if kind == "unspaced":
            yield from _asked_run(part)
        else:
            yield _encoded(part) + ("*" if kind == "word" and at == last else "")
    for at, joint in _joints(units):
        yield joint + ("*" if at == last and units[at][0] == "word" else "")


def _asked_run(said: str) -> Iterable[str]:
    if len(said) == 1:
        return (f"{_encoded(said)}*",)
    return (_encoded(said[at : at + 2]) for at in range(len(said) - 1))


def _encoded(said: str) -> str:
    return _UNSAFE.sub(_spelled, said)


def _spelled(found: re.Match[str]) -> str:
    return f"_{ord(found.group()):x}_"
