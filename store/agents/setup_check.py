"""Whether what was written works: the server is started and asked for its tools, the hook is run once.

Both run as an agent would run them, with the few variables that agents hand on, and on a store in a folder that is
thrown away: a trial leaves no trace among what agents were really given.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from store.agents.roster import hook_argv, split_argv

SECONDS: Final = 20.0
"""The longest that a server or a hook is waited for; a loaded machine may take a while."""
_HANDED_ON: Final = ("HOME", "PATH", "LANG", "LC_ALL", "TMPDIR", "USER", "LOGNAME", "SHELL", "TERM")
_MOST: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Checked:
    """How a trial went: ``what`` was tried ("server", "hook"), whether it works, and what to say of it."""

    what: str
    works: bool
    said: str


def server(argv: Sequence[str], folder: Path, environ: Mapping[str, str] = os.environ) -> Checked:
    """Start a server by its command line, greet it, and count its tools."""
    try:
        return _server(argv, folder, environ)
    except OSError as error:
        return _untried("server", error)


def _server(argv: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Checked:
    with tempfile.TemporaryDirectory(prefix="meminbox-trial-", ignore_cleanup_errors=True) as aside:
        command = _aside(argv, aside, folder)
        try:
            running = subprocess.Popen(
                command,
                cwd=folder,
                env=_environment(environ),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            return Checked("server", False, f"{command[0]} cannot be started: {error.strerror or error}.")
        try:
            answer = _ask(running)
        finally:
            running.kill()
            _, said = running.communicate()
    if answer is None:
        last = said.decode("utf-8", "replace").strip().rpartition("\n")[2][:300]
        return Checked("server", False, f"The server gave no answer{f': {last}' if last else '.'}")
    return Checked("server", True, f"The server answers, with {len(answer)} tools.")


def hook(argv: Sequence[str], agent: str, name: str, folder: Path, environ: Mapping[str, str] = os.environ) -> Checked:
    """Run the hook of a session's start (``name`` as the agent calls it) by the server's command line."""
    try:
        return _hook(argv, agent, name, folder, environ)
    except OSError as error:
        return _untried("hook", error)


def _untried(what: str, error: OSError) -> Checked:
    """No folder could be made for the trial: a full disk, most likely."""
    return Checked(what, False, f"The {what} could not be tried: {error.strerror or error}.")


def _hook(argv: Sequence[str], agent: str, name: str, folder: Path, environ: Mapping[str, str]) -> Checked:
    with tempfile.TemporaryDirectory(prefix="meminbox-trial-", ignore_cleanup_errors=True) as aside:
        command = hook_argv(_aside(argv, aside, folder), "session-start", agent)
        given = {"hook_event_name": name, "session_id": "meminbox-setup", "cwd": str(folder), "source": "startup"}
        try:
            ran = subprocess.run(
                command,
                cwd=folder,
                env=_environment(environ),
                input=json.dumps(given).encode(),
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Checked("hook", False, f"The hook did not end within {SECONDS:g} seconds.")
        except OSError as error:
            return Checked("hook", False, f"{command[0]} cannot be started: {error.strerror or error}.")
    said = ran.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:300]
    if ran.returncode != 0:
        return Checked("hook", False, f"The hook ended with {ran.returncode}{f': {said}' if said else '.'}")
    if not _is_answer(ran.stdout):
        return Checked("hook", False, "The hook answered with something that is no JSON.")
    return Checked("hook", True, "The hook runs.")


def _is_answer(said: bytes) -> bool:
    if not said.strip():
        return True
    try:
        return isinstance(json.loads(said), dict)
    except ValueError:
        return False


def _aside(argv: Sequence[str], aside: str, folder: Path) -> list[str]:
    """The command line on a store of the trial's own."""
    program, options = split_argv(argv)
    if "--db" in options:
        place = options.index("--db")
        del options[place : place + 2]
    options = [one.replace("${workspaceFolder}", str(folder)) for one in options]
    return [*program, "mcp", *options, "--db", os.path.join(aside, "meminbox.db")]


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    handed_on = {name: environ[name] for name in _HANDED_ON if name in environ}
    return {
        **handed_on,
        "MEMINBOX_TRIAL": "1",
    }  # so that the hook leaves no child behind, at work in a folder that goes


def _ask(running: subprocess.Popen[bytes]) -> list[Any] | None:
    """The tools that a server names; None where it does not answer in time, or not as MCP has it."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "meminbox-setup", "version": "1"},
    }
    said = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}},
    ]
    assert running.stdin is not None
    try:
        running.stdin.write(json.dumps(said[0]).encode() + b"\n")
        running.stdin.flush()
        reader = _Lines(running, time.monotonic() + SECONDS)
        if reader.answer(1) is None:
            return None
        running.stdin.write(b"".join(json.dumps(one).encode() + b"\n" for one in said[1:]))
        running.stdin.flush()
    except BrokenPipeError:
        return None
    tools = (reader.answer(2) or {}).get("tools")
    return tools if isinstance(tools, list) else None


class _Lines:
    """The lines of a process's output, read until a moment (monotonic seconds)."""

    def __init__(self, running: subprocess.Popen[bytes], until: float) -> None:
        assert running.stdout is not None
        self.out = running.stdout
        self.until = until
        self.held = b""

    def answer(self, number: int) -> dict[str, Any] | None:
        """The result of one request; None where none comes in time."""
        while True:
            while b"\n" in self.held:
                line, _, self.held = self.held.partition(b"\n")
                try:
                    message = json.loads(line)
                except ValueError:
                    return None
                if isinstance(message, dict) and message.get("id") == number and "method" not in message:
                    result = message.get("result")
                    return result if isinstance(result, dict) else None
            if not self._more():
                return None

    def _more(self) -> bool:
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.out, selectors.EVENT_READ)
            if not waiting.select(max(0.0, self.until - time.monotonic())):
                return False
        more = os.read(self.out.fileno(), 65536)
        self.held += more
        return bool(more) and len(self.held) < _MOST
