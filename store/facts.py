"""What the store hands out: frozen values, never ORM objects. Times are aware and in UTC."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from store.entry import Entry

OPEN: tuple[str, ...] = ("draft", "pending", "deferred")
"""The statuses of a proposal that nobody has decided yet."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, and from where: ``surface`` is console, cli, mcp, hook, intake or clock."""

    name: str
    surface: str


@dataclass(frozen=True, slots=True)
class Flag:
    """A warning of design section 5.5: its code, and a detail for people (may be empty)."""

    code: str
    detail: str = ""

    def as_dict(self) -> dict[str, str]:
        """The flag as plain JSON values."""
        return {"code": self.code, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class Memory:
    """An approved entry at one revision."""

    id: str
    entry: Entry
    content_hash: str
    previous_value: str | None
    status: str
    pinned: bool
    revision: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal against the memories as they stand now.

    ``op`` and ``target`` are what approving would do *now*: the stored op re-based on the present (design 5.3).
    ``proposed_op`` is what was asked. ``revision`` counts changes of the proposal row itself (status, placement).
    ``flags`` are the stored ones plus ``stale_base`` where the base has moved on. ``branch`` and ``commit`` (a whole
    hash) are what git had checked out where it was proposed, None where unknown.
    """

    id: str
    op: str
    proposed_op: str
    target: Memory | None
    base_revision: int | None
    entry: Entry
    content_hash: str
    flags: tuple[Flag, ...]
    redaction_version: int
    idempotency_key: str | None
    status: str
    mentions: int
    branch: str | None
    group_id: str
    revision: int
    created_at: datetime
    commit: str | None = None

    def seen(self) -> Seen:
        """The guard a decision on exactly this must carry."""
        target = self.target
        return Seen(
            proposal_id=self.id,
            revision=self.revision,
            content_hash=self.content_hash,
            target_id=target.id if target else None,
            target_revision=target.revision if target else None,
            base=target.entry.content if target else None,
        )


@dataclass(frozen=True, slots=True)
class Seen:
    """What was painted when a person decided: ids, revisions, and the text that the target held (``base``)."""

    proposal_id: str
    revision: int
    content_hash: str
    target_id: str | None
    target_revision: int | None
    base: str | None = None
    group: frozenset[str] | None = None
    """The open proposals of the same group that were painted with it; None where nobody looked."""


@dataclass(frozen=True, slots=True)
class Version:
    """One row of a memory's append-only history. ``entry`` and ``previous_value`` are None once erased."""

    memory_id: str
    revision: int
    status: str
    entry: Entry | None
    previous_value: str | None
    action: str
    operation_id: str
    proposal_id: str | None
    at: datetime
    actor: str
    surface: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One act with one undo, as the log holds it."""

    id: str
    seq: int
    action: str
    actor: str
    surface: str
    reason: str | None
    selection: dict[str, Any]
    count: int
    undoes: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Done:
    """What a decision did, told only after the commit.

    ``title`` names the step in words for people ("approved style.report_voice"); ``memory_ids`` and ``proposal_ids``
    are what it changed; ``left`` names what a batch left alone, with the reason for each.
    """

    operation: Operation
    title: str
    memory_ids: tuple[str, ...] = ()
    proposal_ids: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """An earlier decision against the same text: ``cause`` is rejected, deleted or rolled_back."""

    cause: str
    at: datetime
    reason: str | None
    actor: str


@dataclass(frozen=True, slots=True)
class Detail:
    """Everything the detail pane shows of one proposal."""

    proposal: Proposal
    group: tuple[Proposal, ...]
    versions: tuple[Version, ...]
    sessions: int
    refused_before: Refusal | None = None
    elsewhere: tuple[str, ...] = ()
    """The labels of other projects in which the same preference holds (``store.elsewhere``)."""

    def seen(self) -> Seen:
        """The guard of a decision on what this shows: approving closes the group, so the group is part of it."""
        return replace(self.proposal.seen(), group=frozenset(one.id for one in self.group))


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of the header. ``elsewhere`` waits in scopes outside the view; ``drafts`` are said once."""

    pending: int
    drafts: int
    deferred: int
    elsewhere: int
    memories: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one proposed line (design section 8, "a result out")."""

    line: int
    status: str
    id: str | None = None
    reason: str | None = None
    pending: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """The outcome as plain JSON values, by the names of design section 8."""
        return {"line": self.line, "id": self.id, "status": self.status, "reason": self.reason, "pending": self.pending}


@dataclass(frozen=True, slots=True)
class Broken:
    """The first broken thing that ``verify`` met: what it is, and in which words to tell it."""

    what: str
    where: str
    ids: tuple[str, ...] = field(default=())
