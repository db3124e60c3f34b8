"""What one decision costs in a large store, against the same in a small one: it should not grow with the store.

Run from the project's root: ``python -m tests.bench.bench_decisions [ROWS]``. So many proposals wait and so many
memories are held (100,000 of each, against 1,000 of each). CPU time of this process, the median of many, both in one
run; looking at what is decided on is not in it, the commit is, with the block that agents are given.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median

from store import blocks, history, queries, review
from store.engine import Store, open_store
from store.facts import Actor, Done, Memory, Seen
from store.location import locate
from tests.bench.harness import say
from tests.bench.seed import approve, fill

SMALL = 1_000
TIMES = 40
ADA = Actor("ada", "console")


def main() -> None:
    """Print one line a decision."""
    large = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        few, many = (_Decided(_filled(Path(folder), rows)) for rows in (SMALL, large))
        for _ in range(TIMES):
            few.once()
            many.once()
        for name, costs in many.costs.items():
            cost, in_few = median(costs[3:]), median(few.costs[name][3:])
            say(f"{name}, one of {large:,}", f"{cost * 1000:6.1f} ms, {cost / in_few:4.2f} x one of {SMALL:,}", "")


def _filled(folder: Path, rows: int) -> Store:
    store = open_store(locate(str(folder / f"{rows}.db")))
    fill(store, proposals_=rows, memories_=rows, start=rows)
    approve(store)
    blocks.ensure(store)
    return store


class _Decided:
    """Decisions in one store, one after the other, and what each took (``costs``, in seconds, by its name)."""

    def __init__(self, store: Store) -> None:
        self.costs: dict[str, list[float]] = defaultdict(list)
        self._store = store
        self._waiting = iter(queries.queue_ids(store, scopes=None, since=None))

    def once(self) -> None:
        """Each decision once."""
        store, seen = self._store, self._seen()
        done = self._time("approve", lambda: review.approve(store, seen, by=ADA))
        (id_,) = done.memory_ids
        first = self._memory(id_)
        edited = first.entry.with_(content=f"{first.entry.content} And tell what came of it.")
        self._time("edit a memory", lambda: history.edit(store, id_, first.revision, edited, by=ADA))
        self._time("roll back", lambda: history.rollback(store, id_, self._memory(id_).revision, by=ADA))
        self._time("delete", lambda: history.delete(store, id_, self._memory(id_).revision, by=ADA))
        self._time("undo", lambda: history.undo(store, by=ADA))
        self._time("redo", lambda: history.redo(store, by=ADA))
        turned_down, put_off = self._seen(), self._seen()
        self._time("reject", lambda: review.reject(store, turned_down, by=ADA))
        self._time("defer", lambda: review.defer(store, put_off, by=ADA))

    def _time(self, name: str, decide: Callable[[], Done]) -> Done:
        began = time.process_time()
        done = decide()
        self.costs[name].append(time.process_time() - began)
        return done

    def _seen(self) -> Seen:
        return queries.queue_rows(self._store, [next(self._waiting)])[0].seen()

    def _memory(self, id_: str) -> Memory:
        return queries.memory_rows(self._store, [id_])[0]


if __name__ == "__main__":
    main()
