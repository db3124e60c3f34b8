"""The keys of a screen that is one page to read: lines, pages, the first and the last."""

from __future__ import annotations

from textual.containers import VerticalScroll


class Scrolling:
    """For a screen whose ``scrolled()`` scrolls; stands behind DeskScreen among its bases."""

    def scrolled(self) -> VerticalScroll:
        """What is read. Each such screen says its own."""
        raise NotImplementedError

    def do_move_down(self) -> None:
        """A line down."""
        self.scrolled().scroll_down(animate=False)

    def do_move_up(self) -> None:
        """A line up."""
        self.scrolled().scroll_up(animate=False)

    def do_move_page_down(self) -> None:
        """A page down."""
        self.scrolled().scroll_page_down(animate=False)

    def do_move_page_up(self) -> None:
        """A page up."""
        self.scrolled().scroll_page_up(animate=False)

    def do_move_top(self) -> None:
        """To the first line."""
        self.scrolled().scroll_home(animate=False)

    def do_move_bottom(self) -> None:
        """To the last line."""
        self.scrolled().scroll_end(animate=False)
