"""The commits between two states, each with the names it changed. Two questions to git, the dear one kept small.

The first takes only what names and hashes show: what moved without a change, and what two files changed places by.
Contents are compared only in the commits that both lost and gained files, for only there can a file have moved with
an edit; where some of it lacks (a partial clone, a damaged one), those commits are asked one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from store import git
from store.chain import Step
from store.git import GitFailed

MOST_COMMITS: Final = 20_000
"""Commits that are followed one by one; of a longer stretch the newest."""
MOST_SINGLE: Final = 100
"""Commits that are asked one by one where asking for all at once fails."""
LATEST: Final = 253_402_300_799
"""Seconds since 1970 of the last moment that a date can be: a commit may claim any."""
RENAME_LIMIT: Final = 2_000
"""Files of one commit that are compared by content with each other; identical ones are always found."""
_HEADER: Final = "%x01%H%x02%P%x02%ct%x02%s"
_PLAIN: Final = ("--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=all")
_NO_LIKENESS: Final = "not all contents could be compared: only files moved without a change are followed"


def steps(repo: Path, start: str, end: str, *, exact: bool) -> tuple[list[Step], str | None]:
    """The commits from ``start`` to ``end`` (hashes), oldest first, and in words why they are not all that happened.

    ``exact``: contents are not at hand, only files moved without a change are found.
    """
    answer = _log(repo, start, end)
    if answer is None:
        answer = _log(repo, start, end, "--diff-filter=ADRC")
    if answer is None:
        return [], "the history could not be followed: only what both ends show is known"
    found = list(read(answer))
    found.reverse()
    missing = f"only the newest {MOST_COMMITS:,} commits are followed" if len(found) >= MOST_COMMITS else None
    if not exact and not _compared(repo, [one for one in found if one.deletions and one.additions and one.parent]):
        missing = missing or _NO_LIKENESS
    return found, missing


def _log(repo: Path, start: str, end: str, *fewer: str) -> bytes | None:
    """The log in its raw form; ``fewer`` leaves out changes in place, of which a long history has most."""
    try:
        return git.ask(
            repo, "log", "-z", "--first-parent", "--diff-merges=first-parent", "--raw", "--no-abbrev", "-C100%",
            *fewer, *_PLAIN, "--root", f"--max-count={MOST_COMMITS}", f"--format=format:{_HEADER}",
            "--end-of-options", f"{start}..{end}", "--",
        )  # fmt: skip
    except GitFailed:
        return None


def between_ends(repo: Path, start: str, end: str) -> dict[str, str]:
    """The renames that the two states alone show; none where git cannot compare them."""
    step = Step(end, 0, "", parent=start)
    _compared(repo, [step])
    return dict(step.renames)


def _compared(repo: Path, commits: list[Step]) -> bool:
    """Add to ``commits`` the files that moved with an edit; whether all of them could be compared."""
    if not commits:
        return True
    if _compare(repo, commits):
        return True
    if len(commits) == 1:
        return False
    done = [_compare(repo, [one]) for one in commits[-MOST_SINGLE:]]
    return all(done) and len(commits) <= MOST_SINGLE


def _compare(repo: Path, commits: list[Step]) -> bool:
    """One question about these commits; nothing is added where it fails."""
    # A commit and, beside it, the one parent that it is compared with (of a merge git would take all).
    given = "".join(f"{one.hash} {one.parent}\n" for one in commits).encode("ascii")
    try:
        answer = git.ask(
            repo, "diff-tree", "--stdin", "-r", "-z", "--raw", "--no-abbrev", "-M", f"-l{RENAME_LIMIT}", *_PLAIN,
            given=given,
        )  # fmt: skip
    except GitFailed:
        return False
    by_hash = {one.hash: one for one in commits}
    for hash_, changes in _by_commit(git.fields(answer)):
        step = by_hash.get(hash_)
        if step is None:
            continue
        fresh = _Changes(changes)
        known = {old for old, _ in step.renames}
        step.renames += [(old, new) for old, new in fresh.renames if old not in known]
        moved = {old for old, _ in step.renames}
        step.deletions = [path for path in step.deletions if path not in moved]
    return True


def _by_commit(fields: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """The changes of each commit: its hash stands before them, alone in a field."""
    hash_, held = "", list[str]()
    paths = 0
    for item in fields:
        if paths == 0 and not item.startswith(":"):
            yield hash_, held
            hash_, held = item, []
            continue
        paths = paths - 1 if paths else _paths_after(item)
        held.append(item)
    yield hash_, held


def read(answer: bytes) -> Iterator[Step]:
    """The steps in what ``git log -z --raw`` says: a header, then of each change its facts and one or two paths."""
    step: Step | None = None
    held: list[str] = []
    paths = 0
    for item in git.fields(answer):
        if paths:
            # A path may hold anything, what looks like a header too.
            paths -= 1
            held.append(item)
            continue
        text = item.lstrip("\n")
        if text.startswith("\x01"):
            if step is not None:
                yield _filled(step, held)
            step, text = _header(text[1:])
            held = []
        if text:
            held.append(text)
            paths = _paths_after(text)
    if step is not None:
        yield _filled(step, held)


def _header(text: str) -> tuple[Step, str]:
    """A commit, and the facts of its first change: they follow the subject's line break, not a NUL."""
    hash_, parents, stamp, subject = ([*text.split("\x02", 3), "", "", ""])[:4]
    subject, _, rest = subject.partition("\n")
    at = min(int(stamp), LATEST) if stamp.isdigit() else 0
    return Step(hash_, at, subject, parent=parents.partition(" ")[0] or None), rest


def _paths_after(facts: str) -> int:
    return 0 if not facts.startswith(":") else 2 if facts.rsplit(" ", 1)[-1][:1] in ("R", "C") else 1


def _filled(step: Step, held: list[str]) -> Step:
    changes = _Changes(held)
    step.renames = [*changes.renames, *changes.swapped()]
    step.copies, step.deletions, step.additions = changes.copies, changes.deletions, changes.additions
    return step


class _Changes:
    """The changes of one commit, from the fields of git's raw form: ``:modes hashes letter`` and paths."""

    def __init__(self, fields: Iterable[str]) -> None:
        self.renames: list[tuple[str, str]] = []
        self.copies: list[tuple[str, str]] = []
        self.deletions: list[str] = []
        self.additions = 0
        self._changed: list[tuple[str, str, str]] = []
        found = iter(fields)
        for facts in found:
            parts = facts.split(" ")
            if not facts.startswith(":") or len(parts) != 5:
                continue
            path = next(found, "")
            letter = parts[4][:1]
            if letter in ("R", "C"):
                (self.renames if letter == "R" else self.copies).append((path, next(found, "")))
            elif letter == "D":
                self.deletions.append(path)
            elif letter == "A":
                self.additions += 1
            elif letter == "M":
                self._changed.append((path, parts[2], parts[3]))

    def swapped(self) -> list[tuple[str, str]]:
        """Files that hold, to the letter, what another one held before: they changed places."""
        before: dict[str, list[str]] = {}
        for path, old, _ in self._changed:
            before.setdefault(old, []).append(path)
        told = ((before.get(new, []), path) for path, _, new in self._changed)
        return [(origins[0], path) for origins, path in told if len(origins) == 1 and origins[0] != path]
