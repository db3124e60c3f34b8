"""Where something was said, as one line that people can read: ``~/.claude/projects/x/7f3a.jsonl:120#toolu_01``. Pure.

``Place.spelled`` writes it, ``parse`` reads whatever an agent gave: neither opens nor asks for anything.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

MOST_BYTES: Final = 1024
"""What the field ``source_ref`` of a proposal takes."""
_CALL: Final = r"[A-Za-z0-9_.:-]{1,128}"
_SPELLED: Final = rf"(?s)(.+?)(?::([1-9][0-9]{{0,9}}))?(?:#({_CALL}))?"


class Place(NamedTuple):
    """A line of a file. ``line`` counts from 1, and is None where it is not known; ``call`` names the tool call there.

    ``path`` may start with ``~/``, the home of the person who reads it.
    """

    path: str
    line: int | None = None
    call: str | None = None

    def spelled(self) -> str:
        """The place in one line, as ``parse`` reads it back."""
        line = f":{self.line}" if self.line is not None else ""
        call = f"#{self.call}" if self.call is not None else ""
        return f"{self.path}{line}{call}"


def parse(text: str) -> Place | None:
    """What a ``source_ref`` names, or None where it is no path: an address (``https://…``), a number, prose."""
    found = re.fullmatch(_SPELLED, text.strip())
    if found is None or "://" in text or "\x00" in text or "\n" in text:
        return None
    path, line, call = found.groups()
    if "/" not in path and "." not in path:
        return None
    return Place(path, int(line) if line is not None else None, call)


def call_name(value: object) -> str | None:
    """An agent's name for one tool call if it is one that a place can carry, else None."""
    return value if isinstance(value, str) and re.fullmatch(_CALL, value, re.ASCII) is not None else None


def below_home(path: str, home: str) -> str:
    """A path with ``~`` for the home folder."""
    inside = home not in ("", "/") and path.startswith(home.rstrip("/") + "/")
    return "~" + path[len(home.rstrip("/")) :] if inside else path
