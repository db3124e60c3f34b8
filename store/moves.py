"""What happened to files in git: renames, copies and deletions between two states, with the commit of each.

The history is followed commit by commit along the first parents (a merge counts as one step), so that a file that was
renamed twice, or edited between, is found; git's own likeness of contents decides what a rename is. See ``store.git``
for how git is asked, ``store.move_map`` for what comes back.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from store import git, git_log
from store.branches import Standing, standing
from store.chain import composed
from store.git import GitFailed
from store.move_map import Commit, FolderMove, Moves, folder_moves, from_list
from store.tree import Tree

__all__ = ["Commit", "FolderMove", "GitFailed", "Moves", "NoRevision", "between", "from_list", "since", "tree_at"]


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
    steps, short = git_log.steps(repo, start, end, exact=here.partial)
    missing = missing or short
    if here.partial:
        missing = missing or "this is a partial clone: only files moved without a change are followed"
    if uncommitted:
        from store.uncommitted import working_state

        last, now = working_state(repo, now)
        steps.append(last)
    renamed, deleted, copied = composed(steps, now)
    loose = [path for path, (_, commit) in renamed.items() if commit is None]
    loose += [path for path, commit in deleted.items() if commit is None]
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
        frozenset(loose),
        here.cut,
    )
    return replace(found, on_default=not only)


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
    told = git_log.between_ends(repo, start, end)
    for path in lacking:
        new = told.get(path)
        if new is not None and new in now.files:
            renamed[path] = (new, None)
        else:
            deleted[path] = None
