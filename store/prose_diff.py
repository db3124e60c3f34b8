"""Two texts -> what was kept, removed and added, in pieces that a reader of prose would name.

The pieces are words (with their apostrophes, hyphens and dots: ``don't``, ``3.12``, ``1,000``, ``main.py``), single
characters of Chinese, Japanese and other scripts without spaces, emoji with everything that joins them, and the tokens
that ``console.visible`` writes. Only words are matched; white space and punctuation follow their neighbours, so that
nothing hangs on a chance comma. The spans always rebuild both texts exactly. Pure, and bounded: what takes too long to
align is given as two blocks.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import Final, Literal, NamedTuple

Op = Literal["=", "-", "+"]


class Span(NamedTuple):
    """A stretch of text: ``=`` in both, ``-`` only in the old one, ``+`` only in the new one."""

    op: Op
    text: str


IN_COMMON: Final = 0.3
"""Where less than this share of the words is common to both texts, two blocks read better than a mosaic."""

_SMALL: Final = 40_000
"""Products of lengths up to this are aligned by ``difflib``, which finds what a reader would; about 10 ms."""

_FEW: Final = 40
"""Edits up to which a long text is searched for its shortest edit."""

# Scripts without spaces between words: kana, Han, Hangul compatibility aside, Thai, Lao, Tibetan, Myanmar, Khmer.
_CHARACTERS: Final = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Marks inside words, which ``\w`` leaves out: the accents, Hebrew and Arabic points, the Indic blocks, joiners.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0970-\u0dff"
    "\u1dc0-\u1dff\u200c\u200d"
)
_WORD: Final = rf"(?:[^\W{_CHARACTERS}]|[{_MARKS}])"
_PIECE: Final = (
    rf"\n|[^\S\n]+|⟨[^⟩\s]*⟩|\d+(?:[.,]\d+)+(?!{_WORD})|{_WORD}+(?:['’.\-]{_WORD}+)*"
    r"|[\U0001f1e6-\U0001f1ff]{2}|."
)
_ZWJ: Final = "\u200d"


def diff(old: str, new: str) -> list[Span]:
    """The spans that lead from ``old`` to ``new``, removals before additions, none of them empty.

    Equal texts give one ``=`` span, texts with next to nothing in common one ``-`` and one ``+``.
    """
    if old == new:
        return [Span("=", old)] if old else []
    left, right = pieces(old), pieces(new)
    pairs = _align(left, right)
    if pairs is None:
        return [span for span in (Span("-", old), Span("+", new)) if span.text]
    return _spans(_absorb(_changes(left, right, pairs)))


@cache
def _piece() -> re.Pattern[str]:
    """Compiled when the first text comes, since the console is painted before."""
    return re.compile(_PIECE, re.DOTALL)


def pieces(text: str) -> list[str]:
    """``text`` in the pieces that are compared; joined they are the text again."""
    found = _piece().findall(text)
    if text.isascii():
        return found
    joined: list[str] = []
    for piece in found:
        if joined and (_leans(piece[0]) or joined[-1][-1] == _ZWJ) and not joined[-1].isspace():
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _leans(char: str) -> bool:
    """Whether a character belongs to the one before: marks, selectors, skin tones, joiners, the tags of a flag."""
    if char < "\u0300":
        return False
    return (
        unicodedata.category(char) in ("Mn", "Mc", "Me")
        or char in "\u200c\u200d"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
    )


@lru_cache(maxsize=8192)
def _opens_word(first: str) -> bool:
    """Whether a piece that begins with this character counts as a word."""
    return first.isalnum() or first in "_⟨" or unicodedata.category(first) in ("So", "Co", "Cn", "Cf")


_first = itemgetter(0)


class _Change(NamedTuple):
    """A stretch of pieces: the same on both sides (``kept``), or old against new. ``weight`` counts words."""

    kept: bool
    old: list[str]
    new: list[str]
    weight: int


def _align(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]] | None:
    """The pairs of indices of words that stay, in order; None where too few do."""
    pairs: list[tuple[int, int]] = []
    a = b = 0
    for (i, i_end), (j, j_end) in [*_equal_lines(left, right), ((len(left), len(left)), (len(right), len(right)))]:
        pairs += _pairs(left, (a, i), right, (b, j))
        pairs += _pairs(left, (i, i_end), right, (j, j_end))
        a, b = i_end, j_end
    total = _words(left) + _words(right)
    if total and 2 * len(pairs) < IN_COMMON * total:
        return None
    return pairs


_Range = tuple[int, int]


def _equal_lines(left: Sequence[str], right: Sequence[str]) -> list[tuple[_Range, _Range]]:
    """The lines with words in them that stand in both texts: they are kept first, so that no word is matched across."""
    left_lines, right_lines = _lines(left), _lines(right)
    if len(left_lines) < 2 or len(right_lines) < 2:
        return []
    names = ["".join(left[start:end]) for start, end in left_lines], ["".join(right[i:j]) for i, j in right_lines]
    return [(left_lines[i], right_lines[j]) for i, j in _match(*names)]


def _lines(part: Sequence[str]) -> list[_Range]:
    """Where the lines that hold a word begin and end, line feeds aside."""
    edges = [-1, *(at for at, piece in enumerate(part) if piece == "\n"), len(part)]
    return [(a + 1, b) for a, b in pairwise(edges) if any(map(_opens_word, map(_first, part[a + 1 : b])))]


def _pairs(left: Sequence[str], a: _Range, right: Sequence[str], b: _Range) -> list[tuple[int, int]]:
    """The indices of equal words in a stretch of either side."""
    left_at = [at for at in range(*a) if _opens_word(left[at][0])]
    right_at = [at for at in range(*b) if _opens_word(right[at][0])]
    return [(left_at[i], right_at[j]) for i, j in _match([left[at] for at in left_at], [right[at] for at in right_at])]


def _match(left: list[str], right: list[str]) -> Iterator[tuple[int, int]]:
    """Pairs of equal words, rising on both sides.

    The ends first; of what is left, short stretches by difflib, long ones by the shortest edit where few words differ,
    else cut at runs of words that occur but once and tried again.
    """
    work = [(0, len(left), 0, len(right), 0)]
    found: list[tuple[int, int]] = []
    while work:
        a, a_end, b, b_end, depth = work.pop()
        while a < a_end and b < b_end and left[a] == right[b]:
            found.append((a, b))
            a, b = a + 1, b + 1
        while a < a_end and b < b_end and left[a_end - 1] == right[b_end - 1]:
            a_end, b_end = a_end - 1, b_end - 1
            found.append((a_end, b_end))
        if a == a_end or b == b_end:
            continue
        if (a_end - a) * (b_end - b) <= _SMALL:
            matcher = SequenceMatcher(None, left[a:a_end], right[b:b_end], autojunk=False)
            found += [(a + i + k, b + j + k) for i, j, size in matcher.get_matching_blocks() for k in range(size)]
        elif (near := _near(left[a:a_end], right[b:b_end])) is not None:
            found += [(a + i, b + j) for i, j in near]
        elif depth < 4:
            anchors = _anchors(left[a:a_end], right[b:b_end])
            edges = [(a, b), *((a + i, b + j) for i, j in anchors), (a_end, b_end)]
            if anchors:
                work += [(i, i2, j, j2, depth + 1) for (i, j), (i2, j2) in pairwise(edges)]
    found.sort()
    return iter(found)


def _near(left: list[str], right: list[str]) -> list[tuple[int, int]] | None:
    """The pairs of equal words that the shortest edit keeps, by Myers' greedy search; None past ``_FEW`` edits."""
    furthest = {1: 0}
    history: list[dict[int, int]] = []
    for edits in range(_FEW + 1):
        history.append(dict(furthest))
        for diagonal in range(-edits, edits + 1, 2):
            x = _step(furthest, diagonal, edits)
            while x < len(left) and x - diagonal < len(right) and left[x] == right[x - diagonal]:
                x += 1
            furthest[diagonal] = x
            if x >= len(left) and x - diagonal >= len(right):
                return _retraced(history, diagonal, x)
    return None


def _step(furthest: dict[int, int], diagonal: int, edits: int) -> int:
    """Where the search comes onto ``diagonal``: down from the one above, or right from the one below."""
    if diagonal == -edits or (diagonal != edits and furthest[diagonal - 1] < furthest[diagonal + 1]):
        return furthest[diagonal + 1]
    return furthest[diagonal - 1] + 1


def _retraced(history: list[dict[int, int]], diagonal: int, x: int) -> list[tuple[int, int]]:
    """The equal pairs on the way to ``x`` on ``diagonal``, found backwards."""
    pairs: list[tuple[int, int]] = []
    for edits in range(len(history) - 1, -1, -1):
        start = _step(history[edits], diagonal, edits)
        pairs += [(at, at - diagonal) for at in range(x - 1, start - 1, -1)]
        came_down = start == history[edits].get(diagonal + 1)
        diagonal, x = (diagonal + 1, start) if came_down else (diagonal - 1, start - 1)
    return pairs[::-1]


def _anchors(left: list[str], right: list[str]) -> list[tuple[int, int]]:
    """Where runs of words stand that occur once on either side, crossing pairs left out; shortest runs that do."""
    for size in (1, 3, 8):
        starts = dict(_single_runs(right, size))
        pairs = [(at, starts[run]) for run, at in _single_runs(left, size) if run in starts]
        if pairs:
            return _increasing(pairs)
    return []


def _single_runs(words: list[str], size: int) -> list[tuple[tuple[str, ...], int]]:
    runs = list(zip(*(words[k:] for k in range(size)), strict=False))
    count = Counter(runs)
    return [(run, at) for at, run in enumerate(runs) if count[run] == 1]


def _increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest selection of ``pairs`` (sorted by their first) in which the second rises too."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (_, value) in enumerate(pairs):
        at = bisect_left(tails, value)
        before.append(ends[at - 1] if at else -1)
        tails[at : at + 1] = [value]
        ends[at : at + 1] = [index]
    chosen: list[tuple[int, int]] = []
    index = ends[-1]
    while index >= 0:
        chosen.append(pairs[index])
        index = before[index]
    return chosen[::-1]


def _changes(left: list[str], right: list[str], pairs: list[tuple[int, int]]) -> list[_Change]:
    """The whole of both texts as stretches: matched words, and between them what differs, trimmed at both ends."""
    out: list[_Change] = []
    kept: list[str] = []
    a = b = 0
    for i, j in [*pairs, (len(left), len(right))]:
        if i == a and j == b:  # nothing between two words that stay
            kept += left[i : i + 1]
            a, b = i + 1, j + 1
            continue
        old, new = left[a:i], right[b:j]
        head = _common(old, new)
        tail = _common(old[head:][::-1], new[head:][::-1])
        kept += old[:head]
        gone, come = old[head : len(old) - tail], new[head : len(new) - tail]
        if gone or come:
            out += [_kept(kept), _Change(False, gone, come, max(_words(gone), _words(come)))]
            kept = []
        kept += old[len(old) - tail :]
        kept += left[i : i + 1]
        a, b = i + 1, j + 1
    return [change for change in (*out, _kept(kept)) if change.old or change.new]


def _kept(part: list[str]) -> _Change:
    return _Change(True, part, part, _words(part))


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _words(part: Sequence[str]) -> int:
    return sum(map(_opens_word, map(_first, part)))


def _absorb(changes: list[_Change]) -> list[_Change]:
    """The changes, with kept islands that are small beside the changes around them given to both sides.

    A line end is never absorbed: lines that stay are lines that stay.
    """
    out: list[_Change] = []
    for change in changes:
        if len(out) >= 2 and not change.kept and out[-1].kept and not out[-2].kept:
            island, before = out[-1], out[-2]
            if island.weight * 2 <= min(before.weight, change.weight) and "\n" not in island.old:
                out[-2:] = [_joined(before, island, change)]
                continue
        out.append(change)
    return out


def _joined(before: _Change, island: _Change, after: _Change) -> _Change:
    return _Change(
        False,
        before.old + island.old + after.old,
        before.new + island.new + after.new,
        before.weight + island.weight + after.weight,
    )


def _spans(changes: list[_Change]) -> list[Span]:
    spans: list[Span] = []
    for change in changes:
        if change.kept:
            spans.append(Span("=", "".join(change.old)))
        else:
            spans.append(Span("-", "".join(change.old)))
            spans.append(Span("+", "".join(change.new)))
    return [span for span in spans if span.text]
