"""What a person looked at after a refactor and keeps: remembered for this state of the text and these commits.

A fact in ``setting``, not an operation: it changes no memory, and the same key takes it back. Another revision of the
memory, or another commit that moves or deletes what it names, asks again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from sqlalchemy import delete, insert, select

from store.engine import Store
from store.models import SettingRow
from store.reading import chunks
from store.verdicts import TextVerdict

SETTING = SettingRow.__table__  # type: ignore[attr-defined]
_NAME = "kept:"


def cause(revision: int, verdict: TextVerdict | None) -> str:
    """The digest of why a memory is in the list: its revision, and what became of what it names."""
    stale = () if verdict is None else verdict.mentions
    said = [revision, [[one.mention.text, one.verdict, one.new_path, one.commit] for one in stale if one.stale]]
    return hashlib.sha256(json.dumps(said).encode("ascii")).hexdigest()


def kept(store: Store, ids: Sequence[str]) -> dict[str, str]:
    """By memory, the ``cause`` for which it was kept; those that were not are left out."""
    found: dict[str, str] = {}
    with store.read() as connection:
        for part in chunks(list(ids)):
            chosen = select(SETTING.c.name, SETTING.c.value).where(
                SETTING.c.tenant_id == store.tenant, SETTING.c.name.in_([_NAME + one for one in part])
            )
            found |= {row.name.removeprefix(_NAME): row.value.get("cause", "") for row in connection.execute(chosen)}
    return found


def keep(store: Store, causes: Mapping[str, str]) -> None:
    """Remember that these memories (id -> ``cause``) are kept as they are. Raises StoreTrouble."""
    _forget_and(store, list(causes), [{"name": _NAME + one, "value": {"cause": why}} for one, why in causes.items()])


def unkeep(store: Store, ids: Sequence[str]) -> None:
    """Forget that these memories were kept. Raises StoreTrouble."""
    _forget_and(store, list(ids), [])


def _forget_and(store: Store, ids: Sequence[str], rows: Sequence[dict[str, object]]) -> None:
    with store.write() as connection:
        for part in chunks(list(ids)):
            connection.execute(
                delete(SETTING).where(
                    SETTING.c.tenant_id == store.tenant, SETTING.c.name.in_([_NAME + one for one in part])
                )
            )
        if rows:
            now = store.now()
            connection.execute(insert(SETTING), [{"tenant_id": store.tenant, "at": now, **row} for row in rows])
