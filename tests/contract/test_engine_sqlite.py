"""The file: refused unless it is whole, private, viewable where it cannot be written, never lost in silence."""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from store import files
from store.dialects.sqlite_file import APPLICATION_ID
from store.engine import Store, open_store
from store.errors import (
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreLost,
    StoreNewer,
    StoreReadOnly,
    StoreTrouble,
    UsageError,
)
from store.location import Location
from store.migrate import SCHEMA
from tests.contract.conftest import located
from tests.contract.test_engine import count, remember


@pytest.fixture
def engine_name() -> str:
    """This module is about one engine."""
    return "sqlite"


def the_file(location: Location) -> Path:
    assert location.path is not None
    return location.path


def folder_bytes(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


def other_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE memory (id)")
        raw.commit()


def cut(keep: Callable[[int], int]) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        os.truncate(path, keep(path.stat().st_size))

    return damage


def wrong_mark(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA application_id=7")
        raw.commit()


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "F5 zero bytes": (cut(lambda size: 0), "zero bytes"),
    "F4 a few bytes": (cut(lambda size: 10), "cut short"),
    "F4 half": (cut(lambda size: size // 2), "cut short"),
    "F4 a page less": (cut(lambda size: size - 4096), "cut short"),
    "F4 a byte less": (cut(lambda size: size - 1), "cut short"),
    "F4 garbage": (lambda path: path.write_bytes(os.urandom(50_000)), "not a SQLite"),
    "F4 text": (lambda path: path.write_text("scope: shop\n" * 999), "not a SQLite"),
    "foreign database": (other_program, "another program"),
    "foreign mark": (wrong_mark, "another program"),
}


@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_a_file_that_cannot_be_relied_on_is_refused_without_a_byte_written(location: Location, damage: str) -> None:
    act, words = DAMAGES[damage]
    act(the_file(location))
    before = folder_bytes(location.folder)
    for read_only in (False, True):
        with pytest.raises(StoreDamaged, match=words) as told:
            open_store(location, read_only=read_only)
        assert str(location.path) in str(told.value)
        assert "No backup" in str(told.value)
        assert told.value.exit_code == 5
    assert folder_bytes(location.folder) == before


def test_F4_the_refusal_names_the_newest_backup(location: Location) -> None:
    from store.dialects.sqlite_make import back_up

    older = back_up(location, the_file(location), "by-hand")
    newest = back_up(location, the_file(location), "by-hand")
    os.utime(older, ns=(1, 1))
    the_file(location).write_bytes(b"")
    with pytest.raises(StoreDamaged) as told:
        open_store(location)
    assert str(newest) in told.value.todo


def test_F4_a_page_of_noise_is_told_and_never_written_over(location: Location) -> None:
    path = the_file(location)
    with path.open("r+b") as stream:
        stream.seek(4096)
        stream.write(os.urandom(path.stat().st_size - 4096))
    before = path.read_bytes()
    store = open_store(location)
    with pytest.raises(StoreDamaged, match="damaged"):
        count(store)
    with pytest.raises(StoreDamaged, match="damaged"):
        remember(store, "never kept")
    store.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize("in_the_log", [False, True])
def test_F7_a_newer_schema_is_refused_naming_both_numbers(location: Location, in_the_log: bool) -> None:
    raw = sqlite3.connect(the_file(location))
    raw.execute(f"PRAGMA user_version={SCHEMA + 1}")
    raw.commit()
    if not in_the_log:
        raw.close()
    before = the_file(location).read_bytes()
    for read_only in (False, True):
        with pytest.raises(StoreNewer, match=rf"schema {SCHEMA + 1}.*{SCHEMA} at most"):
            open_store(location, read_only=read_only)
    assert the_file(location).read_bytes() == before
    raw.close()


def test_a_log_that_explains_a_short_file_is_believed(location: Location, tmp_path: Path) -> None:
    store = open_store(location)
    remember(store, "x" * 200_000)
    copied = tmp_path / "copy" / "m.db"
    copied.parent.mkdir()
    for companion in ("", "-wal"):
        path = the_file(location)
        shutil.copy(path.with_name(path.name + companion), copied.with_name(copied.name + companion))
    store.close()
    again = open_store(located(str(copied), copied.parent))
    assert count(again) == 1
    again.close()


@pytest.mark.parametrize("thing", ["folder", "pipe"])
def test_what_is_no_file_is_refused(nowhere: Location, thing: str) -> None:
    nowhere.folder.mkdir()
    if thing == "folder":
        the_file(nowhere).mkdir()
    else:
        os.mkfifo(the_file(nowhere))
    with pytest.raises((StoreDamaged, UsageError), match="not a file"):
        open_store(nowhere)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_F40_files_are_0600_and_folders_0700_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    location = located(str(tmp_path / "a" / "b" / "m.db"), tmp_path)
    before = os.umask(umask)
    try:
        store = open_store(location)
        remember(store, "private")
        made = sorted((tmp_path / "a").rglob("*"))
        modes = {one.name: one.stat().st_mode & 0o777 for one in made}
        store.close()
    finally:
        os.umask(before)
    assert {"m.db", "m.db-wal", "m.db-shm", "m.db.head", "m.db.lock", "b"} == set(modes)
    assert modes.pop("b") == 0o700
    assert set(modes.values()) == {0o600}
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700


def test_F40_a_file_open_to_others_is_warned_about(location: Location) -> None:
    the_file(location).chmod(0o644)
    store = open_store(location)
    assert any("chmod 600" in one for one in store.warnings)
    store.close()


@pytest.mark.parametrize("name", ["with spaces", "记忆 資料夾", "100%?#&;'\"", "é\u0301"])
def test_D050_folders_of_any_name(tmp_path: Path, name: str) -> None:
    location = located(str(tmp_path / name / f"{name}.db"), tmp_path)
    store = open_store(location)
    remember(store, "kept")
    store.close()
    store = open_store(location)
    viewer = open_store(location, read_only=True)
    assert count(store) == count(viewer) == 1
    store.close()
    viewer.close()


def test_D050_a_shared_file_system_is_warned_about() -> None:
    mounts = (
        "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
        "30 22 0:40 / /home/ada/net rw - nfs4 server:/x rw\n"
        "31 22 0:41 / /mnt/two\\040words rw - cifs //server/x rw\n"
    )
    assert files.network_kind(Path("/home/ada/net/m.db"), mounts) == "nfs4"
    assert files.network_kind(Path("/mnt/two words/m.db"), mounts) == "cifs"
    assert files.network_kind(Path("/home/ada/network.db"), mounts) is None
    assert files.network_kind(Path("/m.db"), "nonsense\n") is None
    for kind, warned in (("fuse.rclone", True), ("fakeowner", True), ("fuse.ntfs", False), ("overlay", False)):
        assert files.network_kind(Path("/m.db"), f"22 1 8:1 / / rw - {kind} x rw\n") == (kind if warned else None)


def test_D050_a_store_on_a_shared_file_system_opens_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = located(str(tmp_path / "link" / "m.db"), tmp_path)
    (tmp_path / "net").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "net")
    open_store(location).close()
    path = the_file(location).resolve()
    wanted = f"{path} stands on a shared file system (nfs4), which can damage it: move it, or use PostgreSQL."
    real = Path.read_text

    def mounted(self: Path, *arguments: Any, **named: Any) -> str:
        if self != Path("/proc/self/mountinfo"):
            return real(self, *arguments, **named)
        return f"22 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 22 0:40 / {tmp_path / 'net'} rw - nfs4 server:/x rw\n"

    monkeypatch.setattr(Path, "read_text", mounted)
    for read_only in (False, True):
        store = open_store(location, read_only=read_only)
        assert [one for one in store.warnings if "shared" in one] == [wanted]
        store.close()
    monkeypatch.undo()
    store = open_store(location)
    assert store.warnings == ()
    store.close()


def test_settings_of_every_connection(store: Store) -> None:
    with store.write() as connection:
        said = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "recursive_triggers")
        }
    assert said == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
        "recursive_triggers": 1,
    }


def test_a_read_cannot_write(store: Store) -> None:
    with pytest.raises(StoreReadOnly), store.read() as connection:
        connection.exec_driver_sql("DELETE FROM setting")


def test_a_restored_copy_without_a_log_gets_one(location: Location) -> None:
    with closing(sqlite3.connect(the_file(location))) as raw:
        raw.execute("PRAGMA journal_mode=DELETE")
    store = open_store(location)
    with store.read() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    store.close()


def test_a_replaced_or_deleted_file_is_noticed(store: Store, location: Location) -> None:
    path = the_file(location)
    kept = path.read_bytes()
    assert count(store) == 0  # a connection is open, and stays in the pool
    path.unlink()
    with pytest.raises(StoreLost, match="replaced or deleted"):
        count(store)
    path.write_bytes(kept)
    with pytest.raises(StoreLost, match="replaced or deleted"):
        remember(store, "into the void")


def test_watch_notices_a_replaced_file(store: Store, location: Location) -> None:
    watch = store.watch()
    shutil.copy(the_file(location), the_file(location).with_suffix(".new"))
    the_file(location).with_suffix(".new").replace(the_file(location))
    assert watch.changed()
    watch.close()


def test_a_fault_in_the_program_is_not_dressed_up(store: Store) -> None:
    with pytest.raises(DBAPIError), store.write() as connection:
        connection.exec_driver_sql("SELECT no_such_column FROM memory")


def test_F2_a_full_disk_saves_nothing_and_says_so(store: Store) -> None:
    remember(store, "before")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, limits[1]))
    try:
        with pytest.raises(StoreFull, match="Not saved") as caught:
            remember(store, "x" * 900_000)
        assert caught.value.kept == "Nothing was changed."
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert count(store) == 1
    remember(store, "after")
    assert count(store) == 2


def test_a_head_file_that_cannot_be_written_does_not_fail_the_commit(store: Store, location: Location) -> None:
    location.head.mkdir()
    remember(store, "kept all the same")
    assert count(store) == 1
    assert "beside the store" in store.warnings[-1]


@pytest.mark.long
def test_D049_six_processes_open_an_empty_folder_at_once(nowhere: Location) -> None:
    code = (
        "import os, sys; from store.engine import open_store; from store.location import locate\n"
        "from tests.contract.test_engine import count, remember\n"
        "sys.stdin.read(1)\n"
        f"s = open_store(locate({str(nowhere.path)!r}), wait=60)\n"
        "remember(s, str(os.getpid()))\n"
        f"print(os.stat({str(nowhere.path)!r}).st_ino)\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    for one in started:
        assert one.stdin is not None
        one.stdin.write("x")
        one.stdin.flush()
    said = [one.communicate()[0] for one in started]
    assert [one.returncode for one in started] == [0] * 6
    assert len(set(said)) == 1
    store = open_store(nowhere)
    assert count(store) == 6
    store.close()


def test_making_waits_for_another_maker_and_then_says_so(nowhere: Location) -> None:
    nowhere.folder.mkdir(mode=0o700)
    with files.locked(nowhere.lock, 0, "making this store"), pytest.raises(StoreBusy, match="making this store"):
        open_store(nowhere, wait=0.05)
    open_store(nowhere, wait=0.05).close()


# -- viewing where nothing can be written (F3, D027, D044, D050): as another user, since root may write anything


VIEWER = """
import json, os, sys
from store.engine import open_store
from store.errors import MeminboxError
from store.location import locate
from tests.contract.test_engine import count, remember
warm, target, uid = sys.argv[1:]
open_store(locate(warm)).close()  # every module is imported before the rights to do so are given up
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(int(uid)); os.setuid(int(uid))
said = {}
try:
    store = open_store(locate(target))
    said["read_only"] = store.read_only
    said["mode"] = store.backend.mode
    said["count"] = count(store)
    watch = store.watch(); said["changed"] = watch.changed(); watch.close()
    try:
        remember(store, "never")
    except MeminboxError as error:
        said["write"] = type(error).__name__
    said["after"] = count(store)
except MeminboxError as error:
    said["error"] = [type(error).__name__, str(error)]
print(json.dumps(said))
"""
NOBODY = 65534


@pytest.fixture
def public(location: Location) -> Iterator[Path]:
    """A folder that others may enter, with a store of one memory in it that they may read."""
    folder = Path(tempfile.mkdtemp(prefix="meminbox-view-"))
    shutil.copy(the_file(location), folder / "m.db")
    store = open_store(located(str(folder / "m.db"), folder))
    remember(store, "for all to see")
    store.close()
    (folder / "m.db").chmod(0o444)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


def viewed(folder: Path, tmp_path: Path) -> dict[str, object]:
    warm = tmp_path / "warm.db"
    command = [sys.executable, "-c", VIEWER, str(warm), str(folder / "m.db"), str(NOBODY)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    said: dict[str, object] = json.loads(run.stdout)
    return said


def test_D050_a_read_only_folder_opens_for_viewing(public: Path, tmp_path: Path) -> None:
    before = folder_bytes(public)
    said = viewed(public, tmp_path)
    assert "may not be written" in str(said.pop("read_only"))
    assert said == {
        "mode": "ro&immutable=1",
        "count": 1,
        "changed": False,
        "write": "StoreReadOnly",
        "after": 1,
    }
    assert folder_bytes(public) == before


def test_F3_a_read_only_file_in_a_writable_folder_opens_for_viewing(public: Path, tmp_path: Path) -> None:
    public.chmod(0o777)
    said = viewed(public, tmp_path)
    assert "m.db may not be written" in str(said["read_only"])
    assert (said["count"], said["write"], said["after"]) == (1, "StoreReadOnly", 1)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a second user to write while the first only views")
def test_D027_a_viewer_sees_what_another_user_commits(public: Path, tmp_path: Path) -> None:
    (public / "m.db").chmod(0o644)
    writer = open_store(located(str(public / "m.db"), public))
    remember(writer, "in the log only")
    said = viewed(public, tmp_path)
    assert (said["mode"], said["count"], said["write"], said["after"]) == ("ro", 2, "StoreReadOnly", 2)
    writer.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a second user to leave a log that the first cannot use")
def test_a_log_that_cannot_be_read_is_told_and_not_left_out(public: Path, tmp_path: Path) -> None:
    (public / "m.db").chmod(0o644)
    writer = open_store(located(str(public / "m.db"), public))
    remember(writer, "in the log only")
    log = (public / "m.db-wal").read_bytes()
    whole = (public / "m.db").read_bytes()
    writer.close()
    (public / "m.db").write_bytes(whole)
    (public / "m.db-wal").write_bytes(log)
    said = viewed(public, tmp_path)
    assert "error" in said
    assert "StoreReadOnly" in str(said["error"])
    assert "log" in str(said["error"])


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreTrouble, match="file"):
        open_store(located(str(tmp_path / "file" / "m.db"), tmp_path))


def test_the_mark_is_what_others_know_us_by(location: Location) -> None:
    assert the_file(location).read_bytes()[68:72] == APPLICATION_ID.to_bytes(4, "big") == b"MEMI"
