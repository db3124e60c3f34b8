"""Reading."""

from __future__ import annotations

from console.commands import options


def list_(db: options.Db = None) -> int:
    """List."""
    return 0


def show(db: options.Db = None) -> int:
    """List."""
    return 0


def history(db: options.Db = None) -> int:
    """List."""
    return 0


def status(db: options.Db = None) -> int:
    """List."""
    return 0
