"""A pane of words, a text or a difference, and words again, in whatever room there is.

The text gets what it needs, and at least ``LEAST`` rows where it needs them; the words below give way first. What the
pane paints is handed to it; it knows no store. The detail of a proposal and that of a memory are such panes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Generic, TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Resize
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from console.widgets import detail_lines, shown
from console.widgets.detail_lines import Setting
from console.widgets.diff_view import DiffView
from console.widgets.shown import Line

if TYPE_CHECKING:
    from console.widgets.editor import InlineEditor

T = TypeVar("T")
KEY: Final = 8
"""Cells of a key before what it does: below it nothing else is continued."""


def _flowing(line: Line) -> Line:
    """A line of a message that is continued at the margin, where it does not begin with a key."""
    return line if len(line) > 1 and shown.width(line[:1]) <= KEY else [shown.own(""), *line]


class Lines(Widget):
    """Lines that are cut to the width, painted one by one."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._lines: list[Line] = []

    def show(self, lines: list[Line]) -> None:
        """Paint these."""
        self._lines = lines
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line."""
        line = self._lines[y] if y < len(self._lines) else []
        return shown.strip(self, line, self.size.width)


class TextPane(Vertical, Generic[T]):
    """Words, a text, words. Subclasses say in ``words`` what stands above and below the text."""

    LEAST: ClassVar[int] = 8
    """Rows the text gets at least, where it needs them."""

    class Painted(Message):
        """This thing stands on the screen."""

        def __init__(self, thing: object) -> None:
            super().__init__()
            self.thing = thing

    active: reactive[bool] = reactive(False, repaint=False)
    """Whether the keys scroll this pane."""

    def __init__(self, *, id: str = "detail") -> None:
        super().__init__(id=id)
        self._thing: T | None = None
        self._setting: Setting | None = None
        self._message: list[Line] = []
        self._given = 0
        self.editing = False
        """Whether the inline editor stands in place of the text."""

    def compose(self) -> ComposeResult:
        """Words, text, words."""
        yield Lines(id="pane-head")
        yield DiffView(id="pane-text")
        yield Lines(id="pane-foot")

    def on_mount(self) -> None:
        """The keys are the screen's, wherever one has clicked."""
        self.diff.can_focus = False

    @property
    def diff(self) -> DiffView:
        """The view of the text or the difference."""
        return self.query_one(DiffView)

    @property
    def thing(self) -> T | None:
        """What is shown, or None."""
        return self._thing

    def words(self, thing: T, setting: Setting) -> tuple[list[Line], list[Line]]:
        """The lines above and below the text."""
        raise NotImplementedError

    def watch_active(self, active: bool) -> None:
        """Say by colour whether the keys scroll here."""
        self.set_class(active, "-active")

    def present(self, thing: T, setting: Setting) -> None:
        """Show a thing whose text is in ``diff`` already; ``Painted`` follows once it stands there."""
        self._thing, self._setting, self._message = thing, setting, []
        self._arrange()
        self.call_after_refresh(self._tell, thing)

    def show_message(self, lines: list[Line]) -> None:
        """Show words instead (nothing waits, the store has trouble)."""
        self._thing, self._message = None, lines
        self.diff.show(None, None)
        self._arrange()

    def _tell(self, thing: T) -> None:
        """Tell that it is painted; only once the text has the room it was given."""
        if thing is not self._thing or not self.size.height or not self.is_on_screen:
            return
        if self.diff.display and self.diff.size.height != self._given:
            self.call_after_refresh(self._tell, thing)
        else:
            self.call_after_refresh(self._told, thing)

    def _told(self, thing: T) -> None:
        if thing is self._thing:
            self.post_message(self.Painted(thing))

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """Arrange the parts anew; what comes on the screen by it is painted from now on."""
        self._arrange()
        self.tell_again()

    def tell_again(self) -> None:
        """Tell anew that what is shown is painted, once it is: it may have been covered, or had no room."""
        if self._thing is not None:
            self.call_after_refresh(self._tell, self._thing)

    def _arrange(self) -> None:
        width, height = max(1, self.content_size.width), self.content_size.height
        head, foot = self._words(width)
        rows = self.diff.rows_needed(width) if self._thing is not None and not self.editing else 0
        foot = [] if self.editing else foot
        for_head, for_foot = detail_lines.wrapped(head, width), detail_lines.wrapped(foot, width)
        rest = min(rows, self.LEAST) + 2
        if len(for_head) + len(foot) + rest <= height:
            head = for_head
        if len(head) + len(for_foot) + rest <= height:
            foot = for_foot
        spare = height - len(head) - len(foot) - rows
        above = 1 if spare >= 3 else 0
        gap = 1 if spare >= 2 else 0
        # In a window of ten rows both are cut short, so that no flag goes unseen.
        least = min(rows, self.LEAST if height >= self.LEAST + 3 else max(3, height - len(head)))
        given = min(rows, max(least, height - len(head) - len(foot) - above - 2 * gap))
        head = detail_lines.fits(head, max(height - given, 1))
        foot = detail_lines.fits(foot, height - len(head) - given - above - 2 * gap)
        self._place("#pane-head", [*([[]] * above), *head, *([[]] * gap)])
        self._given = given
        self.diff.styles.height = given
        self.diff.display = given > 0
        self._place("#pane-foot", [*([[]] * gap), *foot] if foot else [])

    def _words(self, width: int) -> tuple[list[Line], list[Line]]:
        if self._thing is None or self._setting is None:
            return detail_lines.wrapped([_flowing(line) for line in self._message], width, least=0), []
        return self.words(self._thing, self._setting)

    def _place(self, selector: str, lines: list[Line]) -> None:
        part = self.query_one(selector, Lines)
        part.styles.height = len(lines)
        part.display = bool(lines)
        part.show(lines)

    def toggle_split(self) -> None:
        """Old and new side by side, or one under the other."""
        self.diff.toggle_split()
        self._arrange()

    def scroll(self, rows: int) -> None:
        """Scroll the text by so many rows."""
        self.diff.scroll_relative(y=rows, animate=False)

    def scroll_page(self, pages: int) -> None:
        """Scroll the text by so many pages."""
        self.diff.scroll_relative(y=pages * max(1, self.diff.size.height - 2), animate=False)

    def scroll_end_of(self, *, last: bool) -> None:
        """Scroll the text to its first or its last row."""
        self.diff.scroll_to(y=self.diff.virtual_size.height if last else 0, animate=False)

    def edit(self, text: str) -> InlineEditor:
        """Put the inline editor, with this raw text, in place of the text."""
        from console.widgets.editor import InlineEditor

        editor = InlineEditor(text)
        self.editing = True
        self.mount(editor)
        self._arrange()
        return editor

    def end_edit(self) -> None:
        """Take the inline editor away."""
        from console.widgets.editor import InlineEditor

        self.editing = False
        self.query(InlineEditor).remove()
        self._arrange()
