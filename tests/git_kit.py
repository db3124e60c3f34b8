"""Small real git repositories for tests: made in a folder, without anybody's configuration."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_WHO = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main", "-c", "gc.auto=0")


def body(seed: str, lines: int = 30) -> str:
    """Text enough for git to know again; another ``seed`` is another text."""
    return "".join(f"{seed} line {at} says {seed * 2}{at * at}\n" for at in range(lines))


class Repository:
    """A repository whose files are given as a dict of path to text (None: away)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q")

    def git(self, *arguments: str) -> str:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        clean |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        clean |= {"GIT_AUTHOR_DATE": self.date, "GIT_COMMITTER_DATE": self.date} if self.date else {}
        ran = subprocess.run(
            ["git", *_WHO, *arguments], cwd=self.folder, env=clean, check=True, capture_output=True, text=True
        )
        return ran.stdout.strip()

    date: str | None = None
    """When the next commits are made, as git reads it; None: now."""

    def write(self, files: dict[str, str | None]) -> None:
        for path, text in files.items():
            place = self.folder / path
            if text is None:
                place.unlink()
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, encoding="utf-8")

    def commit(self, files: dict[str, str | None] | None = None, subject: str = "change") -> str:
        """Write ``files`` and commit all there is; the commit's hash."""
        self.write(files or {})
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def move(self, old: str, new: str) -> None:
        (self.folder / new).parent.mkdir(parents=True, exist_ok=True)
        self.git("mv", old, new)
