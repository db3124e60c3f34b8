"""Operations in words for people: "approved style.report_voice", "rejected 4"."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, func, select

from store.by_rule import by_rule, rule_in
from store.entry import GLOBAL, Entry
from store.facts import Operation
from store.models import DecisionRow, OperationRow, ProposalRow, ScopeRow, VersionRow
from store.reading import ERASED, operation_of

DECISION = DecisionRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
SCOPE = ScopeRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]
NAME_LENGTH = 32
"""How much of a text stands for a memory without a key, in characters."""
DONE = {
    "approve": "approved",
    "reject": "rejected",
    "defer": "skipped",
    "place": "placed",
    "withdraw": "withdrew",
    "edit": "edited",
    "delete": "deleted",
    "rollback": "rolled back",
    "expire": "expired",
    "promote": "promoted",
    "retire": "turned down",
    "repoint": "re-pointed",
    "settle": "settled",
    "support": "bore out",
    "move_scope": "moved",
    "rename": "renamed",
    "confirm": "confirmed",
    "affirm": "still true:",
    "date": "set the end of",
    "move": "moved",
    "pin": "pinned",
    "sweep": "archived",
    "erase": "erased",
    "restore": "restored",
    "unpin": "unpinned",
}
TURNED = {"undo": "undid", "redo": "redid"}
_BY_DECISION = {
    "approve": "approved",
    "reject": "rejected",
    "defer": "deferred",
    "withdraw": "withdrawn",
    "place": None,
    "promote": "pending",
}


def title(connection: Connection, tenant: str, operation: Operation) -> str:
    """An operation in a few words. They may hold agents' text: whoever paints them goes through ``visible``."""
    return titled(connection, tenant, *_root(connection, tenant, operation))


def titled(connection: Connection, tenant: str, root: Operation, turns: int) -> str:
    """As ``title``, of an operation that turns ``root`` back and forth ``turns`` times (0: the root itself)."""
    words = f"{DONE.get(root.action, root.action)} {_what(connection, tenant, root)}{_taken_over(root)}"
    if by_rule(root):
        words = f"rule {rule_in(root.reason)} {words}"
    if turns == 0:
        return words
    return f"{TURNED['undo' if turns % 2 else 'redo']}: {words}"


def _taken_over(operation: Operation) -> str:
    """That copies in projects were taken out of use, where what they say holds everywhere from this act on."""
    number = operation.selection.get("taken_over", 0)
    return f", for {number:,} {'copy' if number == 1 else 'copies'} in projects" if number else ""


def name_of(entry: Entry) -> str:
    """What people call an entry: its key, else the beginning of its text in quotation marks."""
    return entry.key or _quoted(entry.content)


def _quoted(content: str) -> str:
    line = " ".join(content.split())
    return f"“{line if len(line) <= NAME_LENGTH else line[: NAME_LENGTH - 1] + '…'}”"


def _root(connection: Connection, tenant: str, operation: Operation) -> tuple[Operation, int]:
    """What an undo or redo is about in the end, and how many turns lie between."""
    turns = 0
    while operation.undoes is not None:
        chosen = select(OPERATION).where(OPERATION.c.tenant_id == tenant, OPERATION.c.id == operation.undoes)
        operation = operation_of(connection.execute(chosen).one())
        turns += 1
    return operation, turns


def _what(connection: Connection, tenant: str, operation: Operation) -> str:
    if operation.action in _BY_DECISION:
        return _of_proposals(connection, tenant, operation, _BY_DECISION[operation.action])
    if operation.action in ("erase", "restore"):
        return "a backup" if operation.action == "restore" else _erased(operation)
    if operation.action in ("support", "affirm"):
        return _borne_out(connection, tenant, operation)
    if operation.action in ("move_scope", "rename", "confirm"):
        return _of_scopes(connection, tenant, operation)
    mine = and_(VERSION.c.tenant_id == tenant, VERSION.c.operation_id == operation.id)
    if "taken_over" in operation.selection:
        mine = and_(mine, VERSION.c.action == operation.action)
    number = connection.execute(select(func.count()).select_from(VERSION).where(mine)).scalar_one()
    if number != 1:
        return f"{number:,}"
    spelled = connection.execute(select(VERSION.c.entry).where(mine)).scalar_one()
    return name_of(Entry.from_json(spelled)) if spelled is not None else ERASED


def _erased(operation: Operation) -> str:
    """How much was erased; what it was nobody can say any more."""
    said = ((operation.selection.get(one, 0), one) for one in ("memories", "proposals"))
    parts = [f"{number:,} {name if number != 1 else _ONE[name]}" for number, name in said if number]
    return f"{' and '.join(parts) or 'a name'} for good"


_ONE = {"memories": "memory", "proposals": "proposal"}


def _borne_out(connection: Connection, tenant: str, operation: Operation) -> str:
    """The memory that a person's evidence is about, as it stands now, and the evidence."""
    said = operation.selection
    newest = select(VERSION.c.entry).where(VERSION.c.tenant_id == tenant, VERSION.c.memory_id == said["memory"])
    spelled = connection.execute(newest.order_by(VERSION.c.revision.desc()).limit(1)).scalar()
    name = name_of(Entry.from_json(spelled)) if spelled is not None else ERASED
    if operation.action == "affirm":
        return name
    ref = said["ref"][:12] if said["kind"] == "commit" else said["ref"]
    return f"{name} by the {said['kind']} {ref}"


def _of_scopes(connection: Connection, tenant: str, operation: Operation) -> str:
    """What was moved and where to, what a scope is called now, or which folder has one now."""
    said = operation.selection
    if operation.action == "rename":
        return f"{said['before'] or said['scope']} to {said['after']}"
    if operation.action == "confirm":
        return f"{said['scope']} for {said['path']}"
    source, target = (_label(connection, tenant, said[end]) for end in ("from", "to"))
    if source == target:  # a clone, or what an agent called it: told apart by what they are compared by
        source, target = said["from"], said["to"]
    return f"{operation.count:,} {'entry' if operation.count == 1 else 'entries'} from {source} to {target}"


def _label(connection: Connection, tenant: str, scope: str) -> str:
    if scope == GLOBAL:
        return "everywhere"
    chosen = select(SCOPE.c.label).where(SCOPE.c.tenant_id == tenant, SCOPE.c.identity == scope)
    return connection.execute(chosen).scalar() or scope


def _of_proposals(connection: Connection, tenant: str, operation: Operation, status: str | None) -> str:
    all_of_it: Any = and_(DECISION.c.tenant_id == tenant, DECISION.c.operation_id == operation.id)
    mine = all_of_it if status is None else and_(all_of_it, DECISION.c.to_status == status)
    number = _count(connection, mine)
    if number != 1:
        return f"{number:,}"
    joined = and_(PROPOSAL.c.tenant_id == DECISION.c.tenant_id, PROPOSAL.c.id == DECISION.c.proposal_id)
    columns = (PROPOSAL.c.id, PROPOSAL.c.op, PROPOSAL.c.key, PROPOSAL.c.content)
    row = connection.execute(select(*columns).select_from(DECISION).join(PROPOSAL, joined).where(mine)).one()
    name = row.key or (_quoted(row.content) if row.content is not None else ERASED)
    if operation.action == "place":
        return name + _where(operation)
    if operation.action != "approve":
        return name
    if operation.selection.get("edited"):
        name = _edited(connection, tenant, operation, row.id) or name
    aside = _count(connection, and_(all_of_it, DECISION.c.to_status == "superseded"))
    others = f", {aside:,} {'other' if aside == 1 else 'others'} set aside" if aside else ""
    return f"{'the removal of ' if row.op == 'remove' else ''}{name}{others}"


def _edited(connection: Connection, tenant: str, operation: Operation, proposal_id: str) -> str | None:
    """What was approved where the person changed it first; None where it was erased."""
    made = and_(VERSION.c.tenant_id == tenant, VERSION.c.operation_id == operation.id)
    chosen = select(VERSION.c.entry).where(made, VERSION.c.proposal_id == proposal_id)
    spelled = connection.execute(chosen).scalar()
    return name_of(Entry.from_json(spelled)) if spelled is not None else None


def _day(at: str) -> str:
    """The day of a stored time, in the person's zone."""
    return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d}"


def _where(operation: Operation) -> str:
    """Where a placement has put the one proposal it is about."""
    moved: dict[str, dict[str, Any]] = operation.selection.get("moved", {})
    after: dict[str, Any] = next((one["after"] for one in moved.values()), {})
    words = ""
    if "scope" in after:
        words += " everywhere" if after["scope"] == GLOBAL else f" in {after['scope']}"
    if "valid_until" in after:
        words += f" until {_day(after['valid_until'])}" if after["valid_until"] else " for good"
    return words


def _count(connection: Connection, condition: Any) -> int:
    number: int = connection.execute(select(func.count()).select_from(DECISION).where(condition)).scalar_one()
    return number
