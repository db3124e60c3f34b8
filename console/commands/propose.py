"""propose."""

from __future__ import annotations

from console.commands import options


def propose(db: options.Db = None) -> int:
    """Propose."""
    return 0
