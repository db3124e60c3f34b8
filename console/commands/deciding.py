"""Deciding."""

from __future__ import annotations

from console.commands import options


def approve(db: options.Db = None) -> int:
    """approve."""
    return 0


def edit(db: options.Db = None) -> int:
    """edit."""
    return 0


def reject(db: options.Db = None) -> int:
    """reject."""
    return 0


def rollback(db: options.Db = None) -> int:
    """rollback."""
    return 0


def delete(db: options.Db = None) -> int:
    """delete."""
    return 0


def undo(db: options.Db = None) -> int:
    """undo."""
    return 0


def redo(db: options.Db = None) -> int:
    """redo."""
    return 0
