"""``meminbox model``: which encoder judges likeness, how far the store is encoded with it, and how to have another."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from console.commands import options

if TYPE_CHECKING:
    from store.encoders import Choice

DEFAULT: Final = "BAAI/bge-small-zh-v1.5"
"""What ``fetch`` fetches where nothing is named: small, Chinese first, English too."""
_DOING: Final = ("status", "use", "fetch", "check")


def model(
    doing: Annotated[str, typer.Argument(metavar="status|use|fetch|check", help="What to do.")] = "status",
    name: Annotated[
        str | None,
        typer.Argument(metavar="[MODEL]", help="built-in, words, a model's name or its folder, for use and fetch."),
    ] = None,
    db: options.Db = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    yes: options.Yes = False,
) -> int:
    """Show or choose what judges likeness in meaning.

    status tells which encoder is chosen and how much is encoded; use chooses one; fetch gets one from the Hugging Face
    hub (nothing else here reaches for the network); check loads it, encodes what is left and tries what is stored.
    """
    from store.errors import UsageError

    if doing not in _DOING:
        raise UsageError(f'"model {doing}" is not known.', todo=f"It is one of {', '.join(_DOING)}.")
    if name is not None and doing in ("status", "check"):
        raise UsageError(f"model {doing} takes no model.", todo=f"`meminbox model use {name}` chooses it.")
    if doing == "use":
        return _use(name, quiet=quiet)
    if doing == "fetch":
        return _fetch(name or DEFAULT, yes=yes, quiet=quiet)
    from console import modelling

    choice = _choice()
    return (
        modelling.status(choice, db, as_json=as_json)
        if doing == "status"
        else modelling.check(choice, db, as_json=as_json, quiet=quiet)
    )


def _choice() -> Choice:
    """What the person chose; what was not understood of it is said."""
    from console.output import complain
    from store import config, encoders

    choice = encoders.chosen(config.load())
    for message in choice.messages:
        complain(message)
    return choice


def _use(name: str | None, *, quiet: bool) -> int:
    """Write the choice into config.toml. Nothing is chosen that is not here."""
    from console import modelling, output, terminal
    from store.encoders import BUILT_IN, WORDS, Choice
    from store.errors import UsageError

    terminal.person()
    if name is None:
        raise UsageError(
            "Which encoder?", todo=f"It is {BUILT_IN}, {WORDS}, a model's name such as {DEFAULT}, or a model's folder."
        )
    chosen = _whole(name)
    reason = modelling.missing(Choice(chosen))
    if reason is not None:
        output.complain(f"{reason}.", kept="Nothing was changed.")
        return 3
    place = modelling.write(chosen)
    output.hint(
        f"{Choice(chosen).title} is chosen, in {place}. The console encodes anew in the background.", quiet=quiet
    )
    if os.environ.get("MEMINBOX_ENCODER"):
        output.complain("MEMINBOX_ENCODER is set, and goes before config.toml.")
    return 0


def _whole(name: str) -> str:
    """A folder by its whole path, so that it means the same from everywhere; anything else as it is."""
    path = Path(name).expanduser()
    here = name.startswith((".", "~", os.sep)) or path.is_absolute()
    return os.path.realpath(path) if here else name


def _fetch(name: str, *, yes: bool, quiet: bool) -> int:
    from console import modelling, output, terminal

    terminal.person()
    if not yes and not output.ask(f"Fetch {name} from huggingface.co (often 100 MB and more)?"):
        output.say("Nothing was fetched.")
        return 1
    reason = modelling.fetch(name)
    if reason is not None:
        output.complain(reason, kept="Nothing was changed.")
        return 1
    output.hint(f"{name} is here. `meminbox model use {name}` chooses it.", quiet=quiet)
    return 0
