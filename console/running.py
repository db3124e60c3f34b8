"""Run the console: the person's keys and looks, the terminal restored whatever happens, the exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console import crash, faults, looks
from console.app import DeskApp

if TYPE_CHECKING:
    from store.location import Location
    from store.project import Project


def open_console(location: Location, *, project: Project | None = None, lasting: bool = True) -> int:
    """Open the console on a store and return its exit code. The terminal has been checked (``console.terminal``)."""
    from console import keymap, terminal

    mine, look = keymap.load(), looks.load()
    with faults.nothing_told_elsewhere(), crash.terminal_restored():
        who, fenced = terminal.actor("console"), terminal.fenced()
        app = DeskApp(
            location,
            by=who,
            fenced=fenced,
            project=project,
            lasting=lasting,
            keymap=mine,
            look=look,
            meaning=True,
        )
        answer = app.run()
    return answer if answer is not None else (app.return_code or 0)
