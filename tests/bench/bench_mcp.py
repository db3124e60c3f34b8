"""How long an agent waits for the MCP server: wall time from its start, alone and as six at once on a fresh store.

Run from the project's root: ``python -m tests.bench mcp``. Wall time, because that is what a client counts, so other
programs count too: look at the load beside it. The least of a few runs for one server; for six, one run, the slowest.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import meminbox
from console.terminal import AGENT_VARIABLES
from tests.bench.harness import say

ROUNDS = 3
CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class Waited(NamedTuple):
    """Seconds from the start to the handshake, to the list of tools, to the outcome of a proposal; and to go."""

    shaken: float
    listed: float
    told: float
    gone: float


def main() -> None:
    """Print one line a measure: what, how much, and what it may cost."""
    kept = {name: value for name, value in os.environ.items() if name not in AGENT_VARIABLES}
    load = f"load {os.getloadavg()[0]:.1f}"
    with tempfile.TemporaryDirectory() as home:
        env = {**kept, "MEMINBOX_HOME": f"{home}/one", "HOME": home}
        _say(
            f"one server, {load}", [min(column) for column in zip(*(_one(env, n) for n in range(ROUNDS)), strict=True)]
        )
        env["MEMINBOX_HOME"] = f"{home}/six"
        with ThreadPoolExecutor(6) as pool:
            six = list(pool.map(lambda number: _one(env, number), range(6)))
        _say("six at once", [max(column) for column in zip(*six, strict=True)])


def _say(who: str, waited: list[float]) -> None:
    budgets = ("at most 2 s", "at most 8 s for six", "", "at most 2 s")
    for what, seconds, budget in zip(Waited._fields, waited, budgets, strict=True):
        say(f"{who}: {what}", f"{seconds:6.2f} s", budget)


def _one(env: dict[str, str], number: int) -> Waited:
    began = time.monotonic()
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(meminbox.command("mcp"), env=env, cwd=env["HOME"], **pipes) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        said = {"name": "propose_memory", "arguments": {"content": f"Of server {number} at {began}"}}
        asked = [("initialize", 1, CLIENT), ("notifications/initialized", None, {}), ("tools/list", 2, {})]
        for method, own, params in [*asked, ("tools/call", 3, said)]:
            message = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if own is None else {"id": own})
            server.stdin.write(json.dumps(message).encode() + b"\n")
        server.stdin.flush()
        at = {}
        while 3 not in at:
            answer = json.loads(server.stdout.readline())
            at[answer["id"]] = time.monotonic() - began
        closed = time.monotonic()
        server.stdin.close()
        server.wait()
        return Waited(at[1], at[2], at[3], time.monotonic() - closed)


if __name__ == "__main__":
    main()
