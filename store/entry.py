"""The entry: what is said. One frozen value that proposals carry, memories hold, exports write and commitments hash."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal

GLOBAL: Final = "global"
SEMANTIC_KINDS: Final = ("fact", "preference", "procedure")
EPISODIC_KINDS: Final = ("experience", "decision", "requirement", "feedback")
KINDS: Final = SEMANTIC_KINDS + EPISODIC_KINDS
SOURCES: Final = ("user_feedback", "task_success", "task_failure", "manual", "import", "unknown")
OPS: Final = ("add", "update", "remove")
KEY_GRAMMAR: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,127}", re.ASCII)

_QUOTED: Final = json.encoder.encode_basestring
"""A text as JSON spells it outside ASCII too: what ``json.dumps`` makes of it, without the set-up for each call."""

Op = Literal["add", "update", "remove"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is said, by whom, and why one may believe it (design section 1).

    ``content`` is exactly what was admitted. ``confidence`` is None where the proposer said none; it is never invented.
    ``valid_until`` is aware and in UTC.
    """

    scope: str
    content: str
    kind: str = "fact"
    key: str | None = None
    aliases: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    source: str = "unknown"
    source_agent: str | None = None
    session_id: str | None = None
    source_ref: str | None = None
    evidence: str | None = None
    confidence: float | None = None
    valid_until: datetime | None = None

    def canonical_json(self) -> str:
        """The one spelling of this entry: sorted keys, no spaces, absent values null, times ISO 8601 in UTC."""
        return json.dumps(self.as_dict(), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)

    def as_dict(self) -> dict[str, Any]:
        """The entry as plain JSON values, by the names of design section 8."""
        return {
            "scope": self.scope,
            "content": self.content,
            "kind": self.kind,
            "key": self.key,
            "aliases": list(self.aliases),
            "paths": list(self.paths),
            "source": self.source,
            "source_agent": self.source_agent,
            "session_id": self.session_id,
            "source_ref": self.source_ref,
            "evidence": self.evidence,
            "confidence": self.confidence,
            "valid_until": iso(self.valid_until),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Entry:
        """Rebuild an entry that ``as_dict`` wrote. Not a border: what comes from outside goes through ``admit``."""
        plain = dict(values)
        plain["aliases"] = tuple(plain.get("aliases") or ())
        plain["paths"] = tuple(plain.get("paths") or ())
        if plain.get("valid_until") is not None:
            plain["valid_until"] = datetime.fromisoformat(plain["valid_until"])
        return cls(**plain)

    @classmethod
    def from_json(cls, text: str) -> Entry:
        """Rebuild an entry from its ``canonical_json``."""
        return cls.from_dict(json.loads(text))

    def with_(self, **changes: Any) -> Entry:
        """A copy with some columns changed."""
        return replace(self, **changes)


def iso(moment: datetime | None) -> str | None:
    """ISO 8601 in UTC with microseconds and a Z, or None. ``moment`` must be aware."""
    if moment is None:
        return None
    if moment.tzinfo is None:
        raise ValueError("a time without a zone")
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def content_hash(content: str) -> str:
    """SHA-256 of the exact bytes, as hex: what an approval binds."""
    return hashlib.sha256(content.encode("utf-8")).hexdigest()


def fingerprint(scope: str, op: str, content: str) -> str:
    """The identity of a saying for duplicates and tombstones, as hex: scope, op and text in NFC, white space aside.

    An addition and an update of the same text are one saying (whether a key was already taken is chance); a removal
    is another.
    """
    text = " ".join(unicodedata.normalize("NFC", content).split())
    stance = "remove" if op == "remove" else "hold"
    return hashlib.sha256("\x00".join((scope, stance, text)).encode("utf-8")).hexdigest()


def group_id(scope: str, key: str | None, target_id: str | None, own_id: str) -> str:
    """What proposals for one key, or for one target, have in common; a proposal with neither is its own group."""
    if key is not None:
        return hashlib.sha256(f"key\x00{scope}\x00{key}".encode()).hexdigest()[:32]
    return target_id or own_id


def commitment(salt: str, entry_json: str, previous_value: str | None, status: str, revision: int) -> str:
    """The salted hash that the chain covers instead of the text, as hex; it outlives the erasure of both."""
    before = "null" if previous_value is None else _QUOTED(previous_value)
    said = f"[{_QUOTED(salt)},{_QUOTED(entry_json)},{before},{_QUOTED(status)},{revision}]"
    return hashlib.sha256(said.encode("utf-8")).hexdigest()
