"""The line at the bottom: the keys that work now, out of the registry, or the last thing we had to say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.events import Click
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from console import actions
from console.visible import Shown
from console.widgets import shown
from console.widgets.shown import Part, own, said

if TYPE_CHECKING:
    from console.app import DeskApp
    from console.screens.base import DeskScreen

KEEP: Final = 8.0
"""Seconds for which a message stays, unless a key comes first."""


class DeskFooter(Widget):
    """Keys and their titles; dim where the action cannot be taken. A click takes it."""

    def __init__(self) -> None:
        super().__init__()
        self.words = Shown("")
        """What is being said; empty while the keys are shown."""
        self.bad = False
        self._told_at = 0
        self._timer: Timer | None = None
        self._spans: list[tuple[int, int, actions.Action]] = []

    def tell(self, words: Shown, *, bad: bool = False) -> None:
        """Say something until the next key, or for ``KEEP`` seconds."""
        app: DeskApp = self.app  # type: ignore[assignment]
        self.words, self.bad, self._told_at = words, bad, app.pace.serial
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(KEEP, self._hush)
        self.refresh()

    def key_came(self) -> None:
        """A key was pressed: what was said before it has been read."""
        app: DeskApp = self.app  # type: ignore[assignment]
        if self.words and app.pace.serial > self._told_at:
            self._hush()

    def _hush(self) -> None:
        self.words = Shown("")
        self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """The line."""
        room = self.size.width
        self._spans = []
        if self.words:
            return shown.strip(self, [own(" "), said(self.words, "bold $alarm" if self.bad else "bold $accent")], room)
        return shown.strip(self, self._keys(room), room)

    def _keys(self, room: int) -> list[Part]:
        screen: DeskScreen = self.screen  # type: ignore[assignment]
        offered = actions.footer(screen.NAME, screen.situation())
        line, used = [own(" ")], 1
        needed = _cells(offered[-1][0]) if offered else 0
        for action, reason in offered:
            cells = _cells(action)
            if action is not offered[-1][0] and used + cells + 2 + needed > room:
                continue
            line += [
                own(_key(action), "$quiet" if reason else "bold $accent"),
                own(f" {action.title}", "$quiet" if reason else "$foreground"),
                own("  "),
            ]
            self._spans.append((used, used + cells, action))
            used += cells + 2
        return line[:-1]

    def on_click(self, event: Click) -> None:
        """A click on an action takes it."""
        for start, end, action in self._spans:
            if start <= event.x < end:
                screen: DeskScreen = self.screen  # type: ignore[assignment]
                screen.perform(action, by_key=False)


def _key(action: actions.Action) -> str:
    return actions.key_name(action.keys[0])


def _cells(action: actions.Action) -> int:
    return len(_key(action)) + 1 + len(action.title)
