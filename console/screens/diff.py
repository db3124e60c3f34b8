"""The whole difference of one proposal on its own: nothing folded, as much room as the window has."""

from __future__ import annotations

from textual.app import ComposeResult

from console import words
from console.screens.base import DeskScreen, bindings_for
from console.screens.scrolling import Scrolling
from console.screens.taking import Taken, TakingAlone
from console.screens.text_keys import TextKeys
from console.widgets.detail import changed
from console.widgets.diff_view import DiffView, laid
from console.widgets.prompt import Prompt
from console.widgets.shown import Line, own, said
from console.widgets.text_pane import Lines
from store.facts import Detail


class DiffScreen(TakingAlone, TextKeys, DeskScreen, Scrolling):
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
        yield Prompt()

    @property
    def difference(self) -> DiffView:
        """The text that the keys about texts mean."""
        return self.query_one(DiffView)

    def scrolled(self) -> DiffView:
        """The difference."""
        return self.difference

    def on_mount(self) -> None:
        """Say what it is, and show it all as soon as it is laid out for the room there is."""
        self.difference.can_focus = False
        self.query_one("#diff-head", Lines).show([[], self._title(), []])
        self.call_after_refresh(self._lay_out)

    def _lay_out(self) -> None:
        proposal, shape = self._proposal, self.difference.shape()
        self.run_aside("compare", lambda: laid(changed(proposal), shape, unfolded=True), self.difference.show_laid)

    def _title(self) -> Line:
        proposal = self._proposal
        sizes = [
            len(text) for text in (proposal.target and proposal.target.entry.content, proposal.entry.content) if text
        ]
        return [
            own(f"{words.SIGN[proposal.op]} {proposal.op} ", words.OP_STYLE[proposal.op]),
            said(words.title(proposal), "bold $key"),
            own("   " + " → ".join(f"{size:,}" for size in sizes) + " characters", "$quiet"),
            *([own("   on ", "$quiet"), said(checkout, "$quiet")] if (checkout := words.checkout(proposal)) else []),
        ]

    def taken(self) -> Taken | None:
        """The proposed text; of a removal, the text that would go."""
        return Taken(words.content_of(self._proposal), f"memory-{self._proposal.id[-6:]}.txt")

    def do_diff_full(self) -> None:
        """The key that opened it closes it."""
        self.desk.do_leave()

    def do_back(self) -> None:
        """Leave the line of input, else back to the queue."""
        if not self.leave_prompt():
            self.desk.do_leave()
