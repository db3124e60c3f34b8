"""PostgreSQL: connections, transactions, change watch, and its errors by our names."""

from __future__ import annotations

import math
import threading
import time
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import DBAPIError

from store import head, migrate
from store.dialects.expressions import json_text, json_value
from store.dialects.postgres_scrub import scrub
from store.errors import (
    MeminboxError,
    NotFound,
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
from store.watch import ChangeWatch

try:
    import psycopg
except ImportError as error:
    raise UsageError(
        "A PostgreSQL store needs the package psycopg.", todo="Install meminbox with the extra: meminbox[postgres]."
    ) from error

_LOCK_SPACE = 0x4D454D49  # "MEMI"
_OURS = ("proposal", "memory", "version", "decision", "operation", "tombstone")
_SLOW_POLL = 2.0
_GET_READY = text(
    "SELECT set_config('lock_timeout', :wait, true), set_config('synchronous_commit', "
    "CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, "
    "true)"
)
_HOLD_TENANT = text("SELECT pg_advisory_xact_lock(:space, hashtext(:tenant))")
_MARK = text("SELECT version_num FROM alembic_version")
_HOLD_SCHEMA = text("SELECT pg_advisory_xact_lock(CAST(:space AS bigint))")


class PostgresBackend:
    """One PostgreSQL database, opened for reading and writing or for viewing (``read_only`` says why)."""

    def __init__(self, location: Location, engine: Engine, wait: float, *, read_only: str | None) -> None:
        self.location = location
        self.engine = engine
        self.read_only = read_only
        self.warnings: tuple[str, ...] = ()
        self._wait = wait
        self._reading = engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True, reads=True
        )

    def reading(self) -> Engine:
        """Transactions on one snapshot, in which a write is an error."""
        return self._reading

    def writing(self, tenant: str, wait: float | None = None) -> Engine:
        """Transactions that hold the tenant's advisory lock, so that its operations are numbered without gaps."""
        return self.engine.execution_options(tenant=tenant, wait=self._wait if wait is None else wait)

    def check(self) -> None:
        """Nothing to look at: a connection that broke is found when it is taken from the pool."""

    def expect_schema(self, connection: Connection) -> None:
        """Raise StoreNewer where a newer program has brought the tables up to its own schema meanwhile."""
        schema = migrate.number_of(connection.scalars(_MARK).one_or_none() or "")
        if schema is not None and schema > migrate.SCHEMA:
            raise _newer(self.location.described(), schema)

    def translate(self, error: BaseException, *, committing: bool) -> MeminboxError | None:
        """The error of ours that a psycopg error means; see ``translate``."""
        return translate(error, self.location.described(), committing=committing)

    def quick_check(self, connection: Connection) -> str | None:  # noqa: ARG002  (the server checks its own pages)
        """PostgreSQL has no check of its own that costs little; data checksums tell of broken pages on reading."""
        return None

    def reference_check(self, connection: Connection) -> str | None:  # noqa: ARG002  (kept by the server)
        """The server lets nobody but a superuser past a foreign key."""
        return None

    def scrub(self, *, anew: bool = True) -> tuple[str, ...]:  # noqa: ARG002  (dead rows are never overwritten)
        """Write the tables anew, without dead rows; where that must not be, at least free them."""
        return scrub(self.engine, self._wait)

    def schema_text(self, connection: Connection) -> str:  # noqa: ARG002  (the files are the server's)
        """The database's files are not ours to search."""
        return ""

    def watch(self, tenant: str) -> ChangeWatch:
        """A watch by LISTEN, with a slow poll behind it for notifications that a pooler or a broken line lost."""
        return PostgresWatch(self.engine, tenant)

    def close(self) -> None:
        """Give back every connection."""
        self.engine.dispose()


class PostgresWatch:
    """Listens on its own autocommit connection."""

    def __init__(self, engine: Engine, tenant: str) -> None:
        self._engine = engine
        self._tenant = tenant
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[Any] | None = None
        self._marks: object = None
        self._asked = 0.0
        self._connect()

    def changed(self) -> bool:
        """Whether anything was committed since the last call."""
        with self._lock:
            try:
                if self._connection is None:
                    self._connect()
                    return True
                assert self._connection is not None
                told = bool(list(self._connection.notifies(timeout=0)))
                if told:
                    self._look()
                    return True
                if time.monotonic() - self._asked < _SLOW_POLL:
                    return False
                before = self._marks
                self._look()
                return self._marks != before
            except psycopg.Error:
                self._drop()
                return True

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._drop()

    def _connect(self) -> None:
        arguments, options = self._engine.dialect.create_connect_args(self._engine.url)
        self._connection = psycopg.connect(*arguments, autocommit=True, **options)
        self._connection.execute("LISTEN meminbox")
        self._look()

    def _look(self) -> None:
        assert self._connection is not None
        self._marks = self._connection.execute(
            "SELECT (SELECT max(seq) FROM operation WHERE tenant_id = %(tenant)s),"
            " (SELECT max(id) FROM proposal WHERE tenant_id = %(tenant)s)",
            {"tenant": self._tenant},
        ).fetchone()
        self._asked = time.monotonic()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def open_backend(location: Location, *, wait: float, read_only: bool) -> PostgresBackend:
    """Open the database of ``location``; make the tables where none stand, bring them up to date where they are older.

    Raises StoreDamaged, StoreNewer, StoreReadOnly, StoreBusy, StoreTrouble; NotFound where it was only to be read.
    """
    engine = make_engine(location, wait)
    where = location.described()
    try:
        with engine.connect() as connection:
            schema = _schema_of(connection, where)
            reason = _why_read_only(connection, schema, asked=read_only)
        if schema is None and read_only:
            raise NotFound(f"There is no store at {where} yet.")
        if (schema or 0) < migrate.SCHEMA:
            if reason is not None:
                raise StoreReadOnly(f"The store {where} has to be brought up to date first, and {reason}.")
            _bring_up_to_date(location, engine, where, wait)
    except DBAPIError as error:
        engine.dispose()
        raise _unreachable(error, where) from error
    except BaseException:
        engine.dispose()
        raise
    return PostgresBackend(location, engine, wait, read_only=reason)


_VANISHED = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
"""A server that vanished (a laptop slept, a network changed) is noticed within half a minute, not in two hours. What
the address says itself is taken as it says."""


def make_engine(location: Location, wait: float) -> Engine:
    """An engine on one database. Transactions hold the lock of the tenant in their options, unless ``reads`` is set."""
    assert location.url is not None
    url = make_url(location.url).set(drivername="postgresql+psycopg")
    patience = {"connect_timeout": max(2, math.ceil(wait)), "application_name": "meminbox"}
    patience |= {name: value for name, value in _VANISHED.items() if name not in url.query}
    engine = create_engine(
        url,
        pool_pre_ping=True,
        connect_args=patience,
        json_serializer=json_text,
        json_deserializer=json_value,
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def _connect(raw: psycopg.Connection[Any], _record: object) -> None:
        # In any other zone the first and last hours of the calendar cannot be told in Python.
        raw.execute("SET TIME ZONE 'UTC'")
        raw.commit()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("tenant") is not None and not options.get("reads"):
            connection.execute(_GET_READY, {"wait": _milliseconds(options["wait"])})
            connection.execute(_HOLD_TENANT, {"space": _LOCK_SPACE, "tenant": options["tenant"]})

    return engine


def translate(error: BaseException, where: str, *, committing: bool = False) -> StoreTrouble | None:
    """The error of ours that a psycopg error means, or None where it means a fault in the program.

    A line that breaks while ``committing`` leaves unknown whether the act was kept.
    """
    original = getattr(error, "orig", error)
    if not isinstance(original, psycopg.Error):
        return None
    code, kept = original.sqlstate or "", "Nothing was changed."
    broken = bool(getattr(error, "connection_invalidated", False)) or code.startswith(("08", "57P"))
    if broken or (not code and isinstance(original, psycopg.OperationalError)):
        if committing:
            return StoreLost(
                f"The connection to {where} broke while saving.",
                todo="Whether the last act was kept is unknown: look before doing it again.",
            )
        return StoreLost(f"The connection to {where} broke.", kept=kept, todo="Try again.")
    if code in ("55P03", "40P01", "40001", "53300", "57014"):
        return StoreBusy(f"Not saved: the store {where} is busy.", kept=kept, todo="Try again.")
    if code in ("25006", "42501"):
        return StoreReadOnly(f"Not saved: the store {where} may not be written by this role.", kept=kept)
    if code in ("53100", "53200", "53400", "54000"):
        return StoreFull(f"Not saved: the server of {where} is out of room ({_first_line(original)}).", kept=kept)
    if code.startswith("XX") or code == "58030":
        return StoreDamaged(f"The store {where} is damaged: {_first_line(original)}", kept=kept)
    return None


def _schema_of(connection: Connection, where: str) -> int | None:
    """The schema number that stands here, or None where nothing stands. Alembic's mark is read raw."""
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise StoreTrouble(f"The database {where} keeps its text in {encoding}.", todo="Use one made with UTF8.")
    present = _tables(connection)
    if "alembic_version" not in present:
        if present:
            raise _foreign(where, f"it has a table named {sorted(present)[0]} that is not ours")
        return None
    marks = connection.scalars(_MARK).all()
    schema = migrate.number_of(marks[0]) if len(marks) == 1 else None
    if schema is None or not present.issuperset(_OURS):
        raise _foreign(where, "it is marked with another program's revision")
    if schema > migrate.SCHEMA:
        raise _newer(where, schema)
    return schema


def _newer(where: str, schema: int) -> StoreNewer:
    return StoreNewer(
        f"The store {where} has schema {schema}, and this program knows {migrate.SCHEMA} at most.",
        kept="It was not written.",
        todo="Use the newer Meminbox that wrote it.",
    )


def _tables(connection: Connection) -> set[str]:
    found = set()
    for name in (*_OURS, "alembic_version"):
        if connection.scalar(text("SELECT to_regclass(:name)"), {"name": name}) is not None:
            found.add(name)
    return found


def _foreign(where: str, why: str) -> StoreDamaged:
    return StoreDamaged(
        f"The database {where} is not a store of ours: {why}.",
        kept="It was not written.",
        todo="Name an empty database.",
    )


def _why_read_only(connection: Connection, schema: int | None, *, asked: bool) -> str | None:
    if asked:
        return "it was opened for viewing only"
    if connection.scalar(text("SHOW transaction_read_only")) == "on":
        return "the server accepts no writes"
    if schema is not None and not connection.scalar(text("SELECT has_table_privilege('operation', 'INSERT')")):
        return "this role may only read"
    return None


def _bring_up_to_date(location: Location, engine: Engine, where: str, wait: float) -> None:
    """Make or migrate the tables in one transaction; whoever comes second under the lock finds it done."""
    with engine.begin() as connection:
        connection.execute(_GET_READY, {"wait": _milliseconds(wait)})
        connection.execute(_HOLD_SCHEMA, {"space": _LOCK_SPACE})
        schema = _schema_of(connection, where)
        if schema is None and _once_stood_here(location):
            raise StoreDamaged(
                f"The database {where} is empty, but {location.head} shows that a store stood there; "
                "a new one would hide the loss.",
                kept="It was not written.",
                todo="Restore a backup of the database.",
            )
        if (schema or 0) < migrate.SCHEMA:
            migrate.upgrade(connection)


def _once_stood_here(location: Location) -> bool:
    try:
        return any(seq > 0 for seq, _ in head.read(location).values())
    except (ValueError, OSError):
        return True


def _unreachable(error: DBAPIError, where: str) -> StoreTrouble:
    if getattr(error.orig, "sqlstate", None) is None:
        return StoreTrouble(f"The store {where} cannot be reached: {_first_line(error.orig)}", todo="Is the server up?")
    ours = translate(error, where)
    return ours or StoreTrouble(f"The store {where} cannot be opened: {_first_line(error.orig)}")


def _first_line(error: BaseException | None) -> str:
    return (str(error).strip().splitlines() or [""])[0]


def _milliseconds(seconds: float) -> str:
    # PostgreSQL takes 0 for "wait for ever".
    return str(max(1, round(seconds * 1000)))
