"""Stored vectors as rows: what they are of, how they are spelled, how they are written. float16 in, float32 out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, delete, func, insert, select

from store.facts import OPEN
from store.models import EmbeddingRow
from store.reading import MEMORY, PROPOSAL, chunks

EMBEDDING = EmbeddingRow.__table__  # type: ignore[attr-defined]
Owner = Literal["memory", "proposal"]
Vectors = NDArray[np.float32]
STATUSES: Final[dict[Owner, tuple[str, ...]]] = {
    "memory": ("active", "expired", "retired", "archived"),
    "proposal": (*OPEN, "rejected"),
}
"""What has a vector: what waits, what was refused, and every memory that is not deleted."""
_KEPT_AS: Final = np.dtype("<f2")
BYTES: Final = _KEPT_AS.itemsize
"""Bytes of one number."""
AT_ONCE: Final = 1024
"""Vectors that are turned from one format into the other at once: as much as stays in a processor's cache."""


class Made(NamedTuple):
    """A vector that was made of a text with this hash."""

    owner: Owner
    owner_id: str
    text_hash: str
    vector: bytes


def table_of(owner: Owner) -> Any:
    """The table whose rows these vectors are of."""
    return MEMORY if owner == "memory" else PROPOSAL


def packed(vector: NDArray[Any]) -> bytes:
    """A vector as it is stored."""
    return vector.astype(_KEPT_AS).tobytes()


def unpacked(stored: Sequence[bytes], dim: int) -> Vectors:
    """Stored vectors of one length as the rows of an array. All must be whole (``is_whole``)."""
    found = np.empty((len(stored), dim), dtype=np.float32)
    for start in range(0, len(stored), AT_ONCE):
        part = stored[start : start + AT_ONCE]
        into = found[start : start + len(part)]
        into[:] = np.frombuffer(b"".join(part), dtype=_KEPT_AS).reshape(len(part), dim)
        odd = ~np.isfinite(into.sum(axis=1))
        if odd.any():
            into[odd] = 0
    return found


def is_whole(stored: bytes, dim: int) -> bool:
    """Whether a stored vector has the length it should."""
    return len(stored) == dim * BYTES


def write(connection: Connection, tenant: str, model_key: str, dim: int, made: Iterable[Made]) -> None:
    """Store vectors, in the caller's write; each takes the place of what its owner had of this model."""
    rows = list({one.owner_id: one for one in made}.values())
    forget(connection, tenant, [one.owner_id for one in rows], model_key)
    if rows:
        own = EMBEDDING.c.tenant_id == tenant
        serial = connection.execute(select(func.max(EMBEDDING.c.serial)).where(own, EMBEDDING.c.model_key == model_key))
        ours = {"tenant_id": tenant, "model_key": model_key, "dim": dim, "serial": (serial.scalar() or 0) + 1}
        connection.execute(insert(EMBEDDING), [{**ours, **one._asdict()} for one in rows])


def forget(connection: Connection, tenant: str, owner_ids: Sequence[str], model_key: str | None = None) -> None:
    """Take away the vectors of these, of one model or of all, in the caller's write."""
    for part in chunks(owner_ids):
        gone = delete(EMBEDDING).where(EMBEDDING.c.tenant_id == tenant, EMBEDDING.c.owner_id.in_(list(part)))
        connection.execute(gone if model_key is None else gone.where(EMBEDDING.c.model_key == model_key))


def forget_texts(connection: Connection, tenant: str, model_key: str, hashes: Sequence[str]) -> None:
    """Take away the vectors of one model that were made of texts with these hashes, in the caller's write."""
    for part in chunks(hashes):
        own = (EMBEDDING.c.tenant_id == tenant, EMBEDDING.c.model_key == model_key)
        connection.execute(delete(EMBEDDING).where(*own, EMBEDDING.c.text_hash.in_(list(part))))


def of_text(connection: Connection, tenant: str, model_key: str, hashes: Sequence[str]) -> dict[str, bytes]:
    """Stored vectors of texts with these hashes, whoever's: the same text is never encoded twice."""
    found: dict[str, bytes] = {}
    for part in chunks(hashes):
        rows = connection.execute(_OF_TEXT, {"tenant": tenant, "model": model_key, "hashes": list(part)})
        found |= {row.text_hash: row.vector for row in rows}
    return found


def text_hashes(connection: Connection, tenant: str, model_key: str, owner_ids: Sequence[str]) -> dict[str, str]:
    """By owner, the hash of the text that its vector was made of."""
    found: dict[str, str] = {}
    for part in chunks(owner_ids):
        rows = connection.execute(_TEXT_HASHES, {"tenant": tenant, "model": model_key, "ids": list(part)})
        found |= {row.owner_id: row.text_hash for row in rows}
    return found


def of_owners(connection: Connection, tenant: str, model_key: str, owner_ids: Sequence[str]) -> list[Any]:
    """The rows of these owners: owner, owner_id, text_hash, dim, vector."""
    found: list[Any] = []
    for part in chunks(owner_ids):
        found += connection.execute(_OF_OWNERS, {"tenant": tenant, "model": model_key, "ids": list(part)}).all()
    return found


_OWN: Final = EMBEDDING.c.tenant_id == bindparam("tenant")
_BY_OWNER: Final = (
    _OWN,
    EMBEDDING.c.model_key == bindparam("model"),
    EMBEDDING.c.owner_id.in_(bindparam("ids", expanding=True)),
)
_OF_TEXT: Final = select(EMBEDDING.c.text_hash, EMBEDDING.c.vector).where(
    _OWN, EMBEDDING.c.model_key == bindparam("model"), EMBEDDING.c.text_hash.in_(bindparam("hashes", expanding=True))
)
_OF_OWNERS: Final = select(
    EMBEDDING.c.owner, EMBEDDING.c.owner_id, EMBEDDING.c.text_hash, EMBEDDING.c.dim, EMBEDDING.c.vector
).where(*_BY_OWNER)
_TEXT_HASHES: Final = select(EMBEDDING.c.owner_id, EMBEDDING.c.text_hash).where(*_BY_OWNER)
