"""``meminbox mcp``: an MCP server over stdio. Light: the client is answered before the SDK is imported.

The SDK takes a second of CPU to import, several on a loaded machine, and clients differ in how long they wait. So what
every client asks first is answered here, from plain values; the SDK is told the same and goes on with it. The probe of
newer clients, ``server/discover``, is answered with "method not found": then every client takes the handshake.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from store.agents.offers import LISTS, initialized
from store.agents.stdio import Message, Wire
from store.location import Location, locate

METHOD_NOT_FOUND: Final = -32601
ENVELOPE: Final = "io.modelcontextprotocol/protocolVersion"
"""What marks a request of the protocol without a handshake; such a one is left to the SDK."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What ``mcp`` was called with. ``project`` is a folder that overrides what the client says."""

    project: str | None = None
    db: str | None = None


def main(arguments: Sequence[str]) -> int | None:
    """Serve one client until it goes, and end the process; None for help and mistakes, which Typer answers."""
    asked = parse(arguments)
    if asked is None:
        return None
    location = locate(asked.db)
    by_hand = sys.stdin.isatty()
    if by_hand:
        words = "This is the MCP server, which agents start: `meminbox setup` connects them. Ctrl-D ends it."
        print(words, file=sys.stderr)
    else:
        # A Ctrl-C in the terminal is for the agent, and reaches its children too. If it ends the agent, stdin ends.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    wire = Wire(Front().answer)
    wire.start()
    _serve(wire, location, asked.project)
    sys.stderr.flush()
    wire.leave()
    return 0


def parse(arguments: Sequence[str]) -> Asked | None:
    """Arguments as they are usually given; None for anything else."""
    said: dict[str, str] = {}
    rest = iter(arguments)
    for one in rest:
        name, equals, value = one.partition("=")
        given = value if equals else next(rest, None)
        if name not in ("--project", "--db") or given is None:
            return None
        said[name[2:]] = given
    return Asked(**said)


def _serve(wire: Wire, location: Location, project: str | None) -> None:
    gc.disable()  # looking for garbage takes a fifth of the time of the imports; the server goes on with it after them
    from store.agents.server import serve

    serve(wire, location, project, os.environ)


class Front:
    """What needs no SDK, for one client."""

    def __init__(self) -> None:
        self._greeted = False

    def answer(self, message: Message) -> tuple[Message | None, Message | None]:
        """What is said at once to a message, and what of it the SDK is given."""
        method, asked_by = message.get("method"), message.get("id")
        if not isinstance(method, str) or not isinstance(asked_by, str | int):
            return None, message
        if method == "server/discover":
            return _error(asked_by, METHOD_NOT_FOUND, "Method not found"), None
        if method == "initialize" and not self._greeted:
            passed = _initialize(message)
            if passed is None:
                return None, message
            self._greeted = True
            return _result(asked_by, initialized(passed["params"]["protocolVersion"])), passed
        proper = message.get("jsonrpc") == "2.0" and self._greeted
        if method == "ping" and proper and _plain(message.get("params")):
            return _result(asked_by, {}), None  # however many calls are in its way
        if method in LISTS and self._greeted and _plain(message.get("params")):
            return _result(asked_by, LISTS[method]), None
        return None, message


def _initialize(message: Message) -> Message | None:
    """A handshake that the SDK is sure to take: of what the client says only what is used. None for no proper one."""
    params = message.get("params")
    said = params if isinstance(params, dict) else {}
    version, can, client = said.get("protocolVersion"), said.get("capabilities"), said.get("clientInfo")
    if not (isinstance(version, str) and isinstance(can, dict) and isinstance(client, dict)):
        return None
    who = {name: client.get(name) for name in ("name", "version")}
    if not all(isinstance(value, str) for value in who.values()):
        return None
    kept: dict[str, Any] = {"roots": {}} if isinstance(can.get("roots"), dict) else {}
    params = {"protocolVersion": version, "capabilities": kept, "clientInfo": who}
    return {"jsonrpc": "2.0", "id": message["id"], "method": "initialize", "params": params}


def _plain(params: object) -> bool:
    """Whether a list is asked for from its beginning, and not in the protocol without a handshake."""
    if params is None:
        return True
    if not isinstance(params, dict) or params.get("cursor") is not None:
        return False
    meta = params.get("_meta")
    return meta is None or (isinstance(meta, dict) and ENVELOPE not in meta)


def _result(asked_by: str | int, result: dict[str, Any]) -> Message:
    return {"jsonrpc": "2.0", "id": asked_by, "result": result}


def _error(asked_by: str | int, code: int, why: str) -> Message:
    return {"jsonrpc": "2.0", "id": asked_by, "error": {"code": code, "message": why}}
