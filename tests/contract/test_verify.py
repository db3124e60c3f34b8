"""``verify`` finds nothing in a whole store and notices whatever is changed behind its back (I1, I2, I12, I13)."""

from __future__ import annotations

import tracemalloc
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, DateTime, Float, Integer, delete, func, insert, select, update

from store import head, ledger
from store.engine import Store
from store.entry import Entry, content_hash, fingerprint
from store.errors import StoreDamaged
from store.facts import Actor
from store.ids import new_id
from store.ledger import DECISION, MEMORY, OPERATION, PROPOSAL, VERSION
from store.models import MEMORY_STATUSES, PROPOSAL_STATUSES, SearchDocRow
from store.verify import verify
from tests.contract.raw import hand, the_row

PERSON = Actor("ada", "console")
SEARCH_DOC = SearchDocRow.__table__  # type: ignore[attr-defined]
VOICE = Entry(
    scope="shop",
    key="style.voice",
    kind="preference",
    content="Write reports in the active voice",
    aliases=("voice",),
    paths=("docs/style.md",),
    source="user_feedback",
    source_agent="codex",
    session_id="7f3a",
    source_ref="turn 4",
    evidence="could you write it more formally?",
    confidence=0.62,
    valid_until=datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC),
)


def propose(store: Store, content: str) -> str:
    """A pending proposal, put in as intake would."""
    proposal_id = new_id()
    row = {
        "tenant_id": store.tenant,
        "id": proposal_id,
        "scope": "shop",
        "kind": "fact",
        "aliases": [],
        "paths": [],
        "content": content,
        "source": "unknown",
        "op": "add",
        "content_hash": content_hash(content),
        "fingerprint": fingerprint("shop", "add", content),
        "group_id": proposal_id,
        "flags": [],
        "redaction_version": 0,
        "status": "pending",
        "mentions": 1,
        "session_rank": proposal_id,
        "revision": 1,
        "created_at": store.now(),
    }
    with store.write() as connection:
        connection.execute(insert(PROPOSAL), row)
    return proposal_id


def fill(store: Store) -> None:
    """A little history: an approval, a rejection, a correction with a reason, a deletion, an undo of nothing."""
    taken, turned_down = propose(store, "The port is 8080"), propose(store, "The port is 9090")
    with store.write() as connection:
        act = ledger.Act(store, connection, PERSON, "approve", selection={"seen": [taken]})
        act.change(None, Entry(scope="shop", content="The port is 8080"), proposal_id=taken)
        act.decide(taken, "pending", "approved", revision=1)
        approved = act.commit()
    with store.write() as connection:
        act = ledger.Act(store, connection, PERSON, "reject", reason="guessed")
        act.decide(turned_down, "pending", "rejected", revision=1, reason="guessed")
        act.commit()
    with store.write() as connection:
        act = ledger.Act(store, connection, PERSON, "edit")
        voice = act.change(None, VOICE)
        act.commit()
    with store.write() as connection:
        act = ledger.Act(store, connection, PERSON, "edit", reason="asked for", undoes=approved.id)
        act.change(voice, VOICE.with_(content="Write reports in the passive voice"))
        act.commit()


@pytest.fixture
def filled(store: Store) -> Store:
    """A store with a little history."""
    fill(store)
    return store


def test_a_whole_store_is_whole(filled: Store) -> None:
    assert verify(filled) is None


def test_an_empty_store_is_whole(store: Store) -> None:
    assert verify(store) is None


@pytest.mark.parametrize("table", [OPERATION, VERSION, DECISION, MEMORY], ids=lambda table: table.name)
def test_any_changed_field_of_any_row_is_noticed(filled: Store, table: Any) -> None:
    with hand(filled) as connection:
        for row in connection.execute(select(table)).all():
            for column in table.columns:
                if column.name == "pinned":
                    continue  # no version says it
                for value in other_values(column, row._mapping[column.name]):
                    mine = the_row(table, row)
                    connection.execute(update(table).where(mine).values({column.name: value}))
                    found = verify(filled)
                    changed = dict(row._mapping) | {column.name: value}
                    back = [one == changed[one.name] for one in table.primary_key]
                    connection.execute(update(table).where(*back).values({column.name: row._mapping[column.name]}))
                    assert found is not None, (table.name, column.name, value)
                    assert found.what
        assert verify(filled) is None


def other_values(column: Any, value: Any) -> list[Any]:
    """Values that the column could hold instead."""
    others: list[Any] = [None] if column.nullable and value is not None else []
    if column.name in ("status", "from_status", "to_status"):
        among = MEMORY_STATUSES if column.table.name in ("memory", "version") else PROPOSAL_STATUSES
        return others + [one for one in among if one != value]
    if column.name in ("kind", "source"):
        return ["fact" if value != "fact" else "preference"] if column.name == "kind" else ["import"]
    if isinstance(column.type, JSON):
        return [*others, {"other": 1} if isinstance(value, dict) else ["other"]]
    if isinstance(column.type, Boolean):
        return [not value]
    if isinstance(column.type, Integer):
        return [*others, value + 7]
    if isinstance(column.type, Float):
        return [*others, 0.5]
    if "DateTime" in type(column.type).__name__ or isinstance(column.type, DateTime):
        return [*others, (value or datetime(2031, 1, 1, tzinfo=UTC)) + timedelta(microseconds=1)]
    return [*others, "x" if not value else value[:-1] + ("1" if value[-1] != "1" else "2")]


def test_d_i13_the_last_operation_removed_with_all_it_made_is_noticed(filled: Store) -> None:
    with hand(filled) as connection:
        last = connection.execute(select(OPERATION).order_by(OPERATION.c.seq.desc()).limit(1)).one()
        made = connection.execute(select(VERSION).where(VERSION.c.operation_id == last.id)).one()
        before = connection.execute(
            select(VERSION).where(VERSION.c.memory_id == made.memory_id, VERSION.c.revision == made.revision - 1)
        ).one()
        old = Entry.from_json(before.entry)
        connection.execute(delete(VERSION).where(VERSION.c.operation_id == last.id))
        connection.execute(delete(OPERATION).where(OPERATION.c.id == last.id))
        connection.execute(
            update(MEMORY)
            .where(MEMORY.c.id == made.memory_id)
            .values(
                content=old.content,
                content_hash=content_hash(old.content),
                fingerprint=fingerprint(old.scope, "add", old.content),
                previous_value=before.previous_value,
                revision=before.revision,
                updated_at=before.at,
            )
        )
        from store.text import entry_grams

        connection.execute(
            update(SEARCH_DOC).where(SEARCH_DOC.c.memory_id == made.memory_id).values(grams=entry_grams(old))
        )
    found = verify(filled)
    assert found is not None
    assert found.where == "head"
    assert "4" in found.what


def test_an_operation_removed_from_the_middle_is_noticed(filled: Store) -> None:
    with hand(filled) as connection:
        connection.execute(delete(OPERATION).where(OPERATION.c.seq == 2))
    found = verify(filled)
    assert found is not None
    assert "Operation 2 is missing" in found.what


@pytest.mark.parametrize("table", [VERSION, DECISION], ids=lambda table: table.name)
def test_a_part_removed_or_added_is_noticed(filled: Store, table: Any) -> None:
    with hand(filled) as connection:
        for row in connection.execute(select(table)).all():
            connection.execute(delete(table).where(the_row(table, row)))
            assert verify(filled) is not None
            connection.execute(insert(table), dict(row._mapping))
        assert verify(filled) is None
        row = connection.execute(select(table).limit(1)).one()
        other = connection.scalar(select(OPERATION.c.id).where(OPERATION.c.id != row.operation_id).limit(1))
        more = {"operation_id": other} | ({"revision": row.revision + 7} if table is VERSION else {})
        connection.execute(insert(table), dict(row._mapping) | more)
        assert verify(filled) is not None


def test_a_decided_proposal_put_back_to_pending_is_noticed(filled: Store) -> None:
    with hand(filled) as connection:
        connection.execute(update(PROPOSAL).where(PROPOSAL.c.status == "rejected").values(status="pending"))
    found = verify(filled)
    assert found is not None
    assert "rejected" in found.what


def test_a_changed_text_of_a_waiting_proposal_is_noticed(store: Store) -> None:
    one = propose(store, "Use uv")
    with hand(store) as connection:
        connection.execute(update(PROPOSAL).values(content="Use pip"))
    found = verify(store)
    assert found is not None
    assert found.ids == (one,)


def test_D023_drift_between_items_and_index_is_noticed_in_both_directions(filled: Store) -> None:
    with hand(filled) as connection:
        row = connection.execute(select(SEARCH_DOC).limit(1)).one()
        connection.execute(delete(SEARCH_DOC).where(SEARCH_DOC.c.rid == row.rid))
        lost = verify(filled)
        assert lost is not None
        assert lost.ids == (row.memory_id,)
        values = {"tenant_id": row.tenant_id, "memory_id": row.memory_id, "grams": row.grams}
        connection.execute(insert(SEARCH_DOC), values)
        assert verify(filled) is None
        connection.execute(insert(SEARCH_DOC), values | {"memory_id": new_id()})
        stray = verify(filled)
        assert stray is not None
        assert stray.where == "search index"


def test_an_erased_memory_still_verifies(filled: Store) -> None:
    with hand(filled) as connection:
        memory_id = connection.scalar(select(MEMORY.c.id).where(MEMORY.c.key == "style.voice"))
    with filled.write() as connection:
        gone = {"entry": None, "previous_value": None, "salt": None}
        connection.execute(update(VERSION).where(VERSION.c.memory_id == memory_id).values(gone))
        connection.execute(
            update(MEMORY).where(MEMORY.c.id == memory_id).values(content=None, evidence=None, previous_value=None)
        )
        connection.execute(delete(SEARCH_DOC).where(SEARCH_DOC.c.memory_id == memory_id))
    assert verify(filled) is None


def test_the_head_file(filled: Store) -> None:
    kept = filled.location.head
    whole = kept.read_bytes()
    assert kept.stat().st_mode & 0o777 == 0o600
    seq, digest = head.read(filled.location)[filled.tenant]
    assert seq == 4

    head.advance(filled.location, filled.tenant, seq - 1, "0" * 64)
    assert kept.read_bytes() == whole

    kept.write_text("not json", encoding="utf-8")
    found = verify(filled)
    assert found is not None
    assert str(kept) in found.what

    kept.write_bytes(whole.replace(digest[:8].encode(), b"00000000"))
    found = verify(filled)
    assert found is not None
    assert found.where == "head"

    kept.unlink()
    assert verify(filled) is None


@pytest.mark.parametrize(
    "said", ["[" * 100_000, '{"local":{"seq":Infinity,"digest":"x"}}', f'{{"local":{{"seq":{10**30},"digest":"x"}}}}']
)
def test_a_head_file_that_nobody_could_have_written_is_told_and_fails_no_decision(filled: Store, said: str) -> None:
    """Such a file made the next decision a "fault in Meminbox" after it had been committed."""
    filled.location.head.write_text(said)
    found = verify(filled)
    assert found is not None
    assert found.where == "head"
    head.advance(filled.location, filled.tenant, 9, "d" * 64)
    assert head.read(filled.location) == {filled.tenant: (9, "d" * 64)}


def test_the_head_is_not_moved_by_what_was_rolled_back(filled: Store) -> None:
    before = head.read(filled.location)
    with pytest.raises(RuntimeError), filled.write() as connection:
        act = ledger.Act(filled, connection, PERSON, "edit")
        act.change(None, Entry(scope="shop", content="never kept"))
        act.commit()
        raise RuntimeError("after the act")
    with filled.write() as connection:
        assert connection.scalar(select(func.count()).select_from(OPERATION)) == 4
    assert head.read(filled.location) == before
    assert verify(filled) is None


def test_tenants_have_chains_of_their_own(filled: Store) -> None:
    other = type(filled)(filled.location, filled.backend, tenant="other")
    fill(other)
    assert verify(filled) is None
    assert verify(other) is None
    assert {name: seq for name, (seq, _) in head.read(filled.location).items()} == {"local": 4, "other": 4}


def test_a_row_that_cannot_be_read_is_told_and_not_raised(filled: Store, engine_name: str) -> None:
    with hand(filled) as connection:
        if engine_name == "sqlite":
            connection.exec_driver_sql("UPDATE operation SET at = 'yesterday' WHERE seq = 3")
        else:
            connection.exec_driver_sql("ALTER TABLE operation DROP CONSTRAINT ck_operation_at_time")
            connection.exec_driver_sql("UPDATE operation SET at = 'infinity' WHERE seq = 3")
    found = verify(filled)
    assert found is not None
    assert found.where == "operation"


@pytest.mark.parametrize("column", ["created_at", "valid_until", "deferred_at", "flags", "aliases"])
def test_a_waiting_proposal_with_one_unreadable_value_is_named_and_no_fault_of_ours(
    store: Store, engine_name: str, column: str
) -> None:
    """A flipped byte in a time or a list made the queue a "fault in Meminbox", and verify found nothing."""
    if engine_name == "postgres":
        pytest.skip("PostgreSQL itself lets no such value into these columns")
    propose(store, "use pnpm")
    with hand(store) as connection:
        connection.exec_driver_sql(f"UPDATE proposal SET {column} = '[yesterday'")
    found = verify(store)
    assert found is not None
    assert found.where == "proposal"
    with pytest.raises(StoreDamaged, match="cannot be read"), store.read() as connection:
        connection.execute(select(PROPOSAL)).all()


@pytest.mark.parametrize("flags", [[1], {"code": "hidden"}, [{"detail": "no code"}]])
def test_flags_of_another_shape_are_named(store: Store, flags: Any) -> None:
    one = propose(store, "use pnpm")
    with hand(store) as connection:
        connection.execute(update(PROPOSAL).values(flags=flags))
    found = verify(store)
    assert found is not None
    assert (found.where, found.ids) == ("proposal", (one,))


@pytest.mark.long
def test_memory_does_not_grow_with_the_store(store: Store) -> None:
    def peak(more: int) -> int:
        with store.write() as connection:
            for _ in range(more):
                act = ledger.Act(store, connection, PERSON, "edit")
                for number in range(40):
                    act.change(None, Entry(scope="shop", content=f"{number} " + "x" * 9000))
                act.commit()
        tracemalloc.start()
        assert verify(store) is None
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    few = peak(5)
    assert peak(10) < 1.5 * few
