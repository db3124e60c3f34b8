"""What a project's own instruction files say already (AGENTS.md, CLAUDE.md and their like), line by line.

An agent reads those at every start, so a memory that repeats one of their lines says nothing and will contradict them
one day. Files of a repository are hostile input: regular files only, bounded in number and size, never run or followed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

from store.regular import first_bytes
from store.sayings import Sayings

FILES: Final = (
    "AGENTS.md", "CLAUDE.md", "GEMINI.md", "AGENT.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "QWEN.md",
    ".github/copilot-instructions.md", ".cursorrules", ".windsurfrules", ".clinerules", "CONVENTIONS.md",
)  # fmt: skip
"""Where agents look for a project's instructions, by their makers' documentation."""
FOLDERS: Final = (".cursor/rules", ".github/instructions", ".windsurf/rules", ".clinerules", ".claude/rules")
MOST_FILES: Final = 40
MOST_LISTED: Final = 1_000
"""Names of a folder that are looked at."""
MOST_BYTES: Final = 64 * 1024
"""Bytes of one file that are read."""
MOST_TOTAL: Final = 256 * 1024
"""Bytes of all of them together, and statements: they are looked through while others wait for the store."""
MOST_STATEMENTS: Final = 4_000
_ITEM: Final = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)]|#{1,6}|>|\|)\s+")
_FENCE: Final = re.compile(r"^\s*(?:```|~~~)")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])")
_BLOCK_LINES: Final = 40
Place = tuple[str, int]
"""A file by its name from the project's top, and a line of it, from 1."""


def read(root: str) -> Sayings[Place]:
    """The statements of the instruction files under ``root``; those of the last time while no file has changed."""
    found = tuple(_standing(root))
    return _read(root, found)


def _standing(root: str) -> Iterator[tuple[str, int, int]]:
    """Name, time of change and size of each file that is there."""
    names = list(FILES)
    for folder in FOLDERS:
        try:
            inside = sorted(one.name for one in islice(Path(root, folder).iterdir(), MOST_LISTED))
        except (OSError, ValueError):
            continue
        names += [f"{folder}/{name}" for name in inside if name.endswith((".md", ".mdc"))]
    for name in names[:MOST_FILES]:
        try:
            there = os.lstat(os.path.join(root, name))
        except (OSError, ValueError):
            continue
        yield name, there.st_mtime_ns, there.st_size


@lru_cache(maxsize=8)
def _read(root: str, standing: tuple[tuple[str, int, int], ...]) -> Sayings[Place]:
    return Sayings(islice(_said(root, [name for name, _, _ in standing]), MOST_STATEMENTS))


def _said(root: str, names: Iterable[str]) -> Iterator[tuple[Place, str]]:
    left = MOST_TOTAL
    for name in names:
        data = first_bytes(str(Path(root) / name), min(MOST_BYTES, left))
        left -= len(data)
        yield from (((name, line), said) for line, said in statements(data.decode("utf-8", "replace")))


def statements(text: str) -> Iterator[tuple[int, str]]:
    """The statements of a Markdown file, each with the line where its block begins: items, paragraphs, sentences."""
    for line, block in _blocks(text):
        yield line, block
        parts = [part for part in _SENTENCE.split(block) if part.strip()]
        if len(parts) > 1:
            yield from ((line, part) for part in parts)


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Lines that belong together: a list item with what is wrapped under it, a paragraph, one line of code."""
    start, gathered, fenced = 0, list[str](), False
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line) is not None
        item = _ITEM.match(line)
        if gathered and (fence or fenced or item or not line.strip() or len(gathered) >= _BLOCK_LINES):
            yield start, " ".join(gathered)
            gathered = []
        if fence:
            fenced = not fenced
        elif line.strip():
            if not gathered:
                start = number
            gathered.append(line[item.end() :].strip() if item else line.strip())
    if gathered:
        yield start, " ".join(gathered)
