"""JSON as the border reads it: one value from a text, and the grammar of a value that stretches over several lines.

The standard decoder does the work. What JSON does not have, or what we do not take (a name given twice, NaN, a number
beyond every range), becomes a ``Bad`` inside the value, so that the border can refuse it by name and place.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NamedTuple

from store.characters import quoted

MAX_ITEM: Final = 4 * 1024 * 1024
"""Code points of one value that stretches over several lines."""
MAX_DEPTH: Final = 32
_MAX_DIGITS: Final = 19


class Bad(NamedTuple):
    """Stands in a decoded value for something that cannot be taken; ``reason`` says why, in words."""

    reason: str


class NotDecoded(Exception):
    """The text does not start with one whole JSON value; the message says why, in words."""


def _object(pairs: list[tuple[str, Any]]) -> Any:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    seen: set[str] = set()
    twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
    return Bad(f"the name {quoted(twice)} stands more than once in one object")


def _integer(digits: str) -> Any:
    return int(digits) if len(digits) <= _MAX_DIGITS else Bad(f"an integer of {len(digits):,} digits is too large")


def _number(digits: str) -> Any:
    value = float(digits)
    return value if abs(value) != float("inf") else Bad(f"the number {quoted(digits, most=20)} is too large")


def _constant(name: str) -> Any:
    return Bad(f"{name} is not a number that JSON knows")


# Not strict about raw controls inside strings: the border names them, with their place, in words of its own.
_DECODER: Final = json.JSONDecoder(
    strict=False, object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=_constant
)


def decode(text: str, at: int = 0) -> tuple[Any, int]:
    """The JSON value that starts exactly at ``at``, and the place behind its end. Raises NotDecoded."""
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        place = error.pos - at + 1
        raise NotDecoded(f"not JSON: {error.msg[:1].lower()}{error.msg[1:]} at character {place:,}") from None
    except RecursionError:
        raise NotDecoded(f"nested deeper than {MAX_DEPTH} levels") from None


_STRING_REST: Final = re.compile(r'(?:[^"\\]++|\\.)*+"', re.DOTALL)
_TOKEN: Final = re.compile(
    r'[ \t\r\n]*+(?:(?P<mark>[{}\[\],:])|(?P<open>")|(?P<scalar>-?[0-9][0-9.eE+-]*+|[A-Za-z]++)|(?P<junk>[^ \t\r\n]))'
)
# Where, inside an array, one object ends and the next begins: what a broken one may be left at.
_NEXT_ITEM: Final = re.compile(r'\}(?=\s*+,\s*+\{\s*+"[a-z_]++"\s*+:)')
_WINDOW: Final = 20 * 1024
_VALUE: Final = ("a value", "a value or the end")
_NAME: Final = ("a name", "a name or the end")
_COMMA: Final = "a comma or the end"


class Partial:
    """A value that is not complete yet: its text so far, and where in the grammar we stand.

    Strings may stretch over lines. After the first break (``damage``) only brackets and strings are followed, to find
    where the broken value ends.
    """

    def __init__(self, line: int, byte: int, *, sure: bool) -> None:
        """``line`` and ``byte`` are the place in the input where the value starts.

        ``sure`` where it stands inside an array; elsewhere a brace may be part of a sentence.
        """
        self._sure = sure
        self.line = line
        self.byte = byte
        self.last = line
        self.damage = ""
        self.named = False
        self._parts: list[str] = []
        self._size = 0
        self._stack: list[str] = []
        self._deeper = 0  # levels below the last one that is taken; only counted
        self._expect = "a value"
        self._in_string = False
        self._last_string = -1

    @property
    def text(self) -> str:
        """What was read of it."""
        return "".join(self._parts)

    @property
    def is_no_object(self) -> bool:
        """Whether it broke on its first line before any name and colon, and so may never have been a value."""
        return bool(self.damage) and not self.named and not self._parts and not self._sure

    @property
    def wants_value(self) -> bool:
        """Whether an object could start here."""
        return not self._in_string and not self.damage and self._expect in _VALUE

    @property
    def in_string(self) -> bool:
        """Whether the last line ended inside a string."""
        return self._in_string

    def read(self, text: str, at: int) -> int | None:
        """Take one line from ``at``: the place behind the value's end, or None when it goes on on the next line.

        Stops early, with None, where it turns out to be no object at all.
        """
        start, self._last_string = at, -1
        end = self._tokens(text, at)
        if end is None and self.is_no_object:
            return None
        self._keep(text[start:end] if end is not None else text[start:])
        if end is None and self.damage:
            self._in_string = False
        return end

    def _keep(self, part: str) -> None:
        self._size += len(part)
        if self._size > MAX_ITEM and not self.damage:
            self.damage = f"longer than {MAX_ITEM:,} characters"
        if not self.damage or not self._parts:
            self._parts.append(part)

    def _tokens(self, text: str, at: int) -> int | None:
        while True:
            if self._in_string:
                rest = _STRING_REST.match(text, at)
                self._last_string = at
                if rest is None:
                    return None
                at, self._in_string = rest.end(), False
                if not self._stack:
                    return at
            found = _TOKEN.match(text, at)
            if found is None:
                return None
            before, at = at if self._last_string < 0 else self._last_string, found.end()
            sound = not self.damage
            self._take(found)
            if self.is_no_object:
                return None
            if sound and self.damage and self._sure:
                # A quote too many or too few may have swallowed the boundary: look from the last string on.
                if found["mark"] == "{":
                    return found.start("mark")
                left = _NEXT_ITEM.search(text, before, before + _WINDOW)
                if left is not None:
                    self._in_string = False
                    return left.end()
            if not self._stack and self._expect == _COMMA and not self._in_string:
                return at

    def _take(self, found: re.Match[str]) -> None:
        mark = found["mark"]
        if found["open"]:
            self._in_string = True
            if self._expect in _NAME:
                self._expect = "a colon"
                return
            self._need(_VALUE, found)
            self._expect = _COMMA
        elif mark in ("{", "["):
            self._need(_VALUE, found)
            self._expect = "a name or the end" if mark == "{" else "a value or the end"
            if len(self._stack) < MAX_DEPTH:
                self._stack.append(mark)
            else:
                self._deeper += 1
                self.damage = self.damage or f"nested deeper than {MAX_DEPTH} levels"
        elif mark in ("}", "]"):
            self._close("{" if mark == "}" else "[", found)
        elif mark == ",":
            self._need((_COMMA,), found)
            self._expect = "a name" if self._stack[-1:] == ["{"] else "a value"
        elif mark == ":":
            self._need(("a colon",), found)
            self._expect, self.named = "a value", True
        else:
            self._need(_VALUE if found["scalar"] else (), found)
            self._expect = _COMMA

    def _close(self, pair: str, found: re.Match[str]) -> None:
        if self._deeper:
            self._deeper -= 1
            return
        ends = ("a name or the end", _COMMA) if pair == "{" else ("a value or the end", _COMMA)
        self._need(ends if self._stack[-1:] == [pair] else (), found)
        # A bracket that fits nothing open closes one level all the same, so that a broken value has an end.
        while self._stack and self._stack.pop() != pair and pair in self._stack:
            continue
        self._expect = _COMMA

    def _need(self, allowed: tuple[str, ...], found: re.Match[str]) -> None:
        if self._expect not in allowed and not self.damage:
            token = found.group().strip(" \t\r\n")
            self.damage = f"not JSON: {quoted(token, most=20)} where {self._expect} was expected"
