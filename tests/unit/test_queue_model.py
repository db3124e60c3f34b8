"""The queue as its list sees it: folded rows, near-copies behind their heads; nothing lost and no place twice."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.screens.queue_copies import NO_COPIES, Copies
from console.screens.queue_model import FOLD, OLDER, QueueIds
from store.packed import PackedIds


def name(number: int) -> str:
    return str(uuid.UUID(int=number + 1))


def ids(*numbers: int) -> PackedIds:
    return PackedIds.of(name(number) for number in numbers)


def listed(queue: QueueIds) -> list[str]:
    return [queue[at] for at in range(len(queue))]


def test_what_is_folded_stands_below_what_waits_and_opens_in_its_place() -> None:
    queue = QueueIds(ids(0, 1), ids(7, 8), older=ids(4, 5))
    assert listed(queue) == [name(0), name(1), OLDER, FOLD]
    assert queue.everything == 6
    assert list(queue.decidable()) == [name(0), name(1)]
    opened = replace(queue, opened=frozenset({OLDER}))
    assert listed(opened) == [name(0), name(1), OLDER, name(4), name(5), FOLD]
    assert list(opened.decidable()) == [name(0), name(1), name(4), name(5)]
    assert opened.index(name(7)) is None and opened.index(name(5)) == 4 and opened.index(FOLD) == 5
    with pytest.raises(IndexError):
        opened[6]
    assert listed(QueueIds(ids(0), ids())) == [name(0)], "no row for what is not there"


def test_near_copies_are_one_row_where_the_first_of_them_stands() -> None:
    copies = Copies.of([[name(3), name(1), name(5)], [name(9)]])
    assert len(copies) == 1, "one alone is no cluster"
    kept, rows = copies.among(ids(0, 1, 2, 3, 4, 5))
    assert list(rows) == [name(0), name(3), name(2), name(4)]
    assert kept.whole(name(5)) == (name(3), name(1), name(5)) == kept.whole(name(3))
    assert kept.folded(name(3)) and not kept.folded(name(1)) and kept.whole(name(0)) == ()
    _, rows = kept.toggled(name(5)).among(ids(0, 1, 2, 3, 4, 5))
    assert list(rows) == [name(0), name(3), name(1), name(5), name(2), name(4)]


def test_a_cluster_whose_head_has_gone_has_another_and_one_that_is_left_alone_is_none() -> None:
    copies = Copies.of([[name(3), name(1), name(5)]], frozenset({name(3)}))
    kept, rows = copies.among(ids(0, 1, 5))
    assert kept.whole(name(5)) == (name(1), name(5)) and list(rows) == [name(0), name(1), name(5)], "it stays open"
    kept, rows = copies.among(ids(0, 5))
    assert len(kept) == 0 and list(rows) == [name(0), name(5)]


def test_what_comes_back_is_shown_wherever_it_is_folded() -> None:
    copies, rows = Copies.of([[name(1), name(2)]]).among(ids(0, 1, 2))
    queue = QueueIds(ids(0, 1, 2), ids(7), older=ids(4), copies=copies, rows=rows)
    assert queue.showing(name(0)) == (queue, name(0))
    assert queue.showing(name(2)) == (queue, name(1)), "by its head"
    assert queue.showing(name(4)) == (replace(queue, opened=frozenset({OLDER})), name(4))
    assert queue.showing(name(7)) == (replace(queue, opened=frozenset({FOLD})), name(7))
    assert queue.showing(name(9)) == (queue, name(9)), "not there"


def test_what_the_cursor_stands_on_does_not_go_behind_a_head() -> None:
    copies = Copies.of([[name(3), name(1)]])
    assert copies.kept_open(name(1)).opened == {name(3)}
    assert copies.kept_open(name(3)) == copies == copies.kept_open(None)


@settings(max_examples=40)
@given(
    st.lists(st.integers(0, 30), unique=True),
    st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=5), max_size=6),
    st.sets(st.integers(0, 30)),
)
def test_every_row_is_there_once_and_every_id_is_a_row_or_behind_one(
    waiting: list[int], groups: list[list[int]], opened: set[int]
) -> None:
    seen: set[int] = set()
    clusters = []
    for group in groups:
        fresh = [number for number in dict.fromkeys(group) if number not in seen]
        seen |= set(fresh)
        if fresh:
            clusters.append([name(number) for number in fresh])
    copies = Copies.of(clusters, frozenset(map(name, opened)))
    kept, rows = copies.among(ids(*waiting))
    shown = list(rows)
    assert len(shown) == len(set(shown))
    behind = {one for head in kept.others if head not in kept.opened for one in kept.others[head]}
    assert set(shown) | behind == set(map(name, waiting))
    assert not set(shown) & behind
    assert NO_COPIES.among(ids(*waiting))[1] == ids(*waiting)
