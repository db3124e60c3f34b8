"""Where a store stands: the database, and the spool, notes, head, lock and backups beside it.

Quick: every hook needs it, so nothing is imported that costs more than it gives here (dataclasses, typing).
"""

from __future__ import annotations

import hashlib
import os
from collections import namedtuple
from pathlib import Path

from store.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple

    class _Fields(NamedTuple):
        url: str | None
        path: Path | None
        folder: Path
        stem: str

else:
    _Fields = namedtuple("_Fields", "url path folder stem")

_URL_SCHEMES = ("postgresql://", "postgres://", "postgresql+psycopg://")


class Location(_Fields):
    """A resolved place. ``path`` is the SQLite file, or None where ``url`` names a PostgreSQL database.

    ``folder`` holds what stands beside the store; ``stem`` starts the names of those files.
    """

    __slots__ = ()

    @property
    def spool(self) -> Path:
        """The folder of admitted lines that wait to be taken into the store."""
        return self.folder / f"{self.stem}.spool"

    @property
    def notes(self) -> Path:
        """The folder of small facts (``store.notes``) that wait to be taken into the store."""
        return self.folder / f"{self.stem}.notes"

    @property
    def head(self) -> Path:
        """The file that keeps the newest seq and digest of each tenant apart from the store."""
        return self.folder / f"{self.stem}.head"

    @property
    def lock(self) -> Path:
        """The file whose lock serialises creation and migration."""
        return self.folder / f"{self.stem}.lock"

    @property
    def backups(self) -> Path:
        """The folder of backups."""
        return self.folder / f"{self.stem}.backups"

    @property
    def erased(self) -> Path:
        """The file that lists the ids of what was erased, so that no backup brings it back."""
        return self.folder / f"{self.stem}.erased"

    def described(self) -> str:
        """The place in words for people; never a password."""
        if self.path is not None:
            return str(self.path)
        assert self.url is not None
        return _without_secrets(self.url)


def home(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder for data and configuration: MEMINBOX_HOME, else XDG_DATA_HOME/meminbox, else ~/.local/share/meminbox.

    A relative value is taken from the present folder, ``~`` from the user's home.
    """
    said = environ.get("MEMINBOX_HOME")
    if said:
        return _absolute(said)
    base = environ.get("XDG_DATA_HOME")
    return (_absolute(base) if base else Path.home() / ".local" / "share") / "meminbox"


def config_file(environ: Mapping[str, str] = os.environ) -> Path:
    """The user's config.toml: in MEMINBOX_HOME where set, else XDG_CONFIG_HOME/meminbox, else ~/.config/meminbox."""
    if environ.get("MEMINBOX_HOME"):
        return home(environ) / "config.toml"
    base = environ.get("XDG_CONFIG_HOME")
    return (_absolute(base) if base else Path.home() / ".config") / "meminbox" / "config.toml"


def locate(said: str | None = None, environ: Mapping[str, str] = os.environ) -> Location:
    """The store that an option, else MEMINBOX_DB, else the default names. Creates nothing.

    Raises UsageError for an empty value or an unknown kind of URL.
    """
    value = said if said is not None else environ.get("MEMINBOX_DB") or str(home(environ) / "meminbox.db")
    if not value.strip():
        raise UsageError("The name of the store is empty.", todo="Give a path, or a postgresql:// URL.")
    if value.startswith(_URL_SCHEMES):
        name = hashlib.sha256(_named(value).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        return Location(url=value, path=None, folder=home(environ), stem=f"postgresql-{name}")
    if "://" in value:
        raise UsageError(f"No store of this kind is known: {value.partition('://')[0]}.", todo="Use postgresql://.")
    path = _absolute(value)
    return Location(url=None, path=path, folder=path.parent, stem=path.name)


def search_path(environ: Mapping[str, str] = os.environ) -> str:
    """Where programs are looked for: the absolute folders of PATH. A relative one would let a repository choose."""
    folders = environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if os.path.isabs(folder))  # noqa: PTH117


def present_folder() -> Path:
    """The folder we are in. Raises UsageError where it has been removed meanwhile."""
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError(
            f"The present folder cannot be told: {error.strerror}.", todo="Go to a folder that is there."
        ) from error


def _absolute(value: str) -> Path:
    if "\x00" in value:
        raise UsageError("A path cannot contain a NUL character.", todo="Give another path.")
    try:
        path = Path(value).expanduser()
        return path if path.is_absolute() else present_folder() / path
    except RuntimeError as error:
        raise UsageError(f"There is no such user: {value.partition('/')[0]}.", todo="Write the path out.") from error


def _without_secrets(url: str) -> str:
    """The server, port and database; no user, no password, no certificates."""
    from urllib.parse import parse_qsl, urlencode

    # What stands before the last "@" is never shown, whatever an unescaped password holds.
    place, _, query = url.partition("://")[2].rpartition("@")[2].partition("?")
    kept = [(name, value) for name, value in parse_qsl(query) if name in ("host", "port", "dbname")]
    return f"postgresql://{place}" + (f"?{urlencode(kept, safe='/:,')}" if kept else "")


def _named(url: str) -> str:
    """What tells one database from another: a changed password is the same store, and finds what stands beside it."""
    return url if "@" in url.partition("?")[2] else _without_secrets(url)
