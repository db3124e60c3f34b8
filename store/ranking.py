"""How well a memory answers what was asked: units of words and their weights, recency, sources. Pure, no store."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from math import exp2, log
from typing import Final, NamedTuple

from store.entry import EPISODIC_KINDS
from store.text import fold, terms, words

FLOOR: Final = 0.11
"""A memory that is less like what was asked than this is no answer, however new or well borne out it is."""
BESIDE: Final = 0.4
"""What is less like than this share of the best is left out of a search."""
BESIDE_IN_A_TASK: Final = 0.2
"""The same for a task, whose text is about more than one thing."""
NAMED: Final = 0.5
"""How like, beside words, what a query names counts as."""
MOST_UNITS: Final = 48
"""Units that a text is asked by at most; of an overlong one the first."""
LOOSE: Final = 0.7
"""What a word counts for where only its beginning or stem is there."""
PART: Final = 0.5
"""What a word counts for that is part of a longer piece with punctuation ("app" of "src/app.py")."""
MARK: Final = 0.3
"""What the punctuation at a word's edge counts for ("TODO:")."""
SATURATED: Final = 3.0
"""A long text asks for much that no one memory says: as much as its so many rarest units is a full answer."""
USUAL_LENGTH: Final = 60
"""Grams of a memory of usual length; longer ones hold any word more easily, and count for less."""
FEW: Final = 50
"""Documents below which a count says little: in a store of three a word that two hold is not yet a common one."""
SATURATION: Final = 0.5
LENGTH_COUNTS: Final = 0.75
"""As in BM25 (k1 and b): how much a memory's length takes from what it holds."""

SOURCE_WEIGHT: Final = {
    "user_feedback": 1.0,
    "manual": 1.0,
    "task_success": 0.9,
    "import": 0.85,
    "unknown": 0.85,
    "task_failure": 0.85,
}
GUESS_WEIGHT: Final = 0.5
"""The weight of what was concluded from a failure, without evidence and borne out by nothing since."""
MOST_SUPPORT: Final = 5
"""Support counts up to here: many sessions that repeat one another are no better proof than a few."""

LONGEST_PATH: Final = 1024
"""Characters of a path that a memory may name, and so of a name that it may be the end of."""

_NOISE: Final = frozenset(
    re.findall(
        r"\w+",
        """
        a about all also an and any are as at be been but by can could did do does for from get had has have how i if in
        into is it its just let like make me my need no not of on or our out please should so some than that the their
        them then there these they this to up us use want was we were what when where which who why will with would you
        your 一个 什么 怎么 如何 我们 这个 那个 可以 需要 请问 为什 是否 一下
        """,
    )
)
_MARKS: Final = "\"'“”‘’「」『』（）【】《》,.;:!?，。；：！？、…"
_WHITE: Final = "".join(char for char in map(chr, range(0x3001)) if char.isspace())
_OPENING: Final = f"{_WHITE}([{{<{_MARKS}"
_CLOSING: Final = f"{_WHITE})]}}>{_MARKS}"
_NAME: Final = re.compile(r"\w[./\\_-]+\w")
_ENDING: Final = re.compile(r"(?:ies|ied|ing|ed|es|s|y|e)$")
_SHORTEST_STEM: Final = 4


class Unit(NamedTuple):
    """One thing asked for: ``grams`` that must all be there; of a word asked by its stem, ``exact`` is the whole.

    ``literal`` is a piece with punctuation that was asked for as it stands.
    """

    grams: tuple[str, ...]
    exact: str | None = None
    share: float = 1.0
    literal: bool = False


def query_units(query: str) -> list[Unit]:
    """What a person or an agent that searches asks for: words, of which the last may go on, and literal pieces."""
    pieces = query.split()
    asked = _Asked()
    for at, said in enumerate(pieces):
        core = bare(said) if len(pieces) > 1 else said
        asked.piece(core or said, literal=True, open_=at == len(pieces) - 1)
        if core and core != said:
            asked.add(Unit(_grams(said), share=MARK))
    return asked.units() or [Unit((word,)) for word in words(query)[:MOST_UNITS]]


def text_units(text: str) -> list[Unit]:
    """What a sentence is about: its words by their stems, and names with punctuation inside also whole."""
    asked = _Asked()
    for said in text.split():
        asked.piece(bare(said))
    return asked.units()


class _Asked:
    """Units as they are gathered, each once with its greatest share."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, ...], Unit] = {}

    def add(self, unit: Unit) -> None:
        held = self._held.get(unit.grams)
        if unit.grams and (held is None or held.share < unit.share):
            self._held[unit.grams] = unit

    def piece(self, said: str, *, literal: bool = False, open_: bool = False) -> None:
        """A piece of text without white space: its words, and where it holds punctuation the whole of it."""
        grams, plain = _grams(said), words(said)
        whole = len(grams) > len(plain)
        if whole:
            self.add(Unit(grams, literal=literal))
        for at, word in enumerate(plain):
            last = open_ and at == len(plain) - 1 and not whole
            self.add(_open(word) if last else _stemmed(word, PART if whole else 1.0))

    def units(self) -> list[Unit]:
        """All of them without the words of every sentence."""
        telling = [
            one for one in self._held.values() if len(one.grams) > 1 or (one.exact or one.grams[0]) not in _NOISE
        ]
        return telling[:MOST_UNITS]


def _grams(said: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(gram for part in terms(said) for gram in part))


def _open(word: str) -> Unit:
    """A word that may go on; one or two letters may not, unless they are of a script without spaces."""
    return Unit((word,)) if word.endswith("*") or len(word) < 3 or not word.isascii() else _begun(word, word)


def _begun(word: str, beginning: str) -> Unit:
    return Unit((f"{beginning}*",), exact=word)


def _stemmed(word: str, share: float) -> Unit:
    stem = _ENDING.sub("", word) if word.isascii() and word.isalpha() else ""
    if len(stem) < _SHORTEST_STEM:
        return Unit((word,), share=share)
    return _begun(word, stem)._replace(share=share)


class Weighed(NamedTuple):
    """A unit with what it is worth, the rarer the more, and how many documents hold it."""

    unit: Unit
    weight: float
    held_by: int


def weigh(units: Sequence[Unit], counts: Sequence[int], documents: int) -> list[Weighed]:
    """The units by weight, the heaviest first. ``counts`` says in how many of all ``documents`` each of them is."""
    total = max(documents, *counts, FEW)
    weighed = [
        Weighed(unit, unit.share * log(1 + (total - count + 0.5) / (count + 0.5)), count)
        for unit, count in zip(units, counts, strict=True)
    ]
    return sorted(weighed, key=lambda one: -one.weight)


def wanted(weighed: Sequence[Weighed]) -> float:
    """The weight that a full answer holds: all that is asked for, but at most ``SATURATED`` of the heaviest."""
    return min(sum(one.weight for one in weighed), SATURATED * weighed[0].weight) if weighed else 0.0


def leading(weighed: Sequence[Weighed], full: float) -> int:
    """How many of the heaviest units there are such that without any of them the floor is out of reach."""
    rest = sum(one.weight for one in weighed)
    for place, one in enumerate(weighed):
        if rest < FLOOR * full:
            return place
        rest -= one.weight
    return len(weighed)


def similarity(weighed: Sequence[Weighed], grams: str, full: float) -> float:
    """How much of the weight of a full answer a document holds, 0 to 1. ``grams`` are parted by one space each."""
    if full <= 0:
        return 0.0
    text = f" {grams} "
    held = sum(one.weight * _held(one.unit, text) for one in weighed)
    least = 1 + SATURATION * (1 - LENGTH_COUNTS)
    return min(1.0, held / full) * least / (least + SATURATION * LENGTH_COUNTS * text.count(" ") / USUAL_LENGTH)


def only_literal(query: str) -> bool:
    """Whether a query is nothing but pieces with punctuation: then what has one as it stands is meant, and no other."""
    return all(len(_grams(said)) > len(words(said)) for said in query.split())


def to_the_letter(units: Sequence[Unit], grams: str) -> bool:
    """Whether a document holds any of the literal pieces."""
    text = f" {grams} "
    return any(_held(unit, text) for unit in units if unit.literal)


def _held(unit: Unit, text: str) -> float:
    if unit.exact is not None and f" {unit.exact} " in text:
        return 1.0
    for gram in unit.grams:
        if (f" {gram[:-1]}" if gram.endswith("*") else f" {gram} ") not in text:
            return 0.0
    return 1.0 if unit.exact is None else LOOSE


def recency(kind: str, days: float) -> float:
    """What is left of a memory's weight ``days`` after it was last verified: semantic kinds fade slower than cases."""
    age = max(0.0, days)
    if kind in EPISODIC_KINDS:
        return 0.4 + 0.6 * exp2(-age / 30)
    return 0.7 + 0.3 * exp2(-age / 90)


def source_weight(source: str, *, evidence: bool, support: int) -> float:
    """What a memory's source is worth; a guess after a failure little, until more than one thing has borne it out."""
    if source == "task_failure" and not evidence and support < 2:
        return GUESS_WEIGHT
    return SOURCE_WEIGHT.get(source, SOURCE_WEIGHT["unknown"])


def borne_out(support: int) -> float:
    """The factor of what bore a memory out; nothing that was only claimed belongs into ``support``."""
    return 1 + 0.1 * min(max(support, 0), MOST_SUPPORT)


def age_words(then: datetime, now: datetime) -> str:
    """How long ago a memory was last verified, for an agent or a person: "verified 5 months ago"."""
    days = max(0, (now - then).days)
    if days < 1:
        return "verified less than a day ago"
    for size, unit, least in ((365.25, "year", 730), (30.44, "month", 60), (7, "week", 14), (1, "day", 1)):
        if days >= least:
            number = round(days / size)
            return f"verified {number} {unit}{'' if number == 1 else 's'} ago"
    raise AssertionError(days)


def names(query: str, said: str) -> bool:
    """Whether ``said`` (a key, an alias) stands in ``query`` as a name of its own, in whatever spelling.

    ``k8s`` does not stand in "k8s.yaml" or "my-k8s"; a name in a script without spaces has no edges.
    """
    name, text = fold(said).strip(), _folded(query)
    if not name or name not in text:  # most are not: what it costs to look more closely is not spent on them
        return False
    before = r"(?<!\w)(?<!\w[./\\_-])" if _edged(name[0]) else ""
    after = r"(?![./\\_-]*\w)" if _edged(name[-1]) else ""
    return re.search(before + re.escape(name) + after, text, re.ASCII) is not None


@lru_cache(maxsize=8)
def _folded(query: str) -> str:
    """A query folded, kept: every name of hundreds of memories is looked for in it."""
    return fold(query)


def _edged(char: str) -> bool:
    return char.isascii() and char.isalnum()


def bare(piece: str) -> str:
    """A piece of a sentence without the punctuation around it."""
    return piece.lstrip(_OPENING).rstrip(_CLOSING)


def is_name(piece: str) -> bool:
    """Whether a piece looks like a name rather than a word: a key, a path, a module, with punctuation inside."""
    return _NAME.search(piece) is not None


def path_names(piece: str) -> list[str]:
    """By which names a piece of text may mean a path: as it stands without its line number, and its last part."""
    name = _without_line(piece).replace("\\", "/").removeprefix("./")
    last = name.rstrip("/").rpartition("/")[2]
    return [name, last] if is_name(last) and last != name else [name]


def _without_line(piece: str) -> str:
    """A place in a file without its line and column: what stands behind a colon and is nothing but digits."""
    while True:
        name, colon, number = piece.rpartition(":")
        if not (colon and number.isdecimal()):
            return piece
        piece = name


def names_path(query: str, path: str) -> bool:
    """Whether a query names a path: whole, or by its last parts ("app.py" for src/app.py), a line number aside."""
    said = fold(path).replace("\\", "/").removeprefix("./")
    whole, longer = _paths_in(query)
    return said in longer or any(end in whole for end in (said, *_ends(said)))


@lru_cache(maxsize=8)
def _paths_in(query: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names of paths in a query, and of what each is the end of something longer: both kept, as for ``_folded``."""
    names = (path_names(bare(piece))[0] for piece in _folded(query).split())
    whole = frozenset(name for name in names if len(name) > 2 and is_name(name))
    return whole, frozenset(end for name in whole for end in _ends(name[-LONGEST_PATH:]))


def _ends(path: str) -> list[str]:
    """The last parts of a path: "b/c" and "c" of "a/b/c"."""
    return [path[found.end() :] for found in re.finditer("/", path)]
