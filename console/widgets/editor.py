"""The inline editor: the text of one entry, changed in place.

What cannot be seen, or would act on the terminal, is taken out of the text beforehand (``console.pasted``).
"""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static, TextArea

from console.pasted import paintable, taken_out
from console.widgets import shown
from console.widgets.shown import own


class InlineEditor(Vertical):
    """A text area with a line above it that says what was taken out."""

    def __init__(self, text: str) -> None:
        """Begin with this raw ``text``, the cursor at its start."""
        super().__init__()
        self._clean, self._taken = paintable(text)
        self._end_seen = False

    def compose(self) -> ComposeResult:
        """The remark, the text."""
        if self._taken:
            yield Static(shown.content(own(taken_out(self._taken), "bold $alarm")), id="editor-remark")
        yield TextArea(self._clean, id="editor-text", soft_wrap=True, compact=True, show_line_numbers=False)

    def on_mount(self) -> None:
        """The keys go to the text."""
        area = self.query_one(TextArea)
        area.focus()
        self.watch(area, "scroll_y", self._look, init=False)

    def _look(self) -> None:
        self._end_seen = self.end_seen

    @property
    def end_seen(self) -> bool:
        """Whether the last row of the text has been on the screen."""
        area = self.query_one(TextArea)
        height = area.content_size.height
        return self._end_seen or 0 < area.wrapped_document.height <= area.scroll_offset.y + height

    @property
    def text(self) -> str:
        """The text as it stands now."""
        return self.query_one(TextArea).text
