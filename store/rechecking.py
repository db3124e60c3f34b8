"""What a person should look at again, why, and their word that it still holds.

Reasons, the gravest first: what it names is gone (``path_gone``), another memory says otherwise (``against``), its date
comes soon (``ends``), it was never sure (``unsure``), nothing has borne it out for long (``unverified``), nobody was
ever given it (``unused``). What a person has just confirmed, and what is pinned, is not asked about again; its date is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import and_, case, delete, func, insert, or_, select

from store.borne_out import bear_out_by_hand
from store.conditions import in_scopes
from store.contradicting import Against, against
from store.engine import Store
from store.facts import Actor, Done
from store.models import SettingRow, UsageRow
from store.reading import MEMORY, chunks

USAGE = UsageRow.__table__  # type: ignore[attr-defined]
SETTING = SettingRow.__table__  # type: ignore[attr-defined]
REASONS: Final = ("path_gone", "against", "ends", "unsure", "unverified", "unused")
UNSURE: Final = 0.6
"""A confidence below this is asked about."""
UNVERIFIED: Final = timedelta(days=90)
UNUSED: Final = timedelta(days=30)
ENDS: Final = timedelta(days=14)
QUIET: Final = timedelta(days=30)
"""How long what was borne out is left in peace."""
EACH: Final = 200
"""Memories of each reason at most, the worst first: nobody looks through more at a time."""
WEEK: Final = timedelta(days=7)
DAY: Final = timedelta(days=1)
_LOOKED: Final = "recheck:"


@dataclass(frozen=True, slots=True)
class Due:
    """One memory to look at. ``reasons`` are codes, the gravest first; ``other`` is what it is against, if that is."""

    id: str
    reasons: tuple[str, ...]
    other: Against | None = None


def due(
    store: Store,
    scopes: tuple[str, ...] | None,
    *,
    gone: Mapping[str, object] | None = None,
    wanted: Callable[[], bool] = lambda: True,
) -> tuple[Due, ...]:
    """What is due in these scopes, the gravest first; ``gone`` are the memories that name what git says is gone.

    A second or two at most, for a worker thread; ``wanted`` is asked now and then whether to go on.
    """
    found: dict[str, list[str]] = {}
    clashes = against(store, _newest(store, scopes), wanted=wanted)
    told: dict[str, list[str]] = {"path_gone": _still(store, scopes, list(gone or ()))}
    told["against"] = _still(store, scopes, list(clashes))
    for reason in REASONS[2:]:
        told[reason] = _asked(store, scopes, reason)
    for reason in REASONS:
        for one in told[reason]:
            found.setdefault(one, []).append(reason)
    rows = [
        Due(one, tuple(reasons), clashes.get(one) if "against" in reasons else None) for one, reasons in found.items()
    ]
    return tuple(sorted(rows, key=lambda row: (REASONS.index(row.reasons[0]), -len(row.reasons))))


def still_true(store: Store, memory_id: str, revision: int, *, by: Actor) -> Done:
    """A person's word that a memory holds: one more that bears it out. Raises as ``borne_out.bear_out``, and Stale."""
    return bear_out_by_hand(store, memory_id, revision, by)


def looked(store: Store, scope: str) -> None:
    """Remember that somebody looked through what is due here: once a day, since a list that is shown anew whenever the
    store changes must not change it each time. Raises StoreTrouble."""
    if _last_look(store, scope, within=DAY):
        return
    with store.write() as connection:
        mine = (SETTING.c.tenant_id == store.tenant, SETTING.c.name == _LOOKED + scope)
        connection.execute(delete(SETTING).where(*mine))
        row = {"tenant_id": store.tenant, "name": _LOOKED + scope, "value": {}, "at": store.now()}
        connection.execute(insert(SETTING), [row])


def looked_this_week(store: Store, scope: str) -> bool:
    """Whether somebody has looked within the last seven days."""
    return _last_look(store, scope, within=WEEK)


def _last_look(store: Store, scope: str, *, within: timedelta) -> bool:
    chosen = select(SETTING.c.at).where(SETTING.c.tenant_id == store.tenant, SETTING.c.name == _LOOKED + scope)
    with store.read() as connection:
        at = connection.execute(chosen).scalar()
    return at is not None and store.now() - at < within


def _in_use(store: Store, scopes: tuple[str, ...] | None) -> list[Any]:
    now = store.now()
    alive = or_(MEMORY.c.valid_until.is_(None), MEMORY.c.valid_until > now)
    return [MEMORY.c.tenant_id == store.tenant, MEMORY.c.status == "active", alive, *in_scopes(MEMORY, scopes)]


def _quiet(store: Store) -> list[Any]:
    """Not pinned, and not borne out lately."""
    lately = USAGE.c.last_verified
    return [~MEMORY.c.pinned, or_(lately.is_(None), lately < store.now() - QUIET)]


_COUNTED: Final = and_(USAGE.c.tenant_id == MEMORY.c.tenant_id, USAGE.c.memory_id == MEMORY.c.id)
_VERIFIED: Final = case((USAGE.c.last_verified > MEMORY.c.updated_at, USAGE.c.last_verified), else_=MEMORY.c.updated_at)


def _asked(store: Store, scopes: tuple[str, ...] | None, reason: str) -> list[str]:
    """The worst of one reason."""
    now = store.now()
    conditions: dict[str, tuple[list[Any], Any]] = {
        "ends": ([MEMORY.c.valid_until <= now + ENDS], MEMORY.c.valid_until),
        "unsure": ([MEMORY.c.confidence < UNSURE, *_quiet(store)], MEMORY.c.confidence),
        "unverified": ([now - UNVERIFIED > _VERIFIED, *_quiet(store)], _VERIFIED),
        "unused": (
            [func.coalesce(USAGE.c.uses, 0) == 0, MEMORY.c.created_at < now - UNUSED, *_quiet(store)],
            MEMORY.c.created_at,
        ),
    }
    wanted, order = conditions[reason]
    chosen = (
        select(MEMORY.c.id)
        .join_from(MEMORY, USAGE, _COUNTED, isouter=True)
        .where(*_in_use(store, scopes), *wanted)
        .order_by(order, MEMORY.c.id)
        .limit(EACH)
    )
    with store.read() as connection:
        return [row.id for row in connection.execute(chosen)]


def _still(store: Store, scopes: tuple[str, ...] | None, ids: list[str]) -> list[str]:
    """Those of ``ids`` that are in use here and not left in peace, ``EACH`` at most."""
    found: set[str] = set()
    with store.read() as connection:
        for part in chunks(ids):
            chosen = (
                select(MEMORY.c.id)
                .join_from(MEMORY, USAGE, _COUNTED, isouter=True)
                .where(*_in_use(store, scopes), *_quiet(store), MEMORY.c.id.in_(list(part)))
            )
            found |= {row.id for row in connection.execute(chosen)}
    return [one for one in ids if one in found][:EACH]


def _newest(store: Store, scopes: tuple[str, ...] | None) -> list[str]:
    from store.contradicting import MOST

    chosen = select(MEMORY.c.id).where(*_in_use(store, scopes))
    newest = chosen.order_by(MEMORY.c.updated_at.desc(), MEMORY.c.id.desc()).limit(MOST)
    with store.read() as connection:
        return [row.id for row in connection.execute(newest)]
