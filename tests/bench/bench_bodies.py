"""D116: what a key costs where every row has a body of 4 KB in many lines, at 5,000 and at 20,000 rows.

Run from the project's root: ``python -m tests.bench.bench_bodies [ROWS...]``. CPU time, the median of many, until the
next painting and until the detail has come.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from itertools import islice
from pathlib import Path
from statistics import median

from sqlalchemy import insert

from store.engine import open_store
from store.entry import content_hash, fingerprint
from store.location import locate
from store.models import ProposalRow
from tests.bench.bench_console import SCOPES, running_console
from tests.bench.harness import say
from tests.bench.seed import proposals

LINES = 60
KEYS = 40


def main() -> None:
    """Print one line a measure."""
    with tempfile.TemporaryDirectory() as folder:
        for rows in [int(said) for said in sys.argv[1:]] or [5_000, 20_000]:
            asyncio.run(_keys(_filled(Path(folder), rows), rows))


def _filled(folder: Path, rows: int) -> Path:
    path = folder / f"{rows}.db"
    store = open_store(locate(str(path)))
    table = ProposalRow.__table__  # type: ignore[attr-defined]
    made = proposals(store.tenant, rows, scopes=SCOPES)
    while part := list(islice(made, 1000)):
        for row in part:
            text = "\n".join(f"{number}. {row['content']}"[:68] for number in range(LINES))
            row |= {
                "content": text,
                "content_hash": content_hash(text),
                "fingerprint": fingerprint(row["scope"], "add", text),
            }
        with store.write() as connection:
            connection.execute(insert(table), part)
    store.close()
    return path


async def _keys(db: Path, rows: int) -> None:
    async with running_console(db) as app:
        for key, times in (("down", KEYS), ("pagedown", KEYS // 2), ("tab", KEYS // 2)):
            costs = [await app.key(key) for _ in range(times)]
            painted, all_of_it = (median(one[part] for one in costs) * 1000 for part in (0, 1))
            say(f"key {key} at {rows:,} of 4 KB", f"{painted:5.1f} ms, {all_of_it:5.1f} ms in all", "at most 100 ms")


if __name__ == "__main__":
    main()
