"""What the user's config.toml says about people and places: the table ``[redact]``. Pure, but for reading that file.

Each of ``email``, ``phone``, ``addresses`` (private addresses and intranet hosts) and ``home`` (home folders) is
``"mask"`` (as without the table), ``"hold"`` (kept, and held for a person) or ``"keep"``. Secrets, cards and identity
papers have no switch.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from store.location import config_file

CHOICES: Final = ("mask", "hold", "keep")
NAMES: Final = ("email", "phone", "addresses", "home")


@dataclass(frozen=True, slots=True)
class Policy:
    """What is done with each kind: ``mask``, ``hold`` or ``keep``."""

    email: str = "mask"
    phone: str = "mask"
    addresses: str = "mask"
    home: str = "mask"


MASK_ALL: Final = Policy()
_Mark = tuple[str, int, int]
_read: dict[_Mark, Policy] = {}


def read_policy(section: object) -> tuple[Policy, tuple[str, ...]]:
    """The policy of config.toml's ``[redact]``, and a message for each thing not understood, which stays masked."""
    if section is None:
        return MASK_ALL, ()
    if not isinstance(section, dict):
        return MASK_ALL, ("[redact] is not a table.",)
    messages = [f"redact.{name} is not known." for name in section if name not in NAMES]
    said: dict[str, str] = {}
    for name in NAMES:
        value = section.get(name, "mask")
        if value in CHOICES:
            said[name] = value
        else:
            messages.append(f"redact.{name} is not one of {', '.join(CHOICES)}.")
    return Policy(**said), tuple(messages)


def current() -> Policy:
    """The policy in force: that of the user's config.toml as it stands now, read again where the file has changed."""
    path = config_file(os.environ)
    try:
        found = path.stat()
    except OSError:
        return MASK_ALL
    mark = (str(path), found.st_mtime_ns, found.st_size)
    if mark not in _read:
        from store.config import read

        _read.clear()
        _read[mark] = read_policy(read(path).section("redact") or None)[0]
    return _read[mark]
