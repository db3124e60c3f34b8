"""What happened after an operation to the things it touched, and whether anything of it still stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select, and_, select

from store.facts import Operation
from store.models import DecisionRow, OperationRow, VersionRow
from store.reading import chunks

DECISION = DecisionRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]
_ACT = (OPERATION.c.id, OPERATION.c.undoes, OPERATION.c.seq)


def later_versions(tenant: str, operation: Operation) -> Select[Any]:
    """(what, operation, what that undoes) of all that happened since to the memories the operation touched.

    The clock only follows a date that was decided; what it did since is no reason to keep that decision.
    """
    later = VERSION.alias("later")
    since = and_(
        later.c.tenant_id == VERSION.c.tenant_id,
        later.c.memory_id == VERSION.c.memory_id,
        later.c.revision > VERSION.c.revision,
    )
    made = and_(OPERATION.c.tenant_id == later.c.tenant_id, OPERATION.c.id == later.c.operation_id)
    return (
        select(later.c.memory_id.label("what"), OPERATION.c.id, OPERATION.c.undoes)
        .select_from(VERSION)
        .join(later, since)
        .join(OPERATION, made)
        .where(VERSION.c.tenant_id == tenant, VERSION.c.operation_id == operation.id, OPERATION.c.surface != "clock")
        .order_by(OPERATION.c.seq)
    )


def later_decisions(tenant: str, operation: Operation) -> Select[Any]:
    """The same of the proposals that the operation decided on."""
    later = DECISION.alias("later")
    since = and_(later.c.tenant_id == DECISION.c.tenant_id, later.c.proposal_id == DECISION.c.proposal_id)
    made = and_(OPERATION.c.tenant_id == later.c.tenant_id, OPERATION.c.id == later.c.operation_id)
    return (
        select(later.c.proposal_id.label("what"), OPERATION.c.id, OPERATION.c.undoes)
        .select_from(DECISION)
        .join(later, since)
        .join(OPERATION, made)
        .where(
            DECISION.c.tenant_id == tenant,
            DECISION.c.operation_id == operation.id,
            OPERATION.c.seq > operation.seq,
        )
        .order_by(OPERATION.c.seq)
    )


def stood_on(connection: Connection, operation: Operation, later: Select[Any]) -> dict[str, str]:
    """The things on which something later still stands, each with the id of the newest such operation.

    A later act that was undone again stands on nothing.
    """
    return _of_each(operation, connection.execute(later))


def stood_on_few(
    connection: Connection, tenant: str, operation: Operation, revisions: Mapping[str, int], proposals: Sequence[str]
) -> dict[str, str]:
    """As ``stood_on`` of both, for an operation whose parts are known and few: memories with the revisions it gave
    them, and proposals.

    By their ids, since an engine that joins them as above may walk all that was done since.
    """
    versions = select(VERSION.c.memory_id.label("what"), VERSION.c.revision, *_ACT).join(
        OPERATION, and_(OPERATION.c.tenant_id == VERSION.c.tenant_id, OPERATION.c.id == VERSION.c.operation_id)
    )
    decisions = select(DECISION.c.proposal_id.label("what"), *_ACT).join(
        OPERATION, and_(OPERATION.c.tenant_id == DECISION.c.tenant_id, OPERATION.c.id == DECISION.c.operation_id)
    )
    found: list[Any] = []
    for part in chunks(list(revisions)):
        chosen = versions.where(VERSION.c.tenant_id == tenant, VERSION.c.memory_id.in_(list(part)))
        rows = connection.execute(chosen.where(OPERATION.c.surface != "clock"))
        found += [row for row in rows if row.revision > revisions[row.what]]
    for part in chunks(proposals):
        chosen = decisions.where(DECISION.c.tenant_id == tenant, DECISION.c.proposal_id.in_(list(part)))
        found += [row for row in connection.execute(chosen) if row.seq > operation.seq]
    return _of_each(operation, sorted(found, key=lambda row: row.seq))


def _of_each(operation: Operation, rows: Iterable[Any]) -> dict[str, str]:
    since: dict[str, list[tuple[str, str | None]]] = {}
    for row in rows:
        since.setdefault(row.what, []).append((row.id, row.undoes))
    standing = ((what, _standing(operation.id, acts)) for what, acts in since.items())
    return {what: act for what, act in standing if act is not None}


def _standing(operation_id: str, acts: Sequence[tuple[str, str | None]]) -> str | None:
    """The newest of these later acts (id, what it undoes; oldest first) in effect, or that which undid the act itself.

    From the newest down: what takes back another of them takes itself away with it.
    """
    known = {operation_id, *(act for act, _ in acts)}
    undone: dict[str, str] = {}
    for act, undoes in reversed(acts):
        if act in undone:
            continue
        if undoes is None or undoes not in known:
            return act
        undone[undoes] = act
    return undone.get(operation_id)
