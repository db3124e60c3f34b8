"""Approval by the person's own rules, at intake: additions that nothing at all speaks against (design section 5.7).

A rule (``store.policy``) only says whose proposals need no look. Whatever else there is to see about one keeps it for
the person: a flag, a key that is taken or was proposed before, a text that was a memory once, something like it that
is known or was turned away, more than ``MOST`` at a time. Each approval is an operation of its own, by the actor
``policy``, with the rule in its reason; undoing it puts the proposal back, and no rule takes it up again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, and_, func, select

from store.approval import Approval
from store.by_rule import BY_RULE, POLICY, reason_of, rule_in
from store.conditions import in_scopes
from store.cues import hints, same_subject
from store.engine import Store
from store.entry import GLOBAL, KEY_GRAMMAR, fingerprint
from store.errors import Conflict
from store.facts import Proposal
from store.guards import Item, load
from store.ledger import Act
from store.models import MemoryRow, OperationRow, ProposalRow, VersionRow
from store.policy import Rule, Rules
from store.reading import active_with_keys, chunks
from store.similar import FLOOR_BY_WORDS, RESEMBLES_BY_WORDS, similar
from store.support import carry

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]
MOST: Final = 20
"""Proposals of one batch that rules are asked about: a flood is nobody's routine, and each is looked at closely, under
the write lock."""


@dataclass(frozen=True, slots=True)
class Approved:
    """An approval by a rule: its operation, which memory it made, and the rule's name."""

    operation_id: str
    memory_id: str
    rule: str


def approve(store: Store, connection: Connection, ids: Sequence[str], rules: Rules) -> dict[str, Approved]:
    """Approve what a rule covers and nothing speaks against, in the caller's write transaction; by proposal id.

    ``ids`` are proposals that this transaction has brought into the queue. What is not approved stays there.
    """
    if not rules or not ids:
        return {}
    found = load(connection, store.tenant, list(ids))
    covered = [(found[one], rule) for one in ids if one in found and (rule := _covering(found[one], rules)) is not None]
    held = _held(store, connection, [item for item, _ in covered])
    done: dict[str, Approved] = {}
    texts: list[str] = []
    for item, rule in [one for one in covered if one[0].id not in held][:MOST]:
        if _resembles(store, item.proposal, texts):
            continue
        made = _approve(store, connection, item, rule)
        if made is not None:
            done[item.id] = made
            texts.append(item.proposal.entry.content)
    return done


def _resembles(store: Store, proposal: Proposal, texts: Sequence[str]) -> bool:
    """Whether something like it is known, was decided against, or was approved in this batch (``texts``).

    By words alone, so that it costs little and depends on no encoder: nearly the same, or about the same thing with
    another value, number or negation.
    """
    content = proposal.entry.content
    for text in texts:
        score = same_subject(text, content, None)
        if score >= RESEMBLES_BY_WORDS or (score >= FLOOR_BY_WORDS and hints(text, content)):
            return True
    found = similar(store, proposal, scopes=(proposal.entry.scope, GLOBAL))
    near = any(one.hints or one.same_key or one.score >= RESEMBLES_BY_WORDS for one in found.items)
    return near or bool(found.refused or found.retired)


def _covering(item: Item, rules: Rules) -> Rule | None:
    """The rule for a proposal that waits, adds, and has no flag of any kind."""
    proposal = item.proposal
    plain = proposal.status == "pending" and proposal.op == proposal.proposed_op == "add" and not proposal.flags
    return rules.for_entry(proposal.entry) if plain and proposal.target is None else None


def _held(store: Store, connection: Connection, items: Sequence[Item]) -> set[str]:
    """Those that a person must see all the same: for what stands, stood or was proposed before."""
    crowded = _crowded(connection, store.tenant, {item.proposal.group_id for item in items})
    once = _said_once(connection, store.tenant, {_mark(item) for item in items})
    named = active_with_keys(connection, store.tenant, {place for item in items for place in _aliases(item)})
    return {
        item.id
        for item in items
        if item.proposal.group_id in crowded or _mark(item) in once or any(one in named for one in _aliases(item))
    }


def _aliases(item: Item) -> list[tuple[str, str]]:
    """The names beside its key, as places of keys: under another memory's key it would be found before that one."""
    entry = item.proposal.entry
    return [(entry.scope, name) for alias in entry.aliases if KEY_GRAMMAR.fullmatch(name := alias.lower())]


def _mark(item: Item) -> str:
    return fingerprint(item.proposal.entry.scope, "add", item.proposal.entry.content)


def _crowded(connection: Connection, tenant: str, groups: Iterable[str]) -> set[str]:
    """The groups in which anything else was ever proposed: a key that a person has met before is the person's."""
    found: set[str] = set()
    for part in chunks(sorted(groups)):
        chosen = (
            select(PROPOSAL.c.group_id)
            .where(PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.group_id.in_(part))
            .group_by(PROPOSAL.c.group_id)
            .having(func.count() > 1)
        )
        found.update(row.group_id for row in connection.execute(chosen))
    return found


def _said_once(connection: Connection, tenant: str, marks: Iterable[str]) -> set[str]:
    """The texts that were memories or proposals before, whatever became of them: no rule puts back what was taken out.

    A proposal itself stands among those with its mark, so there only a second one counts.
    """
    found: set[str] = set()
    for part in chunks(sorted(marks)):
        held = select(MEMORY.c.fingerprint).where(MEMORY.c.tenant_id == tenant, MEMORY.c.fingerprint.in_(part))
        said = (
            select(PROPOSAL.c.fingerprint)
            .where(PROPOSAL.c.tenant_id == tenant, PROPOSAL.c.fingerprint.in_(part))
            .group_by(PROPOSAL.c.fingerprint)
            .having(func.count() > 1)
        )
        found.update(row.fingerprint for chosen in (held, said) for row in connection.execute(chosen))
    return found


def _approve(store: Store, connection: Connection, item: Item, rule: Rule) -> Approved | None:
    act = Act(store, connection, POLICY, "approve", reason=reason_of(rule.name), selection={"rule": rule.name})
    try:
        memory = Approval(act, [(item, None)]).stage(item)
    except Conflict:
        return None
    operation = act.commit()
    carry(connection, store.tenant, operation)
    return Approved(operation.id, memory.id, rule.name)


# -- what rules have approved, for a person to look through


@dataclass(frozen=True, slots=True)
class Step:
    """One approval by a rule, as the log holds it. ``key`` and ``content`` are the memory's present ones.

    ``stands``: the memory is still just as the rule approved it; else a person has changed it or taken it back.
    """

    operation_id: str
    at: datetime
    rule: str
    proposal_id: str
    memory_id: str
    agent: str | None
    kind: str
    scope: str
    key: str | None
    content: str | None
    stands: bool


def steps(
    store: Store, *, rule: str | None = None, scopes: tuple[str, ...] | None = None, limit: int = 50
) -> list[Step]:
    """The newest approvals by rules (or by one) in these scopes (None: everywhere), newest first."""
    chosen = (
        select(
            OPERATION.c.id.label("operation_id"),
            OPERATION.c.at,
            OPERATION.c.reason,
            VERSION.c.proposal_id,
            VERSION.c.memory_id,
            VERSION.c.revision.label("made"),
            MEMORY.c.revision,
            MEMORY.c.source_agent,
            MEMORY.c.kind,
            MEMORY.c.scope,
            MEMORY.c.key,
            MEMORY.c.content,
        )
        .select_from(OPERATION)
        .join(VERSION, and_(VERSION.c.tenant_id == OPERATION.c.tenant_id, VERSION.c.operation_id == OPERATION.c.id))
        .join(MEMORY, and_(MEMORY.c.tenant_id == VERSION.c.tenant_id, MEMORY.c.id == VERSION.c.memory_id))
        .where(OPERATION.c.tenant_id == store.tenant, BY_RULE, *in_scopes(MEMORY, scopes))
        .order_by(OPERATION.c.seq.desc())
        .limit(limit)
    )
    if rule is not None:
        chosen = chosen.where(OPERATION.c.reason == reason_of(rule))
    with store.read() as connection:
        return [_step(row) for row in connection.execute(chosen)]


def _step(row: Any) -> Step:
    return Step(
        operation_id=row.operation_id,
        at=row.at,
        rule=rule_in(row.reason) or "",
        proposal_id=row.proposal_id,
        memory_id=row.memory_id,
        agent=row.source_agent,
        kind=row.kind,
        scope=row.scope,
        key=row.key,
        content=row.content,
        stands=row.revision == row.made,
    )
