"""What listing scopes costs, and moving all that one of them holds.

Run from the project's root: ``python -m tests.bench.bench_scopes [ROWS]`` (100,000 memories in four projects by
default; the first is moved). CPU time of this process, the least of three, but for the move, which is done once.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from store import history, queries, scope_move, scopes
from store.context import Context
from store.elsewhere import elsewhere
from store.engine import open_store
from store.facts import Actor
from store.intake import take
from store.location import locate
from store.project import Project
from tests.bench.harness import say
from tests.bench.seed import approve, fill
from tests.contract.proposing import lines

ADA = Actor("ada", "cli")
SCOPES = tuple(f"shop-{number}" for number in range(4))
HERE = Project("elsewhere", "elsewhere", Path("/"))


def main() -> None:
    """Print one line a measure."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(locate(str(Path(folder) / "meminbox.db")))
        fill(store, memories_=rows, scopes=SCOPES)
        approve(store)
        said = {"content": "From now on write in British English", "kind": "preference"}
        with store.write() as connection:
            (told,) = take(store, connection, lines(said), context=Context(scope=HERE.identity, label=HERE.label))
        one = queries.queue_rows(store, [told.id or ""])[0]
        say(f"list the scopes of {rows:,} memories", _least(lambda: scopes.scopes(store, HERE)), "")
        say("where else a preference holds (each detail)", _least(lambda: elsewhere(store, one)), "")
        many = sum(found.memories for found in scopes.scopes(store, HERE) if found.identity == SCOPES[0])
        say(f"what moving {many:,} would do", _least(lambda: scope_move.preview(store, SCOPES[0], "all")), "")
        say(f"move {many:,}", _once(lambda: scope_move.move(store, SCOPES[0], "all", by=ADA)), "")
        say(f"undo the move of {many:,}", _once(lambda: history.undo(store, by=ADA)), "")
        store.close()


def _once(act: Callable[[], object]) -> str:
    began = time.process_time()
    act()
    return f"{(time.process_time() - began) * 1000:9.1f} ms"


def _least(act: Callable[[], object]) -> str:
    return min(_once(act) for _ in range(3))


if __name__ == "__main__":
    main()
