"""What goes through the pipe between Meminbox and the process that holds a model: a JSON head, then the numbers.

A frame is the length of its head and that of its body, four bytes each, big-endian; the head; the body.
"""

from __future__ import annotations

import json
import os
import select
import struct
import time
from typing import Any, Final

_LENGTHS: Final = struct.Struct(">II")
MOST: Final = 256 * 1024 * 1024
"""Bytes of one part of a frame at most: more is no frame of ours."""


class Ended(Exception):
    """The other side is gone, silent for too long, or speaks otherwise."""


def write(to: int, head: dict[str, Any], body: bytes = b"") -> None:
    """Send a frame to a file descriptor. Raises Ended."""
    told = json.dumps(head).encode()
    left = memoryview(_LENGTHS.pack(len(told), len(body)) + told + body)
    try:
        while left:
            left = left[os.write(to, left) :]
    except OSError as error:
        raise Ended from error


def read(source: int, *, within: float | None = None) -> tuple[dict[str, Any], bytes]:
    """The next frame from a file descriptor; ``within`` seconds, or however long it takes. Raises Ended."""
    until = None if within is None else time.monotonic() + within
    head, body = _LENGTHS.unpack(_bytes(source, _LENGTHS.size, until))
    if max(head, body) > MOST:
        raise Ended
    try:
        told = json.loads(_bytes(source, head, until))
    except ValueError as error:
        raise Ended from error
    if not isinstance(told, dict):
        raise Ended
    return told, _bytes(source, body, until)


def _bytes(source: int, count: int, until: float | None) -> bytes:
    parts: list[bytes] = []
    waiting = select.poll()  # select() knows no file descriptor beyond 1023
    waiting.register(source, select.POLLIN)
    while count:
        if until is not None and not waiting.poll(1000 * max(0.0, until - time.monotonic())):
            raise Ended
        try:
            part = os.read(source, min(count, 1 << 20))
        except OSError as error:
            raise Ended from error
        if not part:
            raise Ended
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
