"""Commands about what is no longer true: expire (previewed, then one undoable step) and check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from console.commands import options

if TYPE_CHECKING:
    pass

Since = Annotated[
    str | None,
    typer.Option("--since", metavar="REV|DATE", help="What git moved or deleted since a revision or a date."),
]
Uncommitted = Annotated[bool, typer.Option("--uncommitted", help="Count moves that are not committed yet.")]


def expire(
    identity: Annotated[
        str | None, typer.Argument(metavar="ID", help="One memory, by the end of its id or its key.")
    ] = None,
    since: Since = None,
    uncommitted: Uncommitted = False,
    path: Annotated[str | None, typer.Option("--path", metavar="PATH", help="Names this file or folder.")] = None,
    package: Annotated[
        str | None, typer.Option("--package", metavar="NAME", help="Names this package or module.")
    ] = None,
    text: Annotated[list[str] | None, typer.Option("--text", metavar="TEXT", help="Holds these words.")] = None,
    kind: Annotated[str | None, typer.Option("--kind", metavar="KIND", help="Is of this kind.")] = None,
    scope: Annotated[
        str | None, typer.Option("--scope", metavar="SCOPE", help="A project, or global. [this project]")
    ] = None,
    source: Annotated[str | None, typer.Option("--source", metavar="SOURCE", help="Has this source.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", metavar="NAME", help="Was proposed by this agent.")] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="ID", help="Comes from this session.")] = None,
    older_than: Annotated[str | None, typer.Option("--older-than", metavar="90d", help="Is older than this.")] = None,
    unverified: Annotated[
        str | None,
        typer.Option("--not-verified-since", metavar="90d", help="Nothing has borne it out for this long."),
    ] = None,
    confidence: Annotated[
        str | None, typer.Option("--confidence", metavar="<0.6", help="Its stated confidence is like this.")
    ] = None,
    like: Annotated[str | None, typer.Option("--like", metavar="ID", help="Resembles this memory.")] = None,
    dry_run: options.DryRun = False,
    as_json: options.Json = False,
    yes: options.Yes = False,
    db: options.Db = None,
    quiet: options.Quiet = False,
) -> int:
    """Expire, or re-point, what is no longer true.

    Shows what it found, then asks; one step, one undo. All that is said must hold for a memory to be found.
    """
    from console import expiring

    asked = expiring.Asked(
        identity=identity, since=since, uncommitted=uncommitted, path=path, package=package, texts=tuple(text or ()),
        kind=kind, scope=scope, source=source, agent=agent, session=session, older_than=older_than,
        unverified=unverified, confidence=confidence, like=like,
    )  # fmt: skip
    return expiring.run(asked, db=db, dry_run=dry_run, as_json=as_json, yes=yes, quiet=quiet)


def check(
    since: Since = None,
    uncommitted: Uncommitted = False,
    brief: Annotated[
        bool, typer.Option("--brief", help="One line on stderr if something is false, else nothing; ends with 0.")
    ] = False,
    as_json: options.Json = False,
    db: options.Db = None,
) -> int:
    """Check this project's memories against its files.

    A verdict for everything they name. The exit code is 1 where something was moved or is gone.
    """
    from console import checking

    return checking.run(since=since, uncommitted=uncommitted, brief=brief, as_json=as_json, db=db)
