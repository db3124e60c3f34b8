"""The keys of the console, from the registry, with the names by which config.toml changes them."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import options

if TYPE_CHECKING:
    from console.actions import Action

_GAP: Final = "  "
_QUESTIONS: Final = "A question's letters stand beside its answers and stay as they are."


def keys(
    as_toml: Annotated[bool, typer.Option("--toml", help="A [keys] table for config.toml, with all of them.")] = False,
    as_json: options.Json = False,
) -> int:
    """Show the console's keys, and how to change them.

    Each line has an action's keys, its name in config.toml, and what it does.

    \b
    [keys]
    preset = "git"                 # the keys of git add -p
    queue.approve = "y"
    log.undo = ["u", "ctrl+r"]     # several
    agents.setup = []              # none

    The letters of a question are painted beside its answers, so they are no part of this: they mean what they say
    there. The keys that move and leave work in questions as you set them.
    """
    from console import keymap, keys, output

    mine = keymap.load()
    keys.use(mine.keys)
    if as_json:
        output.print_json({"schema_version": output.SCHEMA_VERSION, "items": _items()})
    else:
        print("\n".join(_toml() if as_toml else _page()))
    for message in mine.messages:
        output.complain(message)
    if not (as_toml or as_json):
        output.hint(f"{_config()} changes them; `meminbox keys --toml` prints all of it. {_QUESTIONS}")
    return 1 if mine.messages else 0


def _config() -> str:
    from store.location import config_file

    return f"[keys] in {config_file()}"


def _items() -> list[dict[str, Any]]:
    from console import keys
    from console.actions import ACTIONS

    return [
        {
            "id": action.id,
            "keys": list(keys.of(action.id)),
            "built_in": list(action.keys),
            "title": action.title,
            "help": keys.told(action.help),
            "group": action.group,
            "screens": list(action.screens),
        }
        for action in ACTIONS
    ]


def _groups() -> dict[str, list[Action]]:
    from console.actions import ACTIONS

    groups: dict[str, list[Action]] = {}
    for action in ACTIONS:
        groups.setdefault(action.group, []).append(action)
    return groups


def _page() -> Iterator[str]:
    """The page for people: as wide as the terminal; to a pipe nothing is wrapped, and tabs stand between columns."""
    from console import keys

    piped = not sys.stdout.isatty()
    names = {action.id: keys.every(action.id) for group in _groups().values() for action in group}
    first, second = max(map(len, names.values())), max(map(len, names))
    room = max(24, shutil.get_terminal_size().columns - first - second - 3 * len(_GAP))
    for place, (group, members) in enumerate(_groups().items()):
        if piped:
            yield from ("\t".join((names[one.id], one.id, _explained(one))) for one in members)
            continue
        yield from ([""] if place else [])
        yield group
        for action in members:
            lines = textwrap.wrap(_explained(action), room)
            head = f"{_GAP}{names[action.id]:{first}}{_GAP}{action.id:{second}}{_GAP}"
            yield head + lines[0]
            yield from (" " * len(head) + line for line in lines[1:])


def _explained(action: Action) -> str:
    """What an action does, where, and which keys it had."""
    from console import keys

    where = "" if "*" in action.screens or len(action.screens) > 2 else f" ({', '.join(action.screens)})"
    had = " ".join(map(keys.name, action.keys))
    changed = "" if keys.of(action.id) == action.keys else f" [built-in: {had}]"
    return f"{action.title}: {keys.told(action.help)}{where}{changed}"


def _toml() -> Iterator[str]:
    from console import keys

    yield "[keys]"
    for group, members in _groups().items():
        yield f"\n# {group}"
        for action in members:
            mine = [json.dumps(key, ensure_ascii=False) for key in keys.of(action.id)]
            value = mine[0] if len(mine) == 1 else f"[{', '.join(mine)}]"
            yield f"{action.id} = {value}".ljust(40) + f"# {action.title}"
