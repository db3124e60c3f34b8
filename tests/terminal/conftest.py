"""A console in a pty, on a store of its own, with no agent's environment about it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.terminal.screen import Terminal


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """The environment of a person's shell: nothing of ours, and nothing of an agent's."""
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "home"),
        "MEMINBOX_HOME": str(tmp_path / "data"),
        "MEMINBOX_ACTOR": "ada",
        "MEMINBOX_ENCODER": "words",  # the tests of encoders have theirs
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
    }


@pytest.fixture
def start(env: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Start ``meminbox`` with some arguments in a pty; whatever still runs at the end is ended."""
    running: list[Terminal] = []

    def begin(*arguments: str, columns: int = 80, rows: int = 24, **more: str) -> Terminal:
        command = [sys.executable, "-m", "meminbox", *arguments]
        terminal = Terminal(command, env=env | more, columns=columns, rows=rows, cwd=tmp_path / "work")
        running.append(terminal)
        return terminal

    yield begin
    for terminal in running:
        terminal.close()


@pytest.fixture
def propose(env: dict[str, str], tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Propose from another process, as an agent does, and return the result line."""

    def run(**fields: Any) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-m", "meminbox", "propose", "-"],
            input=json.dumps({"source_agent": "codex", "session_id": "s-1", **fields}).encode(),
            env=env,
            cwd=tmp_path / "work",
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr.decode()
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    return run
