"""An older store is brought up to date in one step, with its history, or stays as it was (F8, D054)."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, select, text, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel

import meminbox
from store import migrate, models, search_index
from store.dialects import postgres, sqlite_engine, sqlite_make
from store.dialects.sqlite_file import APPLICATION_ID
from store.engine import Store, open_store
from store.entry import Entry, commitment, content_hash, fingerprint
from store.errors import StoreDamaged, StoreReadOnly, StoreTrouble
from store.facts import Operation
from store.ledger import DECISION, GENESIS, MEMORY, OPERATION, PROPOSAL, VERSION, digest_of
from store.location import Location
from store.verify import verify

TENANT = "local"
AT = datetime(2026, 10, 2, 14, 2, 3, 456789, tzinfo=UTC)
SAID = Entry(scope="shop", key="style.voice", content="用主动语态写报告", aliases=("voice",), confidence=0.5)
HISTORY = (OPERATION, VERSION, DECISION)
LATER = ("commit_hash",)
"""Columns that schema 1 did not have yet."""
only_sqlite = pytest.mark.parametrize("engine_name", ["sqlite"], indirect=True)
only_postgres = pytest.mark.parametrize("engine_name", ["postgres"], indirect=True)


@pytest.fixture
def older(nowhere: Location, engine_name: str) -> Location:
    """A store of schema 1 with a proposal, its approval and a correction."""
    engine = older_engine(nowhere)
    with engine.begin() as connection:
        migrate.upgrade(connection, 1)
        remember_two(connection)
    engine.dispose()
    return nowhere


def older_engine(location: Location) -> Engine:
    if location.path is None:
        return postgres.make_engine(location, 5)
    location.folder.mkdir(mode=0o700, exist_ok=True)
    with closing(sqlite3.connect(location.path, isolation_level=None)) as raw:
        raw.execute("PRAGMA journal_mode=WAL")
        raw.execute(f"PRAGMA application_id={APPLICATION_ID}")
        raw.execute("PRAGMA user_version=1")
    location.path.chmod(0o600)
    return sqlite_engine.make_engine(location.path, 5)


def remember_two(connection: Connection) -> None:
    """One memory with two versions, by two operations of a valid chain, as the program of schema 1 wrote them."""
    later = SAID.with_(content="用被动语态写报告")
    entry_columns = {
        "scope": later.scope,
        "kind": later.kind,
        "key": later.key,
        "aliases": ["voice"],
        "content": later.content,
        "paths": [],
        "source": later.source,
        "confidence": 0.5,
    }
    row = entry_columns | {
        "tenant_id": TENANT,
        "id": "memory-1",
        "content_hash": content_hash(later.content),
        "fingerprint": fingerprint("shop", "add", later.content),
        "previous_value": SAID.content,
        "status": "active",
        "pinned": False,
        "revision": 2,
        "created_at": AT,
        "updated_at": AT,
    }
    connection.execute(insert(MEMORY), row)
    proposal = entry_columns | {
        "tenant_id": TENANT,
        "id": "proposal-1",
        "op": "add",
        "content_hash": content_hash(later.content),
        "fingerprint": fingerprint("shop", "add", later.content),
        "group_id": "proposal-1",
        "flags": [],
        "redaction_version": 0,
        "status": "approved",
        "mentions": 1,
        "session_rank": "proposal-1",
        "revision": 2,
        "created_at": AT,
    }
    connection.execute(insert(PROPOSAL), proposal)
    previous = GENESIS
    for seq, (entry, before) in enumerate(((SAID, None), (later, SAID.content)), start=1):
        operation = Operation(f"operation-{seq}", seq, "approve", "ada", "console", None, {"n": seq}, 1, None, AT)
        said = entry.canonical_json()
        version = {
            "tenant_id": TENANT,
            "memory_id": "memory-1",
            "revision": seq,
            "status": "active",
            "entry": said,
            "previous_value": before,
            "action": "approve",
            "operation_id": operation.id,
            "proposal_id": "proposal-1" if seq == 2 else None,
            "at": AT,
            "salt": "5a17",
            "commitment": commitment("5a17", said, before, "active", seq),
        }
        decision = {
            "tenant_id": TENANT,
            "operation_id": operation.id,
            "proposal_id": "proposal-1",
            "from_status": "pending",
            "to_status": "approved",
            "reason": None,
        }
        decisions = [decision] if seq == 2 else []
        previous = digest_of(previous, operation, [version], decisions)
        columns = {name: getattr(operation, name) for name in Operation.__dataclass_fields__}
        connection.execute(insert(OPERATION), columns | {"tenant_id": TENANT, "digest": previous})
        connection.execute(insert(VERSION), version)
        if decisions:
            connection.execute(insert(DECISION), decisions)


def history(connection: Connection) -> list[Any]:
    """Every row of the tables that must survive bit by bit."""
    tables = (*HISTORY, MEMORY, PROPOSAL)
    columns = [[column for column in one.columns if column.name not in LATER] for one in tables]
    asked = zip(columns, tables, strict=True)
    return [connection.execute(select(*some).order_by(*one.primary_key)).all() for some, one in asked]


def test_D054_an_older_store_comes_up_to_date_with_its_history(older: Location) -> None:
    engine = older_engine(older) if older.path is None else sqlite_engine.make_engine(older.path, 5)
    with engine.begin() as connection:
        before = history(connection)
    engine.dispose()
    store = open_store(older)
    try:
        with store.read() as connection:
            assert history(connection) == before
            assert connection.execute(select(models.UsageRow.__table__)).mappings().all() == [  # type: ignore[attr-defined]
                {
                    "tenant_id": TENANT,
                    "memory_id": "memory-1",
                    "uses": 0,
                    "last_used": None,
                    "last_verified": None,
                    "support": 0,
                    "claimed_support": 0,
                }
            ]
            found = connection.scalars(search_index.matching(TENANT, "被动", ["shop"])).all()
            assert found == ["memory-1"]
        assert verify(store) is None
        history_is_barred(store)
    finally:
        store.close()


def history_is_barred(store: Store) -> None:
    """No statement changes or removes history, but for an erasure, which takes the texts of a version whole."""
    for table in HISTORY:
        for column in table.columns:
            with pytest.raises(DBAPIError, match="append-only"), store.write() as connection:
                connection.execute(update(table).values({column.name: None if column.nullable else column}))
        with pytest.raises(DBAPIError, match="append-only"), store.write() as connection:
            connection.execute(table.delete())
    erased = {"entry": None, "previous_value": None, "salt": None}
    with pytest.raises(DBAPIError, match="append-only"), store.write() as connection:
        connection.execute(update(VERSION).values(erased | {"proposal_id": None}))
    with store.write() as connection:
        connection.execute(update(VERSION).values(erased))


def test_a_fresh_store_bars_changes_of_history_too(older: Location, store: Store) -> None:
    with store.write() as connection:
        remember_two(connection)
    history_is_barred(store)


def test_a_migrated_and_a_fresh_store_have_one_schema(older: Location, store: Store) -> None:
    migrated = open_store(older)
    try:
        with migrated.read() as there, store.read() as here:
            assert spelled(there) == spelled(here)
    finally:
        migrated.close()


def spelled(connection: Connection) -> list[Any]:
    """The whole schema as the engine itself spells it, triggers, functions and virtual tables included."""
    if connection.dialect.name == "sqlite":
        listed = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
        return list(map(tuple, connection.execute(text(listed))))
    return [tuple(row) for query in POSTGRES_SCHEMA for row in connection.execute(text(query))]


POSTGRES_SCHEMA = (
    "SELECT table_name, column_name, data_type, is_nullable, column_default, generation_expression"
    " FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
    "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
    " WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2",
    "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2",
    "SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal"
    " ORDER BY 1, 2",
    "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1",
)
BEYOND_THE_MODELS = {"alembic_version", "search_fts", "search_fts_data", "search_fts_idx", "search_fts_docsize"} | {
    "search_fts_config"
}
"""Tables that no model maps: Alembic's mark, and what SQLite keeps for the search index."""


def test_the_schema_is_that_of_the_models(
    store: Store, engine_name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if engine_name == "sqlite":
        other = create_engine(f"sqlite:///{tmp_path / 'models.db'}")
    else:
        url = request.getfixturevalue("postgres_server").empty()
        other = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    try:
        SQLModel.metadata.create_all(other)
        with other.connect() as connection, store.read() as ours:
            assert described(ours) == described(connection)
    finally:
        other.dispose()


def described(connection: Connection) -> dict[str, Any]:
    """Columns, keys, CHECKs and indexes by table, as reflected."""
    looked = inspect(connection)
    tables: dict[str, Any] = {}
    for table in set(looked.get_table_names()) - BEYOND_THE_MODELS:
        tables[table] = {
            "columns": {
                one["name"]: (str(one["type"]), one["nullable"], one.get("default"))
                for one in looked.get_columns(table)
                if (table, one["name"]) != ("search_doc", "tsv")
            },
            "primary key": looked.get_pk_constraint(table)["constrained_columns"],
            "foreign keys": sorted(str(one) for one in looked.get_foreign_keys(table)),
            "unique": sorted(str(one) for one in looked.get_unique_constraints(table)),
            "checks": sorted(
                (one["name"] or "", one["sqltext"])
                for one in looked.get_check_constraints(table)
                if not str(one["name"]).endswith("_time")  # PostgreSQL alone knows infinite times
            ),
            "indexes": sorted(
                (one["name"] or "", str(one["column_names"]), one["unique"], _where(one))
                for one in looked.get_indexes(table)
                if one["name"] != "ix_search_doc_tsv"
            ),
        }
    return tables


def _where(index: Any) -> str:
    options = index.get("dialect_options", {})
    return str(options.get("sqlite_where", options.get("postgresql_where", "")))


@only_sqlite
def test_a_backup_is_made_first(older: Location) -> None:
    open_store(older).close()
    (backup,) = older.backups.iterdir()
    assert ".schema-1." in backup.name
    assert backup.stat().st_mode & 0o777 == 0o600
    assert older.backups.stat().st_mode & 0o777 == 0o700
    with closing(sqlite3.connect(backup)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert raw.execute("PRAGMA user_version").fetchone() == (1,)
        assert raw.execute("SELECT count(*) FROM version").fetchone() == (2,)
        assert not raw.execute("SELECT 1 FROM sqlite_master WHERE name = 'usage'").fetchall()


@only_sqlite
def test_without_a_backup_nothing_is_migrated(older: Location) -> None:
    older.backups.write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreTrouble, match=r"\.backups"):
        open_store(older)
    assert schema_of(older) == 1


def test_a_revision_that_fails_leaves_the_older_store(older: Location, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = migrate.upgrade

    def upgrade(connection: Connection, to: int = migrate.SCHEMA) -> None:
        whole(connection, to)
        connection.exec_driver_sql("SELECT no_such_column FROM operation")

    with monkeypatch.context() as patched:
        patched.setattr(migrate, "upgrade", upgrade)
        with pytest.raises(StoreTrouble, match="no_such_column"):
            open_store(older)
    assert schema_of(older) == 1
    store = open_store(older)
    assert verify(store) is None
    store.close()


def schema_of(location: Location) -> int:
    if location.path is None:
        engine = postgres.make_engine(location, 5)
        with engine.begin() as connection:
            number = connection.scalar(text("SELECT version_num FROM alembic_version"))
        engine.dispose()
        return int(number)
    with closing(sqlite3.connect(f"file:{location.path}?mode=ro", uri=True)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return int(raw.execute("PRAGMA user_version").fetchone()[0])


def killed_at(location: Location, step: int) -> bool:
    """Open the store in a child that is killed before its ``step``-th statement, commit or fsync; whether it was."""
    child = os.fork()
    if child == 0:
        left = step

        def tick(*_args: Any, **_options: Any) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        event.listen(Engine, "before_cursor_execute", tick)
        event.listen(Engine, "commit", tick)
        fsync = os.fsync

        def ticking(descriptor: int) -> None:
            tick()
            fsync(descriptor)
            tick()

        os.fsync = ticking
        code = 1
        try:
            open_store(location).close()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def test_D054_killed_anywhere_in_a_migration_the_store_is_old_or_new(older: Location, engine_name: str) -> None:
    step, seen = 1, set()
    while killed_at(older, step):
        schema = schema_of(older)
        seen.add(schema)
        if schema == migrate.SCHEMA:
            break
        # Each step costs a child; the middle of a long run of statements is as good as its neighbour.
        step += 1 if engine_name == "sqlite" and step < 12 else 5
    assert 1 in seen
    store = open_store(older)
    try:
        assert verify(store) is None
        with store.read() as connection:
            assert len(connection.execute(select(VERSION)).all()) == 2
    finally:
        store.close()
    if older.path is not None:
        making = [one for one in older.folder.iterdir() if ".making" in one.name]
        assert making == []


def test_killed_anywhere_in_making_a_store_there_is_none_or_a_whole_one(nowhere: Location) -> None:
    step = 1
    while killed_at(nowhere, step):
        if nowhere.path is not None and nowhere.path.exists():
            assert schema_of(nowhere) == migrate.SCHEMA
            break
        step += 7
    store = open_store(nowhere)
    assert verify(store) is None
    store.close()
    if nowhere.path is not None:
        assert [one.name for one in nowhere.folder.iterdir() if "making" in one.name] == []


def open_four(location: Location) -> None:
    """Open a store from four threads at once; all must succeed."""
    opened: list[Store] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            opened.append(open_store(location, wait=30))
        except StoreTrouble as error:
            failed.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    for store in opened:
        store.close()
    assert failed == []
    assert len(opened) == 4


def test_four_at_once_migrate_once(older: Location) -> None:
    open_four(older)
    if older.path is not None:
        assert len(list(older.backups.iterdir())) == 1


def test_D049_four_at_once_make_one_store(nowhere: Location) -> None:
    open_four(nowhere)
    assert schema_of(nowhere) == migrate.SCHEMA


def test_an_older_store_is_not_migrated_by_a_viewer(older: Location) -> None:
    with pytest.raises(StoreReadOnly, match="up to date"):
        open_store(older, read_only=True)
    assert schema_of(older) == 1


@only_sqlite
@pytest.mark.parametrize("remains", ["-wal", ".head", ".backups"])
def test_D054_where_a_store_once_stood_none_is_begun(location: Location, remains: str) -> None:
    assert location.path is not None
    if remains == ".backups":
        sqlite_make.back_up(location, location.path, "by-hand")
    else:
        location.path.with_name(location.path.name + remains).write_bytes(b"x")
    location.path.unlink()
    before = sorted(location.folder.iterdir())
    with pytest.raises(StoreDamaged, match="gone") as told:
        open_store(location)
    assert str(location.path) in str(told.value)
    assert [one for one in sorted(location.folder.iterdir()) if one != location.lock] == before
    if remains == ".backups":
        assert "by-hand" in str(told.value)


@only_postgres
def test_D054_an_emptied_database_is_not_begun_anew(nowhere: Location) -> None:
    nowhere.folder.mkdir(mode=0o700)
    nowhere.head.write_text('{"local": {"seq": 3, "digest": "ab"}}', encoding="utf-8")
    with pytest.raises(StoreDamaged, match="empty"):
        open_store(nowhere)


def test_alembic_is_imported_only_to_migrate(location: Location) -> None:
    said = location.url or str(location.path)
    code = (
        "import sys; from store.engine import open_store; from store.location import locate\n"
        f"s = open_store(locate({said!r}))\n"
        "with s.read() as c: c.exec_driver_sql('SELECT 1')\n"
        "print('alembic' in sys.modules)"
    )
    environ = os.environ | {"MEMINBOX_HOME": str(location.folder)}
    run = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_the_revisions_are_shipped_with_the_package() -> None:
    folder = Path(migrate.__file__).parent / "migrations"
    for name in (
        "env.py",
        "script.py.mako",
        "versions/r0001_ledger.py",
        "versions/r0002_finding.py",
        "versions/r0003_given.py",
        "versions/r0004_vectors.py",
    ):
        assert (folder / name).is_file()
    newest = migrate.revision_of(migrate.SCHEMA)
    assert len(list((folder / "versions").glob(f"r{newest}_*.py"))) == 1


@only_sqlite
@pytest.mark.long
def test_D098_a_server_migrates_an_older_store_and_writes_nothing_but_json_rpc(older: Location, tmp_path: Path) -> None:
    """Every warning on; and where no model stands and no network, since a server uses neither."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "codex", "version": "1"}}
    call = {"name": "propose_memory", "arguments": {"content": "said to the old store"}}
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONWARNINGS": "always", "LANG": "C.UTF-8"}
    command = meminbox.command("mcp", "--db", str(older.path))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=env, cwd=tmp_path, **pipes) as child:  # type: ignore[call-overload]
        for number, method, params in ((1, "initialize", hello), (2, "tools/call", call)):
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            child.stdin.write(json.dumps(message).encode() + b"\n")
            child.stdin.flush()
            answer = json.loads(child.stdout.readline())
            assert (answer["jsonrpc"], answer["id"]) == ("2.0", number)
            assert "result" in answer
        child.stdin.close()
        assert child.stdout.read() == b""
    assert child.returncode == 0
    assert schema_of(older) == migrate.SCHEMA
