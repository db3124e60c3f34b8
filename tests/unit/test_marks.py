"""Marks are a set of ids, however they came about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from console.widgets.marks import Marks
from store.ids import new_id
from store.packed import PackedIds

IDS = [new_id() for _ in range(12)]
one = st.sampled_from(IDS)
some = st.lists(one, max_size=6)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), some),
        st.tuples(st.just("remove"), some),
        st.tuples(st.just("toggle"), some.filter(bool).map(lambda ids: ids[:1])),
        st.tuples(st.just("take"), st.lists(one, unique=True, max_size=12)),
        st.tuples(st.just("clear"), st.just([])),
        st.tuples(st.just("among"), st.lists(one, unique=True, max_size=12)),
    ),
    max_size=12,
)


@given(steps)
def test_marks_behave_like_a_set(done: list[tuple[str, list[str]]]) -> None:
    marks, model = Marks(), set()
    for what, ids in done:
        if what == "add":
            marks.add(ids)
            model |= set(ids)
        elif what == "remove":
            marks.remove(ids)
            model -= set(ids)
        elif what == "toggle":
            marks.toggle(ids[0])
            model ^= set(ids)
        elif what == "take":
            marks.take(PackedIds.of(ids))
            model = set(ids)
        elif what == "clear":
            marks.clear()
            model = set()
        else:
            marks = marks.copy().among(PackedIds.of(ids))
            model &= set(ids)
        assert set(marks) == model
        assert len(marks) == len(list(marks)) == len(model)
        assert bool(marks) == bool(model)
        assert all((id_ in marks) == (id_ in model) for id_ in IDS)
