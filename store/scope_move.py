"""What one scope holds, or some of it, into another: a folder that moved, a clone without a remote, a new name.

One operation: a version for each memory, a decision (of place) for each proposal, and the texts that were decided
against, which bind in the new scope too. What cannot go along is left where it is, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, select

from store.elsewhere import take_over
from store.engine import Store
from store.entry import GLOBAL, Entry, fingerprint
from store.errors import NoneQualified, UsageError
from store.expiry import deciding
from store.facts import OPEN, Actor, Done, Memory
from store.guards import cleaned_reason
from store.ledger import Act
from store.models import MemoryRow, ProposalRow, TombstoneRow, VersionRow
from store.outdated import Stopped
from store.reading import active_saying, active_with_keys, chunks, memory_of
from store.review import derived_columns
from store.scopes import Seen, note
from store.wording import title

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
TOMBSTONE = TombstoneRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]
MOVES: Final = ("active", "expired", "retired", "archived")
"""The statuses of a memory that goes along. What was deleted stays as it was: its text binds in the new scope too."""
PAGE: Final = 500
"""Memories that are staged between two looks at whether to go on."""
Told = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Going:
    """What a move would do: the ids that go, and what is left, each with its reason in words."""

    memories: tuple[str, ...]
    aside: int
    proposals: tuple[str, ...]
    left: tuple[tuple[str, str], ...]


@dataclass
class _Plan:
    memories: list[Memory] = field(default_factory=list)
    rows: list[Any] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)


def preview(store: Store, source: str, target: str, *, ids: Collection[str] | None = None) -> Going:
    """What ``move`` would do now, and what it would leave. Changes nothing. Raises UsageError."""
    _expect_two(source, target)
    with store.read() as connection:
        plan = _plan(connection, store.tenant, source, target, ids)
    active = tuple(one.id for one in plan.memories if one.status == "active")
    return Going(active, len(plan.memories) - len(active), tuple(row.id for row in plan.rows), tuple(plan.left))


def move(
    store: Store,
    source: str,
    target: str,
    *,
    by: Actor,
    ids: Collection[str] | None = None,
    reason: str | None = None,
    there: Seen | None = None,
    progress: Told | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Done:
    """Move all that ``source`` holds, or only the memories and proposals with these ``ids``, to ``target``.

    A memory whose key is held there, or that says what is said there already, is left and named in ``Done.left``, and
    so is a proposal about it. ``there`` is what is known of the project that it goes to. ``progress`` is told how many
    of how many are done; ``stopped`` is asked between pages, and where it says so nothing was changed. Raises
    UsageError, Stopped, or NoneQualified where nothing could be moved.
    """
    _expect_two(source, target)
    with deciding(store) as connection:
        plan = _plan(connection, store.tenant, source, target, ids)
        if not plan.memories and not plan.rows:
            raise NoneQualified(_nothing(plan, source), left=tuple(plan.left))
        said = {"from": source, "to": target}
        act = Act(store, connection, by, "move_scope", reason=cleaned_reason(reason), selection=said)
        whole = len(plan.memories) + len(plan.rows)
        moved: dict[str, tuple[int, int]] = {}
        held: list[Memory] = []
        for at, memory in enumerate(plan.memories):
            if at % PAGE == 0:
                _told(progress, stopped, at, whole)
            after = act.change(memory, memory.entry.with_(scope=target), memory.status)
            moved[memory.id] = (memory.revision, after.revision)
            held.append(after)
        _told(progress, stopped, len(plan.memories), whole)
        for row in plan.rows:
            _place(act, row, target, moved.get(row.target_id))
        if target == GLOBAL:
            take_over(act, held)
        if ids is None:
            _carry_stones(act, source, target)
        _told(progress, stopped, whole, whole)
        operation = act.commit()
        note(store, connection, [there] if there is not None else [])
        return Done(
            operation,
            title(connection, store.tenant, operation),
            tuple(one.id for one in plan.memories),
            tuple(row.id for row in plan.rows),
            tuple(plan.left),
        )


def _told(progress: Told | None, stopped: Callable[[], bool], done: int, of: int) -> None:
    if stopped():
        raise Stopped
    if progress is not None:
        progress(done, of)


def _expect_two(source: str, target: str) -> None:
    if not target.strip():
        raise UsageError("An empty scope would mean every project.", kept="Nothing was changed.")
    if source == target:
        raise UsageError("It stands there already.", kept="Nothing was changed.")


def _nothing(plan: _Plan, source: str) -> str:
    if plan.left:
        return f"None of the {len(plan.left):,} could be moved."
    return f"{source} holds nothing that could be moved."


# -- what goes, and what is left


def _plan(connection: Connection, tenant: str, source: str, target: str, ids: Collection[str] | None) -> _Plan:
    plan = _Plan()
    memories = _memories(connection, tenant, source, ids)
    left = _left_memories(connection, tenant, target, memories)
    plan.memories = [one for one in memories if one.id not in left]
    plan.left += left.items()
    going = {one.id for one in plan.memories}
    rows = _proposals(connection, tenant, source, ids)
    waiting = _waiting_there(connection, tenant, target, rows)
    for row in rows:
        why = _why_left(row, going, row.id in waiting)
        if why:
            plan.left.append((row.id, why))
        else:
            plan.rows.append(row)
    return plan


def _memories(connection: Connection, tenant: str, source: str, ids: Collection[str] | None) -> list[Memory]:
    mine = select(MEMORY).where(MEMORY.c.tenant_id == tenant, MEMORY.c.scope == source, MEMORY.c.status.in_(MOVES))
    mine = mine.where(MEMORY.c.content.is_not(None))  # what was erased has nothing left to move
    return [memory_of(row) for row in _among(connection, mine, MEMORY.c.id, ids)]


def _proposals(connection: Connection, tenant: str, source: str, ids: Collection[str] | None) -> list[Any]:
    mine = select(PROPOSAL).where(
        PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.scope == source, PROPOSAL.c.status.in_(OPEN)
    )
    return _among(connection, mine.where(PROPOSAL.c.content.is_not(None)), PROPOSAL.c.id, ids)


def _among(connection: Connection, chosen: Any, column: Any, ids: Collection[str] | None) -> list[Any]:
    if ids is None:
        return list(connection.execute(chosen.order_by(column)))
    return [row for part in chunks(sorted(ids)) for row in connection.execute(chosen.where(column.in_(part)))]


def _left_memories(connection: Connection, tenant: str, target: str, memories: Sequence[Memory]) -> dict[str, str]:
    """The memories that cannot go along: their key is held there, or it is said there already."""
    active = [one for one in memories if one.status == "active"]
    held = active_with_keys(connection, tenant, {(target, one.entry.key) for one in active if one.entry.key})
    keys = {key for _, key in held}
    marks = {_mark(target, one): one.id for one in active}
    there = {fingerprint(target, "add", one.entry.content) for one in active_saying(connection, tenant, list(marks))}
    left: dict[str, str] = {}
    for one in active:
        if one.entry.key in keys:
            left[one.id] = f"{one.entry.key} is held there already"
        elif _mark(target, one) in there or marks[_mark(target, one)] != one.id:
            left[one.id] = "it is said there already"
    return left


def _mark(target: str, one: Memory) -> str:
    return fingerprint(target, "add", one.entry.content)


def _waiting_there(connection: Connection, tenant: str, target: str, rows: Sequence[Any]) -> set[str]:
    """Of these proposals, those whose text waits in the other scope already."""
    marks = {fingerprint(target, row.op, row.content): row.id for row in rows}
    found: set[str] = set()
    for part in chunks(sorted(marks)):
        chosen = select(PROPOSAL.c.fingerprint).where(
            PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.fingerprint.in_(part), PROPOSAL.c.status.in_(OPEN)
        )
        found |= {marks[mark] for mark in connection.execute(chosen).scalars()}
    return found


def _why_left(row: Any, going: Collection[str], waits: bool) -> str:
    if waits:
        return "it waits there already"
    if row.target_id is not None and row.target_id not in going and (row.op == "remove" or row.key is None):
        return "what it would change stays"
    return ""


def _place(act: Act, row: Any, target: str, moved: tuple[int, int] | None) -> None:
    """Stage a proposal's move: with the memory that it is about, else it meets whatever holds its key there."""
    columns: dict[str, Any] = {"scope": target}
    if moved is not None and row.base_revision == moved[0]:
        columns["base_revision"] = moved[1]
    elif moved is None and row.target_id is not None:
        columns |= {"target_id": None, "base_revision": None}
    act.decide(
        row.id,
        row.status,
        row.status,
        revision=row.revision,
        before={column: getattr(row, column) for column in columns},
        **columns,
        **derived_columns(row, columns),
    )


# -- what was decided against


def _carry_stones(act: Act, source: str, target: str) -> None:
    """What agents were told no to in the old scope, they are told no to in the new one."""
    connection, tenant = act.connection, act.store.tenant
    chosen = select(TOMBSTONE.c.fingerprint, TOMBSTONE.c.cause, TOMBSTONE.c.operation_id).where(
        TOMBSTONE.c.tenant_id == tenant, TOMBSTONE.c.scope == source, TOMBSTONE.c.lifted_by.is_(None)
    )
    stones = {row.fingerprint: row for row in connection.execute(chosen)}
    for op, text in _texts(connection, tenant, source, stones):
        act.turn_down(target, fingerprint(target, op, text), stones[fingerprint(source, op, text)].cause)


def _texts(connection: Connection, tenant: str, source: str, stones: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """The (op, text) behind each fingerprint, from the proposal or the memory that said it; an erased one has none."""
    open_ = set(stones)
    for table, op in ((PROPOSAL, PROPOSAL.c.op), (MEMORY, None)):
        for part in chunks(sorted(open_)):
            columns = [table.c.fingerprint, table.c.content] + ([op] if op is not None else [])
            chosen = select(*columns).where(
                table.c.tenant_id == tenant, table.c.fingerprint.in_(part), table.c.content.is_not(None)
            )
            for row in connection.execute(chosen):
                if row.fingerprint in open_:
                    open_.discard(row.fingerprint)
                    yield (row.op if op is not None else "add"), row.content
    yield from _earlier_texts(connection, tenant, source, {stones[mark].operation_id for mark in open_}, open_)


def _earlier_texts(
    connection: Connection, tenant: str, source: str, operations: set[str], open_: set[str]
) -> Iterable[tuple[str, str]]:
    """What a memory said before it was rolled back: the versions of the memories that those operations touched."""
    for part in chunks(sorted(operations)):
        touched = select(VERSION.c.memory_id).where(VERSION.c.tenant_id == tenant, VERSION.c.operation_id.in_(part))
        chosen = select(VERSION.c.entry).where(
            VERSION.c.tenant_id == tenant, VERSION.c.memory_id.in_(touched), VERSION.c.entry.is_not(None)
        )
        for spelled in connection.execute(chosen).scalars():
            text = Entry.from_json(spelled).content
            mark = fingerprint(source, "add", text)
            if mark in open_:
                open_.discard(mark)
                yield "add", text
