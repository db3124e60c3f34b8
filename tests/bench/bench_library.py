"""What the library's orders, views and bulk acts cost at 100,000 memories; none of it runs on the console's UI thread.

Run from the project's root: ``python -m tests.bench.bench_library [ROWS]``. CPU time of this process, the least of
three for what only reads.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from store import given, history, memory_copies, queries, rechecking, retrieval, tending
from store.engine import open_store
from store.facts import Actor
from store.filters import parse
from store.location import locate
from store.project import Project
from tests.bench.harness import say
from tests.bench.seed import approve, fill

ADA = Actor("ada", "console")
SCOPE = "shop-api"


def main() -> None:
    """Print one line a measure."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(locate(str(Path(folder, "library.db"))))
        fill(store, memories_=rows, scopes=(SCOPE,))
        approve(store)
        view = (SCOPE, "global")
        for order in get_args(queries.MemoryOrder):
            _say(f"all ids, {order}", lambda order=order: queries.memory_ids(store, scopes=view, order=order))
        for typed in ("contains:etry", "like:deploy", "pinned:yes"):
            _say(f"all ids, {typed}", lambda typed=typed: queries.memory_ids(store, parse(typed), scopes=view))
        _say("what is due for another look", lambda: rechecking.due(store, view))
        ids = list(queries.memory_ids(store, scopes=view))
        _say("near-copies among the newest 4,000", lambda: memory_copies.memory_clusters(store, ids))
        _say("all that agents can be told, ids", lambda: retrieval.everything_ids(store, view))
        _say("the block", lambda: given.profile_of(store, Project(SCOPE, SCOPE, Path("/"))))
        from console.screens.library_many import gather

        _say("the list before a bulk act on all", lambda: gather(store, ids))
        pairs = list(gather(store, ids[: rows // 2]).pairs)
        _say(f"place {len(pairs):,}", lambda: tending.move(store, pairs, "global", by=ADA), rounds=1)
        history.undo(store, by=ADA)
        pairs = list(gather(store, ids[: rows // 2]).pairs)
        _say(f"expire {len(pairs):,}", lambda: tending.expire(store, pairs, by=ADA), rounds=1)
        _say("its undo", lambda: history.undo(store, by=ADA), rounds=1)
        store.close()


def _say(name: str, act: Callable[[], object], rounds: int = 3) -> None:
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        act()
        best = min(best, time.process_time() - start)
    say(name, f"{best * 1000:8.0f} ms", "")


if __name__ == "__main__":
    main()
