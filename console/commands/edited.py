"""An entry as a person edited it: the changed parts pass the same border as everything else that enters."""

from __future__ import annotations

import json
import os
from typing import Any

from store.entry import Entry
from store.errors import UsageError


def entry(before: Entry, *, content: str | None, key: str | None, kind: str | None) -> Entry:
    """``before`` with what was given; where nothing was, with the text as the person leaves it in the editor.

    An empty ``key`` takes the key away. Raises UsageError for what is not admitted, and where nothing is changed.
    """
    if content is None and key is None and kind is None:
        from console.external import edit

        content = edit(before.content, os.environ)
        if content is None:
            raise UsageError("The text was left as it is.", kept="Nothing was changed.")
    changes: dict[str, Any] = {}
    if content is not None:
        changes["content"] = content
    if key is not None:
        changes["key"] = key or None
    if kind is not None:
        changes["kind"] = kind
    return before.with_(**_admitted(before, changes))


def _admitted(before: Entry, changes: dict[str, Any]) -> dict[str, Any]:
    """The changes as the border lets them in."""
    from store.admit import admit

    asked = {"content": before.content, "kind": before.kind, "key": before.key, **changes}
    said = {name: value for name, value in asked.items() if value is not None}
    admitted = admit(json.dumps(said, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    if admitted.refusals:
        raise UsageError(f"This cannot be kept: {admitted.refusals[0].reason}.", kept="Nothing was changed.")
    taken = admitted.proposals[0]
    return {name: getattr(taken, name) for name in changes}
