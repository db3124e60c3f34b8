"""Near-copies kept up while what waits changes: only what is like the new ones is looked at again."""

from __future__ import annotations

from store import clusters, clusters_kept, cue_reading, gathering, likeness
from store.clusters_kept import kept_up
from store.engine import Store
from tests.contract.proposing import PERSON, propose

RULE = ("Use uv, never pip, in this repository.", "In this repository use uv and never pip.")
THINGS = ("router", "printer", "ladder", "kettle", "window", "garden", "cellar", "engine", "basket", "pencil")


def lay(store: Store, *said: str) -> list[str]:
    return [str(one.id) for one in propose(store, *({"content": one} for one in said), context=PERSON)]


def many(store: Store) -> list[str]:
    return lay(store, *(f"The {a} of the {b} is {c}." for a in THINGS for b in THINGS for c in ("red", "old", "new")))


def test_one_more_among_many_is_compared_with_few(store: Store) -> None:
    ids = [*many(store), *lay(store, RULE[0])]
    assert len(ids) > clusters.MANY
    first = kept_up(store, ids, None)
    assert first is not None and first.looked_at == len(ids)
    assert kept_up(store, ids[1:], first) is None
    assert kept_up(store, ids[::-1], first) is None, "another order says nothing new"
    more = lay(store, RULE[1], "Cookies are served in the kitchen.")
    second = kept_up(store, [*more, *ids[1:]], first)
    assert second is not None
    assert second.looked_at <= len(more) * (clusters_kept.LIKELY + 1)
    assert {ids[-1], more[0]} in [set(one.ids) for one in second.items]
    assert set(second.words) == {*more, *ids[1:]}


def test_a_new_one_joins_a_cluster_that_is_there(store: Store) -> None:
    ids = [*many(store), *lay(store, *RULE)]
    first = kept_up(store, ids, None)
    assert first is not None
    third = lay(store, "In this repo, always use uv, not pip.")
    second = kept_up(store, [*ids, *third], first)
    assert second is not None
    assert {*ids[-2:], *third} in [set(one.ids) for one in second.items]


def test_nothing_drawn_from_many_texts_stays_in_memory(store: Store) -> None:
    kept_up(store, many(store), None)
    assert cue_reading.read.cache_info().currsize == 0
    assert likeness.marks.cache_info().currsize == 0
    assert not gathering._JUDGED[store].near
