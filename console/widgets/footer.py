"""The line at the bottom: the keys that work now, out of the registry, or the last thing we had to say.

What is too long for one line takes two or three, so that no error ends before what to do about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.events import Click
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from console import actions, keys
from console.pace import TOO_QUICK
from console.visible import Shown
from console.widgets import shown
from console.widgets.shown import Part, own, said

if TYPE_CHECKING:
    from console.app import DeskApp
    from console.screens.base import DeskScreen

KEEP: Final = 8.0
"""Seconds for which a message stays, unless a key comes first."""
ROWS: Final = 3
"""Rows that a message may take: what was kept and what to do next stand at the end of it."""


class DeskFooter(Widget):
    """Keys and their titles; dim where the action cannot be taken. A click takes it."""

    def __init__(self) -> None:
        super().__init__()
        self.words = Shown("")
        """What is being said; empty while the keys are shown."""
        self.bad = False
        self._told_at = 0
        self._rows: list[Shown] = []
        self._timer: Timer | None = None
        self._spans: list[tuple[int, int, actions.Action]] = []

    def tell(self, words: Shown, *, bad: bool = False) -> None:
        """Say something until the next key, or for ``KEEP`` seconds."""
        app: DeskApp = self.app  # type: ignore[assignment]
        self.words, self.bad, self._told_at = words, bad, app.pace.serial
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(KEEP, self._hush)
        self._lay_out()

    def key_came(self) -> None:
        """A key was pressed: what was said before it has been read."""
        app: DeskApp = self.app  # type: ignore[assignment]
        if self.words and app.pace.serial > self._told_at:
            self._hush()

    def _hush(self) -> None:
        self.words = Shown("")
        self._lay_out()

    def on_resize(self) -> None:
        """What is said is wrapped anew."""
        self._lay_out()

    def _lay_out(self) -> None:
        """Take as many rows as what is said needs, the last of them cut where even ``ROWS`` are too few."""
        self._rows = shown.rows(self.words, max(self.size.width - 2, 1), ROWS)
        self.styles.height = max(1, len(self._rows))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One of the lines."""
        room = self.size.width
        self._spans = []
        if self._rows:
            words = self._rows[y] if y < len(self._rows) else Shown("")
            return shown.strip(self, [own(" "), said(words, "bold $alarm" if self.bad else "bold $accent")], room)
        return shown.strip(self, self._keys(room), room)

    def _keys(self, room: int) -> list[Part]:
        screen: DeskScreen = self.screen  # type: ignore[assignment]
        if not screen.ready:  # its parts, which the situation is read from, may not be there yet
            return []
        offered = [one for one in actions.footer(screen.NAME, screen.situation()) if _cells(one[0], short=True)]
        short = sum(_cells(one, short=False) + 2 for one, _ in offered) > room
        gap = 1 if short else 2
        # Where even that is too much, what cannot be done now gives way first, then the last but filter and help.
        while sum(_cells(one, short=short) + gap for one, _ in offered) > room and len(offered) > 3:
            dim = [at for at, (_, reason) in enumerate(offered[:-2]) if reason]
            offered.pop(dim[-1] if dim else len(offered) - 3)
        line, used = [own(" ")], 1
        for action, reason in offered:
            title = _title(action, short=short)
            key = keys.first(action.id)
            line += [
                own(key, "$quiet" if reason else "bold $accent"),
                own(f" {title}" if key and title else title, "$quiet" if reason else "$foreground"),
                own(" " * gap),
            ]
            self._spans.append((used, used + _cells(action, short=short), action))
            used += _cells(action, short=short) + gap
        return line[:-1]

    def on_click(self, event: Click) -> None:
        """A click on an action takes it."""
        screen: DeskScreen = self.screen  # type: ignore[assignment]
        for start, end, action in self._spans:
            if not start <= event.x < end:
                continue
            if event.chain > 1 and (action.decides or action.alone):  # a double click is one click of a person
                screen.say(Shown(TOO_QUICK), bad=True)
            else:
                screen.perform(action, by_key=False)


def _title(action: actions.Action, *, short: bool) -> str:
    return action.short if short and action.short is not None else action.title


def _cells(action: actions.Action, *, short: bool) -> int:
    key, title = keys.first(action.id), _title(action, short=short)
    return len(key) + len(title) + bool(key and title)
