"""Asking git, without trust in the repository: by argument list, bounded in bytes and time, nothing of it run.

A repository's own configuration can name programs (external diff, text conversion, filters, signature checks, file
system monitors, hooks) and remotes to fetch lacking objects from. None is used: the environment is cleaned, the
settings that name programs are overridden, every transport is refused, and no command reads the working tree's
contents (which would run filters).
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final

from store.location import search_path

SECONDS: Final = 30.0
"""The longest that one question waits for git."""
MOST_BYTES: Final = 128 * 1024 * 1024
"""The longest answer that is taken."""
_SAFE: Final = (
    "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "log.showSignature=false",
    "-c", f"diff.orderFile={os.devnull}", "-c", "core.attributesFile=", "-c", "core.quotePath=false",
    "-c", "protocol.allow=never", "-c", "log.mailmap=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
    "--no-pager", "--no-replace-objects",
)  # fmt: skip


class GitFailed(Exception):
    """Git could not answer; ``str()`` says why, in words for people."""


def environment() -> dict[str, str]:
    """The environment for git: ours without what would point it elsewhere, without prompts, network or lock files."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "LC_ALL": "C",
        "PATH": search_path(),
    }


def ask(
    repo: Path, *arguments: str, seconds: float = SECONDS, given: bytes = b"", may_fail: tuple[int, ...] = ()
) -> bytes:
    """What git answers in ``repo``, given these bytes to read. Raises ``GitFailed``, but not for ``may_fail`` codes."""
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as told:
        # A file, not a pipe: an endless answer fills neither the memory nor a pipe that nobody empties.
        if given:
            told.write(given)
            told.seek(0)
        try:
            process = subprocess.Popen(
                ["git", *_SAFE, *arguments],
                cwd=repo,
                env=environment(),
                stdin=told,
                stdout=said,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, ValueError) as error:
            raise GitFailed("git is not at hand, or there is no such folder") from error
        code = _waited(process, said.fileno(), time.monotonic() + seconds)
        if os.fstat(said.fileno()).st_size > MOST_BYTES:
            raise GitFailed("git's answer is too long")
        if code is None:
            raise GitFailed(f"git did not answer within {seconds:.0f} seconds")
        if code != 0 and code not in may_fail:
            raise GitFailed(f"git {arguments[0]} failed")
        said.seek(0)
        return said.read()


def _waited(process: subprocess.Popen[bytes], output: int, until: float) -> int | None:
    """The exit code, or None where it took too long or said too much; then it is ended."""
    while True:
        try:
            return process.wait(timeout=0.25)
        except subprocess.TimeoutExpired:
            if time.monotonic() > until or os.fstat(output).st_size > MOST_BYTES:
                process.kill()
                process.wait()
                return None


def words(repo: Path, *arguments: str) -> str | None:
    """A short answer of git as text without the blanks around it; None where it fails."""
    try:
        return os.fsdecode(ask(repo, *arguments, seconds=5.0)).strip()
    except GitFailed:
        return None


def fields(answer: bytes) -> list[str]:
    """The fields of an answer given with ``-z``; bytes that are not UTF-8 become surrogates, as in file names."""
    parts = os.fsdecode(answer).split("\0")
    if parts and parts[-1] == "":
        parts.pop()
    return parts
