"""What stands in front of a screen and wants an answer: the common ground of the confirmation and the menu.

A dialog that has just appeared takes no key for 150 ms, and no key that follows another within 150 ms (see
``console.pace``): what was typed for the screen behind it answers nothing. Esc, ``q`` and a click beside it
leave it without an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar, cast

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.events import Click, Key, Resize
from textual.screen import ModalScreen
from textual.widgets import Static

from console import keys
from console.pace import SETTLE, TOO_QUICK
from console.room import Room, TooSmall, too_small
from console.widgets import shown
from console.widgets.shown import Line, own

if TYPE_CHECKING:
    from console.app import DeskApp

T = TypeVar("T")
WIDEST: Final = 100
"""Cells of a dialog at most; as its style sheet says."""
SIDES: Final = 4
"""Cells of a dialog beside its words: border and padding."""
TEXT_SIDES: Final = 3
"""And beside the lines of its text: padding and the scroll bar."""
FRAME: Final = 6
"""Rows of a dialog that are neither text nor answers: border, a title of two rows, blank rows."""


class Answer(NamedTuple, Generic[T]):
    """One answer: the key that gives it, what is written beside the key, and what it stands for."""

    key: str
    words: str
    value: T


class AnswerButton(Static):
    """An answer that can be clicked."""

    def __init__(self, place: int, line: Line) -> None:
        super().__init__(shown.content(*line), classes="answer")
        self.place = place

    def on_click(self, event: Click) -> None:
        """Give this answer."""
        event.stop()
        cast("Dialog[object]", self.screen).answer(self.place, by_key=False)


class Dialog(Room, ModalScreen[T | None]):
    """A question with its answers. ``focus`` is the answer that enter gives at first."""

    AUTO_FOCUS = ""
    CSS_PATH = ["dialog.tcss"]  # noqa: RUF012  (Textual's own name)

    def __init__(self, title: Line, text: Sequence[Line], answers: Sequence[Answer[T | None]], *, focus: int) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._answers = answers
        self._focus = focus
        self._painted: float | None = None

    @property
    def desk(self) -> DeskApp:
        """The app."""
        return cast("DeskApp", self.app)

    def compose(self) -> ComposeResult:
        """Title, scrollable text, answers."""
        with Vertical(id="dialog"):
            yield Static(shown.lines(self._rows([self._title], 0)), id="dialog-title")
            yield Static(id="dialog-remark")
            if self._text:
                with VerticalScroll(id="dialog-text", can_focus=False):
                    yield Static(shown.lines(self._rows(self._text, TEXT_SIDES)), id="dialog-lines")
            with Vertical(id="dialog-answers"):
                for place in range(len(self._answers)):
                    yield AnswerButton(place, self._answer_line(place))
        yield TooSmall()

    def on_mount(self) -> None:
        """The clock of the 150 ms starts when the dialog has been painted."""
        self.fit()
        self.call_after_refresh(self._stamp)

    def on_resize(self, event: Resize) -> None:
        """The text takes what title and answers leave; those are always on the screen."""
        self.call_after_refresh(self._wrap_anew)  # heights changed while a resize is told would not be heard of
        for text in self.query("#dialog-text"):
            text.styles.max_height = max(1, event.size.height * 9 // 10 - len(self._answers) - FRAME)

    def _rows(self, several: Sequence[Line], beside: int) -> list[Line]:
        """Lines wrapped for the present window, with so many more cells taken beside them."""
        room = max(min(WIDEST, self.app.size.width * 9 // 10) - SIDES - beside, 8)
        return [row for line in several for row in shown.flow(line, room)]

    def _wrap_anew(self) -> None:
        self.query_one("#dialog-title", Static).update(shown.lines(self._rows([self._title], 0)))
        for lines in self.query("#dialog-lines").results(Static):
            lines.update(shown.lines(self._rows(self._text, TEXT_SIDES)))

    def _stamp(self) -> None:
        self._painted = self.desk.pace.clock()

    @property
    def ready(self) -> bool:
        """Whether it has been painted."""
        return self._painted is not None

    def _answer_line(self, place: int) -> Line:
        answer = self._answers[place]
        here = place == self._focus
        return [
            own("▌ " if here else "  ", "$accent"),
            own(answer.key, "bold $accent"),
            own(f"  {answer.words}", "bold" if here else "$quiet"),
        ]

    def on_key(self, event: Key) -> None:
        """Move, scroll, answer."""
        event.stop()
        event.prevent_default()
        self._remark("")
        key = event.character if event.is_printable and event.character else event.key
        answers = [place for place, answer in enumerate(self._answers) if answer.key == key]
        if answers:  # an answer's key gives it, whatever the key means elsewhere
            self._settle(answers[0])
        elif key == "enter":
            self._settle(self._focus)
        elif key in ("escape", *keys.of("back"), *keys.of("leave")):
            self.dismiss(None)
        elif forward := _direction(key, "move.down", "move.up", ("down", "tab"), ("up", "shift+tab")):
            self._move(forward)
        elif forward := _direction(key, "move.page_down", "move.page_up", ("pagedown", " "), ("pageup",)):
            self._scroll(forward)

    def on_click(self, event: Click) -> None:
        """A click beside the dialog leaves it without an answer; not the second one of two that brought it here."""
        if event.widget is self and event.chain == 1 and self._refusal(by_key=False) is None:
            self.dismiss(None)

    def _move(self, by: int) -> None:
        self._focus = (self._focus + by) % len(self._answers)
        for button in self.query(AnswerButton):
            button.update(shown.content(*self._answer_line(button.place)))

    def _scroll(self, pages: int) -> None:
        for text in self.query("#dialog-text"):
            text.scroll_relative(y=pages * max(1, text.size.height - 1), animate=False)

    def _settle(self, place: int) -> None:
        """Give an answer unless another key follows at once."""
        serial = self.desk.pace.serial
        refused = self._refusal(by_key=True)
        self._remark(refused or "")
        if refused is None:
            self.set_timer(SETTLE, lambda: self._settled(place, serial))

    def _settled(self, place: int, serial: int) -> None:
        if self.desk.pace.serial == serial:
            self.answer(place, by_key=True)
        else:
            self._remark(TOO_QUICK)

    def answer(self, place: int, *, by_key: bool) -> None:
        """Give an answer, if the dialog has stood there long enough."""
        refused = None if by_key else self._refusal(by_key=False)
        self._remark(refused or "")
        if refused is None:
            self.dismiss(self._answers[place].value)

    def _refusal(self, *, by_key: bool) -> str | None:
        """Why nothing may be answered now, or None."""
        if too_small(self.app.size):
            return "the window is too small to see what one answers"
        return self.desk.pace.refusal(self.stood(self._painted), by_key=by_key)

    def _remark(self, words: str) -> None:
        """Say in our words why nothing was answered; the row is always kept for it."""
        self.query_one("#dialog-remark", Static).update(shown.content(own(words, "bold $alarm")))


def _direction(key: str, on: str, back: str, always_on: tuple[str, ...], always_back: tuple[str, ...]) -> int:
    """1 for a key that goes on (an action's, or one of those that always do), -1 for one that goes back, else 0."""
    if key in always_on or key in keys.of(on):
        return 1
    return -1 if key in always_back or key in keys.of(back) else 0
