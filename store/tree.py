"""The files of one state of a repository, and what names among them a path in a text may mean. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

MOST_CANDIDATES: Final = 200
"""Files of one name that are looked at for a part of a path; beyond it the name says nothing."""


def parents(path: str) -> list[str]:
    """The folders above ``path``, the nearest first, the top left out."""
    found = []
    while "/" in path:
        path = path.rpartition("/")[0]
        found.append(path)
    return found


class Tree:
    """Paths of files, with the folders they make. ``submodules`` are folders whose files another repository holds."""

    def __init__(self, files: Iterable[str], submodules: Iterable[str] = ()) -> None:
        self.files = frozenset(files)
        self.submodules = frozenset(submodules)
        self.folders: frozenset[str] = frozenset(_folders(self.files)) | self.submodules
        self._named: dict[str, list[str]] | None = None
        self._folded: dict[str, str] | None = None

    def __contains__(self, path: object) -> bool:
        return path in self.files or path in self.folders

    def __len__(self) -> int:
        return len(self.files)

    def ending(self, path: str, *, folders: bool = True) -> list[str]:
        """The files (and folders) whose path is, or ends in, ``/path``: at most ``MOST_CANDIDATES``, sorted."""
        named = self._by_name().get(path.rpartition("/")[2], ())
        tail = "/" + path
        found = [one for one in named if (one == path or one.endswith(tail)) and (folders or one in self.files)]
        return found[:MOST_CANDIDATES]

    def in_other_case(self, path: str) -> str | None:
        """The path that differs from this one in capitals only."""
        if self._folded is None:
            self._folded = {one.casefold(): one for one in (*self.folders, *self.files)}
        found = self._folded.get(path.casefold())
        return found if found != path else None

    def submodule_of(self, path: str) -> str | None:
        """The submodule that ``path`` lies in."""
        if not self.submodules:
            return None
        return next((one for one in (path, *parents(path)) if one in self.submodules), None)

    def _by_name(self) -> dict[str, list[str]]:
        if self._named is None:
            self._named = {}
            for one in sorted((*self.files, *self.folders)):
                self._named.setdefault(one.rpartition("/")[2], []).append(one)
        return self._named


def _folders(files: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for path in files:
        while "/" in path:
            path = path.rpartition("/")[0]
            if path in found:
                break
            found.add(path)
    return found
