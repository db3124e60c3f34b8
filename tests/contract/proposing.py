"""Hands for the tests of intake: propose plain values as an agent or a person would, and look at what stands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import func, select

from store import review
from store.admit import admit
from store.context import Context
from store.desk import redacted
from store.engine import Store
from store.facts import Actor, Outcome, Proposal
from store.intake import take
from store.models import ProposalRow, SettingRow, SupportRow, TombstoneRow, UsageRow
from store.policy import NO_LIMITS, Limits
from store.raw import Raw
from store.reading import proposals

SHOP = "github.com/acme/shop-api"
AGENT = Context(scope=SHOP, label="shop-api", branch="main", name="ada")
PERSON = Context(scope=SHOP, label="shop-api", name="ada", person=True)
ADA = Actor("ada", "cli")
ON_BOTH = pytest.mark.parametrize("engine_name", ["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
"""For a test whose second engine can wait for the long run, because others of its kind do not."""
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
SUPPORT = SupportRow.__table__  # type: ignore[attr-defined]
USAGE = UsageRow.__table__  # type: ignore[attr-defined]
TOMBSTONE = TombstoneRow.__table__  # type: ignore[attr-defined]
SETTING = SettingRow.__table__  # type: ignore[attr-defined]


def lines(*said: str | dict[str, Any]) -> list[Raw]:
    """Admitted and redacted lines; a plain text stands for its content."""
    values = [{"content": one} if isinstance(one, str) else one for one in said]
    admitted = admit("\n".join(json.dumps(value) for value in values).encode("utf-8"))
    assert not admitted.refusals, admitted.refusals
    return redacted(admitted.proposals)


def unlike(n: int) -> str:
    """A text that shares no word with any other of these."""
    return " ".join(f"{word}{sha256(f'{n}{word}'.encode()).hexdigest()[:8]}" for word in "abcdef")


def propose(
    store: Store, *said: str | dict[str, Any], context: Context = AGENT, limits: Limits = NO_LIMITS
) -> list[Outcome]:
    """Take lines in one batch and one transaction."""
    with store.write() as connection:
        return take(store, connection, lines(*said), context=context, limits=limits)


def one(store: Store, content: str, **more: Any) -> Outcome:
    """Propose one line, from an agent."""
    return propose(store, {"content": content, **more})[0]


def shown(store: Store, outcome: Outcome | str | None) -> Proposal:
    """A proposal as a reviewer sees it now."""
    which = outcome.id if isinstance(outcome, Outcome) else outcome
    assert which is not None
    with store.read() as connection:
        (found,) = proposals(connection, store.tenant, [which])
    return found


def approve(store: Store, outcome: Outcome) -> str:
    """Approve what an outcome names; the memory's id."""
    return review.approve(store, shown(store, outcome).seen(), by=ADA).memory_ids[0]


def known(store: Store, content: str, **more: Any) -> str:
    """Make an approved memory; its id."""
    return approve(store, one(store, content, **more))


def rows(store: Store, table: Any, *where: Any) -> Sequence[Any]:
    """The rows of a table."""
    with store.read() as connection:
        return connection.execute(select(table).where(*where)).all()


def count(store: Store, table: Any, *where: Any) -> int:
    """How many rows of a table there are."""
    with store.read() as connection:
        return int(connection.execute(select(func.count()).select_from(table).where(*where)).scalar_one())
