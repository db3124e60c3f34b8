"""The operation log as a person looks through it: which steps, what each did, and whether it can be taken back.

Reading only. An operation is known by its ``seq``, which has no gaps: the whole log costs nothing to list, and any page
of it is found by numbers. Taking back stands in ``store.undo``.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Text, and_, cast, func, literal, or_, select

from store.conditions import Condition
from store.dialects.expressions import contains
from store.engine import Store
from store.entry import GLOBAL
from store.errors import NotFound
from store.facts import Operation
from store.filters import EVERYTHING, Filter, Term
from store.later import later_decisions, later_versions, stood_on, stood_on_few
from store.log_changes import DECISION, outside, parts_of
from store.reading import MEMORY, OPERATION, PROPOSAL, VERSION, chunks, operation_of
from store.selecting import instant
from store.steps import Step
from store.wording import DONE, SCOPE, TURNED, titled

FEW = 2_000
"""Parts of a step that are looked up one by one."""
MOST_NAMED = 3
"""Later operations that are named where they stand in the way."""


class Log(Sequence[str]):
    """The operations of a list by their numbers, as strings, the newest first; a whole log takes no memory."""

    def __init__(self, seqs: range | array[int]) -> None:
        """``seqs`` fall from the first to the last."""
        self._seqs = seqs

    def __len__(self) -> int:
        return len(self._seqs)

    def __getitem__(self, at: Any) -> Any:
        return Log(self._seqs[at]) if isinstance(at, slice) else str(self._seqs[at])

    def __iter__(self) -> Iterator[str]:
        return map(str, self._seqs)

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int | None:  # type: ignore[override]
        """The position of a number, or None: unlike a list's, it does not raise."""
        del start, stop
        if not isinstance(value, str) or not value.isdecimal():
            return None
        place = bisect_left(self._seqs, -int(value), key=lambda seq: -seq)
        return place if place < len(self._seqs) and self._seqs[place] == int(value) else None


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether an operation can be turned: taken back, or, where it is undone, done again.

    ``turns`` is the operation to be undone for that: itself, the redo through which it is in effect, or the undo that
    took it back; ``undone`` is that undo, or None. ``blocked`` of its ``of`` parts have something later standing on
    them: ``by`` are the newest few such operations, with their titles.
    """

    turns: Operation
    undone: Operation | None
    blocked: int
    of: int
    by: tuple[tuple[Operation, str], ...] = ()


def log(store: Store, flt: Filter = EVERYTHING, *, scopes: tuple[str, ...] | None = None, me: str | None = None) -> Log:
    """The operations that match (``store.log_filter``), newest first; ``scopes``: only those that touch these.

    ``me`` is who asks: what is painted as "you" is found as that.
    """
    table = OPERATION
    with store.read() as connection:
        if flt.empty and scopes is None:
            newest = select(func.max(table.c.seq)).where(table.c.tenant_id == store.tenant)
            return Log(range(connection.execute(newest).scalar() or 0, 0, -1))
        wanted = [_condition(connection, store, term, me) for term in flt.terms]
        if scopes is not None:
            wanted.append(_touches(store.tenant, MEMORY.c.scope.in_(scopes), PROPOSAL.c.scope.in_(scopes)))
        chosen = select(cast(table.c.seq, Text).label("seq")).where(table.c.tenant_id == store.tenant, *wanted)
        joined = select(func.aggregate_strings(chosen.subquery().c.seq, " "))
        seqs = sorted(map(int, (connection.execute(joined).scalar() or "").split()), reverse=True)
    return Log(array("q", seqs))


def _condition(connection: Connection, store: Store, term: Term, me: str | None) -> Condition:
    value, table = str(term.value), OPERATION
    if term.field == "by":
        own = me is not None and "you".startswith(value.casefold())
        return or_(contains(table.c.actor, value), table.c.actor == me) if own else contains(table.c.actor, value)
    if term.field == "action":
        meant = [action for action, word in DONE.items() if word.startswith(value)]
        meant += [action for action, word in TURNED.items() if word.startswith(value)]
        return or_(table.c.action.startswith(value, autoescape=True), table.c.action.in_(meant))
    if term.field == "from":
        meant = ["cli"] if "shell".startswith(value) else []
        return or_(table.c.surface.startswith(value, autoescape=True), table.c.surface.in_(meant))
    if term.field == "since":
        since = instant(value, store.now())
        assert since is not None  # the line was read before
        later: Condition = table.c.at >= since
        return later
    if term.field == "scope":
        return _in_scopes(_named(connection, store.tenant, value), store.tenant, value)
    told = (MEMORY.c.key, MEMORY.c.content, MEMORY.c.previous_value)
    asked = (PROPOSAL.c.key, PROPOSAL.c.content)
    about = _touches(
        store.tenant, or_(*(contains(one, value) for one in told)), or_(*(contains(one, value) for one in asked))
    )
    return or_(contains(table.c.reason, value), about)


def _named(connection: Connection, tenant: str, value: str) -> list[str]:
    """The scopes that are called so, as they are painted."""
    chosen = select(SCOPE.c.identity).where(SCOPE.c.tenant_id == tenant, contains(SCOPE.c.label, value))
    return [*connection.execute(chosen).scalars(), *([GLOBAL] if "everywhere".startswith(value.casefold()) else [])]


def _in_scopes(called: Sequence[str], tenant: str, value: str) -> Condition:
    return _touches(
        tenant,
        or_(contains(MEMORY.c.scope, value), MEMORY.c.scope.in_(called)),
        or_(contains(PROPOSAL.c.scope, value), PROPOSAL.c.scope.in_(called)),
    )


def _touches(tenant: str, memories: Condition, proposals: Condition) -> Condition:
    """That an operation changed one of these memories, or decided on one of these proposals."""
    these = select(MEMORY.c.id).where(MEMORY.c.tenant_id == tenant, memories)
    changed = select(VERSION.c.operation_id).where(VERSION.c.tenant_id == tenant, VERSION.c.memory_id.in_(these))
    asked = select(PROPOSAL.c.id).where(PROPOSAL.c.tenant_id == tenant, proposals)
    decided = select(DECISION.c.operation_id).where(DECISION.c.tenant_id == tenant, DECISION.c.proposal_id.in_(asked))
    return or_(OPERATION.c.id.in_(changed), OPERATION.c.id.in_(decided))


def rows(store: Store, names: Sequence[str], *, scopes: tuple[str, ...] | None = None) -> dict[str, Step]:
    """By its number as a string, each of these operations with its title and whether it is undone.

    With ``scopes`` the one that also touched others tells nothing but how many parts it had.
    """
    found: dict[str, Step] = {}
    with store.read() as connection:
        for part in chunks([int(name) for name in names]):
            chosen = select(OPERATION).where(OPERATION.c.tenant_id == store.tenant, OPERATION.c.seq.in_(part))
            operations = [operation_of(row) for row in connection.execute(chosen)]
            undone = _undoers(connection, store.tenant, [one.id for one in operations])
            for one, title in _titled(connection, store.tenant, operations, scopes):
                found[str(one.seq)] = Step(one, title, one.id in undone)
    return found


def find(store: Store, operation_id: str) -> str:
    """The number of an operation, as a string. Raises NotFound."""
    chosen = select(OPERATION.c.seq).where(OPERATION.c.tenant_id == store.tenant, OPERATION.c.id == operation_id)
    with store.read() as connection:
        seq = connection.execute(chosen).scalar()
    if seq is None:
        raise NotFound(f"There is no operation {operation_id}.")
    return str(seq)


def _titled(
    connection: Connection, tenant: str, operations: Sequence[Operation], scopes: tuple[str, ...] | None
) -> Iterator[tuple[Operation, str]]:
    """Each with its title; where ``scopes`` are given and it also touched others, without names and reason."""
    roots = _roots(connection, tenant, operations)
    for one in operations:
        root, turns = roots[one.id]
        if scopes is not None and outside(connection, tenant, one.id, scopes):
            yield replace(one, reason=None, selection={}), f"{DONE.get(root.action, root.action)} {one.count:,}"
        else:
            yield one, titled(connection, tenant, root, turns)


def _roots(connection: Connection, tenant: str, operations: Sequence[Operation]) -> dict[str, tuple[Operation, int]]:
    """By id, the decision that each turns, and how many turns lie between: in one statement, however long a chain."""
    turning = [one for one in operations if one.undoes is not None]
    found = {one.id: (one, 0) for one in operations if one.undoes is None}
    if not turning:
        return found
    start = (
        select(OPERATION.c.id.label("start"), OPERATION.c.undoes.label("next"), literal(1).label("turns"))
        .where(OPERATION.c.tenant_id == tenant, OPERATION.c.id.in_([one.id for one in turning]))
        .cte(recursive=True)
    )
    up = start.union_all(
        select(start.c.start, OPERATION.c.undoes, start.c.turns + 1)
        .join(OPERATION, and_(OPERATION.c.tenant_id == tenant, OPERATION.c.id == start.c.next))
        .where(OPERATION.c.undoes.is_not(None))
    )
    chosen = (
        select(OPERATION, up.c.start, up.c.turns)
        .join(up, up.c.next == OPERATION.c.id)
        .where(OPERATION.c.tenant_id == tenant, OPERATION.c.undoes.is_(None))
    )
    return found | {row.start: (operation_of(row), row.turns) for row in connection.execute(chosen)}


def _undoers(connection: Connection, tenant: str, ids: Sequence[str]) -> dict[str, Operation]:
    """By id, the undo that is in effect, of these operations and of all that turn them since.

    Whether one is in effect depends on later ones only, so one pass from the newest down knows.
    """
    if not ids:
        return {}
    start = (
        select(OPERATION.c.id.label("turned"))
        .where(OPERATION.c.tenant_id == tenant, OPERATION.c.undoes.in_(list(ids)))
        .cte(recursive=True)
    )
    down = start.union(
        select(OPERATION.c.id).join(start, and_(OPERATION.c.tenant_id == tenant, OPERATION.c.undoes == start.c.turned))
    )
    chosen = select(OPERATION).join(down, down.c.turned == OPERATION.c.id).where(OPERATION.c.tenant_id == tenant)
    undone: dict[str, Operation] = {}
    # Sorted here: in the order of their index an engine walks the whole log for them.
    for row in sorted(connection.execute(chosen), key=lambda one: -one.seq):
        if row.id not in undone:
            undone[row.undoes] = operation_of(row)
    return undone


def standing(store: Store, operation: Operation, *, scopes: tuple[str, ...] | None = None) -> Standing:
    """Whether an operation can be taken back, or done again; costs as much as it has parts with something later."""
    with store.read() as connection:
        tenant = store.tenant
        undone = _undoers(connection, tenant, [operation.id])
        turns = _in_effect(connection, tenant, undone.get(operation.id, operation), undone)
        if turns.count <= FEW:
            stuck = stood_on_few(connection, tenant, turns, *parts_of(connection, tenant, turns.id))
        else:
            stuck = stood_on(connection, turns, later_versions(tenant, turns))
            stuck |= stood_on(connection, turns, later_decisions(tenant, turns))
        newest: list[Operation] = []
        for part in chunks(sorted(set(stuck.values()))):
            chosen = select(OPERATION).where(OPERATION.c.tenant_id == tenant, OPERATION.c.id.in_(part))
            newest += [operation_of(row) for row in connection.execute(chosen)]
        newest.sort(key=lambda one: -one.seq)
        named = tuple(_titled(connection, tenant, newest[:MOST_NAMED], scopes))
    return Standing(turns, turns if operation.id in undone else None, len(stuck), max(turns.count, len(stuck)), named)


def _in_effect(connection: Connection, tenant: str, operation: Operation, undone: dict[str, Operation]) -> Operation:
    """An operation that is not undone, or the redo through which it is in effect now."""
    while True:
        last = (
            select(OPERATION)
            .where(OPERATION.c.tenant_id == tenant, OPERATION.c.undoes == operation.id)
            .order_by((OPERATION.c.seq + 0).desc())
            .limit(1)
        )
        row = connection.execute(last).first()
        if row is None:
            return operation
        operation = undone[row.id]
