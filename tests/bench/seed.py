"""Many rows at once for the benches: written with bound parameters past the ledger, so never a store to verify."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from sqlalchemy import insert, select

from store.engine import Store
from store.entry import content_hash, fingerprint, group_id
from store.facts import Memory
from store.ids import new_id
from store.models import MemoryRow, OperationRow, ProposalRow, VersionRow
from store.reading import MEMORY, chunks
from store.reading import memories as memories_of
from store.redact import REDACTION_VERSION
from store.search_index import index

START = datetime(2026, 1, 1, tzinfo=UTC)
SCOPES = ("shop-api", "global", "billing")
AGENTS = ("claude-code", "codex", "gemini")
KINDS = ("fact", "preference", "procedure", "experience")
SENTENCES = (
    "Run the tests with pytest -q before every commit and read what they print, number {n}.",
    "部署前检查设备清单，编号 {n}，并确认回滚步骤已经写好。",
    "The build of service {n} needs Node 20; src/app_{n}.py:18 reads its port from the environment.",
    "Write reports in the passive voice, in short sentences, and never longer than page {n}.",
)


def proposals(
    tenant: str, number: int, *, scopes: tuple[str, ...] = SCOPES, start: int = 0
) -> Iterator[dict[str, Any]]:
    """Proposal rows, twenty to a session, over these scopes and three agents; one in ten carries a flag.

    ``start`` numbers the first of them: rows with other numbers have other texts and keys.
    """
    rank = new_id()
    for n in range(start, start + number):
        own = new_id()
        rank = own if n % 20 == 0 else rank
        scope, content = scopes[n // 20 % len(scopes)], SENTENCES[n % 4].format(n=n)
        key = f"bench.key_{n}" if n % 2 else None
        yield {
            "tenant_id": tenant,
            "id": own,
            "op": "add",
            "scope": scope,
            "kind": KINDS[n % 4],
            "key": key,
            "aliases": [],
            "content": content,
            "paths": [],
            "source": "user_feedback",
            "source_agent": AGENTS[n // 20 % 3],
            "session_id": f"session-{n // 20:06d}",
            "source_ref": None,
            "evidence": "could you do it this way from now on?",
            "confidence": None if n % 7 == 0 else (n % 100) / 100,
            "valid_until": None,
            "content_hash": content_hash(content),
            "fingerprint": fingerprint(scope, "add", content),
            "group_id": group_id(scope, key, None, own),
            "flags": [{"code": "conflict", "detail": "codex set it"}] if n % 10 == 0 else [],
            "redaction_version": REDACTION_VERSION,
            "idempotency_key": None,
            "status": "pending",
            "mentions": 1,
            "branch": "main",
            "session_rank": rank,
            "deferred_at": None,
            "revision": 1,
            "created_at": START + timedelta(seconds=n),
        }


def memories(tenant: str, number: int, *, scopes: tuple[str, ...] = SCOPES, start: int = 0) -> Iterator[dict[str, Any]]:
    """Active memory rows, the same texts as ``proposals``."""
    for row in proposals(tenant, number, scopes=scopes, start=start):
        kept = {name: value for name, value in row.items() if name in MemoryRow.__table__.c}  # type: ignore[attr-defined]
        yield kept | {"status": "active", "pinned": False, "updated_at": row["created_at"], "previous_value": None}


def fill(
    store: Store, *, proposals_: int = 0, memories_: int = 0, scopes: tuple[str, ...] = SCOPES, start: int = 0
) -> None:
    """Write that many rows, 5,000 at a time. ``start`` numbers the first memory (see ``proposals``)."""
    for table, rows in (
        (ProposalRow.__table__, proposals(store.tenant, proposals_, scopes=scopes)),  # type: ignore[attr-defined]
        (MemoryRow.__table__, memories(store.tenant, memories_, scopes=scopes, start=start)),  # type: ignore[attr-defined]
    ):
        while part := list(islice(rows, 5000)):
            with store.write() as connection:
                connection.execute(insert(table), part)


def approve(store: Store) -> None:
    """Give every memory of ``fill`` a version of its own, by one operation, and its words to the index of search."""
    operation = new_id()
    with store.write() as connection:
        row = {
            "seq": 1,
            "action": "approve",
            "actor": "mia",
            "surface": "cli",
            "selection": {},
            "count": 0,
            "at": START,
        }
        own = {"tenant_id": store.tenant, "id": operation, "digest": "0" * 64}
        connection.execute(insert(OperationRow.__table__), own | row)  # type: ignore[attr-defined]
        ids = list(connection.execute(select(MEMORY.c.id)).scalars())
    for part in chunks(ids, 5000):
        with store.write() as connection:
            held = memories_of(connection, store.tenant, part)
            index(connection, store.tenant, [(one.id, one.entry) for one in held])
            rows = [_version(store.tenant, operation, one) for one in held]
            connection.execute(insert(VersionRow.__table__), rows)  # type: ignore[attr-defined]


def _version(tenant: str, operation: str, memory: Memory) -> dict[str, Any]:
    return {
        "tenant_id": tenant,
        "memory_id": memory.id,
        "revision": memory.revision,
        "status": memory.status,
        "entry": memory.entry.canonical_json(),
        "previous_value": None,
        "action": "approve",
        "operation_id": operation,
        "proposal_id": None,
        "at": memory.updated_at,
        "salt": "0",
        "commitment": "0",
    }
