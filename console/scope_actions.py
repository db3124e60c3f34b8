"""The actions of the Scopes screen, and when they cannot be taken. Pure: ``console.actions`` has them, too."""

from __future__ import annotations

from typing import Final

from console.action import Action
from console.situation import Situation, item

_PLACES: Final = ("scopes",)


def _free(now: Situation) -> str | None:
    if now.locked or now.saving:
        return now.locked or "the last step is being saved"
    return item(now)


def nameable(now: Situation) -> str | None:
    """A scope that has a name of its own."""
    return _free(now) or ("what holds everywhere has no other name" if now.scope == "everywhere" else None)


def movable(now: Situation) -> str | None:
    """A scope that holds something."""
    return _free(now) or (None if now.holds else "it holds nothing")


def attachable(now: Situation) -> str | None:
    """A scope that no folder leads to, and that holds something."""
    if _free(now) or now.scope in ("gone", "unknown"):
        return movable(now)
    return {
        "here": "this is the present project; choose the scope to take into it",
        "everywhere": "what holds everywhere holds here too",
    }.get(now.scope, "its folder is still there; Move takes what it holds")


def claimed(now: Situation) -> str | None:
    """The present folder asks for a scope."""
    if now.locked or now.saving:
        return now.locked or "the last step is being saved"
    return None if now.asks else "no .meminbox.toml here asks for another scope"


SCOPES: Final = (
    Action(
        "scopes.attach",
        "Re-attach",
        "Take what an orphan holds into this project: a folder that moved, a clone without a remote",
        ("a",),
        "Decide",
        _PLACES,
        decides=True,
        footer=1,
        rule=attachable,
    ),
    Action(
        "scopes.move",
        "Move",
        "Move all that this scope holds into another one",
        ("m",),
        "Decide",
        _PLACES,
        footer=2,
        rule=movable,
    ),
    Action(
        "scopes.rename",
        "Rename",
        "Give it another label; it is compared by its identity, which stays",
        ("e",),
        "Decide",
        _PLACES,
        footer=3,
        rule=nameable,
    ),
    Action(
        "scopes.confirm",
        "Confirm",
        "Let this folder have the scope that its .meminbox.toml asks for",
        ("c",),
        "Decide",
        _PLACES,
        decides=True,
        footer=4,
        rule=claimed,
    ),
    Action(
        "scopes.open",
        "Memories",
        "What it holds, in the library",
        ("o",),
        "Look",
        _PLACES,
        footer=5,
        rule=item,
    ),
)
