"""The keys about a text or a difference, the same on every screen that shows one."""

from __future__ import annotations

from console.widgets.diff_view import DiffView


class TextKeys:
    """Mixed into a screen that shows one ``DiffView``. Its other methods may replace what moving means there."""

    @property
    def difference(self) -> DiffView:
        """The text that the keys mean."""
        raise NotImplementedError

    def scroll_text(self, pages: int) -> None:
        """Scroll by so many pages."""
        text = self.difference
        text.scroll_relative(y=pages * max(1, text.size.height - 2), animate=False)

    def do_move_page_down(self) -> None:
        """A page down."""
        self.scroll_text(1)

    def do_move_page_up(self) -> None:
        """A page up."""
        self.scroll_text(-1)

    def do_diff_next(self) -> None:
        """To the next change."""
        self.difference.next_change()

    def do_diff_previous(self) -> None:
        """To the change before."""
        self.difference.previous_change()

    def do_diff_split(self) -> None:
        """Side by side, or one under the other."""
        self.difference.toggle_split()

    def do_view_invisibles(self) -> None:
        """Show spaces, tabs and line ends, or not."""
        self.difference.toggle_invisibles()
