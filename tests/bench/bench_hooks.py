"""What an agent's hooks and a shell's prompt cost: CPU time of the whole child against ``python -c pass`` in this run.

Run from the project's root: ``python -m tests.bench.bench_hooks``. At one memory and at 100,000 with 20,000 proposals
waiting; the budget is that of design section 11. What a hook leaves to its child is not in it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path

import meminbox
from console.terminal import AGENT_VARIABLES
from store import blocks
from store.engine import open_store
from store.location import locate
from store.project import identify
from tests.bench import seed
from tests.bench.bench_start import ROUNDS, cpu
from tests.bench.harness import say
from tests.hook_kit import CODEX, NOT_OURS, said

_SESSION = count()


def main() -> None:
    """Print one line a measure: what, how much, and what it may cost."""
    for memories, proposals in ((1, 0), (100_000, 20_000)):
        with tempfile.TemporaryDirectory() as home:
            project = Path(home) / "shop-api"
            subprocess.run(["git", "init", "-q", os.fspath(project)], check=True)
            kept = {name: value for name, value in os.environ.items() if name not in (*AGENT_VARIABLES, *NOT_OURS)}
            _fill(Path(home), project, memories, proposals)
            _measure(kept | {"MEMINBOX_HOME": home}, project, memories)


def _fill(home: Path, project: Path, memories: int, proposals: int) -> None:
    scopes = (identify(project, git=None).identity, "global", "billing")
    store = open_store(locate(os.fspath(home / "meminbox.db")))
    seed.fill(store, memories_=memories, proposals_=proposals, scopes=scopes)
    blocks.ensure(store)
    store.close()


def _measure(env: dict[str, str], project: Path, memories: int) -> None:
    base = cpu([sys.executable, "-c", "pass"], env=env)
    budget = f"at most {(4 * base + 0.03) * 1000:.0f} ms (4 x {base * 1000:.0f} + 30)"
    for event in ("session-start", "stop", "session-end"):
        command = meminbox.command("hook", event, "--agent", CODEX)
        least = min(cpu(command, env=env, data=_told(event, project), rounds=1) for _ in range(ROUNDS))
        say(f"hook {event}, {memories:,} memories", f"{least * 1000:7.1f} ms", budget)
    for words in (("context",), ("status", "--short")):
        least = cpu(["sh", "-c", f'cd "{project}" && exec "$@"', "sh", *meminbox.command(*words)], env=env)
        say(f"{' '.join(words)}, {memories:,} memories", f"{least * 1000:7.1f} ms", budget)


def _told(event: str, project: Path) -> bytes:
    """What Codex says to a hook, in a session of its own: two hooks of one session at once answer once."""
    return json.dumps(said(CODEX, event, project, session_id=f"s{next(_SESSION)}")).encode()


if __name__ == "__main__":
    main()
