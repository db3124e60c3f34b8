"""What was done in a session already, so that it is done once: an empty file each, in ``<stem>.sessions``. Quick.

The names are hashes, and the files are forgotten after a while. Of several hooks at once, one is the first.
"""

from __future__ import annotations

import hashlib
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from store.agents.hook_input import Said
    from store.location import Location

TOGETHER = 10.0
"""Seconds within which two hooks answer one event: a person's own settings and the project's may both name us."""
KEPT = 60 * 24 * 3600
"""Seconds that a session is remembered."""


def once(location: Location, said: Said, what: str) -> bool:
    """Whether this is the first time for ``what`` in this session. False where that cannot be written down."""
    if said.session_id is None:
        return False
    path = _path(location, said, what)
    try:
        _make(path)
    except FileNotFoundError:
        return _made_folder(location) and once(location, said, what)
    except OSError:
        return False
    return True


def was(location: Location, said: Said, what: str) -> bool:
    """Whether ``once`` was True for this before."""
    return said.session_id is not None and os.path.exists(_path(location, said, what))  # noqa: PTH110


def just_now(location: Location, said: Said, what: str, now: float) -> bool:
    """Whether another hook does ``what`` for this session at this moment. ``now`` is in seconds since the epoch."""
    if said.session_id is None or once(location, said, what):
        return False
    path = _path(location, said, what)
    try:
        if abs(now - os.stat(path).st_mtime) <= TOGETHER:  # noqa: PTH116
            return True
        os.utime(path, (now, now))
    except OSError:
        return False
    return False


def sweep(location: Location, now: float) -> None:
    """Forget the sessions of long ago. ``now`` is in seconds since the epoch."""
    try:
        with os.scandir(_folder(location)) as found:
            for one in found:
                if now - one.stat(follow_symlinks=False).st_mtime > KEPT:
                    os.unlink(one.path)  # noqa: PTH108
    except OSError:
        return


def _path(location: Location, said: Said, what: str) -> str:
    name = hashlib.sha256(f"{said.agent}\0{said.session_id}".encode()).hexdigest()[:32]
    return f"{_folder(location)}/{name}.{what}"


def _folder(location: Location) -> str:
    return f"{os.fspath(location.folder)}/{location.stem}.sessions"


def _make(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))


def _made_folder(location: Location) -> bool:
    from pathlib import Path

    from store.files import make_private

    try:
        make_private(Path(_folder(location)))
    except OSError:
        return False
    return True
