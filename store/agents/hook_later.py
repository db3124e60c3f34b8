"""What a hook has no time for: a child of its own, which goes on when hook and agent are gone. Quick to start."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from store.location import Location

WAIT = 5.0
"""Seconds that the child waits for a busy store."""
_MOST_HANDLES = 64


def spawn(db: str | None) -> None:
    """Start ``hook later`` in a session of its own, with nothing of the agent's open.

    Where it cannot be, nothing is lost: what it takes in is on disk, and whatever opens the store next takes it in.
    """
    if os.environ.get("MEMINBOX_TRIAL"):
        return  # setup tries the hook on a store in a folder that is thrown away: nothing may go on in it
    import meminbox

    command = meminbox.command("hook", "later", *(["--db", db] if db is not None else []))
    for number in range(3, _MOST_HANDLES):
        _close_to_children(number)
    try:
        nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        onto = [(os.POSIX_SPAWN_DUP2, nowhere, number) for number in (0, 1, 2)]
        os.posix_spawn(command[0], command, os.environ, file_actions=onto, setsid=True)
        os.close(nowhere)
    except (OSError, NotImplementedError, ValueError):
        return


def _close_to_children(number: int) -> None:
    """A pipe of the agent's that stays open in the child would keep the agent waiting for it."""
    try:
        os.set_inheritable(number, False)
    except OSError:
        return


def run(location: Location) -> None:
    """Take in what waits beside the store: proposals and notes. Raises MeminboxError; what was not taken in stays."""
    import time

    from store.agents import hook_sessions
    from store.desk import open_desk, take_in

    hook_sessions.sweep(location, time.time())
    store = open_desk(location, wait=WAIT)
    try:
        take_in(store, wait=WAIT)
    finally:
        store.close()
