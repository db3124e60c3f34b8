"""The looks (design section 6): quiet ground, one warm accent, the same on light paper, and with no colour at all.

Style sheets and painted lines name the variables ("bold $key"); no other module names a colour. Which look a console
gets is worked out in ``console.looks``. A terminal that draws ambiguous characters wide gets the ASCII set: our own
marks are translated where lines are built (``shown.own``), what others wrote is left alone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from dataclasses import replace
from typing import Any, Final

from textual.app import App
from textual.theme import Theme

_DARK: Final = {
    "key": "#8fb7ff",
    "quiet": "#868d9e",
    "rule": "#2b3144",
    "chosen": "#1e2336",
    "ground": "#0f1117",
    "added": "#5fd7a7",
    "removed": "#ff7b86",
    "updated": "#c3a6ff",
    "alarm": "#ff7b86",
    "warn": "#ffd166",
    "token": "#ffd166",
    "added-ground": "#12312a",
    "removed-ground": "#3a1c25",
    "scrollbar": "#2b3144",
    "scrollbar-hover": "#3a415a",
    "scrollbar-active": "#ffb454",
    "scrollbar-background": "#0f1117",
    "scrollbar-background-hover": "#0f1117",
    "scrollbar-background-active": "#0f1117",
    "scrollbar-corner-color": "#0f1117",
    "input-selection-background": "#2b3a5c",
}
"""What the house adds to Textual's own variables. Everything that is read keeps 4.5:1 and more on its ground."""

_LIGHT: Final = {
    "key": "#1d4fb0",
    "quiet": "#505666",
    "rule": "#c4c9d4",
    "chosen": "#ebecf0",
    "ground": "#fbfaf7",
    "added": "#0b6b46",
    "removed": "#b3202f",
    "updated": "#5a2fa8",
    "alarm": "#b3202f",
    "warn": "#6b4500",
    "token": "#6b4500",
    "added-ground": "#dcf3e8",
    "removed-ground": "#fbe3e5",
    "scrollbar": "#c4c9d4",
    "scrollbar-hover": "#a9b0c0",
    "scrollbar-active": "#8a4600",
    "scrollbar-background": "#fbfaf7",
    "scrollbar-background-hover": "#fbfaf7",
    "scrollbar-background-active": "#fbfaf7",
    "scrollbar-corner-color": "#fbfaf7",
    "input-selection-background": "#cfdcf7",
}

DESK: Final = Theme(
    name="desk",
    primary="#8fb7ff",
    secondary="#c3a6ff",
    accent="#ffb454",
    success="#5fd7a7",
    error="#ff7b86",
    warning="#ffd166",
    foreground="#d8dce6",
    background="#0f1117",
    surface="#0f1117",
    panel="#161924",
    dark=True,
    variables=_DARK,
)
"""The dark theme of the house."""

DESK_LIGHT: Final = Theme(
    name="desk-light",
    primary="#1d4fb0",
    secondary="#5a2fa8",
    accent="#8a4600",
    success="#0b6b46",
    error="#b3202f",
    warning="#6b4500",
    foreground="#1c2130",
    background="#fbfaf7",
    surface="#fbfaf7",
    panel="#f0eee8",
    dark=False,
    variables=_LIGHT,
)
"""The light theme of the house."""

PLAIN: Final = Theme(
    name="plain",
    ansi=True,
    primary="ansi_default",
    secondary="ansi_default",
    accent="ansi_default",
    success="ansi_default",
    error="ansi_default",
    warning="ansi_default",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    variables={
        **dict.fromkeys(_DARK, "ansi_default"),
        # Textual's own rules ask every theme of this kind for these two.
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "block-cursor-text-style": "bold reverse",
        "input-cursor-text-style": "reverse",
    },
)
"""No colour at all, for NO_COLOR: bold, underline, strike and reverse carry what colour would."""


def none_asked_for(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether the person asked for no colour (NO_COLOR, not empty)."""
    return bool(environ.get("NO_COLOR"))


BLUE_ORANGE: Final = "-blue-orange"
"""What is added behind a theme's name where added and removed are blue and orange."""


def _blue_orange(known: Theme, added: str, removed: str, grounds: tuple[str, str]) -> Theme:
    """A theme whose added and removed text differs for eyes that take green and red for one colour, too."""
    changes = {"added": added, "removed": removed, "added-ground": grounds[0], "removed-ground": grounds[1]}
    return replace(
        known, name=known.name + BLUE_ORANGE, success=added, error=removed, variables={**known.variables, **changes}
    )


_ANSI_DARK: Final = {
    "key": "ansi_bright_cyan",
    "quiet": "ansi_white",
    "rule": "ansi_bright_black",
    # The bar and the bold text say where one is: no other ground leaves every colour readable.
    "chosen": "ansi_black",
    "ground": "ansi_black",
    "added": "ansi_bright_green",
    "removed": "ansi_bright_red",
    "updated": "ansi_bright_cyan",
    "alarm": "ansi_bright_red",
    "warn": "ansi_bright_yellow",
    "token": "ansi_bright_yellow",
    "added-ground": "ansi_black",
    "removed-ground": "ansi_black",
    "scrollbar": "ansi_bright_black",
    "scrollbar-hover": "ansi_bright_black",
    "scrollbar-active": "ansi_bright_yellow",
    "scrollbar-background": "ansi_black",
    "scrollbar-background-hover": "ansi_black",
    "scrollbar-background-active": "ansi_black",
    "scrollbar-corner-color": "ansi_black",
    "input-selection-background": "ansi_blue",
    "ansi-background": "ansi_black",
    "ansi-foreground": "ansi_bright_white",
    "block-cursor-text-style": "bold reverse",
    "input-cursor-text-style": "reverse",
}
"""By the terminal's own names: what Rich would take for the nearest colour is unreadable in many a palette of 16."""

_ANSI_LIGHT: Final = {
    **dict.fromkeys(_ANSI_DARK, "ansi_bright_white"),
    "key": "ansi_blue",
    "quiet": "ansi_black",
    "rule": "ansi_bright_black",
    # Green, yellow and cyan cannot be read on white in most palettes: what is added is blue here.
    "added": "ansi_blue",
    "removed": "ansi_red",
    "updated": "ansi_magenta",
    "alarm": "ansi_red",
    "warn": "ansi_magenta",
    "token": "ansi_magenta",
    "scrollbar": "ansi_white",
    "scrollbar-hover": "ansi_white",
    "scrollbar-active": "ansi_red",
    "input-selection-background": "ansi_white",
    "ansi-foreground": "ansi_black",
    "block-cursor-text-style": "bold reverse",
    "input-cursor-text-style": "reverse",
}

DESK_16: Final = Theme(
    name="desk-16",
    ansi=True,
    primary="ansi_bright_cyan",
    secondary="ansi_bright_cyan",
    accent="ansi_bright_yellow",
    success="ansi_bright_green",
    error="ansi_bright_red",
    warning="ansi_bright_yellow",
    foreground="ansi_bright_white",
    background="ansi_black",
    surface="ansi_black",
    panel="ansi_black",
    dark=True,
    variables=_ANSI_DARK,
)
"""The dark theme where a terminal has sixteen colours."""

DESK_LIGHT_16: Final = Theme(
    name="desk-light-16",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_magenta",
    accent="ansi_red",
    success="ansi_blue",
    error="ansi_red",
    warning="ansi_magenta",
    foreground="ansi_black",
    background="ansi_bright_white",
    surface="ansi_bright_white",
    panel="ansi_bright_white",
    dark=False,
    variables=_ANSI_LIGHT,
)
"""The light theme where a terminal has sixteen colours."""

ALL: Final = (
    DESK,
    DESK_LIGHT,
    DESK_16,
    DESK_LIGHT_16,
    _blue_orange(DESK, "#6cb6ff", "#ff9d5c", ("#10294a", "#3f2412")),
    _blue_orange(DESK_LIGHT, "#0f50a8", "#8f3b00", ("#dce8fb", "#fbe6d8")),
    _blue_orange(DESK_16, "ansi_bright_cyan", "ansi_bright_yellow", ("ansi_black", "ansi_black")),
    _blue_orange(DESK_LIGHT_16, "ansi_blue", "ansi_red", ("ansi_bright_white", "ansi_bright_white")),
    PLAIN,
)
"""What an app registers."""


def before_start(environ: MutableMapping[str, str] = os.environ) -> bool | None:
    """What ``App(ansi_color=...)`` must be given; called before the app is made.

    Textual takes an empty NO_COLOR for a wish, and answers a real one with greys unless the terminal's own colours are
    on, in which case it takes every colour out. So an empty one is dropped, and for a real one this gives True.
    """
    if "NO_COLOR" in environ and not environ["NO_COLOR"]:
        del environ["NO_COLOR"]
    return True if none_asked_for(environ) else None


def is_plain(app: App[Any]) -> bool:
    """Whether the app paints without colour, so that changes need brackets around them."""
    return app.current_theme.name == PLAIN.name or app.no_color


_ASCII: Final = str.maketrans("●▌▸▾│─━…·→←↑↓≈×“”’–", '*|>v|-=~.><^v~x""\'-')
_glyphs: dict[str, dict[int, int] | None] = {"own": None}


def ascii_wanted(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether our marks should be ASCII: MEMINBOX_ASCII is set and not empty, or this is the bare Linux console."""
    return bool(environ.get("MEMINBOX_ASCII")) or environ.get("TERM") == "linux"


def use_ascii(on: bool) -> None:
    """Paint our own marks in ASCII from now on, or no longer. One terminal a process, so one setting a process."""
    _glyphs["own"] = _ASCII if on else None


def ascii_in_use() -> bool:
    """Whether our own marks are painted in ASCII."""
    return _glyphs["own"] is not None


def glyphs(words: str) -> str:
    """Our own words as they are painted: every mark one cell wide in the set in use."""
    table = _glyphs["own"]
    return words.translate(table) if table else words
