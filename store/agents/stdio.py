"""The pipes of an MCP server: stdin read by a thread of its own, stdout for JSON-RPC and nothing else. Light.

``Wire`` takes file descriptors 0 and 1 for itself: whatever else in this process prints goes to stderr, and whatever
reads finds nothing. Its thread answers what needs no SDK (``Front``), and hands on the rest as decoded values.

The process is gone within two seconds of the end of its client: of stdin's end, of a stdout that nobody reads, of the
death of the parent (which another holder of the pipe may hide from us).
"""

from __future__ import annotations

import json
import os
import select
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Final

from store.decoding import Bad, NotDecoded, decode

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
INVALID_PARAMS: Final = -32602
MOST_LINE: Final = 8 * 1024 * 1024
"""Bytes of one message; a longer one is not read."""
AT_ONCE: Final = 4096
"""Bytes that a pipe with room takes without blocking."""
LOOK_AROUND: Final = 0.5
"""Seconds between two looks whether the parent lives."""
GRACE: Final = 0.8
"""Seconds that calls already made have to be answered in after stdin's end."""
LAST: Final = 1.2
"""Seconds after which the process ends, whatever still runs in it. What was answered is on the disk; how many were not
is said on stderr (such as those made before the first imports were done)."""

Message = dict[str, Any]
_NONE: Final = ("none", None)
Front = Callable[[Message], tuple[Message | None, Message | None]]
"""What is said at once to a message, and what of it goes on to the server; None for nothing."""


class Wire:
    """One client at the other end. ``inbox`` gives its messages as decoded values, and None at the end."""

    def __init__(self, front: Front) -> None:
        self.inbox: SimpleQueue[Message | None] = SimpleQueue()
        self.serving = False
        """Set by the server once it reads the inbox: from then on it ends by itself when None comes."""
        self._front = front
        self._parent = os.getppid()
        self._in, self._out = _taken(0, os.O_RDONLY), _taken(1, os.O_WRONLY)
        self._writing = threading.Lock()
        self._state = threading.Condition()
        self._asked: set[tuple[str, object]] = set()
        self._answered: set[tuple[str, object]] = set()
        self._over = False

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, daemon=True, name="mcp-stdin").start()

    # Out

    def send(self, line: str, answers: object = None) -> None:
        """Write one JSON-RPC message; ``answers`` is the id of the request that it answers.

        A request that was answered at once is not answered again. Where nobody reads any more, the end begins.
        """
        name = _name(answers)
        with self._state:
            if name in self._answered:
                self._answered.discard(name)
                return
            self._asked.discard(name)
            self._state.notify_all()
        self._write(line.encode("utf-8", "backslashreplace") + b"\n")

    def refuse(self, message: Mapping[str, Any], code: int, why: str) -> None:
        """Answer a message that is no proper one; its id is used where it can be one."""
        _, said = _name(message.get("id"))
        self._say({"jsonrpc": "2.0", "id": said, "error": {"code": code, "message": why}})

    def _say(self, message: Message) -> None:
        self.send(_spelled(message), message.get("id"))

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            with self._writing:
                while view:
                    self._wait_for_room()
                    view = view[os.write(self._out, view[:AT_ONCE]) :]
        except OSError:
            self._end(wait=False)

    def _wait_for_room(self) -> None:
        """Wait for a client that reads slowly, but not for one that has gone and left its end of the pipe to others."""
        while not select.select([], [self._out], [], LOOK_AROUND)[1]:
            if self._over or self._alone():
                raise BrokenPipeError

    def _alone(self) -> bool:
        """Whether nobody is left who could say more, even if some of what was said is not read yet."""
        end = select.poll()
        end.register(self._in, getattr(select, "POLLRDHUP", 0))
        return os.getppid() != self._parent or bool(end.poll(0))

    # In

    def _read(self) -> None:
        rest: list[bytes] = []
        length, skipping = 0, False
        while chunk := self._chunk():
            *lines, last = chunk.split(b"\n")
            for line in lines:
                whole = b"".join((*rest, line))
                rest, length = [], 0
                if not skipping:
                    self._take(whole)
                skipping = False
            length += len(last)
            if length > MOST_LINE and not skipping:
                self.refuse({}, INVALID_REQUEST, f"A message is longer than {MOST_LINE // 1024**2} MiB.")
                skipping = True
            rest = [] if skipping else [*rest, last]
        self._end()

    def _chunk(self) -> bytes:
        """What came next; nothing at stdin's end, or when the parent is gone."""
        try:
            while not select.select([self._in], [], [], LOOK_AROUND)[0]:
                if os.getppid() != self._parent:
                    return b""
            return os.read(self._in, 1 << 16)
        except OSError:
            return b""

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = _decoded(line)
        except (NotDecoded, UnicodeDecodeError) as error:
            self.refuse({}, PARSE_ERROR, f"This is not JSON in UTF-8: {error}.")
            return
        if not isinstance(message, dict):
            self.refuse({}, INVALID_REQUEST, "A message is one JSON object; batches are not taken.")
            return
        if "id" in message and "method" in message and _name(message["id"]) == _NONE:
            self.refuse({}, INVALID_REQUEST, "The id of a request is a text or a whole number.")
            return
        wrong = _wrong(message)
        if wrong is not None:
            self.refuse(message, INVALID_PARAMS, f"{wrong[:1].upper()}{wrong[1:]}.")
            return
        said, passed = self._front(message)
        if passed is not None:
            self._note(passed, answered=said is not None)
            self.inbox.put(passed)
        if said is not None:
            self._write(_spelled(said).encode() + b"\n")

    def _note(self, message: Message, *, answered: bool) -> None:
        """Remember what is still to be answered, so that the end can wait for it a moment."""
        with self._state:
            if message.get("method") == "notifications/cancelled":
                params = message.get("params")
                self._asked.discard(_name(params.get("requestId") if isinstance(params, dict) else None))
            elif "method" in message and "id" in message:
                (self._answered if answered else self._asked).add(_name(message["id"]))

    # The end

    def _end(self, *, wait: bool = True) -> None:
        """Let what was asked be answered, then end the server; and the process, if that does not end it."""
        with self._state:
            if self._over:
                return
            self._over = True
            idle = not self._asked and not self.serving
        if idle:
            os._exit(0)  # nothing was asked and nothing runs: the main thread would only go on importing
        last = threading.Timer(LAST, self.leave)
        last.daemon = True
        last.start()
        with self._state:
            self._state.wait_for(lambda: not (wait and self._asked), GRACE)
        self.inbox.put(None)

    def leave(self) -> None:
        """End the process, and say on stderr what was left. No lock is waited for: its holder may never give it back.

        Nothing is left to do by then, and taking a whole interpreter down takes its time on a loaded machine.
        """
        left = len(self._asked)
        if left:
            said = f"meminbox mcp: calls left unanswered, because their client had gone: {left}.\n"
            with suppress(OSError):
                os.write(2, said.encode())
        os._exit(0)


def _decoded(line: bytes) -> Any:
    """The one value of a line, as admission reads JSON: what is wrong inside it is refused where it is used."""
    text = line.decode("utf-8").strip()
    value, end = decode(text)
    if end != len(text):
        raise NotDecoded(f"more follows behind the value at character {end + 1:,}")
    return value


def _spelled(message: Message) -> str:
    """A message on one line, all of it ASCII: an id may hold half a character."""
    return json.dumps(message, separators=(",", ":"))


def _wrong(message: Message) -> str | None:
    """What cannot be taken as parameters at all, such as a name given twice; what is wrong inside them says a tool."""
    params = message.get("params")
    inner = params.get("arguments") if isinstance(params, dict) else None
    return next((one.reason for one in (params, inner) if isinstance(one, Bad)), None)


def _name(request_id: object) -> tuple[str, object]:
    """A request's id as a key: 1 and "1" are two ids, and what is no id is none."""
    usable = isinstance(request_id, str | int) and not isinstance(request_id, bool)
    return (type(request_id).__name__, request_id) if usable else _NONE


def _taken(number: int, mode: int) -> int:
    """A standard stream under a number of our own; in its place stands /dev/null, or stderr for what is printed."""
    private = os.dup(number)
    while private <= 2:  # stderr was closed: its number must not become the wire
        private = os.dup(number)
    os.set_inheritable(private, False)
    if mode == os.O_WRONLY:
        sys.stdout.flush()
        os.dup2(2, number)
    else:
        nowhere = os.open(os.devnull, mode)
        os.dup2(nowhere, number)
        os.close(nowhere)
    return private
