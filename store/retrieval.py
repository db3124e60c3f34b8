"""What an agent, or a person who asks, is told of the memories: search, the few a task needs, one by name, all.

Names first (an id's end, a key, an alias, a path), then words and, with an encoder at hand, meaning. Never a proposal;
never a memory that is not active, past its date or not what was approved, unless other statuses are asked for. Every
function looks at one snapshot.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple

from sqlalchemy import Connection

from store import candidates, meaning, ranking, reading
from store.candidates import Candidate, View
from store.encoders import Encoder
from store.engine import Store
from store.entry import KEY_GRAMMAR, KINDS
from store.errors import AmbiguousId, UsageError
from store.facts import Memory
from store.meaning import Meant
from store.models import MEMORY_STATUSES
from store.packed import PackedIds
from store.resolve import SHORTEST_SUFFIX
from store.soundness import sound
from store.text import fold

Why = Literal["id", "key", "alias", "path", "words", "meaning"]
LIMIT: Final = 5
"""Memories that a search gives unless more are asked for."""
LEAST_NEEDED: Final = 3
LONGEST_QUERY: Final = 4_000
"""Characters of a query that are looked at."""
SHORTEST_ID: Final = 6
"""Characters of an id's end that a search takes for one: a shorter one is a word or a number more often."""

_WHOLE_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ID: Final = re.compile(rf"{_WHOLE_ID.pattern}|[0-9a-f-]{{{SHORTEST_ID},35}}")
_TOKEN: Final = re.compile(rf"{_WHOLE_ID.pattern}|[0-9a-f-]{{{SHORTEST_SUFFIX},35}}")
_TIERS: Final[dict[str, int]] = {"id": 0, "key": 1, "alias": 2, "path": 3, "words": 4, "meaning": 4}
MOST_NAMES: Final = 6
"""Names in one query that are looked up."""
LONGEST_NAME: Final = 6
"""Words of a query that may as a whole be a name."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that answers. ``score`` ranks (0 to about 1.5); ``why`` says what matched.

    ``verified_at`` is when it was last approved, changed or borne out, ``age_words`` the same for people ("verified 5
    months ago"); ``support`` counts what bore it out for all to see, ``uses`` how often it was handed out.
    """

    memory: Memory
    score: float
    why: Why
    verified_at: datetime
    age_words: str
    support: int
    uses: int


@dataclass(frozen=True, slots=True)
class Found:
    """The best hits, and how many memories answer at all (counted up to a few hundred). ``scorer`` judged likeness."""

    hits: tuple[Hit, ...] = ()
    total: int = 0
    scorer: str = meaning.WORDS


def search(
    store: Store,
    query: str,
    *,
    scopes: Sequence[str] | None,
    statuses: Sequence[str] = ("active",),
    kinds: Sequence[str] | None = None,
    limit: int = LIMIT,
    encoder: Encoder | None = None,
) -> Found:
    """The memories of these scopes (None: everywhere) that answer a query, the best first.

    Whatever the query holds is literal. ``encoder`` judges likeness in meaning, by default the one at hand. Raises
    UsageError for an unknown status or kind, or a limit below 1.
    """
    view = _view(store, scopes, statuses, kinds, limit)
    asked = _askable(query)
    if not asked or view is None:
        return Found()
    near = meaning.meant(view, asked, encoder)
    with store.read() as connection:
        units = [] if _WHOLE_ID.fullmatch(asked.lower()) else ranking.query_units(asked)
        names, words = _scored(connection, view, asked, units)
        words = _in_meaning(connection, view, names, _as_it_stands(asked, units, words), near)
        words = _near_the_best(words, best=ranking.NAMED if names else 0.0)
        return _told(connection, view, _ranked(view, [*names, *words]), limit, near.scorer)


def needed(store: Store, text: str, *, scopes: Sequence[str] | None, encoder: Encoder | None = None) -> tuple[Hit, ...]:
    """The three to five memories of these scopes that a task needs, the best first; fewer where fewer answer.

    ``text`` says in a sentence or more, in any language, what is to be done; ``encoder`` as for ``search``.
    """
    return found_for(store, text, scopes=scopes, encoder=encoder).hits


def found_for(store: Store, text: str, *, scopes: Sequence[str] | None, encoder: Encoder | None = None) -> Found:
    """``needed``, with what judged likeness."""
    view = _view(store, scopes, ("active",), None, LIMIT)
    asked = _askable(text)
    if not asked or view is None:
        return Found()
    near = meaning.meant(view, asked, encoder)
    with store.read() as connection:
        names, words = _scored(connection, view, asked, ranking.text_units(asked))
        words = _in_meaning(connection, view, names, words, near)
        words = _near_the_best(words, best=ranking.NAMED if names else 0.0, share=ranking.BESIDE_IN_A_TASK)
        hits = _told(connection, view, _ranked(view, [*names, *words]), LIMIT, near.scorer).hits
    few = tuple(hit for at, hit in enumerate(hits) if at < LEAST_NEEDED or hit.score >= hits[0].score / 2)
    return Found(few, len(few), near.scorer)


def get(store: Store, token: str, *, scopes: Sequence[str] | None) -> Memory | None:
    """The one active memory of these scopes that an id, an id's last characters (four or more) or a key means, or None.

    A key is looked for in the scopes in their order. Raises AmbiguousId where several in these scopes end so.
    """
    view = _view(store, scopes, ("active",), None, 1)
    asked = token.strip().lower()
    if view is None or not asked:
        return None
    with store.read() as connection:
        ids = candidates.by_id(connection, view, asked) if _TOKEN.fullmatch(asked) else []
        if not ids and KEY_GRAMMAR.fullmatch(asked):
            ids = candidates.by_key(connection, view, [asked])[:1]
        found = sound(connection, view, ids)
    if len(found) > 1:
        names = ", ".join(one.id[-12:] for one in found[:6])
        raise AmbiguousId(f'"{asked}" may mean: {names}.', todo="Give more of the id.")
    return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Told:
    """A memory that an agent can be told, with its age as in ``Hit``."""

    memory: Memory
    verified_at: datetime
    age_words: str
    support: int
    uses: int


@dataclass(frozen=True, slots=True)
class Everything:
    """A page of all that an agent can be told; ``next`` is the ``after`` of the next page, None at the end."""

    items: tuple[Told, ...]
    total: int
    next: str | None = None


def everything(
    store: Store, scopes: Sequence[str] | None, *, limit: int | None = None, after: str | None = None
) -> Everything:
    """All the memories of these scopes that an agent can be told, in the order of the block.

    What is pinned first, then facts, preferences and procedures, then decisions and requirements, then cases and
    feedback (which a block leaves to search); in each the newest change first. ``total`` counts all, whatever the page.
    Raises NotFound where ``after`` names no memory, UsageError for a limit below 1.
    """
    view = _view(store, scopes, ("active",), None, 1 if limit is None else limit)
    if view is None:
        return Everything((), 0)
    with store.read() as connection:
        total, ids, following = candidates.listed(connection, view, limit, after)
        return Everything(_with_ages(connection, view, ids), total, following)


def everything_ids(store: Store, scopes: Sequence[str] | None) -> PackedIds:
    """The ids of ``everything``, as they stand now: whoever walks through all of it asks for them once."""
    view = _view(store, scopes, ("active",), None, 1)
    if view is None:
        return PackedIds()
    with store.read() as connection:
        return candidates.all_listed(connection, view)


def told(store: Store, scopes: Sequence[str] | None, ids: Sequence[str]) -> tuple[Told, ...]:
    """These memories, a page at a time, in the order asked for; those that can no longer be told are left out."""
    view = _view(store, scopes, ("active",), None, 1)
    if view is None:
        return ()
    with store.read() as connection:
        return _with_ages(connection, view, candidates.still(connection, view, ids))


def _with_ages(connection: Connection, view: View, ids: Sequence[str]) -> tuple[Told, ...]:
    found: list[Told] = []
    for part in reading.chunks(sound(connection, view, ids)):
        stand = candidates.standings(connection, view.tenant, {one.id: one.updated_at for one in part})
        for one in part:
            at, support, uses = stand[one.id]
            found.append(Told(one, at, ranking.age_words(at, view.now), support, uses))
    return tuple(found)


def _view(
    store: Store,
    scopes: Sequence[str] | None,
    statuses: Sequence[str],
    kinds: Sequence[str] | None,
    limit: int,
) -> View | None:
    """What is asked about, or None where that can hold nothing."""
    for one in statuses:
        if one not in MEMORY_STATUSES:
            raise UsageError(f'There is no status "{one}".', todo=f"It is one of {', '.join(MEMORY_STATUSES)}.")
    for one in kinds or ():
        if one not in KINDS:
            raise UsageError(f'There is no kind "{one}".', todo=f"It is one of {', '.join(KINDS)}.")
    if limit < 1:
        raise UsageError(f"A limit of {limit} leaves nothing.", todo="Ask for at least 1.")
    places = None if scopes is None else tuple(dict.fromkeys(scopes))
    if places == () or not statuses or (kinds is not None and not kinds):
        return None
    chosen = tuple(dict.fromkeys(statuses))
    return View(store, places, chosen, None if kinds is None else tuple(dict.fromkeys(kinds)), store.now())


def _askable(said: str) -> str:
    """A query without what no memory can hold and no engine takes (half characters, NUL), and of bounded length."""
    return said[:LONGEST_QUERY].encode("utf-8", "ignore").decode().replace("\x00", " ").strip()


def _named(connection: Connection, view: View, asked: str) -> dict[str, Why]:
    """The memories that the query names by their id, their key, an alias or a path, and by which of these."""
    found: dict[str, Why] = {}
    whole = fold(asked).strip()
    if _ID.fullmatch(whole):
        found |= dict.fromkeys(candidates.by_id(connection, view, whole), "id")
    pieces = [piece for piece in map(ranking.bare, asked.split()) if ranking.is_name(piece)]
    keys = [key for key in dict.fromkeys((whole, *map(fold, pieces))) if KEY_GRAMMAR.fullmatch(key)]
    for one in candidates.by_key(connection, view, keys[:MOST_NAMES]):
        found.setdefault(one, "key")
    names = [asked] if len(asked.split()) <= LONGEST_NAME else []
    names += [part for piece in pieces for part in ranking.path_names(piece)]
    wanted = [
        one for name in list(dict.fromkeys(names))[:MOST_NAMES] for one in candidates.by_name(connection, view, name)
    ]
    for held in candidates.read(connection, view, list(dict.fromkeys(wanted))):
        why = _why(held, asked)
        if why != "words":
            found.setdefault(held.id, why)
    return found


def _why(one: Candidate, asked: str) -> Why:
    """What of a memory a query names, or "words"."""
    if one.key is not None and ranking.is_name(one.key) and ranking.names(asked, one.key):
        return "key"
    if any(ranking.names(asked, alias) for alias in one.aliases):
        return "alias"
    return "path" if any(ranking.names_path(asked, path) for path in one.paths) else "words"


class _Scored(NamedTuple):
    candidate: Candidate
    likeness: float
    why: Why


def _scored(
    connection: Connection, view: View, asked: str, units: Sequence[ranking.Unit]
) -> tuple[list[_Scored], list[_Scored]]:
    """The memories that the query names, and those that hold enough of its words; how like each is, 0 to 1."""
    named = _named(connection, view, asked)
    counts, documents = candidates.documents(connection, view, units) if units else ([], 0)
    weighed = ranking.weigh(units, counts, documents)
    full = ranking.wanted(weighed)
    held = candidates.by_words(connection, view, weighed[: ranking.leading(weighed, full)], every=units)
    missing = set(named).difference(one.id for one in held)
    names, words = [], []
    for one in [*candidates.read(connection, view, [own for own in named if own in missing]), *held]:
        why = named.get(one.id) or _why(one, asked)
        if why != "words":
            names.append(_Scored(one, 1.0, why))
        elif (likeness := ranking.similarity(weighed, one.grams, full)) >= ranking.FLOOR:
            words.append(_Scored(one, likeness, why))
    return names, words


def _in_meaning(
    connection: Connection, view: View, names: Sequence[_Scored], words: list[_Scored], near: Meant
) -> list[_Scored]:
    """What answers by its words or its meaning, each as like as the better of the two says."""
    held = {one.candidate.id for one in (*names, *words)}
    found = [
        one._replace(likeness=max(one.likeness, near.likeness(one.candidate.id, one.candidate.grams))) for one in words
    ]
    for one in candidates.read(connection, view, [own for own in near if own not in held]):
        likeness = near.likeness(one.id, one.grams)
        if likeness:
            found.append(_Scored(one, likeness, "meaning"))
    return found


def _as_it_stands(asked: str, units: Sequence[ranking.Unit], words: list[_Scored]) -> list[_Scored]:
    """Where nothing but punctuated pieces is asked for, what has one as it stands, if anything has."""
    if not ranking.only_literal(asked):
        return words
    return [one for one in words if ranking.to_the_letter(units, one.candidate.grams)] or words


def _near_the_best(words: list[_Scored], *, best: float, share: float = ranking.BESIDE) -> list[_Scored]:
    """Without what is far behind the best; ``best`` is how like the best is that is not among these."""
    least = max([best, *(one.likeness for one in words)]) * share
    return [one for one in words if one.likeness >= least]


class _Ranked(NamedTuple):
    candidate: Candidate
    score: float
    why: Why


def _ranked(view: View, scored: Sequence[_Scored]) -> list[_Ranked]:
    """All that answers, the best first: names before words, the newest first where all else is equal."""
    ranked = []
    for one, likeness, why in scored:
        stands = one.standing
        days = (view.now - stands.verified_at).total_seconds() / 86_400
        factor = ranking.recency(one.kind, days) * ranking.borne_out(stands.support)
        factor *= ranking.source_weight(one.source, evidence=one.evidence, support=stands.support)
        ranked.append(_Ranked(one, likeness * factor, why))
    ranked.sort(key=lambda one: one.candidate.id, reverse=True)
    return sorted(ranked, key=lambda one: (_TIERS[one.why], -one.score))


def _told(connection: Connection, view: View, ranked: Sequence[_Ranked], limit: int, scorer: str) -> Found:
    """The first that are sound, as hits, and how many there are; those met that are not do not count."""
    hits: list[Hit] = []
    broken = 0
    for part in reading.chunks(ranked, limit + 3):
        whole = {one.id: one for one in sound(connection, view, [one.candidate.id for one in part])}
        broken += len(part) - len(whole)
        hits += [_hit(whole[one.candidate.id], one, view.now) for one in part if one.candidate.id in whole]
        if len(hits) >= limit:
            break
    return Found(tuple(hits[:limit]), len(ranked) - broken, scorer)


def _hit(memory: Memory, ranked: _Ranked, now: datetime) -> Hit:
    stands = ranked.candidate.standing
    return Hit(
        memory=memory,
        score=round(ranked.score, 4),
        why=ranked.why,
        verified_at=stands.verified_at,
        age_words=ranking.age_words(stands.verified_at, now),
        support=stands.support,
        uses=stands.uses,
    )
