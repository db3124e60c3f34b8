"""The memories that may answer: asked of the gram index and by what names them, bounded at any size of the store."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    exists,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.exc import DBAPIError

from store.conditions import Condition, in_scopes, unindexed
from store.dialects.expressions import contains, newest_with_grams, number_with_grams
from store.engine import Store
from store.entry import SEMANTIC_KINDS
from store.errors import NotFound, ValueDamaged
from store.models import UsageRow
from store.packed import PackedIds
from store.ranking import Unit, Weighed
from store.reading import HOLDS_KEY, MEMORY, VERSION, chunks
from store.search_index import DOC
from store.text import scope_gram, terms

USAGE = UsageRow.__table__  # type: ignore[attr-defined]
_T = TypeVar("_T")
MOST_COUNTED: Final = 10_000
"""Documents that are counted for one unit: beyond, a word is common, and how common makes no difference."""
MOST_READ: Final = 5_000
"""Documents that are looked at for one unit, the newest; all of them only where too few of these may be told."""
MOST_LOOKED_AT: Final = 1_000_000
MOST_SCORED: Final = 200
"""Candidates whose grams are read and scored."""
MOST_NAMED: Final = 50


class View(NamedTuple):
    """Whose memories, and which of them."""

    store: Store
    scopes: tuple[str, ...] | None
    statuses: tuple[str, ...]
    kinds: tuple[str, ...] | None
    now: datetime

    @property
    def tenant(self) -> str:
        """Whose."""
        return self.store.tenant

    @property
    def within(self) -> list[str]:
        """The grams of the scopes; empty for everywhere."""
        return [] if self.scopes is None else [scope_gram(scope) for scope in self.scopes]

    def conditions(self) -> list[Condition]:
        """The memories of this view. A date that has passed makes an active memory an expired one, flipped or not."""
        past = and_(MEMORY.c.valid_until.is_not(None), MEMORY.c.valid_until <= self.now)
        status = unindexed(MEMORY.c.status)
        wanted: list[Condition] = [status.in_([one for one in self.statuses if one != "active"])]
        if "active" in self.statuses:
            wanted.append(and_(status == "active", not_(past)))
        if "expired" in self.statuses:
            wanted.append(and_(status == "active", past))
        held: list[Condition] = [MEMORY.c.tenant_id == self.tenant, or_(*wanted)]
        held += [] if self.scopes is None else [unindexed(MEMORY.c.scope).in_(list(self.scopes))]
        return held + ([] if self.kinds is None else [unindexed(MEMORY.c.kind).in_(list(self.kinds))])


class Standing(NamedTuple):
    """When a memory was last approved, changed or borne out, what bore it out, and how often it was handed out."""

    verified_at: datetime
    support: int
    uses: int


class Candidate(NamedTuple):
    """What ranking needs of a memory."""

    id: str
    kind: str
    key: str | None
    aliases: tuple[str, ...]
    paths: tuple[str, ...]
    source: str
    evidence: bool
    standing: Standing
    grams: str


def documents(connection: Connection, view: View, units: Sequence[Unit]) -> tuple[list[int], int]:
    """How many documents of the scopes hold each unit, and how many there are; counted up to a bound."""
    asked: list[tuple[str, ...]] = [unit.grams for unit in units]
    if view.within:
        asked.append(())
    counted = [
        select(literal_column(str(at)).label("place"), _number(view, grams).label("number"))
        for at, grams in enumerate(asked)
    ]
    numbers = {row.place: row.number for row in connection.execute(union_all(*counted))}
    found = [numbers[at] for at in range(len(units))]
    if view.within:
        return found, numbers[len(units)]
    every = select(DOC.c.rid).where(DOC.c.tenant_id == view.tenant).limit(MOST_COUNTED * 10).subquery()
    return found, connection.execute(select(func.count()).select_from(every)).scalar_one()


def _number(view: View, grams: tuple[str, ...]) -> Any:
    most = MOST_COUNTED if grams else MOST_COUNTED * 10
    return number_with_grams(view.tenant, grams, view.within, most)


def by_words(
    connection: Connection, view: View, leading: Sequence[Weighed], *, every: Sequence[Unit]
) -> list[Candidate]:
    """The memories that hold the most weight of the ``leading`` units, or all of ``every``; at most ``MOST_SCORED``."""
    if not leading:
        return []
    found = _heaviest(connection, view, leading, every, MOST_READ)
    if len(found) < MOST_SCORED and any(one.held_by >= MOST_READ for one in leading):
        # The newest that hold a common word may all be out of use: then the others count as well.
        found = _heaviest(connection, view, leading, every, MOST_LOOKED_AT)
    return read(connection, view, found)


def _heaviest(
    connection: Connection, view: View, leading: Sequence[Weighed], every: Sequence[Unit], most: int
) -> list[str]:
    branches = [_branch(view, one.unit.grams, one.weight, most) for one in leading]
    if len(every) > 1:
        grams = tuple(dict.fromkeys(gram for one in every for gram in one.grams))
        branches.append(_branch(view, grams, sum(one.weight for one in leading), most))
    hits = union_all(*branches).subquery()
    best = select(hits.c.rid, func.sum(hits.c.weight).label("weight")).group_by(hits.c.rid).subquery()
    joined = best.join(DOC, DOC.c.rid == best.c.rid).join(MEMORY, _same_memory(MEMORY.c.id))
    chosen = select(MEMORY.c.id).select_from(joined).where(DOC.c.tenant_id == view.tenant, *view.conditions())
    ordered = chosen.order_by(best.c.weight.desc(), best.c.rid.desc()).limit(MOST_SCORED)
    return list(connection.execute(ordered).scalars())


def counted(connection: Connection, view: View, units: Sequence[tuple[str, ...]], most: int) -> list[int]:
    """How many documents of the scopes hold each of these sets of grams, counted up to ``most``."""
    asked: list[Any] = [
        select(
            literal_column(str(at)).label("place"), number_with_grams(view.tenant, grams, view.within, most).label("n")
        )
        for at, grams in enumerate(units)
    ]
    numbers = {row.place: row.n for row in connection.execute(union_all(*asked))}
    return [numbers[at] for at in range(len(units))]


def heaviest(
    connection: Connection, view: View, weighed: Sequence[tuple[tuple[str, ...], float]], most: int, limit: int
) -> list[str]:
    """The ids of the memories that hold the most weight of these sets of grams; of each the newest ``most`` count."""
    if not weighed:
        return []
    hits = union_all(*(_branch(view, grams, weight, most) for grams, weight in weighed)).subquery()
    best = select(hits.c.rid, func.sum(hits.c.weight).label("weight")).group_by(hits.c.rid).subquery()
    joined = best.join(DOC, DOC.c.rid == best.c.rid).join(MEMORY, _same_memory(MEMORY.c.id))
    chosen = select(MEMORY.c.id).select_from(joined).where(DOC.c.tenant_id == view.tenant, *view.conditions())
    ordered = chosen.order_by(best.c.weight.desc(), best.c.rid.desc()).limit(limit)
    return list(connection.execute(ordered).scalars())


def _branch(view: View, grams: tuple[str, ...], weight: float, most: int) -> Any:
    hits = newest_with_grams(view.tenant, grams, view.within, most)
    return select(hits.c.rid, literal(weight).label("weight"))


def readable(view: View, ids: Sequence[str], read: Callable[[Sequence[str]], list[_T]]) -> list[_T]:
    """What ``read`` gives for these ids, without those that hold a damaged value: one must not hide the others."""
    try:
        return read(ids)
    except (DBAPIError, ValueDamaged) as error:
        ours = error if isinstance(error, ValueDamaged) else view.store.backend.translate(error, committing=False)
        if not isinstance(ours, ValueDamaged):
            raise
    if len(ids) <= 1:
        return []
    half = len(ids) // 2
    return [*readable(view, ids[:half], read), *readable(view, ids[half:], read)]


def read(connection: Connection, view: View, ids: Sequence[str]) -> list[Candidate]:
    """These memories with their grams and how they stand, in the order asked for."""
    return readable(view, ids, lambda part: _read(connection, view.tenant, part))


def _read(connection: Connection, tenant: str, ids: Sequence[str]) -> list[Candidate]:
    found: dict[str, Candidate] = {}
    for part in chunks(ids):
        rows = connection.execute(_CANDIDATES, {"tenant": tenant, "ids": part}).all()
        stand = standings(connection, tenant, {row.id: row.updated_at for row in rows})
        found |= {
            row.id: Candidate(
                id=row.id,
                kind=row.kind,
                key=row.key,
                aliases=tuple(row.aliases or ()),
                paths=tuple(row.paths or ()),
                source=row.source,
                evidence=row.quoted,
                standing=stand[row.id],
                grams=row.grams,
            )
            for row in rows
        }
    return [found[one] for one in ids if one in found]


def standings(connection: Connection, tenant: str, changed: Mapping[str, datetime]) -> dict[str, Standing]:
    """How memories stand, by id. ``changed`` gives a page of ids, each with when its row last changed."""
    asked = {"tenant": tenant, "ids": list(changed)}
    said = {row.memory_id: row.at for row in connection.execute(_SAID, asked)}
    used = {row.memory_id: row for row in connection.execute(_USED, asked)}
    found = {}
    for one, at in changed.items():
        row, at = used.get(one), said.get(one, at)
        verified = max(at, row.last_verified) if row and row.last_verified else at
        found[one] = Standing(verified, row.support if row else 0, row.uses if row else 0)
    return found


def _same_memory(memory_id: Any) -> ColumnElement[bool]:
    return and_(MEMORY.c.tenant_id == DOC.c.tenant_id, memory_id == DOC.c.memory_id)


def _of_page(table: Any, identity: Any) -> ColumnElement[bool]:
    return and_(table.c.tenant_id == bindparam("tenant"), identity.in_(bindparam("ids", expanding=True)))


def _when_said() -> Select[Any]:
    """When each memory was last approved or given what it says; what an undo brings back is not newer."""
    before = VERSION.alias("before")
    same = exists().where(
        before.c.tenant_id == VERSION.c.tenant_id,
        before.c.memory_id == VERSION.c.memory_id,
        before.c.revision == VERSION.c.revision - 1,
        before.c.entry == VERSION.c.entry,
    )
    chosen = select(VERSION.c.memory_id, func.max(VERSION.c.at).label("at"))
    return chosen.where(
        _of_page(VERSION, VERSION.c.memory_id), or_(VERSION.c.action == "approve", not_(same))
    ).group_by(VERSION.c.memory_id)


_CANDIDATES: Final = (
    select(*(MEMORY.c[name] for name in ("id", "kind", "key", "aliases", "paths", "source", "updated_at")))
    .add_columns(MEMORY.c.evidence.is_not(None).label("quoted"), DOC.c.grams)
    .select_from(MEMORY.join(DOC, _same_memory(MEMORY.c.id)))
    .where(_of_page(MEMORY, MEMORY.c.id))
)
_USED: Final = select(USAGE.c.memory_id, USAGE.c.last_verified, USAGE.c.support, USAGE.c.uses).where(
    _of_page(USAGE, USAGE.c.memory_id)
)
_SAID: Final = _when_said()


def by_key(connection: Connection, view: View, keys: Sequence[str]) -> list[str]:
    """The memories of the view that have one of these keys, in the order of the keys, then of the scopes."""
    if not keys:
        return []
    chosen = select(MEMORY.c.id, MEMORY.c.key, MEMORY.c.scope).where(MEMORY.c.tenant_id == view.tenant)
    if view.scopes is None:
        grams = [list(dict.fromkeys(gram.rstrip("*") for part in terms(key) for gram in part)) for key in keys]
        hits = [newest_with_grams(view.tenant, one, [], MOST_READ) for one in grams]
        named = select(DOC.c.memory_id).where(DOC.c.rid.in_(union_all(*(select(one.c.rid) for one in hits))))
        chosen = chosen.where(MEMORY.c.id.in_(named), unindexed(MEMORY.c.key).in_(list(keys)))
    elif view.statuses == ("active",):
        chosen = chosen.where(*HOLDS_KEY, MEMORY.c.key.in_(list(keys)), MEMORY.c.scope.in_(list(view.scopes)))
    else:
        chosen = chosen.where(MEMORY.c.key.in_(list(keys)))
    rows = connection.execute(chosen.where(*view.conditions()).limit(MOST_NAMED)).all()
    place = {scope: at for at, scope in enumerate(view.scopes or ())}
    rows = sorted(rows, key=lambda row: (list(keys).index(row.key), place.get(row.scope, 0)))
    return [row.id for row in rows]


def by_name(connection: Connection, view: View, name: str) -> list[str]:
    """The memories of the view among whose aliases or paths ``name`` is, or of which it is a part; at most fifty."""
    grams = list(dict.fromkeys(gram for part in terms(name) for gram in part))
    if not grams:
        return []
    spelled = json.dumps(name, ensure_ascii=False)[1:-1]
    held = or_(*(contains(cast(column, Text), spelled) for column in (MEMORY.c.aliases, MEMORY.c.paths)))
    hits = newest_with_grams(view.tenant, grams, view.within, MOST_READ // 2)
    joined = hits.join(DOC, DOC.c.rid == hits.c.rid).join(MEMORY, _same_memory(MEMORY.c.id))
    chosen = select(MEMORY.c.id).select_from(joined).where(DOC.c.tenant_id == view.tenant, held, *view.conditions())
    return list(connection.execute(chosen.limit(MOST_NAMED)).scalars())


def by_id(connection: Connection, view: View, token: str) -> list[str]:
    """The memories of the view whose id is, or ends in, ``token``; a few, the newest first."""
    chosen = select(MEMORY.c.id).where(*view.conditions())
    if len(token) == 36:
        chosen = chosen.where(MEMORY.c.id == token)
    else:
        chosen = chosen.where(func.substr(MEMORY.c.id, 37 - len(token)) == literal(token))
        if view.statuses == ("active",) and view.scopes is not None:
            chosen = chosen.where(MEMORY.c.status == "active", MEMORY.c.scope.in_(list(view.scopes)))
    return list(connection.execute(chosen.order_by(unindexed(MEMORY.c.id).desc()).limit(MOST_NAMED)).scalars())


_SECTION: Final = case(
    (MEMORY.c.pinned, -1),
    (MEMORY.c.kind.in_(SEMANTIC_KINDS), 0),
    (MEMORY.c.kind.in_(("decision", "requirement")), 1),
    else_=2,
)


_ORDER: Final = (literal(0) - _SECTION, MEMORY.c.updated_at, MEMORY.c.id)
"""Down in every column, so that one row value tells what comes after another."""


def listed(
    connection: Connection, view: View, limit: int | None, after: str | None
) -> tuple[int, list[str], str | None]:
    """How many memories the view holds; the ids of a page in the order of the block; what the next page comes after."""
    held = _indexed(view)
    total = connection.execute(select(func.count()).select_from(MEMORY).where(*held)).scalar_one()
    if after is not None:
        own = select(*_ORDER).where(MEMORY.c.tenant_id == view.tenant, MEMORY.c.id == after)
        place = connection.execute(own).first()
        if place is None:
            raise NotFound(f'No memory has the id "{after}" to go on after.')
        held.append(tuple_(*_ORDER) < tuple_(*place))
    chosen = _in_order(held)
    ids = list(connection.execute(chosen if limit is None else chosen.limit(limit + 1)).scalars())
    more = limit is not None and len(ids) > limit
    ids = ids[:limit]
    return total, ids, ids[-1] if more else None


def all_listed(connection: Connection, view: View) -> PackedIds:
    """All ids of ``listed``."""
    inner = _in_order(_indexed(view)).subquery()
    joined = connection.execute(select(func.aggregate_strings(inner.c.id, ""))).scalar()
    return PackedIds.stored(joined)


def still(connection: Connection, view: View, ids: Sequence[str]) -> list[str]:
    """Those of these ids that the view holds, in their order."""
    held: set[str] = set()
    for part in chunks(ids):
        chosen = select(MEMORY.c.id).where(MEMORY.c.id.in_(list(part)), *view.conditions())
        held.update(connection.execute(chosen).scalars())
    return [one for one in ids if one in held]


def _indexed(view: View) -> list[Condition]:
    return [*view.conditions(), MEMORY.c.status.in_(view.statuses), *in_scopes(MEMORY, view.scopes)]


def _in_order(held: Sequence[Condition]) -> Select[Any]:
    return select(MEMORY.c.id).where(*held).order_by(*(column.desc() for column in _ORDER))
