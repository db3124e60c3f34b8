"""The screens by what they share, and the groups of actions as the help names them. Pure."""

from __future__ import annotations

from typing import Final

LISTS: Final = ("queue", "library", "profile", "outdated")
LIBRARIES: Final = ("library", "profile")
"""The screens that list memories in use."""
PANES: Final = (*LISTS, "activity", "agents", "scopes")
"""The screens of a list and a detail."""
STEPS: Final = ("activity", "parts")
"""The screens of the log: its steps, and all that one of them did."""
TEXTS: Final = (*LISTS, *STEPS, "told", "history", "diff", "sides")
"""The screens that show a difference."""
TAKEN: Final = (*TEXTS, "evidence", "agents", "scopes")
"""The screens whose text can be taken away."""
MOVE, DECIDE, MARK, LOOK, LOG, FIND, TAKE, GO = (
    "Move",
    "Decide",
    "Mark",
    "Look",
    "Undo",
    "Find",
    "Take away",
    "Go",
)
