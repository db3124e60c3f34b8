"""A person's key map: the ``[keys]`` of config.toml, read by action id. Pure.

    [keys]
    preset = "git"                      # the keys of `git add -p`
    queue.approve = "y"
    log.undo = ["u", "ctrl+r"]          # several
    agents.setup = []                   # none: the palette still has it

A key that the person names wins over the preset, and the preset over the built-in keys; who loses one is told. What
cannot be (an unknown action, a key no terminal sends, one key for two actions of one screen) changes nothing, and is
told with the names of both. A key that was given twice does neither: none may decide something else than was meant.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from console import keynames
from console.actions import ACTIONS, BY_ID, Action
from console.keynames import BadKey
from store.location import config_file

PRESETS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "git": {
        "queue.approve": ("y",),
        "queue.reject": ("n",),
        "queue.reject_reason": ("N",),
        # There `a` takes this and all that follow in the file, `d` none of them: here one looks, then says which.
        "queue.session": ("a", "d", "S"),
        "diff.full": ("p",),
        "queue.place": ("P",),
        "move.down": ("j", "J", "down"),
        "move.up": ("k", "K", "up"),
        "filter.next": (">",),
        "filter.previous": ("<",),
        "copy.text": ("Y",),
    },
}
"""Key maps to start from. ``e`` edits, ``s`` leaves it for later, ``/`` finds, ``?`` helps and ``q`` quits anyway."""
NEEDED: Final = ("back", "quit")
"""Without a key for these one could not leave a line of input, or the program."""
SHORT: Final = 40


@dataclass(frozen=True, slots=True)
class KeyMap:
    """``keys``: the actions whose keys are not the built-in ones. ``messages``: what was not understood, for people."""

    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    messages: tuple[str, ...] = ()


def load(environ: Mapping[str, str] = os.environ) -> KeyMap:
    """The key map of the user's config.toml. Costs next to nothing where there is none; never raises for what it holds.

    What the file says elsewhere is not told here: ``store.config.load`` does that.
    """
    path = config_file(environ)
    if not path.exists():
        return KeyMap()
    from store.config import read as read_config

    config = read_config(path)
    read_map = read(config.sections.get("keys"))
    return KeyMap(read_map.keys, tuple(f"{path.name}: {message}" for message in read_map.messages))


def read(section: object) -> KeyMap:
    """The key map that a ``[keys]`` table stands for."""
    if section is None:
        return KeyMap()
    if not isinstance(section, dict):
        return KeyMap(messages=("keys is not a table: write [keys] above the lines.",))
    messages: list[str] = []
    preset = _preset(section.get("preset"), messages)
    said = dict(_flat({name: value for name, value in section.items() if name != "preset"}, ""))
    mine = {id_: keys for id_, value in said.items() if (keys := _keys(id_, value, messages)) is not None}
    _drop_what_is_given_twice(mine, messages)
    _keep_ways_out(mine, messages)
    return KeyMap(_merged(mine, preset, messages), tuple(messages))


def _preset(said: object, messages: list[str]) -> Mapping[str, tuple[str, ...]]:
    if said is None:
        return {}
    if isinstance(said, str) and said in PRESETS:
        return PRESETS[said]
    messages.append(f"keys.preset: {_told(said)} is not known; there is {', '.join(PRESETS)}.")
    return {}


def _flat(table: Mapping[str, Any], before: str) -> Iterator[tuple[str, Any]]:
    """``queue.approve = "y"`` is a table in a table to TOML; quoted it is one name. Both are meant alike."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _keys(id_: str, value: object, messages: list[str]) -> tuple[str, ...] | None:
    """The keys of one line; None where nothing of it can be used."""
    action = BY_ID.get(id_)
    if action is None:
        from difflib import get_close_matches

        near = get_close_matches(id_, BY_ID, n=1)
        hint = f"did you mean {near[0]}?" if near else "`meminbox keys` names them all."
        messages.append(f"keys: no action is called {_told(id_)}; {hint}")
        return None
    given = value if isinstance(value, list) else [value]
    kept: list[str] = []
    for one in given:
        try:
            key = keynames.parse(one)
            if len(action.modes) > 1 or "browse" not in action.modes:
                keynames.expect_free_in_text(key)
        except BadKey as error:
            messages.append(f"keys: {_called(action)} cannot have {_told(one)}: {error}.")
            continue
        if key not in kept:
            kept.append(key)
    return tuple(kept) if kept or not given else None


def _keep_ways_out(mine: dict[str, tuple[str, ...]], messages: list[str]) -> None:
    """``back`` and ``quit`` always have a key."""
    for id_ in NEEDED:
        if mine.get(id_) == ():
            messages.append(f"keys: {_called(BY_ID[id_])} needs a key: there would be no way out.")
            del mine[id_]
    while (clash := _way_out_taken(mine)) is not None:  # who loses a key may be a way out, and need its own again
        way_out, other, key = clash
        messages.append(
            f"keys: {keynames.printed(key)} stays {_called(BY_ID[way_out])}, and is not {_called(BY_ID[other])}: "
            f"give {way_out} another key first."
        )
        _take(mine, other, key)


def _way_out_taken(mine: Mapping[str, tuple[str, ...]]) -> tuple[str, str, str] | None:
    """A way out that has its built-in keys, another action that is given one of them, and that key."""
    for way_out in NEEDED:
        if way_out not in mine:
            for other, keys in mine.items():
                for key in keys:
                    if key in BY_ID[way_out].keys:
                        return way_out, other, key
    return None


def _drop_what_is_given_twice(mine: dict[str, tuple[str, ...]], messages: list[str]) -> None:
    for action, other, key in list(_shared(mine)):
        messages.append(
            f"keys: {keynames.printed(key)} is given to both {_called(action)} and {_called(other)}: it does neither."
        )
        _take(mine, action.id, key)
        _take(mine, other.id, key)


def _take(keys: dict[str, tuple[str, ...]], id_: str, key: str) -> None:
    """Take a key from an action; where none is left, the line is as if it were not there."""
    if id_ in keys:
        left = tuple(one for one in keys[id_] if one != key)
        if left:
            keys[id_] = left
        else:
            del keys[id_]


def _shared(keys: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[Action, Action, str]]:
    """Every key that two of these actions have on one screen."""
    named = [action for action in ACTIONS if action.id in keys]
    for place, action in enumerate(named):
        for other in named[place + 1 :]:
            if meet(action, other):
                for key in keys[action.id]:
                    if key in keys[other.id]:
                        yield action, other, key


def meet(action: Action, other: Action) -> bool:
    """Whether some screen has both actions."""
    return "*" in action.screens + other.screens or bool(set(action.screens) & set(other.screens))


def _merged(
    mine: Mapping[str, tuple[str, ...]], preset: Mapping[str, tuple[str, ...]], messages: list[str]
) -> dict[str, tuple[str, ...]]:
    """The person's keys, then the preset's, then the built-in ones that are still free."""
    chosen: dict[str, tuple[str, ...]] = {}
    for layer, told in ((mine, False), (preset, True), ({one.id: one.keys for one in ACTIONS}, True)):
        for id_, keys in layer.items():
            if id_ not in chosen:
                chosen[id_] = _still_free(BY_ID[id_], keys, chosen, mine, messages if told else [])
    return {id_: keys for id_, keys in chosen.items() if keys != BY_ID[id_].keys}


def _still_free(
    action: Action,
    keys: tuple[str, ...],
    chosen: Mapping[str, tuple[str, ...]],
    mine: Mapping[str, tuple[str, ...]],
    messages: list[str],
) -> tuple[str, ...]:
    """Those of ``keys`` that no action chosen before has on a screen with this one."""
    taken = [(key, owner) for key in keys for owner in chosen if key in chosen[owner] and meet(BY_ID[owner], action)]
    left = tuple(key for key in keys if key not in dict(taken))
    now = f"has {' '.join(map(keynames.printed, left))} left" if left else "has no key any more"
    for key, owner in taken:
        if owner in mine:
            messages.append(f"keys: {keynames.printed(key)} is now {_called(BY_ID[owner])}; {_called(action)} {now}.")
    return left


def _called(action: Action) -> str:
    return f"{action.title} ({action.id})"


def _told(value: object) -> str:
    """A value of the file in a message: short, on one line, in quotes."""
    text = repr(value) if not isinstance(value, str) else f'"{value}"'
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"
