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
    for uri in roots[:MOST_ROOTS]:
        named = local(str(uri))
        if named is not None:
            return named
    said = environ.get("CLAUDE_PROJECT_DIR", "")
    return Path(said) if os.path.isabs(said) and os.path.isdir(said) else Path(started_in)  # noqa: PTH112, PTH117


def local(uri: str) -> Path | None:
    """The folder that a ``file:`` URI names, if it is one of this machine and is there."""
    try:
        parts = urlsplit(uri)
        path = unquote(parts.path, errors="strict")
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or not path.startswith("/") or "\x00" in path:
        return None
    try:
        return Path(path) if Path(path).is_dir() else None
    except OSError:
        return None
