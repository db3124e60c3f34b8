"""An admitted proposal before intake: what the border, redaction, the spool and intake pass on to one another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from store.entry import Entry, iso
from store.errors import MeminboxError
from store.facts import Flag

FIELDS: Final = (
    "content", "op", "kind", "key", "aliases", "paths", "scope", "source", "source_agent", "session_id", "source_ref",
    "evidence", "confidence", "valid_until", "target", "idempotency_key",
)  # fmt: skip
"""What a proposal may say, in the order of design section 8."""


class NotAdmitted(MeminboxError):
    """What was proposed or edited cannot be taken as it is; the message says which field, why, and what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """One admitted proposal before intake: what was said and nothing else; what was not said is None or empty.

    ``line`` is its number in the input. ``content`` is None only for a removal that quotes nothing. ``flags`` are those
    that the border sets. ``redaction_version`` is None until ``store.redact.redact`` has seen it. ``excerpt`` is what
    the user typed before it was proposed, from the transcript; no proposer can set it.
    """

    line: int = 1
    op: str = "add"
    content: str | None = None
    kind: str | None = None
    key: str | None = None
    aliases: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    scope: str | None = None
    source: str | None = None
    source_agent: str | None = None
    session_id: str | None = None
    source_ref: str | None = None
    evidence: str | None = None
    confidence: float | None = None
    valid_until: datetime | None = None
    target: str | None = None
    idempotency_key: str | None = None
    excerpt: str | None = None
    flags: tuple[Flag, ...] = ()
    redaction_version: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """What was said as plain JSON values by the names of design section 8; what was not said is left out."""
        said: dict[str, Any] = {name: getattr(self, name) for name in FIELDS}
        said |= {"aliases": list(self.aliases), "paths": list(self.paths), "valid_until": iso(self.valid_until)}
        return {name: value for name, value in said.items() if value is not None and value != []}

    def entry(self, scope: str, content: str | None = None) -> Entry:
        """The entry it proposes, absent kind and source filled in. ``scope`` and ``content`` stand in for absent ones.

        Raises NotAdmitted where there is no content at all.
        """
        text = self.content if self.content is not None else content
        if text is None:
            raise NotAdmitted("content is missing.")
        return Entry(
            scope=self.scope or scope,
            content=text,
            kind=self.kind or "fact",
            key=self.key,
            aliases=self.aliases,
            paths=self.paths,
            source=self.source or "unknown",
            source_agent=self.source_agent,
            session_id=self.session_id,
            source_ref=self.source_ref,
            evidence=self.evidence,
            confidence=self.confidence,
            valid_until=self.valid_until,
        )
