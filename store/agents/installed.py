"""The command by which an agent starts this very installation, and the store that it is told to use."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import meminbox
from store.agents.roster import Scope
from store.errors import UsageError
from store.location import locate, search_path

_PASSING = (f"{os.sep}archive-v0{os.sep}", f"{os.sep}environments-v2{os.sep}", f"{os.sep}pipx{os.sep}.cache{os.sep}")
"""Parts of the folders that `uvx` and `pipx run` throw away again."""


def server_argv(scope: Scope, db: str | None, environ: Mapping[str, str] = os.environ) -> list[str]:
    """The command line of our server. For a project it is the plain name: other people's folders are not ours.

    Raises UsageError where it cannot be written into settings files: a password in the store's URL, or a name that is
    not UTF-8.
    """
    if scope == "project":
        return ["meminbox", "mcp"]
    argv = [*program(environ), "mcp", *place_option(db, environ)]
    for word in argv:
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise UsageError(
                f"A name is not UTF-8, and agents' settings can hold no other: {word!a}.",
                kept="Nothing was changed.",
                todo="Give the folder another name, or keep the store elsewhere (--db).",
            ) from error
    return argv


def program(environ: Mapping[str, str] = os.environ) -> list[str]:
    """This installation's program, absolute: as the path has it where that is this one, so that it outlives updates."""
    script = Path(sysconfig.get_path("scripts")) / "meminbox"
    if not os.access(script, os.X_OK):
        return meminbox.command()
    named = shutil.which("meminbox", path=search_path(environ))
    if named is not None and os.path.realpath(named) == os.path.realpath(script):
        return [os.path.abspath(named)]  # noqa: PTH100  (a link in ~/.local/bin stays a link)
    return [str(script)]


def passing() -> bool:
    """Whether this installation is one that is thrown away again (`uvx`, `pipx run`)."""
    return any(part in os.path.realpath(sys.prefix) + os.sep for part in _PASSING)


def place_option(db: str | None, environ: Mapping[str, str] = os.environ) -> list[str]:
    """``--db PLACE`` where the store is not the one that a process without our variables would find; else nothing.

    Agents start servers with an environment of their own making: a variable that says where the store is may be gone.
    """
    place = locate(db, environ)
    if place.url is None:
        return [] if place.path == locate(None, {}).path else ["--db", str(place.path)]
    parts = urlsplit(place.url)
    if parts.password or "password" in parse_qs(parts.query):
        raise UsageError(
            "The database's URL holds a password, and setup would write it into the agents' settings.",
            kept="Nothing was changed.",
            todo="Keep the password in ~/.pgpass, and give the URL without it.",
        )
    return ["--db", place.url]
