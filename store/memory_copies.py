"""Near-copies among memories in use: groups that say one thing, and keeping one of each.

The survivor is named first and never touched; the others expire in one operation with one undo.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import select

from store import tending
from store.clusters import MOST, Clusters, compared
from store.encoders import Encoder
from store.engine import Store
from store.errors import UsageError
from store.facts import Actor, Done
from store.gathering import One
from store.reading import MEMORY, chunks


def memory_clusters(
    store: Store,
    ids: Sequence[str],
    *,
    encoder: Encoder | None = None,
    wanted: Callable[[], bool] = lambda: True,
) -> Clusters:
    """The near-copies among these memories, as ``clusters.clusters`` finds them among proposals; the same bounds.

    ``ids`` name each memory once; of more than ``MOST`` the first ones are compared: thousands cost seconds.
    """
    chosen = list(ids[:MOST])
    left_out = len(ids) - len(chosen)
    return compared(store, _in_use(store, chosen), encoder, wanted, left_out=left_out)


def keep_one(store: Store, kept: Sequence[tuple[str, int]], rest: Sequence[tuple[str, int]], *, by: Actor) -> Done:
    """Expire ``rest`` (id, revision), the near-copies of those that are ``kept``. Raises as ``tending.expire``.

    Nothing is done where one that is kept is among the rest (UsageError), or not in use as it was shown (Conflict).
    """
    survivors = dict(kept)
    if not survivors or survivors.keys() & dict(rest).keys():
        raise UsageError("One of them has to stay.", kept="Nothing was changed.")
    names = ", ".join(one[-6:] for one in list(survivors)[:3])
    more = f" and {len(survivors) - 3:,} more" if len(survivors) > 3 else ""
    return tending.expire(store, rest, by=by, reason=f"near-copies of {names}{more}", instead=kept)


def _in_use(store: Store, ids: Sequence[str]) -> list[One]:
    found: dict[str, One] = {}
    columns = (MEMORY.c.id, MEMORY.c.scope, MEMORY.c.kind, MEMORY.c.key, MEMORY.c.content)
    with store.read() as connection:
        for part in chunks(ids):
            chosen = select(*columns).where(
                MEMORY.c.tenant_id == store.tenant,
                MEMORY.c.id.in_(list(part)),
                MEMORY.c.status == "active",
                MEMORY.c.content.is_not(None),
            )
            found |= {row.id: One(row) for row in connection.execute(chosen)}
    return [found[one] for one in ids if one in found]
