"""The way into the command line. Two ways go past Typer: ``propose``, because an agent may be killed a moment later,
and the console, because a person waits for it to be painted.
"""

from __future__ import annotations

import gc
import sys

from console.ending import ended


def main(arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    return ended(lambda: _route(arguments))


def _route(arguments: list[str]) -> int:
    if arguments[:1] == ["propose"]:
        from console import proposing

        asked = proposing.parse(arguments[1:])
        if asked is not None:
            return proposing.run(asked)
    elif not arguments or (len(arguments) == 2 and arguments[0] == "--db" and not arguments[1].startswith("-")):
        from console import terminal

        if terminal.is_terminal(sys.stdin) and terminal.is_terminal(sys.stdout):
            return _console(arguments[1] if arguments else None)
    from console.cli import run

    return run(arguments)


def _console(db: str | None) -> int:
    from console import terminal

    terminal.expect_fit()
    gc.disable()  # a fifth of the time of the imports would go into looking for garbage; the app goes on with it
    from console.app import open_console
    from store.location import locate

    return open_console(locate(db))
