"""Packed ids behave as the list they stand for."""

from __future__ import annotations

import sys
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import ValueDamaged
from store.ids import new_id
from store.packed import PackedIds

ids = st.lists(st.uuids().map(str), max_size=12)
# Bytes that repeat inside an id are found at places that are no id's beginning.
tricky = st.lists(st.sampled_from([str(UUID(int=0)), str(UUID(int=1)), str(UUID(bytes=b"\x01" * 16))]), max_size=12)


@given(st.one_of(ids, tricky), st.slices(12))
def test_they_are_the_list(one: list[str], part: slice) -> None:
    packed = PackedIds.of(one)
    assert list(packed) == one
    assert len(packed) == len(one)
    assert [packed[i] for i in range(-len(one), len(one))] == one + one
    assert list(packed[part]) == one[part]
    assert packed[part] == PackedIds.of(one[part])
    assert list(packed.backwards()) == one[::-1]


@given(st.one_of(ids, tricky), st.uuids().map(str))
def test_a_place_is_found_as_in_the_list(one: list[str], other: str) -> None:
    packed = PackedIds.of(one)
    for asked in [*one, other]:
        assert packed.index(asked) == (one.index(asked) if asked in one else None)
        assert (asked in packed) == (asked in one)
        assert packed.count(asked) == one.count(asked)
    assert list(packed + packed) == one + one
    assert hash(packed) == hash(PackedIds.of(one))


@pytest.mark.parametrize("asked", ["", "abc", None, 7, "x" * 36, "0" * 36])
def test_what_is_no_id_is_nowhere(asked: object) -> None:
    packed = PackedIds.of([new_id(), str(UUID(int=0))])
    assert packed.index(asked) is None
    assert asked not in packed


def test_a_hundred_thousand_are_little_more_than_sixteen_bytes_each() -> None:
    packed = PackedIds(b"".join(n.to_bytes(16, "big") for n in range(100_000)))
    assert sys.getsizeof(packed.raw) < 1_700_000
    assert packed.index(packed[99_999]) == 99_999


def test_what_an_engine_joined_is_packed_however_long_and_however_spelled() -> None:
    many = [new_id() for _ in range(5000)]
    assert list(PackedIds.stored("".join(many))) == many
    assert list(PackedIds.stored("".join([many[0].replace("-", ""), *many[1:]]))) == many
    with pytest.raises(ValueDamaged):
        PackedIds.stored("".join(many)[:-1])


def test_what_cannot_be_packed_is_refused() -> None:
    with pytest.raises(ValueError, match="not a UUID"):
        PackedIds.of(["short"])
    with pytest.raises(ValueError, match="no whole number"):
        PackedIds(b"123")
    with pytest.raises(IndexError, match="no id at 0"):
        PackedIds()[0]
    assert repr(PackedIds()) == "PackedIds(0)"
