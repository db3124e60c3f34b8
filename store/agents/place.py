"""Which project a client works on: the folder we were told, else the client's root, else what the agent names, else
the folder we were started in."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

MOST_ROOTS: Final = 50


def folder(told: str | None, roots: Sequence[object], environ: Mapping[str, str], started_in: str) -> Path:
    """The folder of the project. ``roots`` are the URIs that the client names, in its order."""
    if told is not None:
        return Path(started_in, told).expanduser()
    named = [path for uri in roots[:MOST_ROOTS] if (path := local(str(uri))) is not None]
    if named:
        # One that is gone is still this client's, and no other folder is.
        return next((path for path in named if _there(path)), named[0])
    said = environ.get("CLAUDE_PROJECT_DIR", "")
    return Path(said) if os.path.isabs(said) and os.path.isdir(said) else Path(started_in)  # noqa: PTH112, PTH117


def local(uri: str) -> Path | None:
    """The folder that a ``file:`` URI names, if it may be one of this machine; there or not."""
    try:
        parts = urlsplit(uri)
        path = unquote(parts.path, errors="strict")
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or not path.startswith("/") or "\x00" in path:
        return None
    return Path(path)


def _there(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
