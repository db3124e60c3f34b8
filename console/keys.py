"""Which keys mean what now, and how a key is written. Pure, and it knows no action: the registry brings the built-in
keys (``built_in``), a person's key map changes them (``use``, see ``console.keymap``).

Words for people never name a key themselves: they ask ``shown("log.undo")``, or hold ``{log.undo}`` for ``told``. So a
changed key is changed everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

NAMES: Final = {"escape": "esc", "pagedown": "pgdn", "pageup": "pgup"}
"""Keys that are printed otherwise than they are called."""
NO_KEY: Final = "no_key"
"""What Textual is told for an action without a key: no key event has this name."""

_built_in: dict[str, tuple[str, tuple[str, ...]]] = {}
_changed: dict[str, tuple[str, ...]] = {}


def built_in(actions: Mapping[str, tuple[str, tuple[str, ...]]]) -> None:
    """The registry tells the title and the keys of every action, by id."""
    _built_in.update(actions)


def use(changed: Mapping[str, tuple[str, ...]]) -> None:
    """From now on these actions have these keys, and all others their built-in ones."""
    _changed.clear()
    _changed.update(changed)


def of(action_id: str) -> tuple[str, ...]:
    """The keys of an action; none where the person took them away."""
    found = _changed.get(action_id)
    return _built_in[action_id][1] if found is None else found


def name(key: str) -> str:
    """A key as it is printed: ``escape`` as esc, the others as they are called."""
    return NAMES.get(key, key)


def first(action_id: str) -> str:
    """The first key of an action as it is printed; empty where it has none."""
    mine = of(action_id)
    return name(mine[0]) if mine else ""


def every(action_id: str) -> str:
    """All keys of an action as they are printed."""
    return " ".join(name(key) for key in of(action_id))


def shown(action_id: str) -> str:
    """What a sentence calls the action by: its first key, or its title where it has none."""
    return first(action_id) or _built_in[action_id][0]


def told(text: str) -> str:
    """``text`` with ``{action.id}`` replaced by the key of that action. Only for our own words."""
    return re.sub(r"\{([a-z_.]+)\}", lambda match: shown(match[1]), text)


def textual(key: str) -> str:
    """A key as Textual lists it: its lists are divided by commas."""
    return "comma" if key == "," else key


def keymap() -> dict[str, str]:
    """The changed keys as ``App.set_keymap`` takes them."""
    return {id_: ",".join(map(textual, mine)) or NO_KEY for id_, mine in _changed.items()}
