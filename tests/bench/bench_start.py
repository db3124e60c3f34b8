"""How much CPU time the command line takes from start to end, against ``python -c pass`` in the same run.

Run from the project's root: ``python -m tests.bench.bench_start``. CPU time of the child, the least of several runs:
what other programs do meanwhile hardly counts. The budgets are those of design section 11.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import meminbox
from console.terminal import AGENT_VARIABLES
from store import blocks
from store.engine import open_store
from store.location import locate
from store.project import identify
from tests.bench.harness import say
from tests.bench.seed import approve, fill

ROUNDS = 9
LARGE = 100_000
_UNTIL_DURABLE = """
import os, sys, meminbox
meminbox.claim()
from store import spool
put = spool.put
def put_and_stop(*given):
    put(*given)
    os._exit(0)
spool.put = put_and_stop
sys.exit(meminbox.main(["propose", "-"]))
"""


def cpu(
    command: list[str], *, env: dict[str, str], data: bytes = b"", rounds: int = ROUNDS, cwd: Path | None = None
) -> float:
    """The least CPU time in seconds, user and system, of ``rounds`` runs that all end with 0."""
    least = float("inf")
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = subprocess.run(command, env=env, input=data, cwd=cwd, capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if ended.returncode != 0:
            raise SystemExit(f"{command}: ended with {ended.returncode}\n{ended.stderr.decode()}")
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least


def lines(number: int, start: int = 0) -> bytes:
    """So many different proposals as JSON lines."""
    said = ({"content": f"Service {start + n} listens on port {n}", "session_id": f"s{n % 50}"} for n in range(number))
    return "".join(json.dumps(one) + "\n" for one in said).encode()


def main() -> None:
    """Print one line a measure: what, how much, and what it may cost."""
    with tempfile.TemporaryDirectory() as home:
        kept = {name: value for name, value in os.environ.items() if name not in AGENT_VARIABLES}
        env = {**kept, "MEMINBOX_HOME": home}
        _start(env)
        _propose(env, Path(home))
    for rows in (1, LARGE):
        with tempfile.TemporaryDirectory() as home:
            _given({**env, "MEMINBOX_HOME": home}, Path(home), rows)


def _start(env: dict[str, str]) -> None:
    base = cpu([sys.executable, "-c", "pass"], env=env)
    for name in ("--version", "--help"):
        say(name, f"{cpu(meminbox.command(name), env=env) / base:5.1f} x `python -c pass`", "at most 9")


def _agents_shell(home: Path) -> dict[str, str]:
    """The environment of a shell command of Claude Code, in a long session: the user spoke 3 MB ago."""
    session = "fc1abbb2-58fb-4987-9d00-f6579bb0d53b"
    folder = home / ".claude" / "projects" / "-elsewhere"
    folder.mkdir(parents=True)
    part = {"type": "tool_result", "content": [{"type": "text", "text": "y" * 3_000}]}
    result = json.dumps({"type": "user", "message": {"role": "user", "content": [part]}}, separators=(",", ":"))
    said = {"type": "user", "message": {"role": "user", "content": "From now on use uv"}}
    with (folder / f"{session}.jsonl").open("w", encoding="utf-8") as out:
        out.write(f"{result}\n" * 18_000)
        out.write(json.dumps(said, separators=(",", ":")) + "\n")
        out.write(f"{result}\n" * 1_000)
    return {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": session, "HOME": str(home)}


def _given(env: dict[str, str], home: Path, rows: int) -> None:
    """What runs at every prompt and at every session's start, in a project with so many memories and proposals."""
    project = home / "shop-api"
    project.mkdir()
    scope = identify(project, git=None).identity
    store = open_store(locate(None, env))
    fill(store, proposals_=rows, memories_=rows, scopes=(scope,))
    approve(store)
    blocks.ensure(store)
    store.close()
    base = cpu([sys.executable, "-c", "pass"], env=env)
    starts = {"session_id": "bench", "hook_event_name": "SessionStart", "source": "startup", "cwd": str(project)}
    for name, said in (
        ("context", b""),
        ("status --short", b""),
        ("hook session-start --agent claude-code", json.dumps(starts).encode()),
    ):
        took = cpu(meminbox.command(*name.split()), env=env, data=said, cwd=project)
        budget = f"at most {4 * base + 0.03:5.3f} s, 4 x `python -c pass` + 30 ms"
        say(f"{name.partition(' --agent')[0]}, {rows:,} memories", f"{took:6.3f} s", budget)


def _propose(env: dict[str, str], home: Path) -> None:
    def told(data: Callable[[], bytes], rounds: int) -> float:
        runs = (cpu(meminbox.command("propose", "-"), env=env, data=data(), rounds=1) for _ in range(rounds))
        return min(runs)

    counter = iter(range(0, 10_000_000, 20_000))
    told(lambda: lines(1, next(counter)), 1)  # the first one makes the store
    durable = cpu([sys.executable, "-c", _UNTIL_DURABLE], env=env, data=lines(1, next(counter)))
    shell = env | _agents_shell(home)
    said = b'{"content": "Use uv"}\n'
    in_a_shell = cpu([sys.executable, "-c", _UNTIL_DURABLE], env=shell, data=said)
    for left in (home / "meminbox.db.spool").glob("*.jsonl"):
        left.unlink()
    one = told(lambda: lines(1, next(counter)), ROUNDS)
    say("propose, until it is durable", f"{durable:6.3f} s", "at most 0.12 s")
    say("the same in an agent's shell, transcript of 60 MB", f"{in_a_shell:6.3f} s", "at most 0.12 s")
    say("propose, until the outcome is told", f"{one:6.3f} s", "at most 0.9 s")
    thousand = told(lambda: lines(1_000, next(counter)), 3) - one
    say("propose of 1,000, beyond start-up", f"{thousand:6.3f} s", "at most 1.0 s")
    ten = told(lambda: lines(10_000, next(counter)), 1) - one
    say("propose of 10,000 against 1,000", f"{ten / thousand:5.1f} x", "at most 10")


if __name__ == "__main__":
    main()
