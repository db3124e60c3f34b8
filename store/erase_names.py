"""What a scope is called and where its folder was: what goes of it when the whole scope is erased.

What a scope is compared by stays, for everything that stays names it so; and so do the folders for which a person
confirmed it, which the log names as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import Connection, and_, delete, or_, select, update

from store.reading import chunks
from store.scopes import LABEL, PLACE, SCOPE, SETTING


def all_of(connection: Connection, tenant: str) -> frozenset[str]:
    """Every scope that is called something, or whose folder is known."""
    called = connection.scalars(select(SCOPE.c.identity).where(SCOPE.c.tenant_id == tenant)).all()
    begins = or_(*(and_(SETTING.c.name >= one, SETTING.c.name < one[:-1] + ";") for one in (PLACE, LABEL)))
    settings = connection.scalars(select(SETTING.c.name).where(SETTING.c.tenant_id == tenant, begins)).all()
    return frozenset((*called, *(name.partition(":")[2] for name in settings)))


def held(connection: Connection, tenant: str, scopes: Collection[str]) -> frozenset[str]:
    """Those of these scopes of which there is a name or a folder to forget."""
    found: set[str] = set()
    for part in chunks(sorted(scopes)):
        called = select(SCOPE.c.identity).where(
            SCOPE.c.tenant_id == tenant, SCOPE.c.identity.in_(part), SCOPE.c.label != SCOPE.c.identity
        )
        found |= set(connection.scalars(called))
        settings = select(SETTING.c.name).where(SETTING.c.tenant_id == tenant, SETTING.c.name.in_(_settings(part)))
        found |= {name.partition(":")[2] for name in connection.scalars(settings)}
    return frozenset(found)


def forget(connection: Connection, tenant: str, scopes: Collection[str]) -> None:
    """Take the names and folders of these scopes away, in the caller's write transaction."""
    for part in chunks(sorted(scopes)):
        mine = and_(SCOPE.c.tenant_id == tenant, SCOPE.c.identity.in_(part))
        connection.execute(update(SCOPE).where(mine).values(label=SCOPE.c.identity))
        connection.execute(delete(SETTING).where(SETTING.c.tenant_id == tenant, SETTING.c.name.in_(_settings(part))))


def _settings(scopes: Iterable[str]) -> list[str]:
    return [kind + one for one in scopes for kind in (PLACE, LABEL)]
