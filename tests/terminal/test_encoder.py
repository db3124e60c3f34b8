"""The console with the real built-in encoder in its child process: it encodes by itself, and nothing of it remains."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store import indexing
from store.encoders import builtin
from store.engine import open_store
from store.indexing import Progress
from store.location import locate
from tests.terminal.screen import Terminal

pytestmark = pytest.mark.long


def children(of: int) -> list[int]:
    """The processes that a process has started and that still run."""
    told = subprocess.run(["ps", "-o", "pid=", "--ppid", str(of)], capture_output=True, text=True, check=False)
    return [int(one) for one in told.stdout.split()]


def until(true: Callable[[], bool], what: str, seconds: float = 60) -> None:
    for _ in range(int(seconds / 0.1)):
        if true():
            return
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} s: {what}")


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("ending", ["q", "SIGKILL"])
def test_what_waits_is_encoded_beside_the_console_and_its_child_ends_with_it(
    start: Callable[..., Terminal], propose: Callable[..., dict[str, Any]], tmp_path: Path, ending: str
) -> None:
    propose(content="The staging database listens on port 5433", key="db.port")
    propose(content="用 pnpm 安装依赖")
    console = start(MEMINBOX_ENCODER="built-in")
    console.wait_for("db.port")
    store = open_store(locate(str(tmp_path / "data" / "meminbox.db")))
    until(lambda: indexing.progress(store, builtin.identity().key) == Progress(2, 2), "encoded")
    running = children(console.process.pid)
    assert len(running) == 1
    propose(content="Deploys happen on Mondays", session_id="s-2")
    until(lambda: indexing.progress(store, builtin.identity().key) == Progress(3, 3), "the third encoded")
    store.close()
    if ending == "q":
        console.send("q")
        assert console.wait_end() == 0
        assert console.restored()
    else:
        os.kill(console.process.pid, 9)
    until(lambda: not any(alive(one) for one in running), "the child ended", 10)
