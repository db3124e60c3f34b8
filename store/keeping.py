"""How long things are kept: ``[retention]`` and ``[backup]`` of config.toml. Pure.

``[retention]`` says for how many days a kind is kept ("forever", or 0, for ever)::

    [retention]
    experience = 180
    requirement = 180
    feedback = 30
    decision = "forever"

    [backup]
    daily = 7
    weekly = 4

What is not understood is kept as usual, and told of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from store.entry import KINDS

USUAL: Final[Mapping[str, int | None]] = {
    "fact": None,
    "preference": None,
    "procedure": None,
    "decision": None,
    "experience": 180,
    "requirement": 180,
    "feedback": 30,
}
"""Days by kind; None keeps for ever."""
FOREVER: Final = "forever"
_MOST_DAYS: Final = 36_500
_MOST_COPIES: Final = 1000


@dataclass(frozen=True, slots=True)
class Retention:
    """Days by kind; None keeps for ever."""

    days: Mapping[str, int | None] = field(default_factory=lambda: USUAL)

    @property
    def used_feedback(self) -> int | None:
        """How long feedback stays that was handed out: as a case does, at least as long as what was not."""
        both = (self.days["experience"], self.days["feedback"])
        return None if None in both else max(one for one in both if one is not None)


@dataclass(frozen=True, slots=True)
class Copies:
    """How many daily backups are kept, and how many weekly ones behind those. No daily one: none are made."""

    daily: int = 7
    weekly: int = 4


def read_retention(section: object) -> tuple[Retention, tuple[str, ...]]:
    """What ``[retention]`` says, and a message for each thing in it that is not understood."""
    days = dict(USUAL)
    messages: list[str] = []
    for name, value in _items(section, "retention", messages):
        if name not in KINDS:
            messages.append(f"retention.{name} is not known: the kinds are {', '.join(KINDS)}.")
        elif value == FOREVER or (value == 0 and not isinstance(value, bool)):
            days[name] = None
        elif isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST_DAYS:
            messages.append(f'retention.{name} is neither a number of days nor "{FOREVER}".')
        else:
            days[name] = value
    return Retention(days), tuple(messages)


def read_copies(section: object) -> tuple[Copies, tuple[str, ...]]:
    """What ``[backup]`` says, and a message for each thing in it that is not understood."""
    found: dict[str, int] = {}
    messages: list[str] = []
    for name, value in _items(section, "backup", messages):
        if name not in ("daily", "weekly"):
            messages.append(f"backup.{name} is not known.")
        elif isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_COPIES:
            messages.append(f"backup.{name} is not a number from 0 to {_MOST_COPIES:,}.")
        else:
            found[name] = value
    return Copies(**found), tuple(messages)


def _items(section: object, name: str, messages: list[str]) -> list[tuple[str, object]]:
    if section is None:
        return []
    if not isinstance(section, dict):
        messages.append(f"[{name}] is not a table.")
        return []
    return [(str(key), value) for key, value in section.items()]
