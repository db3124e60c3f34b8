"""A ``Filter`` as SQL conditions on memories, and on proposals re-based on the present like ``reading.present``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Exists,
    Select,
    Text,
    and_,
    cast,
    exists,
    false,
    literal_column,
    not_,
    or_,
    select,
    true,
)

from store.by_rule import BY_RULE, reason_of
from store.dialects.expressions import aside, contains, flagged
from store.entry import GLOBAL
from store.filters import ANY, ANY_RULE, Filter, Term
from store.models import DecisionRow, ScopeRow
from store.reading import MEMORY, OPERATION, PROPOSAL, VERSION

SCOPE = ScopeRow.__table__  # type: ignore[attr-defined]
DECISION = DecisionRow.__table__  # type: ignore[attr-defined]
Condition = ColumnElement[bool]

_COMPARE: Final[dict[str, Callable[[Any, Any], Condition]]] = {
    "=": lambda column, value: column == value,
    "<": lambda column, value: column < value,
    "<=": lambda column, value: column <= value,
    ">": lambda column, value: column > value,
    ">=": lambda column, value: column >= value,
}
_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def in_scopes(table: Any, scopes: Sequence[str] | None) -> list[Condition]:
    """The rows of a view: these scopes and no other; None means everywhere."""
    return [] if scopes is None else [table.c.scope.in_(list(scopes))]


def unindexed(column: Any) -> Any:
    """A text column as an expression that no index serves.

    A planner without statistics likes any index that saves a sort or fits one equality, and walks all that a tenant
    has; this leaves it the index that is meant.
    """
    return aside(column)


def on_proposals(
    flt: Filter, tenant: str, now: datetime, *, answered: tuple[Sequence[str], Sequence[str]] = ((), ())
) -> list[Condition]:
    """Conditions on ``proposal``. ``changed`` is when it arrived: a proposal itself does not change.

    ``answered`` are the ids whose ``maybe_secret`` readers drop, and those among them without another flag.
    """
    found = [_on_proposal(term, tenant, now) for term in flt.terms]
    return [_as_shown(condition, term, *answered) for condition, term in zip(found, flt.terms, strict=True)]


def on_memories(flt: Filter, tenant: str, now: datetime) -> list[Condition]:
    """Conditions on ``memory``; texts and likeness apart, which are looked up. No memory has a flag or an op."""
    return [_on_memory(term, tenant, now) for term in flt.terms if term.field not in ("text", "like")]


def _as_shown(condition: Condition, term: Term, whole: Sequence[str], bare: Sequence[str]) -> Condition:
    """A condition on a flag, for what the readers show without ``maybe_secret``."""
    if term.field != "flag" or not whole:
        return condition
    if term.value == "maybe_secret":
        return and_(condition, PROPOSAL.c.id.not_in(list(whole)))
    plain = and_(PROPOSAL.c.id.in_(list(bare)), not_(stale_base()))
    if term.value == ANY:
        return and_(condition, not_(plain))
    return or_(condition, plain) if term.value is None else condition


def _on_proposal(term: Term, tenant: str, now: datetime) -> Condition:
    if term.field == "auto":
        return _ruled(_decided_by_rule(term, tenant), term)
    if term.field == "flag" and term.value is None:
        return not_(_flagged_at_all())
    if term.field == "flag" and term.value == ANY:
        return _flagged_at_all()
    if term.field == "flag":
        return stale_base() if term.value == "stale_base" else flagged(PROPOSAL.c.flags, str(term.value))
    if term.field == "op":
        return _op(str(term.value))
    if term.field == "pinned":
        return false() if term.value == "yes" else true()
    if term.field == "like":
        return and_(*(_holds(PROPOSAL, word) for word in str(term.value).split()))
    if term.field in ("text", "contains"):
        return _holds(PROPOSAL, str(term.value))
    return _on_entry(PROPOSAL, term, tenant, now, changed=PROPOSAL.c.created_at)


def _holds(table: Any, text: str) -> Condition:
    """Whether a text stands in the content, the key or the aliases."""
    return or_(*(contains(column, text) for column in (table.c.content, table.c.key, cast(table.c.aliases, Text))))


def _flagged_at_all() -> Condition:
    return or_(cast(PROPOSAL.c.flags, Text) != "[]", stale_base())


def _on_memory(term: Term, tenant: str, now: datetime) -> Condition:
    if term.field in ("flag", "op"):
        return false()
    if term.field == "pinned":
        return MEMORY.c.pinned.is_(term.value == "yes")  # type: ignore[no-any-return]
    if term.field == "contains":
        return _holds(MEMORY, str(term.value))
    if term.field == "auto":
        return _ruled(_made_by_rule(term, tenant), term)
    return _on_entry(MEMORY, term, tenant, now, changed=MEMORY.c.updated_at)


def _ruled(condition: Condition, term: Term) -> Condition:
    return condition if term.value is not None else not_(condition)


def _made_by_rule(term: Term, tenant: str) -> Condition:
    """That a memory still is as a rule made it.

    From what rules did to what came of it, once: looked up memory by memory it costs two look-ups for each there is.
    """
    still = MEMORY.alias("still")
    same = and_(
        still.c.tenant_id == VERSION.c.tenant_id,
        still.c.id == VERSION.c.memory_id,
        still.c.revision == VERSION.c.revision,
    )
    made = select(VERSION.c.memory_id).select_from(VERSION).join(still, same)
    ruled = VERSION.c.operation_id.in_(_by_rules(term, tenant))
    return MEMORY.c.id.in_(made.where(VERSION.c.tenant_id == tenant, ruled))  # type: ignore[no-any-return]


def _decided_by_rule(term: Term, tenant: str) -> Condition:
    """That a rule approved a proposal once, whatever became of that."""
    ruled = DECISION.c.operation_id.in_(_by_rules(term, tenant))
    return PROPOSAL.c.id.in_(select(DECISION.c.proposal_id).where(DECISION.c.tenant_id == tenant, ruled))  # type: ignore[no-any-return]


def _by_rules(term: Term, tenant: str) -> Select[Any]:
    """The operations by which a rule, or this one, approved."""
    named = [] if term.value in (None, ANY_RULE) else [OPERATION.c.reason == reason_of(str(term.value))]
    return select(OPERATION.c.id).where(OPERATION.c.tenant_id == tenant, BY_RULE, *named)


def _on_entry(table: Any, term: Term, tenant: str, now: datetime, *, changed: Any) -> Condition:
    columns = {
        "conf": table.c.confidence,
        "agent": table.c.source_agent,
        "kind": table.c.kind,
        "scope": table.c.scope,
        "session": table.c.session_id,
        "source": table.c.source,
        "age": table.c.created_at,
        "changed": changed,
    }
    column = columns[term.field]
    if term.value is None:
        return column.is_(None)  # type: ignore[no-any-return]
    if isinstance(term.value, timedelta):
        return _COMPARE[_TURNED[term.comparison]](column, now - term.value)
    if isinstance(term.value, float):
        return _COMPARE[term.comparison](column, term.value)
    if term.field in ("kind", "source"):
        return column == term.value  # type: ignore[no-any-return]
    return _scope(column, term.value, tenant) if term.field == "scope" else contains(column, term.value)


def _scope(column: Any, value: str, tenant: str) -> Condition:
    """A scope by part of its identity or of the label that people see; ``global`` is itself only."""
    if value.lower() == GLOBAL:
        return column == GLOBAL  # type: ignore[no-any-return]
    labelled = select(SCOPE.c.identity).where(SCOPE.c.tenant_id == tenant, contains(SCOPE.c.label, value))
    return or_(contains(column, value), column.in_(labelled))


def _target_by_id(*, moved: bool = False) -> Exists:
    found = MEMORY.alias("target_by_id")
    named = and_(
        found.c.tenant_id == PROPOSAL.c.tenant_id, found.c.id == PROPOSAL.c.target_id, found.c.status == "active"
    )
    return exists(select(1).select_from(found).where(named, *_moved(found, moved)).correlate(PROPOSAL))


def _holder_of_key(*, moved: bool = False) -> Exists:
    found = MEMORY.alias("target_by_key")
    named = and_(
        found.c.tenant_id == PROPOSAL.c.tenant_id,
        found.c.scope == PROPOSAL.c.scope,
        found.c.key == PROPOSAL.c.key,
        found.c.key.is_not(None),
        found.c.status == literal_column("'active'"),  # as in reading.HOLDS_KEY
    )
    return exists(select(1).select_from(found).where(named, *_moved(found, moved)).correlate(PROPOSAL))


def _moved(target: Any, asked: bool) -> list[Condition]:
    """That the target is at another revision than the base, and says something else than it said there."""
    if not asked:
        return []
    then, now = VERSION.alias("then"), VERSION.alias("now")
    same = and_(
        then.c.tenant_id == target.c.tenant_id,
        then.c.memory_id == target.c.id,
        then.c.revision == PROPOSAL.c.base_revision,
        now.c.tenant_id == target.c.tenant_id,
        now.c.memory_id == target.c.id,
        now.c.revision == target.c.revision,
        then.c.entry == now.c.entry,
    )
    again = exists(select(1).select_from(then).join(now, true()).where(same).correlate(PROPOSAL, target))
    return [target.c.revision != PROPOSAL.c.base_revision, not_(again)]


def _op(asked: str) -> Condition:
    """What approving would do now: an update where a target stands, else an addition; a removal stays one."""
    if asked == "remove":
        return PROPOSAL.c.op == "remove"  # type: ignore[no-any-return]
    named, keyed = PROPOSAL.c.target_id.is_not(None), PROPOSAL.c.key.is_not(None)
    has_target = or_(and_(named, _target_by_id()), and_(keyed, _holder_of_key()))
    return and_(PROPOSAL.c.op != "remove", has_target if asked == "update" else not_(has_target))


def stale_base() -> Condition:
    """The SQL of ``reading.proposal_of``'s ``stale_base``: the base of an open proposal has moved on or is gone."""
    named = PROPOSAL.c.target_id.is_not(None)
    gone = and_(named, not_(_target_by_id()))
    based = PROPOSAL.c.base_revision.is_not(None)
    key_was_given = and_(not_(based), or_(and_(named, _target_by_id()), and_(not_(named), _holder_of_key())))
    moved = and_(based, or_(and_(named, _target_by_id(moved=True)), and_(not_(named), _holder_of_key(moved=True))))
    return and_(PROPOSAL.c.status.in_(("draft", "pending", "deferred")), or_(gone, key_was_given, moved))
