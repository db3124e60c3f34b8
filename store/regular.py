"""Files that somebody else wrote, read without trust: regular files only, bounded, never waited for. Standard library.

A pipe, a device or a link that stands in a file's place is not opened: nothing hangs, and nothing is followed.
"""

from __future__ import annotations

import json
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def open_regular(path: str) -> int | None:
    """A handle for reading a regular file, to be closed by the caller, or None where there is none at ``path``."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(path, flags)
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    return None


def first_bytes(path: str, most: int) -> bytes:
    """The first bytes of a regular file; none where it is not there or cannot be read."""
    handle = open_regular(path)
    if handle is None:
        return b""
    try:
        return os.read(handle, min(most, os.fstat(handle).st_size))
    except OSError:
        return b""
    finally:
        os.close(handle)


def json_object(data: bytes) -> dict[str, Any]:
    """The JSON object that ``data`` is; an empty one where it is something else."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
