"""The keys that move through a screen: through a page to read, or through the rows of its list."""

from __future__ import annotations

from textual.widget import Widget

from console.widgets.paged_list import PagedList


class Scrolling:
    """For a screen whose ``scrolled()`` scrolls; stands behind DeskScreen among its bases."""

    def scrolled(self) -> Widget:
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


class Rows:
    """For a screen whose keys move through its list and nothing else; stands behind DeskScreen among its bases."""

    @property
    def listing(self) -> PagedList:
        """The list. Each such screen says its own."""
        raise NotImplementedError

    def do_move_down(self) -> None:
        """Next row."""
        self.listing.move(1)

    def do_move_up(self) -> None:
        """Row before."""
        self.listing.move(-1)

    def do_move_top(self) -> None:
        """The first."""
        self.listing.move_end(last=False)

    def do_move_bottom(self) -> None:
        """The last."""
        self.listing.move_end(last=True)
