"""Where a clone stands: its branch, the branch that others share, and what of the history it lacks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from store import git
from store.git_log import LATEST

_USUAL: Final = ("main", "master")
MOST_ONLY: Final = 100_000


@dataclass(frozen=True, slots=True)
class Standing:
    """``branch`` is what is checked out (a short hash where none is), ``default`` the shared branch, if known.

    ``tips`` are the commits that the shared branch stands at, here and at the remote. ``cut`` says in words that the
    clone is shallow; ``partial``: it lacks the contents of old files.
    """

    branch: str | None
    default: str | None
    tips: tuple[str, ...]
    cut: str | None
    partial: bool

    def on_default(self, end: str) -> bool:
        """Whether ``end`` is where the shared branch stands."""
        return not self.tips or end in self.tips

    def only_here(self, repo: Path, end: str) -> frozenset[str]:
        """The commits up to ``end`` that the shared branch has not; none where no branch is known to be shared."""
        if self.on_default(end):
            return frozenset()
        exclude = [f"^{tip}" for tip in self.tips]
        answer = git.words(repo, "rev-list", f"--max-count={MOST_ONLY}", end, *exclude, "--")
        return frozenset((answer or "").split())


def standing(repo: Path) -> Standing:
    """Where the clone at ``repo`` stands. Raises ``GitFailed`` where there is no repository with a commit."""
    if git.words(repo, "rev-parse", "--git-dir") is None:
        raise git.GitFailed("this folder is in no git repository that git would read")
    head = git.words(repo, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if head is None:
        raise git.GitFailed("the repository has no commit yet")
    branch = git.words(repo, "symbolic-ref", "--quiet", "--short", "HEAD") or head[:8]
    default, tips = _shared(repo)
    partial = git.words(repo, "config", "--local", "--get-regexp", r"^remote\..*\.promisor$") is not None
    return Standing(branch, default or branch, tips, _cut(repo), partial)


def _shared(repo: Path) -> tuple[str | None, tuple[str, ...]]:
    """The shared branch (the remote's HEAD, else main or master) and the commits it stands at."""
    remotes = (git.words(repo, "remote") or "").split("\n")
    for remote in sorted((one for one in remotes if one), key=lambda one: (one != "origin", one)):
        named = git.words(repo, "symbolic-ref", "--quiet", f"refs/remotes/{remote}/HEAD")
        prefix = f"refs/remotes/{remote}/"
        if named and named.startswith(prefix):
            name = named.removeprefix(prefix)
            tips = _tips(repo, named, f"refs/heads/{name}")
            if tips:
                return name, tips
    for name in _USUAL:
        tips = _tips(repo, f"refs/heads/{name}", *(f"refs/remotes/{remote}/{name}" for remote in remotes if remote))
        if tips:
            return name, tips
    return None, ()


def _tips(repo: Path, *names: str) -> tuple[str, ...]:
    found = (git.words(repo, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") for name in names)
    return tuple(dict.fromkeys(one for one in found if one))


def _cut(repo: Path) -> str | None:
    if git.words(repo, "rev-parse", "--is-shallow-repository") != "true":
        return None
    stamps = git.words(repo, "log", "--format=%ct", "--max-parents=0", "HEAD", "--") or ""
    days = sorted(min(int(one), LATEST) for one in stamps.split() if one.isdigit())
    begins = f"; its history begins on {datetime.fromtimestamp(days[0], UTC):%d %b %Y}" if days else ""
    return f"this is a shallow clone{begins}. `git fetch --unshallow` brings the rest"
