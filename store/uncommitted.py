"""Moves that stand only in the working tree, found without running any filter that a repository asks for."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

from store import git
from store.chain import Step
from store.regular import first_bytes
from store.tree import Tree

MOST_FILES: Final = 50_000
"""New files on disk that are looked at."""
MOST_BYTES: Final = 8 * 1024 * 1024
"""A longer new file is not compared."""


def working_state(repo: Path, head: Tree) -> tuple[Step, Tree]:
    """The step from the commit checked out to the files on disk, and those files. Raises ``GitFailed``.

    What is staged is compared by git. What was moved without telling git is found by identical contents: a file that
    the index has and the disk has not, against new files that are not ignored.
    """
    top = Path(os.fsdecode(git.ask(repo, "rev-parse", "--show-toplevel")).rstrip("\n"))
    step = Step(None, 0, "not committed")
    answer = git.ask(
        repo, "diff-index", "--cached", "-z", "--name-status", "-B", "-M", "--no-ext-diff", "--no-textconv",
        "--no-relative", "--ignore-submodules=all", "HEAD", "--",
    )  # fmt: skip
    fields = iter(git.fields(answer))
    for letter in fields:
        if letter[:1] in ("R", "C"):
            old, new = next(fields, ""), next(fields, "")
            if letter[0] == "R":
                step.renames.append((old, new))
        else:
            path = next(fields, "")
            if letter[:1] == "D":
                step.deletions.append(path)
    files, lost = _index(top)
    fresh = git.fields(git.ask(top, "ls-files", "-z", "--others", "--exclude-standard", "--full-name"))[:MOST_FILES]
    found = _same_contents(top, lost, fresh) if lost else {}
    from_before = {new: old for old, new in step.renames}
    for path in lost:
        origin = from_before.get(path, path)
        if path in from_before:
            step.renames.remove((origin, path))
        if path in found:
            step.renames.append((origin, found[path]))
        else:
            step.deletions.append(origin)
    return step, Tree((files - set(lost)) | set(fresh), head.submodules)


def _index(top: Path) -> tuple[set[str], dict[str, str]]:
    """The files of the index, and those of them that the disk lacks with the hash of their contents.

    A file that a sparse checkout leaves out is not lacking.
    """
    files: set[str] = set()
    lost: dict[str, str] = {}
    left_out = {
        entry[2:] for entry in git.fields(git.ask(top, "ls-files", "-z", "-t", "--full-name")) if entry[:2] == "S "
    }
    for entry in git.fields(git.ask(top, "ls-files", "-z", "-s", "--full-name")):
        about, _, path = entry.partition("\t")
        parts = about.split(" ")
        if len(parts) != 3 or parts[0] == "160000":
            continue
        files.add(path)
        if path not in left_out and not os.path.lexists(top / path):
            lost[path] = parts[1]
    return files, lost


def _same_contents(top: Path, lost: dict[str, str], fresh: list[str]) -> dict[str, str]:
    """For each lost file the new one with the very same contents; of several the one of the same name."""
    algorithm = "sha256" if lost and len(next(iter(lost.values()))) == 64 else "sha1"
    by_hash: dict[str, list[str]] = {}
    for path in fresh:
        data = first_bytes(os.fspath(top / path), MOST_BYTES)
        if data:
            header = b"blob %d\0" % len(data)
            name = hashlib.new(algorithm, header + data, usedforsecurity=False).hexdigest()
            by_hash.setdefault(name, []).append(path)
    found = {}
    for path, name in lost.items():
        same = by_hash.get(name, [])
        last = path.rpartition("/")[2]
        best = next((one for one in same if one.rpartition("/")[2] == last), same[0] if same else None)
        if best is not None:
            found[path] = best
    return found
