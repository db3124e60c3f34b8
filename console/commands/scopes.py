"""The command about scopes: which there are, what they are called, and where what they hold belongs."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from console.commands import options

_DOING: Final = {"list": 0, "rename": 2, "attach": 1, "move": 2, "confirm": 0}
"""What can be done, and how many words that takes; ids may follow those of ``move``."""


def scopes(
    doing: Annotated[str, typer.Argument(metavar="list|rename|attach|move|confirm", help="What to do.")] = "list",
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORDS]", help="rename SCOPE LABEL; attach SCOPE; move FROM TO [ID ...]."),
    ] = None,
    db: options.Db = None,
    as_json: options.Json = False,
    dry_run: options.DryRun = False,
    yes: options.Yes = False,
    quiet: options.Quiet = False,
) -> int:
    """List the scopes, name them, and move what they hold.

    A scope is named by its label, its identity, global, or . for this project. attach takes what an orphan holds (a
    folder that moved, a clone without a remote) into this project; move takes all that a scope holds, or the entries
    that are named, into another; confirm lets this folder have the scope that its .meminbox.toml asks for.
    """
    from console import scoping
    from store.errors import UsageError

    said = words or []
    if doing not in _DOING:
        raise UsageError(f'"scopes {doing}" is not known.', todo=f"It is one of {', '.join(_DOING)}.")
    if len(said) < _DOING[doing] or (len(said) > _DOING[doing] and doing != "move"):
        raise UsageError(f"scopes {doing} takes {_DOING[doing] or 'no'} words.", todo="`meminbox scopes --help`.")
    if doing == "list":
        return scoping.listed(db, as_json=as_json)
    asked = scoping.Asked(doing, tuple(said), dry_run=dry_run, yes=yes, quiet=quiet)
    return scoping.run(asked, db=db)
