"""What waits, by kind of work: a menu by number at the bottom of the window, where it covers no row of the list.

It holds nobody up. Its keys are digits, as no digit decides anything in the queue; any other key closes it and does in
the queue what it always does there, unless it would decide on an item that the summary has covered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from textual.events import Key, Resize

from console import actions, keys
from console.visible import Shown
from console.widgets.dialog import Answer, Dialog
from console.widgets.shown import own, said

if TYPE_CHECKING:
    from console.screens.base import DeskScreen

WIDE: Final = 110
"""From so many columns on, list and detail stand side by side."""
MOST: Final = 9
"""Kinds that have a key."""
OWN: Final = ("enter", "up", "down", "tab", "shift+tab", "escape")
CLOSED: Final = "the summary is closed: now that you see the item, press the key again"


class Summary(Dialog[str]):
    """Answers the id of a kind of work, or None for the queue as it stands."""

    CSS_PATH = ["dialog.tcss", "summary.tcss"]  # noqa: RUF012  (Textual's own name)

    def __init__(self, title: Shown, kinds: Sequence[tuple[Shown, str]]) -> None:
        answers = [Answer[str | None](str(at + 1), told, id_) for at, (told, id_) in enumerate(kinds[:MOST])]
        answers.append(Answer[str | None]("0", "everything, as it is listed", None))
        super().__init__([said(title, "bold")], (), answers, focus=0)

    def on_mount(self) -> None:
        """Where the detail stands beside the list, stand below the detail. (The base's clock starts as well.)"""
        self.set_class(self.app.size.width >= WIDE, "-wide")

    def on_resize(self, event: Resize) -> None:
        """The window is another."""
        self.set_class(event.size.width >= WIDE, "-wide")

    def on_key(self, event: Key) -> None:
        """A key that is none of ours is the queue's. (Ours are taken by the base, which Textual asks as well.)"""
        key = event.character if event.is_printable and event.character else event.key
        if key in OWN or key in (*keys.of("back"), *keys.of("leave")) or any(key == one.key for one in self._answers):
            return
        action = next((one for one in actions.of_screen("queue") if key in keys.of(one.id)), None)
        if action is None:
            return
        event.stop()
        event.prevent_default()
        below = cast("DeskScreen", self.app.screen_stack[-2])
        self.dismiss(None)
        if action.decides or action.alone:
            below.call_later(below.say, own(CLOSED).text, bad=True)
        else:
            below.call_later(below.perform, action, by_key=False)
