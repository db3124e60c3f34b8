"""What was rejected, found by its words: the newest refusals of a store, held in memory by whoever asks about them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, and_, select

from store import ledger, reading
from store.engine import Store
from store.facts import Proposal
from store.likeness import WordIndex
from store.models import DecisionRow, OperationRow
from store.reading import PROPOSAL, chunks

DECISION = DecisionRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
NEWEST: Final = 5_000
"""Refusals that are remembered by their words; a paraphrase of an older one comes back through its vector only."""
LOOKED_AT: Final = 12


class Rejected(NamedTuple):
    """A proposal that stands rejected, and the decision."""

    proposal: Proposal
    at: datetime
    actor: str
    reason: str | None


@dataclass
class _Held:
    lock: threading.Lock = field(default_factory=threading.Lock)
    seq: int = -1
    index: WordIndex = field(default_factory=WordIndex)


_HELD: WeakKeyDictionary[Store, _Held] = WeakKeyDictionary()
_LOCK: Final = threading.Lock()


def like(store: Store, text: str) -> list[str]:
    """The ids of the rejected proposals that hold most of a text's words, the most alike first, in whatever scope."""
    with _LOCK:
        held = _HELD.setdefault(store, _Held())
    with held.lock:
        _refresh(store, held)
        return [one for one, _share in held.index.like(text, most=LOOKED_AT)]


def read(store: Store, ids: Sequence[str], scopes: Sequence[str] | None) -> list[Rejected]:
    """Those of these that stand rejected, in these scopes (None: everywhere), each with the decision."""
    if not ids:
        return []
    with store.read() as connection:
        found = [
            one
            for one in reading.proposals(connection, store.tenant, ids)
            if one.status == "rejected" and (scopes is None or one.entry.scope in scopes)
        ]
        why = _decisions(connection, store.tenant, [one.id for one in found])
        return [Rejected(one, *why[one.id]) for one in found if one.id in why]


def _refresh(store: Store, held: _Held) -> None:
    """Take in what was rejected since, and forget what was taken back."""
    with store.read() as connection:
        seq = ledger.head(connection, store.tenant)[0]
        if seq == held.seq:
            return
        mine = and_(PROPOSAL.c.tenant_id == store.tenant, PROPOSAL.c.status == "rejected")
        chosen = select(PROPOSAL.c.id).where(mine).order_by(PROPOSAL.c.id.desc()).limit(NEWEST)
        ids = set(connection.execute(chosen).scalars())
        for one in [one for one in held.index.ids() if one not in ids]:
            held.index.discard(one)
        for part in chunks([one for one in ids if one not in held.index]):
            texts = select(PROPOSAL.c.id, PROPOSAL.c.content).where(mine, PROPOSAL.c.id.in_(list(part)))
            for row in connection.execute(texts):
                if row.content is not None:
                    held.index.add(row.id, row.content)
    held.seq = seq


def _decisions(connection: Connection, tenant: str, ids: Sequence[str]) -> dict[str, tuple[datetime, str, str | None]]:
    """By proposal, the newest decision that rejected it: when, by whom, why."""
    joined = and_(OPERATION.c.tenant_id == DECISION.c.tenant_id, OPERATION.c.id == DECISION.c.operation_id)
    found: dict[str, tuple[datetime, str, str | None]] = {}
    for part in chunks(ids):
        chosen = (
            select(DECISION.c.proposal_id, OPERATION.c.at, OPERATION.c.actor, OPERATION.c.reason)
            .select_from(DECISION)
            .join(OPERATION, joined)
            .where(
                DECISION.c.tenant_id == tenant,
                DECISION.c.proposal_id.in_(list(part)),
                DECISION.c.to_status == "rejected",
            )
            .order_by(OPERATION.c.seq)
        )
        found |= {row.proposal_id: (row.at, row.actor, row.reason) for row in connection.execute(chosen)}
    return found
