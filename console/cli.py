"""The command line: which commands there are (design section 8), each built only when it is called.

``--help`` must cost next to nothing, so it is written from ``COMMANDS`` alone: a command's module, and through it what
the command needs, is imported when its own name is typed.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from console.commands import options

COMMANDS: Final = {
    "propose": ("propose:propose", "Propose memories for review."),
    "list": ("reading:list_", "List what waits, or the active memories."),
    "show": ("reading:show", "Show one proposal or memory in full, or one step."),
    "history": ("reading:history", "List a memory's versions, or without one the last steps."),
    "status": ("reading:status", "Say how much waits and how much is held."),
    "search": ("finding:search", "Search the memories."),
    "profile": ("finding:profile", "Show everything that agents are told here."),
    "context": ("finding:context", "Print the block that an agent is given."),
    "approve": ("deciding:approve", "Approve a proposal."),
    "edit": ("deciding:edit", "Edit and approve a proposal, or edit a memory."),
    "reject": ("deciding:reject", "Reject a proposal."),
    "rollback": ("deciding:rollback", "Bring back what a memory said before."),
    "delete": ("deciding:delete", "Delete a memory."),
    "retire": ("judging:retire", "Turn a memory or a proposal down, and keep why."),
    "support": ("judging:support", "Say that a commit or a test bears a memory out."),
    "expire": ("outdated:expire", "Expire, or re-point, what is no longer true."),
    "check": ("outdated:check", "Check this project's memories against its files."),
    "scopes": ("scopes:scopes", "List the scopes, name them, and move what they hold."),
    "undo": ("deciding:undo", "Take back your last step, or any other."),
    "redo": ("deciding:redo", "Do again what was undone last."),
    "agents": ("agents:agents", "Say how often each agent was right, and which rules hold."),
    "setup": ("connecting:setup", "Connect coding agents, or take the connection away."),
    "doctor": ("connecting:doctor", "Say what is connected, and what to do where it is not."),
    "mcp": ("connecting:mcp", "Serve an agent over MCP, on standard input and output."),
    "hook": ("connecting:hook", "Answer an agent's hook; its JSON on standard input."),
    "keys": ("keymap:keys", "Show the console's keys, and how to change them."),
    "model": ("model:model", "Show or choose what judges likeness in meaning."),
    "verify": ("care:verify", "Check the history for anything changed or missing."),
    "backup": ("caring:backup", "Copy the store, checked, while others may write."),
    "restore": ("caring:restore", "Put a backup in the place of the store."),
    "sweep": ("caring:sweep", "Archive what nobody needed for long."),
    "erase": ("caring:erase", "Erase texts for good, and prove it."),
    "where": ("care:where", "Say where everything is kept."),
    "demo": ("care:demo", "Try the console on a throw-away store."),
}
"""Name -> where it is in ``console.commands``, and its first sentence (a test holds it to the docstring's)."""

_SETTINGS: Final[dict[str, Any]] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"], "max_content_width": 100},
}


class Commands(TyperGroup):
    """The commands by name; none of them is there before it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  (Typer's own signature)
        """The names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  (Typer's own signature)
        """One command, built now; None where there is none of this name."""
        return command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  (Typer's own signature)
        """The list of commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in COMMANDS.items()])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is meant; the error for an unknown one names what is like it."""
        try:
            return super().resolve_command(ctx, args)
        except TyperException as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1) if args else []
            if near:
                error.message = f"{error.message.rstrip('.')}. Did you mean {near[0]!r}?"
            raise


def command(name: str) -> Any:
    """A command by its name, as Typer runs it."""
    module, _, function = COMMANDS[name][0].partition(":")
    alone = typer.Typer(**_SETTINGS)
    alone.command(name)(getattr(import_module(f"console.commands.{module}"), function))
    return typer.main.get_command(alone)


app = typer.Typer(name="meminbox", cls=Commands, **_SETTINGS)


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
    from console.commands.care import open_console

    return open_console(db)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code. Raises what it raises: ``console.ending`` tells it."""
    try:
        group = typer.main.get_command(app)
        with group.make_context("meminbox", arguments) as context:
            code = group.invoke(context)
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
