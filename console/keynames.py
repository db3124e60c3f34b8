"""The names of keys in a key map: which a terminal really sends, and why the others cannot be had. Pure."""

from __future__ import annotations

import unicodedata
from typing import Final

from console import keys

ALIASES: Final = {
    " ": "space",
    "esc": "escape",
    "return": "enter",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "page_up": "pageup",
    "page_down": "pagedown",
    "del": "delete",
    "ins": "insert",
    "backtab": "shift+tab",
}
MOVES: Final = ("up", "down", "left", "right")
NAMED: Final = frozenset(
    {"space", "tab", "enter", "escape", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown", *MOVES}
    | {f"f{number}" for number in range(1, 13)}
)
"""Keys that every keyboard has and every terminal sends."""
SAME: Final = {"i": "tab", "m": "enter", "j": "enter", "h": "backspace", "[": "esc"}
"""Letters with ctrl that reach a program as another key."""
KEPT: Final = {
    "ctrl+c": "it stops programs, and copies in a text",
    "ctrl+\\": "it ends programs",
}
"""Keys that mean something everywhere."""
OF_TERMINALS: Final = frozenset({"shift+pageup", "shift+pagedown", "shift+home", "shift+end", "shift+insert"})
IN_TEXT: Final = frozenset(
    {"space", "tab", "shift+tab", "enter", "backspace", "delete", "home", "end", "pageup", "pagedown", "f6", "f7"}
    | {*MOVES, *(f"{with_}+{key}" for with_ in ("shift", "ctrl") for key in MOVES), "ctrl+home", "ctrl+end"}
    | {f"ctrl+{letter}" for letter in "acdekuvwxyz"}
)
"""What a text or a line of input takes for itself."""
_OTHERS: Final = ("alt", "meta", "option", "opt", "super", "cmd", "command", "win", "hyper")


class BadKey(ValueError):
    """Why a key cannot be had, in words that follow its name."""


def printed(key: str) -> str:
    """A key as it is printed."""
    return keys.name(key)


def parse(said: object) -> str:
    """The key that a name means, as key events name it (``a``, ``?``, ``ctrl+d``, ``escape``). Raises BadKey."""
    if not isinstance(said, str) or not said:
        raise BadKey('a key is written as text: "a", "ctrl+d", "f5"')
    if len(said) == 1 and said != " ":
        return _character(said)
    if " " in said.strip():
        raise BadKey('one key at a time; several stand in a list: ["u", "z"]')
    name = (said.strip() or said[0]).casefold() if len(said) > 1 else said
    name = ALIASES.get(name, name)
    if name in NAMED or name == "shift+tab":
        return name
    *modifiers, key = name.replace("ctrl-", "ctrl+").replace("control+", "ctrl+").replace("shift-", "shift+").split("+")
    if name.endswith("++"):
        modifiers, key = modifiers[:-1], "+"
    if not modifiers:
        raise BadKey("no key is called so; a character is written as itself, others as enter, esc, f5, ctrl+d")
    return _modified(sorted(set(modifiers)), ALIASES.get(key, key))


def _character(char: str) -> str:
    if not char.isprintable() or char.isspace() or unicodedata.combining(char):
        raise BadKey("it cannot be seen")
    return char


def _modified(modifiers: list[str], key: str) -> str:
    whole = "+".join([*modifiers, key])
    if any(one in _OTHERS for one in modifiers):
        raise BadKey("alt arrives as esc and the key, and the others stay with the terminal")
    if modifiers == ["shift"]:
        if whole in OF_TERMINALS:
            raise BadKey("terminals scroll with it, or paste")
        if key in MOVES:
            return whole
        raise BadKey("write the character that it types" if len(key) == 1 else "terminals do not send it")
    if modifiers == ["ctrl"]:
        return _with_ctrl(key)
    if modifiers == ["ctrl", "shift"]:
        raise BadKey("terminals leave out the shift, or keep it for themselves")
    raise BadKey("ctrl+ and shift+ are the only ones that there are")


def _with_ctrl(key: str) -> str:
    whole = f"ctrl+{key}"
    if key in SAME:
        raise BadKey(f"to a terminal it is the same as {SAME[key]}")
    if whole in KEPT:
        raise BadKey(KEPT[whole])
    if (len(key) == 1 and key.isascii() and key.isalpha()) or key in (*MOVES, "home", "end"):
        return whole
    raise BadKey("most terminals do not send it")


def expect_free_in_text(key: str) -> None:
    """Raises BadKey for a key that does not get past a text: an action that is needed there cannot have it."""
    if len(key) == 1 or key in IN_TEXT:
        raise BadKey("in a text it is typed, or moves the cursor")
