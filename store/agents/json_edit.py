"""One entry put into or taken out of a JSON settings file, and every other byte left as it was. Pure.

Comments, order, indent, line ends and trailing commas stay. Each edit is checked by reading the result again: it must
hold what the old text held, and the entry. Raises NotJson where the text cannot be read, NotThere where something of
another kind stands in the way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from store.agents.json_text import LOOSE, Form, Node, read


class NotThere(ValueError):
    """The entry cannot be placed: where an object or a list is expected, something else stands."""


Path = Sequence[str]
_GAP = re.compile(r"[ \t\r\n]*\Z")


def put(text: str, path: Path, value: Any, form: Form = LOOSE) -> str:
    """Set the member at ``path``, making the objects on the way; the same text where it is so already."""
    text = text if text.strip("\ufeff \t\r\n") else "{}\n"
    root = read(text, form, path)
    node, rest = _follow(root, path)
    if not rest:
        if node.value == value:
            return text
        made = text[: node.start] + _written(value, *_style(text, node)) + text[node.end :]
    else:
        if not isinstance(node.value, dict):
            raise NotThere(f"{'.'.join(path[: len(path) - len(rest)])} is not an object")
        made = _insert(text, node, _nested(rest[1:], value), rest[0])
    return _checked(made, form, _with(root.value, path, value))


def append(text: str, path: Path, value: Any, form: Form = LOOSE) -> str:
    """Put ``value`` at the end of the list at ``path``, making the list and the objects on the way."""
    text = text if text.strip("\ufeff \t\r\n") else "{}\n"
    root = read(text, form, path)
    node, rest = _follow(root, path)
    if rest:
        return put(text, path, [value], form)
    if not isinstance(node.value, list):
        raise NotThere(f"{'.'.join(path)} is not a list")
    made = _insert(text, node, value)
    return _checked(made, form, _with(root.value, path, [*node.value, value]))


def drop(text: str, path: Path, form: Form = LOOSE) -> str:
    """Take the member at ``path`` away, and every object on the way that is empty then; the same text without one."""
    if not text.strip("\ufeff \t\r\n"):
        return text
    root = read(text, form, path)
    if _follow(root, path)[1]:
        return text
    while len(path) > 1 and len(_follow(root, path[:-1])[0].value) == 1:
        path = path[:-1]
    holder = _follow(root, path[:-1])[0]
    place = [one.name for one in holder.members].index(path[-1])
    return _checked(_cut(text, holder, place), form, _without(root.value, path))


def drop_items(text: str, path: Path, wanted: Callable[[Any], bool], form: Form = LOOSE) -> str:
    """Take every item that ``wanted`` names out of the list at ``path``; what is empty then goes as with ``drop``."""
    if not text.strip("\ufeff \t\r\n"):
        return text
    while True:
        root = read(text, form, path)
        node, rest = _follow(root, path)
        if rest or not isinstance(node.value, list):
            return text
        place = next((place for place, one in enumerate(node.value) if wanted(one)), None)
        if place is None:
            return text
        if len(node.value) == 1:
            return drop(text, path, form)
        left = [one for at, one in enumerate(node.value) if at != place]
        text = _checked(_cut(text, node, place), form, _with(root.value, path, left))


def _follow(node: Node, path: Path) -> tuple[Node, list[str]]:
    """The node as far as the path goes, and what of the path is left."""
    for place, name in enumerate(path):
        member = node.member(name)
        if member is None:
            return node, list(path[place:])
        node = member.node
    return node, []


def _insert(text: str, holder: Node, value: Any, name: str | None = None) -> str:
    """Put a member or item at the end of ``holder``, in the style of what is there."""
    margin, unit, end = _style(text, holder)
    label = "" if name is None else f"{_spelled(name)}: "
    children = holder.children
    close = holder.end - 1
    if not children:
        inner = margin + unit
        made = f"{end}{inner}{label}{_written(value, inner, unit, end)}{end}{margin}"
        # A comment may stand alone between the brackets; it stays where it is.
        gap = _GAP.search(text[holder.start + 1 : close])
        assert gap is not None
        return text[: holder.start + 1 + gap.start()] + made + text[close:]
    gap = _GAP.search(text[:close])
    assert gap is not None
    last = children[-1][1]
    trailing = len(holder.commas) == len(children)
    comma, after = ("", ",") if trailing else (",", "")
    if "\n" not in text[holder.start : holder.end]:
        # On one line: it goes on so.
        inline = f" {label}{_spelled(value)}{after}"
        return text[:last] + comma + text[last : gap.start()] + inline + text[gap.start() :]
    inner = _margin(text, children[-1][0])
    made = f"{end}{inner}{label}{_written(value, inner, unit, end)}{after}"
    return text[:last] + comma + text[last : gap.start()] + made + text[gap.start() :]


def _cut(text: str, holder: Node, place: int) -> str:
    """Take away one member or item with its comma and the white space before it."""
    children = holder.children
    start, end = children[place]
    close = holder.end - 1
    followed = place < len(holder.commas)
    if followed:
        end = holder.commas[place] + 1
    gap = _GAP.search(text[:start])
    assert gap is not None
    if len(children) == 1:
        alone = gap.start() == holder.start + 1 and not text[end:close].strip()
        return text[: gap.start()] + text[close if alone else end :]
    if not followed:  # the last one: the comma before it goes
        before = holder.commas[place - 1]
        return text[:before] + text[before + 1 : max(gap.start(), before + 1)] + text[end:]
    rest = text[end:]
    if rest.lstrip(" \t")[:1] in ("\r", "\n", "}", "]") or "\n" not in gap[0]:
        return text[: gap.start()] + rest
    return text[:start] + rest.lstrip(" \t")


def _style(text: str, node: Node) -> tuple[str, str, str]:
    """The margin of the line that ``node`` begins on, the step of this file's indent, and its line end."""
    end = "\r\n" if "\r\n" in text else "\n"
    found = re.search(r"\n([ \t]+)\S", text)
    return _margin(text, node.start), found[1] if found else "  ", end


def _margin(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _written(value: Any, margin: str, unit: str, end: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", end + margin)


def _spelled(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _nested(path: Sequence[str], value: Any) -> Any:
    for name in reversed(path):
        value = {name: value}
    return value


def _with(held: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    return {**held, path[0]: _with(held.get(path[0], {}), path[1:], value)}


def _without(held: Any, path: Path) -> Any:
    if len(path) == 1:
        return {name: one for name, one in held.items() if name != path[0]}
    return {**held, path[0]: _without(held[path[0]], path[1:])}


def _checked(made: str, form: Form, expected: Any) -> str:
    if read(made, form).value != expected:
        raise NotThere("The file is written in a way that this edit would not leave whole")
    return made
