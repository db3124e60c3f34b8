"""Git remote URLs: many spellings, one identity such as ``github.com/acme/shop-api``. Pure."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

MOST_LENGTH = 1024
_SCHEMES = ("ssh", "git", "http", "https", "git+ssh", "ssh+git", "git+https", "git+http")
_SCP = re.compile(r"(?:[^@/\s]+@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^:/@\s\[\]]{2,}):(?P<path>[^\s:].*)")
_HOST = re.compile(r"[\w.:-]{1,253}")
_SAME_HOST = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "www.github.com": "github.com",
}
"""Names that only lead to the same server by another port."""


def normalised(url: str) -> str | None:
    """``host/path`` of a remote, whatever the protocol, user, password, port or ``.git``; the host in lower case.

    None for a path on this machine, and for what is no remote at all. The result holds no credentials.
    """
    said = url.strip()
    if not said or len(said) > MOST_LENGTH or not said.isprintable():
        return None
    if "://" in said:
        host, path = _split(said)
    else:
        match = _SCP.fullmatch(said)
        if match is None:
            return None
        host, path = match.group("host").strip("[]"), match.group("path")
    host = host.lower().rstrip(".")
    if _HOST.fullmatch(host) is None:
        return None
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or ".." in parts:
        return None
    parts[-1] = parts[-1].removesuffix(".git") or parts[-1]
    return "/".join((_SAME_HOST.get(host, host), *parts))


def _split(said: str) -> tuple[str, str]:
    try:
        parts = urlsplit(said)
        host = parts.hostname or ""
    except ValueError:
        return "", ""
    if parts.scheme.lower() not in _SCHEMES:
        return "", ""
    path = unquote(parts.path)
    return host, path if path.isprintable() else ""


def local_path(url: str, common: Path) -> Path | None:
    """The repository on this machine that a remote names, or None. A relative one starts at the clone's folder."""
    said = url.strip()
    if said.lower().startswith("file://"):
        said = unquote(said[len("file://") :])
        said = said if said.startswith("/") else said.partition("/")[1] + said.partition("/")[2]
    elif "://" in said or normalised(said) is not None:
        return None
    if not said or "\x00" in said or len(said) > MOST_LENGTH:
        return None
    base = common.parent if common.name == ".git" else common
    return Path(os.path.realpath(base / Path(said)))
