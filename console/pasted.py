"""What may enter a line of input or the editor: they paint what they hold as it stands.

So characters that cannot be seen, or would act on the terminal, are taken out before they get a text, and the person is
told how many: an edit is what gets rid of them. A paste is often a text of an agent's making. Pure: no Textual here.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from console import words
from console.visible import Shown
from store.characters import hidden

_UNPAINTABLE: Final = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})


def paintable(text: str) -> tuple[str, int]:
    """``text`` without what cannot be painted or seen, and how many characters that took out."""
    unseen = {offset for offset, _ in hidden(text)}
    kept = [
        char
        for at, char in enumerate(text)
        if at not in unseen and (char in "\n\t" or unicodedata.category(char) not in _UNPAINTABLE)
    ]
    return "".join(kept), len(text) - len(kept)


def joins(character: str | None) -> bool:
    """Whether a typed character is one of those that hold an emoji, a flag or a word together."""
    return character is not None and (character in ("\u200c", "\u200d") or "\U000e0020" <= character <= "\U000e007f")


def pasted(text: str) -> tuple[str, Shown | None]:
    """A paste as it may enter a field, and what to say of it where something was taken out.

    Terminals send a pasted line end as CR.
    """
    clean, taken = paintable(text.replace("\r\n", "\n").replace("\r", "\n"))
    if not taken:
        return clean, None
    return clean, Shown(f"{_hidden(taken)} taken out of what was pasted")


def taken_out(number: int) -> str:
    """What the editor says of a text that it was given."""
    return f"{_hidden(number)} taken out of this text"


def _hidden(number: int) -> str:
    return words.count(number, "hidden character was", "hidden characters were")
