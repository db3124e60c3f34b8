"""The looks (design section 6): quiet dark ground, one warm accent, and the same with no colour at all.

Style sheets and painted lines name the variables ("bold $key"); no other module names a colour.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from textual.theme import Theme

_COLOURS: Final = {
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
"""What the house adds to Textual's own variables. ``quiet`` keeps 4.5:1 and more on every ground."""

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
    variables=_COLOURS,
)
"""The dark theme of the house."""

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
    variables=dict.fromkeys(_COLOURS, "ansi_default"),
)
"""No colour at all, for NO_COLOR: bold, underline, strike and reverse carry what colour would."""


def colourless(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether the person asked for no colour (NO_COLOR, not empty)."""
    return bool(environ.get("NO_COLOR"))
