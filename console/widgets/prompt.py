"""A line of input above the footer: the filter, a reason, a number of days, the name of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from textual.containers import Horizontal
from textual.message import Message

from console.pace import SETTLE
from console.visible import Shown
from console.widgets import shown
from console.widgets.shown import own, said

if TYPE_CHECKING:
    from textual.widgets import Input, Static

    from console.app import DeskApp

AT_ONCE: Final = "too quick: enter once more"


class Prompt(Horizontal):
    """The line. It appears with ``ask`` and goes with ``close``; what is typed comes as messages with its purpose."""

    class Typed(Message):
        """The text has changed."""

        def __init__(self, purpose: str, text: str) -> None:
            super().__init__()
            self.purpose = purpose
            self.text = text

    class Entered(Typed):
        """Enter was pressed."""

    DEFAULT_CLASSES = "-closed"

    def __init__(self) -> None:
        super().__init__()
        self.purpose = ""
        """What is being asked for; empty while the line is not there."""

    def prepare(self) -> None:
        """Make the parts, which the first paint need not wait for."""
        from textual.widgets import Input, Static

        if not self.query("#prompt-input"):
            line = Input(compact=True, id="prompt-input", select_on_focus=False)
            self.mount(Static(id="prompt-label"), line, Static(id="prompt-remark"))

    def ask(self, purpose: str, label: Shown, text: str = "") -> None:
        """Ask for a line. ``text`` is our own or the person's, never an agent's."""
        self.prepare()
        self.purpose = purpose
        self._static("#prompt-label").update(shown.content(own(" "), said(label, "bold $accent"), own(" ")))
        self.remark(Shown(""))
        line = self._input()
        with self.prevent(type(line).Changed):
            line.value = text
        line.select_all()  # what stands there is replaced by what is typed; an arrow key keeps it
        self.remove_class("-closed")
        line.focus()

    def _input(self) -> Input:
        from textual.widgets import Input

        return self.query_one(Input)

    def _static(self, selector: str) -> Static:
        from textual.widgets import Static

        return self.query_one(selector, Static)

    def remark(self, words: Shown) -> None:
        """Say something about what is typed (what is wrong with it, how many match)."""
        self.prepare()
        self._static("#prompt-remark").update(shown.content(said(words, "$alarm"), own(" ")))

    def close(self) -> None:
        """Take the line away and give the keys back."""
        self.purpose = ""
        self.add_class("-closed")
        self.screen.set_focus(None)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass on what is typed."""
        event.stop()
        if self.purpose:
            self.post_message(self.Typed(self.purpose, event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Pass on what was entered, by a key of its own: a line end among what was sent at once enters nothing."""
        event.stop()
        desk = cast("DeskApp", self.app)
        purpose, value, serial = self.purpose, event.value, desk.pace.serial

        def settled() -> None:
            if desk.pace.serial == serial and self.purpose == purpose:
                self.post_message(self.Entered(purpose, value))
            else:
                self.remark(Shown(AT_ONCE))

        if purpose == "filter":  # narrows, and decides nothing
            self.post_message(self.Entered(purpose, value))
        elif desk.pace.in_a_breath:
            self.remark(Shown(AT_ONCE))
        else:
            self.set_timer(SETTLE, settled)
