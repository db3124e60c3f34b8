"""The palette: find an action by its name. It offers what the registry has for the screen below, and runs it there."""

from __future__ import annotations

import textwrap
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.events import Click
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from console import actions, keys, places
from console.actions import Action
from console.room import Room, TooSmall
from console.screens.base import DeskScreen
from console.widgets import shown
from console.widgets.shown import own

KEY_ROOM: Final = 11
TITLE_ROOM: Final = 16
SIDES: Final = 9
"""Cells that the border, the spaces inside it and the scrollbar take."""


class PaletteScreen(Room, ModalScreen[None]):
    """A line to type in, and the actions that match it. ``below`` is the screen that will carry the choice out."""

    CSS_PATH = "palette.tcss"
    BINDINGS = [  # noqa: RUF012  (Textual's own name)
        Binding("escape", "leave", "Back", id="back"),
        Binding("ctrl+p", "leave", "Back", id="palette"),
        Binding("down", "move(1)", "Next", priority=True),
        Binding("up", "move(-1)", "Previous", priority=True),
    ]

    def __init__(self, below: DeskScreen) -> None:
        super().__init__()
        self._below = below
        self._matching: list[Action] = []

    def compose(self) -> ComposeResult:
        """The line and the list."""
        with Vertical(id="palette"):
            yield Input(placeholder="what do you want to do?")
            yield OptionList(markup=False)
        yield TooSmall()

    def on_mount(self) -> None:
        """Offer everything at first."""
        self.fit()
        self._offer("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._offer(event.value)

    def _offer(self, typed: str) -> None:
        words = typed.casefold().split()
        now = self._below.situation()
        found = [
            action
            for action in actions.of_screen(self._below.NAME)
            if action.id != "palette"
            and now.mode in action.modes
            and all(word in f"{action.title} {keys.told(action.help)}".casefold() for word in words)
        ]
        # What is called so comes before what only tells of it. Nobody looks here for how to move: those come last.
        self._matching = sorted(
            found,
            key=lambda action: (
                action.group == places.MOVE,
                not all(word in action.title.casefold() for word in words),
            ),
        )
        options = self.query_one(OptionList)
        options.clear_options()
        room = min(96, self.app.size.width * 9 // 10) - SIDES
        options.add_options([Option(_lines(action, action.enabled(now), room)) for action in self._matching])
        if not self._matching:
            options.add_option(
                Option(shown.content(own("no action has these words in its name or its help", "$quiet")), disabled=True)
            )
        options.highlighted = 0 if self._matching else None

    def on_click(self, event: Click) -> None:
        """A click beside it leaves it."""
        if event.widget is self:
            self.dismiss()

    def action_move(self, by: int) -> None:
        """Move the choice while the line keeps the keys."""
        options = self.query_one(OptionList)
        if self._matching:
            options.highlighted = ((options.highlighted or 0) + by) % len(self._matching)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        chosen = self.query_one(OptionList).highlighted
        if chosen is not None:
            self._take(chosen)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self._take(event.option_index)

    def _take(self, index: int) -> None:
        action = self._matching[index]
        self.dismiss()
        self._below.call_later(self._below.perform, action, by_key=False)

    def action_leave(self) -> None:
        """Nothing is done."""
        self.dismiss()


def _lines(action: Action, reason: str | None, room: int) -> Content:
    """Key, name, and what it does or why it cannot be done now, the last wrapped into its own column."""
    key = own(f"{keys.first(action.id):>{KEY_ROOM - 2}}  ", "$quiet" if reason else "bold $accent")
    title = own(f"{action.title:<{TITLE_ROOM}}", "$quiet" if reason else "bold")
    indent = KEY_ROOM + TITLE_ROOM
    first, *more = textwrap.wrap(reason or keys.told(action.help), max(20, room - indent)) or [""]
    rest = [[own(" " * indent), own(line, "$quiet")] for line in more]
    return shown.lines([[key, title, own(first, "$quiet")], *rest])
