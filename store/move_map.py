"""What became of the files of a repository, folded into moves of folders. Pure; ``store.moves`` asks git for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from store.tree import Tree, parents

WHOLE: Final = 0.6
"""Share of a folder's files that went to one place for the folder to have moved there."""
PART: Final = 0.1
"""Share of a folder's files that a place must have for a split to name it."""
SPLIT: Final = 0.8
"""Share of the moved files that a few places must have together for a folder to be split, not scattered."""
MOST_PLACES: Final = 3
"""Places that are a few."""
MANY_BELOW: Final = 4
"""Folders directly in one that must all be left for it to look left, where no file stood in it."""
MANY_FILES: Final = 20
"""Files listed of a folder, half of them directly in it, for it to look left: a clearing rarely takes so many."""
MANY_PARTS: Final = 5
"""Files and folders listed of one that lost two or more of its ``PARTS``, for it to look left."""
SUBJECT: Final = 0.4
"""Share of a folder's listed names that begin with one word, for them to be of one subject."""
NEARLY: Final = 0.9
"""Share of a folder's listed files that went to one place for the others to be what was dropped on the way."""
MANY_GONE_ALONG: Final = 8
"""Files listed of a folder for ``NEARLY`` to count."""
MANY_BESIDE_README: Final = 4
"""Files and folders listed of one that lost its README, for it to look left."""
_STARTS_WORDS: Final = """
    __init__ __main__ index main mod lib package pyproject cargo go setup pom build composer gemfile skill plugin
"""
STARTS: Final = frozenset(_STARTS_WORDS.split())
"""Files (without their ending, in small letters) that a folder has one of: where it went, the folder went."""
_TASKS: Final = frozenset(("build", "setup", "main", "lib"))
"""Names of ``STARTS`` that are plain scripts in a ``GENERAL`` folder."""
_PARTS_WORDS: Final = """
    types models client server base cli config constants errors exceptions utils helpers api core app settings schema
    schemas service license changelog dockerfile makefile tsconfig requirements conftest doc
"""
PARTS: Final = frozenset(_PARTS_WORDS.split())
"""Files (likewise) that most packages have one of each."""
_TEST: Final = re.compile(r"(?:^test_|[_.-](?:test|spec)s?\.)", re.IGNORECASE)
GENERAL: Final = frozenset(("src", "lib", "test", "tests", "doc", "docs", "scripts", "examples", "utils", "unit"))
"""Folders that every part of a repository may have: one file moved from one to another tells nothing of the rest."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that moved or deleted files. ``branch_only``: it is not on the default branch."""

    hash: str
    at: datetime
    subject: str
    branch_only: bool = False


@dataclass(frozen=True, slots=True)
class FolderMove:
    """What became of a folder that is no more: how many of its files went where (most first), how many were deleted.

    ``new`` is the one place that (nearly) all went to; None where it was deleted or split up.
    """

    old: str
    new: str | None
    places: tuple[tuple[str, int], ...]
    moved: int
    deleted: int
    commit: str | None

    @property
    def split(self) -> bool:
        """Whether (nearly) all of its files went to the few ``places``, several to each of two; else scattered."""
        few = self.places[:MOST_PLACES]
        several = sum(count > 1 for _, count in few) > 1
        return self.new is None and several and sum(count for _, count in few) >= SPLIT * self.moved


@dataclass(frozen=True)
class Moves:
    """What became of files between two states of a repository. Paths are from its top, with slashes.

    ``renamed`` has the new path and the commit (whole hash) of each that went elsewhere, ``deleted`` the commit of each
    that is no more, ``copied`` the copies; commits are None where only the names are known. ``folder_moves`` has the
    folders that are no more. ``before`` and ``now`` are the files of both states, None where only names are known.
    ``missing`` says in words why not all of the history could be looked at. ``branch`` is where ``now`` stands,
    ``default_branch`` the one others share; ``on_default``: the one is the other. ``old`` and ``new`` are the commits
    compared; ``uncommitted`` has the paths whose fate stands only in the working tree. ``cut`` says in words that the
    history here does not go back to its beginning (a shallow clone), though it may go back far enough for these.
    """

    renamed: Mapping[str, tuple[str, str | None]]
    deleted: Mapping[str, str | None]
    copied: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)
    folder_moves: Mapping[str, FolderMove] = field(default_factory=dict)
    commits: Mapping[str, Commit] = field(default_factory=dict)
    before: Tree | None = None
    now: Tree | None = None
    missing: str | None = None
    branch: str | None = None
    default_branch: str | None = None
    on_default: bool = True
    old: str | None = None
    new: str | None = None
    uncommitted: frozenset[str] = frozenset()
    cut: str | None = None

    def __bool__(self) -> bool:
        return bool(self.renamed or self.deleted)


def from_list(renames: Iterable[tuple[str, str]], deletions: Iterable[str], *, tree: Tree | None = None) -> Moves:
    """The moves that a bare list of names tells; without ``tree`` (the files now) much is inferred from the list."""
    renamed: dict[str, tuple[str, str | None]] = {old: (new, None) for old, new in renames}
    deleted: dict[str, str | None] = {path: None for path in deletions if path not in renamed}
    folders = folder_moves(renamed, deleted, now=tree)
    return Moves(renamed, deleted, folder_moves=folders, now=tree)


def folder_moves(
    renamed: Mapping[str, tuple[str, str | None]], deleted: Mapping[str, str | None], *, now: Tree | None
) -> dict[str, FolderMove]:
    """The folders that are no more, and where their files went."""
    inside: dict[str, list[str]] = {}
    for path in (*renamed, *deleted):
        for folder in parents(path):
            inside.setdefault(folder, []).append(path)
    gone = _left_by_tree(inside, renamed, now) if now is not None else _left_by_list(inside, renamed)
    return {folder: _folded(folder, inside[folder], renamed, deleted) for folder in gone}


def _left_by_tree(
    inside: Mapping[str, list[str]], renamed: Mapping[str, tuple[str, str | None]], now: Tree
) -> list[str]:
    """The folders that are no more, and those in which nothing but what was moved there stands (two that swapped)."""
    arrived = Counter(folder for new, _ in renamed.values() for folder in parents(new))
    doubtful = {folder for folder in inside if folder in now.folders and arrived[folder]}
    held = Counter(folder for path in now.files for folder in parents(path) if folder in doubtful) if doubtful else {}
    return [
        folder
        for folder in inside
        if folder not in now.folders
        or (folder in doubtful and held[folder] == arrived[folder] and _all_elsewhere(folder, inside[folder], renamed))
    ]


def _all_elsewhere(folder: str, files: Collection[str], renamed: Mapping[str, tuple[str, str | None]]) -> bool:
    return all(path in renamed and not renamed[path][0].startswith(folder + "/") for path in files)


def _left_by_list(inside: Mapping[str, list[str]], renamed: Mapping[str, tuple[str, str | None]]) -> list[str]:
    """The folders that the names alone make look left.

    None to which something moved: it stands. Of the rest those inside a left one, and those that show it themselves
    (``_looks_left``). A folder that lost some files and shows nothing more usually stands.
    """
    alive = {folder for new, _ in renamed.values() for folder in parents(new)}
    left: set[str] = set()
    for folder in sorted(inside, key=lambda one: one.count("/")):
        if folder not in alive and (
            any(above in left for above in parents(folder)) or _looks_left(folder, inside[folder], renamed)
        ):
            left.add(folder)
    # A folder of nothing but folders is left when it had many and each is: deleted, or gone to one or two places.
    for folder in sorted(inside, key=lambda one: -one.count("/")):
        below = {path[len(folder) + 1 :].partition("/")[0] for path in inside[folder]}
        if folder not in alive and len(below) >= MANY_BELOW and all(f"{folder}/{one}" in left for one in below):
            places = _places(folder, inside[folder], renamed)
            if not places or sum(count for _, count in places.most_common(2)) >= NEARLY * len(inside[folder]):
                left.add(folder)
    return sorted(left)


def _looks_left(folder: str, files: Collection[str], renamed: Mapping[str, tuple[str, str | None]]) -> bool:
    """Whether what is listed of a folder is what only a whole one loses, or went where only a whole one goes."""
    direct = [path.rpartition("/")[2] for path in files if path.rpartition("/")[0] == folder]
    return (
        _lost_its_heart(folder, files, direct)
        or _went_along(folder, files, len(direct), renamed)
        or _deleted_in_breadth(folder, files, renamed)
    )


def _deleted_in_breadth(folder: str, files: Collection[str], renamed: Mapping[str, tuple[str, str | None]]) -> bool:
    """Whether very many files of many parts of a folder were deleted, and none went elsewhere."""
    if len(files) < 2 * MANY_FILES or folder.rpartition("/")[2] in GENERAL or any(path in renamed for path in files):
        return False
    parts = {path[len(folder) + 1 :].partition("/")[0] for path in files}
    # The same few names in each part are one subject that was cleared everywhere.
    names = {path.rpartition("/")[2] for path in files}
    return len(parts) >= 2 * MANY_BELOW and 2 * len(names) >= len(files)


def _lost_its_heart(folder: str, files: Collection[str], direct: list[str]) -> bool:
    """Whether a manifest, a start file, the file named like the folder, its README with several more, or a whole
    package's worth of files is among those listed."""
    last = folder.rpartition("/")[2]
    stems = [name.partition(".")[0].lower() for name in direct]
    starts = STARTS.intersection(stems)
    if len(files) > 1 and (starts - _TASKS if last in GENERAL else starts):
        return True
    below = {path[len(folder) + 1 :].partition("/")[0] for path in files}
    # A README with one file of each of some folders may be a list of what was taken out of them.
    if "readme" in stems and len(below) >= MANY_BESIDE_README and (len(direct) > 1 or len(files) > len(below)):
        return True
    if last in GENERAL:
        return False
    like = last.lower().replace("-", "_")
    if len(direct) > 1 and any(stem.replace("-", "_") == like for stem in stems):
        return True
    parts = len(PARTS.intersection(stems))
    if len(below) >= MANY_PARTS and parts > 1:
        return True
    return len(files) >= MANY_FILES and 2 * len(direct) >= MANY_FILES and not _one_subject(stems)


def _one_subject(stems: Collection[str]) -> bool:
    """Whether many of the names begin with one word: what was cleared is that subject, not the folder."""
    first = Counter(re.split(r"[_.-]", stem, maxsplit=1)[0] for stem in stems)
    return any(count >= SUBJECT * len(stems) for word, count in first.items() if word not in ("test", ""))


def _went_along(
    folder: str, files: Collection[str], direct: int, renamed: Mapping[str, tuple[str, str | None]]
) -> bool:
    """Whether all that is listed went to a folder of the same name, or several files (nearly all of many) to one."""
    last = folder.rpartition("/")[2]
    places = _places(folder, files, renamed)
    if not places or all(_TEST.search(path.rpartition("/")[2]) is not None for path in files):
        # Where only tests went away, what they test stayed.
        return False
    place, most = places.most_common(1)[0]
    if len(files) >= MANY_GONE_ALONG and direct > 1 and most >= NEARLY * len(files):
        return True
    if most < len(files) or last in GENERAL:
        return False
    return direct > 1 or f"/{last}/" in f"/{place}/"


def _places(folder: str, files: Collection[str], renamed: Mapping[str, tuple[str, str | None]]) -> Counter[str]:
    """Where ``folder`` would be by each of its files that went elsewhere, and how many say so."""
    return Counter(_place(folder, path, renamed[path][0])[0] for path in files if path in renamed)


def _folded(
    folder: str,
    files: Collection[str],
    renamed: Mapping[str, tuple[str, str | None]],
    deleted: Mapping[str, str | None],
) -> FolderMove:
    places: Counter[str] = Counter()
    followed: Counter[str] = Counter()
    commits: Counter[str | None] = Counter()
    lost = 0
    for path in files:
        if path not in renamed:
            lost += 1
            commits[deleted[path]] += 1
            continue
        new, commit = renamed[path]
        commits[commit] += 1
        place, whole = _place(folder, path, new)
        places[place] += 1
        followed[place] += whole
    commit = commits.most_common(1)[0][0] if commits else None
    ranked = sorted(places.items(), key=lambda one: (-one[1], one[0]))
    moved = sum(places.values())
    if ranked and ranked[0][0]:
        # What went further down in the place that most went to went there too.
        followed[ranked[0][0]] += sum(count for place, count in ranked[1:] if place.startswith(ranked[0][0] + "/"))
    if ranked and followed[ranked[0][0]] >= WHOLE * moved and moved >= lost:
        return FolderMove(folder, ranked[0][0], tuple(ranked[:5]), moved, lost, commit)
    if moved < lost:
        return FolderMove(folder, None, (), moved, lost, commit)
    named = tuple(one for one in ranked if one[1] >= PART * moved)[:5] or tuple(ranked[:1])
    return FolderMove(folder, None, named, moved, lost, commit)


def _place(folder: str, old: str, new: str) -> tuple[str, bool]:
    """Where ``folder`` would be if its file ``old`` is ``new`` now, and whether all below it stayed as it was."""
    rest = old[len(folder) + 1 :].split("/")
    parts = new.split("/")
    if rest[-1] != parts[-1]:
        # The file got another name as well: its folder is compared instead.
        rest, parts = rest[:-1], parts[:-1]
    same = 0
    while same < min(len(rest), len(parts)) and rest[-1 - same] == parts[-1 - same]:
        same += 1
    return "/".join(parts[: len(parts) - same]), same == len(rest)
