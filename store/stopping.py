"""Stopping an act before it is kept: a person who sees that it takes long may say so, and then nothing was changed.

Whoever runs an act in a thread gives ``heard`` a question; the act asks it while it is being put together, and once
more before it is written. After that it is too late, and it is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from store.errors import MeminboxError

_ASKED: Final[ContextVar[Callable[[], bool] | None]] = ContextVar("stopping", default=None)


class ActStopped(MeminboxError):
    """The person stopped the act before it was kept."""

    exit_code = 130

    def __init__(self, kept: str = "Nothing was changed.") -> None:
        super().__init__("Stopped.", kept=kept)


@contextmanager
def heard(stopped: Callable[[], bool]) -> Iterator[None]:
    """Within it, acts ask ``stopped`` whether to go on."""
    token = _ASKED.set(stopped)
    try:
        yield
    finally:
        _ASKED.reset(token)


def asked() -> bool:
    """Whether the person said so; next to free where nobody is asked. For what only reads, and may end early."""
    stopped = _ASKED.get()
    return stopped is not None and stopped()


def wanted() -> bool:
    """The contrary of ``asked``."""
    return not asked()


def check() -> None:
    """Raise ActStopped where the person said so."""
    if asked():
        raise ActStopped
