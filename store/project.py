"""Which project a folder belongs to (design section 7). Pure: reads files and asks git, never the store.

The identity is, in order: the scope that the folder's ``.meminbox.toml`` asks for, if a person confirmed it; the
normalised remote URL; the git common directory, which all worktrees share, plus a short hash; the folder plus a hash.
Everything a repository holds is hostile input: bounded, checked, and never run.

Quick: every hook needs it, so nothing is imported that costs more than it gives here (dataclasses, typing).
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections import namedtuple
from pathlib import Path

from store.location import search_path
from store.regular import first_bytes
from store.remote import local_path, normalised

TYPE_CHECKING = False
SETTINGS_FILE = ".meminbox.toml"
MOST_BYTES = 64 * 1024
MOST_SETTINGS = 4 * 1024
"""Bytes of a ``.meminbox.toml``: the time and memory that TOML takes grow with the square of a dotted name's parts."""
MOST_PACKED = 8 * 1024 * 1024
"""Bytes of ``packed-refs`` that are searched: some hundred thousand branches."""
GIT_SECONDS = 2.0
"""The longest that git is waited for; after it the repository is read by hand."""
_NAME = re.compile(r"[\w@+ .:/()\[\]-]{1,200}")
_REMOTE = re.compile(r"remote\.(.+)\.url")
_SECTION = re.compile(r'\[\s*remote\s+"((?:[^"\\]|\\.)*)"\s*\]', re.IGNORECASE)
_HASH = r"[0-9a-f]{40}(?:[0-9a-f]{24})?"
_REF = r"refs/[^\x00-\x20\x7f]{1,250}"
_CLONES = 4
"""How many clones of clones on this machine are followed to the repository they come from."""

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple

    Confirmed = Callable[[str, str], bool]
    """Whether a person confirmed this scope (an identity) for this path."""

    class Project(NamedTuple):
        """A project. ``identity`` is its scope, compared exactly; ``label`` is for people.

        ``root`` is the top of its working tree, ``branch`` the git branch checked out there and ``commit`` the whole
        hash of its commit, where there are such.
        ``asks_for`` is a scope that the folder's ``.meminbox.toml`` wants and nobody has confirmed.
        """

        identity: str
        label: str
        root: Path
        branch: str | None = None
        asks_for: str | None = None
        commit: str | None = None

    class _Repository(NamedTuple):
        root: Path
        git_dir: Path
        common: Path
        remote: str | None

else:
    Project = namedtuple("Project", "identity label root branch asks_for commit", defaults=(None, None, None))
    _Repository = namedtuple("_Repository", "root git_dir common remote")


def identify(folder: Path, *, confirmed: Confirmed | None = None, git: str | None = "git") -> Project:
    """The project that ``folder`` belongs to; the folder need not exist.

    ``git`` is the command to ask; None reads the repository by hand, which is quicker and gives the same answer for
    all usual layouts. ``confirmed`` tells which scopes of ``.meminbox.toml`` to honour; None honours none.
    """
    place = Path(os.path.realpath(folder))
    repository = (_ask_git(place, git) if git is not None else None) or _read_by_hand(place)
    root = repository.root if repository is not None else place
    identity, label = _by_git(repository) if repository is not None else _by_path("folder", place)
    wanted, named = _settings(root / SETTINGS_FILE)
    asks_for = None
    if wanted is not None and wanted != identity:
        if confirmed is not None and confirmed(wanted, os.fspath(root)):
            identity, label = wanted, wanted.rpartition("/")[2] or wanted
        else:
            asks_for = wanted
    if repository is None:
        return Project(identity, named or label, root, None, asks_for)
    branch, commit = _branch(repository.git_dir), commit_of(repository.git_dir, repository.common)
    return Project(identity, named or label, root, branch, asks_for, commit)


def _by_git(repository: _Repository) -> tuple[str, str]:
    common, remote = repository.common, repository.remote
    for _ in range(_CLONES):
        if remote is None:
            break
        shared = normalised(remote)
        if shared is not None:
            return shared, shared.rpartition("/")[2]
        origin = local_path(remote, common)
        found = _common_dir(origin) if origin is not None else None
        if found is None or found == common:
            break
        # A clone of a repository on this machine is the same project as that one.
        common, remote = found, _remote_by_hand(found)
    named = common.parent if common.name == ".git" else common
    return _by_path("git", common, named.name.removesuffix(".git"))


def _by_path(what: str, path: Path, name: str | None = None) -> tuple[str, str]:
    """An identity from a place on this machine: a readable name, and a hash that tells /w/a-b from /w/a/b."""
    spelled = unicodedata.normalize("NFC", os.fsencode(path).decode("utf-8", "surrogateescape"))
    mark = hashlib.sha256(spelled.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    label = _readable(path.name if name is None else name)
    return f"{what}:{label}-{mark}", label


def _readable(name: str) -> str:
    """A name that is safe to store and to show, whatever bytes the file system allowed."""
    text = unicodedata.normalize("NFC", os.fsencode(name).decode("utf-8", "replace"))
    kept = "".join(char if char.isprintable() else "_" for char in text).strip()
    return kept[:80] or "root"


# -- asking git


def _ask_git(place: Path, git: str) -> _Repository | None:
    """What git says of a folder, or None where it says nothing (no git, no repository, not ours to read)."""
    said = _run(git, place, "rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir")
    if said is None or len(said) != 3:
        return None
    root, git_dir, common = (Path(os.path.realpath(place / line)) for line in said)
    urls = _run(git, place, "config", "--local", "--get-regexp", r"^remote\..*\.url$") or []
    return _Repository(root, git_dir, common, _choose(_remotes(urls)))


def _run(git: str, place: Path, *arguments: str) -> list[str] | None:
    """The lines git answers, or None. Nothing of the repository is run: no hooks, no monitor, no prompt, no pager."""
    import subprocess  # only here: a proposal that reads the repository by hand has no time for it

    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
        "PATH": search_path(),
    }
    safe = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "--no-pager")
    try:
        done = subprocess.run(
            [git, *safe, *arguments],
            cwd=place,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0 or len(done.stdout) > MOST_BYTES:
        return None
    return os.fsdecode(done.stdout).splitlines()


def _remotes(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        name, _, url = line.partition(" ")
        match = _REMOTE.fullmatch(name)
        if match is not None:
            found.setdefault(match.group(1), url.strip())
    return found


def _choose(remotes: dict[str, str]) -> str | None:
    """The remote that names the project: origin, else the first by name."""
    if "origin" in remotes:
        return remotes["origin"]
    return remotes[min(remotes)] if remotes else None


# -- reading a repository by hand


def _read_by_hand(place: Path) -> _Repository | None:
    for root in (place, *place.parents):
        git_dir = _git_dir(root)
        if git_dir is not None:
            common = _common_of(git_dir)
            return _Repository(root, git_dir, common, _remote_by_hand(common))
    return None


def _git_dir(root: Path) -> Path | None:
    """The git directory of a working tree: ``.git`` itself, or what the file ``.git`` of a worktree points to."""
    dot = root / ".git"
    if _is_git_dir(dot):
        return Path(os.path.realpath(dot))
    text = _text(dot)
    if text is None or not text.startswith("gitdir:"):
        return None
    pointed = root / text.removeprefix("gitdir:").strip()
    return Path(os.path.realpath(pointed)) if _is_git_dir(pointed) else None


def _is_git_dir(path: Path) -> bool:
    try:
        return (path / "HEAD").is_file() and ((path / "objects").is_dir() or (path / "commondir").is_file())
    except (OSError, ValueError):
        return False


def _common_of(git_dir: Path) -> Path:
    text = _text(git_dir / "commondir")
    return Path(os.path.realpath(git_dir / text.strip())) if text and text.strip() else git_dir


def _common_dir(origin: Path) -> Path | None:
    """The common directory of the repository at ``origin``, a working tree or a bare repository; None where none is."""
    git_dir = _git_dir(origin)
    if git_dir is None and _is_git_dir(origin):
        git_dir = Path(os.path.realpath(origin))
    return _common_of(git_dir) if git_dir is not None else None


def _remote_by_hand(common: Path) -> str | None:
    text = _text(common / "config")
    found: dict[str, str] = {}
    remote: str | None = None
    for line in (text or "").splitlines():
        stripped = line.strip()
        if stripped.startswith("["):
            section = _SECTION.match(stripped)
            remote = re.sub(r"\\(.)", r"\1", section.group(1)) if section is not None else None
        elif remote is not None:
            name, equals, value = stripped.partition("=")
            if equals and name.strip().lower() == "url":
                found.setdefault(remote, value.strip().strip('"'))
    return _choose(found)


def _branch(git_dir: Path) -> str | None:
    """The branch that HEAD names, or None (detached, or unreadable)."""
    text = (_text(git_dir / "HEAD") or "").strip()
    name = text.removeprefix("ref: refs/heads/")
    ours = name != text and 0 < len(name) <= 255 and name.isprintable() and name != ".invalid"
    return name if ours else None


def commit_of(git_dir: Path, common: Path) -> str | None:
    """The hash of the commit that HEAD stands at, read by hand; None where none is there yet or it cannot be told.

    References stand loose, in the worktree's own directory or the one that all share, or together in ``packed-refs``.
    Those of the reftable format stay unknown.
    """
    said = (_text(git_dir / "HEAD") or "").strip()
    for _ in range(_CLONES):
        if re.fullmatch(_HASH, said) is not None:
            return said
        name = said.removeprefix("ref: ").strip()
        if name == said or re.fullmatch(_REF, name) is None or "/../" in f"{name}/":
            return None
        loose = _text(git_dir / name) or _text(common / name)
        said = loose.strip() if loose is not None else _packed(common, name)
    return None


def _packed(common: Path, name: str) -> str:
    data = first_bytes(os.fspath(common / "packed-refs"), MOST_PACKED)
    at = data.find(b" " + os.fsencode(name) + b"\n")
    return os.fsdecode(data[data.rfind(b"\n", 0, at) + 1 : at]) if at >= 0 else ""


# -- what the folder asks for


def _settings(path: Path) -> tuple[str | None, str | None]:
    """The scope and the label that a ``.meminbox.toml`` asks for; None for what is absent or not acceptable."""
    text = _text(path, MOST_SETTINGS)
    if text is None:
        return None, None
    import tomllib  # rarely needed, and slow to import

    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None, None
    return _name(values.get("scope")), _name(values.get("label"))


def _name(value: object) -> str | None:
    """A scope or label from hostile input: short, printable, and never ``global``, which no repository may claim."""
    if not isinstance(value, str):
        return None
    name = unicodedata.normalize("NFC", value).strip()
    from store.entry import GLOBAL  # rarely needed, and slow to import

    if _NAME.fullmatch(name) is None or not name.isprintable() or name.casefold() == GLOBAL:
        return None
    return name


def _text(path: Path, most: int = MOST_BYTES) -> str | None:
    """A small text file, or None. A link is not followed out of a regular file's place, and a pipe never opened."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError):
        return None
    return os.fsdecode(data) if len(data) <= most else None
