"""The Scopes screen on the screen: list, page, layout, and how they keep up with the store and the folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from threading import Event
from typing import TYPE_CHECKING

from console.actions import Situation
from console.screens import scopes_lines
from console.screens.list_page import AGAIN, ListPage
from console.screens.taking import Taken
from console.visible import visible
from console.widgets.shown import Line, Part

if TYPE_CHECKING:
    from store.engine import Store
    from store.scopes import Scope


class ScopesView(ListPage["Scope"]):
    """List, page and their upkeep."""

    NAME = "scopes"

    def __init__(self) -> None:
        super().__init__()
        self.scopes: Sequence[Scope] = ()
        self._called: Counter[str] = Counter()
        self._meant = ""
        """The scope that the line of input is about."""
        self.saving = False
        self.stop: Event | None = None
        """Stops a move that is under way."""

    @property
    def scope(self) -> Scope | None:
        """The scope under the cursor."""
        return self.chosen

    # ---- the store

    def pause(self) -> float:
        """A first list comes at once, and so does every one while nothing else has to be worked out."""
        return AGAIN if self.counted and self.desk.indexer.words else 0.05

    def facts_changed(self) -> None:
        """The project may be called otherwise by now."""
        super().facts_changed()
        if self.counted:
            self.count_now()

    def count(self) -> None:
        """Ask for the scopes, and look at their folders."""
        here = self.desk.project
        # One project is nothing to another's agents: in their environment they see what is theirs.
        mine = None if self.desk.fenced is None else set(self.desk.scopes)

        def job(store: Store) -> list[Scope]:
            from store import scopes

            return [one for one in scopes.scopes(store, here) if mine is None or one.identity in mine]

        self.ask("scopes", job, self._got)

    def _got(self, found: list[Scope]) -> None:
        if self.counted and found == list(self.scopes):
            return
        self.scopes = found
        self._called = Counter(one.label for one in found)
        self.show_all({one.identity: one for one in found})

    # ---- what is shown

    def heading(self, room: int) -> Line:
        """The line above the scopes."""
        return scopes_lines.heading(room)

    def row_line(self, row: Scope, room: int, here: bool) -> list[Part]:
        """One scope."""
        return scopes_lines.row(row, room, here, self.now(), self._called[row.label] > 1)

    def page_lines(self, room: int) -> list[Line]:
        """The page about the scope under the cursor."""
        project, one = self.desk.project, self.scope
        asks_for = project.asks_for if project is not None else None
        if self.nothing or one is None:
            return scopes_lines.alone(asks_for, room)
        here = next((each for each in self.scopes if each.standing == "here"), None)
        return scopes_lines.page(one, here, asks_for, self.now(), room)

    @property
    def nothing(self) -> bool:
        """Whether nothing is held in any scope."""
        return self.counted and not any(one.holds or one.confirmed for one in self.scopes)

    def tell_how_far(self, stop: Event, done: int, of: int) -> None:
        """How far a move is."""
        if self.stop is stop and not stop.is_set():
            from console import keys

            self.say(visible(f"{done:,} of {of:,} moved; {keys.shown('back')} stops", multiline=False))

    # ---- what is possible

    def situation(self) -> Situation:
        """What is possible now."""
        one, project = self.scope, self.desk.project
        return Situation(
            locked=self.desk.locked,
            mode=self.mode,
            item=one is not None,
            rows=len(self.listed),
            empty=self.nothing and not (project is not None and project.asks_for is not None),
            saving=self.saving,
            scope=one.standing if one is not None else "",
            holds=one.holds if one is not None else 0,
            asks=project is not None and project.asks_for is not None,
            undo=self.desk.undo is not None,
            redo=self.desk.redo is not None,
        )

    def subject(self) -> object:
        """What a key would act on."""
        return self.scope

    def taken(self) -> Taken | None:
        """The identity of the scope under the cursor, by which it is compared."""
        return Taken(self.scope.identity + "\n", "scope.txt") if self.scope is not None else None
