"""The one place through which every text passes before it is written anywhere, the spool included (design 4.2).

Version 0 is the seam alone: it changes nothing. The rules come with their own version; the version that a text went
through is kept with it, so that a later set of rules knows what to look at again. What a person types (an edit, the
reason of a decision) passes through here as well. What comes out must be admissible again, only its sizes may double.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from store.entry import Entry
from store.facts import Flag
from store.raw import Raw

REDACTION_VERSION: Final = 0
TEXTS: Final = (
    "content", "key", "scope", "source_agent", "session_id", "source_ref", "evidence", "excerpt", "target",
    "idempotency_key",
)  # fmt: skip
"""The text fields of a proposal; an entry has those that it knows."""
LISTS: Final = ("aliases", "paths")


def redact(raw: Raw) -> Raw:
    """An admitted proposal with secrets masked, the flags of what is uncertain added, and the version noted."""
    changed: dict[str, object] = {}
    flags = raw.flags
    for name in TEXTS:
        value: str | None = getattr(raw, name)
        if value is not None:
            changed[name], found = redact_text(value)
            flags += found
    for name in LISTS:
        parts = [redact_text(value) for value in getattr(raw, name)]
        changed[name] = tuple(text for text, _ in parts)
        flags += tuple(flag for _, found in parts for flag in found)
    return replace(raw, **changed, flags=flags, redaction_version=REDACTION_VERSION)  # type: ignore[arg-type]


def redact_entry(entry: Entry) -> tuple[Entry, tuple[Flag, ...]]:
    """The same for an entry that a person edited: the entry to store, and the flags it has earned."""
    changed: dict[str, object] = {}
    flags: tuple[Flag, ...] = ()
    for name in TEXTS:
        value = getattr(entry, name, None)
        if isinstance(value, str):
            changed[name], found = redact_text(value)
            flags += found
    for name in LISTS:
        parts = [redact_text(value) for value in getattr(entry, name)]
        changed[name] = tuple(text for text, _ in parts)
        flags += tuple(flag for _, found in parts for flag in found)
    return entry.with_(**changed), flags


def redact_text(text: str) -> tuple[str, tuple[Flag, ...]]:
    """One text with its secrets masked, and a flag for each uncertain hit. Applied twice it changes nothing more."""
    return text, ()
