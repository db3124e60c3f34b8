"""How the log knows what a rule of the person's has approved: by its actor, and the rule by its reason."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import and_, select

from store.engine import Store
from store.facts import Actor, Memory
from store.models import OperationRow, VersionRow

OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]
POLICY: Final = Actor("policy", "intake")
"""Who approves by a rule. An agent may call itself that, but no agent acts in an approval."""
BY_RULE: Final = and_(
    OPERATION.c.actor == POLICY.name, OPERATION.c.surface == POLICY.surface, OPERATION.c.action == "approve"
)
"""The operations that are approvals by a rule."""
_REASON: Final = "rule "


def by_rule(operation: Any) -> bool:
    """Whether an operation, or its row, is an approval by a rule."""
    actor = (operation.actor, operation.surface)
    return actor == (POLICY.name, POLICY.surface) and operation.action == "approve"


def reason_of(rule: str) -> str:
    """The reason that the log holds for a rule's approvals."""
    return _REASON + rule


def rule_in(reason: str | None) -> str | None:
    """The rule that a reason names, or None."""
    return reason.removeprefix(_REASON) if reason is not None and reason.startswith(_REASON) else None


def rule_of(store: Store, memory: Memory) -> str | None:
    """The rule that approved a memory as it stands now; None where a person made it what it is."""
    same = and_(OPERATION.c.tenant_id == VERSION.c.tenant_id, OPERATION.c.id == VERSION.c.operation_id)
    chosen = (
        select(OPERATION.c.reason)
        .select_from(VERSION)
        .join(OPERATION, same)
        .where(VERSION.c.tenant_id == store.tenant, VERSION.c.memory_id == memory.id)
        .where(VERSION.c.revision == memory.revision, BY_RULE)
    )
    with store.read() as connection:
        return rule_in(connection.execute(chosen).scalar())
