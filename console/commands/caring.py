"""Commands that keep the store: backups, bringing one back, retention, and erasure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from console.commands import options

Scope = Annotated[
    str | None, typer.Option("--scope", metavar="SCOPE", help="A project, by its label or identity; or global.")
]


def backup(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Where to; must not be there. [the backups folder]")
    ] = None,
    db: options.Db = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> int:
    """Copy the store, checked, while others may write.

    The console makes one a day by itself; `[backup]` in config.toml says how many are kept.
    """
    from console import caring

    return caring.backup(file, db=db, as_json=as_json, quiet=quiet)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")],
    dry_run: options.DryRun = False,
    yes: options.Yes = False,
    db: options.Db = None,
    quiet: options.Quiet = False,
) -> int:
    """Put a backup in the place of the store.

    It is verified first, and what stood is kept. What was erased since stays erased.
    """
    from console import caring

    return caring.restore(file, db=db, dry_run=dry_run, yes=yes, quiet=quiet)


def sweep(
    scope: Scope = None,
    dry_run: options.DryRun = False,
    yes: options.Yes = False,
    db: options.Db = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> int:
    """Archive what nobody needed for long.

    Cases and requirements that nothing has borne out for 180 days, feedback that was of no use for 30; `[retention]` in
    config.toml says how long. Shown before it is done, with one undo; nothing is deleted.
    """
    from console import caring

    return caring.sweep(scope, db=db, dry_run=dry_run, yes=yes, as_json=as_json, quiet=quiet)


def erase(
    identity: Annotated[
        str | None, typer.Argument(metavar="ID", help="A memory or a proposal, by the end of its id or its key.")
    ] = None,
    scope: Scope = None,
    everything: Annotated[bool, typer.Option("--everything", help="All that the store holds.")] = False,
    finish: Annotated[bool, typer.Option("--finish", help="Go on with one that another process kept from it.")] = False,
    dry_run: options.DryRun = False,
    yes: options.Yes = False,
    db: options.Db = None,
    quiet: options.Quiet = False,
) -> int:
    """Erase texts for good, and prove it.

    From the store, its history, its index, its log, what waits beside it and its backups; then the files are searched.
    There is no undo. `delete` takes a memory out of use and keeps its history.
    """
    from console import erasing

    return erasing.run(
        identity, scope=scope, everything=everything, finish=finish, db=db, dry_run=dry_run, yes=yes, quiet=quiet
    )
