"""What taking proposals in costs: 1,000 and 10,000 in one go, against raw sqlite3, and into a store that is full.

Run from the project's root: ``python -m tests.bench.bench_intake``. CPU time of this process, the least of several
rounds; admission, redaction, spool, triage, rows and their commit are all in it. The budgets are those of design
section 11. Raw sqlite3 inserts the same rows into the same schema, with the same indexes, and does nothing else.
"""

from __future__ import annotations

import io
import json
import sqlite3
import tempfile
import time
from collections.abc import Callable
from itertools import count, islice
from pathlib import Path

from store import desk
from store.admit import Raw, admit_lines
from store.context import Context
from store.engine import Store, open_store
from store.ids import new_id
from store.location import locate
from tests.bench.harness import say
from tests.bench.seed import fill

PROJECT = str(Path(__file__).parents[2])
HERE = Context(scope="github.com/acme/shop-api", label="shop-api", branch="main", name="bench", root=PROJECT)
THOUSAND = 1_000
FULL = 100_000


def main() -> None:
    """Print one line a measure."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(locate(str(Path(folder) / "empty.db")))
        thousand = _least(lambda start: _propose(store, THOUSAND, start), 5)
        alone, ten_thousand = _into_new_ones(Path(folder))
        raw = _least(lambda start: _raw(store, THOUSAND, start), 3)
        say("1,000 proposals in one go", f"{thousand:.2f} s", "at most 1.0 s")
        told = f"{ten_thousand:.2f} s, {ten_thousand / alone:.1f} x 1,000"
        say("10,000 in one go into a new store", told, "at most 10 x")
        say("1,000, against bare inserts", f"{thousand / raw:.1f} x raw sqlite3", "")
        said_again = _least(lambda _: _propose(store, THOUSAND, 0), 3)
        say("1,000 that all wait already", f"{said_again / thousand:.2f} x new ones", "")
        full = open_store(locate(str(Path(folder) / "full.db")))
        fill(full, proposals_=FULL)
        into_full = _least(lambda start: _propose(full, THOUSAND, start), 3)
        say(f"1,000 into a queue of {FULL:,}", f"{into_full / thousand:.2f} x into an empty one", "")
        one = _least(lambda start: _propose(full, 1, start), 10)
        say(f"one into a queue of {FULL:,}", f"{one * 1000:.1f} ms", "")


def _into_new_ones(folder: Path, rounds: int = 3) -> tuple[float, float]:
    """CPU seconds of 1,000 and of 10,000 in one go, each into a store that holds nothing else.

    In turns: after each thousand of the ten another store takes one thousand alone, so that whatever the machine does
    meanwhile meets both alike; of the rounds the one whose ratio is in the middle.
    """
    told = []
    for round_ in range(rounds):
        alone: list[float] = []

        def another(round_: int = round_, alone: list[float] = alone) -> None:
            store = open_store(locate(str(folder / f"alone{round_}{len(alone)}.db")))
            _propose(store, 1, 1)
            began = time.process_time()
            _propose(store, THOUSAND, 700_000_000 + round_ * 10_000_000)
            alone.append(time.process_time() - began)
            store.close()

        whole = open_store(locate(str(folder / f"whole{round_}.db")))
        _propose(whole, 1, 1)
        began = time.process_time()
        aside = _propose(whole, 10 * THOUSAND, 500_000_000 + round_ * 10_000_000, another)
        told.append((sum(alone) / len(alone), time.process_time() - began - aside))
        whole.close()
    return sorted(told, key=lambda one: one[1] / one[0])[rounds // 2]


def _least(work: Callable[[int], object], rounds: int) -> float:
    """The least CPU time in seconds; each round proposes what none before it did."""
    starts = count(1, 1_000_000)
    work(next(starts))
    best = float("inf")
    for _ in range(rounds):
        start, began = next(starts) + time.monotonic_ns() % 1000, time.process_time()
        work(start)
        best = min(best, time.process_time() - began)
    return best


def _propose(store: Store, number: int, start: int, between: Callable[[], None] | None = None) -> float:
    """Propose so many. ``between`` is called after each batch; the CPU seconds that it took are returned."""
    aside = 0.0
    said = (
        {
            "content": f"Service {start + n} listens on port {n} and is restarted by hand",
            "key": f"service.{start + n}.port",
            "kind": "fact" if n % 3 else "preference",
            "session_id": f"s{start}.{n % 20}",
            "source_agent": "codex",
            "idempotency_key": f"{start}-{n}",
            "confidence": 0.7,
        }
        for n in range(number)
    )
    stream = io.BytesIO("".join(json.dumps(one) + "\n" for one in said).encode())
    admitted = admit_lines(stream)
    # As the command does: a thousand lines at a time, so that memory stays flat.
    while batch := [one for one in islice(admitted, THOUSAND) if isinstance(one, Raw)]:
        outcomes = desk.propose(store.location, batch, context=HERE, store=store)
        assert all(one.status in ("pending", "draft") for one in outcomes), outcomes[0]
        if between is not None:
            began = time.process_time()
            between()
            aside += time.process_time() - began
    return aside


def _raw(store: Store, number: int, _start: int) -> None:
    """Bare inserts of copies of a real row, each with its own id, text hash and key."""
    connection = sqlite3.connect(str(store.location.path))
    connection.row_factory = sqlite3.Row
    row = dict(connection.execute("SELECT * FROM proposal LIMIT 1").fetchone())
    made = [row | {"id": (own := new_id()), "fingerprint": own, "idempotency_key": own} for _ in range(number)]
    names = ", ".join(row)
    values = ", ".join(f":{name}" for name in row)
    with connection:
        connection.executemany(f"INSERT INTO proposal ({names}) VALUES ({values})", made)
    connection.close()


if __name__ == "__main__":
    main()
