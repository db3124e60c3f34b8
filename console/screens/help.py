"""Help: every key of the screen one came from, by group, out of the registry; and how to leave a broken terminal."""

from __future__ import annotations

import textwrap
from typing import Final

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.events import Resize
from textual.widgets import Static

from console import actions, keys
from console.screens.base import DeskScreen, bindings_for
from console.screens.scrolling import Scrolling
from console.widgets import shown
from console.widgets.shown import Line, own

KEY_ROOM: Final = 16
TITLE_ROOM: Final = 16
FILTER_HELP: Final = (
    ("conf<0.6  conf>=.9  conf:unknown", "by what the proposer said"),
    ("agent:codex  session:7f3a  source:user_feedback", "by who said it, and why"),
    ("kind:preference  op:update  scope:shop", "by what it is"),
    ("flag:conflict  age>30d  changed:3d", "by warning and by time"),
    ("auto:any  auto:codex-facts", "by the rule in config.toml that approved it"),
    ('any words  "in quotes"', "in the text or the key, literally"),
)
SIGNS: Final = (
    ("+ ~ -", "what it would do: add, update, remove"),
    (".62 ?", "how sure the agent says it is; ? where it did not say"),
    ("1 of 2", "two proposals want the same key: approving one sets the other aside"),
    ("▪ conflict", "a warning, the gravest first; +1 where there is one more; the detail says why"),
    ("▪ said 3x", "proposed three times"),
    ("▪ stale 45d", "has waited for more than 30 days: is it still true?"),
    ("▪ x5", "five near-copies in one row: approving keeps one and closes the others"),
    ("╰", "a near-copy of the row above, by what it says otherwise"),
    ("▸", "folded: older than 30 days; said in one session only, waits for a second"),
    ("●", "marked"),
    ("+3", "on top beside the project: three more wait in other projects"),
)
"""What stands in a row of the queue, and what it means."""
FOOTNOTES: Final = (
    "A decision counts once its item has stood on the screen for a moment and no other key came with it.",
    "By mouse: rows, buttons and screens answer a click, and a click on meminbox, top left, offers all the rest.",
    "A question's letters stand beside its answers, so they are no part of the key map; the keys that move, enter and "
    "esc work there as you set them.",
    "`meminbox keys` names every action as [keys] in config.toml does, where keys are changed.",
    "If a killed console leaves the terminal in disorder, type: reset",
)


class HelpScreen(DeskScreen, Scrolling):
    """The keys of ``subject``, the name of the screen below."""

    NAME = "help"
    CSS_PATH = "help.tcss"
    BINDINGS = bindings_for("help")

    def __init__(self, subject: str) -> None:
        super().__init__()
        self._subject = subject or "queue"

    def compose_body(self) -> ComposeResult:
        """One scrolling page."""
        with VerticalScroll(id="help"):
            yield Static(id="help-page")

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """Wrap the page anew."""
        self.query_one("#help-page", Static).update(shown.lines(self.page(max(20, self.size.width - 6))))

    def page(self, room: int) -> list[Line]:
        """The page for so many cells, line by line."""
        page: list[Line] = []
        for group, members in actions.grouped(self._subject):
            page.append([own(group, "bold $accent")])
            for action in members:
                page += _row(keys.every(action.id), action.title, keys.told(action.help), room)
            page.append([])
        if self._subject == "queue":
            page.append([own("Signs in the list", "bold $accent")])
            for sign, meaning in SIGNS:
                page += _sign(sign, meaning, room)
            page.append([])
        if any(action.id == "filter.open" for action in actions.of_screen(self._subject)):
            page.append([own("Filter, after /", "bold $accent")])
            for what, why in FILTER_HELP:
                page += [[own("  "), own(what, "$key")], [own("      "), own(why, "$quiet")]]
            page.append([])
        for said in FOOTNOTES:
            page += [[own(line, "$quiet")] for line in textwrap.wrap(said, room)]
        return page

    def scrolled(self) -> VerticalScroll:
        """The page."""
        return self.query_one("#help", VerticalScroll)

    def do_help(self) -> None:
        """The key that opened help closes it."""
        self.desk.do_leave()

    def do_back(self) -> None:
        """Esc closes it too."""
        self.desk.do_leave()


def _sign(sign: str, meaning: str, room: int) -> list[Line]:
    """One sign; what it means is wrapped into its own column."""
    first, *more = textwrap.wrap(meaning, max(20, room - KEY_ROOM - 2))
    head = [own("  "), *shown.pad([own(sign, "$key")], KEY_ROOM), own(first, "$quiet")]
    return [head, *([own(" " * (KEY_ROOM + 2)), own(line, "$quiet")] for line in more)]


def _row(named: str, title: str, help_: str, room: int) -> list[Line]:
    """One action; what explains it is wrapped into its own column."""
    indent = KEY_ROOM + TITLE_ROOM + 2
    first, *more = textwrap.wrap(help_, max(20, room - indent)) or [""]
    head = [own("  "), *shown.pad([own(named, "bold $key")], KEY_ROOM), *shown.pad([own(title)], TITLE_ROOM)]
    return [[*head, own(first, "$quiet")], *([own(" " * indent), own(line, "$quiet")] for line in more)]
