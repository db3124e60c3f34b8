"""What stands around the proposals of one batch: the project's instructions, its files, what its sessions were given.

Looked at once a batch and project, bounded, and only where the project's folder is known and lies on this machine.
Nothing here fails: what cannot be read tells nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from store import instructions
from store.entry import Entry
from store.facts import Flag
from store.redact import uncertain
from store.sayings import Sayings

if TYPE_CHECKING:  # what reads paths costs a proposal that names none nothing
    from store.mentions import Mention
    from store.tree import Tree

GIT_SECONDS: Final = 1.0
"""The longest that git is waited for: the write lock is held meanwhile."""
MOST_READ: Final = 4_000
"""Characters of a text in which paths are looked for."""
MADE: Final = frozenset(
    (
        "build",
        "dist",
        "out",
        "target",
        "node_modules",
        "coverage",
        "tmp",
        "temp",
        "log",
        "logs",
        "cache",
        "venv",
        "generated",
        "vendor",
        "bin",
        "obj",
    )
)
"""Folders that are made and emptied: what is missing there tells nothing."""


class Surroundings:
    """The looks of one batch, each taken when it is first asked for."""

    def __init__(self) -> None:
        self._said: dict[str, Sayings[instructions.Place]] = {}
        self._given: dict[str, Sayings[str]] = {}
        self._trees: dict[str, Tree | None] = {}

    def in_instructions(self, root: str, content: str) -> Flag | None:
        """The flag of what an instruction file of the project says already, with the file and the line."""
        if root not in self._said:
            self._said[root] = instructions.read(root)
        place = self._said[root].again(content)
        return Flag("in_instructions", f"{place[0]}, line {place[1]}, says it already") if place else None

    def hand_out(self, session: str, given: Iterable[tuple[str, str]]) -> None:
        """Note what a session was given: (what to call it, its text) of each memory."""
        self._given[session] = Sayings(given)

    def echo(self, session: str, content: str) -> Flag | None:
        """The flag of what gives back a memory that the same session was handed."""
        given = self._given.get(session)
        name = given.again(content) if given is not None else None
        return Flag("echo", f"says again what this session was given: {name}") if name else None

    def path_missing(self, root: str, entry: Entry) -> Flag | None:
        """The flag of a path of the project that is not there, under its own name or at the end of another."""
        if "/" not in entry.content and not entry.paths:
            return None
        from store.mentions import mentions

        text = "\n".join((entry.content[:MOST_READ], *entry.paths[:20]))
        for mention in mentions(text):
            if _names_one(mention) and self._lacks(root, text, mention):
                # What may be a secret must not stand in a flag, which outlives its masking.
                name = "a path that it names" if uncertain(mention.path) else mention.path
                return Flag("path_missing", f"{name} is not in this project")
        return None

    def _lacks(self, root: str, text: str, mention: Mention) -> bool:
        path = mention.path.rstrip("/")
        head = path.partition("/")[0]
        if head.lower() in MADE or head.startswith(".") or not Path(root, head).is_dir():
            return False
        if os.path.lexists(os.path.join(root, path)):
            return False
        tree = self._tree(root)
        if tree is None or not len(tree) or tree.ending(path) or tree.in_other_case(path):
            return False
        return tree.submodule_of(path) is None and not _meant_elsewhere(text, mention)

    def _tree(self, root: str) -> Tree | None:
        if root not in self._trees:
            stamp = -1
            with suppress(OSError):
                stamp = Path(root, ".git", "index").stat().st_mtime_ns
            self._trees[root] = _tracked(root, stamp)
        return self._trees[root]


def _names_one(mention: Mention) -> bool:
    """Whether a mention is surely one path inside the repository, of more than a bare name."""
    path = mention.path
    if not mention.sure or mention.kind not in ("path", "file", "folder") or "/" not in path.rstrip("/"):
        return False
    return not path.startswith(("/", "../", "~")) and not any(char in path for char in "*?<>{}$[]")


_TO_COME: Final = re.compile(
    r"(?:\b(?:create|add|write|put|place|generate|make|introduce|scaffold|save|output|export|new)(?:s|d|ed|es)?\b[^.;\n]{0,40}|"
    r"(?:创建|新建|新增|添加|生成|写入|输出|保存|放到|放在)[^。；\n]{0,20})$",
    re.IGNORECASE,
)
"""A path that is still to be made, by the words before it."""


def _meant_elsewhere(text: str, mention: Mention) -> bool:
    if _TO_COME.search(text[max(0, mention.start - 60) : mention.start]):
        return True
    from store.signs_elsewhere import elsewhere
    from store.verdicts import Verdict

    return elsewhere(text, Verdict(mention, "gone", "")).verdict != "gone"


@lru_cache(maxsize=4)
def _tracked(root: str, _stamp: int) -> Tree | None:
    """The files that git tracks under ``root``; None where it cannot tell. ``_stamp`` is the index as it was read."""
    from store import git
    from store.tree import Tree

    try:
        return Tree(git.fields(git.ask(Path(root), "ls-files", "-z", "--cached", seconds=GIT_SECONDS)))
    except (git.GitFailed, OSError, ValueError):
        return None
