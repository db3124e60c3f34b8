"""Renames, one commit after the other, made into one answer per name: where it is now. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from store.tree import Tree

Renamed = dict[str, tuple[str, str | None]]
Deleted = dict[str, str | None]


@dataclass(slots=True)
class Step:
    """What one commit (None: what is not committed yet) did to names. ``at``: seconds since 1970.

    ``additions`` counts the files that came new; ``parent`` is the commit before it.
    """

    hash: str | None
    at: int
    subject: str
    renames: list[tuple[str, str]] = field(default_factory=list)
    copies: list[tuple[str, str]] = field(default_factory=list)
    deletions: list[str] = field(default_factory=list)
    additions: int = 0
    parent: str | None = None


def composed(steps: Iterable[Step], now: Tree) -> tuple[Renamed, Deleted, Renamed]:
    """What became of every name that stood at some time: renamed, deleted, and copied or left behind.

    A name that is taken by another file since, which was renamed onto it, counts as renamed (two folders swapped); a
    name at which a new file stands is there, and is told among the copies.
    """
    at: dict[str, tuple[str | None, str | None]] = {}
    holders: dict[str, set[str]] = {}
    copied: Renamed = {}
    for step in steps:
        # What one commit did happened at once: two names may have changed places.
        leaving = [(new, {old} | holders.pop(old, set())) for old, new in step.renames]
        for path in step.deletions:
            for name in {path} | holders.pop(path, set()):
                at[name] = (None, step.hash)
        for new, names in leaving:
            for name in names:
                at[name] = (new, step.hash)
            holders[new] = holders.get(new, set()) | names
        for old, new in step.copies:
            copied[old] = (new, step.hash)
    renamed: Renamed = {}
    deleted: Deleted = {}
    for name, (place, commit) in at.items():
        if place == name:
            continue
        taken = name in now.files
        if place is not None and place in now.files:
            if not taken or _swapped(holders, name):
                renamed[name] = (place, commit)
            else:
                copied[name] = (place, commit)
        elif not taken:
            deleted[name] = commit
    return renamed, deleted, {old: new for old, new in copied.items() if old in now.files}


def _swapped(holders: dict[str, set[str]], name: str) -> bool:
    """Whether what stands at ``name`` now is another file that was renamed to it."""
    return bool(holders.get(name, set()) - {name})
