"""The detail of one proposal: what it would change, with where it comes from and what was before."""

from __future__ import annotations

from console import theme, words
from console.diff_layout import Comparison
from console.widgets import detail_beside, detail_lines
from console.widgets.detail_beside import Beside
from console.widgets.detail_lines import Setting
from console.widgets.diff_view import compared
from console.widgets.shown import Line
from console.widgets.text_pane import TextPane
from store.facts import Detail, Proposal


def changed(proposal: Proposal) -> Comparison:
    """What approving a proposal would change of the text; may take long, as ``compared`` says."""
    old = proposal.target.entry.content if proposal.target else None
    return compared(old, None if proposal.op == "remove" else proposal.entry.content)


class DetailPane(TextPane[Detail]):
    """What is known of one proposal, and what approving it would change."""

    roll_back = True
    """Whether ``r`` may be offered."""
    copies: tuple[tuple[Proposal, Comparison], ...] = ()
    """The near-copies on which a decision is one, too, each with what it says otherwise."""

    beside: Beside | None = None
    """What was found beside it; None while it is being looked for."""

    def show(self, detail: Detail, what: Comparison, setting: Setting) -> None:
        """Show a proposal, and what ``changed`` made of it; ``Painted`` follows once it stands there."""
        before, proposal = self.thing, detail.proposal
        if before is None or before.proposal.id != proposal.id:
            self.beside = None
        if before is None or before.proposal.seen() != proposal.seen():
            self.diff.show_comparison(what)
        self.present(detail, setting)

    def stand_beside(self, beside: Beside | None) -> None:
        """Name what was found beside the proposal that is shown; its text, and what was painted of it, stay."""
        self.beside = beside
        self._arrange()

    def words(self, thing: Detail, setting: Setting) -> tuple[list[Line], list[Line]]:
        """What is proposed above the difference; source, history and the rest below."""
        head = [*detail_lines.head(thing, setting), *detail_beside.copies_head(self.copies)]
        copies = detail_beside.copies_foot(self.copies, brackets=theme.is_plain(self.app))
        beside = detail_beside.beside_foot(self.beside, setting)
        return head, [*copies, *detail_lines.foot(thing, setting, self.roll_back, beside)]

    def unseen(self) -> str | None:
        """What of the text has not been on the screen, in words, or None where all has."""
        left = self.diff.rows_unseen()
        return f"{words.count(left, 'more line', 'more lines')} not seen yet" if left else None
