"""The app: it opens the store in a worker, keeps what every screen shares, and ends with the terminal restored.

Shared by the screens: ``store`` (None until it is open), ``locked`` (why nothing can be decided), ``project`` and
``scopes`` (what is in view), ``counts``, ``undo`` and ``redo`` (the next steps of the log, with their titles), ``pace``
(the rhythm of the keys). ``show(action_id, ...)`` opens the screen that ``VIEWS`` names for it, ``say(shown)`` puts one
line into the footer of the screen on top. After a commit of its own a screen calls ``refresh_facts()``; commits of
others are noticed within a quarter of a second and told to every screen by ``store_changed()``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text
from textual.binding import Binding
from textual.events import Event, Key, Paste, Resize
from textual.screen import Screen

from console import aside, crash, faults, keys, looks, steps, theme
from console.actions import BY_ID
from console.aside import Facts
from console.driver import DeskDriver
from console.going import Going
from console.indexing import Indexer
from console.keeping import Keeper
from console.keymap import KeyMap
from console.looks import Look
from console.outlook import Outlook
from console.pace import Pace
from console.pasted import pasted
from console.recheck import Recheck
from console.room import Room, too_small
from console.screens import first_run
from console.screens.base import DeskScreen
from console.screens.queue import QueueScreen
from console.steps import Step
from console.trusted import Trusted
from console.visible import Shown, visible
from console.widgets.footer import DeskFooter
from console.work import Asks
from store.entry import GLOBAL
from store.errors import (
    MeminboxError,
    StoreDamaged,
    StoreLost,
    StoreNewer,
    StoreTrouble,
    ValueDamaged,
)
from store.facts import Actor, Counts, Done

if TYPE_CHECKING:
    from store.engine import Store
    from store.location import Location
    from store.project import Project

SLOW: Final = 1.5
"""Seconds after which an opening that is not done is spoken of."""
POLL: Final = 0.2
"""Seconds between two looks at whether someone else has committed."""


class DeskApp(Going, Asks, inherit_bindings=False):
    """The console. ``clock`` gives seconds that only grow; ``fenced`` is why no decision may be taken from here.

    ``lasting`` is false for a store that is thrown away afterwards (the demo's): no agent is connected to it.
    ``keymap`` and ``look`` are the person's. ``meaning`` has what waits encoded, and the store backed up.
    """

    # The default screen's own CSS_PATH is not read by Textual; the widgets' sheets are needed from the start anyway.
    CSS_PATH = [  # noqa: RUF012
        "app.tcss",
        "screens/list_detail.tcss",
        "widgets/text_pane.tcss",
        "widgets/editor.tcss",
        "widgets/prompt.tcss",
    ]
    TITLE = "meminbox"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [  # noqa: RUF012  (Textual's own name; the registry's bindings stand on the screens)
        Binding(",".join(BY_ID["quit"].keys), "leave_now", priority=True, id="quit"),  # from every question, too
        Binding("ctrl+c", "no_stop", show=False),
    ]

    def __init__(
        self,
        location: Location,
        *,
        by: Actor,
        fenced: str | None = None,
        project: Project | None = None,
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        lasting: bool = True,
        keymap: KeyMap | None = None,
        look: Look | None = None,
        meaning: bool = False,
    ) -> None:
        self.keymap = keymap or KeyMap()
        keys.use(self.keymap.keys)
        self.look = look or looks.usual()
        theme.use_ascii(self.look.ascii)
        super().__init__(driver_class=DeskDriver, ansi_color=theme.before_start())
        self.location = location
        self.by = by
        self.fenced = fenced
        self.project = project
        """The present project as the store knows it; ``found`` is what its folder says."""
        self.found = project
        self.lost: tuple[str, ...] | None = None
        """The labels of orphans, where the project gives nothing; None while they are to be looked for."""
        self.folder = folder
        self.lasting = lasting
        self.pace = Pace(clock)
        self.store: Store | None = None
        self.failed: MeminboxError | None = None
        """Why the store could not be opened."""
        self.broken: StoreTrouble | None = None
        """What befell the store after it was opened: nothing can be decided from then on."""
        self.counts: Counts | None = None
        self.undo: Step | None = None
        self.redo: Step | None = None
        self.shown_at: float | None = None
        """When the present facts were painted, by the app's clock."""
        self.indexer = Indexer(self, wanted=meaning)
        self.keeper = Keeper(self, wanted=meaning and lasting)
        self.trusted = Trusted(self)
        self.outlook = Outlook(self)
        self.recheck = Recheck(self)
        self._watch: Any = None
        for known in theme.ALL:
            self.register_theme(known)
        self.theme = self.look.theme

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Lend the terminal; it comes back whatever we raise meanwhile. Textual alone would leave it lent, for good."""
        trouble: MeminboxError | None = None
        with super().suspend():
            try:
                yield
            except MeminboxError as error:
                trouble = error
        if trouble is not None:
            raise trouble

    @property
    def locked(self) -> str | None:
        """Why nothing can be decided here, or None."""
        if self.failed is not None:
            return "the store is not open"
        if self.fenced is not None:
            return self.fenced
        if self.store is None:
            return "the store is being opened"
        if self.broken is not None:
            return str(self.broken)
        if too_small(self.size):
            return "the window is too small to see what one decides on"
        return self.store.read_only

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes of the opening view: this project and global."""
        return (self.project.identity, GLOBAL) if self.project else (GLOBAL,)

    def the_store(self) -> Store | None:
        """The open store, or None."""
        return self.store

    def get_default_screen(self) -> Screen[Any]:
        """The queue comes first; it paints before the store is open."""
        return QueueScreen()

    def on_mount(self) -> None:
        """Look after the terminal; take the person's keys."""
        crash.on_signals(self)
        self.set_keymap(keys.keymap())

    def on_ready(self) -> None:
        """The first frame stands: open the store aside, whose imports alone take longer than that frame did."""
        self.run_aside("open", self._open, self._opened, fail=self._not_opened)
        self.set_timer(SLOW, self._still_opening)

    def _still_opening(self) -> None:
        """Say what is waited for: another process may hold the store, or its disk be slow."""
        if self.busy("open"):
            self.say(Shown("opening the store …"))

    def _open(self) -> tuple[Store, Project, Project, Any]:
        return aside.opened(self.location, self.project, self.folder, fenced=self.fenced is not None)

    def _opened(self, opened: tuple[Store, Project, Project, Any]) -> None:
        self.store, self.found, self.project, self._watch = opened
        self.say(Shown(""))
        self.set_interval(POLL, self._poll)
        self.indexer.begin()
        self.keeper.begin()
        self.trusted.begin()
        self.outlook.begin()
        self.recheck.begin()
        self.refresh_facts()
        for screen in self._desk_screens():
            screen.store_opened()

    def _not_opened(self, error: MeminboxError) -> None:
        self.failed = error
        self.say(Shown(""))
        for screen in self._desk_screens():
            screen.store_opened()

    def _desk_screens(self) -> list[DeskScreen]:
        return [one for one in self.screen_stack if isinstance(one, DeskScreen) and one.alive()]

    def _poll(self) -> None:
        if not self.busy("watch"):
            self.run_aside("watch", self._look, self._polled)

    def _look(self) -> bool:
        """Take in what waits in the spool, and see whether anything was committed."""
        store = self.store
        if store is not None and store.read_only is None and self.broken is None:
            aside.take_in_what_waits(store)
        changed = bool(self._watch.changed())
        if changed and store is not None:
            store.check()
            self.indexer.look(store)
        return changed

    def _polled(self, changed: bool) -> None:
        if self.indexer.lets_through(changed):
            self.store_changed()

    def store_changed(self) -> None:
        """Somebody (we, or another process) committed: every screen asks again."""
        self.refresh_facts()
        self.trusted.changed()
        self.outlook.changed()
        for screen in self._desk_screens():
            screen.store_changed()

    def refresh_facts(self) -> None:
        """Ask again for what the header shows."""
        found, fenced = self.found, self.fenced is not None
        if found is not None:
            job = partial(aside.facts, found=found, by=self.by, fenced=fenced, lost=self.lost)
            self.ask("facts", job, self._got_facts)

    def _got_facts(self, facts: Facts) -> None:
        if isinstance(self.broken, StoreLost):  # it is there again, the same as before
            self.broken = None
        if (facts.undo, facts.redo) != (self.undo, self.redo) or self.shown_at is None:
            self.shown_at = self.pace.clock()
        first, self.counts = self.counts is None, facts.counts
        self.undo, self.redo = facts.undo, facts.redo
        before, self.project = self.project, facts.project
        lost, self.lost = self.lost, facts.lost
        if first and facts.lost and facts.counts.pending:  # else the empty queue asks
            self.say(first_run.lost_beside(facts.lost))
        if self.lost and not lost:
            for screen in self._desk_screens():
                screen.store_changed()
        if before is not None and before.identity != facts.project.identity:
            self.lost = None
            for screen in self._desk_screens():  # a claim was confirmed, or that taken back: another scope is in view
                screen.store_changed()
        self.facts_told()

    def facts_told(self) -> None:
        """The headers have news."""
        for screen in self._desk_screens():
            screen.facts_changed()

    async def on_event(self, event: Event) -> None:
        """Every key event counts for the pace, whatever becomes of it. A paste enters without what cannot be seen."""
        if isinstance(event, Key) and not event.is_forwarded:
            self.pace.key()
            for footer in self.screen.query(DeskFooter):
                footer.key_came()
        elif isinstance(event, Resize) and isinstance(self.screen, Room):
            self.screen.hold(event.size)
        elif isinstance(event, Paste) and not event.is_forwarded:
            self.pace.key()  # what comes right behind it decides nothing: the end of a paste can be forged
            event.text, remark = pasted(event.text)
            if self.focused is None:
                self.say(Shown("a paste does nothing here"), bad=True)
            elif remark is not None:
                self.say(remark, bad=True)
        await super().on_event(event)

    def say(self, words: Shown, *, bad: bool = False) -> None:
        """One line in the footer of the screen on top."""
        for screen in reversed(self._desk_screens()):
            if screen.tell(words, bad=bad):
                return

    def at_work(self, seconds: float, slow: str) -> None:
        """A decision, or a look, takes long."""
        stops = f"{keys.shown('back')} stops it" + ("" if slow else ", and nothing is changed")
        self.say(visible(f"{slow or 'saving'}, for {max(1, round(seconds))} s by now …; {stops}", multiline=False))

    def closed(self) -> str | None:
        """Why nothing may be decided here, or None."""
        return self.locked

    def met(self, error: MeminboxError) -> None:
        """A store that is not what was opened, or cannot be read whole, is not written from here on."""
        if isinstance(error, ValueDamaged) or self.store is None or self.broken is not None:
            return
        if isinstance(error, (StoreLost, StoreNewer, StoreDamaged)):
            self.broken = error
            for screen in self._desk_screens():
                screen.store_broke(error)

    def trouble(self, error: MeminboxError) -> None:
        """An error that no screen took."""
        if isinstance(error, StoreTrouble):
            for screen in self._desk_screens():
                screen.facts_changed()
        self.tell_of(error)

    def tell_of(self, error: MeminboxError, *, mine: str | None = None) -> None:
        """Show an error: in front of the screen where texts met (``mine`` is the person's), else in the footer."""
        from console.widgets.meeting import met

        screens = self._desk_screens()
        dialog = met(error, screens[-1].setting(), mine=mine) if screens else None
        if dialog is not None:
            self.push_screen(dialog)
        else:
            self.say(visible(str(error), multiline=False), bad=True)

    def do_leave(self) -> None:
        """One level up; at the top, the end."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.do_quit()

    def action_leave_now(self) -> None:
        """Quit, whatever stands in front."""
        self.do_quit()

    def action_no_stop(self) -> None:
        """Ctrl+c stops nothing here: say what does."""
        self.say(visible(f"{keys.shown('quit')} leaves the program", multiline=False))

    def do_suspend(self) -> None:
        """Stop, as any program does on ctrl+z; `fg` comes back."""
        if self._driver is not None and self._driver.can_suspend:
            self.action_suspend_process()
        else:
            self.say(Shown("there is no shell to go back to"), bad=True)

    def do_quit(self) -> None:
        """The end. The exit code tells a store that could not be used."""
        trouble = self.failed or self.broken
        code = trouble.exit_code if trouble else 0
        self.exit(code, return_code=code)

    def do_log_undo(self) -> None:
        """Take back the step that the header names, and no other."""
        if self.undo is not None:
            steps.take_back(self, self.undo)

    def do_log_redo(self) -> None:
        """Do the step again that was taken back last."""
        if self.redo is not None:
            steps.do_again(self, self.redo)

    def stepped(self, done: Done) -> None:
        """A step was taken back, or done again: say so, and show what it brought back."""
        self.say(visible(done.title, multiline=False))
        self.lost = None
        for screen in self._desk_screens():
            screen.came_back((*done.proposal_ids, *done.memory_ids))
        self.store_changed()

    def _fatal_error(self) -> None:
        """Leave with the terminal restored and a report without values, instead of Textual's traceback."""
        if not self._exit_renderables:  # the first fault; others may follow from it before all has come to its end
            self._exit_renderables.append(Text(faults.told(self._exception or RuntimeError("unknown"))))
        self._close_messages_no_wait()

    def panic(self, *renderables: object) -> None:  # noqa: ARG002  (Textual's own signature)
        """Errors that Textual would print in their own words, which may quote anything: told as any other fault."""
        self._fatal_error()

    async def on_unmount(self) -> None:
        """Give the connections back."""
        self.indexer.end()
        if self.store is not None:
            self.store.close()
