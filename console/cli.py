"""The command line: which commands there are, and how every one of them ends (design section 8).

Nothing heavy is imported at module level, here or in ``console.commands``: ``--help`` must cost next to nothing.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from typer.exceptions import TyperException

from console.commands import care, deciding, options, propose, reading

app = typer.Typer(
    name="meminbox",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    db: options.Db = None,
    version: Annotated[bool, typer.Option("--version", "-V", help="Say the version and end.")] = False,
) -> int:
    """The review desk between coding agents and their long-term memory.

    Agents propose, a person decides. Without a command the console opens.
    """
    if version:
        from meminbox import __version__

        print(f"meminbox {__version__}")
        raise typer.Exit(0)
    if context.invoked_subcommand is not None:
        if db is not None:
            context.default_map = {context.invoked_subcommand: {"db": db}}
        return 0
    from console import terminal

    if not (terminal.is_terminal(sys.stdin) and terminal.is_terminal(sys.stdout)):
        print(context.get_help(), file=sys.stderr)
        return 2
    terminal.expect_fit()
    return care.open_console(db)


for _name, _command in (
    ("propose", propose.propose),
    ("list", reading.list_),
    ("show", reading.show),
    ("history", reading.history),
    ("status", reading.status),
    ("approve", deciding.approve),
    ("edit", deciding.edit),
    ("reject", deciding.reject),
    ("rollback", deciding.rollback),
    ("delete", deciding.delete),
    ("undo", deciding.undo),
    ("redo", deciding.redo),
    ("verify", care.verify),
    ("where", care.where),
    ("demo", care.demo),
):
    app.command(_name)(_command)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code. Raises what it raises: ``console.ending`` tells it."""
    command = typer.main.get_command(app)
    try:
        with command.make_context("meminbox", arguments) as context:
            code = command.invoke(context)
    except typer.Exit as ended:
        return ended.exit_code
    except typer.Abort as stopped:
        raise KeyboardInterrupt from stopped
    except TyperException as error:
        return _misused(error)
    return code if isinstance(code, int) else 0


def _misused(error: TyperException) -> int:
    from console.output import complain

    context = getattr(error, "ctx", None)
    place = context.command_path if context is not None else "meminbox"
    complain(error.format_message(), todo=f"`{place} --help` tells what it takes.")
    return 2
