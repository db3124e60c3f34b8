"""Whether a person confirmed the scope that a folder's ``.meminbox.toml`` asks for. Quick: every hook may have to ask.

Asked only where a folder asks for a scope; where the store cannot tell, nothing is honoured.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from store.location import Location
    from store.project import Confirmed


def confirmed(location: Location) -> Confirmed:
    """For ``project.identify``: what the store at ``location`` knows to be confirmed."""
    return lambda scope, folder: folder in _folders(location, scope)


def _folders(location: Location, scope: str) -> tuple[str, ...]:
    from store.given import LOCAL_TENANT

    if location.path is not None:
        from store.dialects import sqlite_quick

        return sqlite_quick.confirmed(os.fspath(location.path), LOCAL_TENANT, scope) or ()
    return _asked(location, scope)


def _asked(location: Location, scope: str) -> tuple[str, ...]:
    """From a server, which is waited for a moment only: an agent waits for us."""
    from store.engine import open_store
    from store.errors import MeminboxError
    from store.scopes import confirmed_for

    try:
        store = open_store(location, wait=1.0)
    except MeminboxError:
        return ()
    try:
        with store.read() as connection:
            return confirmed_for(connection, store.tenant, scope)
    except MeminboxError:
        return ()
    finally:
        store.close()
