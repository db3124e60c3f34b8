"""Near-copies among memories: one survives, the others expire, and one undo brings them back."""

from __future__ import annotations

import pytest

from store import history
from store.errors import Conflict, UsageError
from store.memory_copies import keep_one, memory_clusters
from store.verify import verify
from tests.contract.decisions import ANN, BOB, Desk

SAID = ("Always use uv, never pip, in this repository", "In this repository always use uv, never pip")


def test_D014_exactly_one_is_left_and_undo_restores_the_other(desk: Desk) -> None:
    one, other, apart = desk.hold_many(*SAID, "Deploys run on Mondays")
    (cluster,) = memory_clusters(desk.store, [one.id, other.id, apart.id]).items
    assert set(cluster.ids) == {one.id, other.id}
    (rest,) = cluster.members
    done = keep_one(desk.store, [(cluster.head, 1)], [(rest, 1)], by=ANN)
    assert done.memory_ids == (rest,)
    assert set(desk.served()) == {cluster.head, apart.id}
    assert memory_clusters(desk.store, [one.id, other.id]).items == ()
    history.undo(desk.store, by=ANN)
    assert set(desk.served()) == {one.id, other.id, apart.id}
    assert verify(desk.store) is None


def test_the_last_one_is_never_taken(desk: Desk) -> None:
    one, other = desk.hold_many(*SAID)
    with pytest.raises(UsageError):
        keep_one(desk.store, [(one.id, 1)], [(one.id, 1), (other.id, 1)], by=ANN)
    with pytest.raises(UsageError):
        keep_one(desk.store, [], [(one.id, 1), (other.id, 1)], by=ANN)
    history.delete(desk.store, one.id, 1, by=BOB)
    with pytest.raises(Conflict, match="meanwhile"):
        keep_one(desk.store, [(one.id, 1)], [(other.id, 1)], by=ANN)
    assert set(desk.served()) == {other.id}


def test_another_number_scope_or_key_is_no_copy(desk: Desk) -> None:
    held = desk.hold_many(
        "The port of the database is 5433",
        "The port of the database is 5440",
        {"content": "Use uv, never pip, in this repository", "scope": "other"},
        {"content": "Always use uv, never pip, in this repository", "key": "build.tool"},
    )
    assert memory_clusters(desk.store, [one.id for one in held]).items == ()
