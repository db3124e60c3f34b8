"""What a person may choose from, checked before the store is asked, with the choices named in the error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.entry import GLOBAL, KINDS
from store.errors import Fenced, UsageError
from store.facts import OPEN

if TYPE_CHECKING:
    from store.engine import Store
    from store.project import Project

_PROPOSAL = (*OPEN, "approved", "rejected", "superseded", "withdrawn")
_SORT = ("queue", "oldest", "newest")
_MEMORY = ("active", "expired", "retired", "archived", "deleted")


def statuses(said: list[str] | None, what: str) -> tuple[str, ...]:
    """The statuses asked for (given again, or with commas), else what a list of this kind holds by default."""
    if not said:
        return ("active",) if what == "memory" else OPEN
    known = _MEMORY if what == "memory" else _PROPOSAL
    wanted = tuple(part.strip() for one in said for part in one.split(",") if part.strip())
    for one in wanted:
        _expect(one, known, "status")
    return wanted


def kind(said: str | None) -> None:
    """Raises UsageError for a kind that does not exist."""
    if said is not None:
        _expect(said, KINDS, "kind")


def sort(said: str) -> None:
    """Raises UsageError for an order that does not exist."""
    _expect(said, _SORT, "order")


def _expect(said: str, known: tuple[str, ...], name: str) -> None:
    if said not in known:
        raise UsageError(f"There is no {name} {said!r}.", todo=f"One of: {', '.join(known)}.")


def here() -> Project:
    """The project of the present folder."""
    from console.commands.opening import place
    from store.claims import confirmed
    from store.location import present_folder
    from store.project import identify

    return identify(present_folder(), confirmed=confirmed(place()))


def scope(said: str | None) -> str | None:
    """A scope as it was typed, or the present project's identity for its label or a dot; None for all."""
    if said is None or said == GLOBAL:
        return said
    project = here()
    return project.identity if said in (".", project.label) else said


def seen_from_here(*scopes: str | None, todo: str = "") -> None:
    """One project is nothing to another's agents. Raises Fenced in an agent's environment for a scope that is neither
    this project nor global; None is all of them.
    """
    from console.terminal import agent_around

    agent = agent_around()
    if agent is not None and not {*scopes} <= {here().identity, GLOBAL}:
        what = f"Other projects' memories are for people, and this is the environment of {agent}."
        raise Fenced(what, todo=todo)


def listed_from_here(said: str | None) -> str | tuple[str, ...] | None:
    """The scopes that a list is about: the one that is named, else all; in an agent's environment this project and
    global. Raises Fenced there for any other.
    """
    from console.terminal import agent_around

    chosen = scope(said)
    if chosen is None and agent_around() is not None:
        return (here().identity, GLOBAL)
    seen_from_here(chosen, todo="Without --scope this project and global are listed.")
    return chosen


def cursor(store: Store, said: str | None, what: str) -> str | None:
    """The item after which a list begins, as the store knows it. Raises NotFound."""
    if said is None:
        return None
    from store.queries import resolve

    return resolve(store, said, what=what)[1]  # type: ignore[arg-type]
