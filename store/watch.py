"""Whether anything was committed since one last looked: a cheap question, asked often."""

from __future__ import annotations

from typing import Protocol


class ChangeWatch(Protocol):
    """Tells of commits by any other connection, of this process or another."""

    def changed(self) -> bool:
        """Whether something was committed since the last call; True once a change. The first call is False.

        Never raises for trouble with the store: it answers True, and the reading that follows meets the trouble.
        """

    def close(self) -> None:
        """Give the connection back."""
