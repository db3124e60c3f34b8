"""What likeness costs: one proposal against 100,000 memories, the clusters of a queue, settling a batch.

Run from the project's root: ``python -m tests.bench.bench_similar [ROWS...]``. The aim is 50 ms for one proposal once
everything is loaded, with the built-in encoder and with words alone (CPU time, the middle of twenty). "First" is the
first answer, for which the vectors are read into memory.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from sqlalchemy import select

from store import queries
from store.clusters import clusters
from store.encoders import Choice, Encoder, load
from store.engine import Store, open_store
from store.entry import GLOBAL
from store.intake_later import settle
from store.location import locate
from store.models import ProposalRow
from store.reading import MEMORY
from store.similar import similar
from store.vector_rows import Made, packed, write
from tests.bench.harness import say
from tests.bench.seed import approve, fill

PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
VIEW = ("shop-api", GLOBAL)
ROUNDS = 20


def main() -> None:
    """Print one line a measure."""
    encoder = load(Choice())
    assert encoder is not None
    for rows in [int(said) for said in sys.argv[1:]] or [100_000]:
        with tempfile.TemporaryDirectory() as home:
            store = open_store(locate(str(Path(home) / "meminbox.db"), {"MEMINBOX_HOME": home}))
            fill(store, memories_=rows, proposals_=4_000)
            approve(store)
            _vectors(store, encoder)
            _measured(store, encoder, rows)
            store.close()


def _vectors(store: Store, encoder: Encoder) -> None:
    """Vectors for everything, made up: what they cost to compare does not depend on what they mean."""
    random = np.random.default_rng(1)
    for table, owner in ((MEMORY, "memory"), (PROPOSAL, "proposal")):
        with store.read() as connection:
            told = connection.execute(select(table.c.id, table.c.content_hash)).all()
        for start in range(0, len(told), 5_000):
            part = told[start : start + 5_000]
            held = random.standard_normal((len(part), encoder.dim)).astype(np.float32)
            held /= np.linalg.norm(held, axis=1, keepdims=True)
            made = [Made(owner, row.id, row.content_hash, packed(held[at])) for at, row in enumerate(part)]  # type: ignore[arg-type]
            with store.write() as connection:
                write(connection, store.tenant, encoder.key, encoder.dim, made)


def _measured(store: Store, encoder: Encoder, rows: int) -> None:
    with store.read() as connection:
        ids = list(connection.execute(select(PROPOSAL.c.id).order_by(PROPOSAL.c.id)).scalars())
    asked = queries.queue_rows(store, ids[:ROUNDS])
    for name, chosen in (("words", None), ("built-in encoder", encoder)):
        first = _cpu(lambda chosen=chosen: similar(store, asked[0], encoder=chosen, scopes=VIEW))  # type: ignore[misc]
        each = [
            _cpu(lambda one=one, chosen=chosen: similar(store, one, encoder=chosen, scopes=VIEW))  # type: ignore[misc]
            for one in asked
        ]
        say(f"similar, {rows:,} memories, {name}", f"{median(each) * 1000:.1f} ms", f"first {first * 1000:.0f} ms")
    for name, chosen in (("words", None), ("built-in encoder", encoder)):
        took = _cpu(lambda chosen=chosen: clusters(store, ids, encoder=chosen))  # type: ignore[misc]
        again = _cpu(lambda chosen=chosen: clusters(store, ids, encoder=chosen))  # type: ignore[misc]
        say(f"clusters of {len(ids):,}, {name}", f"{took * 1000:.0f} ms", f"again {again * 1000:.0f} ms")
    took = _cpu(lambda: settle(store, ids[:64], encoder=encoder))
    say("settle 64 proposals", f"{took * 1000:.0f} ms", "")


def _cpu(act: Callable[[], object]) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start


if __name__ == "__main__":
    main()
