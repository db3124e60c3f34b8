"""Commands that care for the store, and the doors to the console."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from console.commands import options


def where(db: options.Db = None, as_json: options.Json = False) -> int:
    """Say where everything is kept.

    The store, its spool, notes and backups, the configuration. Opens and creates nothing.
    """
    from console import output
    from console.visible import visible
    from store.backup import backups
    from store.location import config_file, home, locate

    place = locate(db)
    newest = next((one.path for one in backups(place)), None)
    real = os.path.realpath(place.path) if place.path else place.described()
    beside = {
        "store": real,
        "exists": os.path.lexists(real) if place.path else None,
        "spool": str(place.spool),
        "notes": str(place.notes),
        "head": str(place.head),
        "lock": str(place.lock),
        "backups": str(place.backups),
        "erased": str(place.erased),
        "backup": str(newest) if newest else None,
        "home": str(home()),
        "config": str(config_file()),
    }
    if as_json:
        output.print_json(beside)
        return 0
    for name, value in beside.items():
        if name == "backup" and value is None:
            print(f"{name:8} none yet")
        elif name != "exists":
            print(f"{name:8} {visible(str(value), multiline=False)}")
    if beside["exists"] is False:
        output.say("Nothing stands there yet; the first proposal makes it.")
    return 0


def verify(db: options.Db = None, as_json: options.Json = False) -> int:
    """Check the history for anything changed or missing.

    Names the first broken thing, if there is one.
    """
    from console import output
    from console.at_work import at_work
    from console.commands.opening import standing

    with standing(db) as store:
        from store.verify import verify as check

        with at_work("verifying", act=False, kept=""):
            broken = check(store)
    if as_json:
        told = {"what": broken.what, "where": broken.where, "ids": list(broken.ids)} if broken else None
        output.print_json({"ok": broken is None, "broken": told})
    if broken is not None:
        output.complain(f"{broken.what} ({broken.where})", kept="Nothing was changed.", todo="Restore a backup.")
        return 5
    if not as_json:
        print("Every version and decision is as it was written, and none is missing.")
    return 0


def demo(
    keep: Annotated[bool, typer.Option("--keep", help="Keep the demo's store, and say where it is.")] = False,
) -> int:
    """Try the console on a throw-away store.

    It holds a sample session of two projects, and is removed when the console closes.
    """
    from console import terminal

    terminal.expect_fit()
    from console.demo import run

    return run(keep=keep)


def open_console(db: str | None) -> int:
    """Open the console on a store. The terminal has been checked."""
    from console.running import open_console as run
    from store.location import locate

    return run(locate(db))
