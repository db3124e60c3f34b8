"""What finding costs: search and the few a task needs at 50,000 and 100,000 memories, in an open store and from cold.

Run from the project's root: ``python -m tests.bench.bench_search [ROWS...]``. The budget is design section 11's: from
cold, 1 s beyond loading the encoder. "First" is the first time a store is asked, when every statement is still to be
built.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import meminbox
from console.terminal import AGENT_VARIABLES
from store import retrieval
from store.encoders import Choice, load
from store.engine import Store, open_store
from store.location import locate
from tests.bench.bench_similar import _vectors
from tests.bench.bench_start import cpu
from tests.bench.harness import least, say
from tests.bench.seed import approve, fill

VIEW = ("shop-api", "global")
QUERIES = (
    "number 4242",
    "the tests",
    "run the tests with pytest before every commit",
    "部署",
    "回滚步骤 设备",
    "src/app_4242.py",
    "bench.key_4241",
    "nowhere",
    "e",
)
TASKS = (
    "Change how service 4242 reads its port from the environment, run the tests, and deploy it with Node 20",
    "部署前需要检查哪些设备，编号 77 的回滚步骤写好了吗？请帮我看看。",
)


def main() -> None:
    """Print one line a measure."""
    kept = {name: value for name, value in os.environ.items() if name not in AGENT_VARIABLES}
    for rows in [int(said) for said in sys.argv[1:]] or [50_000, 100_000]:
        with tempfile.TemporaryDirectory() as home:
            os.environ["MEMINBOX_HOME"] = home
            place = str(Path(home) / "meminbox.db")
            store = open_store(locate(place))
            fill(store, memories_=rows)
            approve(store)
            _asked(store, rows)
            encoder = load(Choice())
            assert encoder is not None
            _vectors(store, encoder)
            store.close()
            _cold(place, {**kept, "MEMINBOX_HOME": home}, rows)


def _asked(store: Store, rows: int) -> None:
    for query in QUERIES:
        _say(f"search {rows:,}: {query[:24]}", partial(retrieval.search, store, query, scopes=VIEW))
    for task in TASKS:
        _say(f"needed {rows:,}: {task[:20]}", partial(retrieval.needed, store, task, scopes=VIEW))
    _say(f"search {rows:,} everywhere", lambda: retrieval.search(store, "the tests", scopes=None))
    _say(f"get {rows:,} by the end of an id", lambda: retrieval.get(store, "abcdef", scopes=VIEW))
    _say(f"a page of everything of {rows:,}", lambda: retrieval.everything(store, VIEW, limit=50))


def _say(what: str, work: Callable[[], Any]) -> None:
    began = time.process_time()
    work()
    first = time.process_time() - began
    say(what, f"{first * 1000:6.1f} ms first, {least(work, 5) * 1000:6.1f} ms after", "")


def _cold(place: str, env: dict[str, str], rows: int) -> None:
    """Whole commands in a process of their own, CPU time, beyond a process that only loads the encoder."""
    code = "from store.encoders import Choice, load; load(Choice())"
    loading = cpu([sys.executable, "-c", code], env=env, rounds=5)
    say("loading the encoder", f"{loading:.3f} s", "")
    for what, beyond, arguments in (
        ("search of a key", 0.0, ("search", "bench.key_4241", "--scope", "shop-api", "--json")),
        ("search", loading, ("search", "the tests are run", "--scope", "shop-api", "--json")),
        ("search everywhere", loading, ("search", "the tests are run", "--all", "--json")),
        ("context --task", loading, ("context", "--task", TASKS[0])),
    ):
        spent = cpu(meminbox.command(*arguments, "--db", place), env=env, rounds=5)
        say(f"{what} from cold, {rows:,}", f"{spent:.3f} s, beyond {spent - beyond:.3f} s", "at most 1 s beyond")


if __name__ == "__main__":
    main()
