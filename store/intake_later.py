"""What intake leaves for later, when there is time to compare texts: a second mention in other words, a near repeat.

A preference that one session said, and another session says in similar words without a differing hint, goes to the
queue as if it had been said again (design 5.4). What resembles an earlier refusal is flagged with that refusal. Nothing
is approved, merged or thrown away here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection, insert, select, update

from store import refusals
from store.case import day
from store.encoders import Encoder
from store.engine import Store
from store.facts import OPEN, Actor, Flag, Outcome
from store.ledger import Act
from store.likeness import is_near
from store.models import ProposalRow, SupportRow
from store.pools import Pool
from store.reading import chunks

PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
SUPPORT = SupportRow.__table__  # type: ignore[attr-defined]
MOST: Final = 256
"""Proposals that one call settles; the caller comes again with more."""
SAID_AGAIN: Final = "said again in other words"
REPEAT: Final = "rejected_before"
MOST_AT_ONCE: Final = 16
"""Drafts that are settled while their proposer waits for the answer."""


def _preferences() -> list[Any]:
    return [PROPOSAL.c.status.in_(OPEN), PROPOSAL.c.kind == "preference"]


PREFERENCES: Final = Pool(_preferences)
"""The newest preferences that wait, drafts among them."""
FEW_PREFERENCES: Final = Pool(_preferences, newest=300)
"""As many of them as a proposer can wait for."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What came of it, as ids of proposals: drafts that went to the queue, and near repeats that were flagged."""

    promoted: tuple[str, ...] = ()
    flagged: tuple[str, ...] = ()


def settle(store: Store, ids: Sequence[str], *, encoder: Encoder | None = None) -> Settled:
    """Look at these proposals again, once their vectors are there or, without an encoder, by their words.

    To be called from a background thread after intake, any number of times: a second call finds nothing new to do. At
    most ``MOST`` are looked at. Raises errors of ``store.errors``; what was settled before stays.
    """
    rows = [row for row in _read(store, list(dict.fromkeys(ids))[:MOST]) if row.op != "remove"]
    if not rows:
        return Settled()
    flags = _near_repeats(store, rows, encoder)
    pairs = _mates(store, [row for row in rows if row.kind == "preference"], encoder)
    if not flags and not pairs:
        return Settled()
    with store.write() as connection:
        flagged = _flag(store, connection, flags)
        promoted = _promote(store, connection, pairs)
    return Settled(promoted, flagged)


def settle_at_once(store: Store, told: Sequence[Outcome]) -> list[Outcome]:
    """What became of lines that have just been taken, once their drafts were compared, by words, with the newest ones.

    A few drafts only, so that the proposer hears of its second mention at once; the rest is settled later (``settle``).
    """
    drafts = [outcome.id for outcome in told if outcome.status == "draft" and outcome.id is not None]
    if not 0 < len(drafts) <= MOST_AT_ONCE:
        return list(told)
    rows = [row for row in _read(store, drafts) if row.status == "draft" and row.kind == "preference"]
    pairs = _mates(store, rows, None, FEW_PREFERENCES)
    if not pairs:
        return list(told)
    with store.write() as connection:
        promoted = _promote(store, connection, pairs)
    return [_heard(outcome, promoted) for outcome in told]


def _heard(outcome: Outcome, promoted: Sequence[str]) -> Outcome:
    pending = None if outcome.pending is None else outcome.pending + len(promoted)
    if outcome.id in promoted and outcome.status == "draft":
        return replace(outcome, status="pending", reason=f"{SAID_AGAIN}: now in the queue", pending=pending)
    return replace(outcome, pending=pending)


_COLUMNS: Final = tuple(
    PROPOSAL.c[name]
    for name in (
        *("id", "status", "op", "target_id", "scope", "kind", "key", "content", "flags", "source_agent", "revision"),
    )
)


def _read(store: Store, ids: Sequence[str]) -> list[Any]:
    with store.read() as connection:
        return _open(connection, store.tenant, ids)


def _open(connection: Connection, tenant: str, ids: Sequence[str]) -> list[Any]:
    """The rows of those that still wait, in the order asked for."""
    found: dict[str, Any] = {}
    for part in chunks(ids):
        chosen = select(*_COLUMNS).where(
            PROPOSAL.c.tenant_id == tenant,
            PROPOSAL.c.id.in_(list(part)),
            PROPOSAL.c.status.in_(OPEN),
            PROPOSAL.c.content.is_not(None),
        )
        found |= {row.id: row for row in connection.execute(chosen)}
    return [found[one] for one in ids if one in found]


# -- near repeats of what was refused


def _near_repeats(store: Store, rows: Sequence[Any], encoder: Encoder | None) -> dict[str, Flag]:
    """By proposal, the flag that tells of the refusal it nearly repeats; the newest such refusal."""
    fresh = [row for row in rows if not _has(row, REPEAT)]
    likely = refusals.REJECTED.likely(store, [(row.id, row.content) for row in fresh], encoder)
    told = {one.proposal.id: one for one in refusals.read(store, _all(likely), None)}
    found: dict[str, Flag] = {}
    for row in fresh:
        near = [
            told[own]
            for own, cos in likely[row.id].items()
            if own in told and told[own].proposal.entry.scope == row.scope
            if is_near(told[own].proposal.entry.content, row.content, cos)
        ]
        if near:
            last = max(near, key=lambda one: one.at)
            words = f"resembles what {last.actor} turned down on {day(last.at, store.now())}"
            found[row.id] = Flag(REPEAT, f"{words}: {last.reason}" if last.reason else words)
    return found


def _has(row: Any, code: str) -> bool:
    return any(flag["code"] == code for flag in row.flags or ())


def _all(likely: Mapping[str, Mapping[str, float | None]]) -> list[str]:
    return list(dict.fromkeys(own for found in likely.values() for own in found))


def _flag(store: Store, connection: Connection, flags: Mapping[str, Flag]) -> tuple[str, ...]:
    flagged = []
    for row in _open(connection, store.tenant, list(flags)):
        if _has(row, REPEAT):
            continue
        mine = (PROPOSAL.c.tenant_id == store.tenant, PROPOSAL.c.id == row.id)
        connection.execute(update(PROPOSAL).where(*mine).values(flags=[*(row.flags or ()), flags[row.id].as_dict()]))
        flagged.append(row.id)
    return tuple(flagged)


# -- second mentions in other words


def _mates(
    store: Store, rows: Sequence[Any], encoder: Encoder | None, among: Pool = PREFERENCES
) -> list[tuple[str, str]]:
    """Pairs of preferences that say the same in similar words, of which one is a draft."""
    if not rows:
        return []
    likely = among.likely(store, [(row.id, row.content) for row in rows], encoder)
    others = {row.id: row for row in _read(store, _all(likely))}
    return [
        (row.id, own)
        for row in rows
        for own, cos in likely[row.id].items()
        if own in others and "draft" in (row.status, others[own].status)
        if _says_the_same(row, others[own], cos)
    ]


def _says_the_same(one: Any, other: Any, cos: float | None) -> bool:
    """Whether two are about the same thing, of the same scope, and say the same of it."""
    if (one.scope, one.kind, one.op, one.target_id) != (other.scope, other.kind, other.op, other.target_id):
        return False
    if one.key is not None and other.key is not None and one.key != other.key:
        return False
    return is_near(one.content, other.content, cos)


def _promote(store: Store, connection: Connection, pairs: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Put the drafts that two known sessions have said into the queue, each with the sessions of the other."""
    rows = {row.id: row for row in _open(connection, store.tenant, list({own for pair in pairs for own in pair}))}
    sessions = _sessions(connection, store.tenant, list(rows))
    chosen: dict[str, list[Any]] = {}
    promoted: set[str] = set()
    for pair in pairs:
        if not all(own in rows for own in pair):
            continue
        one, other = pair
        if not sessions[one] or not sessions[other] or len(sessions[one].keys() | sessions[other].keys()) < 2:
            continue  # an absent session is no second one, nor is the same one
        agent = rows[one].source_agent or "unknown agent"
        for own in pair:
            if rows[own].status == "draft" and own not in promoted and not _has(rows[own], "over_limit"):
                chosen.setdefault(agent, []).append(rows[own])
                promoted.add(own)
        _share(store, connection, sessions, one, other)
    for agent, drafts in chosen.items():
        selection = {"proposals": [row.id for row in drafts]}
        act = Act(store, connection, Actor(agent, "intake"), "promote", selection=selection)
        for row in drafts:
            act.decide(row.id, "draft", "pending", revision=row.revision, reason=SAID_AGAIN)
        act.commit()
    return tuple(sorted(promoted))


def _sessions(connection: Connection, tenant: str, ids: Sequence[str]) -> dict[str, dict[str, bool]]:
    """By proposal, the known sessions that said it, and whether each is only claimed."""
    found: dict[str, dict[str, bool]] = {one: {} for one in ids}
    for part in chunks(ids):
        chosen = select(SUPPORT.c.owner_id, SUPPORT.c.ref, SUPPORT.c.claimed).where(
            SUPPORT.c.tenant_id == tenant, SUPPORT.c.owner_id.in_(list(part)), SUPPORT.c.kind == "session"
        )
        for row in connection.execute(chosen):
            found[row.owner_id][row.ref] = row.claimed
    return found


def _share(store: Store, connection: Connection, sessions: dict[str, dict[str, bool]], one: str, other: str) -> None:
    """Give each of two the sessions of the other: whichever is approved, both have said it."""
    fresh = []
    for owner, source in ((one, other), (other, one)):
        for ref, claimed in sessions[source].items():
            if ref not in sessions[owner]:
                row = {"owner_id": owner, "kind": "session", "ref": ref, "claimed": claimed, "at": store.now()}
                fresh.append(row | {"tenant_id": store.tenant})
    both = sessions[one] | sessions[other]
    sessions[one], sessions[other] = dict(both), dict(both)
    if fresh:
        connection.execute(insert(SUPPORT), fresh)
