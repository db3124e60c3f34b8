"""Commands that connect agents: setup and doctor for people, mcp and hook for the agents themselves."""

from __future__ import annotations

from typing import Annotated

import typer

from console.commands import options


def setup(
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT", help="claude-code, codex, gemini-cli, cursor, vscode; or git-hook."),
    ] = None,
    everyone: Annotated[bool, typer.Option("--all", help="Every agent that is found here.")] = False,
    scope: Annotated[
        str, typer.Option("--scope", metavar="user|project", help="For you everywhere, or for this project's people.")
    ] = "user",
    ask: Annotated[
        bool | None,
        typer.Option("--ask/--no-ask", help="Let a session's end ask the agent what to remember."),
    ] = None,
    allow: Annotated[
        bool | None,
        typer.Option("--allow/--no-allow", help="Let agents propose and search without asking you each time."),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take away what setup wrote, and only that.")] = False,
    printed: Annotated[
        str | None, typer.Option("--print", metavar="json", help="Print the changes as JSON, and do nothing.")
    ] = None,
    dry_run: options.DryRun = False,
    yes: options.Yes = False,
    db: options.Db = None,
) -> int:
    """Connect coding agents, or take the connection away.

    Shows every change before it is made, keeps a backup, and tries the connection afterwards.
    """
    from console.connecting import Asked, run

    return run(
        Asked(tuple(agents or ()), everyone, scope, ask, allow, remove, printed, dry_run=dry_run, yes=yes, db=db)
    )


def doctor(db: options.Db = None, as_json: options.Json = False) -> int:
    """Say what is connected, and what to do where it is not.

    The agents, the store and this terminal. The exit code is 1 where something needs doing.
    """
    from console.doctoring import run

    return run(as_json, db)


def mcp(
    project: Annotated[
        str | None, typer.Option("--project", metavar="FOLDER", help="The project's folder (else the client says it).")
    ] = None,
    db: options.Db = None,
) -> int:
    """Serve an agent over MCP, on standard input and output.

    Agents start it themselves; `meminbox setup` tells them how.
    """
    from store.agents import serving

    told = [*(["--project", project] if project is not None else []), *(["--db", db] if db is not None else [])]
    return serving.main(told) or 0


def hook(
    event: Annotated[str, typer.Argument(metavar="EVENT", help="session-start, stop or session-end.")],
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="NAME", help="claude-code, codex or gemini-cli.")
    ] = None,
    db: options.Db = None,
) -> int:
    """Answer an agent's hook; its JSON on standard input.

    Always ends with 0: a hook never stands in an agent's way.
    """
    from store.agents import hooks

    told = [*(["--agent", agent] if agent is not None else []), *(["--db", db] if db is not None else [])]
    return hooks.main([event, *told]) or 0
