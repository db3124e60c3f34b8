"""The scopes: every project there is, what each holds, and which have lost their folder; named, moved, re-attached.

Whatever is done here is one step of the log with one undo. What a repository says of itself counts for nothing until
a person confirms it, and then in that folder only.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING, Final

from console import scoping
from console.screens import scopes_lines
from console.screens.base import bindings_for
from console.screens.scopes_view import ScopesView
from console.visible import Shown, visible
from console.widgets.prompt import Prompt
from store.errors import MeminboxError
from store.filters import Filter, Term
from store.outdated import Stopped

if TYPE_CHECKING:
    from store.engine import Store
    from store.facts import Done
    from store.scope_move import Going

LISTED: Final = 200
"""How many entries a question names one by one."""
PAGE: Final = 500
"""Entries from which on a move says how far it is."""
LABEL: Final = "label"
TARGET: Final = "target"


class ScopesScreen(ScopesView):
    """List, page, and what can be done with a scope."""

    BINDINGS = bindings_for("scopes")

    # ---- moving

    def do_scopes_attach(self) -> None:
        """What the scope under the cursor holds, into the present project."""
        project = self.desk.project
        if self.scope is not None and project is not None:
            self._ask_to_move(self.scope.identity, project.identity, project.label)

    def do_scopes_move(self) -> None:
        """Ask where to."""
        if self.scope is not None:
            self._meant = self.scope.identity
            self.prompt.ask(TARGET, Shown("Move all of it to (a label, an identity, global or .):"))
            self.refresh_footer()

    def _move_to(self, name: str) -> None:
        project, source = self.desk.project, self._meant
        if project is None:
            return

        def job(store: Store) -> tuple[str, str]:
            from store.scopes_named import known_scopes, named_scope

            target = named_scope(store, name, here=(project.identity, project.label))
            return target, known_scopes(store).get(target, target)

        def then(answer: tuple[str, str]) -> None:
            self._ask_to_move(source, *answer)

        self.ask("named", job, then)

    def _ask_to_move(self, source: str, target: str, label: str) -> None:
        """The exact list first."""

        def job(store: Store) -> tuple[Going, list[Shown], list[tuple[Shown, Shown]]]:
            from store import queries, scope_move

            going = scope_move.preview(store, source, target)
            ids = going.memories[:LISTED]
            named = [_named(one.entry.key, one.entry.content) for one in queries.memory_rows(store, ids)]
            rest = going.proposals[: LISTED - len(ids)]
            named += [_named(one.entry.key, one.entry.content) for one in queries.queue_rows(store, rest)]
            left = [(visible(one[-6:], multiline=False), visible(why, multiline=False)) for one, why in going.left]
            return going, named, left[:LISTED]

        def then(answer: tuple[Going, list[Shown], list[tuple[Shown, Shown]]]) -> None:
            going, named, left = answer
            whole = len(going.memories) + going.aside + len(going.proposals)
            if not whole:
                self.say(visible(f"nothing of it can be moved{_why(going)}", multiline=False), bad=True)
                return
            where = Shown("everywhere") if target == "global" else visible(label, multiline=False)
            many = visible(scoping.in_words(going), multiline=False)
            title = Shown("Move " + many + " to " + where + "? One step, one undo.")
            lines = scopes_lines.question(named, whole - len(named), left)

            self.confirm(title, Shown("Move them"), lambda: self._move(source, target), lines)

        self.ask("going", job, then)

    def _move(self, source: str, target: str) -> None:
        project, by = self.desk.project, self.desk.by
        self.stop = stop = Event()

        def told(done: int, of: int) -> None:
            if of > PAGE and self.is_running:
                self.app.call_from_thread(self.tell_how_far, stop, done, of)

        def job(store: Store) -> Done | None:
            from store import scope_move
            from store.scopes import Seen

            there = None
            if project is not None and project.identity == target:
                there = Seen(project.identity, project.label, os.fspath(project.root))
            try:
                return scope_move.move(store, source, target, by=by, there=there, progress=told, stopped=stop.is_set)
            except Stopped:
                return None

        self._act(job)

    # ---- names and claims

    def do_scopes_rename(self) -> None:
        """Ask for another label."""
        if self.scope is not None:
            self._meant = self.scope.identity
            # What stands in the line could be an agent's text: it begins empty where it is not plain.
            label = self.scope.label
            self.prompt.ask(LABEL, Shown("Call it:"), label if visible(label, multiline=False) == label else "")
            self.refresh_footer()

    def do_scopes_confirm(self) -> None:
        """Say what follows from it, and ask."""
        found = self.desk.project
        if found is None or found.asks_for is None:
            return
        held = next((one.memories for one in self.scopes if one.identity == found.asks_for), 0)
        told = scoping.consequences(found.asks_for, os.fspath(found.root), held)
        lines = [scopes_lines.plain(line) for line in told]
        title = Shown("Let this folder be " + visible(found.asks_for, multiline=False) + "?")

        by = self.desk.by

        def job(store: Store) -> Done:
            from store import scope_acts

            return scope_acts.confirm(store, found, by=by)

        self.confirm(title, Shown("Let it, in this folder"), lambda: self._act(job), lines)

    def on_prompt_entered(self, message: Prompt.Entered) -> None:
        """A label, the name of a scope, or that of a file."""
        message.stop()
        purpose, text = message.purpose, message.text
        self.leave_prompt()
        if purpose == LABEL:
            self._rename(text)
        elif purpose == TARGET:
            self._move_to(text)
        else:
            self.write_to(text)

    def _rename(self, label: str) -> None:
        about, by = self._meant, self.desk.by

        def job(store: Store) -> Done:
            from store import scope_acts

            return scope_acts.rename(store, about, label, by=by)

        self._act(job)

    # ---- the one way to act

    def _act(self, job: Callable[[Store], Done | None]) -> None:
        """Have it done; success is told after the commit, and on any error everything stays."""
        self.saving = True

        def done(result: Done | None) -> None:
            self.saving, self.stop = False, None
            if result is None:
                self.say(Shown("stopped: nothing was moved"))
            else:
                self.announce(result)
            self.desk.lost = None
            self.desk.store_changed()
            self.refresh_footer()

        def failed(error: MeminboxError) -> None:
            self.saving, self.stop = False, None
            self.trouble(error)
            self.refresh_footer()

        if not self.ask("decide", job, done, fail=failed, keep=True):
            self.saving = False
        self.refresh_footer()

    # ---- going elsewhere

    def do_scopes_open(self) -> None:
        """What it holds, in the library."""
        if self.scope is not None:
            identity = self.scope.identity
            quoted = f'"{identity}"' if any(char.isspace() for char in identity) else identity
            self.desk.show("screen.library", Filter(f"scope:{quoted}", (Term("scope", "=", identity),)), True)

    def do_back(self) -> None:
        """Stop a long move; else the usual."""
        if self.stop is not None and not self.prompt.purpose:
            self.stop.set()
            self.say(Shown("stopping …"))
        else:
            super().do_back()


def _named(key: str | None, content: str) -> Shown:
    return visible(key or content[:200], multiline=False)


def _why(going: Going) -> str:
    return f": {going.left[0][1]}" if going.left else ": it is empty"
