"""Undo and redo of any operation: one set-based act each, that appends what stood before.

An operation is *effective* while no effective operation undoes it; so an undo of an undo is a redo, and the log needs
no other mark. Nothing is undone where something later stands on part of it: the clock aside, which only follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, or_, select
from sqlalchemy.exc import IntegrityError

from store import borne_out, scope_acts, secrecy, stopping, support, tombstones
from store.approval import key_taken
from store.by_rule import BY_RULE, by_rule
from store.engine import Store
from store.entry import Entry, fingerprint
from store.errors import AlreadyDecided, LaterOperation, NotFound, NothingToUndo
from store.expiry import deciding
from store.facts import Actor, Done, Memory, Operation
from store.guards import conflict
from store.later import later_decisions, later_versions, stood_on
from store.ledger import Act
from store.models import DecisionRow, MemoryRow, OperationRow, ProposalRow, VersionRow
from store.reading import active_with_keys, chunks, memory_of, operation_of
from store.review import derived_columns
from store.wording import title

OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]
DECISION = DecisionRow.__table__  # type: ignore[attr-defined]
MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
_EVIDENCE: dict[str, tuple[Callable[..., None], Callable[..., None]]] = {
    "approve": (support.take_back, support.carry),
    "support": (borne_out.take_back, borne_out.give),
    "affirm": (borne_out.take_back, borne_out.give),
    "rename": (scope_acts.unname, scope_acts.name),
    "confirm": (scope_acts.dishonour, scope_acts.honour),
}
"""By decision, how what it brought beside versions goes with its undo, and comes back with a redo."""
WITHOUT_UNDO = ("erase", "restore")
"""Acts that nothing takes back: what stood before an erasure is gone, and before a restoring stands in a backup."""
PERSONAL = ("console", "cli")
"""The surfaces where a person acts."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One memory that the operation touched: as it stands now, and what stood before the operation.

    ``unit`` names what must go back together: a memory and the proposals of the group it came from.
    """

    memory: Memory
    entry: Entry | None
    status: str
    previous_value: str | None
    proposal_id: str | None
    blocked: bool
    unit: str


@dataclass(frozen=True, slots=True)
class _Ruled:
    """One proposal that the operation decided on: its row now, and the status it had before."""

    row: Any
    from_status: str
    to_status: str
    blocked: bool


def undo(store: Store, *, by: Actor, operation_id: str | None = None, free_only: bool = False) -> Done:
    """Undo an operation, or (None) the newest of this person or a rule of theirs: what stood before it stands again.

    Refused whole with LaterOperation where something later stands on part of it; ``free_only`` then undoes the rest.
    Raises NothingToUndo, NotFound, AlreadyDecided (undone before), KeyTaken (both texts; nothing replaced), or
    Conflict where a text it would restore was erased.
    """
    with deciding(store) as connection:
        chosen = _newest(connection, store.tenant, by, redo=False) if operation_id is None else None
        if operation_id is not None:
            chosen = _latest_doing(connection, store.tenant, _operation(connection, store.tenant, operation_id))
        if chosen is None:
            raise NothingToUndo("There is nothing of yours to undo.")
        return _turn(store, connection, chosen, by, free_only)


def redo(store: Store, *, by: Actor, operation_id: str | None = None, free_only: bool = False) -> Done:
    """Take back an undo, or (None) this person's newest. Raises as ``undo`` does."""
    with deciding(store) as connection:
        chosen = _newest(connection, store.tenant, by, redo=True) if operation_id is None else None
        if operation_id is not None:
            chosen = _latest_doing(connection, store.tenant, _operation(connection, store.tenant, operation_id))
            if chosen.action != "undo":
                raise conflict("That step was not undone.")
        if chosen is None:
            raise NothingToUndo("There is nothing of yours to redo.")
        return _turn(store, connection, chosen, by, free_only)


def next_undo(store: Store, by: Actor) -> Operation | None:
    """What ``undo`` would undo for this person now."""
    with store.read() as connection:
        return _newest(connection, store.tenant, by, redo=False)


def next_redo(store: Store, by: Actor) -> Operation | None:
    """What ``redo`` would redo for this person now."""
    with store.read() as connection:
        return _newest(connection, store.tenant, by, redo=True)


def _newest(connection: Connection, tenant: str, by: Actor, *, redo: bool) -> Operation | None:
    """This person's newest effective operation that is an undo (``redo``) or is none; walks from the newest down.

    What a rule has approved is taken back like a step of the person's own: nobody else answers for it. Whether one is
    effective depends on later ones only, so one pass knows.
    """
    undone: set[str] = set()
    below: int | None = None
    own = and_(OPERATION.c.actor == by.name, OPERATION.c.surface.in_(PERSONAL))
    own = or_(own, BY_RULE) if not redo else own
    while True:
        page = select(OPERATION).where(OPERATION.c.tenant_id == tenant, or_(own, OPERATION.c.undoes.is_not(None)))
        if below is not None:
            page = page.where(OPERATION.c.seq < below)
        rows = connection.execute(page.order_by(OPERATION.c.seq.desc()).limit(100)).all()
        for row in rows:
            if row.id in undone or row.action in WITHOUT_UNDO:
                continue
            if row.undoes is not None:
                undone.add(row.undoes)
            mine = row.actor == by.name and row.surface in PERSONAL
            if (mine and (row.action == "undo") is redo) or (not redo and by_rule(row)):
                return operation_of(row)
        if not rows:
            return None
        below = rows[-1].seq


def _operation(connection: Connection, tenant: str, operation_id: str) -> Operation:
    chosen = select(OPERATION).where(OPERATION.c.tenant_id == tenant, OPERATION.c.id == operation_id)
    row = connection.execute(chosen).first()
    if row is None:
        raise NotFound(f"There is no operation {operation_id}.")
    return operation_of(row)


def _latest_doing(connection: Connection, tenant: str, operation: Operation) -> Operation:
    """The operation itself, or the redo through which it is in effect now. Raises AlreadyDecided where it is undone."""
    chosen = (
        select(OPERATION)
        .where(OPERATION.c.tenant_id == tenant, OPERATION.c.undoes.is_not(None), OPERATION.c.seq > operation.seq)
        .order_by(OPERATION.c.seq.desc())
    )
    undone_by: dict[str, Operation] = {}
    newest: dict[str, Operation] = {}
    for row in connection.execute(chosen):
        later = operation_of(row)
        assert later.undoes is not None
        newest.setdefault(later.undoes, later)
        if later.id not in undone_by:
            undone_by.setdefault(later.undoes, later)
    if operation.action in WITHOUT_UNDO:
        raise conflict(f"Nothing undoes {'an erasure' if operation.action == 'erase' else 'a restored backup'}.")
    if operation.id in undone_by:
        by = undone_by[operation.id]
        raise AlreadyDecided(f"That was undone already by {by.actor} ({by.surface}).", kept="Nothing was changed.")
    while operation.id in newest:
        operation = undone_by[newest[operation.id].id]
    return operation


def _turn(store: Store, connection: Connection, operation: Operation, by: Actor, free_only: bool) -> Done:
    action = "redo" if operation.action == "undo" else "undo"
    root = _root(connection, store.tenant, operation)
    # A text that was turned down here and has been taken up since is one on which something later stands.
    taken_up = tombstones.lifted(connection, store.tenant, root.id) if action == "undo" else set()
    steps = _steps(connection, store.tenant, operation)
    ruled = _ruled(connection, store.tenant, operation)
    blocked = {step.unit for step in steps if step.blocked or (taken_up and _marks([step], []) & taken_up)}
    blocked |= {one.row.group_id for one in ruled if one.blocked or one.row.fingerprint in taken_up}
    free_steps = [step for step in steps if step.unit not in blocked]
    free_ruled = [one for one in ruled if one.row.group_id not in blocked]
    if blocked and not (free_only and (free_steps or free_ruled)):
        raise _later(steps, ruled, blocked)
    act = Act(store, connection, by, action, undoes=operation.id)
    if blocked:
        act.selection["left"] = sorted(blocked)
    pinned = None if root.action not in ("pin", "unpin") else (root.action == "pin") is (action == "redo")
    for step in free_steps:
        _restore(act, step, pinned)
    for one in free_ruled:
        _reopen(act, operation, one)
    marks = _marks(free_steps, free_ruled) if blocked else None
    tombstones.turn(
        connection,
        store.tenant,
        undone=operation.id,
        undoing=act.id,
        root=root.id if action == "undo" else None,
        fingerprints=marks,
    )
    done_operation = _commit(connection, act, free_steps)
    secrecy.turn(connection, store.tenant, root, undone=action == "undo", at=act.at)
    if root.action in _EVIDENCE:
        take_back, give = _EVIDENCE[root.action]
        follow = take_back if action == "undo" else give
        follow(connection, store.tenant, root, through=done_operation.id)
    return Done(
        operation=done_operation,
        title=title(connection, store.tenant, done_operation),
        memory_ids=tuple(step.memory.id for step in free_steps),
        # What was decided on comes before what only gave way to it: the first is what a screen goes to.
        proposal_ids=tuple(one.row.id for one in sorted(free_ruled, key=lambda one: one.to_status == "superseded")),
        left=tuple((unit, "something later stands on it") for unit in _heads(steps, ruled, blocked)),
    )


def _steps(connection: Connection, tenant: str, operation: Operation) -> list[_Step]:
    """What the operation did to memories, in two statements whatever the number."""
    earlier, came_from = VERSION.alias("earlier"), PROPOSAL.alias("came_from")
    before = and_(
        earlier.c.tenant_id == VERSION.c.tenant_id,
        earlier.c.memory_id == VERSION.c.memory_id,
        earlier.c.revision == VERSION.c.revision - 1,
    )
    proposed = and_(came_from.c.tenant_id == VERSION.c.tenant_id, came_from.c.id == VERSION.c.proposal_id)
    chosen = (
        select(
            MEMORY,
            VERSION.c.revision.label("v_revision"),
            VERSION.c.entry.label("v_entry"),
            VERSION.c.previous_value.label("v_previous_value"),
            VERSION.c.proposal_id.label("v_proposal_id"),
            earlier.c.entry.label("e_entry"),
            earlier.c.status.label("e_status"),
            earlier.c.previous_value.label("e_previous_value"),
            came_from.c.group_id.label("unit"),
        )
        .select_from(VERSION)
        .join(MEMORY, and_(MEMORY.c.tenant_id == VERSION.c.tenant_id, MEMORY.c.id == VERSION.c.memory_id))
        .outerjoin(earlier, before)
        .outerjoin(came_from, proposed)
        .where(VERSION.c.tenant_id == tenant, VERSION.c.operation_id == operation.id)
    )
    stood = stood_on(connection, operation, later_versions(tenant, operation))
    return [_step(row, row.id in stood) for row in connection.execute(chosen)]


def _step(row: Any, blocked: bool) -> _Step:
    stopping.check()
    created = row.v_revision == 1
    spelled = row.v_entry if created else row.e_entry
    return _Step(
        memory=memory_of(row),
        entry=Entry.from_json(spelled) if spelled is not None else None,
        status="deleted" if created else row.e_status,
        previous_value=row.v_previous_value if created else row.e_previous_value,
        proposal_id=row.v_proposal_id,
        blocked=blocked,
        unit=row.unit or row.id,
    )


def _ruled(connection: Connection, tenant: str, operation: Operation) -> list[_Ruled]:
    """What the operation decided on proposals, in two statements whatever the number."""
    chosen = (
        select(PROPOSAL, DECISION.c.from_status, DECISION.c.to_status)
        .select_from(DECISION)
        .join(PROPOSAL, and_(PROPOSAL.c.tenant_id == DECISION.c.tenant_id, PROPOSAL.c.id == DECISION.c.proposal_id))
        .where(DECISION.c.tenant_id == tenant, DECISION.c.operation_id == operation.id)
    )
    stood = stood_on(connection, operation, later_decisions(tenant, operation))
    return [
        _Ruled(
            row,
            row.from_status,
            row.to_status,
            row.id in stood or row.status != row.to_status or row.content is None,  # NULL: its text was erased since
        )
        for row in connection.execute(chosen)
    ]


def _later(steps: Sequence[_Step], ruled: Sequence[_Ruled], blocked: set[str]) -> LaterOperation:
    units = {step.unit for step in steps} | {one.row.group_id for one in ruled}
    stuck = _heads(steps, ruled, blocked)
    return LaterOperation(
        f"Something later stands on {'it' if len(units) == 1 else f'{len(stuck):,} of the {len(units):,}'}.",
        blocked=stuck,
        free=_heads(steps, ruled, units - blocked),
    )


def _heads(steps: Sequence[_Step], ruled: Sequence[_Ruled], units: set[str]) -> tuple[str, ...]:
    """One id for each unit: its memory where it has one, else its proposals."""
    found = {step.unit: step.memory.id for step in steps if step.unit in units}
    alone = [one.row.id for one in ruled if one.row.group_id in units and one.row.group_id not in found]
    return (*found.values(), *alone)


def _restore(act: Act, step: _Step, pinned: bool | None) -> None:
    """``pinned`` is how it stood before the step, where the step was about that: no version holds it."""
    if step.entry is None:
        raise conflict("A text that this would restore was erased.")
    act.change(
        step.memory,
        step.entry,
        step.status,
        proposal_id=step.proposal_id,
        previous_value=step.previous_value,
        pinned=pinned,
    )


def _reopen(act: Act, operation: Operation, one: _Ruled) -> None:
    moved = operation.selection.get("moved", {}).get(one.row.id)
    columns: dict[str, Any] = {}
    if moved is not None:
        columns = {name: _read(name, value) for name, value in moved["before"].items()}
    before = {name: getattr(one.row, name) for name in columns}
    act.decide(
        one.row.id,
        one.row.status,
        one.from_status,
        revision=one.row.revision,
        before=before,
        **columns,
        **derived_columns(one.row, columns),
    )


def _read(name: str, value: Any) -> Any:
    timed = name in ("deferred_at", "valid_until") and value is not None
    return datetime.fromisoformat(value) if timed else value


def _marks(steps: Sequence[_Step], ruled: Sequence[_Ruled]) -> set[str]:
    """The texts that a partial undo is about: what stands, what stood, and what was proposed."""
    entries = [step.memory.entry for step in steps] + [step.entry for step in steps if step.entry is not None]
    return {fingerprint(entry.scope, "add", entry.content) for entry in entries} | {
        one.row.fingerprint for one in ruled
    }


def _commit(connection: Connection, act: Act, steps: Sequence[_Step]) -> Operation:
    """Commit, with the unique index as the judge of keys; where one is taken, find by whom."""
    try:
        with connection.begin_nested():
            return act.commit()
    except IntegrityError:
        ours = {step.memory.id for step in steps}
        keyed = [step.entry for step in steps if step.status == "active" and step.entry and step.entry.key]
        for part in chunks(keyed):
            places = {(entry.scope, entry.key): entry for entry in part if entry.key is not None}
            for place, holder in active_with_keys(connection, act.store.tenant, set(places)).items():
                if holder.id not in ours:
                    raise key_taken(holder, places[place]) from None
        raise


def _root(connection: Connection, tenant: str, operation: Operation) -> Operation:
    """The decision that a chain of undo and redo is about."""
    while operation.undoes is not None:
        operation = _operation(connection, tenant, operation.undoes)
    return operation
