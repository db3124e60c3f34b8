"""What became of proposals: the tool ``proposal_status``. Only proposals for the caller's project or for everywhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Select, and_, func, select

from store import spool
from store.agents.answers import GLIMPSE, Answer, cut, refused, said
from store.agents.calling import Call
from store.agents.proposing import waiting
from store.case import day
from store.conditions import unindexed
from store.engine import Store
from store.models import DecisionRow
from store.reading import OPERATION, PROPOSAL, VERSION
from store.triage import WAITS_FOLDED

DECISION: Final = DecisionRow.__table__  # type: ignore[attr-defined]
MOST: Final = 10
_TOKEN: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f-]{4,35}")
_OPEN: Final = {
    "draft": WAITS_FOLDED,
    "pending": "waits for a person's review",
    "deferred": "seen by a person and put off: still waits",
}
_DECIDED: Final = {
    "approved": "approved",
    "rejected": "turned down",
    "superseded": "set aside, another proposal for the same was approved",
    "withdrawn": "withdrawn",
}


def proposal_status(call: Call, arguments: Mapping[str, Any]) -> Answer:
    """One proposal by its id, or the newest of this session."""
    others = [name for name, value in arguments.items() if name != "id" and value is not None]
    token = arguments.get("id")
    if others or not isinstance(token, str | None):
        return refused("Give the id of a proposal, or nothing for those of this session.")
    asked = (token or "").strip().lower()
    if asked and not _TOKEN.fullmatch(asked):
        return refused("An id is what proposing answered, or its last characters, four or more.")
    with call.reading() as store:
        found = [] if store is None else _read(store, call, asked)
    if len(found) > 1 and asked:
        return refused(f"{len(found)} proposals or more end with {asked}: give more of the id.")
    if not found and asked and (spooled := _in_spool(call, asked)) is not None:
        words = "safe on this machine, and taken in by whatever opens the store next"
        found = [{"id": spooled, "status": "spooled", "words": words}]
    pending = waiting(call)
    return Answer({"proposals": found, **said(pending=pending, message=_message(call, asked, found, pending))})


def _message(call: Call, asked: str, found: Sequence[Mapping[str, Any]], pending: int | None) -> str:
    if asked:
        first = str(found[0]["words"]) if found else "No proposal of this project, or of everywhere, has this id"
    elif call.caller.session_id is None:
        first = "Which session this is cannot be told: give the id of a proposal"
    else:
        first = f"{len(found)} of this session" if found else "This session has proposed nothing"
    there = "" if pending is None else f" {pending:,} {'waits' if pending == 1 else 'wait'} for review in `meminbox`."
    return f"{first[:1].upper()}{first[1:]}.{there}"


def memory_of(store: Store, call: Call, token: str) -> str | None:
    """The memory that a proposal became, by the proposal's id: that is what its agent was told. None where none did."""
    asked = token.strip().lower()
    if not _TOKEN.fullmatch(asked):
        return None
    with store.read() as connection:
        rows = connection.execute(_named(_here(store, call), asked).limit(2)).all()
        return _became(store, connection, rows[0].id) if len(rows) == 1 else None


def _here(store: Store, call: Call) -> Select[Any]:
    return select(PROPOSAL).where(PROPOSAL.c.tenant_id == store.tenant, PROPOSAL.c.scope.in_(call.scopes))


def _named(chosen: Select[Any], asked: str) -> Select[Any]:
    if len(asked) == 36:
        return chosen.where(PROPOSAL.c.id == asked)
    return chosen.where(func.substr(PROPOSAL.c.id, 37 - len(asked)) == asked)


def _read(store: Store, call: Call, asked: str) -> list[dict[str, Any]]:
    chosen = _here(store, call)
    if asked:
        chosen = _named(chosen, asked)
    elif call.caller.session_id is not None:
        chosen = chosen.where(PROPOSAL.c.session_id == call.caller.session_id)
    else:
        return []
    with store.read() as connection:
        rows = connection.execute(chosen.order_by(unindexed(PROPOSAL.c.id).desc()).limit(MOST)).all()
        return [_told(store, connection, row, call) for row in rows]


def _told(store: Store, connection: Connection, row: Any, call: Call) -> dict[str, Any]:
    # What nobody has approved is told only to the session that said it.
    own = row.session_id is not None and row.session_id == call.caller.session_id
    content = cut(" ".join(row.content.split()), GLIMPSE)[0] if own and row.content is not None else None
    memory = _became(store, connection, row.id) if row.status == "approved" else None
    words = _OPEN.get(row.status) or _decided(store, connection, row)
    return said(id=row.id, status=row.status, words=words, key=row.key if own else None, content=content, memory=memory)


def _decided(store: Store, connection: Connection, row: Any) -> str:
    """What was decided, when, by whom and why: "turned down on 3 Nov by mia: too vague"."""
    joined = and_(OPERATION.c.tenant_id == DECISION.c.tenant_id, OPERATION.c.id == DECISION.c.operation_id)
    chosen = (
        select(OPERATION.c.at, OPERATION.c.actor, func.coalesce(DECISION.c.reason, OPERATION.c.reason).label("reason"))
        .select_from(DECISION)
        .join(OPERATION, joined)
        .where(
            DECISION.c.tenant_id == store.tenant,
            DECISION.c.proposal_id == row.id,
            DECISION.c.to_status == row.status,
        )
        .order_by((OPERATION.c.seq + 0).desc())
        .limit(1)
    )
    words = _DECIDED.get(str(row.status), str(row.status))
    found = connection.execute(chosen).first()
    if found is None:
        return words
    told = f"{words} on {day(found.at, store.now())} by {found.actor}"
    return f"{told}: {cut(found.reason, 300)[0]}" if found.reason else told


def _became(store: Store, connection: Connection, proposal_id: str) -> str | None:
    chosen = select(VERSION.c.memory_id).where(
        VERSION.c.tenant_id == store.tenant, VERSION.c.proposal_id == proposal_id
    )
    found: str | None = connection.execute(chosen.limit(1)).scalar()
    return found


def _in_spool(call: Call, asked: str) -> str | None:
    """The id of one that is not in the store yet: its lines are few, and gone as soon as the store can be opened."""
    for file in spool.files(call.location.spool)[-50:]:
        try:
            for line in spool.read(file):
                if line.id.endswith(asked) and (line.raw.scope or line.context.scope) in call.scopes:
                    return line.id
        except (spool.SpoolGone, spool.SpoolDamaged):
            continue
    return None
