"""Transactions, locks and the change watch, the same on both engines."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError

from store import head, ledger
from store.engine import Store, open_store
from store.entry import Entry
from store.errors import NotFound, StoreBusy, StoreReadOnly
from store.facts import Actor, Operation
from store.location import Location
from store.verify import verify

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


HOLDER = """
import sys
from store.engine import open_store
from store.location import locate
with open_store(locate(sys.argv[1])).write():
    print("held", flush=True)
    sys.stdin.read(1)
"""


@pytest.fixture
def held(location: Location) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the write lock until it is told to let go."""
    said = location.url or str(location.path)
    command = [sys.executable, "-c", HOLDER, said]
    environ = os.environ | {"MEMINBOX_HOME": str(location.folder)}
    with subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.communicate("x" if process.poll() is None else None)


def test_D047_a_lock_held_elsewhere_is_waited_for_and_then_told(
    held: subprocess.Popen[str], open_again: Callable[..., Store]
) -> None:
    store = open_again(wait=0.05)
    with pytest.raises(StoreBusy, match="busy") as told:
        remember(store, "never claimed to be saved")
    assert "Nothing was changed" in str(told.value)
    assert told.value.exit_code == 5
    assert count(store) == 0
    held.communicate("x")
    remember(store, "now it is free")
    assert count(store) == 1


def test_D047_a_lock_let_go_in_time_is_got(held: subprocess.Popen[str], open_again: Callable[..., Store]) -> None:
    store = open_again(wait=0.01)
    told = threading.Event()

    def let_go() -> None:
        told.set()
        held.communicate("x")

    letting_go = threading.Timer(0.2, let_go)
    letting_go.start()
    with store.write(wait=30):
        assert told.is_set(), "not before it was let go"
    letting_go.join()


def test_D048_opening_and_reading_never_wait_for_a_writer(
    held: subprocess.Popen[str], open_again: Callable[..., Store]
) -> None:
    for _ in range(4):
        assert count(open_again(wait=0)) == 0
    assert count(open_again(wait=0, read_only=True)) == 0
    watch = open_again(wait=0).watch()
    assert not watch.changed()
    watch.close()


def test_operations_of_many_threads_are_numbered_without_gaps(open_again: Callable[..., Store]) -> None:
    stores = [open_again(wait=60) for _ in range(2)]

    def work(store: Store) -> None:
        for number in range(8):
            remember(store, f"{threading.get_ident()} {number}")

    threads = [threading.Thread(target=work, args=(stores[at % 2],)) for at in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    with stores[0].read() as connection:
        numbers = connection.scalars(select(ledger.OPERATION.c.seq).order_by(ledger.OPERATION.c.seq)).all()
    assert numbers == list(range(1, 33))
    assert verify(stores[0]) is None
    assert head.read(stores[0].location)[stores[0].tenant][0] == 32


def test_a_read_sees_one_snapshot(store: Store, open_again: Callable[..., Store]) -> None:
    remember(store, "before")
    with store.read() as connection:
        chosen = select(func.count()).select_from(ledger.MEMORY)
        assert connection.scalar(chosen) == 1
        remember(open_again(), "while reading")
        assert connection.scalar(chosen) == 1
    assert count(store) == 2


def test_I17_close_and_reopen_changes_nothing(store: Store, open_again: Callable[..., Store]) -> None:
    remember(store, "kept")
    store.close()
    again = open_again()
    assert count(again) == 1
    assert verify(again) is None
    assert again.warnings == ()


@pytest.mark.parametrize("moment", [datetime.min, datetime(2026, 3, 29, 2, 30, 0, 1), datetime.max])
def test_F32_the_first_and_last_moments_come_back(store: Store, moment: datetime) -> None:
    remember(store, "dated", valid_until=moment.replace(tzinfo=UTC))
    with store.read() as connection:
        assert connection.scalar(select(ledger.MEMORY.c.valid_until)) == moment.replace(tzinfo=UTC)
    assert verify(store) is None


def test_nothing_there_to_read(nowhere: Location) -> None:
    with pytest.raises(NotFound):
        open_store(nowhere, read_only=True)
    assert not nowhere.folder.exists()


def test_an_error_of_the_engine_carries_no_value_in_its_words(store: Store) -> None:
    with pytest.raises(DBAPIError) as told, store.read() as connection:
        connection.execute(text("SELECT :value FROM no_such_table"), {"value": "s3cret"})
    assert "s3cret" not in str(told.value)
