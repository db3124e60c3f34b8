"""What was rejected, found by its words, and the decisions against it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection, and_, select

from store import reading
from store.engine import Store
from store.facts import Proposal
from store.models import DecisionRow, OperationRow
from store.pools import Pool
from store.reading import PROPOSAL, chunks

DECISION = DecisionRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
REJECTED: Final = Pool(lambda: [PROPOSAL.c.status == "rejected"])
"""The newest refusals."""


class Rejected(NamedTuple):
    """A proposal that stands rejected, and the decision."""

    proposal: Proposal
    at: datetime
    actor: str
    reason: str | None


def like(store: Store, text: str) -> list[str]:
    """The ids of the rejected proposals that hold most of a text's words, the most alike first, in whatever scope."""
    return REJECTED.like(store, text)


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
