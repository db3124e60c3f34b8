"""A confirmation: the full texts that it is about, one question, focus on No."""

from __future__ import annotations

from collections.abc import Sequence

from console.visible import Shown
from console.widgets.dialog import Answer, Dialog
from console.widgets.shown import Line, own, said


class Confirm(Dialog[bool]):
    """Answers True for ``y``, False for ``n``, None where it was left."""

    def __init__(self, title: Shown, question: Shown, text: Sequence[Line] = ()) -> None:
        answers = [Answer[bool | None]("n", "No", False), Answer[bool | None]("y", question, True)]
        super().__init__([said(title, "bold")], text, answers, focus=0)


class Choose(Dialog[str]):
    """Several ways to go on, by key; No comes first and has the focus."""

    def __init__(self, title: Shown, choices: Sequence[tuple[str, Shown, str]], text: Sequence[Line] = ()) -> None:
        answers = [Answer[str | None]("n", "No", None), *(Answer[str | None](*choice) for choice in choices)]
        super().__init__([said(title, "bold")], text, answers, focus=0)


class Tell(Dialog[None]):
    """Something to be read; any answer closes it."""

    def __init__(self, title: Shown, text: Sequence[Line]) -> None:
        super().__init__([own("▪ ", "$alarm"), said(title, "bold")], text, [Answer("o", "Go on", None)], focus=0)


class Menu(Dialog[str]):
    """A small menu by key; the first entry has the focus."""

    def __init__(self, title: Shown, choices: Sequence[tuple[str, Shown, str]]) -> None:
        answers = [Answer[str | None](*choice) for choice in choices]
        super().__init__([said(title, "bold")], (), answers, focus=0)
