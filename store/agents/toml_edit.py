"""One table put into or taken out of a TOML settings file, and every other byte left as it was. Pure.

Only tables with a header of their own are edited; where our entry is written in another way (inline, dotted, or with
a line like a header in a text or list), NotThere says so, and tomllib.TOMLDecodeError where the file cannot be read.
Each edit is checked by reading the result again.

tomlkit is given our table alone. Of a whole file it would bring the parts of a list of tables together that others
stand between, and its time grows with the square of dotted keys (half a minute for 200 kB).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from itertools import pairwise, takewhile
from typing import Any, Final

from store.agents.json_edit import NotThere

Path = tuple[str, ...]
_BOM: Final = "\ufeff"
_HEADER: Final = re.compile(r"^[ \t]*\[.*\][ \t]*(?:#.*)?\r?$", re.MULTILINE)
_LAST_BLANK: Final = re.compile(r"(?<=\n)[ \t]*\r?\n\Z")


def put(text: str, path: Path, values: Mapping[str, Any]) -> str:
    """Set keys of the table at ``path``, and leave its other keys; the same text where they are so already.

    Values are texts, whole numbers, truths, or lists of texts.
    """
    if text.startswith(_BOM):
        return _BOM + put(text[1:], path, values)
    old = _held(text, path)
    if old is not None and all(old.get(name) == value for name, value in values.items()):
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    written = [] if old is None else [span for name, *span in _tables(text, path) if name == path]
    if written:
        start, stop = written[0]
        before, ours, after = text[:start], text[start:stop], text[stop:]
    else:
        gap = "" if not text or text.endswith("\n") else end
        before, ours, after = text + gap + (end if text.strip() else ""), f"[{_spelled(path)}]{end}", ""
    made = before + _set(ours if ours.endswith("\n") else ours + end, path, values, end) + after
    return _checked(text, made, path, {**(old or {}), **values})


def drop(text: str, path: Path) -> str:
    """Take away the table at ``path`` and the tables in it; the same text where there is none."""
    if text.startswith(_BOM):
        return _BOM + drop(text[1:], path)
    if _held(text, path) is None:
        return text
    made = text
    for _, start, stop in reversed(_tables(text, path)):
        before = made[:start]
        made = (_LAST_BLANK.sub("", before) if before.strip() else before) + made[stop:]
    return _checked(text, made, path, None)


def _held(text: str, path: Path) -> dict[str, Any] | None:
    held = _at(_read(text), path)
    if held is not None and not isinstance(held, dict):
        raise NotThere(f"{_spelled(path)} is not a table")
    return held


def _tables(text: str, path: Path) -> list[tuple[Path, int, int]]:
    """The table at ``path`` and those in it, as they are written: each one's path, and where it begins and ends.

    A table goes from its header to its last key: comments before the next header are not its own.
    """
    headers = [(name, found.start()) for found in _HEADER.finditer(text) if (name := _named(found[0].strip()))]
    found = []
    for (name, start), (_, stop) in pairwise([*headers, ((), len(text))]):
        if name[: len(path)] == path:
            _, table = _parsed(text[start:stop], name)
            tail = takewhile(lambda one: one[0] is None, reversed(table.value.body))
            found.append((name, start, stop - sum(len(item.as_string()) for _, item in tail)))
    return found


def _named(line: str) -> Path:
    """The path that a header names; empty for any other line."""
    try:
        held: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    path: list[str] = []
    while isinstance(held, dict) and held:
        name, held = next(iter(held.items()))
        path.append(name)
    return tuple(path) if held in ({}, [{}]) else ()


def _set(ours: str, path: Path, values: Mapping[str, Any], end: str) -> str:
    """Our table with these keys, each where it was, new ones last; its other lines stay, else NotThere."""
    import tomlkit

    document, table = _parsed(ours, path)
    for name, value in values.items():
        if table.get(name) != value:
            made = tomlkit.item(value)
            made.trivia.trail = end
            table[name] = made
    text = str(document.as_string())
    left, right = _parsed(ours, path), _parsed(text, path)
    for table in (left[1], right[1]):
        for name in values:
            table.pop(name, None)
    if left[0].as_string() != right[0].as_string():
        raise _harmed()
    return text


def _parsed(ours: str, path: Path) -> tuple[Any, Any]:
    """What one header begins, as tomlkit's document and its table there."""
    import tomlkit  # setup alone is to pay for it (80 ms)
    from tomlkit.exceptions import TOMLKitError

    try:
        document: Any = tomlkit.parse(ours)
    except TOMLKitError as error:
        raise _harmed() from error
    table = document
    for name in path:
        table = table[name]
    return document, table[0] if isinstance(table, list) else table


def _spelled(path: Path) -> str:
    import tomlkit

    return tomlkit.key(path).as_string()


def _read(text: str) -> dict[str, Any]:
    # A fraction is compared as it is written: "nan" is equal to no other one.
    return tomllib.loads(text, parse_float=lambda written: ("fraction", written))


def _at(held: Any, path: Path) -> Any:
    for name in path:
        held = held.get(name) if isinstance(held, dict) else None
    return held


def _others(held: Any, path: Path) -> Any:
    """``held`` without what is at ``path``, and without the tables on the way that hold nothing else."""
    if not path or not isinstance(held, dict):
        return held if path else {}
    inner = _others(held.get(path[0], {}), path[1:])
    left = {name: one for name, one in held.items() if name != path[0]}
    return left if inner == {} else {**left, path[0]: inner}


def _checked(text: str, made: str, path: Path, expected: object) -> str:
    """What was made, with a last line that ends as that of ``text``; NotThere if it does not hold what it should."""
    if text and not text.endswith("\n"):
        made = made.removesuffix("\n").removesuffix("\r")
    try:
        held = _read(made)
    except tomllib.TOMLDecodeError as error:
        raise _harmed() from error
    if _at(held, path) != expected or _others(held, path) != _others(_read(text), path):
        raise _harmed()
    return made


def _harmed() -> NotThere:
    return NotThere("The file is written in a way that this edit would not leave whole")
