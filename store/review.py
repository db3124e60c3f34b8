"""Decisions on proposals: approve, reject, defer, place, withdraw, one or many.

Each is one transaction, one operation and one undo, and returns after the commit. Each takes what was painted
(``facts.Seen``) and changes nothing where that is no longer what stands: it raises Stale (base, mine, theirs, by whom)
or AlreadyDecided; a batch leaves such items out and names them in ``Done.left``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from types import EllipsisType
from typing import Any

from sqlalchemy import Connection, select

from store import secrecy
from store.approval import Approval
from store.elsewhere import take_over
from store.engine import Store
from store.entry import Entry, fingerprint, group_id, iso
from store.errors import Conflict, NoneQualified, Stale
from store.expiry import deciding
from store.facts import OPEN, Actor, Done, Memory, Operation, Proposal, Seen
from store.guards import Item, cleaned, cleaned_reason, conflict, guarded, load, no_copy, why_not
from store.ledger import Act
from store.models import ProposalRow
from store.retiring import turn_down as turn_down
from store.support import carry
from store.wording import title

PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
Left = list[tuple[str, str]]
NEAR_COPY = "a near-copy was kept"
"""Why a proposal was closed that said what another says."""


def approve(
    store: Store, seen: Seen, *, by: Actor, edited: Entry | None = None, secret: secrecy.Word | None = None
) -> Done:
    """Let a proposal hold, as it is or as ``edited``, and close the others of its group.

    An addition makes a memory, or a new version of the one out of use that said the same; an update replaces the text
    of its target; a removal deletes it. ``secret`` is the person's word on what may be a secret in it: ``mask`` masks
    every such span, ``keep`` says that none is one, and is remembered. Raises Stale, AlreadyDecided, AlreadyKnown,
    KeyTaken, NotFound, NotAdmitted (of what was edited), SecretOpen (a word is needed), or Conflict where a removal's
    target is gone or the date has passed.
    """
    edited = cleaned(edited) if edited is not None else None
    with deciding(store) as connection:
        item = guarded(store, connection, seen, edited.content if edited else None)
        act = Act(store, connection, by, "approve", selection={"edited": True} if edited else {})
        approval, memory = stage_approval(act, item, seen, edited, secret)
        operation = act.commit()
        carry(connection, store.tenant, operation)
        return _done(store, connection, operation, (item.id, *approval.superseded), (memory.id,))


def stage_approval(
    act: Act, item: Item, seen: Seen, edited: Entry | None, secret: secrecy.Word | None
) -> tuple[Approval, Memory]:
    """Stage on ``act`` what ``approve`` does of one proposal that still is what was painted. Raises as it does."""
    _expect_the_group(act.connection, act.store.tenant, item, seen, edited)
    if item.proposal.op != "remove":
        version = item.proposal.redaction_version if edited is None else None
        settled = secrecy.settled(act, edited or item.proposal.entry, secret, version=version)
        edited = edited if settled == (edited or item.proposal.entry) else settled
    approval = Approval(act, [(item, edited)])
    memory = approval.stage(item, edited, settled=True, masked=secret == "mask")
    take_over(act, [memory])
    return approval, memory


def _expect_the_group(connection: Connection, tenant: str, item: Item, seen: Seen, edited: Entry | None) -> None:
    """Approving closes the others of the group: one that came since, and was never shown, is no part of that."""
    if seen.group is None:
        return
    new = [one for one in _open_group(connection, tenant, item) if one.id != item.id and one.id not in seen.group]
    if new:
        raise Stale(
            "Not decided: a newer proposal for the same has come since this was shown.",
            base=seen.base,
            mine=(edited or item.proposal.entry).content,
            theirs=new[0].proposal.entry.content,
        )


def approve_many(
    store: Store,
    seens: Sequence[Seen],
    *,
    by: Actor,
    plain_only: bool = True,
    copies: Mapping[str, Iterable[str]] | None = None,
) -> Done:
    """Approve a batch as one operation; of a group, only the newest.

    With ``plain_only`` only additions without a flag qualify. ``copies`` are heads (ids) with their near-copies: those
    are closed with their head, and wait on where it could not be approved. Whatever is left alone is named in
    ``Done.left``. Raises NoneQualified where nothing is left to do.
    """
    with deciding(store) as connection:
        items, left = _standing(store, connection, seens)
        if plain_only:
            left += [(item.id, why) for item in items if (why := _not_plain(item.proposal))]
            items = [item for item in items if not _not_plain(item.proposal)]
        items.sort(key=lambda item: item.id, reverse=True)
        act = Act(store, connection, by, "approve", selection={"batch": len(seens)})
        items, behind = _behind_heads(items, copies or {})
        approval = Approval(act, [(item, None) for item in items])
        approved: list[str] = []
        memories: list[Memory] = []
        for item in items:
            try:
                memories.append(approval.stage(item))
                approved.append(item.id)
            except Conflict as error:
                left.append((item.id, error.what))
        closed = {*approved, *approval.superseded}
        for head, other in behind:
            if other.id in closed:
                continue
            why = no_copy(head, other) if head.id in approved else "what says the same was not approved"
            if why:
                left.append((other.id, why))
                continue
            act.decide(
                other.id, other.proposal.status, "superseded", revision=other.proposal.revision, reason=NEAR_COPY
            )
            closed.add(other.id)
        take_over(act, memories)
        operation = _commit(act, left)
        carry(connection, store.tenant, operation)
        others = sorted(closed.difference(approved))
        return _done(store, connection, operation, (*approved, *others), [one.id for one in memories], left)


def _behind_heads(
    items: Sequence[Item], copies: Mapping[str, Iterable[str]]
) -> tuple[list[Item], list[tuple[Item, Item]]]:
    """What is to be approved, and the near-copies of it, each behind its head; one without it stands alone."""
    there = {item.id: item for item in items}
    head_of = {one: there[head] for head, some in copies.items() if head in there for one in some if one != head}
    behind = [(head_of[item.id], item) for item in items if item.id in head_of]
    return [item for item in items if item.id not in head_of], behind


def _not_plain(proposal: Proposal) -> str:
    if proposal.op != "add":
        return f"it is {'an update' if proposal.op == 'update' else 'a removal'}"
    if proposal.flags:
        return "it is flagged: " + ", ".join(flag.code.replace("_", " ") for flag in proposal.flags)
    return ""


def reject(store: Store, seen: Seen, *, by: Actor, reason: str | None = None, group: bool = False) -> Done:
    """Turn a proposal down, or its whole ``group``; the same text is then answered with this decision.

    Raises Stale, AlreadyDecided or NotFound.
    """
    with deciding(store) as connection:
        item = guarded(store, connection, seen)
        act = Act(store, connection, by, "reject", reason=cleaned_reason(reason))
        items = _open_group(connection, store.tenant, item) if group else [item]
        for one in items:
            _reject(act, one)
        operation = act.commit()
        return _done(store, connection, operation, [one.id for one in items])


def reject_many(store: Store, seens: Sequence[Seen], *, by: Actor, reason: str | None = None) -> Done:
    """Turn a batch down as one operation. Raises NoneQualified where nothing is left to do."""
    return _many(store, seens, by, "reject", _reject, reason)


def _reject(act: Act, item: Item) -> None:
    proposal = item.proposal
    act.decide(proposal.id, proposal.status, "rejected", revision=proposal.revision, reason=act.reason)
    act.turn_down(proposal.entry.scope, item.row.fingerprint, "rejected")


def defer(store: Store, seen: Seen, *, by: Actor) -> Done:
    """Put a proposal off: to the end of the queue, back next time. Raises Stale, AlreadyDecided or NotFound."""
    return _one(store, seen, by, "defer", _defer)


def defer_many(store: Store, seens: Sequence[Seen], *, by: Actor) -> Done:
    """Put a batch off as one operation. Raises NoneQualified where nothing is left to do."""
    return _many(store, seens, by, "defer", _defer, None)


def _defer(act: Act, item: Item) -> None:
    proposal = item.proposal
    before = {"deferred_at": item.row.deferred_at} if item.row.deferred_at is not None else None
    act.decide(proposal.id, proposal.status, "deferred", revision=proposal.revision, before=before, deferred_at=act.at)


def withdraw(store: Store, seen: Seen, *, by: Actor) -> Done:
    """Take a proposal back: it binds nobody. Raises Stale, AlreadyDecided or NotFound."""
    return _one(store, seen, by, "withdraw", _withdraw)


def _withdraw(act: Act, item: Item) -> None:
    proposal = item.proposal
    act.decide(proposal.id, proposal.status, "withdrawn", revision=proposal.revision)


def place(
    store: Store,
    seen: Seen,
    *,
    by: Actor,
    scope: str | None = None,
    valid_until: datetime | EllipsisType | None = ...,
) -> Done:
    """Move a proposal to another ``scope`` (None: stay), or give it another ``valid_until`` (None: no end).

    In another scope it meets another memory: a proposal with a key changes what holds the key there, and what it was
    to change here stays as it is. Raises Stale, AlreadyDecided, NotFound, or Conflict where nothing would change.
    """
    with deciding(store) as connection:
        item = guarded(store, connection, seen)
        columns = _placement(item, scope, valid_until)
        if not columns:
            raise conflict("It stands there already.")
        act = Act(store, connection, by, "place")
        before = {name: getattr(item.row, name) for name in columns}
        proposal = item.proposal
        act.decide(
            proposal.id,
            proposal.status,
            proposal.status,
            revision=proposal.revision,
            before=before,
            **columns,
            **derived_columns(item.row, columns),
        )
        operation = act.commit()
        return _done(store, connection, operation, (proposal.id,))


def _placement(item: Item, scope: str | None, valid_until: datetime | EllipsisType | None) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    row = item.row
    if not isinstance(valid_until, EllipsisType) and iso(valid_until) != iso(row.valid_until):
        columns["valid_until"] = valid_until
    if scope is not None and scope != row.scope:
        if row.op == "remove":
            raise conflict("A removal cannot be moved to another scope.", "Reject it, or approve it where it is.")
        columns["scope"] = scope
        if row.key is not None:
            columns |= {"target_id": None, "base_revision": None}
    return columns


def derived_columns(row: Any, columns: dict[str, Any]) -> dict[str, Any]:
    """What follows from a proposal's new scope: its fingerprint and its group. Empty where the scope stays."""
    if "scope" not in columns:
        return {}
    target = columns.get("target_id", row.target_id)
    return {
        "fingerprint": fingerprint(columns["scope"], row.op, row.content),
        "group_id": group_id(columns["scope"], row.key, target, row.id),
    }


_Step = Callable[[Act, Item], None]


def _one(store: Store, seen: Seen, by: Actor, action: str, step: _Step) -> Done:
    with deciding(store) as connection:
        item = guarded(store, connection, seen)
        act = Act(store, connection, by, action)
        step(act, item)
        operation = act.commit()
        return _done(store, connection, operation, (item.id,))


def _many(store: Store, seens: Sequence[Seen], by: Actor, action: str, step: _Step, reason: str | None) -> Done:
    with deciding(store) as connection:
        items, left = _standing(store, connection, seens)
        act = Act(store, connection, by, action, reason=cleaned_reason(reason), selection={"batch": len(seens)})
        for item in items:
            step(act, item)
        operation = _commit(act, left)
        return _done(store, connection, operation, [item.id for item in items], (), left)


def _standing(store: Store, connection: Connection, seens: Sequence[Seen]) -> tuple[list[Item], Left]:
    """Of a batch, what still is as it was painted, in order; and the rest with the reasons."""
    unique = {seen.proposal_id: seen for seen in seens}
    found = load(connection, store.tenant, list(unique))
    items: list[Item] = []
    left: Left = []
    for proposal_id, seen in unique.items():
        item = found.get(proposal_id)
        why = why_not(item, seen)
        if item is None or why:
            left.append((proposal_id, why))
        else:
            items.append(item)
    return items, left


def _commit(act: Act, left: Left) -> Operation:
    if act.empty:
        raise NoneQualified(f"None of the {len(left):,} could be done.", left=tuple(left))
    return act.commit()


def _open_group(connection: Connection, tenant: str, item: Item) -> list[Item]:
    chosen = (
        select(PROPOSAL.c.id)
        .where(
            PROPOSAL.c.tenant_id == tenant,
            PROPOSAL.c.group_id == item.proposal.group_id,
            PROPOSAL.c.status.in_(OPEN),
        )
        .order_by(PROPOSAL.c.id.desc())
    )
    ids = [row.id for row in connection.execute(chosen) if row.id != item.id]
    return [item, *load(connection, tenant, ids).values()]


def _done(
    store: Store,
    connection: Connection,
    operation: Operation,
    proposal_ids: Sequence[str],
    memory_ids: Sequence[str] = (),
    left: Left | None = None,
) -> Done:
    return Done(
        operation=operation,
        title=title(connection, store.tenant, operation),
        memory_ids=tuple(memory_ids),
        proposal_ids=tuple(proposal_ids),
        left=tuple(left or ()),
    )
