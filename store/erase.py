"""Erasure: the texts of memories and proposals go, in one transaction; that something stood there stays in the log.

What goes: the content, the value before, the key and aliases, the paths, the evidence and sources of the memory and of
every proposal it came from, that was about it, or that said exactly the same in the same scope; the canonical entry and
the salt of all its versions; its words in the search index; vectors; support; answers kept for callers. What stays:
ids, times, statuses, who decided, the reasons that people typed, and a fingerprint of each text, so that the same text
proposed again is known for turned down. With a whole scope its label and its folder go, too; what it is compared by,
its identity, stays.

An erased memory has the status ``deleted``. There is no undo. The files are cleaned by ``store.erasing``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, Table, delete, insert, select, update

from store import erase_names, search_index
from store.dialects.expressions import json_text
from store.engine import Store
from store.entry import Entry, fingerprint
from store.erased import Ids
from store.errors import NotFound
from store.expiry import deciding
from store.facts import OPEN, Actor, Operation
from store.ledger import Act
from store.models import (
    EmbeddingRow,
    MemoryRow,
    ProposalRow,
    SettingRow,
    SupportRow,
    VersionRow,
)
from store.reading import ERASED, chunks, memory_of
from store.turning import standing

MEMORY: Table = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL: Table = ProposalRow.__table__  # type: ignore[attr-defined]
VERSION: Table = VersionRow.__table__  # type: ignore[attr-defined]
EMBEDDING: Table = EmbeddingRow.__table__  # type: ignore[attr-defined]
SUPPORT: Table = SupportRow.__table__  # type: ignore[attr-defined]
SETTING: Table = SettingRow.__table__  # type: ignore[attr-defined]
PENDING: Final = "erasing:"
"""How the settings begin that tell of an erasure whose files are not clean yet."""
_ENTRY: Final[dict[str, Any]] = {
    "content": None, "key": None, "aliases": [], "paths": [], "source": "unknown", "source_agent": None,
    "session_id": None, "source_ref": None, "evidence": None, "confidence": None, "valid_until": None,
    "content_hash": "", "fingerprint": "",
}  # fmt: skip
_MANY: Final = 200
"""Texts above which every answer kept for a caller goes, unread: a retry is then asked anew."""
_TEXTS: Final = ("content", "previous_value", "evidence", "source_ref", "key", "aliases", "paths")


@dataclass(frozen=True, slots=True)
class Extent:
    """What an erasure would take: the memories and proposals that have a text, and the texts (for the proof)."""

    ids: Ids
    texts: frozenset[str] = field(default_factory=frozenset, repr=False)
    versions: int = 0
    open: int = 0
    """How many of the proposals still wait."""


def extent_of(store: Store, ids: Ids) -> Extent:
    """The extent of these memories and proposals: with them go the proposals that each memory came from or that were
    about it, the memories that a proposal became, and what said the same in the same scope. Those without a text any
    more are left out."""
    with store.read() as connection:
        return _extent(connection, store.tenant, ids)


def one(store: Store, what: str, found: str) -> Extent:
    """The extent of one memory or proposal (``what``) with the id ``found``. Raises NotFound."""
    table = MEMORY if what == "memory" else PROPOSAL
    with store.read() as connection:
        there = connection.scalar(select(table.c.id).where(table.c.tenant_id == store.tenant, table.c.id == found))
        if there is None:
            raise NotFound(f"There is no {what} {found}.")
        ids = Ids(memories=frozenset((found,))) if what == "memory" else Ids(proposals=frozenset((found,)))
        return _extent(connection, store.tenant, ids)


def of_scope(store: Store, scope: str | None) -> Extent:
    """The extent of all that one scope holds, or (None) of everything."""
    with store.read() as connection:
        memories, proposals = (
            frozenset(
                connection.scalars(
                    select(table.c.id).where(
                        table.c.tenant_id == store.tenant, *([] if scope is None else [table.c.scope == scope])
                    )
                )
            )
            for table in (MEMORY, PROPOSAL)
        )
        names = frozenset((scope,)) if scope is not None else erase_names.all_of(connection, store.tenant)
        return _extent(connection, store.tenant, Ids(memories, proposals, names))


def blank(store: Store, extent: Extent, *, by: Actor) -> Operation:
    """Take the texts away, in one transaction and one operation; what has moved on meanwhile goes as it now stands.

    From the commit on no reader finds them. Until ``erasing.finish`` has cleaned the files, the setting ``erasing:``
    names what is unfinished. Raises StoreTrouble; nothing was changed then.
    """
    tenant = store.tenant
    with deciding(store) as connection:
        now = _extent(connection, tenant, extent.ids)
        memories, proposals = sorted(now.ids.memories), sorted(now.ids.proposals)
        numbers = {"memories": len(memories), "proposals": len(proposals)}
        act = Act(store, connection, by, "erase", selection=numbers)
        _put_out_of_use(act, memories)
        _turn_down(act, connection, tenant, memories, proposals)
        operation = act.commit()
        _blank_rows(connection, tenant, memories, proposals)
        _forget_beside(connection, tenant, now)
        erase_names.forget(connection, tenant, now.ids.scopes)
        row = {"tenant_id": tenant, "name": f"{PENDING}{operation.id}", "value": now.ids.as_json(), "at": act.at}
        connection.execute(insert(SETTING), [row])
    return operation


def unfinished(store: Store) -> dict[str, Ids]:
    """By setting, the erasures whose files are not clean yet."""
    with store.read() as connection:
        chosen = select(SETTING.c.name, SETTING.c.value).where(
            SETTING.c.tenant_id == store.tenant, SETTING.c.name.startswith(PENDING)
        )
        return {row.name: Ids.read(row.value) for row in connection.execute(chosen)}


def finished(store: Store, names: Iterable[str]) -> None:
    """The files of these erasures are clean."""
    with store.write() as connection:
        for part in chunks(list(names)):
            connection.execute(delete(SETTING).where(SETTING.c.tenant_id == store.tenant, SETTING.c.name.in_(part)))


# -- what goes


def _extent(connection: Connection, tenant: str, ids: Ids) -> Extent:
    memories, proposals = set(ids.memories), set(ids.proposals)
    while True:
        memories |= _values(connection, tenant, VERSION.c.memory_id, VERSION.c.proposal_id, proposals)
        proposals |= _values(connection, tenant, VERSION.c.proposal_id, VERSION.c.memory_id, memories)
        proposals |= _values(connection, tenant, PROPOSAL.c.id, PROPOSAL.c.target_id, memories)
        held = _rows(connection, tenant, MEMORY, sorted(memories))
        asked = _rows(connection, tenant, PROPOSAL, sorted(proposals))
        spelled = _entries(connection, tenant, sorted(row.id for row in held))
        # What said exactly the same in the same scope, and was deleted or turned down, is the same text once more.
        marks = {row.fingerprint for row in (*held, *asked)}
        marks |= {fingerprint(entry.scope, "add", entry.content) for entry, _ in spelled}
        same = [_values(connection, tenant, one.c.id, one.c.fingerprint, marks) for one in (MEMORY, PROPOSAL)]
        if same[0] <= memories and same[1] <= proposals:
            break
        memories |= same[0]
        proposals |= same[1]
    texts = {text for row in (*held, *asked) for text in _texts(row._mapping)}
    texts |= {text for entry, previous in spelled for text in _texts({**entry.as_dict(), "previous_value": previous})}
    named = erase_names.held(connection, tenant, ids.scopes)
    both = Ids(frozenset(row.id for row in held), frozenset(row.id for row in asked), named)
    return Extent(both, frozenset(texts), len(spelled), sum(row.status in OPEN for row in asked))


def _texts(values: Any) -> Iterable[str]:
    for name in _TEXTS:
        value = values.get(name)
        if isinstance(value, str):
            yield value
        elif value:
            yield from (str(part) for part in value)


def _values(connection: Connection, tenant: str, wanted: Any, column: Any, among: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for part in chunks(sorted(among)):
        chosen = select(wanted).where(column.table.c.tenant_id == tenant, column.in_(part), wanted.is_not(None))
        found |= set(connection.scalars(chosen))
    return found


def _rows(connection: Connection, tenant: str, table: Table, ids: Sequence[str]) -> list[Any]:
    """The rows of these ids that have a text."""
    rows: list[Any] = []
    for part in chunks(ids):
        chosen = select(table).where(table.c.tenant_id == tenant, table.c.id.in_(part), table.c.content.is_not(None))
        rows += connection.execute(chosen).all()
    return rows


def _entries(connection: Connection, tenant: str, ids: Sequence[str]) -> list[tuple[Entry, str | None]]:
    found: list[tuple[Entry, str | None]] = []
    for part in chunks(ids):
        chosen = select(VERSION.c.entry, VERSION.c.previous_value).where(
            VERSION.c.tenant_id == tenant, VERSION.c.memory_id.in_(part), VERSION.c.entry.is_not(None)
        )
        found += [(Entry.from_json(row.entry), row.previous_value) for row in connection.execute(chosen)]
    return found


def _put_out_of_use(act: Act, memories: Sequence[str]) -> None:
    """Stage the last version of each. What it says is taken away with all others, after the act is written."""
    connection, tenant = act.connection, act.store.tenant
    for part in chunks(memories):
        held = standing(connection, tenant, part)
        torn = [one for one in part if one not in held or held[one].entry is None]
        for one in part:
            if one not in torn:
                act.turn(held[one], "deleted")
        for row in _rows(connection, tenant, MEMORY, torn):
            act.change(memory_of(row), Entry(scope=row.scope, content=ERASED, kind=row.kind), "deleted")


def _turn_down(
    act: Act, connection: Connection, tenant: str, memories: Sequence[str], proposals: Sequence[str]
) -> None:
    """Every text that was ever said here binds agents from now on; what waited is withdrawn."""
    for entry, _ in _entries(connection, tenant, memories):
        act.turn_down(entry.scope, fingerprint(entry.scope, "add", entry.content), "deleted")
    for row in _rows(connection, tenant, PROPOSAL, proposals):
        if row.op != "remove":
            act.turn_down(row.scope, row.fingerprint, "deleted")
        if row.status in OPEN:
            act.decide(row.id, row.status, "withdrawn", revision=row.revision)


def _blank_rows(connection: Connection, tenant: str, memories: Sequence[str], proposals: Sequence[str]) -> None:
    def blanked(table: Table, column: Any, part: Sequence[str], **values: Any) -> None:
        connection.execute(update(table).where(table.c.tenant_id == tenant, column.in_(part)).values(**values))

    for part in chunks(memories):
        blanked(MEMORY, MEMORY.c.id, part, **_ENTRY, previous_value=None, pinned=False)
        blanked(VERSION, VERSION.c.memory_id, part, entry=None, previous_value=None, salt=None)
    for part in chunks(proposals):
        blanked(PROPOSAL, PROPOSAL.c.id, part, **_ENTRY, flags=[], idempotency_key=None, branch=None, commit_hash=None)
    search_index.forget(connection, tenant, memories)


def _forget_beside(connection: Connection, tenant: str, extent: Extent) -> None:
    ids = extent.ids.all
    for part in chunks(ids):
        for table in (EMBEDDING, SUPPORT):
            connection.execute(delete(table).where(table.c.tenant_id == tenant, table.c.owner_id.in_(part)))
    about = _about(ids, extent.texts)
    rows = connection.execute(select(SETTING.c.name, SETTING.c.value).where(SETTING.c.tenant_id == tenant))
    named = [row.name for row in rows if not row.name.startswith(PENDING) and about(row.name, row.value)]
    for part in chunks(named):
        connection.execute(delete(SETTING).where(SETTING.c.tenant_id == tenant, SETTING.c.name.in_(part)))


def _about(ids: Sequence[str], texts: frozenset[str]) -> Callable[[str, Any], bool]:
    """Whether a setting tells of one of these: an answer to a caller, or what was kept for it.

    Marks of the spool itself hold no ids and stay, as do secrets' hashes, and what was offered once of several cases.
    """
    known = set(ids)
    said = [text for text in texts if len(text) >= 4]
    many = len(said) > _MANY

    def about(name: str, value: Any) -> bool:
        prefix, _, own = name.rpartition(":")
        if prefix == "kept" and own in known:
            return True
        values = value.get("outcomes", [value]) if isinstance(value, dict) else [value]
        spelled = json_text(value)
        return any(isinstance(one, dict) and one.get("id") in known for one in values) or (
            "reason" in spelled and (many or any(text in spelled for text in said))
        )

    return about
