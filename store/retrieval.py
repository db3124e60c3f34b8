"""What an agent, or a person who asks, is told of the memories: search, the few a task needs, one by name, all.

Names first (an id's end, a key, an alias, a path), then words. Never a proposal; never a memory that is not active,
past its date or not what was approved, unless other statuses are asked for. Every function opens one read transaction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import Connection, select, tuple_

from store import candidates, ranking, reading
from store.candidates import Candidate, View
from store.engine import Store
from store.entry import KEY_GRAMMAR, KINDS, content_hash
from store.errors import AmbiguousId, UsageError
from store.facts import Memory
from store.models import MEMORY_STATUSES
from store.reading import VERSION

Why = Literal["id", "key", "alias", "path", "words"]
SCORER: Final = "words"
"""How likeness is judged: by words alone, until there is an encoder."""
LIMIT: Final = 5
"""Memories that a search gives unless more are asked for."""
LEAST_NEEDED: Final = 3
LONGEST_QUERY: Final = 4_000
"""Characters of a query that are looked at."""
SHORTEST_ID: Final = 6
"""Characters of an id's end that a search takes for one: a shorter one is a word or a number more often."""

_ID: Final = re.compile(rf"[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}|[0-9a-f-]{{{SHORTEST_ID},35}}")
_TOKEN: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f-]{4,35}")
_TIERS: Final[dict[str, int]] = {"id": 0, "key": 1, "alias": 2, "path": 3, "words": 4}
_MOST_PIECES: Final = 6


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
    scorer: str = SCORER


def search(
    store: Store,
    query: str,
    *,
    scopes: Sequence[str] | None,
    statuses: Sequence[str] = ("active",),
    kinds: Sequence[str] | None = None,
    limit: int = LIMIT,
) -> Found:
    """The memories of these scopes (None: everywhere) that answer a query, the best first.

    Whatever the query holds is literal. Raises UsageError for an unknown status or kind, or a limit below 1.
    """
    view = _view(store, scopes, statuses, kinds, limit)
    asked = query[:LONGEST_QUERY].strip()
    if not asked or view is None:
        return Found()
    with store.read() as connection:
        named = _named(connection, view, asked)
        scored = _scored(connection, view, ranking.literal_units(asked), whole=True)
        if not scored and not named:
            scored = _scored(connection, view, ranking.text_units(asked), whole=False)
        ranked = _ranked(connection, view, asked, named, scored)
        return Found(_told(connection, view, ranked, limit), len(ranked))


def needed(store: Store, text: str, *, scopes: Sequence[str] | None) -> tuple[Hit, ...]:
    """The three to five memories of these scopes that a task needs, the best first; fewer where fewer answer.

    ``text`` says in a sentence or more, in any language, what is to be done.
    """
    view = _view(store, scopes, ("active",), None, LIMIT)
    asked = text[:LONGEST_QUERY].strip()
    if not asked or view is None:
        return ()
    with store.read() as connection:
        named = _named(connection, view, asked)
        scored = _scored(connection, view, ranking.text_units(asked), whole=False)
        hits = _told(connection, view, _ranked(connection, view, asked, named, scored), LIMIT)
    return tuple(hit for at, hit in enumerate(hits) if at < LEAST_NEEDED or hit.score >= hits[0].score / 2)


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
        found = _sound(connection, store.tenant, reading.memories(connection, store.tenant, ids))
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

    Facts, preferences and procedures first, then decisions and requirements, then cases and feedback (which a block
    leaves to search); in each the newest change first. ``total`` counts all, whatever the page. Raises NotFound where
    ``after`` names no memory, UsageError for a limit below 1.
    """
    view = _view(store, scopes, ("active",), None, 1 if limit is None else limit)
    if view is None:
        return Everything((), 0)
    with store.read() as connection:
        total, ids, following = candidates.listed(connection, view, limit, after)
        memories = _sound(connection, store.tenant, reading.memories(connection, store.tenant, ids))
        told: list[Told] = []
        for part in reading.chunks(memories):
            stand = candidates.standings(connection, store.tenant, {one.id: one.updated_at for one in part})
            told += [
                Told(one, at, ranking.age_words(at, view.now), support, uses)
                for one in part
                for at, support, uses in [stand[one.id]]
            ]
    return Everything(tuple(told), total, following)


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
    return View(store.tenant, places, chosen, None if kinds is None else tuple(dict.fromkeys(kinds)), store.now())


def _named(connection: Connection, view: View, asked: str) -> dict[str, Why]:
    """The memories that the query names by their id, their key, an alias or a path, and by which of these."""
    found: dict[str, Why] = {}
    token = asked.lower()
    if _ID.fullmatch(token):
        found |= dict.fromkeys(candidates.by_id(connection, view, token), "id")
    pieces = [ranking.bare(piece) for piece in asked.split()]
    keys = list(dict.fromkeys((token, *(piece.lower() for piece in pieces if ranking.is_name(piece)))))
    keys = [key for key in keys if KEY_GRAMMAR.fullmatch(key)][: _MOST_PIECES * 4]
    for one in candidates.by_key(connection, view, keys):
        found.setdefault(one, "key")
    tellings = dict.fromkeys((asked, *(piece for piece in pieces if ranking.is_name(piece))))
    for name in list(tellings)[:_MOST_PIECES]:
        wanted = candidates.by_name(connection, view, name)
        for held in candidates.read(connection, view.tenant, wanted):
            why = _why(held, name)
            if why != "words":
                found.setdefault(held.id, why)
    return found


def _why(one: Candidate, query: str) -> Why:
    if one.key is not None and ranking.is_name(one.key) and ranking.names(query, one.key):
        return "key"
    if any(ranking.names(query, alias) for alias in one.aliases):
        return "alias"
    if any(ranking.names_path(query, path) for path in one.paths):
        return "path"
    return "words"


def _scored(
    connection: Connection, view: View, units: Sequence[ranking.Unit], *, whole: bool
) -> list[tuple[Candidate, float]]:
    """The memories that hold enough of what is asked for, with how much of it."""
    if not units:
        return []
    counts, documents = candidates.documents(connection, view, units)
    weighed = ranking.weigh(units, counts, documents)
    full = ranking.wanted(weighed, whole=whole)
    found = candidates.by_words(connection, view, weighed, ranking.leading(weighed, full))
    scored = [(one, ranking.similarity(weighed, one.grams, full)) for one in found]
    return [(one, score) for one, score in scored if score >= ranking.FLOOR]


@dataclass(frozen=True, slots=True)
class _Ranked:
    candidate: Candidate
    score: float
    why: Why


def _ranked(
    connection: Connection, view: View, asked: str, named: dict[str, Why], scored: list[tuple[Candidate, float]]
) -> list[_Ranked]:
    """All that answers, the best first: names before words, the newer before the older where all else is equal."""
    likeness = {one.id: score for one, score in scored}
    held = {one.id: one for one, _ in scored}
    missing = [one for one in named if one not in held]
    held |= {one.id: one for one in candidates.read(connection, view.tenant, missing)}
    ranked = []
    for own, one in held.items():
        why = named.get(own) or _why(one, asked)
        sim = 1.0 if why != "words" else likeness[own]
        days = (view.now - one.standing.verified_at).total_seconds() / 86_400
        factor = ranking.recency(one.kind, days) * ranking.borne_out(one.standing.support)
        factor *= ranking.source_weight(one.source, evidence=one.evidence, support=one.standing.support)
        ranked.append(_Ranked(one, sim * factor, why))
    return sorted(ranked, key=lambda one: (_TIERS[one.why], -one.score, _reversed(one.candidate.id)))


def _reversed(identity: str) -> tuple[int, ...]:
    return tuple(-ord(char) for char in identity)


def _told(connection: Connection, view: View, ranked: Sequence[_Ranked], limit: int) -> tuple[Hit, ...]:
    """The first that are sound, as hits; read a few more than asked for, for those that are not."""
    hits: list[Hit] = []
    for part in reading.chunks(ranked, limit + 3):
        ids = [one.candidate.id for one in part]
        memories = _sound(connection, view.tenant, reading.memories(connection, view.tenant, ids))
        sound = {memory.id: memory for memory in memories}
        hits += [_hit(sound[one.candidate.id], one, view.now) for one in part if one.candidate.id in sound]
        if len(hits) >= limit:
            break
    return tuple(hits[:limit])


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


def _sound(connection: Connection, tenant: str, memories: Sequence[Memory]) -> list[Memory]:
    """Those that are what was approved: the text has the hash that was bound, and the newest version says the same."""
    kept = [one for one in memories if content_hash(one.entry.content) == one.content_hash]
    versions: dict[tuple[str, int], tuple[str | None, str]] = {}
    for part in reading.chunks([(one.id, one.revision) for one in kept]):
        chosen = select(VERSION.c.memory_id, VERSION.c.revision, VERSION.c.entry, VERSION.c.status).where(
            VERSION.c.tenant_id == tenant, tuple_(VERSION.c.memory_id, VERSION.c.revision).in_(part)
        )
        for row in connection.execute(chosen):
            versions[row.memory_id, row.revision] = (row.entry, row.status)
    return [one for one in kept if versions.get((one.id, one.revision)) == (one.entry.canonical_json(), one.status)]
