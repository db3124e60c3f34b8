"""What one screenful costs: the longest and oddest texts shown by a key, and a window of another size.

Run from the project's root: ``python -m tests.bench.bench_screen [ROWS]``. CPU time of the whole process, the median of
several, beside that of a short text in the same run. A text has at most 16 KiB (design section 4), whatever it holds.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from textual.events import Resize
from textual.geometry import Size

from store import review
from store.admit import admit
from store.context import Context
from store.engine import Store, open_store
from store.facts import Actor
from store.intake import take
from store.location import locate
from store.queries import queue_rows
from tests.bench.bench_console import SCOPES, Painting, running_console
from tests.bench.harness import say
from tests.bench.seed import fill

CAP = 16 * 1024 - 16
TEXTS = {
    "one line of 16 KiB": ("word " * (CAP // 5), "words " * (CAP // 6)),
    "one word of 16 KiB": ("x" * CAP, "y" * CAP),
    "16 KiB of Chinese on one line": ("部署前检查设备清单并确认回滚" * 380, "部署后检查设备清单，确认回滚" * 370),
    "300 blank lines": ("begin" + "\n" * 300 + "end", "begin" + "\n" * 280 + "the end"),
    "5,000 combining marks": ("a" + "\u0301" * 5000, "b" + "\u0301" * 5000 + "c"),
    "4 KB in 60 lines": ("\n".join(f"{n} a line of a long memory, as people write them" for n in range(80)), "other"),
}
SIZES = ((80, 24), (140, 40), (100, 30), (120, 40))
ROUNDS = 7


def main() -> None:
    """Print one line a measure."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_texts(Path(folder) / "texts.db"))
        store = open_store(locate(str(Path(folder) / "many.db")))
        fill(store, proposals_=rows, scopes=SCOPES)
        store.close()
        asyncio.run(_resized(Path(folder) / "many.db", rows))


def _propose(store: Store, content: str, key: str | None) -> str:
    admitted = admit(json.dumps({"content": content, "key": key, "kind": "fact", "session_id": "s"}).encode())
    assert not admitted.refusals, admitted.refusals
    with store.write() as connection:
        context = Context(scope=SCOPES[0], label=SCOPES[0], branch="main")
        (outcome,) = take(store, connection, admitted.proposals, context=context)
    assert outcome.id is not None, outcome
    return outcome.id


async def _texts(db: Path) -> None:
    """Each text as an addition and as a change of another as long, reached from a short one by a key."""
    store = open_store(locate(str(db)))
    ada = Actor("ada", "cli")
    named = {}
    for number, (what, (old, new)) in enumerate([("a short text", ("Use uv.", "Use uv, not pip.")), *TEXTS.items()]):
        before = _propose(store, old, f"text.n{number}")
        review.approve(store, queue_rows(store, [before])[0].seen(), by=ada)
        named[_propose(store, old + " more", None)] = f"{what}, new"
        named[_propose(store, new, f"text.n{number}")] = f"{what}, changed"
        _propose(store, f"between {number}", None)
    store.close()
    costs: dict[str, list[tuple[float, float]]] = {}
    async with running_console(db) as app:
        for _ in range(ROUNDS):
            for id_, what in named.items():
                place = app.queue.model.index(id_)
                assert place is not None
                app.queue.listing.go_to(app.queue.model[place + 1 if place + 1 < len(app.queue.model) else place - 1])
                await app.settled()
                key = "up" if place + 1 < len(app.queue.model) else "down"
                own = time.thread_time()
                _, whole = await app.key(key)
                costs.setdefault(what, []).append((time.thread_time() - own, whole))
                assert app.queue.listing.cursor_id == id_
    for what, several in costs.items():
        own, whole = (median(one[part] for one in several) * 1000 for part in (0, 1))
        say(f"shown by a key: {what}", f"{whole:6.1f} ms, UI thread {own:6.1f} ms", "at most 100 ms")


async def _resized(db: Path, rows: int) -> None:
    """A window that gets another size: what is painted for it, and what that costs."""
    costs: list[tuple[int, float]] = []
    async with running_console(db) as app:
        for width, height in SIZES * 3:
            painted, began = app.painted, time.process_time()
            app.app.post_message(Resize(Size(width, height), Size(width, height)))
            await asyncio.sleep(0)
            await app.settled()
            costs.append((app.painted - painted, time.process_time() - began))
        await _burst(app, rows)
    number, cost = median(n for n, _ in costs), median(c for _, c in costs)
    say(f"a window of another size at {rows:,}", f"{cost * 1000:6.1f} ms, painted {number:.0f} x", "once")


async def _burst(app: Painting, rows: int) -> None:
    """A window being dragged: thirty sizes at once."""
    painted, began = app.painted, time.process_time()
    for step in range(30):
        size = Size(100 + step, 30)
        app.app.post_message(Resize(size, size))
    await asyncio.sleep(0)
    await app.settled()
    cost = time.process_time() - began
    say(f"thirty sizes in one go at {rows:,}", f"{cost * 1000:6.1f} ms, painted {app.painted - painted} x", "")


if __name__ == "__main__":
    main()
