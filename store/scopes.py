"""The scopes there are: what each is called, how much it holds, where its folder is, and which are orphans.

A scope is seen where something is proposed in it, or where the console opens in its folder: its readable label and the
folder are then kept, so that a folder that moved or went away leaves an orphan that is listed, and no silence.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update

from store.engine import Store
from store.entry import GLOBAL
from store.facts import OPEN
from store.models import MemoryRow, ProposalRow, ScopeRow, SettingRow, UsageRow
from store.project import Project, identify
from store.reading import UNDECIDED

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
SCOPE = ScopeRow.__table__  # type: ignore[attr-defined]
SETTING = SettingRow.__table__  # type: ignore[attr-defined]
USAGE = UsageRow.__table__  # type: ignore[attr-defined]
PLACE: Final = "place:"
"""What the name of a setting begins with that holds the folder in which a scope was seen last."""
LABEL: Final = "label:"
"""And of one that says that a person chose the label: no folder's name takes its place."""
Standing = Literal["here", "everywhere", "there", "gone", "unknown"]
_FIRST: Final[dict[Standing, int]] = {"here": 0, "everywhere": 1, "gone": 2}


class Seen(NamedTuple):
    """A project that somebody works in: its scope, its readable label, its folder on this machine."""

    identity: str
    label: str
    root: str | None


@dataclass(frozen=True, slots=True)
class Scope:
    """One scope. ``memories`` are active, ``aside`` out of use (the deleted apart), ``waiting`` undecided.

    ``standing``: ``here`` is the present project, ``there`` another whose folder (``root``) is where it was seen last,
    ``gone`` one whose folder is not, or is another project by now: an orphan. ``unknown`` was never seen on this
    machine. ``label`` and ``identity`` may hold an agent's text. ``confirmed`` are the folders that a person let have
    this scope because their ``.meminbox.toml`` asks for it.
    """

    identity: str
    label: str
    memories: int
    aside: int
    waiting: int
    last_used: datetime | None
    last_changed: datetime | None
    root: str | None
    standing: Standing
    confirmed: tuple[str, ...] = ()
    named: bool = False
    """Whether a person chose the label."""

    @property
    def holds(self) -> int:
        """How much would go along if it were moved."""
        return self.memories + self.aside + self.waiting

    @property
    def orphan(self) -> bool:
        """Whether it holds something, and no folder leads to it any more."""
        return self.standing == "gone" and self.holds > 0


def scopes(store: Store, here: Project | None) -> list[Scope]:
    """Every scope that holds something, the present project and global: these first, then orphans, then by use.

    Looks at the folders of all others, which may be slow: call it from a worker.
    """
    with store.read() as connection:
        known = {row.identity: row for row in connection.execute(_of(SCOPE, store.tenant))}
        settings = _settings(connection, store.tenant)
        numbers = _numbers(connection, store.tenant)
    present = [here.identity] if here is not None else []
    found = [
        _scope(identity, here, known.get(identity), settings, numbers.get(identity, _Numbers()))
        for identity in dict.fromkeys((*present, GLOBAL, *sorted(numbers), *_asked_for(here, known)))
    ]
    return sorted(found, key=_order)


def lost(store: Store, here: Project) -> tuple[str, ...]:
    """The labels of orphans, where the present project gives nothing: one of them may be what it was called before.

    What waits there does not count: agents propose in a folder that was moved as they did before.
    """
    with store.read() as connection:
        if connection.execute(_active_in(store.tenant, here.identity)).first() is not None:
            return ()
    return tuple(one.label for one in scopes(store, here) if one.orphan)


def _asked_for(here: Project | None, known: dict[str, Any]) -> list[str]:
    """The scope that the present folder asks for, and those that were confirmed for some folder: one acts on them."""
    asked = [here.asks_for] if here is not None and here.asks_for is not None else []
    return [*asked, *(identity for identity, row in sorted(known.items()) if row.paths)]


@dataclass
class _Numbers:
    memories: int = 0
    aside: int = 0
    waiting: int = 0
    used: datetime | None = None
    changed: datetime | None = None


def _of(table: Any, tenant: str) -> Any:
    return select(table).where(table.c.tenant_id == tenant)


def _settings(connection: Connection, tenant: str) -> dict[str, dict[str, Any]]:
    named = or_(*(and_(SETTING.c.name >= one, SETTING.c.name < one[:-1] + ";") for one in (PLACE, LABEL)))
    return {row.name: row.value for row in connection.execute(_of(SETTING, tenant).where(named))}


def _numbers(connection: Connection, tenant: str) -> dict[str, _Numbers]:
    """How much each scope holds, in three passes over indexes."""
    found: dict[str, _Numbers] = {}
    by_status = (
        select(MEMORY.c.scope, MEMORY.c.status, func.count().label("number"), func.max(MEMORY.c.updated_at).label("at"))
        .where(MEMORY.c.tenant_id == tenant, MEMORY.c.status.in_(("active", "expired", "retired", "archived")))
        .group_by(MEMORY.c.status, MEMORY.c.scope)
    )
    for row in connection.execute(by_status):
        one = found.setdefault(row.scope, _Numbers())
        if row.status == "active":
            one.memories = row.number
        else:
            one.aside += row.number
        one.changed = max(filter(None, (one.changed, row.at)), default=None)
    waits = (
        select(PROPOSAL.c.scope, func.count().label("number"))
        .where(PROPOSAL.c.tenant_id == tenant, UNDECIDED, PROPOSAL.c.status.in_(OPEN))
        .group_by(PROPOSAL.c.scope)
    )
    for row in connection.execute(waits):
        found.setdefault(row.scope, _Numbers()).waiting = row.number
    joined = and_(MEMORY.c.tenant_id == USAGE.c.tenant_id, MEMORY.c.id == USAGE.c.memory_id)
    used = (
        select(MEMORY.c.scope, func.max(USAGE.c.last_used).label("at"))
        .select_from(USAGE)
        .join(MEMORY, joined)
        .where(USAGE.c.tenant_id == tenant, USAGE.c.last_used.is_not(None))
        .group_by(MEMORY.c.scope)
    )
    for row in connection.execute(used):
        if row.scope in found:
            found[row.scope].used = row.at
    return found


def _scope(
    identity: str, here: Project | None, row: Any, settings: dict[str, dict[str, Any]], numbers: _Numbers
) -> Scope:
    present = here is not None and identity == here.identity
    root = os.fspath(here.root) if here is not None and present else settings.get(PLACE + identity, {}).get("root")
    confirmed = tuple(row.paths) if row is not None else ()
    label = row.label if row is not None else identity
    return Scope(
        identity=identity,
        label=here.label if here is not None and present else label,
        memories=numbers.memories,
        aside=numbers.aside,
        waiting=numbers.waiting,
        last_used=numbers.used,
        last_changed=numbers.changed,
        root=root,
        standing="here" if present else _standing(identity, root, confirmed),
        confirmed=confirmed,
        named=LABEL + identity in settings,
    )


def _standing(identity: str, root: str | None, confirmed: tuple[str, ...]) -> Standing:
    if identity == GLOBAL:
        return "everywhere"
    places = [*([root] if root is not None else []), *confirmed]
    if not places:
        return "unknown"
    return "there" if any(_leads_to(place, identity, confirmed) for place in places) else "gone"


def _leads_to(place: str, identity: str, confirmed: tuple[str, ...]) -> bool:
    """Whether a folder is there, and still is this project."""
    path = Path(place)
    try:
        if not path.is_dir():
            return False
    except (OSError, ValueError):
        return False
    return (
        identify(path, git=None, confirmed=lambda scope, at: scope == identity and at in confirmed).identity == identity
    )


def _order(one: Scope) -> tuple[int, float, str]:
    first = _FIRST.get(one.standing, 3)
    last = max(filter(None, (one.last_used, one.last_changed)), default=None)
    return (first, -last.timestamp() if last is not None else 0.0, one.identity)


# -- what a project is called, and where it was seen


def as_known(store: Store, project: Project) -> Project:
    """A project as the store knows it: under the scope it asks for where a person confirmed that for this folder, and
    under the label that a person gave it.

    ``project`` is what ``identify`` says with nothing confirmed.
    """
    with store.read() as connection:
        wanted = project.asks_for
        if wanted is not None and os.fspath(project.root) in confirmed_for(connection, store.tenant, wanted):
            project = identify(project.root, git=None, confirmed=lambda scope, _: scope == wanted)
        label = setting_value(connection, store.tenant, LABEL + project.identity).get("label")
    return project._replace(label=label) if label else project


def confirmed_for(connection: Connection, tenant: str, identity: str) -> tuple[str, ...]:
    """The folders for which a person confirmed that they have this scope."""
    chosen = select(SCOPE.c.paths).where(SCOPE.c.tenant_id == tenant, SCOPE.c.identity == identity)
    return tuple(connection.execute(chosen).scalar() or ())


def labels(store: Store) -> dict[str, str]:
    """The readable labels of all scopes that have been seen."""
    chosen = select(SCOPE.c.identity, SCOPE.c.label).where(SCOPE.c.tenant_id == store.tenant)
    with store.read() as connection:
        return {row.identity: row.label for row in connection.execute(chosen)}


def note(store: Store, connection: Connection, seen: Iterable[Seen], *, known_only: bool = False) -> None:
    """Keep what these projects are called and where they are, in the caller's write transaction.

    Cheap where nothing is new. ``known_only`` leaves out projects of which the store holds nothing: a folder that
    somebody merely looked at is no scope.
    """
    for one in dict.fromkeys(seen):
        row = connection.execute(_of(SCOPE, store.tenant).where(SCOPE.c.identity == one.identity)).first()
        if row is None and known_only and not _holds_anything(connection, store.tenant, one.identity):
            continue
        if row is None:
            fresh = {"tenant_id": store.tenant, "identity": one.identity, "label": one.label, "paths": []}
            connection.execute(insert(SCOPE), [fresh])
        elif row.label != one.label and not setting_value(connection, store.tenant, LABEL + one.identity):
            set_label(connection, store.tenant, one.identity, one.label)
        if (
            one.root is not None
            and setting_value(connection, store.tenant, PLACE + one.identity).get("root") != one.root
        ):
            put(connection, store.tenant, PLACE + one.identity, {"root": one.root}, store.now())


def needs_note(store: Store, seen: Seen) -> bool:
    """Whether ``note`` would have anything to write: asked before a write lock is taken."""
    with store.read() as connection:
        row = connection.execute(_of(SCOPE, store.tenant).where(SCOPE.c.identity == seen.identity)).first()
        if row is None:
            return _holds_anything(connection, store.tenant, seen.identity)
        place = setting_value(connection, store.tenant, PLACE + seen.identity)
        named = bool(setting_value(connection, store.tenant, LABEL + seen.identity))
    return (seen.root is not None and place.get("root") != seen.root) or (row.label != seen.label and not named)


def _holds_anything(connection: Connection, tenant: str, identity: str) -> bool:
    waits = select(PROPOSAL.c.id).where(PROPOSAL.c.tenant_id == tenant, UNDECIDED, PROPOSAL.c.scope == identity)
    return any(connection.execute(one).first() is not None for one in (_active_in(tenant, identity), waits.limit(1)))


def _active_in(tenant: str, identity: str) -> Any:
    """Any one memory that agents are given of a scope."""
    ours = and_(MEMORY.c.tenant_id == tenant, MEMORY.c.status == "active", MEMORY.c.scope == identity)
    return select(MEMORY.c.id).where(ours).limit(1)


def set_label(connection: Connection, tenant: str, identity: str, label: str) -> None:
    """Write a label; the scope is made known where it was not."""
    mine = and_(SCOPE.c.tenant_id == tenant, SCOPE.c.identity == identity)
    if connection.execute(update(SCOPE).where(mine).values(label=label)).rowcount == 0:
        row = {"tenant_id": tenant, "identity": identity, "label": label, "paths": []}
        connection.execute(insert(SCOPE), [row])


def put(connection: Connection, tenant: str, name: str, value: dict[str, Any] | None, at: datetime) -> None:
    """Write a setting, or (None) take it away."""
    connection.execute(delete(SETTING).where(SETTING.c.tenant_id == tenant, SETTING.c.name == name))
    if value is not None:
        connection.execute(insert(SETTING), [{"tenant_id": tenant, "name": name, "value": value, "at": at}])


def setting_value(connection: Connection, tenant: str, name: str) -> dict[str, Any]:
    """What a setting holds; empty where there is none of this name."""
    chosen = select(SETTING.c.value).where(SETTING.c.tenant_id == tenant, SETTING.c.name == name)
    return connection.execute(chosen).scalar() or {}
