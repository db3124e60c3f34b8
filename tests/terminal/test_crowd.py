"""A console among others that open the same store at the same moment."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.terminal.screen import Terminal

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "codex", "version": "1"}}


def asked(number: int, method: str, params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


@pytest.mark.long
def test_D049_six_servers_and_a_console_on_a_folder_that_is_not_there_yet(
    start: Callable[..., Terminal], env: dict[str, str], tmp_path: Path
) -> None:
    terminal = start(columns=140, rows=40)
    servers = [
        subprocess.Popen(
            [sys.executable, "-m", "meminbox", "mcp"],
            env=env,
            cwd=tmp_path / "work",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(6)
    ]
    try:
        for number, one in enumerate(servers):
            assert one.stdin is not None
            call = {"name": "propose_memory", "arguments": {"content": f"Said by server {number}"}}
            one.stdin.write(asked(1, "initialize", HELLO) + asked(2, "tools/call", call))
            one.stdin.flush()
        for one in servers:
            assert one.stdout is not None
            told = {answer["id"]: answer["result"] for answer in (json.loads(one.stdout.readline()) for _ in range(2))}
            assert told[1]["serverInfo"]["name"] == "meminbox"
            assert told[2]["structuredContent"]["status"] in ("pending", "spooled")
        for number in range(6):
            terminal.wait_for(f"Said by server {number}")
        for one in servers:
            one.communicate()
            assert one.returncode == 0
    finally:
        for one in servers:
            if one.poll() is None:
                one.kill()
                one.communicate()
    terminal.send("q")
    assert terminal.wait_end() == 0
    assert b"Traceback" not in terminal.bytes
    checked = subprocess.run([sys.executable, "-m", "meminbox", "verify"], env=env, cwd=tmp_path / "work", check=False)
    assert checked.returncode == 0
