"""What a memory names: the paths, modules, globs, addresses, packages and commands in its text. Pure.

Nothing here knows a repository. A text is read once from left to right: fences, trees and ``cd`` give a line its
place, spans in quotes are taken whole, and what stands between blanks is looked at piece by piece. What could be
something else is marked as not ``sure``: it counts only where a repository really has (or had) such a file.

Hostile text is expected: every step is linear in the text, which is read up to ``MOST_TEXT`` characters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from store.mention_lines import Line, lines
from store.mention_pieces import Kind, Mention, of_span, pieces

__all__ = ["MOST_MENTIONS", "MOST_TEXT", "Kind", "Mention", "candidates", "mentions", "paths"]

MOST_TEXT: Final = 64 * 1024
"""Characters of a text that are looked at."""
MOST_MENTIONS: Final = 400
"""Mentions of one text at most; the rest is not looked for."""


def mentions(text: str) -> tuple[Mention, ...]:
    """What ``text`` names, in its order, no two over each other; of two readings the surer, else the longer."""
    chosen: list[Mention] = []
    for one in sorted(candidates(text), key=_rank):
        if not any(one.start < other.end and other.start < one.end for other in chosen):
            chosen.append(one)
    return tuple(sorted(chosen, key=lambda one: one.start))


def _rank(one: Mention) -> tuple[bool, bool, int, int]:
    # A command says less than the paths in it.
    return (not one.sure, one.kind == "command", one.start - one.end, one.start)


def candidates(text: str) -> tuple[Mention, ...]:
    """Every reading of what ``text`` names, longer ones and shorter ones over each other, for who knows the files."""
    found: dict[tuple[int, int, str], Mention] = {}
    for line in lines(text[:MOST_TEXT]):
        for one in _of_line(line):
            place = (one.start, one.end, one.base)
            if place not in found or (one.sure and not found[place].sure):
                found[place] = one
        if len(found) >= MOST_MENTIONS:
            break
    return tuple(found.values())[:MOST_MENTIONS]


def paths(text: str) -> tuple[str, ...]:
    """The paths inside a repository that ``text`` surely names, each once, in its order (no globs, no placeholders)."""
    inside = ("path", "file", "folder")
    named = (one for one in mentions(text) if one.sure and one.kind in inside)
    return tuple(dict.fromkeys(one.path for one in named if not one.path.startswith(("/", "../"))))


def _of_line(line: Line) -> Iterable[Mention]:
    if line.tree is not None:
        yield line.tree
    for span in line.spans:
        yield from of_span(line, span)
    yield from pieces(line)
