"""Transactions, locks and the change watch, the same on both engines."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import func, select

from store import ledger
from store.engine import Store
from store.entry import Entry
from store.errors import StoreBusy, StoreReadOnly
from store.facts import Actor, Operation

PERSON = Actor("ada", "console")


def remember(store: Store, content: str, **entry: object) -> Operation:
    """One memory, by one operation of its own."""
    with store.write() as connection:
        act = ledger.Act(store, connection, PERSON, "edit")
        act.change(None, Entry(scope="global", content=content, **entry))  # type: ignore[arg-type]
        return act.commit()


def count(store: Store) -> int:
    with store.read() as connection:
        return connection.scalar(select(func.count()).select_from(ledger.MEMORY)) or 0


def test_what_is_committed_is_read_and_what_fails_is_not(store: Store) -> None:
    remember(store, "Tests run with pytest -q")
    with pytest.raises(RuntimeError), store.write() as connection:
        act = ledger.Act(store, connection, PERSON, "edit")
        act.change(None, Entry(scope="global", content="never kept"))
        act.commit()
        raise RuntimeError("in the middle")
    assert count(store) == 1


def test_watch(store: Store, open_again: Callable[..., Store]) -> None:
    other = open_again()
    watch = store.watch()
    try:
        assert not watch.changed()
        remember(other, "from elsewhere")
        assert watch.changed()
        assert not watch.changed()
        remember(store, "from here")
        assert watch.changed()
        assert not watch.changed()
    finally:
        watch.close()


def test_busy(store: Store, open_again: Callable[..., Store]) -> None:
    other = open_again(wait=0.05)
    with store.write():
        with pytest.raises(StoreBusy), other.write():
            pytest.fail("two writers at once")
        assert count(other) == 0


def test_read_only(store: Store, open_again: Callable[..., Store]) -> None:
    remember(store, "kept")
    viewer = open_again(read_only=True)
    assert viewer.read_only
    with pytest.raises(StoreReadOnly), viewer.write():
        pytest.fail("written")
    assert count(viewer) == 1
