"""Backups and bringing them back: D-drills, F36, a backup taken under writers."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from store import backup, erase, erasing, head, history, restoring
from store.backup import Backup, outlived
from store.context import Context
from store.desk import open_desk, propose
from store.dialects import sqlite_copy
from store.engine import Store, open_store
from store.erased import Ids
from store.errors import NotFound, StoreBusy, StoreDamaged, UsageError
from store.keeping import Copies
from store.location import Location
from store.raw import Raw
from store.verify import verify
from tests.contract.decisions import ANN, BOB, Desk

PLACE = Context(scope="shop", surface="cli")


@pytest.fixture
def engine_name() -> str:
    return "sqlite"


def approved(desk: Desk, *texts: str) -> list[str]:
    return [desk.approve(desk.lay(text)).memory_ids[0] for text in texts]


def restored(location: Location, file: Path) -> restoring.Restored:
    with restoring.prepared(location, file) as found:
        return restoring.restore(location, found, by=BOB)


def served(location: Location) -> set[str]:
    store = open_store(location)
    try:
        return set(Desk(store).served().values())
    finally:
        store.close()


def test_a_backup_is_a_whole_private_copy(desk: Desk) -> None:
    approved(desk, "one", "two")
    made = backup.back_up(desk.store)
    assert made.stat().st_mode & 0o777 == 0o600
    assert made.parent.stat().st_mode & 0o777 == 0o700
    held = sqlite_copy.look(desk.store.location, made)
    assert (held.memories, held.heads["local"][0]) == (2, 2)
    assert not list(made.parent.glob("*-wal")) + list(made.parent.glob("*.making"))
    with pytest.raises(UsageError):
        backup.back_up(desk.store, target=made)


def test_what_was_restored_is_what_was_backed_up_and_what_stood_is_kept(desk: Desk, location: Location) -> None:
    approved(desk, "one")
    made = backup.back_up(desk.store)
    approved(desk, "two", "three")
    desk.lay("four waits")
    with restoring.prepared(location, made) as found:
        assert (found.memories, found.operations, found.gone, found.unseen) == (1, 1, 2, 1)
        done = restoring.restore(location, found, by=BOB)
    assert served(location) == {"one"}
    assert verify(desk.store) is None  # also for whoever had it open
    assert set(desk.served().values()) == {"one"}
    assert desk.operations()[-1].action == "restore"
    assert done.kept is not None
    assert served_in_copy(done.kept, location) == {"one", "two", "three"}
    assert not restoring.leftovers(location)
    # ... and back again, from what was kept
    restored(location, done.kept)
    assert served(location) == {"one", "two", "three"}
    assert verify(desk.store) is None


def served_in_copy(file: Path, location: Location) -> set[str]:
    with restoring.prepared(location, file) as found:
        return served(found.place)


@pytest.mark.long
def test_a_restored_step_is_not_what_undo_undoes(desk: Desk, location: Location) -> None:
    approved(desk, "one")
    restored(location, backup.back_up(desk.store))
    assert history.undo(desk.store, by=ANN).title.startswith("undid: approved")
    assert verify(desk.store) is None


@pytest.mark.long
def test_F36_a_backup_taken_under_eight_writers_is_whole_and_comes_back(desk: Desk, location: Location) -> None:
    approved(desk, "before")
    stop = threading.Event()
    failed: list[BaseException] = []

    def write(number: int) -> None:
        try:
            turn = 0
            while not stop.is_set():
                turn += 1
                propose(location, [Raw(content=f"writer {number} says {turn}")], context=PLACE, store=desk.store)
        except BaseException as error:
            failed.append(error)

    writers = [threading.Thread(target=write, args=(one,)) for one in range(8)]
    for one in writers:
        one.start()
    try:
        made = [backup.back_up(desk.store) for _ in range(3)]
        again = restored(location, made[0])
    finally:
        stop.set()
        for one in writers:
            one.join()
    assert not failed
    assert again.kept is not None
    assert verify(desk.store) is None
    for file in made:
        with restoring.prepared(location, file) as found:
            assert served(found.place) == {"before"}


@pytest.mark.long
@pytest.mark.parametrize("harm", ["gone", "empty", "garbage", "half"])
def test_V61_a_store_that_cannot_be_used_is_moved_aside_and_replaced(
    harm: str, location: Location, open_again: Callable[..., Store]
) -> None:
    desk = Desk(open_again())
    approved(desk, "one", "two")
    made = backup.back_up(desk.store)
    desk.store.close()
    assert location.path is not None
    data = location.path.read_bytes()
    if harm == "gone":
        location.path.unlink()
    else:
        location.path.write_bytes({"empty": b"", "garbage": b"x" * 9000, "half": data[: len(data) // 2]}[harm])
    with pytest.raises(StoreDamaged) as told:
        open_store(location)
    assert str(made) in str(told.value)
    done = restored(location, made)
    assert served(location) == {"one", "two"}
    assert (done.kept is None) == (harm == "gone")
    again = open_again()
    assert verify(again) is None
    assert [str(one) for one in again.warnings] == []


@pytest.mark.long
def test_what_is_no_whole_backup_is_refused_and_changes_nothing(desk: Desk, location: Location, tmp_path: Path) -> None:
    approved(desk, "one")
    made = backup.back_up(desk.store)
    assert location.path is not None
    with pytest.raises(NotFound), restoring.prepared(location, tmp_path / "nothing.db"):
        pass
    with pytest.raises(UsageError), restoring.prepared(location, location.path):
        pass
    cut = tmp_path / "cut.db"
    cut.write_bytes(made.read_bytes()[:9000])
    with pytest.raises(StoreDamaged), restoring.prepared(location, cut):
        pass
    changed = tmp_path / "changed.db"
    shutil.copy(made, changed)
    with sqlite3.connect(changed) as raw:
        raw.execute("UPDATE memory SET content = 'two'")
    with pytest.raises(StoreDamaged, match="is not whole"), restoring.prepared(location, changed):
        pass
    tricked = tmp_path / "tricked.db"
    shutil.copy(made, tricked)
    with sqlite3.connect(tricked) as raw:
        raw.execute("CREATE TRIGGER t AFTER INSERT ON proposal BEGIN UPDATE proposal SET status = 'approved'; END")
    with pytest.raises(StoreDamaged, match="other tables or triggers"), restoring.prepared(location, tricked):
        pass
    assert set(desk.served().values()) == {"one"}
    assert not restoring.leftovers(location)


def test_a_store_that_lost_steps_is_not_taken_for_a_good_backup(desk: Desk, location: Location) -> None:
    approved(desk, "one")
    head.put_back(location, {"local": (9, "0" * 64)})
    with pytest.raises(StoreDamaged, match="some are gone"):
        backup.back_up(desk.store)


def test_one_backup_a_day_and_the_old_ones_go(desk: Desk, location: Location) -> None:
    assert backup.daily(desk.store, Copies()) is None  # there is nothing to lose
    approved(desk, "one")
    desk.clock.now = datetime.now(UTC)
    first = backup.daily(desk.store, Copies())
    assert first is not None
    assert backup.daily(desk.store, Copies()) is None
    assert backup.daily(desk.store, Copies(daily=0)) is None
    desk.clock.jump(days=1)
    second = backup.daily(desk.store, Copies(daily=1, weekly=0))
    assert [one.path for one in backup.backups(location)] == [second]
    mine = backup.back_up(desk.store)
    desk.clock.jump(days=1)
    backup.daily(desk.store, Copies(daily=1, weekly=0))
    assert mine.exists()


def test_seven_daily_and_four_weekly_copies_are_kept() -> None:
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    kept: list[Backup] = []
    for day in range(120):
        kept.insert(0, Backup(Path(f"{day}.db"), "daily", noon + timedelta(days=day)))
        gone = outlived(kept, Copies())
        kept = [one for one in kept if one not in gone]
    ages = [(kept[0].at - one.at).days for one in kept]
    assert ages[:7] == list(range(7))
    assert len(ages) == 11
    assert [later - earlier for earlier, later in pairwise(ages[8:])] == [7, 7]


@pytest.mark.long
def test_what_was_erased_since_stays_erased_in_a_backup_from_elsewhere(
    desk: Desk, location: Location, tmp_path: Path
) -> None:
    memory, _ = approved(desk, "zqxsecretword stands here", "two")
    elsewhere = backup.back_up(desk.store, target=tmp_path / "elsewhere.db")
    erasing.run(desk.store, erase.extent_of(desk.store, Ids(memories=frozenset((memory,)))), by=ANN)
    done = restored(location, elsewhere)
    assert done.erased > 0
    assert served(location) == {"two"}
    assert verify(desk.store) is None
    assert not [one for one in erasing.places(location) if b"zqxsecretword" in one.read_bytes()]


@pytest.mark.long
def test_D083_what_was_erased_stays_gone_over_a_lost_store_too(
    location: Location, tmp_path: Path, open_again: Callable[..., Store]
) -> None:
    desk = Desk(open_again())
    memory, _ = approved(desk, "zqxsecretword stands here", "two")
    elsewhere = backup.back_up(desk.store, target=tmp_path / "elsewhere.db")
    erasing.run(desk.store, erase.extent_of(desk.store, Ids(memories=frozenset((memory,)))), by=ANN)
    desk.store.close()
    assert location.path is not None
    location.path.unlink()
    restored(location, elsewhere)
    assert served(location) == {"two"}


def test_a_busy_store_is_not_restored_over(desk: Desk, location: Location, monkeypatch: pytest.MonkeyPatch) -> None:
    approved(desk, "one")
    made = backup.back_up(desk.store)
    monkeypatch.setattr(restoring, "WAIT", 0.1)
    with desk.store.write(), pytest.raises(StoreBusy):
        restored(location, made)
    assert set(desk.served().values()) == {"one"}


@pytest.mark.long
def test_the_desk_opens_after_a_restore(desk: Desk, location: Location) -> None:
    approved(desk, "one")
    restored(location, backup.back_up(desk.store))
    store = open_desk(location)
    try:
        assert not store.warnings
    finally:
        store.close()
