"""The way into the command line. What must be quick goes past Typer: ``propose`` and ``hook``, because an agent may be
killed a moment later; ``context`` and ``status --short``, because they run at every prompt; ``mcp``, because a client
waits; and the console, because a person waits for it to be painted.
"""

from __future__ import annotations

import gc
import sys

from console.ending import ended

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_NOT_TOLD = (2, 5, 130)
"""Exit codes after which there is something else to think about: a mistake, a store in trouble, an interrupt."""


def main(arguments: list[str]) -> int:
    """Run one command and return its exit code; in a terminal, tell after it what waits for review."""
    code = ended(lambda: _route(list(arguments)))  # Typer empties the list it is given
    if code not in _NOT_TOLD:
        ended(lambda: _told_after(arguments))
    return code


def _told_after(arguments: list[str]) -> int:
    from console import quick

    quick.told_after(arguments)
    return 0


def _route(arguments: list[str]) -> int:
    name = arguments[0] if arguments else ""
    if name in QUICK:
        code = QUICK[name](arguments[1:])
        if code is not None:
            return code
    elif not arguments or (len(arguments) == 2 and arguments[0] == "--db" and not arguments[1].startswith("-")):
        from console import terminal

        if terminal.is_terminal(sys.stdin) and terminal.is_terminal(sys.stdout):
            return _console(arguments[1] if arguments else None)
    from console.cli import run

    return run(arguments)


def _propose(arguments: list[str]) -> int | None:
    from console import proposing

    # Batches make many objects that live a while and few cycles: looking for garbage at every 700 grows with them.
    gc.set_threshold(50_000, 20, 20)
    asked = proposing.parse(arguments)
    return None if asked is None else proposing.run(asked)


def _hook(arguments: list[str]) -> int | None:
    from store.agents import hooks

    return hooks.main(arguments)


def _mcp(arguments: list[str]) -> int | None:
    from store.agents import serving

    return serving.main(arguments)


def _context(arguments: list[str]) -> int | None:
    from console import quick

    return quick.context(arguments)


def _encoder(arguments: list[str]) -> int | None:
    from store.encoders import worker

    return worker.main(arguments)


def _status(arguments: list[str]) -> int | None:
    from console import quick

    return quick.status(arguments)


QUICK: dict[str, Callable[[list[str]], int | None]] = {
    "propose": _propose,
    "hook": _hook,
    "mcp": _mcp,
    "context": _context,
    "status": _status,
    "encoder": _encoder,  # for ourselves: the child process that holds a model (store.encoders.aside)
}
"""The commands that go past Typer; where one answers None (help, mistakes), Typer has its turn."""


def _console(db: str | None) -> int:
    from console import terminal

    terminal.expect_fit()
    gc.disable()  # a fifth of the time of the imports would go into looking for garbage; the app goes on with it
    from console.running import open_console
    from store.location import locate

    return open_console(locate(db))
