"""``meminbox hook`` as a process: its streams, its child, what it imports, and kills at any moment (D105)."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import meminbox
from store import notes, spool
from store.admit import Raw, admit_values
from store.context import Context
from store.ids import new_id
from store.location import locate
from store.redact import redact
from store.spool import Line
from tests import hook_kit
from tests.cli_kit import Cli
from tests.hook_kit import CODEX, SESSION


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop", env=dict(hook_kit.NOT_OURS))


def rows(cli: Cli, statement: str) -> list[tuple[Any, ...]]:
    raw = sqlite3.connect(cli.db)
    try:
        return raw.execute(statement).fetchall()
    finally:
        raw.close()


def test_closed_and_full_streams_are_no_failure(cli: Cli) -> None:
    """The store is nowhere, so that there is something to say and nothing for a child to do."""
    cli.env["MEMINBOX_DB"] = "nowhere://"
    line = " ".join(f"'{word}'" for word in meminbox.command("hook", "session-start", "--agent", "claude-code"))
    for streams, said in (("<&-", 1), ("</dev/null >&-", 0), ("</dev/null >/dev/full", 0), ("<&- >&- 2>&-", 0)):
        ran = subprocess.run(["sh", "-c", f"{line} {streams}"], env=cli.env, cwd=cli.folder, capture_output=True)
        assert (ran.returncode, ran.stderr, ran.stdout.count(b"\n")) == (0, b"", said), streams


SUBREAPER = """
import ctypes, json, os, subprocess, sys
ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: orphans become ours to wait for
ran = subprocess.run(json.loads(sys.argv[1]), input=sys.argv[2].encode(), capture_output=True)
heavy = {"sqlalchemy", "sqlmodel", "pydantic", "textual", "typer", "rich", "mcp", "numpy"}
children = 0
try:
    while True:
        os.wait()
        children += 1
except ChildProcessError:
    told = {"code": ran.returncode, "out": ran.stdout.decode(), "err": ran.stderr.decode(), "children": children}
    print(json.dumps(told))
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="only Linux hands orphans on")  # noqa: PTH110
def test_a_child_that_holds_nothing_of_the_agents_takes_in_what_waits(cli: Cli) -> None:
    """The answer is whole when the hook has ended: the child that goes on has none of its pipes."""
    cli.approved(content="Use uv")
    command = meminbox.command("hook", "session-start", "--agent", "codex")
    told = json.dumps(hook_kit.said(CODEX, "session-start", cli.folder))
    ran = subprocess.run(
        [sys.executable, "-c", SUBREAPER, json.dumps(command), told],
        env=cli.env,
        cwd=cli.folder,
        capture_output=True,
        check=True,
        timeout=60,
    )
    result = json.loads(ran.stdout)
    assert (result["code"], result["err"], result["children"]) == (0, "", 1)
    assert "Use uv" in result["out"]
    assert notes.files(cli.home / "meminbox.db.notes") == []
    assert rows(cli, "SELECT session_id FROM handout") == [(SESSION,)]


def test_a_hook_imports_nothing_heavy(cli: Cli) -> None:
    cli.approved(content="Use uv")
    code = (
        "import sys\n"
        "before = {*sys.modules}\n"
        "import meminbox\n"
        "from store.agents import hook_later\n"
        "hook_later.spawn = lambda db: None\n"
        "for event in ('session-start', 'stop', 'session-end'):\n"
        "    assert meminbox.main(['hook', event, '--agent', 'codex']) == 0\n"
        "heavy = {'sqlalchemy', 'pydantic', 'textual', 'typer', 'rich', 'mcp', 'subprocess', 'typing', 'dataclasses'}\n"
        "print(sorted(heavy & {*sys.modules} - before), file=sys.stderr)\n"
    )
    root = Path(meminbox.__file__).resolve().parent
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**cli.env, "PYTHONPATH": str(root)},
        cwd=cli.folder,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    assert ran.stderr == b"[]\n"
    assert b"Use uv" in ran.stdout


@pytest.mark.long
def test_D105_a_hook_killed_at_any_moment_loses_nothing_and_what_it_gave_is_noted(cli: Cli) -> None:
    """Thirty kills of hooks and of their children: every line of the spool is taken in once, every block is noted."""
    dice = random.Random(105)
    cli.approved(content="Use uv")
    given: set[str] = set()
    for round_ in range(30):
        spooled(cli, [f"round {round_} fact {number}" for number in range(5)])
        told = hook_kit.said(CODEX, "session-start", cli.folder, session_id=f"s{round_}")
        # Every tenth runs to its end, however slow the machine is just now.
        after = None if round_ % 10 == 0 else dice.uniform(0.0, 0.25)
        out = killed(cli, ("session-start", "--agent", CODEX), after, json.dumps(told).encode())
        if out.endswith(b"}\n"):
            given.add(f"s{round_}")
        killed(cli, ("later",), dice.uniform(0.2, 1.2), b"")
    assert {"s0", "s10", "s20"} <= given
    cli("hook", "later")
    kept = [one["content"] for one in cli.waiting()]
    assert sorted(kept) == sorted(f"round {round_} fact {number}" for round_ in range(30) for number in range(5))
    handed = rows(cli, "SELECT id, session_id FROM handout")
    assert given <= {session for _, session in handed}
    assert len(handed) == len({one for one, _ in handed})
    assert cli("verify").code == 0


def killed(cli: Cli, event: tuple[str, ...], after: float | None, data: bytes) -> bytes:
    """What a hook has said when it is killed ``after`` seconds (None: never), or has ended before."""
    hook = subprocess.Popen(
        meminbox.command("hook", *event),
        env=cli.env,
        cwd=cli.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        return hook.communicate(data, timeout=after)[0]
    except subprocess.TimeoutExpired:
        hook.kill()
        return hook.communicate()[0]


def spooled(cli: Cli, contents: list[str]) -> None:
    """Proposals that are durable, and not yet in the store: as ``propose`` leaves them where it is killed."""
    place = locate(None, cli.env)
    raws = [one for one in admit_values([{"content": content} for content in contents]) if isinstance(one, Raw)]
    now, context = datetime.now(UTC), Context(scope="shop")
    spool.put(place.spool, [Line(id=new_id(), raw=redact(raw), context=context, at=now) for raw in raws])
