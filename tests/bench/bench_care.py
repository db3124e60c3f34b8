"""What the care of a large store costs: a backup, its check, an erasure with its proof, a sweep.

Run from the project's root: ``python -m tests.bench.bench_care [ROWS]`` (100,000 memories). CPU seconds of this
process; the erasures run on the same store one after the other.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from store import backup, erase, erasing, retention
from store.desk import open_desk
from store.engine import open_store
from store.erased import Ids
from store.facts import Actor
from store.keeping import Retention
from store.location import locate
from tests.bench.harness import say
from tests.bench.seed import approve, fill

ADA = Actor("ada", "cli")
T = TypeVar("T")


def main() -> None:
    """Print one line a measure."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        place = locate(str(Path(folder) / "meminbox.db"))
        store = open_store(place)
        fill(store, memories_=rows, scopes=("shop-api", "billing"))
        approve(store)
        store.close()
        store = open_desk(place)
        assert place.path is not None
        say("the store", f"{place.path.stat().st_size / 1e6:6.0f} MB", "")
        _took("backup, with its check", lambda: backup.back_up(store))
        with store.read() as connection:
            one = str(connection.scalar(erase.MEMORY.select().with_only_columns(erase.MEMORY.c.id).limit(1)))
        extent = _took("look what one memory takes", lambda: erase.extent_of(store, Ids(frozenset((one,)))))
        _, proof = _took("erase one, with a backup and the proof", lambda: erasing.run(store, extent, by=ADA))
        assert proof.clean, proof
        due = _took("preview of a sweep", lambda: retention.due(store, Retention(dict.fromkeys(Retention().days, 1))))
        if due:
            _took(f"sweep of {len(due):,}", lambda: retention.sweep(store, due, by=ADA))
        scope = erase.of_scope(store, "billing")
        _, proof = _took(f"erase {len(scope.ids.memories):,} of a scope", lambda: erasing.run(store, scope, by=ADA))
        assert proof.clean, proof
        store.close()


def _took(what: str, do: Callable[[], T]) -> T:
    began = time.process_time()
    done = do()
    say(what, f"{time.process_time() - began:6.2f} s", "")
    return done


if __name__ == "__main__":
    main()
