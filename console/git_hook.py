"""``meminbox setup git-hook``: shows the hook that it would write, asks, writes it; ``--remove`` takes it away."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from console import output, terminal
from console.connecting import difference
from console.output import complain, say, say_line
from console.visible import visible
from store.agents import git_hook
from store.agents.git_hook import NoRepository
from store.agents.setup_plan import ByHand, Edit
from store.errors import UsageError

if TYPE_CHECKING:
    from console.connecting import Asked


def run(asked: Asked) -> int:
    """Do what was asked; 0 done, 1 where it is left to be done by hand."""
    from store.agents.installed import passing, place_option, program
    from store.location import present_folder
    from store.project import identify

    if asked.printed is not None or asked.everyone or asked.ask is not None or asked.allow is not None:
        raise UsageError("The git hook has no such option.", todo="`meminbox setup git-hook [--remove] [--dry-run]`.")
    if passing() and not (asked.remove or asked.dry_run):
        raise UsageError(
            "This installation is a passing one: git would find nothing tomorrow.", todo="Install it first."
        )
    argv = [*program(os.environ), "check", *place_option(asked.db, os.environ)]
    try:
        made = git_hook.planned(identify(present_folder(), git=None).root, argv, remove=asked.remove)
    except NoRepository:
        raise UsageError("This folder is in no git repository.", kept="Nothing was changed.") from None
    if made is None:
        say("The hook is as it is: there is nothing to do.")
        return 0
    if isinstance(made, ByHand):
        return _by_hand(made)
    return _write(made, asked)


def _by_hand(made: ByHand) -> int:
    complain(f"{made.path} is left alone: {made.why}.", todo="Add this by hand:")
    for line in made.lines.splitlines():
        say_line(f"    {line}")
    return 1


def _write(made: Edit, asked: Asked) -> int:
    from store.agents.setup_apply import backup_folder, write

    print(visible(f"{'take away from' if asked.remove else 'write'} {made.path}", multiline=False))
    print("\n".join(f"    {visible(line, multiline=False)}" for line in difference(made)))
    sys.stdout.flush()
    if asked.dry_run:
        return 0
    if not asked.yes:
        if not (terminal.is_terminal(sys.stdin) and terminal.is_terminal(sys.stderr)):
            raise UsageError(
                "Nobody is there to be asked.", kept="Nothing was changed.", todo="Say --yes, or --dry-run."
            )
        if not output.ask("Write this?"):
            raise UsageError("It was not written.", kept="Nothing was changed.")
    write(made, backup_folder())
    git_hook.make_runnable(made)
    say("git tells after each merge what it made false." if not asked.remove else "The hook is gone.")
    return 0
