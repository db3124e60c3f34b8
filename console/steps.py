"""One step of the log taken back, or done again: the one that the header names, or one that history shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from console import words
from console.visible import Shown, visible
from store.errors import LaterOperation, MeminboxError
from store.facts import Done

if TYPE_CHECKING:
    from console.app import DeskApp
    from console.screens.base import DeskScreen
    from store.engine import Store
    from store.facts import Operation


@dataclass(frozen=True, slots=True)
class Step:
    """A step that undo or redo would take: the operation's id and seq, and its title as it is painted."""

    id: str
    seq: int
    title: Shown


def take_back(app: DeskApp, step: Step, *, free_only: bool = False) -> None:
    """Undo one step. Where something later stands on part of it, the rest is offered (``free_only``)."""

    def job(store: Store) -> Done:
        from store import history

        return history.undo(store, by=app.by, operation_id=step.id, free_only=free_only)

    def fail(error: MeminboxError) -> None:
        app.refresh_facts()
        if isinstance(error, LaterOperation) and error.free:
            _offer_rest(app, step, error)
        else:
            app.trouble(error)

    app.ask("decide", job, app.stepped, fail=fail, keep=True)


def offer(screen: DeskScreen, operation_id: str, *, again: str | None = None) -> None:
    """Ask once, naming the whole step, then undo it. ``again``: it is the undo of a step with this title."""

    def job(store: Store) -> tuple[Operation, str]:
        from store import steps

        return steps.one(store, operation_id)

    def asked(answer: tuple[Operation, str]) -> None:
        from console.widgets.shown import said

        operation, title = answer
        named = visible(title if again is None else again, multiline=False)
        more = f": all {operation.count:,} of it" if operation.count > 1 else ""
        by = words.who(operation.actor, screen.desk.by.name)

        def then() -> None:
            take_back(screen.desk, Step(operation.id, operation.seq, named))

        verb = "Take this step back?" if again is None else "Do this step again?"
        does = "Take it back" if again is None else "Do it again"
        taken = "" if again is None else "taken back "
        what = [said(Shown(named + f", {taken}{words.day(operation.at, screen.now())}, by " + by))]
        screen.confirm(Shown(verb), Shown(f"{does}{more}"), then, [what])

    screen.ask("step", job, asked)


def do_again(app: DeskApp, step: Step) -> None:
    """Take an undo back."""

    def job(store: Store) -> Done:
        from store import history

        return history.redo(store, by=app.by, operation_id=step.id)

    def fail(error: MeminboxError) -> None:
        app.refresh_facts()
        app.trouble(error)

    app.ask("decide", job, app.stepped, fail=fail, keep=True)


def _offer_rest(app: DeskApp, step: Step, error: LaterOperation) -> None:
    from console.widgets.confirm import Confirm

    def answered(yes: bool | None) -> None:
        if yes:
            take_back(app, step, free_only=True)

    app.push_screen(Confirm(visible(error.what, multiline=False), visible(error.todo, multiline=False)), answered)
