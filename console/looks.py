"""Which look the console gets: from the environment, and the ``[console]`` table of the user's config.toml. Pure.

    [console]
    theme = "light"             # "auto" (the default: dark, unless the terminal says it is light), "dark", "none"
    changes = "blue-orange"     # instead of "green-red": for eyes that take green and red for one colour
    ascii = true                # our own marks in ASCII
    summary = 30                # from how many waiting proposals on they are summed up at the start; 0 never

The environment comes first: NO_COLOR (not empty) is always obeyed, then MEMINBOX_THEME and MEMINBOX_ASCII. What is not
understood changes nothing, and is told.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final, NamedTuple

from console import theme
from store.location import config_file

THEMES: Final = ("auto", "dark", "light", "none")
CHANGES: Final = ("green-red", "blue-orange")
_LIGHT_GROUNDS: Final = ("7", "15")


class Look(NamedTuple):
    """The name of the theme, whether our marks are ASCII, what was not understood in words for people, and more."""

    theme: str = theme.DESK.name
    ascii: bool = False
    messages: tuple[str, ...] = ()
    summary: int = 30
    """From how many waiting proposals on the queue is summed up when the console opens; 0 never."""


def usual() -> Look:
    """The look of a console that nobody has asked for another: as if there were no config.toml, in 24 bits."""
    return Look(theme.PLAIN.name if theme.none_asked_for() else theme.DESK.name, theme.ascii_wanted())


def load(environ: Mapping[str, str] = os.environ) -> Look:
    """The look for this terminal. Costs next to nothing where there is no config.toml; never raises for what it holds.

    To be called before the app is made, which takes NO_COLOR out of the environment.
    """
    path = config_file(environ)
    section: object = None
    if path.exists():
        from store.config import read as read_config

        section = read_config(path).sections.get("console")
    look = read(section, environ)
    return look._replace(messages=tuple(f"{path}: {message}" for message in look.messages))


def read(section: object, environ: Mapping[str, str]) -> Look:
    """The look that a ``[console]`` table and an environment stand for."""
    messages: list[str] = []
    if section is not None and not isinstance(section, dict):
        messages.append("console is not a table: write [console] above the lines.")
    said = section if isinstance(section, dict) else {}
    messages += [
        f"console: {name} is not known." for name in said if name not in ("theme", "changes", "ascii", "summary")
    ]
    wanted = _one_of("theme", said.get("theme"), THEMES, messages)
    changes = _one_of("changes", said.get("changes"), CHANGES, messages)
    marks = said.get("ascii", False)
    if not isinstance(marks, bool):
        messages.append("console.ascii: say true or false.")
        marks = False
    asked = environ.get("MEMINBOX_THEME", "")
    wanted = asked if asked in THEMES else wanted
    name = _name(wanted, changes, environ)
    summary = said.get("summary", Look().summary)
    if isinstance(summary, bool) or not isinstance(summary, int) or summary < 0:
        messages.append("console.summary: say a number, 0 for never.")
        summary = Look().summary
    return Look(name, marks or theme.ascii_wanted(environ), tuple(messages), summary)


def _one_of(name: str, value: object, known: tuple[str, ...], messages: list[str]) -> str:
    """The value, or the first of those known where it is another."""
    if value is None or value in known:
        return str(value or known[0])
    messages.append(f"console.{name}: {str(value)[:40]!r} is not known; there is {', '.join(known)}.")
    return known[0]


def _name(wanted: str, changes: str, environ: Mapping[str, str]) -> str:
    if wanted == "none" or theme.none_asked_for(environ):
        return theme.PLAIN.name
    light = wanted == "light" or (wanted == "auto" and _says_light(environ))
    if few_colours(environ):
        known = theme.DESK_LIGHT_16 if light else theme.DESK_16
    else:
        known = theme.DESK_LIGHT if light else theme.DESK
    return known.name + (theme.BLUE_ORANGE if changes == "blue-orange" else "")


def _says_light(environ: Mapping[str, str]) -> bool:
    """Whether the terminal says that its ground is light (COLORFGBG, "0;15": the last number is the ground's)."""
    return environ.get("COLORFGBG", "").rpartition(";")[2] in _LIGHT_GROUNDS


def few_colours(environ: Mapping[str, str]) -> bool:
    """Whether the terminal has sixteen colours only, as Rich reads TERM and COLORTERM."""
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return False
    return environ.get("TERM", "").strip().lower().rpartition("-")[2] not in ("256color", "kitty")
