"""What runs at every prompt, past Typer and past SQLAlchemy: ``context``, ``status --short``, and the count at the end.

Each answers None to what it does not know (help, mistakes, ``--task``), and Typer has its turn.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.block import Block
    from store.given import Waiting
    from store.location import Location
    from store.project import Project

_SILENT = frozenset(("", "demo", "mcp", "hook", "context", "status"))
"""Commands after which nothing is said of what waits: the console shows it itself, and the rest speak to programs."""
_NO_COMMAND = frozenset(("-h", "--help", "-V", "--version", "-q", "--quiet"))


def context(arguments: Sequence[str]) -> int | None:
    """``context [--db PLACE] [--json] [--session ID] [--agent NAME]``: print the block that an agent is given.

    The hand-out is on disk before the block is printed. Where it cannot be noted, that is said and the block given.
    """
    said = _options(arguments, valued=("--db", "--session", "--agent"), switches=("--json",))
    if said is None:
        return None
    from store import given
    from store.location import locate

    location = locate(said.get("--db"))
    block = given.profile(location, _here(location))
    note(location, block, session=said.get("--session"), agent=said.get("--agent"))
    show(block, as_json="--json" in said)
    return 0


def note(location: Location, block: Block, *, session: str | None, agent: str | None) -> None:
    """Note the hand-out of a block from the command line; where that cannot be done, say so."""
    from store.errors import MeminboxError
    from store.notes import note_handout

    try:
        note_handout(location, block.given, session_id=session, agent=agent, surface="cli")
    except MeminboxError as error:
        from console.output import say

        say(f"meminbox: that this was given is not noted: {error}")


def show(block: Block, *, as_json: bool, scorer: str | None = None) -> None:
    """Print a block: as it is to a program, with everything that could hide made visible to a person."""
    if as_json:
        from console import output

        given = [{"id": one, "revision": revision} for one, revision in block.given]
        told = {"schema_version": output.SCHEMA_VERSION, "text": block.text, "given": given}
        output.print_json({**told, "left": block.left, "left_ids": list(block.left_ids), "scorer": scorer})
    elif block.text and sys.stdout.isatty():
        from console.visible import visible

        print(visible(block.text))
    elif block.text:
        print(block.text)
    else:
        from console import output

        output.hint("Nothing that you approved here is about this." if scorer else "Nothing is remembered here yet.")


def status(arguments: Sequence[str]) -> int | None:
    """``status --short [--db PLACE]``: a few words for a prompt, "3 to review", or nothing where nothing waits.

    Always 0, with nothing on stderr: a prompt has no place for trouble, and ``status`` itself tells of it.
    """
    said = _options(arguments, valued=("--db",), switches=("--short",))
    if said is None or "--short" not in said:
        return None
    waiting = _waiting(said.get("--db"))
    if waiting is not None and any(waiting):
        print(short(waiting))
    return 0


def short(waiting: Waiting) -> str:
    """What waits, in as few words as can be: "3 to review +2 elsewhere"."""
    from store.given import counted

    here, elsewhere = (counted(number) for number in waiting)
    if not waiting.here:
        return f"{elsewhere} to review elsewhere"
    return f"{here} to review" + (f" +{elsewhere} elsewhere" if waiting.elsewhere else "")


def told_after(arguments: Sequence[str]) -> None:
    """After a command in a terminal, one line on stderr where something waits for review."""
    name = arguments[0] if arguments else ""
    if name == "--db" and len(arguments) > 1:
        name = arguments[2] if len(arguments) > 2 else ""
    if name in _SILENT or not _NO_COMMAND.isdisjoint(arguments) or not _terminal():
        return
    db = _db(arguments)
    if "sqlalchemy" not in sys.modules and _on_a_server(db):
        return  # the command itself did not ask the server; one that is out of reach must not hold it up now
    waiting = _waiting(db)
    if waiting is not None and any(waiting):
        from store.given import in_words

        print(f"{in_words(waiting)}: `meminbox`", file=sys.stderr)


def _terminal() -> bool:
    try:
        return sys.stdout.isatty() and sys.stderr.isatty()
    except ValueError:
        return False  # closed meanwhile


def _on_a_server(db: str | None) -> bool:
    from store.errors import UsageError
    from store.location import locate

    try:
        return locate(db).path is None
    except UsageError:
        return False


def _waiting(db: str | None) -> Waiting | None:
    """What waits here and elsewhere, or None where that cannot be told quickly and quietly."""
    from store import given
    from store.errors import MeminboxError
    from store.location import locate

    try:
        location = locate(db)
        return given.waiting(location, given.scopes_of(_here(location)), slow=False)
    except (MeminboxError, OSError):
        return None


def _here(location: Location) -> Project:
    from store.claims import confirmed
    from store.location import present_folder
    from store.project import identify

    return identify(present_folder(), git=None, confirmed=confirmed(location))


def _db(arguments: Sequence[str]) -> str | None:
    """The store that a command was given, wherever in its arguments."""
    for place, one in enumerate(arguments):
        if one == "--db":
            return arguments[place + 1] if place + 1 < len(arguments) else None
        if one.startswith("--db="):
            return one[len("--db=") :]
    return None


def _options(arguments: Sequence[str], *, valued: Sequence[str], switches: Sequence[str]) -> dict[str, str] | None:
    """Arguments by name; None where there is one that is not among these, or has no value."""
    said: dict[str, str] = {}
    rest = iter(arguments)
    for one in rest:
        name, equals, value = one.partition("=")
        if one in switches:
            said[one] = ""
        elif name in valued and equals:
            said[name] = value
        elif one in valued and (following := next(rest, None)) is not None:
            said[one] = following
        else:
            return None
    return said
