"""Measuring: CPU time of this process, the least of several rounds, so that what others do meanwhile hardly counts."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable
from typing import Any


def least(work: Callable[[], Any], rounds: int = 20) -> float:
    """The least CPU time of ``work``, in seconds; run once before, so that statements are compiled and pages cached."""
    work()
    gc.collect()
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def memory(work: Callable[[], Any]) -> tuple[int, int]:
    """Bytes that the result of ``work`` keeps, and the most that were taken at once on the way."""
    work()
    gc.collect()
    tracemalloc.start()
    try:
        kept = work()
        held, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    del kept
    return held, most


def say(what: str, measured: str, budget: str) -> None:
    """One line of the table: what, how much, and what it may cost."""
    print(f"{what:44} {measured:32} {budget}", flush=True)
