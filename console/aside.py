"""What the app does in a worker: open the store, look whether anything came, ask for what the header shows."""

from __future__ import annotations

import gc
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.steps import Step
from console.visible import visible
from store.entry import GLOBAL
from store.errors import StoreTrouble
from store.facts import Actor, Counts, Operation

if TYPE_CHECKING:
    from store.engine import Store
    from store.location import Location
    from store.project import Project


@dataclass(frozen=True, slots=True)
class Facts:
    """What the header shows."""

    project: Project
    lost: tuple[str, ...]
    """The labels of orphans, where the project gives nothing."""
    counts: Counts
    undo: Step | None
    redo: Step | None


def opened(
    location: Location, project: Project | None, folder: Path | None, *, fenced: bool
) -> tuple[Store, Project, Project, Any]:
    """The store, the project (that of ``folder``, else of the present one) as found and as known, and a watch."""
    from store import engine, history, queries  # noqa: F401  (all that the queue needs, while nothing is collected)
    from store.desk import open_desk
    from store.location import present_folder
    from store.project import identify

    collect_again()
    here = project or identify(folder or present_folder())
    store = open_desk(location)
    return store, here, known(store, here, fenced=fenced), store.watch()


def known(store: Store, project: Project, *, fenced: bool) -> Project:
    """The project as the store knows it, by the label and the scope that a person gave it; that it was seen is kept.

    An agent's console keeps nothing.
    """
    from store import scopes

    here = scopes.as_known(store, project)
    seen = scopes.Seen(here.identity, here.label, os.fspath(here.root))
    if not fenced and store.read_only is None and scopes.needs_note(store, seen):
        with suppress(StoreTrouble), store.write(wait=0.0) as connection:
            scopes.note(store, connection, [seen], known_only=True)
    return here


def collect_again() -> None:
    """End what ``console.front`` began: look for garbage again, but not among the modules that stand by now."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def take_in_what_waits(store: Store) -> None:
    """Take in what was said beside the store, if there is anything."""
    place = store.location
    if _any_in(place.spool) or _any_in(place.notes):
        from store.desk import take_in

        take_in(store, wait=0.0, seconds=1.0)


def _any_in(folder: Path) -> bool:
    """Whether anything waits in a folder; what was set aside in it does not."""
    try:
        with os.scandir(folder) as entries:
            return any(entry.name != "bad" for entry in entries)
    except OSError:
        return False


def facts(store: Store, found: Project, by: Actor, *, fenced: bool, lost: tuple[str, ...] | None) -> Facts:
    """What the project that was ``found`` is to the store by now, its counts, and this person's next steps.

    ``lost`` is what is known of orphans, None where it is to be looked for; an agent is told of none.
    """
    from store import history, queries, scopes

    project = known(store, found, fenced=fenced)

    def step(operation: Operation | None) -> Step | None:
        if operation is None:
            return None
        return Step(operation.id, operation.seq, visible(history.describe(store, operation), multiline=False))

    counts = queries.counts(store, (project.identity, GLOBAL))
    if fenced:
        lost = ()
    elif lost is None:
        lost = scopes.lost(store, project)
    return Facts(project, lost, counts, step(history.next_undo(store, by)), step(history.next_redo(store, by)))
