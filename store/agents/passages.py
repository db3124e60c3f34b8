"""The lines around a place that a ``source_ref`` names, for a person to read: bounded, and only from regular files.

A reference is whatever an agent wrote. What stands outside the home folder and the project, and what is a pipe, a
device or a link, is named and never opened.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from store.agents.excerpts import folded, harmless, last_words
from store.agents.provenance import CLAUDE, CODEX, GEMINI
from store.agents.transcript_lines import OUTCOMES, user_words, words_of
from store.agents.transcripts import folders
from store.regular import open_regular
from store.source_ref import Place, parse

BEFORE: Final = 512 * 1024
BEHIND: Final = 256 * 1024
"""Bytes around the place that are read."""
ROWS_HERE: Final = 40
ROWS_BEFORE: Final = 16
ROWS_BEHIND: Final = 12
MOST_TEXT: Final = 1_200
MOST_ASIDE: Final = 300
"""Characters of one row: of what was said, and of what a tool was asked or answered."""
SEARCHED: Final = 64 * 1024 * 1024
"""Bytes in which a line or a call is looked for."""
SECONDS: Final = 1.0
_CHUNK: Final = 1024 * 1024
_MENTIONS: Final = 8


class Row(NamedTuple):
    """One thing that was said. ``who`` is you, agent, tool or result, and empty for a line of an ordinary file.

    ``number`` is the line's, None where it is not known; ``here`` marks the place itself.
    """

    number: int | None
    who: str
    text: str
    here: bool


class Passage(NamedTuple):
    """What a reference leads to: ``state`` is there, moved, gone, outside, strange or none.

    ``kept`` tells whether it stands where agents keep their transcripts: elsewhere, whoever proposed it may have
    written it, the user's words in it too.

    ``moved``: the file is there, and the line holds something else now. ``strange``: no regular file, or it cannot be
    read. ``none``: the reference names no file. ``path`` is where it was looked for. ``rows`` only where it is there
    or moved.
    """

    state: str
    path: str
    rows: tuple[Row, ...] = ()
    kept: bool = False


class Said(NamedTuple):
    """Whose words a quotation is: the row that holds them, or (``whole`` False) only a part of them."""

    row: Row
    whole: bool


def passage(
    source_ref: str | None,
    *,
    home: str,
    root: str | None,
    words: str | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Passage:
    """What stands at a reference now. ``home`` and ``root`` (the project's folder) are where files may be read.

    ``words`` are those quoted for it: they find the place where the reference tells no line. ``environ`` may name other
    folders of the agents than the usual.
    """
    place = parse(source_ref) if source_ref else None
    if place is None:
        return Passage("none", "")
    path = _resolved(place.path, home, root)
    real = os.path.realpath(path)
    if not any(_inside(real, folder) for folder in (home, root) if folder):
        return Passage("outside", path)
    if not os.path.lexists(real):
        return Passage("gone", path)
    # The place that was checked, with every link on the way to it followed: the last part is never one.
    handle = open_regular(real)
    if handle is None:
        return Passage("strange", path)
    kept = any(_inside(real, folder) for folder in folders(home, environ))
    try:
        return _read(handle, path, place, _tail_of(words or ""))._replace(kept=kept)
    except OSError:
        return Passage("strange", path)
    finally:
        os.close(handle)


def said_by(words: str, rows: Sequence[Row]) -> Said | None:
    """Whose words a quotation is: the user's own before a tool's, those before the agent's; None where nobody's.

    What the agent wrote into a call says nothing: it is the quotation itself. All of the words count, in one row, or as
    an excerpt is made of several messages of the user; else the row is that of the last of them, and only a part.
    """
    wanted, last = folded(words.strip(" …\n")), folded(_tail_of(words))
    if not wanted:
        return None
    looked = [(row, folded(harmless(row.text))) for row in rows if row.who in WHO]
    for who in WHO:
        found = [row for row, text in looked if row.who == who and wanted in text]
        if found:
            return Said(_nearest(found), whole=True)
    yours = [row for row, _text in looked if row.who == "you"]
    made = [row for place, row in enumerate(yours) if _excerpt(yours[: place + 1]) == folded(words)]
    if made:
        return Said(_nearest(made), whole=True)
    for who in WHO:
        found = [row for row, text in looked if row.who == who and last and last in text]
        if found:
            return Said(_nearest(found), whole=False)
    return None


WHO: Final = ("you", "result", "", "agent")
"""Whose words count, in this order."""


def _nearest(found: Sequence[Row]) -> Row:
    return next((row for row in found if row.here), found[-1])


def _excerpt(messages: Sequence[Row]) -> str:
    """The excerpt that ends with the last of these messages, folded."""
    before: list[str] = []
    for row in reversed(messages[:-1]):
        if not before or before[-1] != row.text:
            before.append(row.text)
    return folded(last_words(messages[-1].text, before))


def _tail_of(words: str) -> str:
    """The last piece of an excerpt: it may be of several messages, or of the beginning and the end of a long one."""
    pieces = re.split(r"\n| … |^… | …$", words)
    return next((piece.strip() for piece in reversed(pieces) if piece.strip()), "")


def _resolved(path: str, home: str, root: str | None) -> str:
    if path == "~" or path.startswith("~/"):
        return os.path.join(home, path[2:])
    return os.path.join(root or home, path)


def _inside(path: str, folder: str) -> bool:
    real = os.path.realpath(folder)
    return real != os.sep and (path == real or path.startswith(real.rstrip(os.sep) + os.sep))


def _read(handle: int, path: str, place: Place, words: str) -> Passage:
    until = time.monotonic() + SECONDS
    size = os.fstat(handle).st_size
    plain = not path.endswith((".jsonl", ".json"))
    at, number = _start_of(handle, size, place.line, until)
    if place.call is not None and (at is None or not _holds(handle, at, place.call)):
        # A transcript may have been written anew since: the call is what names the place.
        at, number = _line_with(handle, size, f'"{place.call}"', until), None
    elif at is None and place.line is None and words and not plain:
        at = _line_with(handle, size, json.dumps(words, ensure_ascii=False)[1:-1], until)
    elif at is None and place.line is None:
        at, number = 0, 1
    rows = _rows(handle, size if at is None else at, number, plain=plain, marked=at is not None)
    return Passage("there" if at is not None else "moved", path, rows)


def _start_of(handle: int, size: int, line: int | None, until: float) -> tuple[int | None, int | None]:
    """Where a line starts, by counting; None where the file is shorter, or counting it takes too long."""
    if line is None:
        return None, None
    left, at = line - 1, 0
    while left > 0 and at < min(size, SEARCHED) and time.monotonic() < until:
        part = os.pread(handle, _CHUNK, at)
        ends = part.count(b"\n")
        if ends < left:
            left, at = left - ends, at + len(part)
            continue
        inside = -1
        for _ in range(left):
            inside = part.find(b"\n", inside + 1)
        return (at + inside + 1, line) if at + inside + 1 < size else (None, None)
    return (at, line) if left == 0 and size > 0 else (None, None)


def _holds(handle: int, at: int, call: str) -> bool:
    """Whether the line at ``at`` has to do with a call. The user's own words, just before it, name no call."""
    line = os.pread(handle, BEHIND, at).partition(b"\n")[0]
    return call.encode() in line or any(user_words(agent, line) for agent in (CLAUDE, CODEX, GEMINI))


def _line_with(handle: int, size: int, words: str, until: float) -> int | None:
    """Where the last line starts that holds these words and is not what came of a call."""
    wanted, end = words.encode("utf-8", "replace"), size
    found: int | None = None
    for _ in range(_MENTIONS):
        at = _last(handle, end, wanted, until)
        if at is None:
            break
        before = os.pread(handle, min(at, BEFORE), at - min(at, BEFORE))
        found = end = at - len(before) + before.rfind(b"\n") + 1
        line = os.pread(handle, BEHIND, found).partition(b"\n")[0]
        if not any(mark in line for mark in OUTCOMES):
            break
    return found


def _last(handle: int, size: int, wanted: bytes, until: float) -> int | None:
    """The last place of these bytes before ``size``, looked for from there."""
    end = size
    while end > max(0, size - SEARCHED) and time.monotonic() < until:
        start = max(0, end - _CHUNK)
        inside = os.pread(handle, min(end - start + len(wanted), size - start), start).rfind(wanted)
        if inside >= 0:
            return start + inside
        end = start
    return None


def _rows(handle: int, at: int, number: int | None, *, plain: bool, marked: bool) -> tuple[Row, ...]:
    start = max(0, at - BEFORE)
    above = os.pread(handle, at - start, start)
    lines = above.split(b"\n")[:-1] if above.endswith(b"\n") else above.split(b"\n")
    lines = lines[1:] if start > 0 else lines
    below = os.pread(handle, BEHIND, at).split(b"\n")
    first = number - len(lines) if number is not None else None
    before = list(_said(lines if above else [], first, plain=plain, here=False))[-ROWS_BEFORE:]
    place = list(islice(_said(below[:1], number, plain=plain, here=marked), ROWS_HERE))
    if not place and marked:
        place = [Row(number, "", "", True)]
    behind = list(_said(below[1:-1] if len(below) > 1 else [], number + 1 if number is not None else None, plain=plain))
    return (*before, *place, *behind[:ROWS_BEHIND])


def _said(lines: Sequence[bytes], first: int | None, *, plain: bool, here: bool = False) -> Iterator[Row]:
    for place, line in enumerate(lines):
        number = first + place if first is not None else None
        if plain:
            yield Row(number, "", _short(line.decode("utf-8", "replace"), MOST_TEXT), here)
            continue
        for who, text in words_of(line):
            if text.strip():
                yield Row(number, who, _short(text, MOST_TEXT if here or who in ("you", "agent") else MOST_ASIDE), here)


def _short(text: str, most: int) -> str:
    text = text.strip("\n").removesuffix("\r")
    if len(text) <= most:
        return text
    # The end of a long message stays: what was asked for stands there as often as at its beginning.
    head = most * 2 // 3
    return f"{text[:head]} … {text[head - most + 1 :]}"
