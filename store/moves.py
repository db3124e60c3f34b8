"""What happened to files in git: renames, copies and deletions between two states, with the commit of each.

The history is followed commit by commit along the first parents (a merge counts as one step), so that a file that was
renamed twice, or edited between, is found; git's own likeness of contents decides what a rename is. See ``store.git``
for how git is asked, ``store.move_map`` for what comes back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from store import git
from store.branches import Standing, standing
from store.chain import Step, composed
from store.git import GitFailed
from store.move_map import Commit, FolderMove, Moves, folder_moves, from_list
from store.tree import Tree

__all__ = ["Commit", "FolderMove", "GitFailed", "Moves", "NoRevision", "between", "from_list", "since", "tree_at"]

MOST_COMMITS: Final = 20_000
"""Commits that are followed one by one; of a longer stretch the newest."""
RENAME_LIMIT: Final = 2_000
"""Files of one commit that are compared by content with each other; identical ones are always found."""
_HEADER: Final = "%x01%H%x02%ct%x02%s"


class NoRevision(GitFailed):
    """A revision that this clone does not have; ``str()`` says so, and whether the clone's history is cut."""


def between(repo: Path, old: str, new: str = "HEAD", *, uncommitted: bool = False) -> Moves:
    """What became of the files from ``old`` to ``new`` (revisions). Raises ``NoRevision``, ``GitFailed``.

    ``uncommitted`` adds the moves that stand only in the working tree, with None for their commit.
    """
    here = standing(repo)
    start, end = _revision(repo, old, here), _revision(repo, new, here)
    return _followed(repo, start, end, here, uncommitted=uncommitted, missing=here.cut)


def since(repo: Path, when: datetime, new: str = "HEAD", *, uncommitted: bool = False) -> Moves:
    """What became of the files since ``when`` (aware), as the commits' own dates have it.

    Where the history begins later, from its beginning; ``missing`` says so if that is a shallow clone's.
    """
    if when.tzinfo is None:
        raise ValueError("a time without its zone")
    here = standing(repo)
    end = _revision(repo, new, here)
    stamp = int(when.timestamp())
    start = git.words(repo, "rev-list", "-1", "--first-parent", f"--before=@{stamp}", end, "--")
    missing = None
    if not start:
        start = (git.words(repo, "rev-list", "--first-parent", "--max-parents=0", end, "--") or end).split("\n")[-1]
        if here.cut:
            first = git.words(repo, "rev-list", "--first-parent", "--reverse", end, "--")
            start = first.split("\n")[0] if first else end
            missing = here.cut
    return _followed(repo, start, end, here, uncommitted=uncommitted, missing=missing)


def tree_at(repo: Path, revision: str = "HEAD") -> Tree:
    """The files of a commit. Works without a working tree, in a sparse checkout and in a bare repository."""
    files: list[str] = []
    modules: list[str] = []
    for entry in git.fields(git.ask(repo, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", revision)):
        about, _, path = entry.partition("\t")
        (modules if about.startswith("160000 ") else files).append(path)
    return Tree(files, modules)


def _revision(repo: Path, name: str, here: Standing) -> str:
    found = git.words(repo, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if found is None or "\0" in name:
        cut = f"; {here.cut}" if here.cut else ""
        raise NoRevision(f"there is no revision {name!r} here{cut}")
    return found


def _followed(repo: Path, start: str, end: str, here: Standing, *, uncommitted: bool, missing: str | None) -> Moves:
    before, now = tree_at(repo, start), tree_at(repo, end)
    steps, short = _steps(repo, start, end, exact=here.partial)
    missing = missing or short
    if here.partial:
        missing = missing or "this is a partial clone: only files moved without a change are followed"
    if uncommitted:
        from store.uncommitted import working_state

        last, now = working_state(repo, now)
        steps.append(last)
    renamed, deleted, copied = composed(steps, now)
    _complete(repo, start, end, before, now, renamed, deleted)
    only = here.only_here(repo, end)
    commits = {
        step.hash: Commit(step.hash, datetime.fromtimestamp(step.at, UTC), step.subject, step.hash in only)
        for step in steps
        if step.hash is not None
    }
    found = Moves(
        renamed,
        deleted,
        copied,
        folder_moves(renamed, deleted, now=now),
        commits,
        before,
        now,
        missing,
        here.branch,
        here.default,
        here.on_default(end),
        start,
        end,
    )
    return replace(found, on_default=not only)


def _steps(repo: Path, start: str, end: str, *, exact: bool) -> tuple[list[Step], str | None]:
    """The commits from ``start`` to ``end``, oldest first, and why they are not all (None: they are)."""
    for how in (("-M100%",),) if exact else (("-B", "-M", "-C", f"-l{RENAME_LIMIT}"), ("-M100%",)):
        try:
            answer = git.ask(
                repo, "log", "-z", "--first-parent", "--diff-merges=first-parent", "--name-status", *how,
                "--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=all", "--root",
                f"--max-count={MOST_COMMITS}", f"--format=format:{_HEADER}", "--end-of-options",
                f"{start}..{end}", "--",
            )  # fmt: skip
        except GitFailed:
            continue
        steps = list(_read(answer))
        steps.reverse()
        short = f"only the newest {MOST_COMMITS:,} commits are followed" if len(steps) >= MOST_COMMITS else None
        if how[0] == "-M100%" and not exact:
            short = short or "not all contents could be compared: only files moved without a change are followed"
        return steps, short
    return [], "the history could not be followed: only what both ends show is known"


def _read(answer: bytes) -> Iterator[Step]:
    """The steps in what ``git log -z --name-status`` says: a header, then a letter and one or two paths each."""
    step: Step | None = None
    fields = iter(git.fields(answer))
    for item in fields:
        text = item.lstrip("\n")
        if text.startswith("\x01"):
            if step is not None:
                yield step
            hash_, stamp, subject = ([*text[1:].split("\x02", 2), "", ""])[:3]
            # The first entry follows the subject's line break, not a NUL.
            subject, _, text = subject.partition("\n")
            step = Step(hash_, int(stamp or 0), subject)
            if not text:
                continue
        if step is None or not text:
            continue
        letter = text[0]
        if letter in "RC":
            old, new = next(fields, ""), next(fields, "")
            (step.renames if letter == "R" else step.copies).append((old, new))
        elif letter == "D":
            step.deletions.append(next(fields, ""))
        else:
            next(fields, "")
    if step is not None:
        yield step


def _complete(
    repo: Path,
    start: str,
    end: str,
    before: Tree,
    now: Tree,
    renamed: dict[str, tuple[str, str | None]],
    deleted: dict[str, str | None],
) -> None:
    """What the steps did not tell of files that are no more: they stood beside the line that was followed."""
    lacking = [path for path in before.files if path not in now.files and path not in renamed and path not in deleted]
    if not lacking:
        return
    step = Step(None, 0, "")
    try:
        answer = git.ask(
            repo, "diff-tree", "-r", "-z", "--name-status", "-M", f"-l{RENAME_LIMIT}", "--no-ext-diff", "--no-textconv",
            "--no-relative", "--ignore-submodules=all", "--end-of-options", start, end, "--",
        )  # fmt: skip
    except GitFailed:
        answer = b""
    told = {old: new for one in _read(f"\x01{end}\x020\x02\n".encode() + answer) for old, new in one.renames}
    for path in lacking:
        new = told.get(path)
        if new is not None and new in now.files:
            renamed[path] = (new, step.hash)
        else:
            deleted[path] = step.hash
