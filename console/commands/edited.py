"""An entry as a person edited it: it passes the same border as everything else that enters."""

from __future__ import annotations

import os
from typing import Any

from store.admit import readmit
from store.entry import Entry
from store.errors import UsageError


def entry(before: Entry, *, content: str | None, key: str | None, kind: str | None) -> Entry:
    """``before`` with what was given; where nothing was, with the text as the person leaves it in the editor.

    An empty ``key`` takes the key away. Raises NotAdmitted for what cannot be kept, UsageError where nothing changed.
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
    edited, _ = readmit(before.with_(**changes))
    return edited
