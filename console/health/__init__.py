"""What `meminbox doctor` looks at, a module each: the agents, the store, the terminal. Each answers with findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "note", "todo"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    ``state``: ``ok``; ``note``, good to know but nothing has to be done; ``todo``, something has to be. ``says`` is
    what was found and ``todo`` what helps, both raw and in words for people; ``todo`` may be empty.
    """

    name: str
    state: State
    says: str
    todo: str = ""
