"""``propose``: from arguments or a stream to one result a line. Light, so that what is proposed is durable at once.

The order is what makes it safe under a kill: lines are admitted, spooled and synced to the disk before the store is
even imported; then the spool is drained, and the outcomes are told. Whoever opens the store next drains what a killed
process left.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from store.errors import NotFound, UsageError

TEXTS: Final = {
    "--content": "content",
    "--op": "op",
    "--kind": "kind",
    "--key": "key",
    "--scope": "scope",
    "--source": "source",
    "--agent": "source_agent",
    "--session": "session_id",
    "--ref": "source_ref",
    "--evidence": "evidence",
    "--confidence": "confidence",
    "--valid-until": "valid_until",
    "--target": "target",
    "--idempotency-key": "idempotency_key",
}
"""Options with a value, and the name of the value in a proposal (design section 8)."""
LISTS: Final = {"--alias": "aliases", "--path": "paths"}
"""Options that may be given again."""
SWITCHES: Final = {
    "--json": "as_json",
    "--yes": "go_on",
    "-y": "go_on",
    "--quiet": "quiet",
    "-q": "quiet",
    "--dry-run": "dry_run",
    "-n": "dry_run",
}


@dataclass
class Asked:
    """What ``propose`` was called with.

    ``what`` is a file, ``-`` or a text; ``said`` one proposal by hand, by the names of design section 8.
    """

    what: str | None = None
    said: dict[str, Any] = field(default_factory=dict)
    db: str | None = None
    as_json: bool = False
    go_on: bool = False
    quiet: bool = False
    dry_run: bool = False


def parse(arguments: Sequence[str]) -> Asked | None:
    """Arguments as they are usually given; None for anything else (help, mistakes), which Typer answers."""
    asked = Asked()
    rest = iter(arguments)
    for one in rest:
        name, equals, value = one.partition("=") if one.startswith("--") else (one, "", "")
        if name in SWITCHES and not equals:
            setattr(asked, SWITCHES[name], True)
            continue
        if name == "--db" or name in TEXTS or name in LISTS:
            given = value if equals else next(rest, None)
            if given is None:
                return None
            _give(asked, name, given)
        elif (one.startswith("-") and one != "-") or asked.what is not None:
            return None
        else:
            asked.what = one
    return asked


def _give(asked: Asked, name: str, value: str) -> None:
    if name == "--db":
        asked.db = value
    elif name in LISTS:
        asked.said.setdefault(LISTS[name], []).append(value)
    else:
        asked.said[TEXTS[name]] = value
