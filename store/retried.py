"""What a retry is told while the store is too busy to take it in: of the first call, which still waits in the spool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from store import spool
from store.facts import Outcome
from store.spool import Line, SpoolFile
from store.triage import USED_BEFORE, answer_name, what_is_said

MOST_FILES: Final = 50
"""Files that are looked at, the newest: a retry comes soon after the call that it repeats."""
MOST_LINES: Final = 100
"""Lines of each. An import is no call that is made again."""


def waiting_before(file: SpoolFile, lines: Sequence[Line], reason: str) -> dict[str, Outcome]:
    """By the ids of ``lines``, which are those of ``file``: the answer of each that repeats one waiting before it.

    The same said again is told the id that the first was told, because that one is the proposal that comes of both;
    another text under the same idempotency key is refused, as it will be when the two are taken in.
    """
    wanted = {_name(line): line for line in lines}
    found: dict[str, Outcome] = {}
    for earlier in _earlier(file):
        line = wanted.get(_name(earlier))
        if line is None or line.id in found:
            continue
        if what_is_said(earlier.raw) == what_is_said(line.raw):
            found[line.id] = Outcome(line=line.raw.line, status="spooled", id=earlier.id, reason=reason)
        else:
            found[line.id] = Outcome(line=line.raw.line, status="refused", reason=USED_BEFORE)
    return found


def _name(line: Line) -> tuple[str, ...]:
    """What two calls have in common where one is the other's retry: the key they were given, else all they say."""
    if line.raw.idempotency_key is not None:
        return ("key", answer_name(line.raw, line.context))
    return ("said", line.context.scope, line.raw.source_agent or "", what_is_said(line.raw))


def _earlier(file: SpoolFile) -> Iterator[Line]:
    """The lines that were there before a file, oldest first. One that cannot be read, or is gone, is passed over."""
    before = [one for one in spool.files(file.path.parent) if one.id < file.id]
    for one in before[-MOST_FILES:]:
        try:
            yield from islice(spool.read(one), MOST_LINES)
        except (spool.SpoolGone, spool.SpoolDamaged):
            continue
