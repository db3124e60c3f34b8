"""What only a server can do: break off, refuse a role, hold another program's tables."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from store.engine import Store, open_store
from store.errors import StoreDamaged, StoreLost, StoreNewer, StoreReadOnly, StoreTrouble
from store.location import Location
from store.migrate import SCHEMA
from tests.contract.conftest import Server, located
from tests.contract.raw import hand
from tests.contract.test_engine import count, remember


@pytest.fixture
def engine_name() -> str:
    """This module is about one engine."""
    return "postgres"


def end_backend(store: Store, pid: int) -> None:
    with hand(store) as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})


def test_F39_a_connection_lost_before_the_commit_changed_nothing(store: Store) -> None:
    with pytest.raises(StoreLost, match="Nothing was changed"), store.write() as connection:
        end_backend(store, connection.scalar(text("SELECT pg_backend_pid()")))
        connection.execute(text("SELECT 1"))
    assert count(store) == 0
    remember(store, "the next one works")
    assert count(store) == 1


def test_F39_a_connection_lost_in_the_commit_is_unknown_and_never_repeated(store: Store) -> None:
    with pytest.raises(StoreLost, match="unknown") as told, store.write() as connection:
        end_backend(store, connection.scalar(text("SELECT pg_backend_pid()")))
    assert told.value.kept == ""
    assert count(store) == 0


def test_a_server_that_vanished_is_noticed_unless_the_address_says_how(store: Store) -> None:
    with store.read() as connection:
        held = connection.connection.dbapi_connection.info.get_parameters()  # type: ignore[union-attr]
    assert (held["keepalives_idle"], held["tcp_user_timeout"]) == ("10", "25000")
    url = f"{store.location.url}{'&' if '?' in str(store.location.url) else '?'}keepalives_idle=77"
    other = open_store(store.location._replace(url=url))
    try:
        with other.read() as connection:
            held = connection.connection.dbapi_connection.info.get_parameters()  # type: ignore[union-attr]
        assert (held["keepalives_idle"], held["keepalives_interval"]) == ("77", "5")
    finally:
        other.close()


def test_F39_a_watch_outlives_its_connection(store: Store) -> None:
    watch = store.watch()
    with hand(store) as connection:
        listening = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE query LIKE '%max(id)%'"
        connection.execute(text(f"{listening} AND pid <> pg_backend_pid()"))
    remember(store, "while nobody listened")
    assert any(watch.changed() for _ in range(3))
    while watch.changed():
        pass
    remember(store, "heard again")
    assert watch.changed()
    watch.close()


def test_the_slow_poll_finds_what_no_notification_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from store.dialects import postgres

    watch = store.watch()
    with hand(store) as connection:  # its role switches the telling triggers off
        other = Store(store.location, store.backend, tenant=store.tenant)
        connection.execute(text("ALTER TABLE operation DISABLE TRIGGER tr_operation_tell"))
        connection.execute(text("ALTER TABLE memory DISABLE TRIGGER tr_memory_tell"))
        remember(other, "untold")
    assert not watch.changed()
    now = time.monotonic() + postgres._SLOW_POLL
    monkeypatch.setattr(postgres.time, "monotonic", lambda: now)
    assert watch.changed()
    assert not watch.changed()
    watch.close()


@pytest.mark.parametrize("mark", [f"{SCHEMA + 1:04}", "9999"])
def test_F7_a_newer_schema_is_refused_naming_both_numbers(location: Location, store: Store, mark: str) -> None:
    with hand(store) as connection:
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{mark}'"))
    with pytest.raises(StoreNewer, match=rf"schema {int(mark)}.*{SCHEMA} at most"):
        open_store(location)


@pytest.mark.parametrize(
    "theirs",
    ["CREATE TABLE memory (id int)", "CREATE TABLE alembic_version AS SELECT '0002'::varchar AS version_num"],
)
def test_another_programs_database_is_refused(nowhere: Location, theirs: str) -> None:
    engine = _engine(nowhere)
    with engine.begin() as connection:
        connection.execute(text(theirs))
    with pytest.raises(StoreDamaged, match="not a store of ours"):
        open_store(nowhere)
    with engine.begin() as connection:
        assert connection.scalar(text("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")) == 1
    engine.dispose()


def _engine(location: Location):  # type: ignore[no-untyped-def]
    from store.dialects import postgres

    return postgres.make_engine(location, 5)


def test_a_role_that_may_only_read_views(location: Location, store: Store, postgres_server: Server) -> None:
    remember(store, "for all to see")
    with hand(store) as connection:
        connection.execute(text("DROP ROLE IF EXISTS viewer"))
        connection.execute(text("CREATE ROLE viewer LOGIN"))
        connection.execute(text("GRANT SELECT ON ALL TABLES IN SCHEMA public TO viewer"))
    try:
        assert location.url is not None
        viewer = open_store(located(location.url.replace("postgres:@", "viewer@"), location.folder))
        assert viewer.read_only == "this role may only read"
        assert count(viewer) == 1
        with pytest.raises(StoreReadOnly):
            remember(viewer, "never")
        viewer.close()
    finally:
        with hand(store) as connection:
            connection.execute(text("DROP OWNED BY viewer"))
            connection.execute(text("DROP ROLE viewer"))


def test_a_read_cannot_write(store: Store) -> None:
    with pytest.raises(StoreReadOnly), store.read() as connection:
        connection.execute(text("DELETE FROM setting"))


def test_a_server_that_is_not_there_is_told(location: Location) -> None:
    with pytest.raises(StoreTrouble, match="cannot be reached") as told:
        open_store(located("postgresql://ada:s3cret@/notes?host=/nowhere", location.folder), wait=0.1)
    assert "s3cret" not in str(told.value)


def test_a_missing_driver_is_told(location: Location) -> None:
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from store.engine import open_store; from store.errors import UsageError; from store.location import locate\n"
        "try:\n    open_store(locate('postgresql://here/db'))\n"
        "except UsageError as error:\n    print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True, text=True, check=True)
    assert "meminbox[postgres]" in run.stdout


@pytest.mark.parametrize("moment", ["infinity", "-infinity", "10000-01-01 00:00+00", "4000-01-01 00:00 BC"])
def test_F32_a_time_that_cannot_be_read_again_is_barred(store: Store, moment: str) -> None:
    remember(store, "kept")
    for column in ("valid_until", "updated_at"):
        with pytest.raises(DBAPIError, match=f"ck_memory_{column}_time"), store.write() as connection:
            connection.execute(text(f"UPDATE memory SET {column} = CAST(:moment AS timestamptz)"), {"moment": moment})


def test_an_emptied_table_is_barred(store: Store, open_again: Callable[..., Store]) -> None:
    remember(store, "kept")
    with pytest.raises(DBAPIError, match="append-only"), store.write() as connection:
        connection.execute(text("TRUNCATE version"))
