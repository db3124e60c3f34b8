"""Notes beside the store: durable at once, taken in by whatever opens it, the same however often that happens."""

from __future__ import annotations

import json
import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from store import desk as door
from store import notes, taking_notes
from store.engine import Store
from store.errors import MeminboxError, StoreBusy
from store.ids import new_id
from store.location import Location, locate
from store.models import HandoutRow, SupportRow, UsageRow
from tests.contract.decisions import Desk

ON_SQLITE = pytest.mark.parametrize("engine_name", ["sqlite"])


def rows(store: Store, row: Any) -> list[dict[str, Any]]:
    with store.read() as connection:
        return [dict(one) for one in connection.execute(select(row.__table__)).mappings()]


def usage(store: Store) -> dict[str, tuple[int, int, int]]:
    return {row["memory_id"]: (row["uses"], row["support"], row["claimed_support"]) for row in rows(store, UsageRow)}


def hand_out(location: Location, *given: str, session: str | None = "s1") -> None:
    notes.note_handout(location, [(one, 1) for one in given], session_id=session, agent="codex", surface="hook")


def waiting(location: Location) -> list[Path]:
    return notes.files(location.notes)


class TestHandOuts:
    def test_they_are_rows_and_uses_and_gone_from_the_folder(self, store: Store) -> None:
        desk = Desk(store)
        one, two = desk.hold("A"), desk.hold("B")
        hand_out(store.location, one.id, two.id)
        hand_out(store.location, one.id, session=None)
        assert door.take_in(store) == 0
        assert {(row["memory_id"], row["session_id"], row["agent"]) for row in rows(store, HandoutRow)} == {
            (one.id, "s1", "codex"),
            (two.id, "s1", "codex"),
            (one.id, None, "codex"),
        }
        assert usage(store) == {one.id: (2, 1, 0), two.id: (1, 1, 0)}
        used = {row["memory_id"]: row["last_used"] for row in rows(store, UsageRow)}
        assert all(datetime.now(UTC) - at < timedelta(minutes=5) for at in used.values())
        assert waiting(store.location) == []

    @ON_SQLITE
    def test_taken_twice_they_count_once(self, store: Store) -> None:
        one = Desk(store).hold("A")
        hand_out(store.location, one.id)
        (file,) = waiting(store.location)
        data = file.read_bytes()
        notes.take_notes(store)
        file.write_bytes(data)  # as if the process had died between the commit and the deletion
        assert notes.take_notes(store) == 1
        assert usage(store) == {one.id: (1, 1, 0)}

    @ON_SQLITE
    def test_an_older_one_taken_later_moves_no_last_use_back(self, store: Store) -> None:
        one = Desk(store).hold("A")
        hand_out(store.location, one.id)
        (file,) = waiting(store.location)
        said = json.loads(file.read_text()) | {"at": "2020-01-01T00:00:00+00:00"}
        notes.take_notes(store)
        (file.parent / f"{new_id()}.json").write_text(json.dumps(said))
        notes.take_notes(store)
        (used,) = rows(store, UsageRow)
        assert (used["uses"], used["last_used"].year) == (2, datetime.now(UTC).year)

    def test_after_a_quarter_it_is_forgotten_who_was_given_what_and_not_how_often(self, store: Store) -> None:
        desk = Desk(store)
        desk.clock.now = datetime.now(UTC)
        one = desk.hold("A")
        hand_out(store.location, one.id)
        notes.take_notes(store)
        desk.clock.jump(days=91)
        notes.note_seen(store.location, "codex", "initialize")
        notes.take_notes(store)
        assert rows(store, HandoutRow) == []
        assert usage(store) == {one.id: (1, 1, 0)}

    def test_nothing_given_is_nothing_noted(self, tmp_path: Path) -> None:
        place = locate(str(tmp_path / "a.db"))
        hand_out(place)
        assert not place.notes.exists()

    @ON_SQLITE
    def test_more_than_a_transaction_holds(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(taking_notes, "MOST_NOTES", 2)
        one = Desk(store).hold("A")
        for _ in range(5):
            hand_out(store.location, one.id)
        assert notes.take_notes(store, seconds=0.0) == 2
        assert notes.take_notes(store) == 3
        assert usage(store)[one.id][0] == 5


class TestSeen:
    def test_first_and_last_and_what_is_known(self, store: Store) -> None:
        place = store.location
        notes.note_seen(place, "claude-code", "initialize", version="2.1", session_id="s1")
        notes.note_seen(place, "codex", "session-start", cwd="/w/shop", transcript="/h/.codex/s.jsonl")
        notes.take_notes(store)
        notes.note_seen(place, "claude-code", "session-end")
        notes.take_notes(store)
        seen = notes.last_seen(store)
        assert set(seen) == {"claude-code", "codex"}
        claude = seen["claude-code"]
        assert (claude.event, claude.version, claude.session_id) == ("session-end", "2.1", "s1")
        assert claude.first < claude.last
        assert (seen["codex"].cwd, seen["codex"].transcript) == ("/w/shop", "/h/.codex/s.jsonl")

    @ON_SQLITE
    def test_hostile_names_are_made_harmless(self, store: Store) -> None:
        notes.note_seen(store.location, "evil\x1b[2J\n\u202e" + "x" * 500, "init\x00ialize", cwd="/w/\udcff")
        notes.take_notes(store)
        ((name, seen),) = notes.last_seen(store).items()
        assert name.startswith("evil[2Jx")
        assert len(name) == 64
        assert (seen.event, seen.cwd) == ("initialize", "/w/")


class TestClaims:
    def test_a_claim_is_counted_apart_and_once(self, store: Store) -> None:
        one = Desk(store).hold("A")
        for kind, ref in (("commit", "abc"), ("commit", "abc"), ("test", "pytest -q")):
            notes.note_claim(store.location, one.id, kind, ref)
        notes.take_notes(store)
        notes.note_claim(store.location, one.id, "commit", "abc")
        notes.note_claim(store.location, new_id(), "commit", "of no memory")
        notes.take_notes(store)
        assert usage(store) == {one.id: (0, 1, 2)}

    @ON_SQLITE
    def test_what_was_witnessed_stays_so(self, store: Store) -> None:
        one = Desk(store).hold("A")
        own = {"tenant_id": "local", "owner_id": one.id, "kind": "commit", "ref": "abc", "claimed": False}
        with store.write() as connection:
            connection.execute(insert(SupportRow.__table__), [own | {"at": store.now()}])  # type: ignore[attr-defined]
        notes.note_claim(store.location, one.id, "commit", "abc")
        notes.take_notes(store)
        assert [row["claimed"] for row in rows(store, SupportRow) if row["kind"] == "commit"] == [False]

    def test_no_other_kind_is_taken(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="session"):
            notes.note_claim(locate(str(tmp_path / "a.db")), new_id(), "session", "s1")


@ON_SQLITE
class TestTheFolder:
    def test_files_and_folder_are_private_and_whole(self, store: Store) -> None:
        os.umask(0o022)
        notes.note_seen(store.location, "codex", "initialize")
        (file,) = waiting(store.location)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert [one.suffix for one in file.parent.iterdir()] == [".json"]

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"{",
            b"[]",
            b"\xff",
            b"[" * 200_000,
            b'{"meminbox_note":2,"what":"seen","at":"2026-01-01T00:00:00+00:00"}',
            b'{"meminbox_note":1,"what":"seen","at":"2026-01-01T00:00:00+00:00","agent":"a","event":"e"}',
            b'{"meminbox_note":1,"what":"approve","at":"2026-01-01T00:00:00+00:00"}',
            b'{"meminbox_note":1,"what":"claim","at":"x","memory_id":"1","kind":"commit","ref":"r"}',
            b'{"meminbox_note":1,"what":"handout","at":"2026-01-01T00:00:00+00:00","given":[["x\\u0000",1]],'
            b'"session_id":null,"agent":null,"surface":"cli"}',
        ],
    )
    def test_what_is_no_note_is_set_aside_with_its_reason(self, store: Store, data: bytes) -> None:
        hand_out(store.location, Desk(store).hold("A").id)
        odd = store.location.notes / f"{new_id()}.json"
        odd.write_bytes(data)
        assert notes.take_notes(store) == 1
        bad = store.location.notes / "bad"
        assert (bad / odd.name).read_bytes() == data
        assert (bad / f"{odd.name}.reason").read_text().strip()
        assert waiting(store.location) == []

    def test_what_is_no_file_hangs_nobody(self, store: Store) -> None:
        notes.note_seen(store.location, "codex", "initialize")
        os.mkfifo(store.location.notes / f"{new_id()}.json")
        (store.location.notes / f"{new_id()}.json").mkdir()
        (store.location.notes / f"{new_id()}.json").symlink_to("/dev/zero")
        assert notes.take_notes(store) == 1
        assert len(list((store.location.notes / "bad").glob("*.reason"))) == 3

    def test_what_a_killed_writer_left_goes_after_a_day(self, store: Store) -> None:
        notes.note_seen(store.location, "codex", "initialize")
        old, fresh = (store.location.notes / f"{new_id()}.part" for _ in range(2))
        for part in (old, fresh):
            part.write_bytes(b"{")
        os.utime(old, (1, 1))
        notes.take_notes(store)
        assert [one.name for one in store.location.notes.iterdir()] == [fresh.name]

    def test_a_busy_store_leaves_them_for_later_and_fails_nobody(self, location: Location) -> None:
        first, second = door.open_desk(location), door.open_desk(location, wait=0.0)
        try:
            notes.note_seen(location, "codex", "initialize")
            with first.write() as connection:
                connection.exec_driver_sql("SELECT 1")
                assert door.take_in(second) == 0
                with pytest.raises(StoreBusy):
                    notes.take_notes(second)
            assert len(waiting(location)) == 1
            door.open_desk(location).close()
            assert waiting(location) == []
        finally:
            first.close()
            second.close()

    def test_only_viewing_takes_nothing(self, store: Store, open_again: Any) -> None:
        notes.note_seen(store.location, "codex", "initialize")
        assert notes.take_notes(open_again(read_only=True)) == 0
        assert len(waiting(store.location)) == 1


def test_a_folder_that_cannot_be_made_is_told_by_our_names(tmp_path: Path) -> None:
    (tmp_path / "a.db.notes").write_text("a file in its place")
    with pytest.raises(MeminboxError):
        notes.note_seen(locate(str(tmp_path / "a.db")), "codex", "initialize")
