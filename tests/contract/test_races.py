"""Many processes at one store, and processes killed at any moment: nothing refused, nothing lost, nothing doubled."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from store import desk, spool
from store.engine import Store
from store.location import Location
from store.models import DecisionRow
from store.verify import verify
from tests.contract.proposing import PROPOSAL, count, rows

ROOT = Path(__file__).parents[2]
DECISION = DecisionRow.__table__  # type: ignore[attr-defined]


def start(location: Location, verb: str, *rest: object, **how: Any) -> subprocess.Popen[str]:
    """A child of ``tests.contract.racing`` with nothing of the developer's environment but the path."""
    where = location.url or str(location.path)
    command = [sys.executable, "-m", "tests.contract.racing", verb, where, str(location.folder), *map(str, rest)]
    clean = {"PATH": os.environ["PATH"], "HOME": str(location.folder), "MEMINBOX_HOME": str(location.folder)}
    return subprocess.Popen(command, cwd=ROOT, env=clean, stdout=subprocess.PIPE, text=True, **how)


def said(child: subprocess.Popen[str]) -> list[dict[str, Any]]:
    """All that a child said; it must have ended well."""
    out, _ = child.communicate(timeout=120)
    assert child.returncode == 0
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.long
def test_D044_twenty_processes_times_ten_proposals(location: Location, store: Store) -> None:
    told = said(start(location, "crowd", "once", 20, 10))
    assert len(told) == 200
    assert {outcome["status"] for outcome in told} <= {"pending", "spooled"}
    desk.drain(store)
    assert count(store, PROPOSAL) == 200
    assert len({row.content for row in rows(store, PROPOSAL)}) == 200
    assert verify(store) is None


@pytest.mark.long
def test_eight_processes_propose_2400_and_one_decides_none_refused_none_lost(
    location: Location, store: Store, tmp_path: Path
) -> None:
    stop = tmp_path / "stop"
    decider = start(location, "decide", stop)
    told = said(start(location, "crowd", "many", 8, 30, 10))
    stop.touch()
    (result,) = said(decider)
    assert len(told) == 2400
    assert {outcome["status"] for outcome in told} <= {"pending", "spooled"}
    desk.drain(store)
    assert spool.files(location.spool) == []
    statuses = Counter(row.status for row in rows(store, PROPOSAL))
    assert statuses.total() == 2400
    assert {row.id for row in rows(store, PROPOSAL)} == {outcome["id"] for outcome in told}
    assert statuses["approved"] + statuses["rejected"] == result["decided"] == count(store, DECISION)
    assert result["decided"] > 0
    assert set(statuses) <= {"pending", "approved", "rejected"}
    assert verify(store) is None


class Zygote:
    """Forks children that propose until they are killed, so that thirty kills cost one interpreter start."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        self._child = child

    def killed_after(self, name: str, seconds: float, acks: int) -> list[dict[str, Any]]:
        """Let a child propose and kill it ``seconds`` after its first ``acks`` acks; the lines it acknowledged."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(name + "\n")
        self._child.stdin.flush()
        pid, told, timer = 0, [], None
        for line in self._child.stdout:
            value = json.loads(line)
            pid = value.get("child", pid)
            if "ack" in value:
                told.append(value)
            if pid and timer is None and len(told) >= acks:
                timer = threading.Timer(seconds, os.kill, (pid, signal.SIGKILL))
                timer.start()
            if "ended" in value:
                break
        return told


@contextmanager
def zygote(location: Location) -> Iterator[Zygote]:
    child = start(location, "zygote", stdin=subprocess.PIPE)
    try:
        yield Zygote(child)
    finally:
        child.communicate(timeout=60)


@pytest.mark.long
def test_killed_anywhere_in_propose_what_was_acknowledged_is_there_once(location: Location, store: Store) -> None:
    chance = random.Random(105)
    acknowledged: list[str] = []
    with zygote(location) as forks:
        for round_ in range(30):
            told = forks.killed_after(f"round {round_}", chance.uniform(0, 0.06), chance.choice([0, 0, 3]))
            acknowledged += [one["ack"] for one in told]
            assert {one["status"] for one in told} <= {"pending", "spooled"}
            if round_ % 3 == 0:
                desk.drain(store)
    desk.drain(store)
    held = Counter(row.content for row in rows(store, PROPOSAL))
    assert acknowledged
    assert set(acknowledged) <= set(held)
    assert set(held.values()) == {1}
    assert {row.mentions for row in rows(store, PROPOSAL)} == {1}
    # No half of a call: its three lines are there, or none of them is.
    calls = Counter(content.rpartition(" ")[0] for content in held)
    assert set(calls.values()) == {3}
    assert spool.files(location.spool) == []
    assert verify(store) is None
