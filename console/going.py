"""Going from screen to screen: which class shows what, and the keys that go there."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from textual.app import App

from console.screens.queue import QueueScreen

VIEWS: Final[dict[str, str]] = {
    "screen.library": "console.screens.library:LibraryScreen",
    "screen.outdated": "console.screens.outdated:OutdatedScreen",
    "screen.activity": "console.screens.activity:ActivityScreen",
    "activity.parts": "console.screens.activity_parts:ActivityPartsScreen",
    "told.open": "console.screens.activity_told:ToldScreen",
    "screen.agents": "console.screens.agents:AgentsScreen",
    "screen.scopes": "console.screens.scopes:ScopesScreen",
    "profile.open": "console.screens.profile:ProfileScreen",
    "history.open": "console.screens.history:HistoryScreen",
    "evidence.open": "console.screens.evidence:EvidenceScreen",
    "diff.full": "console.screens.diff:DiffScreen",
    "sides.open": "console.screens.sides:SidesScreen",
    "help": "console.screens.help:HelpScreen",
    "palette": "console.screens.palette:PaletteScreen",
}
"""Which class shows what, by action id, as module:class; imported when first asked for."""


class Going(App[int], inherit_bindings=False):
    """The part of the app that opens screens. The queue is below all of them."""

    def show(self, action_id: str, *arguments: Any) -> None:
        """Open the screen that an action stands for."""
        module, _, name = VIEWS[action_id].partition(":")
        self.push_screen(getattr(import_module(module), name)(*arguments))

    def do_screen_queue(self) -> None:
        """Back to the queue."""
        while len(self.screen_stack) > 1 and not isinstance(self.screen, QueueScreen):
            self.pop_screen()

    def do_screen_library(self) -> None:
        """To the library."""
        self.do_screen_queue()
        self.show("screen.library")

    def do_profile_open(self) -> None:
        """Everything that agents are told here."""
        self.show("profile.open")

    def do_screen_outdated(self) -> None:
        """To what is no longer true."""
        self.do_screen_queue()
        self.show("screen.outdated")

    def do_screen_activity(self) -> None:
        """To the log of what was done."""
        self.do_screen_queue()
        self.show("screen.activity")

    def do_screen_agents(self) -> None:
        """To the agents."""
        self.do_screen_queue()
        self.show("screen.agents")

    def do_screen_scopes(self) -> None:
        """To the scopes."""
        self.do_screen_queue()
        self.show("screen.scopes")

    def do_help(self) -> None:
        """Every key of the screen on top."""
        self.show("help", getattr(self.screen, "NAME", ""))

    def do_palette(self) -> None:
        """Find an action by its name."""
        self.show("palette", self.screen)
