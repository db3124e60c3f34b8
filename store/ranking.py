"""How well a memory answers what was asked: units of words and their weights, recency, sources. Pure, no store."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from math import exp2, log
from typing import Final, NamedTuple

from store.entry import EPISODIC_KINDS
from store.text import fold, terms, words

FLOOR: Final = 0.15
"""A memory that holds less than this of the weight asked for is no answer, however new or well borne out it is."""
MOST_UNITS: Final = 48
"""Units that a text is asked by at most; of an overlong one the first."""
LOOSE: Final = 0.8
"""What a word counts for where only its beginning or stem is there."""
PART: Final = 0.5
"""What a word counts for that is part of a longer piece with punctuation ("app" of "src/app.py")."""
SATURATED: Final = 4.0
"""A long text asks for much that no one memory says: holding as much as its so many rarest units is a full answer."""
USUAL_LENGTH: Final = 60
"""Grams of a memory of usual length; longer ones hold any word more easily, and count for less."""

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
_MARKS: Final = r"\"'“”‘’「」『』（）【】《》,.;:!?，。；：！？、…"
_EDGE: Final = re.compile(rf"^[\s(\[{{<{_MARKS}]+|[\s)\]}}>{_MARKS}]+$")
_NAME: Final = re.compile(r"\w[./\\_-]+\w")
_LINE: Final = re.compile(r"(:\d+)+$")
_ENDING: Final = re.compile(r"(?:ies|ied|ing|ed|es|s|y|e)$")
_SHORTEST_STEM: Final = 4


class Unit(NamedTuple):
    """One thing asked for: ``grams`` that must all be there, and of a word that is asked by its beginning the whole."""

    grams: tuple[str, ...]
    exact: str | None = None
    share: float = 1.0


def literal_units(query: str) -> list[Unit]:
    """What a person's query asks for: a piece with punctuation must be there as it stands; words may go on."""
    asked: dict[Unit, None] = {}
    for said in query.split():
        held = terms(said)
        grams = held[0] if held else []
        plain = words(said)
        if len(grams) == len(plain):
            asked.update(dict.fromkeys(_open(gram, word) for gram, word in zip(grams, plain, strict=True)))
        elif grams:
            asked[Unit(tuple(grams))] = None
    return list(asked)[:MOST_UNITS]


def text_units(text: str) -> list[Unit]:
    """What a sentence is about: its words by their stems, without the words of every sentence; names with punctuation
    inside also whole.
    """
    asked: dict[tuple[str, ...], Unit] = {}
    for said in text.split():
        core = _EDGE.sub("", said)
        plain = words(core)
        held = terms(core)
        pieces = held[0] if held else []
        whole = len(pieces) > len(plain) > 0
        if whole:
            grams = tuple(gram.rstrip("*") for gram in pieces)
            asked.setdefault(grams, Unit(grams))
        for word in plain:
            unit = _stemmed(word, PART if whole else 1.0)
            if unit.grams not in asked or asked[unit.grams].share < unit.share:
                asked[unit.grams] = unit
    telling = [unit for unit in asked.values() if (unit.exact or unit.grams[0]) not in _NOISE]
    return (telling or list(asked.values()))[:MOST_UNITS]


def _open(gram: str, word: str) -> Unit:
    """A word that may go on; one or two letters may not, unless they are of a script without spaces."""
    if not gram.endswith("*") or word.endswith("*"):
        return Unit((gram,))
    return Unit((word,)) if len(word) < 3 else Unit((gram,), exact=word)


def _stemmed(word: str, share: float) -> Unit:
    if not (word.isascii() and word.isalpha()):
        return Unit((word,), share=share)
    stem = _ENDING.sub("", word)
    if len(stem) < _SHORTEST_STEM:
        return Unit((word,), share=share)
    return Unit((f"{stem}*",), exact=word, share=share)


class Weighed(NamedTuple):
    """A unit with what it is worth: the rarer, the more."""

    unit: Unit
    weight: float


def weigh(units: Sequence[Unit], counts: Sequence[int], documents: int) -> list[Weighed]:
    """The units by weight, the heaviest first. ``counts`` says in how many of all ``documents`` each of them is."""
    total = max(documents, *counts, 1)
    weighed = [
        Weighed(unit, unit.share * log(1 + (total - count + 0.5) / (count + 0.5)))
        for unit, count in zip(units, counts, strict=True)
    ]
    return sorted(weighed, key=lambda one: -one.weight)


def wanted(weighed: Sequence[Weighed], *, whole: bool) -> float:
    """The weight that a full answer holds: all of it where ``whole``, else at most ``SATURATED`` of the heaviest."""
    total = sum(one.weight for one in weighed)
    return total if whole or not weighed else min(total, SATURATED * weighed[0].weight)


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
    longer = max(0.0, text.count(" ") / USUAL_LENGTH - 1)
    return min(1.0, held / full) / (1 + 0.1 * log(1 + longer))


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
    name = fold(said).strip()
    if not name:
        return False
    before = r"(?<!\w)(?<!\w[./\\_-])" if _edged(name[0]) else ""
    after = r"(?![./\\_-]*\w)" if _edged(name[-1]) else ""
    return re.search(before + re.escape(name) + after, fold(query), re.ASCII) is not None


def _edged(char: str) -> bool:
    return char.isascii() and char.isalnum()


def bare(piece: str) -> str:
    """A piece of a sentence without the punctuation around it."""
    return _EDGE.sub("", piece)


def is_name(piece: str) -> bool:
    """Whether a piece looks like a name rather than a word: a key, a path, a module, with punctuation inside."""
    return _NAME.search(piece) is not None


def names_path(query: str, path: str) -> bool:
    """Whether a query names a path: whole, or by its last parts ("app.py" for src/app.py), a line number aside."""
    said = fold(path).replace("\\", "/").removeprefix("./")
    for piece in fold(query).split():
        name = _LINE.sub("", _EDGE.sub("", piece)).replace("\\", "/").removeprefix("./")
        if len(name) > 2 and is_name(name) and (said == name or said.endswith("/" + name) or name.endswith("/" + said)):
            return True
    return False
