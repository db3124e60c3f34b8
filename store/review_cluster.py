"""Decisions on near-copies: keep the head and close the rest, as one operation with one undo."""

from __future__ import annotations

from collections.abc import Sequence

from store import secrecy
from store.engine import Store
from store.entry import Entry
from store.errors import NotFound
from store.expiry import deciding
from store.facts import Actor, Done, Seen
from store.guards import cleaned, guarded, load, no_copy, why_not
from store.ledger import Act
from store.review import NEAR_COPY, stage_approval
from store.support import carry
from store.wording import title


def approve(
    store: Store,
    seens: Sequence[Seen],
    head: str,
    *,
    by: Actor,
    edited: Entry | None = None,
    secret: secrecy.Word | None = None,
) -> Done:
    """Let the head hold, as it is or as ``edited``, and close the others with it; nothing of them is turned down.

    ``seens`` are what was painted of all, the head among them. Those of the others that have moved on since, or that
    stand in another scope or under another key, are left alone and named in ``Done.left``. ``secret`` is as in
    ``review.approve``, which says what is raised for the head; and NotFound where it is not among the seen.
    """
    edited = cleaned(edited) if edited is not None else None
    own = next((seen for seen in seens if seen.proposal_id == head), None)
    if own is None:
        raise NotFound(f"There is no proposal {head} among these.")
    with deciding(store) as connection:
        item = guarded(store, connection, own, edited.content if edited else None)
        selection = {"cluster": len(seens), **({"edited": True} if edited else {})}
        act = Act(store, connection, by, "approve", selection=selection)
        approval, memory = stage_approval(act, item, own, edited, secret)
        closed = {item.id, *approval.superseded}
        left: list[tuple[str, str]] = []
        found = load(connection, store.tenant, [seen.proposal_id for seen in seens])
        for seen in {seen.proposal_id: seen for seen in seens}.values():
            if seen.proposal_id in closed:
                continue
            other = found.get(seen.proposal_id)
            why = why_not(other, seen) or no_copy(item, other)
            if other is None or why:
                left.append((seen.proposal_id, why))
                continue
            proposal = other.proposal
            act.decide(proposal.id, proposal.status, "superseded", revision=proposal.revision, reason=NEAR_COPY)
            closed.add(proposal.id)
        operation = act.commit()
        carry(connection, store.tenant, operation)
        others = [one for one in closed if one != item.id]
        told = title(connection, store.tenant, operation)
        return Done(operation, told, (memory.id,), (item.id, *sorted(others)), tuple(left))
