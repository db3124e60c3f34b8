"""The way into the command line: ``propose`` without Typer, because an agent may be killed a moment later; then all."""

from __future__ import annotations

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
    from console.cli import run

    return run(arguments)
