"""Five cases that say the same offer themselves as one semantic memory, for a person to word.

The offer is a draft proposal: the text of the most typical case, with all of them as evidence. It is never approved by
a rule, since it carries a flag, and no case takes part in a second offer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, insert, literal, null, select

from store import reading
from store.encoders import Encoder
from store.engine import Store
from store.entry import Entry, content_hash, fingerprint, group_id
from store.facts import Flag, Memory
from store.gathering import LEAST_ALIKE, Cluster, One, gather
from store.ids import new_id
from store.likeness import NEAR, WordIndex
from store.models import MemoryRow, ProposalRow, SettingRow
from store.reading import chunks
from store.redact import REDACTION_VERSION

if TYPE_CHECKING:
    from store.vectors import Vectors

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
SETTING = SettingRow.__table__  # type: ignore[attr-defined]
KINDS: Final = ("experience", "decision", "feedback")
ENOUGH: Final = 5
"""Cases that say the same, from which on they are offered as one."""
NEWEST: Final = 1_000
"""Cases of one scope that are compared, the newest."""
FLAG: Final = "episodes"
OFFERED: Final = "episodes:"
"""How the settings begin that tell which cases have been offered; behind it the id of the proposal."""
MOST_AROUND: Final = 200
"""New cases whose like is looked for in one call, the last ones."""
QUOTED: Final = 160
"""Characters of a case in the evidence."""
QUOTED_CASES: Final = 8
AGENT: Final = "meminbox"
"""Who proposes it: nobody's agent."""


def settle(store: Store, ids: Sequence[str], *, encoder: Encoder | None = None) -> tuple[str, ...]:
    """Make the offers of the scopes in which one of these memories is a case; the ids of the new proposals.

    For a background thread; with nothing to do it costs one look-up.
    """
    around: dict[str, list[str]] = {}
    with store.read() as connection:
        for part in chunks(list(dict.fromkeys(ids))):
            chosen = select(MEMORY.c.scope, MEMORY.c.id).where(MEMORY.c.id.in_(list(part)), *_cases(store))
            for row in connection.execute(chosen):
                around.setdefault(row.scope, []).append(row.id)
    return tuple(
        made for scope in sorted(around) for made in offers(store, scope, encoder=encoder, around=around[scope])
    )


def offers(
    store: Store, scope: str, *, encoder: Encoder | None = None, around: Sequence[str] | None = None
) -> tuple[str, ...]:
    """Propose what five cases of a scope say alike and was not offered before; the ids of the new proposals.

    ``around`` limits the search to what is like one of these cases. The same call again makes no second offer. Raises
    errors of ``store.errors``.
    """
    with store.read() as connection:
        if len(_newest(store, connection, scope, ENOUGH)) < ENOUGH:
            return ()
        offered = _offered(store, connection)
        cases = [row for row in _newest(store, connection, scope, NEWEST) if row.id not in offered]
    if len(cases) < ENOUGH:
        return ()
    vectors = _vectors(store, encoder, [row.id for row in cases])
    if around is not None:
        cases = _like(cases, set(around[-MOST_AROUND:]), vectors)
    gathered, _left = gather(store, [One(row) for row in cases], vectors)
    groups = [one for one in gathered if one.size >= ENOUGH]
    return tuple(made for group in groups if (made := _offer(store, group)) is not None)


def _like(cases: Sequence[Any], around: set[str], vectors: dict[str, Vectors]) -> list[Any]:
    """Those of the cases that may say the same as one of ``around``, by words or by vectors, these among them."""
    index = WordIndex()
    for row in cases:
        index.add(row.id, row.content)
    likely = set(around)
    for row in cases:
        if row.id in around:
            likely.update(one for one, _share in index.like(row.content, least=LEAST_ALIKE))
    fresh = [one for one in around if one in vectors]
    if fresh:
        import numpy as np

        held = np.stack([vectors[one] for one in fresh])
        there = [row.id for row in cases if row.id in vectors]
        cosines = np.stack([vectors[one] for one in there]) @ held.T
        likely.update(there[at] for at in np.flatnonzero(cosines.max(axis=1) >= NEAR))
    return [row for row in cases if row.id in likely]


def _cases(store: Store) -> list[Any]:
    return [MEMORY.c.tenant_id == store.tenant, MEMORY.c.status == "active", MEMORY.c.kind.in_(KINDS)]


def _newest(store: Store, connection: Connection, scope: str, limit: int) -> Sequence[Any]:
    # Whatever their kinds and keys, they are compared with one another: the offer has a kind of its own and no key.
    columns = (MEMORY.c.id, MEMORY.c.scope, literal("case").label("kind"), null().label("key"), MEMORY.c.content)
    chosen = select(*columns).where(*_cases(store), MEMORY.c.scope == scope, MEMORY.c.content.is_not(None))
    return connection.execute(chosen.order_by(MEMORY.c.updated_at.desc(), MEMORY.c.id.desc()).limit(limit)).all()


def _offered(store: Store, connection: Connection) -> set[str]:
    """The cases that were part of an offer, whatever became of it."""
    chosen = select(SETTING.c.value).where(
        SETTING.c.tenant_id == store.tenant, SETTING.c.name >= OFFERED, SETTING.c.name < OFFERED[:-1] + ";"
    )
    return {one for value in connection.execute(chosen).scalars() for one in value.get("memories", ())}


def _vectors(store: Store, encoder: Encoder | None, ids: Sequence[str]) -> dict[str, Vectors]:
    if encoder is None:
        return {}
    from store import vectors

    return vectors.vectors_of(store, encoder, ids)


def _offer(store: Store, group: Cluster) -> str | None:
    """Write the proposal, if its cases still stand and nobody has offered one of them meanwhile."""
    with store.write() as connection:
        if not _offered(store, connection).isdisjoint(group.ids):
            return None
        held = [one for one in reading.memories(connection, store.tenant, group.ids) if one.status == "active"]
        if len(held) < ENOUGH or held[0].id != group.head:
            return None
        own, now = new_id(), store.now()
        connection.execute(insert(PROPOSAL), [_row(store, own, held)])
        value = {"memories": [one.id for one in held]}
        connection.execute(
            insert(SETTING), [{"tenant_id": store.tenant, "name": f"{OFFERED}{own}", "value": value, "at": now}]
        )
    return own


def _row(store: Store, own: str, cases: Sequence[Memory]) -> dict[str, Any]:
    entry = _entry(cases)
    names = ", ".join(f"…{one.id[-6:]}" for one in cases[:QUOTED_CASES])
    more = len(cases) - QUOTED_CASES
    flag = Flag(FLAG, f"{len(cases)} cases say the same: {names}{f' and {more} more' if more > 0 else ''}")
    return {
        **{name: value for name, value in entry.as_dict().items() if name != "valid_until"},
        "valid_until": None,
        "tenant_id": store.tenant,
        "id": own,
        "op": "add",
        "target_id": None,
        "base_revision": None,
        "content_hash": content_hash(entry.content),
        "fingerprint": fingerprint(entry.scope, "add", entry.content),
        "group_id": group_id(entry.scope, None, None, own),
        "flags": [flag.as_dict()],
        "redaction_version": REDACTION_VERSION,
        "idempotency_key": None,
        "status": "draft",
        "mentions": 1,
        "branch": None,
        "commit_hash": None,
        "session_rank": own,
        "deferred_at": None,
        "revision": 1,
        "created_at": store.now(),
    }


def _entry(cases: Sequence[Memory]) -> Entry:
    """What is proposed: the first case's text, as a fact, with the others' quoted. They were redacted before."""
    quoted = "\n".join(f"…{one.id[-6:]} {_short(one.entry.content)}" for one in cases[:QUOTED_CASES])
    return Entry(
        scope=cases[0].entry.scope,
        content=cases[0].entry.content,
        kind="fact",
        source="unknown",
        source_agent=AGENT,
        evidence=quoted,
    )


def _short(said: str) -> str:
    line = " ".join(said.split())
    return line if len(line) <= QUOTED else line[: QUOTED - 1] + "…"
