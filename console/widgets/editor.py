"""The inline editor: the text of one entry, changed in place.

A text area paints what it is given as it stands, so characters that cannot be seen, or would act on the terminal, are
taken out before it gets the text, and the person is told how many: an edit is what gets rid of them.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static, TextArea

from console import words
from console.widgets import shown
from console.widgets.shown import own
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


class InlineEditor(Vertical):
    """A text area with a line above it that says what was taken out."""

    def __init__(self, text: str) -> None:
        """Begin with this raw ``text``, the cursor at its start."""
        super().__init__()
        self._clean, self._taken = paintable(text)

    def compose(self) -> ComposeResult:
        """The remark, the text."""
        if self._taken:
            gone = words.count(self._taken, "hidden character was", "hidden characters were")
            yield Static(shown.content(own(f"{gone} taken out of this text", "bold $alarm")), id="editor-remark")
        yield TextArea(self._clean, id="editor-text", soft_wrap=True, compact=True, show_line_numbers=False)

    def on_mount(self) -> None:
        """The keys go to the text."""
        self.query_one(TextArea).focus()

    @property
    def text(self) -> str:
        """The text as it stands now."""
        return self.query_one(TextArea).text
