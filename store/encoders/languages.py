"""Which language a text is in, as far as encoders differ by it. Pure."""

from __future__ import annotations

import re
from typing import Final, Literal

Language = Literal["en", "zh", "mixed"]

_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_WORD: Final = re.compile(r"[^\W\d_\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
LOOKED_AT: Final = 2_000
MOSTLY: Final = 0.25
"""The share of Han characters, each weighed as a word of another script, from which a text counts as Chinese."""


def language(text: str) -> Language:
    """``zh`` where Han characters carry a text, else ``en``: names and commands in Latin letters stand in both."""
    seen = text[:LOOKED_AT]
    han = len(_HAN.findall(seen))
    return "zh" if han and han >= MOSTLY * (han + 2 * len(_WORD.findall(seen))) else "en"


def together(a: str, b: str) -> Language:
    """The language of a pair of texts; ``mixed`` where each has its own."""
    first, second = language(a), language(b)
    return first if first == second else "mixed"
