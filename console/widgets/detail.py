"""The detail of one proposal: words above, the difference in the middle, words below, in whatever room there is.

The difference gets what it needs, and at least eight rows where it needs them; the words below give way first. What the
pane paints is handed to it; it knows no store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Resize
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from console import words
from console.widgets import detail_lines, shown
from console.widgets.detail_lines import Setting
from console.widgets.diff_view import DiffView
from console.widgets.shown import Line
from store.facts import Detail

if TYPE_CHECKING:
    from console.widgets.editor import InlineEditor

DIFF_ROWS: Final = 8
"""Rows the difference gets at least, where it needs them."""


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


class DetailPane(Vertical):
    """What is known of one proposal, and what approving it would change."""

    class Painted(Message):
        """The detail of this proposal stands on the screen."""

        def __init__(self, detail: Detail) -> None:
            super().__init__()
            self.detail = detail

    active: reactive[bool] = reactive(False, repaint=False)
    """Whether the keys scroll this pane."""

    def __init__(self, *, id: str = "detail") -> None:
        super().__init__(id=id)
        self._detail: Detail | None = None
        self._setting: Setting | None = None
        self._message: list[Line] = []
        self._given = 0
        self.editing = False
        """Whether the inline editor stands in place of the difference."""
        self.roll_back = True
        """Whether ``r`` may be offered."""

    def compose(self) -> ComposeResult:
        """Words, difference, words."""
        yield Lines(id="detail-head")
        yield DiffView(id="detail-diff")
        yield Lines(id="detail-foot")

    def on_mount(self) -> None:
        """The keys are the screen's, wherever one has clicked."""
        self.diff.can_focus = False

    @property
    def diff(self) -> DiffView:
        """The view of the difference."""
        return self.query_one(DiffView)

    @property
    def detail(self) -> Detail | None:
        """What is shown, or None."""
        return self._detail

    def watch_active(self, active: bool) -> None:
        """Say by colour whether the keys scroll here."""
        self.set_class(active, "-active")

    def show(self, detail: Detail, setting: Setting) -> None:
        """Show a proposal; ``Painted`` follows once it stands there."""
        before = self._detail
        self._detail, self._setting, self._message = detail, setting, []
        proposal = detail.proposal
        if before is None or before.proposal.seen() != proposal.seen():
            old = proposal.target.entry.content if proposal.target else None
            self.diff.show(old, None if proposal.op == "remove" else proposal.entry.content)
        self._arrange()
        self.call_after_refresh(self._tell, detail)

    def show_message(self, lines: list[Line]) -> None:
        """Show words instead of a proposal (nothing waits, the store has trouble)."""
        self._detail, self._message = None, lines
        self.diff.show(None, None)
        self._arrange()

    def _tell(self, detail: Detail) -> None:
        """Tell that it is painted; only once the difference has the room it was given."""
        if detail is not self._detail or not self.size.height or not self.is_on_screen:
            return
        if self.diff.display and self.diff.size.height != self._given:
            self.call_after_refresh(self._tell, detail)
        else:
            self.call_after_refresh(self._told, detail)

    def _told(self, detail: Detail) -> None:
        if detail is self._detail:
            self.post_message(self.Painted(detail))

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """Arrange the parts anew; what comes on the screen by it is painted from now on."""
        self._arrange()
        self.tell_again()

    def tell_again(self) -> None:
        """Tell anew that what is shown is painted, once it is: it may have been covered, or had no room."""
        if self._detail is not None:
            self.call_after_refresh(self._tell, self._detail)

    def _arrange(self) -> None:
        width, height = self._room()
        head, foot = self._words()
        diff = self.diff.rows_needed(width) if self._detail and not self.editing else 0
        foot = [] if self.editing else foot
        for_head, for_foot = detail_lines.wrapped(head, width), detail_lines.wrapped(foot, width)
        rest = min(diff, DIFF_ROWS) + 2
        if len(for_head) + len(foot) + rest <= height:
            head = for_head
        if len(head) + len(for_foot) + rest <= height:
            foot = for_foot
        spare = height - len(head) - len(foot) - diff
        above = 1 if spare >= 3 else 0
        gap = 1 if spare >= 2 else 0
        least = min(diff, DIFF_ROWS)
        given = min(diff, max(least, height - len(head) - len(foot) - above - 2 * gap))
        head = detail_lines.fits(head, max(height - given, 1))
        foot = detail_lines.fits(foot, height - len(head) - given - above - 2 * gap)
        self._place("#detail-head", [*([[]] * above), *head, *([[]] * gap)])
        self._given = given
        self.diff.styles.height = given
        self.diff.display = given > 0
        self._place("#detail-foot", [*([[]] * gap), *foot] if foot else [])

    def _room(self) -> tuple[int, int]:
        size: Size = self.content_size
        return max(1, size.width), size.height

    def _words(self) -> tuple[list[Line], list[Line]]:
        if self._detail is None or self._setting is None:
            return detail_lines.wrapped(self._message, self._room()[0]), []
        return (
            detail_lines.head(self._detail, self._setting),
            detail_lines.foot(self._detail, self._setting, self.roll_back),
        )

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
        """Scroll the difference by so many rows."""
        self.diff.scroll_relative(y=rows, animate=False)

    def scroll_page(self, pages: int) -> None:
        """Scroll the difference by so many pages."""
        self.diff.scroll_relative(y=pages * max(1, self.diff.size.height - 2), animate=False)

    def scroll_end_of(self, *, last: bool) -> None:
        """Scroll the difference to its first or its last row."""
        self.diff.scroll_to(y=self.diff.virtual_size.height if last else 0, animate=False)

    def edit(self, text: str) -> InlineEditor:
        """Put the inline editor, with this raw text, in place of the difference."""
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

    def unseen(self) -> str | None:
        """What of the text has not been on the screen, in words, or None where all has."""
        left = self.diff.rows_unseen()
        return f"{words.count(left, 'more line', 'more lines')} not seen yet" if left else None
