"""A post-merge hook of git that only tells which memories a merge has made false. It never stops a merge.

It stands between two marks in the hook of this clone, so that an existing one keeps all it does. A hook that the
project shares (``core.hooksPath`` inside the working tree), or that is no shell script, is not ours to write.
"""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from store.agents.setup_plan import ByHand, Edit
from store.location import search_path

NAME: Final = "git-hook"
BEGIN: Final = "# >>> meminbox: tells which memories a merge made false >>>"
END: Final = "# <<< meminbox <<<"
_SECONDS: Final = 5.0
_SHELLS: Final = ("sh", "bash", "dash", "zsh", "ksh")


class NoRepository(Exception):
    """The folder is in no git repository that git would read."""


def lines(argv: Sequence[str]) -> str:
    """The lines of the hook; ``argv`` is the command that checks."""
    return f"{BEGIN}\n{shlex.join([*argv, '--since', 'ORIG_HEAD', '--brief'])} </dev/null || :\n{END}\n"


def hook_file(project: Path) -> Path:
    """Where git looks for this clone's post-merge hook. Raises NoRepository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {"PATH": search_path()}
    asked = ["git", "rev-parse", "--path-format=absolute", "--git-path", "hooks/post-merge"]
    try:
        ran = subprocess.run(
            asked, cwd=project, env=kept, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise NoRepository from error
    path = os.fsdecode(ran.stdout.rstrip(b"\n"))
    if ran.returncode != 0 or not path:
        raise NoRepository
    return Path(path)


def planned(project: Path, argv: Sequence[str], *, remove: bool) -> Edit | ByHand | None:
    """What has to be done to the hook, or in whose hands it lies; None where it is as wanted. Raises NoRepository."""
    path = hook_file(project)
    wanted = lines(argv)
    before = path.read_bytes() if path.is_file() else None
    if not remove and _shared(path, project):
        return ByHand(NAME, path, "it belongs to the project, whose people all run it", wanted)
    text = before.decode("utf-8", "surrogateescape") if before is not None else ""
    without = _without(text)
    if before is not None and without.strip() and not _is_shell(without) and not remove:
        return ByHand(NAME, path, "it is no shell script", wanted)
    after: str | None = without
    if not remove:
        after = _with(without, wanted)
    elif without.strip() in ("", "#!/bin/sh") and without != text:
        after = None  # nothing of it is left but what we wrote
    if after == text:
        return None
    data = after.encode("utf-8", "surrogateescape") if after is not None else None
    real = Path(os.path.realpath(path))
    return None if before is None and data is None else Edit(NAME, path, real, before, data)


def make_runnable(edit: Edit) -> None:
    """Let git run the hook that was written."""
    if edit.after is not None:
        edit.real.chmod(stat.S_IMODE(edit.real.stat().st_mode) | 0o700)


def _shared(path: Path, project: Path) -> bool:
    """Whether the hook stands among the project's own files."""
    top, real = os.path.realpath(project), os.path.realpath(path)
    inside = Path(os.path.relpath(real, top)).parts
    return inside[0] not in ("..", ".git")


def _is_shell(text: str) -> bool:
    first = text.split("\n", 1)[0]
    return first.startswith("#!") and first.split()[-1].rpartition("/")[2] in _SHELLS


def _without(text: str) -> str:
    """The hook without our lines."""
    start, end = text.find(BEGIN), text.find(END)
    if start < 0 or end < start:
        return text
    after = end + len(END)
    return text[:start] + text[after + 1 if text[after : after + 1] == "\n" else after :]


def _with(text: str, wanted: str) -> str:
    """Ours right behind the first line: what ends an existing hook early must not end it before us."""
    first, newline, rest = text.partition("\n")
    if not text.strip():
        return f"#!/bin/sh\n{wanted}"
    return f"{first}{newline or chr(10)}{wanted}{rest}"
