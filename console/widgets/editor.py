"""The inline editor: the text of one entry, changed in place.

What cannot be seen, or would act on the terminal, is taken out of the text beforehand (``console.pasted``).
"""

from __future__ import annotations

from functools import lru_cache

from textual._wrap import compute_wrap_offsets
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.document._document import Location
from textual.document._document_navigator import DocumentNavigator
from textual.document._wrapped_document import WrappedDocument
from textual.events import Key
from textual.widgets import Static, TextArea

from console.pasted import joins, paintable, taken_out
from console.widgets import shown
from console.widgets.shown import own
from console.wrap import wrap


@lru_cache(maxsize=4096)
def _breaks(line: str, width: int, tab: int) -> list[int]:
    """Where the rows of a line begin, the first aside; kept, so that a key costs the line that it changes."""
    if "\t" in line:  # its width depends on where it stands
        return compute_wrap_offsets(line, width, tab)
    return [start for start, _ in wrap(line, width)][1:]


class Wrapped(WrappedDocument):
    """The text in rows as everywhere in the console: Chinese by character, no row beginning with its full stop."""

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        """Wrap every line anew."""
        super().wrap(0, tab_width)
        self._width = width
        lines = self.document.lines
        self._wrap_offsets = [_breaks(line, width, self._tab_width) if width else [] for line in lines]
        self._offset_to_line_info = [
            (at, row) for at, breaks in enumerate(self._wrap_offsets) for row in range(len(breaks) + 1)
        ]
        self._line_index_to_offsets = [[] for _ in lines]
        for place, (at, _) in enumerate(self._offset_to_line_info):
            self._line_index_to_offsets[at].append(place)

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:  # noqa: ARG002
        """After an edit: every line that has changed."""
        self.wrap(self._width)


class EntryText(TextArea):
    """A text area that wraps as the rest of the console does, and takes whatever an input method sends."""

    def on_key(self, event: Key) -> None:
        """Take the joiners of an emoji, a flag or a word, which count as no key that prints."""
        if joins(event.character):
            event.stop()
            event.prevent_default()
            self.replace(event.character or "", *self.selection)

    def _set_document(self, text: str, language: str | None) -> None:
        super()._set_document(text, language)
        self.wrapped_document = Wrapped(self.document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._rewrap_and_refresh_virtual_size()


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
        yield EntryText(self._clean, id="editor-text", soft_wrap=True, compact=True, show_line_numbers=False)

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
        """The text as it stands now; a joiner that joins nothing is not part of it, as nobody sees it."""
        return paintable(self.query_one(TextArea).text)[0]
