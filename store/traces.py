"""Whether bytes of a text are left in files: as UTF-8, UTF-16, escaped in JSON, and as the words of the search index.

A long text may be parted between two pages of a database, so its beginning, its middle and its end are looked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from store.text import fold

LEAST: Final = 5
"""Characters of a text that is looked for; a shorter one stands in any file by chance."""
PIECE: Final = 40
MOST: Final = 600
"""Pieces that are looked for at most: of more texts the longest."""
FEWEST: Final = 12
_WORK: Final = 24_000_000_000
"""Bytes times forms that a search may compare: some seconds."""
_BLOCK: Final = 1 << 20
_WORD: Final = re.compile(r"\w{8,}")


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for. ``pieces`` are parts of the texts, ``words`` their longer words as the index spells them."""

    pieces: tuple[str, ...]
    words: tuple[str, ...]
    left_out: int = 0
    """How many texts are not looked for: too short, or too many."""


def most_in(size: int) -> int:
    """How many pieces may be looked for in files of ``size`` bytes together."""
    return min(MOST, max(FEWEST, _WORK // (8 * max(size, 1))))


def sought(texts: Collection[str], most: int = MOST) -> Sought:
    """What to look for, ``most`` pieces and as many words, so that none of these texts can stand anywhere unseen."""
    long = sorted((text for text in texts if len(text.strip()) >= LEAST), key=len, reverse=True)
    pieces: dict[str, None] = {}
    words: dict[str, None] = {}
    taken = 0
    for text in long:
        if len(pieces) >= most:
            break
        taken += 1
        pieces.update(dict.fromkeys(_pieces(text.strip())))
        words.update(dict.fromkeys(_WORD.findall(fold(text))[:most]))
    return Sought(tuple(pieces)[:most], tuple(words)[:most], len(texts) - taken)


def _pieces(text: str) -> Iterator[str]:
    if len(text) <= PIECE:
        yield text
        return
    middle = (len(text) - PIECE) // 2
    for start in (0, middle, len(text) - PIECE):
        yield text[start : start + PIECE]


def forms(piece: str) -> list[bytes]:
    """The bytes that a text may be written as."""
    spelled = {piece, json.dumps(piece, ensure_ascii=False)[1:-1], json.dumps(piece)[1:-1]}
    found = {one.encode("utf-8", "surrogatepass") for one in spelled}
    found |= {piece.encode(how, "surrogatepass") for how in ("utf-16-le", "utf-16-be")}
    return sorted(found)


def in_files(paths: Iterable[Path], wanted: Collection[str]) -> dict[Path, set[str]]:
    """By file, which of these pieces and words stand in it. What cannot be read is left out."""
    patterns = {one: forms(one) for one in wanted}
    overlap = max((len(form) for some in patterns.values() for form in some), default=1)
    found: dict[Path, set[str]] = {}
    for path in paths:
        with suppress(OSError):
            here = _in_file(path, patterns, overlap)
            if here:
                found[path] = here
    return found


def _in_file(path: Path, patterns: dict[str, list[bytes]], overlap: int) -> set[str]:
    found: set[str] = set()
    before = b""
    with path.open("rb") as source:
        while block := source.read(_BLOCK):
            held = before + block
            for piece, some in patterns.items():
                if piece not in found and any(form in held for form in some):
                    found.add(piece)
            before = held[-overlap:]
    return found
