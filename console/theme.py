"""The looks (design section 6): quiet ground, one warm accent, the same on light paper, and with no colour at all.

Style sheets and painted lines name the variables ("bold $key"); no other module names a colour. A terminal that draws
ambiguous characters wide gets the ASCII set: our own marks are translated where lines are built (``shown.own``), what
others wrote is left alone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
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
    "quiet": "#5a6172",
    "rule": "#c4c9d4",
    "chosen": "#e4e9f5",
    "ground": "#fbfaf7",
    "added": "#0b6b46",
    "removed": "#b3202f",
    "updated": "#6a3fb8",
    "alarm": "#b3202f",
    "warn": "#7d5200",
    "token": "#7d5200",
    "added-ground": "#dcf3e8",
    "removed-ground": "#fbe3e5",
    "scrollbar": "#c4c9d4",
    "scrollbar-hover": "#a9b0c0",
    "scrollbar-active": "#9a5200",
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
    secondary="#6a3fb8",
    accent="#9a5200",
    success="#0b6b46",
    error="#b3202f",
    warning="#7d5200",
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


ALL: Final = (DESK, DESK_LIGHT, PLAIN)
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


def glyphs(words: str) -> str:
    """Our own words as they are painted: every mark one cell wide in the set in use."""
    table = _glyphs["own"]
    return words.translate(table) if table else words
