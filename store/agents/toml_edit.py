"""One table put into or taken out of a TOML settings file, and every other byte left as it was. Pure.

Only tables with a header of their own are edited; where our entry is written in another way (inline, dotted), or the
file cannot be read, NotThere or tomllib.TOMLDecodeError says so. Each edit is checked by reading the result again.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from store.agents.json_edit import NotThere

Path = tuple[str, ...]
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


def put(text: str, path: Path, values: Mapping[str, Any]) -> str:
    """Set keys of the table at ``path``, and leave its other keys; the same text where they are so already.

    Values are texts, whole numbers, truths, or lists of texts.
    """
    held = tomllib.loads(text)
    old = _at(held, path)
    if old is not None and not isinstance(old, dict):
        raise NotThere(f"{_spelled(path)} is not a table")
    if old is not None and all(old.get(name) == value for name, value in values.items()):
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    if old is None:
        made = _appended(text, path, values, end)
    else:
        start, stop = _span(lines, path)
        body = _without(lines[start + 1 : stop], set(values))
        header = lines[start] if lines[start].endswith("\n") else lines[start] + end
        made = "".join([*lines[:start], header, *_written(values, end), *body, *lines[stop:]])
    return _checked(made, _with(held, path, {**(old or {}), **values}))


def drop(text: str, path: Path) -> str:
    """Take away the table at ``path`` and the tables in it; the same text where there is none."""
    held = tomllib.loads(text)
    if _at(held, path) is None:
        return text
    lines = text.splitlines(keepends=True)
    starts = [place for place, line in enumerate(lines) if (_header(line) or ())[: len(path)] == path]
    if not starts:
        raise NotThere(f"{_spelled(path)} is not written as a table of its own")
    for start in reversed(starts):
        blank = start > 0 and not lines[start - 1].strip() and bool("".join(lines[:start]).strip())
        del lines[start - blank : _stop(lines, start)]
    return _checked("".join(lines), _less(held, path))


def _appended(text: str, path: Path, values: Mapping[str, Any], end: str) -> str:
    gap = "" if not text or text.endswith("\n") else end
    blank = end if text.strip() else ""
    return f"{text}{gap}{blank}[{_spelled(path)}]{end}{''.join(_written(values, end))}"


def _written(values: Mapping[str, Any], end: str) -> list[str]:
    # What JSON writes for a text, a whole number, a truth or a list of texts is TOML as well; not so beyond the BMP
    # with escapes, hence no ASCII. DEL alone is a control in TOML and none in JSON.
    return [
        f"{_key(name)} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f") + end
        for name, value in values.items()
    ]


def _span(lines: Sequence[str], path: Path) -> tuple[int, int]:
    """The lines of a table: from its header to after its last key."""
    for place, line in enumerate(lines):
        if _header(line) == path:
            return place, _stop(lines, place)
    raise NotThere(f"{_spelled(path)} is not written as a table of its own")


def _stop(lines: Sequence[str], start: int) -> int:
    """After the last line of the table that begins at ``start``: comments before the next header are not its own."""
    stop = start + 1
    for place in range(start + 1, len(lines)):
        said = lines[place].strip()
        if said.startswith("[") and (_header(said) is not None or said.startswith("[[")):
            break
        if said and not said.startswith("#"):
            stop = place + 1
    return stop


def _header(line: str) -> Path | None:
    """The path that a header names; None for any other line."""
    said = line.strip()
    if not said.startswith("[") or said.startswith("[["):
        return None
    try:
        held: Any = tomllib.loads(said)
    except tomllib.TOMLDecodeError:
        return None
    path: list[str] = []
    while isinstance(held, dict) and held:
        name, held = next(iter(held.items()))
        path.append(name)
    return tuple(path) if path and held == {} else None


def _without(body: Sequence[str], names: set[str]) -> list[str]:
    """The lines of a table's body without those that set these keys, of one line or several."""
    kept: list[str] = []
    place = 0
    while place < len(body):
        size = _assignment(body, place)
        chunk = "".join(body[place : place + size])
        if not names & set(_keys(chunk) or ()):
            kept += body[place : place + size]
        place += size
    return kept


def _assignment(body: Sequence[str], place: int) -> int:
    """How many lines from ``place`` on are one assignment, or one blank or comment line."""
    for size in range(1, len(body) - place + 1):
        if _keys("".join(body[place : place + size])) is not None:
            return size
    return 1


def _keys(chunk: str) -> Any:
    try:
        return tomllib.loads(chunk).keys()
    except tomllib.TOMLDecodeError:
        return None


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _spelled(path: Path) -> str:
    return ".".join(map(_key, path))


def _at(held: Any, path: Path) -> Any:
    for name in path:
        held = held.get(name) if isinstance(held, dict) else None
    return held


def _with(held: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    return {**held, path[0]: _with(held.get(path[0], {}), path[1:], value)}


def _less(held: Any, path: Path) -> Any:
    """``held`` without what is at ``path``, and without the tables that were there only for its sake."""
    left = {name: one for name, one in held.items() if name != path[0]}
    if len(path) > 1 and (inner := _less(held[path[0]], path[1:])):
        left = {**held, path[0]: inner}
    return left


def _checked(made: str, expected: Any) -> str:
    try:
        held = tomllib.loads(made)
    except tomllib.TOMLDecodeError as error:
        raise NotThere("The file is written in a way that this edit would not leave whole") from error
    if held != expected:
        raise NotThere("The file is written in a way that this edit would not leave whole")
    return made
