"""From what a person types, an id's last characters or a key, to the one thing that is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import Connection, func, literal, select

from store.conditions import unindexed
from store.engine import Store
from store.entry import GLOBAL, KEY_GRAMMAR
from store.errors import AmbiguousId, NotFound
from store.facts import OPEN
from store.reading import HOLDS_KEY, MEMORY, OPERATION, PROPOSAL

Kind = Literal["proposal", "memory", "operation"]
What = Literal["proposal", "memory", "operation", "any"]
SHORTEST_SUFFIX: Final = 4
MOST_NAMED: Final = 6
"""Candidates that an ambiguity names at most."""

_WHOLE: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SUFFIX: Final = re.compile(rf"[0-9a-f-]{{{SHORTEST_SUFFIX},36}}")
_TOO_SHORT: Final = re.compile(rf"[0-9a-f]{{1,{SHORTEST_SUFFIX - 1}}}")
_TABLES: Final[dict[Kind, Any]] = {"proposal": PROPOSAL, "memory": MEMORY, "operation": OPERATION}


@dataclass(frozen=True, slots=True)
class _Candidate:
    kind: Kind
    id: str
    key: str | None
    scope: str | None

    def named(self) -> str:
        label = f" {self.key} in {self.scope}" if self.key else ""
        return f"{self.kind} {self.id[-12:]}{label}"


def resolve(store: Store, token: str, *, what: What = "any", scopes: Sequence[str] | None = None) -> tuple[Kind, str]:
    """The kind and whole id of what a token means.

    A whole id, the last 4 characters of one or more, or a key: of an active memory, and of an open proposal where no
    memory has it (or only proposals are asked for). A key is looked for in ``scopes`` in their order (this project),
    then in ``global``, then anywhere. Raises NotFound, which names a deleted memory that had the key, and AmbiguousId
    naming the candidates.
    """
    asked = token.strip()
    kinds: tuple[Kind, ...] = ("proposal", "memory", "operation") if what == "any" else (what,)
    with store.read() as connection:
        found = _by_id(connection, store.tenant, asked.lower(), kinds)
        if not found or not _WHOLE.fullmatch(asked.lower()):
            found += _by_key(connection, store.tenant, asked, kinds, tuple(scopes or ()))
        gone = _gone(connection, store.tenant, asked) if not found and "memory" in kinds else None
    distinct = list(dict.fromkeys(found))
    if len(distinct) == 1:
        return distinct[0].kind, distinct[0].id
    thing = "proposal, memory or operation" if what == "any" else what
    if not distinct:
        raise NotFound(f"No {thing} has the id, id ending or key {_quoted(asked)}.", todo=_advice(asked, gone))
    raise _ambiguous(asked, distinct)


def _advice(token: str, gone: str | None) -> str:
    """What to type instead, where that can be told."""
    if gone is not None:
        return f"A memory that had this key is out of use; as {gone[-6:]} its history is still there."
    short = _TOO_SHORT.fullmatch(token.lower()) is not None
    if short:
        return f"Of an id, type the last {SHORTEST_SUFFIX} characters or more."
    return "`meminbox list` (`--memories`) shows the ids there are."


def _gone(connection: Connection, tenant: str, key: str) -> str | None:
    """The newest memory that had the key and is deleted or expired: a key stays free for others, an id finds it."""
    if not KEY_GRAMMAR.fullmatch(key):
        return None
    chosen = select(MEMORY.c.id).where(MEMORY.c.tenant_id == tenant, MEMORY.c.key == key)
    found: str | None = connection.execute(_few(chosen, MEMORY)).scalars().first()
    return found


def _quoted(token: str) -> str:
    from store.redact import redact_text

    token = redact_text(token)[0]
    return f'"{token}"' if len(token) <= 60 else f'"{token[:60]}…"'


def _ambiguous(token: str, found: Sequence[_Candidate]) -> AmbiguousId:
    names = "; ".join(one.named() for one in found[:MOST_NAMED])
    more = ", and more" if len(found) > MOST_NAMED else ""
    return AmbiguousId(f"{_quoted(token)} may mean: {names}{more}.", todo="Type more of the id.")


def _by_id(connection: Connection, tenant: str, token: str, kinds: Sequence[Kind]) -> list[_Candidate]:
    whole = _WHOLE.fullmatch(token) is not None
    if not whole and not _SUFFIX.fullmatch(token):
        return []
    found: list[_Candidate] = []
    for kind in kinds:
        table = _TABLES[kind]
        matching = table.c.id == token if whole else func.substr(table.c.id, 37 - len(token)) == token
        chosen = _candidates(kind).where(table.c.tenant_id == tenant, matching)
        found += [_Candidate(kind, row.id, row.key, row.scope) for row in connection.execute(_few(chosen, table))]
    return found


def _candidates(kind: Kind) -> Any:
    table = _TABLES[kind]
    if kind == "operation":
        return select(table.c.id, literal(None).label("key"), literal(None).label("scope"))
    return select(table.c.id, table.c.key, table.c.scope)


def _few(chosen: Any, table: Any) -> Any:
    return chosen.order_by(unindexed(table.c.id).desc()).limit(MOST_NAMED + 1)


_KEYED: Final[dict[Kind, tuple[Any, ...]]] = {
    "memory": HOLDS_KEY,
    "proposal": (PROPOSAL.c.status.in_(OPEN),),
}
"""Where a key is looked for, in this order."""


def _by_key(
    connection: Connection, tenant: str, token: str, kinds: Sequence[Kind], scopes: tuple[str, ...]
) -> list[_Candidate]:
    if not KEY_GRAMMAR.fullmatch(token):
        return []
    for kind, alive in _KEYED.items():
        if kind not in kinds:
            continue
        table = _TABLES[kind]
        holding = _candidates(kind).where(table.c.tenant_id == tenant, table.c.key == token, *alive)
        for scope in (*scopes, GLOBAL, None):
            placed = holding if scope is None else holding.where(table.c.scope == scope)
            found = [_Candidate(kind, r.id, r.key, r.scope) for r in connection.execute(_few(placed, table))]
            if found:
                return found
    return []
