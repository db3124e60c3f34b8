"""What vectors cost: exact search among 100,000 against numpy alone, reading them, what changes add, encoding.

Run from the project's root: ``python -m tests.bench.bench_vectors [ROWS...]``. The budget is design section 11's:
exact similarity at most 1.5 x ``M @ q``, CPU time.
"""

from __future__ import annotations

import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import numpy as np
from sqlalchemy import select

from store import indexing, vector_cache, vectors
from store.encoders import Choice, Identity, load
from store.engine import Store, open_store
from store.location import locate
from store.reading import MEMORY
from store.vector_rows import Made, packed, write
from tests.bench.harness import least, say
from tests.bench.seed import SENTENCES, approve, fill

VIEW = ("shop-api", "global")


class Random:
    """An encoder of random vectors: what is measured is all but the model."""

    identity = Identity("random", "1", 512, "none")
    key = identity.key
    title = "random"
    dim = 512

    def __init__(self) -> None:
        self._numbers = np.random.default_rng(5)

    def encode(self, texts, *, query: bool = False):  # type: ignore[no-untyped-def]
        found = self._numbers.standard_normal((len(texts), 512), dtype=np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    def baseline(self, of: str) -> float:
        return 0.0

    def close(self) -> None:
        return


def main() -> None:
    """Print one line a measure."""
    _encoding()
    for rows in [int(said) for said in sys.argv[1:]] or [100_000]:
        with tempfile.TemporaryDirectory() as home:
            store = open_store(locate(str(Path(home) / "meminbox.db")))
            fill(store, memories_=rows)
            approve(store)
            _vectors(store, Random(), rows)
            store.close()


def _encoding() -> None:
    began = time.process_time()
    encoder = load(Choice())
    if encoder is None:
        raise SystemExit("The built-in encoder is not here.")
    say("loading the built-in encoder", f"{time.process_time() - began:.2f} s", "")
    texts = [SENTENCES[n % 4].format(n=n) for n in range(256)]
    say("encoding one text", f"{least(lambda: encoder.encode(texts[:1])) * 1000:.1f} ms", "")
    say("encoding 256 texts, each", f"{least(lambda: encoder.encode(texts), 3) / 256 * 1000:.2f} ms", "")


def _vectors(store: Store, encoder: Random, rows: int) -> None:
    began = time.process_time()
    told = indexing.progress(store, encoder.key)
    say(f"how much of {rows:,} is done", f"{(time.process_time() - began) * 1000:.0f} ms", str(told.done))
    for what in ("first", "next"):
        began = time.process_time()
        indexing.step(store, encoder, limit=64)
        say(f"the {what} batch of 64 at {rows:,}", f"{(time.process_time() - began) * 1000:.0f} ms", "")
    _fill(store, encoder)
    began = time.process_time()
    while not indexing.step(store, encoder, limit=64).complete:
        pass
    say(f"a look at {rows:,} that are done", f"{(time.process_time() - began) * 1000:.0f} ms", "")
    say("the same with nothing new", f"{least(lambda: indexing.step(store, encoder)) * 1000:.2f} ms", "")
    for scopes in (None, VIEW):
        _search(store, encoder, rows, scopes)


def _search(store: Store, encoder: Random, rows: int, scopes: tuple[str, ...] | None) -> None:
    asked = encoder.encode([""])[0]
    where = "everywhere" if scopes is None else "two of three scopes"
    vectors.drop(store)
    began = time.process_time()
    vectors.nearest(store, encoder, asked, scopes=scopes, limit=10)
    say(f"nearest of {rows:,} {where}, first", f"{(time.process_time() - began) * 1000:.0f} ms", "1 s")
    ours = least(lambda: vectors.nearest(store, encoder, asked, scopes=scopes, limit=10))
    held = vector_cache.matrix(store, vector_cache.Place("memory", encoder.key, 512, scopes and frozenset(scopes)))
    alone = least(lambda: held.vectors @ asked)
    told = f"{ours * 1000:.1f} ms, {ours / alone:.2f} x M @ q"
    say(f"nearest of {len(held.ids):,} {where}", told, "at most 1.5 x")
    say("memory of these vectors", f"{held.vectors.nbytes / 1e6:.0f} MB", "")


def _fill(store: Store, encoder: Random) -> None:
    with store.read() as connection:
        left = iter(connection.execute(select(MEMORY.c.id, MEMORY.c.content_hash)).all())
    while part := list(islice(left, 5000)):
        found = encoder.encode(part)
        made = [Made("memory", row.id, row.content_hash, packed(found[at])) for at, row in enumerate(part)]
        with store.write() as connection:
            write(connection, store.tenant, encoder.key, encoder.dim, made)


if __name__ == "__main__":
    main()
