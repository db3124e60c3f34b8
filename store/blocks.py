"""The blocks that a store keeps, one a scope: rendered in the transaction of every act that changes what is given.

A hook has no time to look for what is newest, so each scope's row holds it ready: the pinned memories, then the newest
whose lines fill a block, those that have a date not counted (they may leave it), and the ids of the next few. However
many memories a scope holds, rendering reads no more of them than that: which were pinned, the row before knows.

The row of the scope "" tells that all rows are of this program's form. Where it is missing or another, nothing is kept
up to date, until ``ensure`` has rendered them all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Text, and_, bindparam, cast, delete, func, insert, literal_column, or_, select, text

from store import block
from store.block import Item
from store.engine import Store
from store.entry import content_hash, iso
from store.errors import MeminboxError, StoreDamaged
from store.models import GIVEN, BlockRow
from store.reading import AT_PRESENT, DATED, MEMORY, VERSION

BLOCK = BlockRow.__table__  # type: ignore[attr-defined]
_PAGE: Final = 60
"""Memories fetched at once: about what fills a block."""
_DATED: Final = 2
"""How many blocks those with a date may fill: what expires is replaced by the next act, which expires it."""
_NO_FORM: Final = 0
"""The form of a row that holds nothing to rely on."""
_OF_FORM: Final = ""
"""The scope of the row that tells the form."""
_MOST_ROWS: Final = 600
"""Memories looked at, at most, where many have a date, or are not what was approved."""
_MOST_PINNED: Final = 200
"""Pinned memories that a row holds at most, the last pinned: far more than a block has room for."""
_STANDS: Final = text(GIVEN.replace("status", "memory.status").replace("kind", "memory.kind"))
_ACTIVE: Final = MEMORY.c.status == literal_column("'active'")
_HELD: Final = (
    # Only what stands in a block: a damaged list of aliases must not keep a person from deciding on a neighbour.
    select(
        MEMORY.c.id,
        MEMORY.c.revision,
        MEMORY.c.kind,
        MEMORY.c.key,
        MEMORY.c.source,
        MEMORY.c.content,
        MEMORY.c.content_hash,
        MEMORY.c.valid_until,
        MEMORY.c.updated_at,
        VERSION.c.entry,
    )
    .join_from(
        MEMORY,
        VERSION,
        and_(AT_PRESENT, VERSION.c.status == MEMORY.c.status),
        isouter=True,
    )
    .where(MEMORY.c.tenant_id == bindparam("tenant"), MEMORY.c.scope == bindparam("scope"))
    .order_by(MEMORY.c.updated_at.desc(), MEMORY.c.id.desc())
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
_GIVEN: Final = _HELD.where(_STANDS, ~MEMORY.c.pinned)
_PINNED: Final = _HELD.where(_ACTIVE, MEMORY.c.pinned)
_PINNED_AMONG: Final = _PINNED.where(MEMORY.c.id.in_(bindparam("ids", expanding=True)))
_SCOPES: Final = (
    select(MEMORY.c.scope)
    .distinct()
    .where(MEMORY.c.tenant_id == bindparam("tenant"), or_(_STANDS, and_(_ACTIVE, MEMORY.c.pinned)))
)
_JSON: Final = json.encoder.encode_basestring
"""As ``Entry.canonical_json`` spells a text."""


def render(store: Store, connection: Connection, scopes: Iterable[str], pinned: Sequence[str] = ()) -> None:
    """Bring the blocks of these scopes up to date, in the caller's write transaction.

    ``pinned`` are the memories that the caller changed and that are pinned now; those of before the rows know. Where
    the store's blocks are of another form they are left to the program that knows it, and marked as stale.
    """
    form = _form(connection, store.tenant)
    if form == block.FORM:
        for scope in sorted(set(scopes)):
            _render(connection, store.tenant, scope, pinned)
    elif form is not None:
        connection.execute(delete(BLOCK).where(BLOCK.c.tenant_id == store.tenant))


def ensure(store: Store, *, wait: float | None = None) -> bool:
    """Render every scope of a store whose blocks are missing or of another form; whether there was anything to do.

    Nothing is done where the store may not be written. Raises StoreTrouble, as any writing does.
    """
    if store.read_only is not None:
        return False
    with store.read() as connection:
        if _form(connection, store.tenant) == block.FORM:
            return False
    with store.write(wait=wait) as connection:
        if _form(connection, store.tenant) == block.FORM:
            return False
        connection.execute(delete(BLOCK).where(BLOCK.c.tenant_id == store.tenant))
        for (scope,) in connection.execute(_SCOPES, {"tenant": store.tenant}).all():
            _render(connection, store.tenant, scope)
        _write(connection, store.tenant, _OF_FORM, [])
    return True


def read(store: Store, scopes: Sequence[str]) -> list[list[Item]]:
    """The items of these scopes: as they are kept, or, where what is kept cannot be relied on, from the memories."""
    with store.read() as connection:
        whole = _form(connection, store.tenant) == block.FORM
        kept = _kept(connection, store.tenant, scopes) if whole else {}
        found = [kept.get(scope, [] if whole else None) for scope in scopes]
        items = [
            _items(connection, store.tenant, scope) if one is None else one
            for scope, one in zip(scopes, found, strict=True)
        ]
    broken = [scope for scope, one in zip(scopes, found, strict=True) if one is None]
    if whole and broken and store.read_only is None:
        with suppress(MeminboxError), store.write(wait=0.0) as connection:
            render(store, connection, broken)
    return items


def stray(store: Store, connection: Connection) -> str | None:
    """The first scope whose block is not what its memories say, or None: somebody wrote past the ledger."""
    if _form(connection, store.tenant) != block.FORM:
        return None
    ours = BLOCK.c.tenant_id == store.tenant
    kept: set[str] = {
        row.scope for row in connection.execute(select(BLOCK.c.scope).where(ours, BLOCK.c.scope != _OF_FORM))
    }
    given: set[str] = {row.scope for row in connection.execute(_SCOPES, {"tenant": store.tenant})}
    for scope in sorted(kept | given):
        said = _kept(connection, store.tenant, [scope]).get(scope, [])
        if said != _items(connection, store.tenant, scope):
            return scope
    return None


def number(store: Store, scopes: Sequence[str]) -> int:
    """How many memories of these scopes are active and not past their date; ``block.MOST_COUNTED`` at most."""
    here = [MEMORY.c.tenant_id == store.tenant, MEMORY.c.scope.in_(list(scopes))]
    active: Any = select(literal_column("1")).where(*here, MEMORY.c.status == "active").limit(block.MOST_COUNTED)
    past = select(func.count()).where(*here, *DATED, MEMORY.c.valid_until <= store.now())
    with store.read() as connection:
        counted = connection.execute(select(func.count()).select_from(active.subquery())).scalar_one()
        return int(counted) - int(connection.execute(past).scalar_one())


def _form(connection: Connection, tenant: str) -> int | None:
    said = select(BLOCK.c.form).where(BLOCK.c.tenant_id == tenant, BLOCK.c.scope == _OF_FORM)
    form: int | None = connection.execute(said).scalar()
    return form


def _kept(connection: Connection, tenant: str, scopes: Sequence[str]) -> dict[str, list[Item] | None]:
    """By scope what is kept; None for a row that is damaged. As text, so that damage is met here and nowhere else."""
    chosen = select(BLOCK.c.scope, BLOCK.c.form, cast(BLOCK.c["items"], Text).label("said")).where(
        BLOCK.c.tenant_id == tenant, BLOCK.c.scope.in_(list(scopes))
    )
    found: dict[str, list[Item] | None] = {}
    for row in connection.execute(chosen):
        try:
            values: Any = json.loads(row.said)
        except (ValueError, TypeError):
            values = None
        found[row.scope] = block.unpacked(values) if row.form == block.FORM else None
    return found


def _render(connection: Connection, tenant: str, scope: str, pinned: Sequence[str] | None = None) -> None:
    try:
        items = _items(connection, tenant, scope, _still_pinned(connection, tenant, scope, pinned))
    except StoreDamaged:
        # Whoever reads this scope is told. A decision on another memory of it goes on.
        _write(connection, tenant, scope, [], form=_NO_FORM)
    else:
        _write(connection, tenant, scope, items)


def _write(connection: Connection, tenant: str, scope: str, items: Sequence[Item], *, form: int = block.FORM) -> None:
    connection.execute(delete(BLOCK).where(BLOCK.c.tenant_id == tenant, BLOCK.c.scope == scope))
    row = {"tenant_id": tenant, "scope": scope, "form": form, "items": block.packed(items)}
    connection.execute(insert(BLOCK), [row])


def _still_pinned(
    connection: Connection, tenant: str, scope: str, pinned: Sequence[str] | None
) -> Sequence[str] | None:
    """Among what the pinned ones of a scope are: those that its row named, and ``pinned``. None: it cannot be told."""
    before = _kept(connection, tenant, [scope]).get(scope, []) if pinned is not None else None
    if before is None or pinned is None:
        return None
    named = [one.id for one in before if one.section == block.PINNED]
    return [*named, *pinned] if max(len(named), len(pinned)) < _MOST_PINNED else None


def _pinned(connection: Connection, asked: dict[str, Any], among: Sequence[str] | None) -> Sequence[Any]:
    if among is None:
        return connection.execute(_PINNED, asked).all()
    return connection.execute(_PINNED_AMONG, asked | {"ids": list(among)}).all() if among else ()


def _items(connection: Connection, tenant: str, scope: str, pinned: Sequence[str] | None = None) -> list[Item]:
    """The pinned memories of a scope, which are among ``pinned`` (None: look for them), and its newest.

    The newest until those without a date fill a block, and the ids of those behind them.
    """
    items: list[Item] = []
    lasting, dated, behind, offset = block.LIMIT, _DATED * block.LIMIT, block.NAMED, 0
    asked = {"tenant": tenant, "scope": scope, "limit": _MOST_PINNED, "offset": 0}
    for row in _pinned(connection, asked, pinned):
        made = _item(scope, True, *row)
        if made is not None:
            items.append(made if lasting > 0 and dated > 0 else made._replace(line=""))
            lasting -= 0 if made.until else len(made.line) + 1
            dated -= len(made.line) + 1 if made.until else 0
    while behind > 0 and offset < _MOST_ROWS:
        rows: Sequence[Any] = connection.execute(_GIVEN, asked | {"limit": _PAGE, "offset": offset}).all()
        for row in rows:
            made = _item(scope, False, *row)
            if made is None:
                continue
            if lasting <= 0 or dated <= 0:
                items.append(made._replace(line=""))
                behind -= 1
                if behind == 0:
                    break
            else:
                items.append(made)
                lasting -= 0 if made.until else len(made.line) + 1
                dated -= len(made.line) + 1 if made.until else 0
        offset += len(rows)
        if len(rows) < _PAGE:
            break
    return items


def _item(
    scope: str,
    pinned: bool,
    memory_id: str,
    revision: int,
    kind: str,
    key: str | None,
    source: str,
    content: str | None,
    hash_: str,
    valid_until: datetime | None,
    updated_at: datetime,
    approved: str | None,
) -> Item | None:
    """A memory as it stands in a block; None unless every word of it is what the version of its revision says."""
    if content is None or approved is None or content_hash(content) != hash_:
        return None
    # In the one spelling of an entry no value can hold what reads as a name: quotes within values are escaped.
    name, end = _JSON(key) if key else "null", _JSON(str(iso(valid_until))) if valid_until else "null"
    said = (
        f'"content":{_JSON(content)},',
        f'"key":{name},"kind":"{kind}",',
        f'"scope":{_JSON(scope)},',
        f'"source":"{source}",',
        f'"valid_until":{end}}}',
    )
    if not all(part in approved for part in said):
        return None
    at, until = block.moment(updated_at), block.moment(valid_until)
    line = block.spelled(memory_id, kind, key, scope, source, at, until, content)
    return Item(memory_id, revision, block.PINNED if pinned else block.SECTIONS[kind], at, until, line)
