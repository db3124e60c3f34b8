"""What is known, or was decided against, that resembles a proposal: shown beside it, never acted upon.

Likeness is judged by vectors where an encoder is at hand and by words where none is; every answer names which. Only the
scopes in view are looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import log
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import Connection

from store import candidates, ranking, reading, refusals, retiring
from store.candidates import View
from store.cues import Hint, hints, same_subject
from store.encoders import Encoder, EncoderMissing, lost
from store.engine import Store
from store.facts import Memory, Proposal

if TYPE_CHECKING:
    from store.vectors import Vectors

WORDS: Final = "words"
"""The scorer where there is no encoder."""
SHOWN: Final = 3
"""Similar memories that are shown."""
FLOOR: Final = 0.42
"""What is less like than this, by vectors, is not shown; unrelated pairs stay below 0.2 (``tests/quality``)."""
FLOOR_BY_WORDS: Final = 0.28
RESEMBLES: Final = 0.58
"""From here on an earlier refusal is shown beside what resembles it."""
RESEMBLES_BY_WORDS: Final = 0.45
LOOKED_AT: Final = 12
"""Candidates that are looked at closely."""
COMMON: Final = 200
"""Memories that hold a word beyond which it is common."""
MOST_UNITS: Final = 8
"""Words of a text that memories are looked for by; beside vectors fewer will do."""
MOST_UNITS_BESIDE: Final = 4
MOST_RARE: Final = 4
LONGEST: Final = 2_000
"""Characters of a text that are asked with."""


@dataclass(frozen=True, slots=True)
class Similar:
    """An active memory that resembles what was asked about.

    ``score`` (0 to 1) says how likely both are about the same thing; ``hints`` say what of the new text differs from
    the memory's; ``same_key`` that it holds the same key, in this scope or another.
    """

    memory: Memory
    score: float
    hints: tuple[Hint, ...] = ()
    same_key: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """An earlier proposal that resembles it and was rejected: by whom, when and why."""

    proposal: Proposal
    score: float
    hints: tuple[Hint, ...]
    at: datetime
    actor: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """A way that was decided against (a retired memory) and that it resembles: by whom, when and why."""

    memory: Memory
    score: float
    hints: tuple[Hint, ...]
    at: datetime
    actor: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Similars:
    """All that resembles one text, the most alike first. ``scorer`` names what judged."""

    items: tuple[Similar, ...] = ()
    refused: tuple[Refused, ...] = ()
    retired: tuple[TurnedDown, ...] = ()
    scorer: str = WORDS


def similar(
    store: Store,
    proposal: Proposal,
    *,
    encoder: Encoder | None = None,
    scopes: Sequence[str] | None,
    limit: int = SHOWN,
) -> Similars:
    """What resembles a proposal in these scopes (None: everywhere), what it would change aside.

    ``encoder`` is one that is loaded (``encoders.at_hand()``), None for words alone. A removal resembles nothing.
    """
    if proposal.op == "remove":
        return Similars(scorer=encoder.title if encoder else WORDS)
    aside = {proposal.id, *([proposal.target.id] if proposal.target else [])}
    entry = proposal.entry
    return by_text(store, entry.content, encoder=encoder, scopes=scopes, limit=limit, key=entry.key, exclude=aside)


def by_text(
    store: Store,
    text: str,
    *,
    encoder: Encoder | None = None,
    scopes: Sequence[str] | None,
    limit: int = SHOWN,
    key: str | None = None,
    exclude: Collection[str] = (),
) -> Similars:
    """``similar`` for a text that nobody has proposed yet; ``exclude`` leaves out memories and proposals by id."""
    if scopes is not None and not scopes:
        return Similars(scorer=encoder.title if encoder else WORDS)
    asked = _Asked(store, text, scopes, key, frozenset(exclude), limit)
    if encoder is None:
        return _told(asked, None)
    try:
        return _told(asked, _Vector(encoder, encoder.encode([text[:LONGEST]])[0]))
    except EncoderMissing:
        lost(encoder)
        return _told(asked, None)


class _Asked(NamedTuple):
    """What is asked for, and where."""

    store: Store
    text: str
    scopes: Sequence[str] | None
    key: str | None
    exclude: frozenset[str]
    limit: int


class _Vector(NamedTuple):
    encoder: Encoder
    vector: Vectors


def _told(asked: _Asked, vector: _Vector | None) -> Similars:
    named, memories, cosines = _candidates(asked, vector)
    active: list[Similar] = []
    retired: list[tuple[float, Memory]] = []
    for memory in memories:
        score = same_subject(memory.entry.content, asked.text, cosines.get(memory.id))
        if memory.status == "retired":
            retired += [(score, memory)] if score >= _resembles(vector) else []
        elif score >= (FLOOR if vector else FLOOR_BY_WORDS) or memory.id in named:
            active.append(Similar(memory, round(score, 2), same_key=memory.id in named))
    active.sort(key=lambda one: (not one.same_key, -one.score, one.memory.id))
    shown = tuple(replace(one, hints=hints(one.memory.entry.content, asked.text)) for one in active[: asked.limit])
    turned_down = _turned_down(asked, retired)
    known = {*(one.memory.entry.content for one in shown), *(one.memory.entry.content for one in turned_down)}
    refused = tuple(one for one in _refused(asked, vector) if one.proposal.entry.content not in known)
    return Similars(shown, refused, turned_down, vector.encoder.title if vector else WORDS)


def _candidates(asked: _Asked, vector: _Vector | None) -> tuple[set[str], list[Memory], dict[str, float]]:
    """What may resemble it: the ids that hold the key, the memories, and the cosines of those that have a vector."""
    cosines = _nearest(asked, vector) if vector else {}
    with asked.store.read() as connection:
        view = _view(asked)
        held = view._replace(statuses=("active",))  # only so is the index of keys taken
        named = set(candidates.by_key(connection, held, [asked.key])) if asked.key else set()
        words = _by_words(connection, view, asked, MOST_UNITS_BESIDE if vector else MOST_UNITS)
        ids = dict.fromkeys([*named, *cosines, *words])
        found = candidates.still(connection, view, [one for one in ids if one not in asked.exclude])
        memories = candidates.readable(view, found, lambda part: reading.memories(connection, view.tenant, part))
    return named, memories, _rest(asked.store, vector, cosines, found)


def _view(asked: _Asked) -> View:
    places = None if asked.scopes is None else tuple(dict.fromkeys(asked.scopes))
    return View(asked.store, places, ("active", "retired"), None, asked.store.now())


def _resembles(vector: _Vector | None) -> float:
    return RESEMBLES if vector else RESEMBLES_BY_WORDS


def _nearest(asked: _Asked, vector: _Vector) -> dict[str, float]:
    """By id, the cosines of the memories that are nearest."""
    from store import vectors

    found = vectors.nearest(
        asked.store,
        vector.encoder,
        vector.vector,
        scopes=asked.scopes,
        statuses=("active", "retired"),
        limit=LOOKED_AT,
        exclude=asked.exclude,
    )
    return {one.id: one.cos for one in found}


def _by_words(connection: Connection, view: View, asked: _Asked, most: int) -> list[str]:
    """The memories that hold most of the text's rare words: also those that no vector has been made of yet.

    Only the ``most`` words that look rare are asked for: each costs a look into the index.
    """
    grams = sorted((unit.grams for unit in ranking.text_units(asked.text[:LONGEST])), key=_rarity, reverse=True)[:most]
    if not grams:
        return []
    counts = candidates.counted(connection, view, grams, COMMON)
    rare = sorted((count, own) for count, own in zip(counts, grams, strict=True) if 0 < count < COMMON)
    # The words of every other memory lead nowhere by themselves; those that hold all of them do.
    common = tuple(
        dict.fromkeys(gram for count, own in zip(counts, grams, strict=True) if count >= COMMON for gram in own)
    )
    chosen = [(own, log(COMMON / count)) for count, own in rare[:MOST_RARE]] + (
        [(common, 1.0)] if common and len(rare) < 2 else []
    )
    return candidates.heaviest(connection, view, chosen, COMMON, LOOKED_AT)


def _rarity(grams: tuple[str, ...]) -> tuple[bool, int]:
    """How rare a word looks: names and numbers before words, long words before short ones."""
    return any(char.isdigit() for gram in grams for char in gram), sum(map(len, grams))


def _rest(store: Store, vector: _Vector | None, cosines: dict[str, float], ids: Sequence[str]) -> dict[str, float]:
    """The cosines of those, too, that words have found, as far as they have vectors."""
    missing = [one for one in ids if one not in cosines] if vector else []
    if vector is None or not missing:
        return cosines
    from store import vectors

    found = vectors.vectors_of(store, vector.encoder, missing)
    return cosines | {one: float(held @ vector.vector) for one, held in found.items()}


def _turned_down(asked: _Asked, found: list[tuple[float, Memory]]) -> tuple[TurnedDown, ...]:
    best = sorted(found, key=lambda one: -one[0])[: asked.limit]
    if not best:
        return ()
    with asked.store.read() as connection:
        why = retiring.reasons(connection, asked.store.tenant, [memory.id for _score, memory in best])
    return tuple(
        TurnedDown(memory, round(score, 2), hints(memory.entry.content, asked.text), one.at, one.actor, one.reason)
        for score, memory in best
        if (one := why.get(memory.id)) is not None
    )


def _refused(asked: _Asked, vector: _Vector | None) -> list[Refused]:
    """The rejected proposals of these scopes that resemble it."""
    cosines: dict[str, float] = {}
    if vector is not None:
        from store import vectors

        found = vectors.nearest(
            asked.store,
            vector.encoder,
            vector.vector,
            owners="proposal",
            scopes=asked.scopes,
            statuses=("rejected",),
            limit=LOOKED_AT,
            exclude=asked.exclude,
        )
        cosines = {one.id: one.cos for one in found}
    likely = [one for one in (*cosines, *refusals.like(asked.store, asked.text)) if one not in asked.exclude]
    told = []
    for one in refusals.read(asked.store, list(dict.fromkeys(likely)), asked.scopes):
        content = one.proposal.entry.content
        score = same_subject(content, asked.text, cosines.get(one.proposal.id))
        if score >= (RESEMBLES if one.proposal.id in cosines else RESEMBLES_BY_WORDS):
            told.append(
                Refused(one.proposal, round(score, 2), hints(content, asked.text), one.at, one.actor, one.reason)
            )
    told.sort(key=lambda one: (-one.score, one.proposal.id))
    return told[: asked.limit]
