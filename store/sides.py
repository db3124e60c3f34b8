"""A value that is live and one that is proposed for it: what stands on either side, and how both may be kept.

Where two agents disagree a person may take the new value, keep the live one, or keep both under two keys. The first two
are ``review.approve`` and ``review.reject``; the third is here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import func, select

from store import reading, secrecy
from store.approval import Approval
from store.engine import Store
from store.errors import NotFound
from store.expiry import deciding
from store.facts import Actor, Done, Memory, Seen, Version
from store.guards import Item, cleaned, conflict, guarded
from store.ledger import Act
from store.models import SupportRow
from store.support import carry
from store.wording import title

SUPPORT = SupportRow.__table__  # type: ignore[attr-defined]
NEWEST: Final = 6
"""Versions of the live value that are read."""


@dataclass(frozen=True, slots=True)
class Side:
    """The live value: the memory as it stands, its newest versions (newest first), and what bore it out.

    ``support`` counts by kind (session, commit, test) what was seen to bear it out, ``claimed`` what an agent only says
    there was.
    """

    memory: Memory
    versions: tuple[Version, ...]
    support: Mapping[str, int]
    claimed: Mapping[str, int]


def live(store: Store, memory_id: str) -> Side:
    """What stands on the live side. Raises NotFound where there is no such memory."""
    with store.read() as connection:
        memory = reading.memory(connection, store.tenant, memory_id)
        if memory is None:
            raise NotFound(f"There is no memory {memory_id}.")
        chosen = (
            select(SUPPORT.c.kind, SUPPORT.c.claimed, func.count())
            .where(SUPPORT.c.tenant_id == store.tenant, SUPPORT.c.owner_id == memory_id)
            .group_by(SUPPORT.c.kind, SUPPORT.c.claimed)
            .order_by(SUPPORT.c.kind.desc())
        )
        rows = connection.execute(chosen).all()
        versions = reading.versions(connection, store.tenant, memory_id, limit=NEWEST)
    seen, claimed = ({row[0]: row[2] for row in rows if row[1] == side} for side in (False, True))
    return Side(memory, tuple(versions), seen, claimed)


def keep_both(store: Store, seen: Seen, key: str, *, by: Actor, secret: secrecy.Word | None = None) -> Done:
    """Let a proposal hold beside the live value, under a key of its own, instead of replacing it.

    The live memory is not touched and keeps its aliases, and other proposals for its key stay open. Raises Stale,
    AlreadyDecided, AlreadyKnown, KeyTaken (of the second key), NotFound, NotAdmitted (a key outside the grammar),
    SecretOpen (see ``review.approve`` for the word on it), or Conflict where the proposal replaces nothing.
    """
    with deciding(store) as connection:
        item = guarded(store, connection, seen)
        target = item.proposal.target
        if target is None or item.proposal.op == "remove":
            raise conflict("There is no live value that this would replace.", "Approve it as it is.")
        own = item.proposal.entry
        aliases = tuple(one for one in own.aliases if one not in target.entry.aliases)
        entry = cleaned(own.with_(key=key, aliases=aliases))
        act = Act(store, connection, by, "approve", selection={"beside": target.id, "edited": True})
        beside = _alone(item)
        entry = secrecy.settled(act, entry, secret)
        memory = Approval(act, [(beside, entry)]).stage(beside, entry, settled=True, masked=secret == "mask")
        operation = act.commit()
        carry(connection, store.tenant, operation)
        words = title(connection, store.tenant, operation)
        return Done(operation=operation, title=words, memory_ids=(memory.id,), proposal_ids=(item.id,))


def _alone(item: Item) -> Item:
    """The proposal as an addition that changes nothing, and that closes no other proposal for the same key."""
    return replace(item, proposal=replace(item.proposal, op="add", target=None, group_id=item.id))
