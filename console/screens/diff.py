"""The whole difference of one proposal on its own: nothing folded, as much room as the window has."""

from __future__ import annotations

from textual.app import ComposeResult

from console import words
from console.actions import Situation
from console.screens.base import DeskScreen, bindings_for
from console.visible import visible
from console.widgets.detail import Lines
from console.widgets.diff_view import DiffView
from console.widgets.shown import Line, own, said
from store.facts import Detail


class DiffScreen(DeskScreen):
    """Old and new of a detail that is already there. Nothing is decided here."""

    NAME = "diff"
    CSS_PATH = "diff.tcss"
    BINDINGS = bindings_for("diff")

    def __init__(self, detail: Detail) -> None:
        super().__init__()
        self._proposal = detail.proposal

    def compose_body(self) -> ComposeResult:
        """A line that says what it is, and the difference."""
        yield Lines(id="diff-head")
        yield DiffView(id="diff-whole")

    @property
    def _diff(self) -> DiffView:
        return self.query_one(DiffView)

    def on_mount(self) -> None:
        """Show it all."""
        proposal = self._proposal
        self._diff.can_focus = False
        old = proposal.target.entry.content if proposal.target else None
        self._diff.show(old, None if proposal.op == "remove" else proposal.entry.content)
        self._diff.open_folds()
        self.query_one("#diff-head", Lines).show([[], self._title(), []])

    def _title(self) -> Line:
        proposal = self._proposal
        sizes = [
            len(text) for text in (proposal.target and proposal.target.entry.content, proposal.entry.content) if text
        ]
        return [
            own(f"{words.SIGN[proposal.op]} {proposal.op} ", words.OP_STYLE[proposal.op]),
            said(words.title(proposal), "bold $key"),
            own("   " + " → ".join(f"{size:,}" for size in sizes) + " characters", "$quiet"),
            *([own("   "), said(visible(proposal.branch, multiline=False), "$quiet")] if proposal.branch else []),
        ]

    def situation(self) -> Situation:
        """There is something to look at."""
        return Situation(
            locked=self.desk.locked, item=True, undo=self.desk.undo is not None, redo=self.desk.redo is not None
        )

    def do_move_down(self) -> None:
        """A row down."""
        self._diff.scroll_relative(y=1, animate=False)

    def do_move_up(self) -> None:
        """A row up."""
        self._diff.scroll_relative(y=-1, animate=False)

    def do_move_page_down(self) -> None:
        """A page down."""
        self._diff.scroll_relative(y=max(1, self._diff.size.height - 2), animate=False)

    def do_move_page_up(self) -> None:
        """A page up."""
        self._diff.scroll_relative(y=-max(1, self._diff.size.height - 2), animate=False)

    def do_move_top(self) -> None:
        """To the first row."""
        self._diff.scroll_to(y=0, animate=False)

    def do_move_bottom(self) -> None:
        """To the last row."""
        self._diff.scroll_to(y=self._diff.virtual_size.height, animate=False)

    def do_diff_next(self) -> None:
        """To the next change."""
        self._diff.next_change()

    def do_diff_previous(self) -> None:
        """To the change before."""
        self._diff.previous_change()

    def do_diff_split(self) -> None:
        """Side by side, or one under the other."""
        self._diff.toggle_split()

    def do_view_invisibles(self) -> None:
        """Show spaces, tabs and line ends, or not."""
        self._diff.toggle_invisibles()

    def do_diff_full(self) -> None:
        """The key that opened it closes it."""
        self.desk.do_leave()

    def do_back(self) -> None:
        """Back to the queue."""
        self.desk.do_leave()
