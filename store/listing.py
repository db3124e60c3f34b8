"""Pages for scripts: keyset by row values, never by offset, with the number of all that match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, func, literal, select, tuple_, union_all

from store import reading
from store.answered import answered
from store.conditions import Condition, in_scopes, on_proposals
from store.engine import Store
from store.entry import KINDS
from store.errors import NotFound, UsageError
from store.facts import OPEN, Memory, Proposal
from store.filters import FLAGS, Filter, Term
from store.models import MEMORY_STATUSES, PROPOSAL_STATUSES
from store.reading import MEMORY, PROPOSAL

What = Literal["proposal", "memory"]
Sort = Literal["queue", "oldest", "newest"]
"""Of proposals: newest session first, or by when they were proposed. Of memories: newest first, or by last change."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page. ``total`` counts all that match, whatever the limit (None where it was not to be counted).

    ``next`` is the ``after`` of the next page.
    """

    total: int | None
    items: tuple[Proposal, ...] | tuple[Memory, ...]
    next: str | None = None


def list_page(
    store: Store,
    *,
    what: What = "proposal",
    statuses: Sequence[str] | None = None,
    scope: str | tuple[str, ...] | None = None,
    kind: str | None = None,
    flag: str | None = None,
    sort: Sort = "queue",
    limit: int | None = 50,
    after: str | None = None,
    counted: bool = True,
) -> Page:
    """A page of proposals or memories, in the order of ``Sort``.

    ``statuses`` defaults to draft, pending and deferred, and to active for memories. ``scope`` is one, or several,
    exactly; None means everywhere. ``limit`` None means all. ``after`` is the id of the last item of the page before.
    ``counted`` False leaves the total out: it looks at every row, so whoever reads page after page asks for it once.
    Raises UsageError for an unknown status, kind or flag, or a limit below 1, NotFound where ``after`` names nothing.
    """
    chosen = tuple(dict.fromkeys(statuses or (OPEN if what == "proposal" else ("active",))))
    _check(what, chosen, kind, flag, limit)
    table = PROPOSAL if what == "proposal" else MEMORY
    wanted = list(in_scopes(table, (scope,) if isinstance(scope, str) else scope))
    if kind is not None:
        wanted.append(table.c.kind == kind)
    with store.read() as connection:
        wanted += _with_flag(connection, store, flag) if flag is not None else []
        total = _total(connection, table, store.tenant, chosen, wanted) if counted else None
        order, up = _order(what, sort), sort == "oldest"
        past = _past(connection, table, store.tenant, order, after, up=up)
        ids = _page(connection, table, store.tenant, chosen, [*wanted, *past], order, limit, up=up)
        more = limit is not None and len(ids) > limit
        ids = ids[:limit] if limit is not None else ids
        following = ids[-1] if more else None
        if what == "memory":
            return Page(total, tuple(reading.memories(connection, store.tenant, ids)), following)
        return Page(total, tuple(reading.proposals(connection, store.tenant, ids)), following)


def _with_flag(connection: Connection, store: Store, flag: str) -> list[Condition]:
    flt = Filter(terms=(Term("flag", "=", flag),))
    return on_proposals(flt, store.tenant, store.now(), answered=answered(connection, store.tenant, flt))


def _check(what: What, statuses: Sequence[str], kind: str | None, flag: str | None, limit: int | None) -> None:
    known = PROPOSAL_STATUSES if what == "proposal" else MEMORY_STATUSES
    for status in statuses:
        if status not in known:
            raise UsageError(f'There is no status "{status}".', todo=f"It is one of {', '.join(known)}.")
    if kind is not None and kind not in KINDS:
        raise UsageError(f'There is no kind "{kind}".', todo=f"It is one of {', '.join(KINDS)}.")
    if flag is not None and what == "memory":
        raise UsageError("A memory has no flags.", todo="List proposals to ask for a flag.")
    if flag is not None and flag not in FLAGS:
        raise UsageError(f'There is no flag "{flag}".', todo=f"It is one of {', '.join(FLAGS)}.")
    if limit is not None and limit < 1:
        raise UsageError(f"A page of {limit} holds nothing.", todo="Ask for at least 1.")


def _order(what: What, sort: Sort) -> tuple[Any, ...]:
    """The columns of an order. By age nothing is indexed: a page is the least of all, which the engine keeps aside."""
    if what == "memory":
        return (MEMORY.c.id,) if sort == "queue" else (MEMORY.c.updated_at, MEMORY.c.id)
    return (PROPOSAL.c.session_rank if sort == "queue" else PROPOSAL.c.created_at, PROPOSAL.c.id)


def _total(
    connection: Connection, table: Any, tenant: str, statuses: Sequence[str], wanted: Sequence[Condition]
) -> int:
    chosen = (
        select(func.count())
        .select_from(table)
        .where(table.c.tenant_id == tenant, table.c.status.in_(list(statuses)), *wanted)
    )
    return connection.execute(chosen).scalar_one()


def _past(
    connection: Connection, table: Any, tenant: str, order: tuple[Any, ...], after: str | None, *, up: bool
) -> list[Condition]:
    """The row-value comparison that begins after an id, wherever its row now stands."""
    if after is None:
        return []
    place = connection.execute(select(*order).where(table.c.tenant_id == tenant, table.c.id == after)).first()
    if place is None:
        raise NotFound(f'Nothing has the id "{after}" to go on after.')
    # The values carry their column's type: a time in a row value has none of its own that SQLite would understand.
    there = tuple_(*(literal(value, column.type) for value, column in zip(place, order, strict=True)))
    return [tuple_(*order) > there if up else tuple_(*order) < there]


def _page(
    connection: Connection,
    table: Any,
    tenant: str,
    statuses: Sequence[str],
    wanted: Sequence[Condition],
    order: tuple[Any, ...],
    limit: int | None,
    *,
    up: bool,
) -> list[str]:
    """Ids of one page and one more. A branch a status, each in the order of its index if it has one: merged."""
    branches = [
        select(*order).where(table.c.tenant_id == tenant, table.c.status == status, *wanted) for status in statuses
    ]
    merged = union_all(*branches) if len(branches) > 1 else branches[0]
    columns = merged.selected_columns
    ordered = merged.order_by(*(columns[one.name] if up else columns[one.name].desc() for one in order))
    if limit is not None:
        ordered = ordered.limit(limit + 1)
    return [row.id for row in connection.execute(ordered)]
