"""One thing a person can do. Pure; which there are, ``console.actions`` lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from console import keys
from console.situation import Situation

Rule = Callable[[Situation], str | None]


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do.

    ``keys`` are the built-in ones, as one types them (``a``, ``ctrl+d``, ``+``); which it has now, ``console.keys``
    knows. ``help`` names keys as ``{action.id}``: ``keys.told`` puts them in. ``screens`` are names of screens, or
    ``*`` for all. ``decides`` puts it under the guard of design section 6 (painted 150 ms, no key in those 150 ms);
    ``alone`` asks less: a key that was not sent together with others. ``footer`` orders it there, lowest first; 0
    keeps it out; where a screen has a line of its own, ``FOOTERS`` says. ``rule`` gives the reason why not, or None.
    """

    id: str
    title: str
    help: str
    keys: tuple[str, ...]
    group: str
    screens: tuple[str, ...]
    decides: bool = False
    footer: int = 0
    rule: Rule | None = None
    modes: tuple[str, ...] = ("browse",)
    short: str | None = None
    """The title where room is short; empty shows the key alone."""
    alone: bool = False

    def enabled(self, now: Situation) -> str | None:
        """Why the action cannot be taken now, in words for people, or None where it can."""
        if now.mode not in self.modes:
            leaves = f"{keys.shown('back')} leaves"
            editing = f"finish editing first ({keys.shown('editor.save')} saves, {leaves})"
            return editing if now.mode == "edit" else f"{leaves} the line"
        return self.rule(now) if self.rule else None

    def on(self, screen: str) -> bool:
        """Whether the action belongs to this screen."""
        return "*" in self.screens or screen in self.screens
