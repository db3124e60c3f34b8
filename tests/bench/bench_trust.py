"""What the Agents screen asks the store, and what a rule of approval adds to a batch of proposals.

Run from the project's root: ``python -m tests.bench.bench_trust [ROWS]``. So many proposals (100,000), each decided by
an operation of its own: six of ten approved, one in ten of these edited or taken back. CPU time of this process.
"""

from __future__ import annotations

import sys
import tempfile
import time
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from store.context import Context
from store.engine import Store, open_store
from store.filters import parse
from store.ids import new_id
from store.intake import take
from store.location import locate
from store.models import DecisionRow, MemoryRow, OperationRow, ProposalRow, VersionRow
from store.policy import NO_RULES, Rule, Rules
from store.queries import memory_ids
from store.raw import Raw
from store.trust import trust
from tests.bench.harness import least, say
from tests.bench.seed import START, approve, fill, proposals

LINES = 1_000


def main() -> None:
    """Print one line a measure."""
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(locate(str(Path(folder, "trust.db"))))
        _decided(store, many)
        say(f"the Agents screen of {many:,}", f"{least(lambda: trust(store), 3) * 1000:7.0f} ms", "aside, of a worker")
        view = ("shop-api", "global")
        say("the same of one project", f"{least(lambda: trust(store, view), 3) * 1000:7.0f} ms", "aside, of a worker")
        for words in ("auto:any", "auto:none"):
            found = least(lambda words=words: memory_ids(store, parse(words), scopes=None), 3)  # type: ignore[misc]
            say(f"ids of {words}", f"{found * 1000:7.0f} ms", "100 ms")
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(locate(str(Path(folder, "held.db"))))
        fill(store, memories_=many)
        approve(store)
        rules = Rules((Rule("bench", frozenset({"bench"})),))
        without, with_rule = (_taken(store, each, name) for each, name in ((NO_RULES, "one"), (rules, "two")))
        say(f"{LINES:,} lines in one batch", f"{without:5.2f} s, with a rule {with_rule:5.2f} s", "1.0 s")


def unlike(name: str, n: int) -> str:
    """A sentence with common words, and some that only it has."""
    own = sha256(f"{name} {n}".encode()).hexdigest()
    return f"Before the build {own[:8]} reads {own[8:16]} from {own[16:24]} and prints {own[24:32]}"


def _taken(store: Store, rules: Rules, name: str) -> float:
    context = Context(scope="shop-api")
    lines = [Raw(line=n, content=unlike(name, n), source_agent="bench") for n in range(LINES)]
    began = time.process_time()
    with store.write() as connection:
        take(store, connection, lines, context=context, rules=rules)
    return time.process_time() - began


def _decided(store: Store, number: int) -> None:
    rows = enumerate(proposals(store.tenant, number))
    seq = 0
    while part := list(islice(rows, 5000)):
        tables: dict[Any, list[dict[str, Any]]] = {
            row.__table__: []  # type: ignore[attr-defined]
            for row in (ProposalRow, OperationRow, DecisionRow, MemoryRow, VersionRow)
        }
        for n, row in part:
            seq += 1
            _decide(tables, n, row, seq)
        with store.write() as connection:
            for table, several in tables.items():
                if several:
                    connection.execute(insert(table), several)


def _decide(tables: dict[Any, list[dict[str, Any]]], n: int, row: dict[str, Any], seq: int) -> None:
    proposal, operation, decision, memory, version = tables
    status = "approved" if n % 10 < 6 else "rejected"
    tables[proposal].append(row | {"status": status})
    own = {"tenant_id": row["tenant_id"], "id": new_id(), "seq": seq, "digest": "0" * 64, "count": 1, "at": START}
    by_rule = n % 10 == 5
    action = "approve" if status == "approved" else "reject"
    who = {"actor": "policy", "surface": "intake"} if by_rule else {"actor": "mia", "surface": "console"}
    reason, selection = (
        ("rule bench", {"rule": "bench"}) if by_rule else (None, {"edited": True} if n % 10 == 1 else {})
    )
    tables[operation].append(own | who | {"action": action, "reason": reason, "selection": selection})
    said = {"tenant_id": row["tenant_id"], "operation_id": own["id"], "proposal_id": row["id"]}
    tables[decision].append(said | {"from_status": "pending", "to_status": status})
    if status != "approved":
        return
    kept = {name: value for name, value in row.items() if name in memory.c}
    revision = 2 if n % 10 == 2 else 1
    state = {"status": "deleted" if revision == 2 else "active", "updated_at": START, "revision": revision}
    tables[memory].append(kept | state)
    for number in range(1, revision + 1):
        tables[version].append(
            {
                "tenant_id": row["tenant_id"],
                "memory_id": row["id"],
                "revision": number,
                "status": "active" if number == 1 else "deleted",
                "action": "approve" if number == 1 else "delete",
                "operation_id": own["id"],
                "proposal_id": row["id"] if number == 1 else None,
                "at": START,
                "commitment": "0",
            }
        )


if __name__ == "__main__":
    main()
