"""The way through the spool: durable first, then taken in exactly once, whoever dies where and however many drain."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from store import desk, draining, spool
from store.draining import outcomes
from store.engine import Store
from store.errors import NotFound, StoreBusy, StoreTrouble
from store.facts import Outcome
from store.ids import new_id
from store.known import Known
from store.location import Location
from store.spool import Line, SpoolFile
from tests.contract.proposing import AGENT, PROPOSAL, SETTING, count, lines, rows, shown


@pytest.fixture(autouse=True)
def no_config(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MEMINBOX_HOME", str(tmp_path / "no-config"))


class Died(BaseException):
    """Stands for a kill at this point: nothing catches it."""


def put(location: Location, *said: str) -> SpoolFile:
    waiting = [Line(id=new_id(), raw=raw, context=AGENT, at=datetime.now(UTC)) for raw in lines(*said)]
    return spool.put(location.spool, waiting)


def numbered(number: int, name: str = "text") -> list[str]:
    return [f"{name} {n}" for n in range(number)]


def propose(location: Location, *said: str, **how: object) -> list[Outcome]:
    return desk.propose(location, lines(*said), context=AGENT, **how)  # type: ignore[arg-type]


def waiting_files(location: Location) -> list[SpoolFile]:
    return spool.files(location.spool)


class TestPropose:
    def test_the_outcome_is_told_and_nothing_stays_in_the_spool(self, location: Location, store: Store) -> None:
        told = propose(location, "a", "b", "a")
        assert [(one.line, one.status, one.pending) for one in told] == [
            (1, "pending", 2),
            (2, "pending", 2),
            (3, "pending", 2),
        ]
        assert told[2].id == told[0].id
        assert waiting_files(location) == []
        assert shown(store, told[0]).entry.content == "a"

    def test_D044_a_busy_store_is_not_the_agents_trouble(self, location: Location, store: Store) -> None:
        with store.write():
            told = propose(location, "a", wait=0.0)
        assert [one.status for one in told] == ["spooled"]
        assert "safe on disk" in (told[0].reason or "")
        assert count(store, PROPOSAL) == 0
        desk.open_desk(location).close()
        assert waiting_files(location) == []
        assert shown(store, told[0]).entry.content == "a"

    def test_D105_it_is_on_disk_before_the_store_is_touched(
        self, location: Location, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def dies(*_: object, **__: object) -> Store:
            raise Died

        with monkeypatch.context() as patched:
            patched.setattr("store.engine.open_store", dies)
            with pytest.raises(Died):
                propose(location, "a", "b")
        assert count(store, PROPOSAL) == 0
        assert desk.drain(store) == 2
        assert count(store, PROPOSAL) == 2

    def test_D105_a_kill_while_writing_leaves_nothing_or_all(
        self, location: Location, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patched:
            patched.setattr("store.spool.os.fsync", lambda _: (_ for _ in ()).throw(Died()))
            with pytest.raises(Died):
                propose(location, "a", "b")
        assert desk.drain(store) == 0
        assert count(store, PROPOSAL) == 0

    def test_D105_nothing_slow_is_loaded_before_the_lines_are_safe(self) -> None:
        code = "import sys, store.desk, store.spool, store.admit, store.redact, store.project\n"
        code += "print([name for name in sys.modules if name.split('.')[0] in ('sqlalchemy', 'sqlmodel', 'textual')])"
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert said.stdout.strip() == "[]"

    def test_a_store_that_cannot_be_opened_loses_nothing(self, location: Location, tmp_path: Path) -> None:
        if location.path is None:
            pytest.skip("a file that is not a database is SQLite's trouble")
        good = tmp_path / "good"
        shutil.move(location.path, good)
        location.path.write_bytes(b"this is not a database, but something of the user's" * 100)
        told = propose(location, "a")
        assert [one.status for one in told] == ["spooled"]
        location.path.unlink()
        shutil.move(good, location.path)
        store = desk.open_desk(location)
        try:
            assert shown(store, told[0]).entry.content == "a"
        finally:
            store.close()

    def test_a_spool_that_cannot_be_written_is_an_error_and_says_so(self, location: Location) -> None:
        location.spool.write_bytes(b"a file where the folder should be")
        with pytest.raises(StoreTrouble, match="Nothing was proposed"):
            propose(location, "a")

    def test_no_lines_are_no_work(self, location: Location) -> None:
        assert propose(location) == []
        assert not location.spool.exists()

    def test_older_lines_have_their_turn_first(
        self, location: Location, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(location, "older")
        told = propose(location, "newer")
        assert [row.content for row in rows(store, PROPOSAL)] == ["older", "newer"]
        assert told[0].status == "pending"
        monkeypatch.setattr(desk, "BACKLOG_BUDGET", -1.0)
        put(location, "oldest")
        late = propose(location, "last")
        assert late[0].status == "spooled"
        assert "many others" in (late[0].reason or "")
        assert [row.content for row in rows(store, PROPOSAL)] == ["older", "newer"]

    def test_what_another_process_took_in_is_told_all_the_same(
        self, location: Location, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        really = spool.put

        def put_and_lose(folder: Path, some: list[Line]) -> SpoolFile:
            file = really(folder, some)
            assert desk.drain(store) == 2
            return file

        monkeypatch.setattr(spool, "put", put_and_lose)
        told = propose(location, "a", "b")
        assert [one.status for one in told] == ["pending", "pending"]
        assert shown(store, told[1]).entry.content == "b"

    def test_limits_of_the_config_hold_for_what_is_drained(
        self, location: Location, store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("MEMINBOX_HOME", str(tmp_path))
        (tmp_path / "config.toml").write_text('[limits."*"]\nkinds = ["decision"]\n')
        assert propose(location, "a")[0].status == "refused"


class TestExactlyOnce:
    def test_a_kill_after_the_commit_and_before_the_discard(
        self, location: Location, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = put(location, *numbered(5))
        with monkeypatch.context() as patched:
            patched.setattr(spool, "discard", lambda _: (_ for _ in ()).throw(Died()))
            with pytest.raises(Died):
                desk.drain(store)
        assert waiting_files(location) == [file.__class__(file.path, file.id)]
        assert desk.drain(store) == 0
        assert waiting_files(location) == []
        assert [row.mentions for row in rows(store, PROPOSAL)] == [1] * 5

    @pytest.mark.parametrize("at", [1, 2, 3])
    def test_a_kill_between_the_transactions_of_one_file(
        self, location: Location, store: Store, monkeypatch: pytest.MonkeyPatch, at: int
    ) -> None:
        monkeypatch.setattr(draining, "MOST_LINES", 4)
        file = put(location, *numbered(10))
        really, calls = draining.take_spooled, []

        def dies(*args: object, **how: object) -> object:
            calls.append(1)
            if len(calls) == at:
                raise Died
            return really(*args, **how)  # type: ignore[arg-type]

        with monkeypatch.context() as patched:
            patched.setattr(draining, "take_spooled", dies)
            with pytest.raises(Died):
                desk.drain(store)
        assert count(store, PROPOSAL) == (at - 1) * 4
        assert len(outcomes(store, file.id)) == (at - 1) * 4
        assert desk.drain(store) == 10 - (at - 1) * 4
        assert [row.mentions for row in rows(store, PROPOSAL)] == [1] * 10
        assert [one.line for one in outcomes(store, file.id)] == list(range(1, 11))
        assert waiting_files(location) == []

    @pytest.mark.parametrize("number", [3, 4, 5, 8])
    def test_files_of_any_length_end(
        self, location: Location, store: Store, monkeypatch: pytest.MonkeyPatch, number: int
    ) -> None:
        monkeypatch.setattr(draining, "MOST_LINES", 4)
        files = [put(location, *numbered(number, name)) for name in ("x", "y", "z")]
        assert desk.drain(store) == 3 * number
        assert [len(outcomes(store, file.id)) for file in files] == [number] * 3
        assert waiting_files(location) == []

    def test_many_drain_one_folder_at_once(
        self, location: Location, open_again: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(draining, "MOST_LINES", 20)
        files = [put(location, *numbered(90, name)) for name in ("x", "y", "z")]
        stores = [open_again(wait=60.0) for _ in range(4)]
        with ThreadPoolExecutor(4) as pool:
            taken = list(pool.map(desk.drain, stores))
        assert sum(taken) == 270
        assert [row.mentions for row in rows(stores[0], PROPOSAL)] == [1] * 270
        for file in files:
            assert [one.line for one in outcomes(stores[0], file.id)] == list(range(1, 91))
        assert waiting_files(location) == []

    def test_a_copied_file_does_not_double_its_lines(self, location: Location, store: Store) -> None:
        file = put(location, "a", "b")
        shutil.copy(file.path, file.path.with_name(f"{new_id()}.jsonl"))
        desk.drain(store)
        assert count(store, PROPOSAL) == 2

    def test_marks_live_as_long_as_their_file_and_a_day(self, location: Location, store: Store) -> None:
        file = put(location, "a")
        desk.drain(store)
        start = store.now()
        age = {"at": start - timedelta(days=3)}
        with store.write() as connection:
            connection.execute(update(SETTING).values(**age))
        # The file came back, as after a crash before its deletion reached the disk: its mark must still stand.
        there = put(location, "b")
        shutil.move(there.path, file.path)
        desk.drain(store)
        assert count(store, PROPOSAL) == 1
        with store.write() as connection:
            connection.execute(update(SETTING).values(**age))
        put(location, "c")
        desk.drain(store)
        assert [row.name for row in rows(store, SETTING, SETTING.c.name.contains(file.id))] == []
        assert count(store, SETTING, SETTING.c.name.startswith("spool:")) == 2

    def test_marks_of_another_machine_are_left(
        self, location: Location, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = put(location, "a")
        with monkeypatch.context() as patched:
            patched.setattr("platform.node", lambda: "another")
            desk.drain(store)
        with store.write() as connection:
            connection.execute(update(SETTING).values(at=store.now() - timedelta(days=3)))
        put(location, "b")
        desk.drain(store)
        assert count(store, SETTING, SETTING.c.name.contains(file.id)) == 2


class TestTrouble:
    def test_a_damaged_file_is_set_aside_and_the_others_are_taken(self, location: Location, store: Store) -> None:
        bad, good = put(location, "a", "b"), put(location, "c")
        bad.path.write_bytes(bad.path.read_bytes()[:-20])
        assert desk.drain(store) == 1
        assert [row.content for row in rows(store, PROPOSAL)] == ["c"]
        assert waiting_files(location) == []
        assert [path.name for path in desk.set_aside(location)] == [bad.path.name]
        assert good.path.exists() is False

    def test_a_file_that_cannot_be_read_stays_and_keeps_nobody_from_the_queue(
        self, location: Location, store: Store
    ) -> None:
        """One such name (another user's file, a folder) made every propose fail, and nothing was ever taken in."""
        stuck = location.spool / f"{new_id()}.jsonl"
        stuck.mkdir(parents=True)
        put(location, "behind it")
        assert desk.drain(store) == 1
        assert [row.content for row in rows(store, PROPOSAL)] == ["behind it"]
        assert stuck.is_dir()

    def test_a_line_that_the_engine_cannot_hold_is_refused_and_stops_nobody(
        self, location: Location, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(location, "first")
        desk.drain(store)
        (row,) = rows(store, PROPOSAL)
        monkeypatch.setattr(Known, "learn_keys_used", lambda *_: None)
        with store.write() as connection:
            # A row that holds an idempotency key of which nothing is known: only the engine can object.
            other = dict(row._mapping) | {"id": new_id(), "idempotency_key": "k", "fingerprint": "f", "content": "x"}
            connection.execute(insert(PROPOSAL), [other])
        raws = lines("a", {"content": "b", "idempotency_key": "k"}, "c")
        told = desk.propose(location, raws, context=AGENT)
        assert [one.status for one in told] == ["pending", "refused", "pending"]
        assert told[1].reason == "the store cannot hold this line"
        assert waiting_files(location) == []

    def test_opening_never_waits_nor_fails_for_the_spool(
        self, location: Location, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(location, "a")
        with store.write():
            desk.open_desk(location, wait=30.0).close()
        assert len(waiting_files(location)) == 1
        for trouble in (StoreBusy("busy"), PermissionError("no"), NotFound("gone")):

            def fails(_: object, trouble: Exception = trouble) -> list[SpoolFile]:
                raise trouble

            with monkeypatch.context() as patched:
                patched.setattr(spool, "files", fails)
                desk.open_desk(location).close()
        assert desk.drain(store) == 1

    def test_a_read_only_desk_leaves_the_spool_alone(self, location: Location, store: Store) -> None:
        put(location, "a")
        desk.open_desk(location, read_only=True).close()
        desk.open_desk(location, drain=False).close()
        assert len(waiting_files(location)) == 1

    def test_draining_stops_when_its_time_is_up(self, location: Location, store: Store) -> None:
        put(location, "a")
        assert desk.drain(store, seconds=-1.0) == 0
        assert desk.drain(store, seconds=60.0) == 1

    def test_a_clock_that_ran_ahead_dates_nothing_into_the_future(self, location: Location, store: Store) -> None:
        late = datetime.now(UTC) + timedelta(days=3650)
        spool.put(location.spool, [Line(id=new_id(), raw=lines("a")[0], context=AGENT, at=late)])
        desk.drain(store)
        (row,) = rows(store, PROPOSAL)
        assert row.created_at < late - timedelta(days=1)
