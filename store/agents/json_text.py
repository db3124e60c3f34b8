"""JSON as people keep it in their settings: read with the place of every value, comments and trailing commas allowed.

An editor of such a file (``json_edit``) must know where a value stands, to leave everything else as it was. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

DEEPEST: Final = 100
"""Nesting beyond this is refused; no settings file comes near it."""

_PLAIN: Final = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_BLANK: Final = re.compile(r"[ \t\r\n]+")
_COMMENT: Final = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)


class NotJson(ValueError):
    """The text cannot be read. ``line`` and ``column`` count from 1."""

    def __init__(self, what: str, text: str, place: int) -> None:
        self.what = what
        self.line = text.count("\n", 0, place) + 1
        self.column = place - (text.rfind("\n", 0, place) + 1) + 1
        super().__init__(f"{what} (line {self.line}, column {self.column})")


@dataclass(slots=True)
class Node:
    """A value and where it stands: ``text[start:end]``. Members and items are in the order of the text."""

    start: int
    end: int
    value: Any
    members: list[Member] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    commas: list[int] = field(default_factory=list)
    """Where the commas between (and after) the members or items stand."""

    @property
    def children(self) -> list[tuple[int, int]]:
        """The spans of what is listed here, a member's from its key on."""
        return [(one.start, one.node.end) for one in self.members] or [(one.start, one.end) for one in self.items]

    def member(self, name: str) -> Member | None:
        """The member of this name."""
        return next((one for one in self.members if one.name == name), None)


@dataclass(slots=True)
class Member:
    """One name with its value; ``start`` is where the name's quotation mark stands."""

    start: int
    name: str
    node: Node


@dataclass(frozen=True, slots=True)
class Form:
    """What a program takes as JSON: comments, and a comma after the last value."""

    comments: bool = False
    commas: bool = False


STRICT: Final = Form()
COMMENTS: Final = Form(comments=True)
LOOSE: Final = Form(comments=True, commas=True)


def read(text: str, form: Form = LOOSE, path: Sequence[str] = ()) -> Node:
    """Read a whole text. One byte order mark in front is passed over. Raises NotJson with the place.

    The objects on the way of ``path`` tell where their members stand, and what is at its end where its members or items
    stand; of the rest there is the value (some agents keep megabytes beside what is ours). A name that comes twice in
    one object is refused: programs differ on which of the two they take.
    """
    reader = _Reader(text, form)
    reader.blank()
    node = reader.value(0, path)
    reader.blank()
    if reader.at < len(text):
        reader.fail("There is more after the end")
    return node


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name comes twice")
    return made


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)


_PLAINLY: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse).raw_decode
"""A value without comments or spare commas, a hundred times quicker than by hand. It does not tell where it fails."""


class _Reader:
    def __init__(self, text: str, form: Form) -> None:
        self.text = text
        self.form = form
        self.at = 1 if text.startswith("\ufeff") else 0

    def fail(self, what: str, place: int | None = None) -> None:
        raise NotJson(what, self.text, self.at if place is None else place)

    def blank(self) -> None:
        """Go past white space and comments."""
        while True:
            found = _BLANK.match(self.text, self.at)
            if found is None:
                found = _COMMENT.match(self.text, self.at)
                if found is not None and not self.form.comments:
                    self.fail("A comment, which this program does not read")
            if found is None:
                return
            self.at = found.end()

    def value(self, depth: int, path: Sequence[str] | None) -> Node:
        """The value that begins here; ``path`` None: nothing in it needs its place."""
        if depth > DEEPEST:
            self.fail("It is nested too deeply")
        opening = self.text[self.at : self.at + 1]
        if opening not in ("{", "["):
            return self._leaf()
        if path is None and (plain := self._plain()) is not None:
            return plain
        return self._object(depth, path) if opening == "{" else self._array(depth)

    def _plain(self) -> Node | None:
        start = self.at
        try:
            value, self.at = _PLAINLY(self.text, start)
        except (ValueError, RecursionError):
            return None
        return Node(start, self.at, value)

    def _leaf(self) -> Node:
        found = _STRING.match(self.text, self.at) or _PLAIN.match(self.text, self.at)
        if found is None:
            self.fail("A value is expected here")
        assert found is not None
        start, self.at = self.at, found.end()
        try:
            return Node(start, self.at, json.loads(found[0]))
        except ValueError:
            self.fail("A value is expected here", start)
            raise

    def _object(self, depth: int, path: Sequence[str] | None) -> Node:
        node = Node(self.at, 0, {})
        self._list("}", node, lambda: self._member(node, depth, path))
        return node

    def _member(self, node: Node, depth: int, path: Sequence[str] | None) -> None:
        start = self.at
        name = self._leaf().value
        if not isinstance(name, str):
            self.fail("A name in quotation marks is expected here", start)
        if name in node.value:
            self.fail(f"The name {name!r} comes twice in one object", start)
        self.blank()
        if self.text[self.at : self.at + 1] != ":":
            self.fail("A colon is expected here")
        self.at += 1
        self.blank()
        value = self.value(depth + 1, path[1:] if path and path[0] == name else None)
        node.members.append(Member(start, name, value))
        node.value[name] = value.value

    def _array(self, depth: int) -> Node:
        node = Node(self.at, 0, [])

        def item() -> None:
            node.items.append(self.value(depth + 1, None))
            node.value.append(node.items[-1].value)

        self._list("]", node, item)
        return node

    def _list(self, closing: str, node: Node, one: Any) -> None:
        """Read what stands between two brackets, ``one`` reading each value."""
        self.at += 1
        self.blank()
        while self.text[self.at : self.at + 1] != closing:
            one()
            self.blank()
            if self.text[self.at : self.at + 1] == ",":
                node.commas.append(self.at)
                self.at += 1
                self.blank()
                if self.text[self.at : self.at + 1] == closing and not self.form.commas:
                    self.fail("A comma after the last value, which this program does not read", node.commas[-1])
            elif self.text[self.at : self.at + 1] != closing:
                self.fail(f"A comma or {closing} is expected here")
        self.at += 1
        node.end = self.at
