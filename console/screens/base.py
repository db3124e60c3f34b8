"""What every screen of the desk shares: keys from the registry, the guard of decisions, questions to the store.

A screen
- names itself in ``NAME``; its bindings are the registry's actions for that name,
- carries out an action in ``do_<id with dots as underscores>(self)``, for example ``do_history_open``,
- tells in ``situation()`` what is possible now,
- asks the store with ``self.ask(lane, job, then)`` (see ``console.work``); errors come to ``trouble``,
- is told of the store by ``store_opened()`` (once, when it is open) and ``store_changed()`` (after every commit),
- speaks to the person with ``self.say(shown)``: one line, our words or ``visible()`` ones; of a step that was done with
  ``self.announce(done)``; asks with ``self.confirm(...)`` and ``self.choose(...)``.

Another screen is opened by action id: ``self.desk.show("history.open", memory_id)``; ``console.going.VIEWS`` names its
class. For an action that decides, ``painted_at()`` gives the moment at which what it is about was painted; where it is
not there yet, the answer is None and nothing is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from console import actions, keys, places, words
from console.actions import Action, Situation
from console.pace import CHANGED, SETTLE, TOO_QUICK
from console.room import Room, TooSmall
from console.visible import Shown, visible
from console.widgets.detail_lines import Setting
from console.widgets.footer import DeskFooter
from console.widgets.header import DeskHeader
from console.widgets.shown import Line
from console.work import Asks
from store.errors import MeminboxError, StoreTrouble
from store.facts import Done

if TYPE_CHECKING:
    from console.app import DeskApp
    from store.engine import Store


def bindings_for(screen: str) -> list[BindingType]:
    """The bindings of a screen, out of the registry. Each has its action's id, so that a key map can change it."""
    return [
        Binding(",".join(map(keys.textual, action.keys)), f"act('{action.id}')", action.title, id=action.id)
        for action in actions.of_screen(screen)
    ]


class DeskScreen(Room, Screen[None], Asks):
    """A screen of the desk. Textual takes style sheets from its first widget base alone: that must be Screen."""

    NAME: ClassVar[str] = ""
    AUTO_FOCUS = ""
    """The keys are the screen's; a line of input takes the focus when it is asked for."""

    ready = False
    """Whether all its parts are there: before, it is told nothing."""

    @property
    def desk(self) -> DeskApp:
        """The app."""
        return cast("DeskApp", self.app)

    def situation(self) -> Situation:
        """What is possible now. Screens extend this one."""
        return Situation(locked=self.desk.locked, undo=self.desk.undo is not None, redo=self.desk.redo is not None)

    def now(self) -> datetime:
        """The store's time, from which ages are counted."""
        store = self.desk.store
        return store.now() if store else datetime.now().astimezone()

    def setting(self) -> Setting:
        """What words about facts depend on: the time, the project, the person."""
        project = self.desk.project
        return Setting(
            self.now(),
            project.identity if project else None,
            project.label if project else None,
            self.desk.by.name,
            self.desk.trusted.shares,
        )

    def painted_at(self) -> float | None:
        """When what a decision would be about was painted, by the app's clock; None where it is not."""
        return self.desk.shown_at

    def store_opened(self) -> None:
        """The store is open (or was when the screen came): ask for what is to be shown."""

    def store_changed(self) -> None:
        """Somebody committed something: ask again."""

    def closed(self) -> str | None:
        """Why nothing may be decided on the desk, or None."""
        return self.desk.locked

    def met(self, error: MeminboxError) -> None:
        """What befalls the store is the whole desk's."""
        self.desk.met(error)

    def store_broke(self, error: StoreTrouble) -> None:  # noqa: ARG002
        """Nothing can be decided from here on: say so where one looks. Screens that show nothing yet say why."""
        self.facts_changed()

    def came_back(self, ids: tuple[str, ...]) -> None:
        """Undo or redo has brought these proposals and memories back (or taken them away): show the first."""

    def facts_changed(self) -> None:
        """The header has news (counts, the next undo, the project): paint it again."""
        for header in self.query(DeskHeader):
            header.refresh()
        self.refresh_footer()

    def refresh_footer(self) -> None:
        """What is possible may have changed: paint the footer again."""
        for footer in self.query(DeskFooter):
            footer.refresh()

    def alive(self) -> bool:
        """Its parts are there: composed, and not yet taken away at the end."""
        return super().alive() and self.ready and bool(self.query(DeskFooter))

    def tell(self, what: Shown, *, bad: bool = False) -> bool:
        """Show one line in this screen's footer; False where it has none."""
        for footer in self.query(DeskFooter):
            footer.tell(what, bad=bad)
            return True
        return False

    def compose(self) -> ComposeResult:
        """Header, the screen's own body, footer; and the one line for a window that is too small."""
        self.fit()  # before anything is mounted, so that styles are worked out once
        yield DeskHeader()
        yield from self.compose_body()
        yield DeskFooter()
        yield TooSmall()

    def compose_body(self) -> ComposeResult:
        """What stands between header and footer."""
        yield from ()

    def narrowed(self) -> Shown | None:
        """The filter that holds rows back, as it was typed, for the header; None where none does."""
        return None

    def marked(self) -> int:
        """How many rows are marked, for the header."""
        return 0

    def the_store(self) -> Store | None:
        """The app's store, once it is open."""
        return self.desk.store

    def say(self, what: Shown, *, bad: bool = False) -> None:
        """One line to the person."""
        self.desk.say(what, bad=bad)

    def announce(self, done: Done, *, way_back: bool = False) -> None:
        """Say what was done, after the commit; ``way_back`` names the key that takes it back, too."""
        back = f"; {keys.shown('log.undo')} takes it back" if way_back else ""
        self.say(visible(words.done(done) + back, multiline=False))

    def confirm(self, title: Shown, question: Shown, then: Callable[[], None], text: Sequence[Line] = ()) -> None:
        """Ask once, showing the full texts it is about; ``then`` follows on yes, and on no all is left as it was."""
        from console.widgets.confirm import Confirm

        self.desk.push_screen(Confirm(title, question, text), lambda yes: self._answered(then if yes else None))

    def choose(
        self,
        title: Shown,
        choices: Sequence[tuple[str, Shown, str]],
        then: Callable[[str], None],
        text: Sequence[Line] | None = None,
    ) -> None:
        """Ask which of several ways to go, by key; with the texts it is about, the first answer is No."""
        from console.widgets.confirm import Choose, Menu

        dialog = Menu(title, choices) if text is None else Choose(title, choices, text)
        self.desk.push_screen(dialog, lambda which: self._answered(None if which is None else partial(then, which)))

    def _answered(self, then: Callable[[], None] | None) -> None:
        if then is None:
            self.say(Shown("left as it was"))
        else:
            then()

    def trouble(self, error: MeminboxError, *, mine: str | None = None) -> None:
        """An error that no one else took: the texts where some met (``mine`` is the person's), else its own words."""
        self.desk.tell_of(error, mine=mine)

    def on_mount(self) -> None:
        """All parts are there; ask for the content at once where the store is open already."""
        self.ready = True
        self.refresh_footer()
        if self.desk.store is not None or self.desk.failed is not None:
            self.store_opened()

    def at_work(self, seconds: float, slow: str) -> None:
        """A decision, or a look, takes long."""
        self.desk.at_work(seconds, slow)

    def work_over(self, slow: str) -> None:
        """What took long has come: that it takes long need not stand there any longer."""
        for footer in self.query(DeskFooter):
            if footer.words.startswith(f"{slow}, for "):
                footer.tell(Shown(""))

    def action_act(self, action_id: str) -> None:
        """A key was pressed that means this action."""
        self.perform(actions.BY_ID[action_id], by_key=True)

    def perform(self, action: Action, *, by_key: bool) -> None:
        """Take an action, by key or by mouse and palette, or say why not."""
        if not self.ready:
            return
        if action.id == "back" and (told := self.stop_work() or self.desk.stop_work()) is not None:
            self.say(told)
            return
        reason = action.enabled(self.situation())
        if reason is not None:
            self.say(visible(f"{action.title}: {reason}", multiline=False), bad=True)
            return
        refused = self._too_quick(action, by_key=by_key)
        if refused is not None:
            self.say(visible(refused, multiline=False), bad=True)
        elif by_key and (action.decides or action.alone):
            serial, about = self.desk.pace.serial, self._about(action)
            self.set_timer(SETTLE, lambda: self._settled(action, serial, about))
        else:
            self.carry_out(action)

    def _too_quick(self, action: Action, *, by_key: bool) -> str | None:
        """Why this key or click came too soon for the action, or None."""
        pace = self.desk.pace
        if action.decides:
            painted = self.desk.shown_at if action.group == places.LOG else self.painted_at()
            return pace.refusal(self.stood(painted), by_key=by_key)
        return TOO_QUICK if action.alone and by_key and pace.in_a_breath else None

    def subject(self) -> object:
        """What a decision would be about now. A decision is dropped where it changed while the key was settling."""
        return None

    def _about(self, action: Action) -> object:
        """What the action would decide on: the next step of the log, or what the screen says."""
        if not action.decides:
            return None
        return (self.desk.undo, self.desk.redo) if action.group == places.LOG else self.subject()

    def _settled(self, action: Action, serial: int, about: object) -> None:
        if self.desk.pace.serial != serial:
            self.say(Shown(TOO_QUICK), bad=True)
        elif self._about(action) != about:
            self.say(Shown(CHANGED), bad=True)
        elif (reason := action.enabled(self.situation())) is not None:
            self.say(visible(f"{action.title}: {reason}", multiline=False), bad=True)
        else:
            self.carry_out(action)

    def carry_out(self, action: Action) -> None:
        """Run the method of an action: the screen's own, else the app's."""
        name = "do_" + action.id.replace(".", "_")
        method: Callable[[], None] | None = getattr(self, name, None) or getattr(self.desk, name, None)
        if method is None:
            self.say(Shown(f"{action.title} is not here"), bad=True)
        else:
            method()
