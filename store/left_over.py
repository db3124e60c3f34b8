"""What git has no more but a project may still have: ignored, on this disk, or still named by its programs.

A deletion in git is not the end of a path that a program writes when it runs, or that a person makes from an example.
A memory that names such a path is shown, and nothing is suggested for it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from store import git
from store.mention_words import COMMON, DOCUMENTS, PROGRAMS, ending
from store.move_map import Moves
from store.tree import parents

MOST_ASKED: Final = 2_000
"""Paths that the programs are searched for; of more, those nearest to the top."""
MOST_LOOKED: Final = 2_000
"""Entries of a folder on disk that are looked at to see whether anything but leavings is in it."""
MOST_LINE: Final = 2_000
"""Characters of a program's line that are looked at: a longer one was written by a machine."""
SECONDS: Final = 10.0
_WORD: Final = re.compile(r"([\"'`]?)([\w.@+~/-]+)")
_LEAVINGS: Final = frozenset(
    ("__pycache__", "node_modules", ".DS_Store", ".pytest_cache", ".mypy_cache", ".ruff_cache")
)


def left_over(repo: Path, moves: Moves) -> dict[str, str]:
    """Paths that ``moves`` says are deleted and that may be there all the same, each with the reason in words.

    Reads names on disk, ``.gitignore`` and the programs at ``moves.new``; opens no other file. What git cannot answer
    in time is left out.
    """
    gone = [path for path in moves.deleted if _may_be_written(path, (path,))]
    below: dict[str, list[str]] = {}
    for path in moves.deleted:
        folder = path
        while "/" in folder:
            folder = folder.rpartition("/")[0]
            below.setdefault(folder, []).append(path)
    for folder, move in moves.folder_moves.items():
        if move.new is None and not move.places and _may_be_written(folder, below.get(folder, ())):
            gone.append(folder)
    gone = sorted(gone, key=lambda path: (path.count("/"), path))[:MOST_ASKED]
    if not gone:
        return {}
    found = dict(_named(repo, gone, moves.new)) if moves.new is not None else {}
    found.update(_ignored(repo, gone))
    found.update(_on_disk(repo, gone))
    return found


def _may_be_written(path: str, files: Iterable[str]) -> bool:
    """Whether a program or a person may make ``path``: none of its ``files`` is a program's text or a document."""
    return "/" in path.strip("/") + "/" and not any(
        ending(one) in PROGRAMS or ending(one) in DOCUMENTS or one.rpartition("/")[2] == "Dockerfile" for one in files
    )


def _ignored(repo: Path, paths: list[str]) -> Iterator[tuple[str, str]]:
    try:
        given = "\0".join(paths).encode("utf-8", "surrogateescape") + b"\0"
        top = _top(repo)
        answer = git.ask(
            top, "check-ignore", "-z", "--stdin", "--no-index", seconds=SECONDS, given=given, may_fail=(1,)
        )
    except git.GitFailed:
        return
    for path in git.fields(answer):
        yield path, "deleted from git, and ignored by it now: it may still be written"


def _on_disk(repo: Path, paths: list[str]) -> Iterator[tuple[str, str]]:
    try:
        top = _top(repo)
    except git.GitFailed:
        return
    for path in paths:
        place = top / path
        if os.path.lexists(place) and (not place.is_dir() or place.is_symlink() or _holds_something(place)):
            yield path, "deleted from git, but it is on this disk"


def _holds_something(folder: Path) -> bool:
    """Whether a folder holds any file but what programs leave behind; a link in it is not followed."""
    looked = 0
    for _, folders, files in os.walk(folder):
        folders[:] = [one for one in folders if one not in _LEAVINGS]
        if any(one not in _LEAVINGS and not one.endswith(".pyc") for one in files):
            return True
        looked += len(files) + len(folders)
        if looked > MOST_LOOKED:
            return False
    return False


def _named(repo: Path, paths: list[str], revision: str) -> Iterator[tuple[str, str]]:
    """The paths that a program's text names, itself or with something in it."""
    worth = set(paths)
    # An unusual bare name counts for a text that gives no more than the name.
    lasts = {path.rpartition("/")[2] for path in worth if ending(path)}
    worth |= {last for last in lasts if last.partition(".")[0].lower() not in COMMON and not last.startswith(".")}
    given = "\n".join(mark for path in sorted(worth) if "\n" not in path for mark in _marks(path))
    specs = [f":(glob,top)**/*.{one}" for one in sorted(PROGRAMS)]
    try:
        answer = git.ask(
            repo, "grep", "-z", "-I", "--no-textconv", "--no-color", "--full-name", "-F", "-f", "-", revision, "--",
            *specs, seconds=SECONDS, given=given.encode("utf-8", "surrogateescape") + b"\n", may_fail=(1,),
        )  # fmt: skip
    except git.GitFailed:
        return
    for line in os.fsdecode(answer).split("\n"):
        where, _, said = line.partition("\0")
        file = where.partition(":")[2]
        name = file.rpartition("/")[2]
        if name.startswith("test_") or ".test." in name or ".spec." in name:
            continue
        for path in worth.intersection(_paths_in(said[:MOST_LINE])):
            yield path, f"deleted from git, but {file} still names it"


def _marks(path: str) -> tuple[str, ...]:
    """What to look for: a single word only where it is quoted whole or a folder."""
    return (path,) if "/" in path or "." in path else (f'"{path}"', f"'{path}'", f"{path}/")


def _paths_in(line: str) -> Iterator[str]:
    """The paths in a line of a program's text, and the folders above each."""
    for quote, word in _WORD.findall(line):
        path = word.removeprefix("./").strip("/")
        if "/" in path or "." in path or quote:
            yield path
        yield from parents(path)


def _top(repo: Path) -> Path:
    return Path(os.fsdecode(git.ask(repo, "rev-parse", "--show-toplevel")).rstrip("\n"))
