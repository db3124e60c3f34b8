"""What is kept no longer: memories that nobody needed or bore out for long are archived, never deleted.

Days (``store.keeping``) count from when a memory was last changed or borne out, whichever is later; feedback that was
never handed out has its own number, and once it was of use it is kept like a case. Pinned memories, and those with a
date of their own, stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import and_, case, func, or_, select

from store.engine import Store
from store.errors import NoneQualified
from store.expiry import deciding
from store.facts import Actor, Done
from store.keeping import Retention
from store.ledger import Act
from store.models import MemoryRow, OperationRow, UsageRow
from store.reading import chunks
from store.turning import standing
from store.wording import title

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
USAGE = UsageRow.__table__  # type: ignore[attr-defined]
ACTION: Final = "sweep"


@dataclass(frozen=True, slots=True)
class Due:
    """A memory that is kept no longer: its revision now, and when it was last changed or borne out."""

    id: str
    revision: int
    kind: str
    scope: str
    key: str | None
    content: str
    last: datetime
    uses: int


def due(store: Store, retention: Retention, *, scope: str | None = None) -> list[Due]:
    """The active memories that are kept no longer, by kind and then the longest untouched first; nothing is changed."""
    verified = func.coalesce(USAGE.c.last_verified, MEMORY.c.updated_at)
    last = case((verified > MEMORY.c.updated_at, verified), else_=MEMORY.c.updated_at)
    used = func.coalesce(USAGE.c.uses, 0)
    rules = _rules(retention, store.now(), last, used)
    if not rules:
        return []
    of = and_(USAGE.c.tenant_id == MEMORY.c.tenant_id, USAGE.c.memory_id == MEMORY.c.id)
    columns = [MEMORY.c[name] for name in ("id", "revision", "kind", "scope", "key", "content")]
    chosen = (
        select(*columns, MEMORY.c.updated_at, USAGE.c.last_verified, used.label("uses"))
        .select_from(MEMORY.outerjoin(USAGE, of))
        .where(
            MEMORY.c.tenant_id == store.tenant,
            MEMORY.c.status == "active",
            MEMORY.c.content.is_not(None),
            MEMORY.c.valid_until.is_(None),
            MEMORY.c.pinned.is_(False),
            or_(*rules),
            *([] if scope is None else [MEMORY.c.scope == scope]),
        )
        .order_by(MEMORY.c.kind, MEMORY.c.updated_at, MEMORY.c.id)
    )
    with store.read() as connection:
        return [_due(row) for row in connection.execute(chosen)]


def swept_before(store: Store) -> bool:
    """Whether anything was ever swept here: before that a person looks at it first."""
    chosen = select(OPERATION.c.id).where(OPERATION.c.tenant_id == store.tenant, OPERATION.c.action == ACTION)
    with store.read() as connection:
        return connection.scalar(chosen.limit(1)) is not None


def sweep(store: Store, found: list[Due], *, by: Actor) -> Done:
    """Archive these memories, as they were previewed, as one operation with one undo; never is anything deleted.

    What has changed since the preview is left alone and named. Raises NoneQualified where nothing is left to do.
    """
    left: list[tuple[str, str]] = []
    done: list[str] = []
    with deciding(store) as connection:
        act = Act(store, connection, by, ACTION, selection={"batch": len(found)})
        for part in chunks(found, 500):
            now = standing(connection, store.tenant, [one.id for one in part])
            for one in part:
                held = now.get(one.id)
                if held is None or held.status != "active" or held.revision != one.revision or held.entry is None:
                    left.append((one.id, "it has changed since it was shown"))
                    continue
                act.turn(held, "archived")
                done.append(one.id)
        if act.empty:
            raise NoneQualified(f"None of the {len(left):,} could be archived.", left=tuple(left))
        operation = act.commit()
        return Done(operation, title(connection, store.tenant, operation), memory_ids=tuple(done), left=tuple(left))


def _rules(retention: Retention, now: datetime, last: Any, used: Any) -> list[Any]:
    def untouched(days: int) -> Any:
        return last < now - timedelta(days=days)

    rules = []
    for kind, days in retention.days.items():
        if days is None:
            continue
        if kind != "feedback":
            rules.append(and_(MEMORY.c.kind == kind, untouched(days)))
            continue
        rules.append(and_(MEMORY.c.kind == kind, used == 0, untouched(days)))
        if retention.used_feedback is not None:
            rules.append(and_(MEMORY.c.kind == kind, used > 0, untouched(retention.used_feedback)))
    return rules


def _due(row: Any) -> Due:
    last = max(row.updated_at, row.last_verified or row.updated_at)
    return Due(row.id, row.revision, row.kind, row.scope, row.key, row.content, last, row.uses)
