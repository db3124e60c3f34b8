"""What became of each agent's proposals, kind by kind, out of the log. What it means, ``calibration`` says.

One pass over at most ``LOOKED_AT`` proposals, the newest, in the engine. Call it from a worker.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Text, and_, case, cast, func, literal, select

from store.by_rule import BY_RULE, rule_in
from store.calibration import EDGES, LOOKED_AT, Bin, Kept, Record, Trust, added
from store.conditions import in_scopes
from store.engine import Store
from store.entry import GLOBAL
from store.facts import OPEN
from store.models import DecisionRow, OperationRow, ProposalRow, VersionRow

PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
DECISION = DecisionRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]
MOST_RECORDS: Final = 500
"""Agents and kinds told apart, those with the most proposals: an agent may call itself anything, each time anew."""
TAKEN_BACK: Final = ("rollback", "delete", "retire")
"""What a person does to a memory that was no good."""
_PLAIN, _EDITED, _RULE = 0, 1, 2
"""How a proposal came to be approved: as proposed, edited, by a rule."""
_HOW: Final = 4
"""By what a seq is multiplied, so that the newest approval and its kind are one number."""
_NO_BIN: Final = -1.0


def trust(store: Store, scopes: tuple[str, ...] | None = None, *, limit: int = LOOKED_AT) -> Trust:
    """The records of every agent, the one with the most proposals first. ``scopes`` is the view (None: everywhere)."""
    with store.read() as connection:
        floor = _floor(connection, store.tenant, limit)
        rows = connection.execute(_counted(store.tenant, scopes, floor)).all()
        kept = _kept(connection, store.tenant)
    records = _records(rows)
    records.sort(key=lambda record: (-record.proposed, record.agent or "", record.kind or ""))
    shown, more = records[:MOST_RECORDS], max(0, len(records) - MOST_RECORDS)
    return Trust(tuple(_by_agent(shown)), tuple(kept), more, floor is not None)


def _floor(connection: Connection, tenant: str, limit: int) -> str | None:
    """The id of the oldest proposal that is looked at, where there are older ones. Ids grow with time."""
    chosen = select(PROPOSAL.c.id).where(PROPOSAL.c.tenant_id == tenant).order_by(PROPOSAL.c.id.desc())
    last = connection.execute(chosen.limit(2).offset(limit - 1)).all()
    return last[0].id if len(last) == 2 else None


def _counted(tenant: str, scopes: tuple[str, ...] | None, floor: str | None) -> Any:
    """One row for each agent, kind and bin of stated confidence."""
    how, back = _approvals(tenant, floor), _taken_back(tenant, floor)
    approved = PROPOSAL.c.status == "approved"
    kind = how.c.newest % _HOW
    by_rule = and_(approved, kind == _RULE)
    edited = and_(approved, kind == _EDITED)
    as_proposed = and_(approved, func.coalesce(kind, _PLAIN) == _PLAIN)
    rejected = PROPOSAL.c.status == "rejected"
    gone = back.c.proposal_id.is_not(None)
    right = and_(as_proposed, ~gone)
    decided = and_(approved | rejected, func.coalesce(kind, _PLAIN) != _RULE)
    plain = and_(decided, PROPOSAL.c.op == "add", cast(PROPOSAL.c.flags, Text) == "[]", PROPOSAL.c.scope != GLOBAL)
    scope = case((plain, PROPOSAL.c.scope))
    bin_ = _bin()
    named = {
        "proposed": func.count(),
        "waiting": _number(PROPOSAL.c.status.in_(OPEN)),
        "approved": _number(as_proposed),
        "edited": _number(edited),
        "rejected": _number(rejected),
        "taken_back": _number(and_(as_proposed | edited, gone)),
        "by_rule": _number(by_rule),
        "rule_back": _number(and_(by_rule, gone)),
        "decided": _number(decided),
        "right": _number(right),
        "stated": func.avg(case((decided, PROPOSAL.c.confidence))),
        "plain": _number(plain),
        "plain_right": _number(and_(plain, right)),
        "first_scope": func.min(scope),
        "last_scope": func.max(scope),
    }
    columns = [column.label(name) for name, column in named.items()]
    wanted = [PROPOSAL.c.tenant_id == tenant, *in_scopes(PROPOSAL, scopes)]
    wanted += [PROPOSAL.c.id >= floor] if floor is not None else []
    return (
        select(PROPOSAL.c.source_agent, PROPOSAL.c.kind, bin_.label("low"), *columns)
        .select_from(PROPOSAL)
        .outerjoin(how, how.c.proposal_id == PROPOSAL.c.id)
        .outerjoin(back, back.c.proposal_id == PROPOSAL.c.id)
        .where(*wanted)
        .group_by(PROPOSAL.c.source_agent, PROPOSAL.c.kind, bin_)
    )


def _number(condition: Any) -> Any:
    return func.sum(case((condition, 1), else_=0))


def _bin() -> Any:
    """The lower edge of a proposal's bin; ``_NO_BIN`` where no confidence was stated."""
    edges = [(PROPOSAL.c.confidence >= literal(edge), literal(edge)) for edge in reversed(EDGES)]
    return case((PROPOSAL.c.confidence.is_(None), literal(_NO_BIN)), *edges, else_=literal(EDGES[0]))


def _approvals(tenant: str, floor: str | None) -> Any:
    """By proposal, its newest approval and how that was, as one number. Undo and redo make no approval of their own."""
    same = and_(OPERATION.c.tenant_id == DECISION.c.tenant_id, OPERATION.c.id == DECISION.c.operation_id)
    edited = func.coalesce(OPERATION.c.selection["edited"].as_boolean(), False)
    how = case((BY_RULE, _RULE), (edited, _EDITED), else_=_PLAIN)
    wanted = [DECISION.c.tenant_id == tenant, DECISION.c.to_status == "approved", OPERATION.c.action == "approve"]
    wanted += [DECISION.c.proposal_id >= floor] if floor is not None else []
    newest = func.max(OPERATION.c.seq * _HOW + how).label("newest")
    chosen = select(DECISION.c.proposal_id, newest).join(OPERATION, same).where(*wanted)
    return chosen.group_by(DECISION.c.proposal_id).subquery("how")


def _taken_back(tenant: str, floor: str | None) -> Any:
    """The proposals whose memory was no good after all, by what a person did to it next. What was undone is not."""
    then, after = VERSION.alias("then"), VERSION.alias("after")
    next_one = and_(
        then.c.tenant_id == VERSION.c.tenant_id,
        then.c.memory_id == VERSION.c.memory_id,
        then.c.revision == VERSION.c.revision + 1,
    )
    undone = and_(
        after.c.tenant_id == then.c.tenant_id,
        after.c.memory_id == then.c.memory_id,
        after.c.revision == then.c.revision + 1,
        after.c.action == "undo",
    )
    wanted = [VERSION.c.tenant_id == tenant, VERSION.c.proposal_id.is_not(None), then.c.action.in_(TAKEN_BACK)]
    wanted += [VERSION.c.proposal_id >= floor] if floor is not None else []
    chosen = select(VERSION.c.proposal_id).select_from(VERSION).join(then, next_one).outerjoin(after, undone)
    return chosen.where(*wanted, after.c.memory_id.is_(None)).group_by(VERSION.c.proposal_id).subquery("back")


def _kept(connection: Connection, tenant: str) -> list[Kept]:
    """What every rule has done, whether it still stands in config.toml or not."""
    gone = _taken_back(tenant, None)
    same = and_(VERSION.c.tenant_id == OPERATION.c.tenant_id, VERSION.c.operation_id == OPERATION.c.id)
    proposed = and_(PROPOSAL.c.tenant_id == VERSION.c.tenant_id, PROPOSAL.c.id == VERSION.c.proposal_id)
    lost = (PROPOSAL.c.status != "approved") | gone.c.proposal_id.is_not(None)
    chosen = (
        select(OPERATION.c.reason, func.count().label("approved"), _number(lost).label("taken_back"))
        .select_from(OPERATION)
        .join(VERSION, same)
        .join(PROPOSAL, proposed)
        .outerjoin(gone, gone.c.proposal_id == PROPOSAL.c.id)
        .where(OPERATION.c.tenant_id == tenant, BY_RULE)
        .group_by(OPERATION.c.reason)
    )
    rows = connection.execute(chosen).all()
    return sorted((Kept(rule_in(row.reason) or "", row.approved, row.taken_back) for row in rows), key=lambda k: k.rule)


def _records(rows: Sequence[Any]) -> list[Record]:
    by_place: dict[tuple[str | None, str], list[Any]] = {}
    for row in rows:
        by_place.setdefault((row.source_agent, row.kind), []).append(row)
    return [_record(agent, kind, some) for (agent, kind), some in by_place.items()]


def _record(agent: str | None, kind: str, rows: Sequence[Any]) -> Record:
    total = {
        name: sum(int(getattr(row, name)) for row in rows)
        for name in ("proposed", "waiting", "approved", "edited", "rejected", "taken_back", "by_rule", "rule_back")
    }
    scopes = {scope for row in rows for scope in (row.first_scope, row.last_scope) if scope is not None}
    bins = [
        Bin(
            None if row.low == _NO_BIN else float(row.low),
            int(row.decided),
            int(row.right),
            None if row.stated is None else float(row.stated),
            int(row.plain),
            int(row.plain_right),
        )
        for row in sorted(rows, key=lambda row: float(row.low))
        if row.decided
    ]
    return Record(agent, kind, **total, bins=tuple(bins), scopes=tuple(sorted(scopes)[:2]))


def _by_agent(records: Sequence[Record]) -> list[Record]:
    """Each agent's record for all its kinds, then the kinds; an agent with the most proposals first."""
    grouped: dict[str | None, list[Record]] = {}
    for record in records:
        grouped.setdefault(record.agent, []).append(record)
    whole = {agent: added(some, agent) for agent, some in grouped.items()}
    order = sorted(whole, key=lambda agent: (-whole[agent].proposed, agent or ""))
    return [one for agent in order for one in (whole[agent], *grouped[agent])]
